/* SPDX-License-Identifier: MIT */
/* covington.h - what the oracles of the two Covington systems share; losses of the non-monotonic
 * one.
 *
 * A is the partial tree, (i, j) the focus words, h(y) the gold head.  All counts are of words; 0,
 * the root, takes no part in A, and a word without a head in the end is a child of 0. */
#ifndef DDN_ORACLE_COVINGTON_H
#define DDN_ORACLE_COVINGTON_H

#include "oracle/cycles.h"
#include "oracle/oracle.h"

/* Whether the words x and y still come together as focus words, (i, j) being the present ones. */
static inline bool ddn_meets(int32_t i, int32_t j, int32_t x, int32_t y)
{
    int32_t left = x < y ? x : y, right = x < y ? y : x;
    return right > j || (right == j && left <= i);
}

/* The most cycles that are counted for one question. */
enum { DDN_CYCLES_CAP = 10000 };

extern const ddn_oracle ddn_oracle_covington_lower, ddn_oracle_covington_pc,
    ddn_oracle_covington_upper, ddn_oracle_covington_search;

/* U: gold arcs between words that are not in A and can't be made any more.  I: all others between
 * words.  A cycle of A and I is problematic if the arc that closes it removes a gold arc. */
typedef struct ddn_bounds {
    int32_t lower;       /* |U| */
    int32_t roots;       /* words with gold head 0 that have another one */
    int32_t settled;     /* of these, those that are no focus word any more */
    int32_t problematic; /* cycles; -1: there are more than the cap, and these were not counted */
    int32_t cycles;
} ddn_bounds;

/* All of them.  c has room for s->n words. */
void ddn_covington_bounds(ddn_cycles *c, const ddn_state *s, const ddn_gold *g, ddn_bounds *out);

/* All but the cycles. */
void ddn_covington_lower(const ddn_state *s, const ddn_gold *g, ddn_bounds *out);

/* Whether there are at most `most` problematic cycles; false also when there are more than cap
 * cycles of any kind. */
bool ddn_covington_few_problems(ddn_cycles *c, const ddn_state *s, const ddn_gold *g, int32_t most,
                                int32_t cap);

/* Heads looked at for the last costs of the oracles pc and upper. */
int64_t ddn_covington_steps(const void *space);

/* ---- Non-monotonic, exactly ---- */

/* The most configurations that a search visits by default. */
enum { DDN_SEARCH_LIMIT = 100000 };

typedef struct ddn_covington_search ddn_covington_search;

ddn_covington_search *
ddn_covington_search_new(int64_t limit); /* NULL: no memory; limit 0: default */
void ddn_covington_search_free(ddn_covington_search *w);

/* The least number of wrong heads in a tree that can be reached, counting all words or those whose
 * gold head is not 0, in *loss; -1: the limit was reached first, or there are too many cycles for
 * an upper bound. */
int ddn_covington_search_loss(ddn_covington_search *w, const ddn_state *s, const ddn_gold *g,
                              bool all_words, int32_t *loss, dodona_error *err);

#endif
