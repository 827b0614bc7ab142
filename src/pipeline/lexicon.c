/* SPDX-License-Identifier: MIT */
/* lexicon.c - entering keys; lexicon.h looks them up. */
#include "pipeline/lexicon.h"

#include "core/array.h"

#include <string.h>

int ddn_lexicon_add(ddn_lexicon_entries *e, uint64_t key, uint32_t value, dodona_error *err)
{
    if (!ddn_reserve(&e->at, &e->capacity, e->count + 1, sizeof *e->at))
        return ddn_fail_memory(err);
    e->at[e->count++] = (ddn_lexicon_entry){ key, value };
    return DODONA_OK;
}

static void enter(uint32_t *slot, uint32_t slots, const ddn_lexicon_entry *e)
{
    uint32_t print = ddn_lexicon_print(e->key), at = ddn_lexicon_place(e->key, slots);
    for (; slot[2 * (size_t)at]; at = at + 1 < slots ? at + 1 : 0)
        if (slot[2 * (size_t)at] == print)
            return;
    slot[2 * (size_t)at] = print;
    slot[2 * (size_t)at + 1] = e->value;
}

void ddn_lexicon_put(ddn_output *o, const ddn_lexicon_entries *e)
{
    uint32_t slots = (uint32_t)(e->count + e->count / 2 + 2);
    size_t bytes = (size_t)slots * 2 * sizeof(uint32_t);
    uint32_t *slot = (uint32_t *)(void *)ddn_output_room(o, bytes);
    if (!slot)
        return;
    memset(slot, 0, bytes);
    for (size_t i = 0; i < e->count; i++)
        enter(slot, slots, &e->at[i]);
    ddn_output_took(o, bytes);
}

int ddn_lexicon_check(ddn_lexicon *l, const void *data, size_t size, uint32_t limit,
                      dodona_error *err)
{
    size_t slots = size / (2 * sizeof(uint32_t)), empty = 0;
    *l = (ddn_lexicon){ .slot = data, .slots = (uint32_t)slots };
    if (size % (2 * sizeof(uint32_t)) || slots < 1 || slots > UINT32_MAX / 2)
        return ddn_fail(err, DODONA_E_MODEL, "a lexicon has an impossible size");
    for (size_t i = 0; i < slots; i++) {
        empty += l->slot[2 * i] == 0;
        if (l->slot[2 * i] && l->slot[2 * i + 1] >= limit)
            return ddn_fail(err, DODONA_E_MODEL, "a lexicon has a value out of range");
    }
    if (!empty) /* a look-up ends at an empty slot */
        return ddn_fail(err, DODONA_E_MODEL, "a lexicon has no empty slot");
    return DODONA_OK;
}
