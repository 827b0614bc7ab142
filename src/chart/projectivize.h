/* SPDX-License-Identifier: MIT */
/* projectivize.h - the projective tree nearest to a given tree, and how many are as near.
 *
 *     ddn_projectivizer p;
 *     ddn_projectivizer_init(&p);
 *     for each tree
 *         if (ddn_projectivize(&p, head, n, false, out, err) < 0) ...
 *     ddn_projectivizer_fini(&p);
 */
#ifndef DDN_CHART_PROJECTIVIZE_H
#define DDN_CHART_PROJECTIVIZE_H

#include "chart/split.h"
#include "core/arena.h"

/* Words that the chart may be asked to hold: those near a crossing, not those of the sentence. */
enum { DDN_PROJECTIVIZE_WORDS = 2000 };

/* Scratch memory, grown as needed. */
typedef struct ddn_projectivizer {
    ddn_split_plan plan;
    ddn_split_best best;
    ddn_split_count count;
    int64_t *weight;
    ddn_arena arena;
} ddn_projectivizer;

void ddn_projectivizer_init(ddn_projectivizer *p);
void ddn_projectivizer_fini(ddn_projectivizer *p);

/* The projective tree out[1..n] (out[0] becomes -1) that
 *   1. keeps the most heads of the tree head[1..n];
 *   2. of these, has the fewest new heads that are no ancestors of the word's old head;
 *   3. of these, climbs the fewest levels from old heads to new ones that are ancestors;
 *   4. of these, has the smallest head of word 1, then of word 2, and so on.
 * one_root: exactly one child of 0, in 2 and 3 as well.  Returns the number of heads that differ,
 * or a negative code.  out may be head.  Linear time for a projective tree; otherwise cubic in the
 * number of words that are left without the subtrees in which nothing crosses. */
int32_t ddn_projectivize(ddn_projectivizer *p, const int32_t *head, int32_t n, bool one_root,
                         int32_t *out, dodona_error *err);

/* How many heads of the tree a projective tree can keep, and how many projective trees do.  The
 * number is borrowed until the next call. */
int ddn_projectivize_count(ddn_projectivizer *p, const int32_t *head, int32_t n, bool one_root,
                           int32_t *kept, const ddn_big **count, dodona_error *err);

#endif
