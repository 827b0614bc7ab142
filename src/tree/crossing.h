/* SPDX-License-Identifier: MIT */
/* crossing.h - which arcs between words cross.
 *
 * Arcs with ends a < b and c < d cross if a < c < b < d or c < a < d < b.  Arcs from 0 are not
 * looked at: with them "no arcs cross" would say the same as "projective". */
#ifndef DDN_TREE_CROSSING_H
#define DDN_TREE_CROSSING_H

#include "tree/order.h"

/* The arcs that cross a given one.  Each has one end strictly inside it and one outside. */
typedef struct ddn_crossers {
    int32_t count;
    int32_t in_min, in_max;   /* of their inner ends */
    int32_t out_min, out_max; /* of their outer ends */
} ddn_crossers;

/* Fills of[1..n]: what crosses the arc into each word; nothing crosses arcs from 0.  scratch has
 * room for 2(n+1) entries, open for n+1 numbers.  O(n log n). */
void ddn_crossing_find(const ddn_tree_order *o, ddn_crossers *of, ddn_crossers *scratch,
                       int32_t *open);

/* Whether the arcs can be divided so that no two in a part cross (Gomez-Rodriguez & Nivre 2010).
 * scratch has room for 4(n+1) numbers, open for n+1. */
bool ddn_crossing_two_planar(const ddn_tree_order *o, int32_t *scratch, int32_t *open);

/* Whether the arcs that cross this one, if any, share an end (Pitler, Kannan & Marcus 2013). */
static inline bool ddn_crossers_share_end(const ddn_crossers *c)
{
    return c->count == 0 || c->in_min == c->in_max || c->out_min == c->out_max;
}

#endif
