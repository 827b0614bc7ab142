/* SPDX-License-Identifier: MIT */
/* dp.h - beam search with dynamic programming: what tests and benchmarks need to compare it with
 * plain beam search. */
#ifndef DDN_SEARCH_DP_H
#define DDN_SEARCH_DP_H

#include "search/search.h"

/* w is open for the search "dp".  From now on items are never merged: then this is beam search
 * without dynamic programming, over the same derivations. */
void ddn_dp_keep_apart(ddn_searching *w);

/* The items that the last run kept, all steps together. */
int64_t ddn_dp_items(const ddn_searching *w);
/* Writes the derivation of that rank, from 0, among those that the last run completed into w->move
 * and returns 1; 0: there is none.  Only where items are never merged there is more than one. */
int ddn_dp_tell(ddn_searching *w, int32_t rank, dodona_error *err);

#endif
