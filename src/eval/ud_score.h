/* SPDX-License-Identifier: MIT */
/* ud_score.h - the figures of the CoNLL 2018 UD scorer. */
#ifndef DDN_EVAL_UD_SCORE_H
#define DDN_EVAL_UD_SCORE_H

#include "eval/align.h"

typedef enum ddn_metric {
    DDN_TOKENS,
    DDN_SENTENCES,
    DDN_WORDS,
    DDN_UPOS_SCORE,
    DDN_XPOS_SCORE,
    DDN_UFEATS,
    DDN_ALLTAGS,
    DDN_LEMMAS,
    DDN_UAS,
    DDN_LAS,
    DDN_CLAS,
    DDN_MLAS,
    DDN_BLEX,
    DDN_METRICS
} ddn_metric;

extern const char *const ddn_metric_name[DDN_METRICS]; /* the official ones */

typedef struct ddn_count {
    int64_t correct, gold, system;
    int64_t aligned; /* pairs that could be correct; -1 where the metric has no such number */
} ddn_count;

/* Fractions of 1, 0 where nothing is counted. */
double ddn_precision(const ddn_count *c);
double ddn_recall(const ddn_count *c);
double ddn_f1(const ddn_count *c);
double ddn_aligned_accuracy(const ddn_count *c);

/* Whether a word counts in the attachment scores (UAS and below).  Without punctuation, a gold word
 * and what is aligned with it do not when its UPOS is PUNCT; a system word that is aligned with
 * nothing does not when its own UPOS is PUNCT. */
static inline bool ddn_counts_gold(const ddn_alignment *a, bool no_punct, uint32_t g)
{
    return !(no_punct && (a->gold->word[g].flags & DDN_WORD_PUNCT));
}
static inline bool ddn_counts_system(const ddn_alignment *a, bool no_punct, uint32_t s)
{
    if (a->to_gold[s] != DDN_NO_WORD)
        return ddn_counts_gold(a, no_punct, a->to_gold[s]);
    return !(no_punct && (a->system->word[s].flags & DDN_WORD_PUNCT));
}

void ddn_ud_score(const ddn_alignment *a, const ddn_eval_names *names, bool no_punct,
                  ddn_count out[DDN_METRICS]);

#endif
