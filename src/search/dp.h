/* SPDX-License-Identifier: MIT */
/* dp.h - beam search with dynamic programming, as seen by those who want more of it than a tree:
 * the forest of all that was kept, and figures. */
#ifndef DDN_SEARCH_DP_H
#define DDN_SEARCH_DP_H

#include "chart/forest.h"
#include "search/search.h"

/* w is open for the search "dp".  From now on every run keeps all edges, and ddn_dp_forest has
 * them. */
void ddn_dp_keep_forest(ddn_searching *w);
/* What the last run kept, as a forest whose derivations are trees: a node for each item, an edge
 * for each way to make it; the scores of a derivation's edges add up to that of its computation. */
int ddn_dp_forest(const ddn_searching *w, ddn_forest *f, dodona_error *err);

/* Items are never taken for equal: then this is beam search without dynamic programming, over the
 * same computations. */
void ddn_dp_keep_apart(ddn_searching *w);

/* The items that the last run kept, all steps together. */
int64_t ddn_dp_items(const ddn_searching *w);
/* The moves to the end that the last run ranked so, from 0, into w->move: 1; 0: there is none. Only
 * items that are kept apart have more than one end. */
int ddn_dp_tell(ddn_searching *w, int32_t rank, dodona_error *err);

#endif
