/* SPDX-License-Identifier: MIT */
/* lexicon.h - a map from keys to numbers, in the form in which it is stored, mapped and read.
 *
 * Open addressing: slots of a print (uint32, the key's lower half; 0: empty) and a value (uint32),
 * about two thirds full.  The place comes from the key's upper half.  Two keys with the same print
 * whose probe sequences meet are treated as one key: about once in a hundred thousand look-ups of
 * keys that are not there. */
#ifndef DDN_PIPELINE_LEXICON_H
#define DDN_PIPELINE_LEXICON_H

#include "core/error.h"
#include "core/output.h"

#define DDN_LEXICON_NONE UINT32_MAX

typedef struct ddn_lexicon {
    const uint32_t *slot; /* [slots][2] borrowed */
    uint32_t slots;
} ddn_lexicon;

typedef struct ddn_lexicon_entry {
    uint64_t key;
    uint32_t value;
} ddn_lexicon_entry;

/* The entries of a lexicon that is being made.  All zero: none; the owner frees at. */
typedef struct ddn_lexicon_entries {
    ddn_lexicon_entry *at;
    size_t count, capacity;
} ddn_lexicon_entries;

int ddn_lexicon_add(ddn_lexicon_entries *e, uint64_t key, uint32_t value, dodona_error *err);
/* Puts the entries, in their order; of equal keys, the first counts.  Errors are kept in o. */
void ddn_lexicon_put(ddn_output *o, const ddn_lexicon_entries *e);
/* Points l at bytes from a file, aligned to 4, whose values must be below limit. */
int ddn_lexicon_check(ddn_lexicon *l, const void *data, size_t size, uint32_t limit,
                      dodona_error *err);

static inline uint32_t ddn_lexicon_print(uint64_t key)
{
    return (uint32_t)key ? (uint32_t)key : 1;
}

static inline uint32_t ddn_lexicon_place(uint64_t key, uint32_t slots)
{
    return (uint32_t)((key >> 32) * slots >> 32);
}

/* The value of a key, or DDN_LEXICON_NONE. */
static inline uint32_t ddn_lexicon_find(const ddn_lexicon *l, uint64_t key)
{
    uint32_t print = ddn_lexicon_print(key);
    for (uint32_t at = ddn_lexicon_place(key, l->slots);; at = at + 1 < l->slots ? at + 1 : 0) {
        const uint32_t *slot = l->slot + 2 * (size_t)at;
        if (slot[0] == print)
            return slot[1];
        if (!slot[0])
            return DDN_LEXICON_NONE;
    }
}

#endif
