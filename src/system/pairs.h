/* SPDX-License-Identifier: MIT */
/* pairs.h - pairs of places on the stack and in the buffer whose words a transition's score may
 * depend on in a chart (Shi, Gomez-Rodriguez and Lee 2018). */
#ifndef DDN_SYSTEM_PAIRS_H
#define DDN_SYSTEM_PAIRS_H

#include "system/system.h"

/* The first place is below the second in the stack; in B0_S0 it is the other way round. */
typedef enum ddn_pair {
    DDN_PAIR_S1_S0,
    DDN_PAIR_B0_S0,
    DDN_PAIR_S2_S0,
    DDN_PAIR_S2_S1,
    DDN_PAIR_S1_B0,
    DDN_PAIR_S2_B0,
    DDN_PAIRS
} ddn_pair;

/* Scores of transition types as sums over pairs: score[kind][pair] is [a + 1][b + 1] for words a
 * and b at the places, -1 where the stack has none and n + 1 where the buffer is empty.  Cells of
 * words that can't stand there together are not filled.  Types that make no arc do not see s2. */
typedef struct ddn_pair_scores {
    size_t stride; /* n + 3 */
    double *score[DDN_MAX_KINDS][DDN_PAIRS];
} ddn_pair_scores;

#endif
