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
 *
 * Two planes.  Arcs that cross must lie in different planes, and two are enough if and only if the
 * graph of crossings has two colours.  A sweep keeps the open arcs in the order in which they were
 * opened; when one is closed, those that were opened within it and are still open cross it, and all
 * other arcs that cross it were closed before and have been found to cross it then.  Union-find
 * with a bit for the other plane keeps the colours.  Cost: the number of crossings up to the first
 * odd cycle, next to nothing in treebanks.
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

/* ---- Two planes ---- */

typedef struct planes {
    const ddn_tree_order *o;
    int32_t top;               /* the arc that was opened last, 0: none */
    int32_t *below, *over;     /* [n+1] open arcs in the order of their left ends, both ways */
    int32_t *parent, *differs; /* [n+1] sets of arcs whose planes depend on each other */
} planes;

/* The set of an arc; *differs: whether it lies in another plane than the arc that names the set. */
static int32_t set_of(const planes *p, int32_t arc, int32_t *differs)
{
    int32_t d = 0;
    while (p->parent[arc] != arc) {
        int32_t up = p->parent[arc];       /* every other step is made shorter */
        p->differs[arc] ^= p->differs[up]; /* 0 where that names the set */
        p->parent[arc] = p->parent[up];
        d ^= p->differs[arc];
        arc = p->parent[arc];
    }
    *differs = d;
    return arc;
}

/* False: the two must be in one plane. */
static bool keep_apart(const planes *p, int32_t a, int32_t b)
{
    int32_t da, db, sa = set_of(p, a, &da), sb = set_of(p, b, &db);
    if (sa == sb)
        return da != db;
    p->parent[sa] = sb;
    p->differs[sa] = da ^ db ^ 1;
    return true;
}

static int32_t left_end(const ddn_tree_order *o, int32_t arc)
{
    return o->head[arc] < arc ? o->head[arc] : arc;
}

/* What was opened within the arc and is still open crosses it. */
static bool close_arc(planes *p, int32_t arc)
{
    int32_t left = left_end(p->o, arc);
    for (int32_t a = p->top; a != 0 && left_end(p->o, a) > left; a = p->below[a])
        if (!keep_apart(p, arc, a))
            return false;
    if (p->over[arc])
        p->below[p->over[arc]] = p->below[arc];
    else
        p->top = p->below[arc];
    if (p->below[arc])
        p->over[p->below[arc]] = p->over[arc];
    return true;
}

static void open_arc(planes *p, int32_t arc)
{
    p->below[arc] = p->top;
    p->over[arc] = 0;
    if (p->top)
        p->over[p->top] = arc;
    p->top = arc;
}

bool ddn_crossing_two_planar(const ddn_tree_order *o, int32_t *scratch, int32_t *open)
{
    int32_t m = o->n + 1;
    planes p = { .o = o, .below = scratch, .over = scratch + m };
    p.parent = scratch + 2 * m;
    p.differs = scratch + 3 * m;
    for (int32_t v = 0; v < m; v++) {
        p.parent[v] = v;
        p.differs[v] = 0;
    }
    for (int32_t v = 1; v <= o->n; v++) {
        int32_t count = arcs_from(o, v, -1, open);
        for (int32_t i = 1; i < count && open[i - 1] == v && open[i] < o->head[v]; i++) {
            open[i - 1] = open[i]; /* by their left ends */
            open[i] = v;
        }
        for (int32_t i = count - 1; i >= 0; i--) /* what was opened last goes first */
            if (!close_arc(&p, open[i]))
                return false;
        count = arcs_from(o, v, 1, open);
        for (int32_t i = 0; i < count; i++)
            open_arc(&p, open[i]);
    }
    return true;
}
