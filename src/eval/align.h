/* SPDX-License-Identifier: MIT */
/* align.h - which system word stands for which gold word, when the tokens may differ. */
#ifndef DDN_EVAL_ALIGN_H
#define DDN_EVAL_ALIGN_H

#include "core/arena.h"
#include "eval/corpus.h"

typedef struct ddn_alignment {
    const ddn_corpus *gold, *system;
    uint32_t *to_system; /* [gold->words] the system's word, or DDN_NO_WORD */
    uint32_t *to_gold;   /* [system->words] the gold word, or DDN_NO_WORD */
    size_t pairs;
    ddn_arena arena; /* both arrays */
} ddn_alignment;

/* Aligns two files with the same text; both outlive the alignment.  To fini also after a failure.
 * DODONA_E_LIMIT: a stretch of multiword tokens is too long to align, see DDN_ALIGN_CELLS. */
int ddn_align(ddn_alignment *a, const ddn_corpus *gold, const ddn_corpus *system,
              dodona_error *err);
void ddn_alignment_fini(ddn_alignment *a);

/* The most cells of a table for one stretch, a bit each: 256 MiB. */
#define DDN_ALIGN_CELLS ((uint64_t)1 << 31)

/* Whether the heads of aligned words agree: both are the root, or the system's head is aligned with
 * the gold head. */
static inline bool ddn_same_head(const ddn_alignment *a, uint32_t gold, uint32_t system)
{
    uint32_t want = a->gold->word[gold].head, head = a->system->word[system].head;
    if (head == DDN_NO_WORD || want == DDN_NO_WORD)
        return head == want;
    return a->to_gold[head] == want;
}

#endif
