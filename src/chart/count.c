/* SPDX-License-Identifier: MIT */
/* count.c - Table 2 over natural numbers, and over pairs of a score and a natural number.
 *
 * A derivation of Table 2 is a tree and a tree has one derivation, so the sum of ones is the number
 * of trees.  (Counting parse trees of the context-free grammar would not do: they interleave left
 * and right children, 13 for the 12 projective trees over 3 words.)  With pairs
 *
 *     (s,c) + (t,d) = the one with the larger score, or (s, c+d) if s = t
 *     (s,c) * (t,d) = (s+t, c*d)
 *
 * the sum of (weight, 1) is the best weight and the number of trees that have it.
 *
 * Numbers are indices into a pool, so that cells can be copied; 0 and 1 are the same in all pools.
 * A pool out of memory gives zeros, which is noticed once the chart is full. */
#include "chart/split.h"
#include "core/array.h"

#include <stdlib.h>

/* ---- Trees ---- */

static inline uint32_t plus(ddn_big_pool *c, uint32_t x, uint32_t y)
{
    if (x == DDN_BIG_ZERO || y == DDN_BIG_ZERO)
        return x == DDN_BIG_ZERO ? y : x;
    uint32_t z = ddn_big_new(c);
    ddn_big_add(c, z, x);
    ddn_big_add(c, z, y);
    return z;
}

static inline uint32_t times(ddn_big_pool *c, uint32_t x, uint32_t y)
{
    if (x <= DDN_BIG_ONE || y <= DDN_BIG_ONE)
        return x == DDN_BIG_ONE ? y : y == DDN_BIG_ONE ? x : DDN_BIG_ZERO;
    uint32_t z = ddn_big_new(c);
    ddn_big_add_product(c, z, x, y);
    return z;
}

static inline uint32_t dot(ddn_big_pool *c, uint32_t z, const uint32_t *a, const uint32_t *b,
                           int32_t m)
{
    uint32_t sum = DDN_BIG_ZERO;
    for (int32_t k = 0; k < m; k++) {
        if (a[k] == DDN_BIG_ZERO || b[k] == DDN_BIG_ZERO)
            continue;
        if (sum == DDN_BIG_ZERO)
            sum = ddn_big_new(c);
        ddn_big_add_product(c, sum, a[k], b[k]);
    }
    return plus(c, z, sum);
}

#define SPLIT_NAME(x)            count_##x
#define SPLIT_VALUE              uint32_t
#define SPLIT_WEIGHT             bool
#define SPLIT_CONTEXT            ddn_big_pool
#define SPLIT_ZERO(c)            DDN_BIG_ZERO
#define SPLIT_ONE(c)             DDN_BIG_ONE
#define SPLIT_PLUS(c, x, y)      plus(c, x, y)
#define SPLIT_TIMES(c, x, y)     times(c, x, y)
#define SPLIT_ARC(c, x, w)       ((w) ? (x) : DDN_BIG_ZERO)
#define SPLIT_DOT(c, z, a, b, m) dot(c, z, a, b, m)
#define SPLIT_TARGETS
#include "chart/split.tmpl.h"

/* ---- Best trees ---- */

static const ddn_split_number no_tree = { DDN_SPLIT_BEST_NONE, DDN_BIG_ZERO };
static const ddn_split_number empty_tree = { 0, DDN_BIG_ONE };

static inline ddn_split_number pair_plus(ddn_big_pool *c, ddn_split_number x, ddn_split_number y)
{
    if (x.score != y.score)
        return x.score > y.score ? x : y;
    return (ddn_split_number){ x.score, plus(c, x.count, y.count) };
}

static inline ddn_split_number pair_times(ddn_big_pool *c, ddn_split_number x, ddn_split_number y)
{
    if (x.count == DDN_BIG_ZERO || y.count == DDN_BIG_ZERO)
        return no_tree;
    return (ddn_split_number){ x.score + y.score, times(c, x.count, y.count) };
}

static inline ddn_split_number pair_arc(ddn_split_number x, int64_t w)
{
    if (x.count == DDN_BIG_ZERO || w == DDN_SPLIT_BEST_NONE)
        return no_tree;
    return (ddn_split_number){ x.score + w, x.count };
}

/* The best score first, then the counts of what has it. */
static inline ddn_split_number pair_dot(ddn_big_pool *c, ddn_split_number z,
                                        const ddn_split_number *a, const ddn_split_number *b,
                                        int32_t m)
{
    ddn_split_number sum = no_tree;
    for (int32_t k = 0; k < m; k++)
        if (a[k].score + b[k].score > sum.score)
            sum.score = a[k].score + b[k].score;
    for (int32_t k = 0; k < m; k++) {
        if (a[k].score + b[k].score != sum.score || a[k].count == DDN_BIG_ZERO ||
            b[k].count == DDN_BIG_ZERO)
            continue;
        if (sum.count == DDN_BIG_ZERO)
            sum.count = ddn_big_new(c);
        ddn_big_add_product(c, sum.count, a[k].count, b[k].count);
    }
    return sum.count == DDN_BIG_ZERO ? z : pair_plus(c, z, sum);
}

#define SPLIT_NAME(x)            pair_##x##_all
#define SPLIT_VALUE              ddn_split_number
#define SPLIT_WEIGHT             int64_t
#define SPLIT_CONTEXT            ddn_big_pool
#define SPLIT_ZERO(c)            no_tree
#define SPLIT_ONE(c)             empty_tree
#define SPLIT_PLUS(c, x, y)      pair_plus(c, x, y)
#define SPLIT_TIMES(c, x, y)     pair_times(c, x, y)
#define SPLIT_ARC(c, x, w)       pair_arc(x, w)
#define SPLIT_DOT(c, z, a, b, m) pair_dot(c, z, a, b, m)
#define SPLIT_TARGETS
#include "chart/split.tmpl.h"

/* ---- Both ---- */

void ddn_split_count_init(ddn_split_count *c)
{
    *c = (ddn_split_count){ 0 };
    ddn_big_pool_init(&c->pool);
}

void ddn_split_count_fini(ddn_split_count *c)
{
    free(c->pair);
    free(c->cell);
    ddn_big_pool_fini(&c->pool);
}

int ddn_split_count_trees(ddn_split_count *c, const ddn_split_input *in, const bool *allowed,
                          const ddn_big **out, dodona_error *err)
{
    ddn_split_shape shape;
    ddn_split_shape_make(&shape, in->plan, in->n);
    if (!ddn_reserve(&c->cell, &c->cell_cap, shape.cells, sizeof *c->cell))
        return ddn_fail_memory(err);
    ddn_big_pool_clear(&c->pool);
    count_inside(&c->pool, &shape, in, allowed, c->cell);
    uint32_t total = count_total(&c->pool, &shape, in, allowed, c->cell);
    if (c->pool.failed)
        return ddn_fail_memory(err);
    *out = &c->pool.big[total];
    return 0;
}

int ddn_split_count_best(ddn_split_count *c, const ddn_split_input *in, const int64_t *w,
                         int64_t *best, const ddn_big **out, dodona_error *err)
{
    ddn_split_shape shape;
    ddn_split_shape_make(&shape, in->plan, in->n);
    if (!ddn_reserve(&c->pair, &c->pair_cap, shape.cells, sizeof *c->pair))
        return ddn_fail_memory(err);
    ddn_big_pool_clear(&c->pool);
    pair_inside_all(&c->pool, &shape, in, w, c->pair);
    ddn_split_number total = pair_total_all(&c->pool, &shape, in, w, c->pair);
    if (c->pool.failed)
        return ddn_fail_memory(err);
    *best = total.score;
    *out = &c->pool.big[total.count];
    return 0;
}
