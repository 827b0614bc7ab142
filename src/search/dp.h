/* SPDX-License-Identifier: MIT */
/* dp.h - beam search with dynamic programming, as seen by those who compare it with plain beam
 * search. */
#ifndef DDN_SEARCH_DP_H
#define DDN_SEARCH_DP_H

#include "search/search.h"

/* w is open for the search "dp".  From now on items are never taken for equal: then this is beam
 * search without dynamic programming, over the same computations. */
void ddn_dp_keep_apart(ddn_searching *w);

/* The items that the last run kept, all steps together. */
int64_t ddn_dp_items(const ddn_searching *w);
/* The moves to the end that the last run ranked so, from 0, into w->move: 1; 0: there is none. Only
 * items that are kept apart have more than one end. */
int ddn_dp_tell(ddn_searching *w, int32_t rank, dodona_error *err);

#endif
