/* SPDX-License-Identifier: MIT */
/* split.h - weighted parsing with split grammars (Nederhof 2019, Table 2), one function a semiring.
 *
 * Nodes 0..n; node 0 is the root of every tree.  Weights are a matrix with a row a head,
 * w[head * (n+1) + child]; what stands on the diagonal and in column 0 is not read.  Every tree of
 * the grammar has one derivation, so sums are over trees.
 *
 *     ddn_split_max m;
 *     ddn_split_max_init(&m);
 *     if (!ddn_split_max_reserve(&m, &plan, n)) ...out of memory
 *     int32_t best = ddn_split_max_value(&m, &in, w);   (as often as wanted: it can't fail)
 *     ddn_split_max_fini(&m);
 */
#ifndef DDN_CHART_SPLIT_H
#define DDN_CHART_SPLIT_H

#include "chart/grammar.h"
#include "core/arena.h"
#include "core/big.h"
#include "core/error.h"
#include <stddef.h>

typedef struct ddn_split_input {
    const ddn_split_plan *plan;
    const uint8_t *kind; /* [n+1] of each node; NULL: all 0 */
    int32_t n;
    bool one_root; /* node 0 takes exactly one child */
} ddn_split_input;

/* Where the tables lie in one array of cells.  Each is n+1 by n+1; Wl and Wr lie there twice, once
 * by rows and once transposed, so that every sum over k reads two stretches of neighbours. */
typedef struct ddn_split_shape {
    size_t stride;                                             /* n+1 */
    size_t left[DDN_SPLIT_STATES], left_t[DDN_SPLIT_STATES];   /* Wl: [i][j] and [j][i] */
    size_t right[DDN_SPLIT_STATES], right_t[DDN_SPLIT_STATES]; /* Wr: [i][j] and [j][i] */
    size_t left_arc[DDN_SPLIT_GROUPS];                         /* Wl2, a group: [j][i] */
    size_t right_arc[DDN_SPLIT_GROUPS];                        /* Wr2, a group: [i][j] */
    size_t root;                                               /* [n+1] trees by the only child */
    size_t cells;                                              /* of all */
} ddn_split_shape;

void ddn_split_shape_make(ddn_split_shape *shape, const ddn_split_plan *plan, int32_t n);

/* ---- Largest sum of weights, in small integers: no tree, but fast ---- */

/* Finite, so that the loops are plain sums and maxima.  Weights of trees must lie within a quarter
 * of it on either side of 0; at half of it or below there is no tree. */
#define DDN_SPLIT_MAX_NONE (-(INT32_C(1) << 29))

typedef struct ddn_split_max {
    int32_t *cell;
    size_t cap;
} ddn_split_max;

void ddn_split_max_init(ddn_split_max *m);
void ddn_split_max_fini(ddn_split_max *m);
bool ddn_split_max_reserve(ddn_split_max *m, const ddn_split_plan *plan, int32_t n);
/* DDN_SPLIT_MAX_NONE where there is no tree.  A weight of DDN_SPLIT_MAX_NONE forbids the arc. */
int32_t ddn_split_max_value(ddn_split_max *m, const ddn_split_input *in, const int32_t *w);

/* ---- The best tree ---- */

#define DDN_SPLIT_BEST_NONE (-(INT64_C(1) << 60)) /* as above */

typedef struct ddn_split_best {
    int64_t *cell;
    int32_t *trace; /* see best.c */
    struct ddn_split_item *stack;
} ddn_split_best;

/* Takes its arrays from the arena; false: no memory. */
bool ddn_split_best_take(ddn_split_best *b, const ddn_split_plan *plan, int32_t n,
                         ddn_arena *arena);
int64_t ddn_split_best_value(ddn_split_best *b, const ddn_split_input *in, const int64_t *w);
/* After ddn_split_best_value, where that found a tree: the heads of 1..n in a tree of that weight,
 * of all of them the one with the smallest head of 1, then of 2, and so on; head[0] becomes -1. */
void ddn_split_best_tree(ddn_split_best *b, const ddn_split_input *in, const int64_t *w,
                         int32_t *head);

/* ---- How many trees, and how many best ones; exact at any size ---- */

typedef struct ddn_split_number { /* trees of the largest weight and how many they are */
    int64_t score;
    uint32_t count; /* index into bigs */
} ddn_split_number;

typedef struct ddn_split_count {
    ddn_split_number *pair; /* cells, of one kind or the other */
    uint32_t *cell;
    size_t pair_cap, cell_cap;
    ddn_big_pool pool;
} ddn_split_count;

void ddn_split_count_init(ddn_split_count *c);
void ddn_split_count_fini(ddn_split_count *c);
/* Trees over arcs with allowed[head * (n+1) + child] true.  The number is borrowed until the next
 * call. */
int ddn_split_count_trees(ddn_split_count *c, const ddn_split_input *in, const bool *allowed,
                          const ddn_big **out, dodona_error *err);
/* The largest weight, DDN_SPLIT_BEST_NONE where there is no tree, and how many trees have it. */
int ddn_split_count_best(ddn_split_count *c, const ddn_split_input *in, const int64_t *w,
                         int64_t *best, const ddn_big **out, dodona_error *err);

/* ---- Sums over all trees of the exponential of their weight ---- */

typedef struct ddn_split_log {
    double *cell, *out; /* [cells of the shape] inside and outside, as logarithms */
} ddn_split_log;

/* The logarithm of the sum; -INFINITY where there is no tree.  A weight of -INFINITY forbids. */
double ddn_split_log_total(ddn_split_log *l, const ddn_split_input *in, const double *w);
/* After ddn_split_log_total, where there is a tree: p[head * (n+1) + child], the share that trees
 * with that arc have in the sum.  p may be w. */
void ddn_split_log_marginals(ddn_split_log *l, const ddn_split_input *in, const double *w,
                             double total, double *p);

/* ---- For the files that fill such tables ---- */

/* A sum over k of products: m cells from a on, times m cells from b on. */
typedef struct ddn_split_line {
    size_t a, b;
    int32_t m;
} ddn_split_line;

/* Wr(pair.left, i, k) * Wl(pair.right, k+1, j), i <= k < j.  A state that does not grow is there
 * for one word only, which leaves one k. */
static inline ddn_split_line ddn_split_meet(const ddn_split_shape *s, const ddn_split_plan *plan,
                                            int p, int32_t i, int32_t j)
{
    const ddn_split_pair q = plan->pair[p];
    size_t at = (size_t)i * s->stride + (size_t)i, to = (size_t)j * s->stride + (size_t)i + 1;
    ddn_split_line line = { s->right[q.left] + at, s->left_t[q.right] + to, j - i };
    if (!plan->left_grows[q.right]) {
        line.a += (size_t)(j - 1 - i);
        line.b += (size_t)(j - 1 - i);
        line.m = plan->right_grows[q.left] || j - 1 == i;
    } else if (!plan->right_grows[q.left]) {
        line.m = 1;
    }
    return line;
}

/* Wl(outer, i, k) * Wl2(group, k, j), i <= k < j. */
static inline ddn_split_line ddn_split_leftward(const ddn_split_shape *s,
                                                const ddn_split_plan *plan, int g, int32_t i,
                                                int32_t j)
{
    int outer = plan->left[g].outer;
    return (ddn_split_line){ s->left[outer] + (size_t)i * s->stride + (size_t)i,
                             s->left_arc[g] + (size_t)j * s->stride + (size_t)i,
                             plan->left_grows[outer] ? j - i : 1 };
}

/* Wr2(group, i, k) * Wr(outer, k, j), i < k <= j. */
static inline ddn_split_line ddn_split_rightward(const ddn_split_shape *s,
                                                 const ddn_split_plan *plan, int g, int32_t i,
                                                 int32_t j)
{
    int outer = plan->right[g].outer;
    size_t skip = plan->right_grows[outer] ? 1 : (size_t)(j - i);
    return (ddn_split_line){ s->right_arc[g] + (size_t)i * s->stride + (size_t)i + skip,
                             s->right_t[outer] + (size_t)j * s->stride + (size_t)i + skip,
                             plan->right_grows[outer] ? j - i : 1 };
}

#endif
