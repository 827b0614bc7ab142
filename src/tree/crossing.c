/* SPDX-License-Identifier: MIT */
/* crossing.c - what crosses each arc, without looking at pairs of arcs.
 *
 * A sweep from left to right finds, for the arc with ends l < r, the arcs that cross it from the
 * left: l' < l < r' < r.  When the sweep stands at l, a tournament over the positions holds all
 * arcs that start before l, each at the place of its right end r'; the entries between l and r,
 * merged, are the answer.  Then the arcs that start at l are entered.  A second sweep, from right
 * to left, finds those that cross from the right.  Counts and extreme ends merge; that suffices:
 * arcs that cross one and the same arc share an end if and only if all their inner ends are equal
 * or all their outer ends are, since an inner end of one is never an outer end of another.
 *
 * Cost: two queries and two entries an arc, O(n log n) for a sentence, however many pairs cross.
 */
#include "tree/crossing.h"

static const ddn_crossers none = { 0, INT32_MAX, -1, INT32_MAX, -1 };

static void merge(ddn_crossers *a, const ddn_crossers *b)
{
    a->count += b->count;
    a->in_min = b->in_min < a->in_min ? b->in_min : a->in_min;
    a->in_max = b->in_max > a->in_max ? b->in_max : a->in_max;
    a->out_min = b->out_min < a->out_min ? b->out_min : a->out_min;
    a->out_max = b->out_max > a->out_max ? b->out_max : a->out_max;
}

static void enter(ddn_crossers *tree, int32_t m, int32_t inner, int32_t outer)
{
    const ddn_crossers one = { 1, inner, inner, outer, outer };
    for (int32_t i = inner + m; i >= 1; i /= 2)
        merge(&tree[i], &one);
}

/* Adds to *sum what stands strictly between positions a and b. */
static void collect(const ddn_crossers *tree, int32_t m, int32_t a, int32_t b, ddn_crossers *sum)
{
    int32_t from = (a < b ? a : b) + 1 + m, to = (a < b ? b : a) + m;
    for (; from < to; from /= 2, to /= 2) {
        if (from % 2 == 1)
            merge(sum, &tree[from++]);
        if (to % 2 == 1)
            merge(sum, &tree[--to]);
    }
}

/* The arcs that connect v with words on that side (1: right, -1: left), each named by its
 * dependent. */
static int32_t arcs_from(const ddn_tree_order *o, int32_t v, int32_t side, int32_t *arc)
{
    int32_t count = 0;
    if (o->head[v] != 0 && (o->head[v] - v) * side > 0)
        arc[count++] = v;
    for (int32_t d = o->first[v]; d != 0; d = o->next[d])
        if ((d - v) * side > 0)
            arc[count++] = d;
    return count;
}

static void sweep(const ddn_tree_order *o, int32_t side, ddn_crossers *of, ddn_crossers *tree,
                  int32_t *open)
{
    int32_t m = o->n + 1;
    for (int32_t i = 0; i < 2 * m; i++)
        tree[i] = none;
    for (int32_t k = 1; k <= o->n; k++) {
        int32_t v = side > 0 ? k : m - k;
        int32_t count = arcs_from(o, v, side, open);
        for (int32_t i = 0; i < count; i++) {
            int32_t far = open[i] == v ? o->head[v] : open[i];
            collect(tree, m, v, far, &of[open[i]]);
        }
        for (int32_t i = 0; i < count; i++) {
            int32_t far = open[i] == v ? o->head[v] : open[i];
            enter(tree, m, far, v);
        }
    }
}

void ddn_crossing_find(const ddn_tree_order *o, ddn_crossers *of, ddn_crossers *scratch,
                       int32_t *open)
{
    for (int32_t v = 1; v <= o->n; v++)
        of[v] = none;
    sweep(o, 1, of, scratch, open);
    sweep(o, -1, of, scratch, open);
}
