/* SPDX-License-Identifier: MIT */
/* shape.c - the measures of a tree, from its preorder.
 *
 * sub(v) is v and all below it; "foreign to v" means not in sub(v).
 *
 * Non-projective arcs.  h -> d is non-projective if a word between them is foreign to h: the
 * smallest or the largest preorder number between them lies outside [enter(h), leave(h)).
 *
 * Gap degree (Kuhlmann & Nivre 2006).  sub(v) falls into |sub(v)| - m(v) blocks of neighbours,
 * where m(v) counts the pairs i, i+1 that are both in it; they are if and only if their lowest
 * common ancestor is.  So m is the number of such ancestors in sub(v), summed up the tree.  The
 * ancestor of u, v with enter(u) < enter(v) is the smallest head among the nodes after u up to v
 * in preorder, as numbered by enter.  O(n log n).
 *
 * Edge degree (Nivre 2006).  Under the arc h -> d lie the words strictly between; they and the
 * arcs among them are a forest, and the degree counts its trees whose root is foreign to h.  The
 * root of such a tree is a word x between whose head is not between; heads h and d are not foreign
 * to h, so head(x) lies beyond both ends.
 *
 * Well-nestedness (Kuhlmann & Nivre 2006).  Disjoint subtrees interleave if and only if two arcs
 * between words cross whose heads a, c are not above one another: drawn over the sentence, the
 * paths that join the pieces of one subtree must cross those of the other, and an arc lies in the
 * subtree of its head.  Both arcs are then non-projective.  Either one of them, h -> d, has the
 * dependent x of the other under it: x is foreign to h, and all that is left to ask is whether
 * head(x) is above h, which the scan for the edge degree asks on its way.  Or each has the head of
 * the other under it, b < c < a < d with arcs a -> b and c -> d; then it is enough to take the
 * leftmost child b of a and the rightmost child d of c.
 *
 * Both scan the words under non-projective arcs.  In treebanks that is next to nothing; a
 * random tree of 100,000 words takes seconds, in linear memory.
 *
 * Traps.  Arcs from 0 are never non-projective and are left out of crossings, but a word that hangs
 * from 0 between h and d counts for the degree of h -> d. */
#include "tree/shape.h"

#include "tree/tree.h"

void ddn_tree_space_init(ddn_tree_space *s)
{
    *s = (ddn_tree_space){ 0 };
}

void ddn_tree_space_fini(ddn_tree_space *s)
{
    ddn_arena_fini(&s->arena);
}

/* What one call works on; its arrays lie in the space. */
typedef struct work {
    ddn_tree_order o;
    int32_t *spans;         /* [n+1] whether the arc into each word is non-projective */
    int32_t *counts;        /* [n+1] */
    int32_t *low;           /* [2(n+1)] for smallest values over a range */
    int32_t *high;          /* [2(n+1)] for largest values, negated; follows low */
    ddn_crossers *crossers; /* [3(n+1)] */
} work;

static bool begin(work *w, ddn_tree_space *s, const int32_t *head, int32_t n)
{
    size_t m = (size_t)n + 1;
    ddn_arena *a = &s->arena;
    ddn_arena_reset(a);
    int32_t *order = ddn_arena_take(a, DDN_TREE_ORDER_SIZE(n), sizeof *order);
    w->spans = ddn_arena_take(a, m, sizeof *w->spans);
    w->counts = ddn_arena_take(a, m, sizeof *w->counts);
    w->low = ddn_arena_take(a, 4 * m, sizeof *w->low);
    w->high = w->low + 2 * m;
    w->crossers = ddn_arena_take(a, 3 * m, sizeof *w->crossers);
    if (a->failed)
        return false;
    ddn_tree_order_make(&w->o, head, n, order);
    return true;
}

/* The ends of the arc into d. */
static void ends(const ddn_tree_order *o, int32_t d, int32_t *left, int32_t *right)
{
    int32_t h = o->head[d];
    *left = h < d ? h : d;
    *right = h < d ? d : h;
}

static int32_t mark_nonprojective(work *w)
{
    const ddn_tree_order *o = &w->o;
    int32_t m = o->n + 1, count = 0;
    for (int32_t v = 0; v < m; v++) {
        w->low[m + v] = o->enter[v];
        w->high[m + v] = -o->enter[v];
    }
    ddn_range_build(w->low, m);
    ddn_range_build(w->high, m);
    for (int32_t d = 1; d <= o->n; d++) {
        int32_t h = o->head[d], left, right;
        ends(o, d, &left, &right);
        w->spans[d] =
            right - left > 1 && (ddn_range_min(w->low, m, left + 1, right) < o->enter[h] ||
                                 -ddn_range_min(w->high, m, left + 1, right) >= o->leave[h]);
        count += w->spans[d];
    }
    return count;
}

static int32_t gap_degree(work *w)
{
    const ddn_tree_order *o = &w->o;
    int32_t m = o->n + 1, degree = 0, *met = w->counts; /* by place in preorder */
    w->low[m] = 0;
    for (int32_t t = 1; t < m; t++)
        w->low[m + t] = o->enter[o->head[o->at[t]]];
    ddn_range_build(w->low, m);
    for (int32_t t = 0; t < m; t++)
        met[t] = 0;
    for (int32_t i = 1; i < o->n; i++) {
        int32_t a = o->enter[i], b = o->enter[i + 1];
        int32_t from = a < b ? a : b, to = a < b ? b : a;
        met[ddn_range_min(w->low, m, from + 1, to + 1)]++;
    }
    for (int32_t t = m - 1; t >= 1; t--) {
        int32_t v = o->at[t];
        int32_t gaps = o->leave[v] - o->enter[v] - met[t] - 1;
        if (gaps > degree)
            degree = gaps;
        met[o->enter[o->head[v]]] += met[t];
    }
    return degree;
}

/* The degree of the arc into d; *apart becomes true when a word under it hangs from a head that is
 * neither above h nor below.  The loop has no branches: under long arcs they would be
 * unpredictable. */
static int32_t arc_degree(const work *w, int32_t d, bool *apart)
{
    const int32_t *head = w->o.head, *enter = w->o.enter;
    int32_t h = head[d], at = enter[h], past = w->o.leave[h], left, right;
    int32_t degree = 0, found = 0;
    ends(&w->o, d, &left, &right);
    for (int32_t x = left + 1; x < right; x++) {
        int32_t root = (head[x] < left) | (head[x] > right);
        root &= (enter[x] < at) | (enter[x] >= past);
        degree += root;
        found |= root & ((w->low[x] > at) | (w->high[x] <= at));
    }
    *apart = *apart || found;
    return degree;
}

static int32_t edge_degree(work *w, bool *apart)
{
    const ddn_tree_order *o = &w->o;
    int32_t most = 0;
    for (int32_t x = 1; x <= o->n; x++) {
        w->low[x] = o->enter[o->head[x]];
        w->high[x] = o->leave[o->head[x]];
    }
    for (int32_t d = 1; d <= o->n; d++) {
        int32_t degree = w->spans[d] ? arc_degree(w, d, apart) : 0;
        if (degree > most)
            most = degree;
    }
    return most;
}

/* Whether there are b < c < a < d as above. */
static bool heads_inside(const work *w)
{
    const int32_t *enter = w->o.enter, *leave = w->o.leave, *last = w->o.last;
    for (int32_t a = 1; a <= w->o.n; a++) {
        int32_t b = w->o.first[a], at = enter[a], past = leave[a], found = 0;
        if (b == 0 || b > a || !w->spans[b])
            continue;
        for (int32_t c = b + 1; c < a; c++)
            found |= (last[c] > a) & ((leave[c] <= at) | (enter[c] >= past));
        if (found)
            return true;
    }
    return false;
}

static void measure_crossings(work *w, ddn_tree_shape *out)
{
    int32_t n = w->o.n;
    ddn_crossers *of = w->crossers;
    ddn_crossing_find(&w->o, of, of + n + 1, w->counts);
    for (int32_t d = 1; d <= n; d++) {
        out->crossing += of[d].count > 0;
        out->crossings += of[d].count;
        out->one_endpoint = out->one_endpoint && ddn_crossers_share_end(&of[d]);
    }
    out->crossings /= 2;
    out->planar = out->crossings == 0;
    out->two_planar = ddn_crossing_two_planar(&w->o, w->low, w->counts);
}

int ddn_tree_measure(ddn_tree_space *s, const int32_t *head, int32_t n, ddn_tree_shape *out,
                     dodona_error *err)
{
    work w;
    if (!begin(&w, s, head, n))
        return ddn_fail_memory(err);
    ddn_tree_shape shape = { .depth = w.o.depth,
                             .planar = true,
                             .two_planar = true,
                             .well_nested = true,
                             .one_endpoint = true };
    for (int32_t d = w.o.first[0]; d != 0; d = w.o.next[d])
        shape.roots++;
    shape.projective = ddn_tree_is_projective(head, n, w.low);
    if (!shape.projective) {
        shape.nonprojective = mark_nonprojective(&w);
        shape.gap_degree = gap_degree(&w);
        bool apart = false;
        shape.edge_degree = edge_degree(&w, &apart);
        shape.well_nested = !apart && !heads_inside(&w);
        measure_crossings(&w, &shape);
    }
    *out = shape;
    return 0;
}

ddn_tree_lengths ddn_tree_count_lengths(const int32_t *head, int32_t n, int64_t *count,
                                        int32_t bins)
{
    ddn_tree_lengths all = { 0 };
    for (int32_t d = 1; d <= n; d++) {
        if (head[d] == 0)
            continue;
        int32_t length = head[d] < d ? d - head[d] : head[d] - d;
        count[length < bins ? length - 1 : bins - 1]++;
        all.arcs++;
        all.sum += length;
        if (length > all.most)
            all.most = length;
    }
    return all;
}
