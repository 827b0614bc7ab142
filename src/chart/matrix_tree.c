/* SPDX-License-Identifier: MIT */
/* matrix_tree.c - the sum over all trees of the product of their arcs, and the share of each arc.
 *
 * By Tutte's matrix-tree theorem the sum is a determinant, and Gaussian elimination computes it.
 * On this kind of matrix elimination needs no subtraction: taking word v out of the graph leaves
 *
 *     w'(h, d) = w(h, d) + w(h, v) w(v, d) / S(v),    S(v) = sum over h of w(h, v)
 *
 * and the sum over trees is the product of all S(v), v = n..1, each in the graph that was left
 * (elimination as in Grassmann, Taksar & Heyman 1985).  All terms are positive, so nothing cancels,
 * and it can be done with logarithms: scores of any size are fine.
 *
 * One root: arcs from 0 are small to the first order in some e, and the sum's leading term is the
 * one of order 1.  A number is its order and the logarithm of its leading coefficient; a sum keeps
 * the terms of the lowest order.  No constant stands for "small", so nothing is lost.
 *
 * Shares go backwards.  If an arc h -> d of the graph without v has the share P', a known part of
 * it came by way of v, T(h, d), and the rest directly:
 *
 *     P(h, d) = P'(h, d) - T(h, d),    P(v, d) = sum over h of T(h, d)
 *     P(h, v) = sum over d of T(h, d) + w(h, v) / S(v) * (1 - sum over all of T)
 *
 * All quantities are shares, so the error is a few units in the last place of 1.
 * O(n^3) time and memory.  Marginals of trees with one root: Koo, Globerson, Carreras & Collins
 * 2007, who compute them with an inverse matrix. */
#include "chart/matrix_tree.h"

#include <math.h>

typedef struct number {
    double log; /* -INFINITY: 0 */
    int32_t order;
} number;

typedef struct elimination {
    int32_t n;
    size_t stride;
    number *w;   /* [n+1][n+1] */
    double *via; /* [n][v][v] for v = 1..n: the part of w'(h, d) that came by way of v */
} elimination;

double ddn_matrix_tree_need(int32_t n)
{
    double m = n + 1.0;
    return ddn_space_cost(m * m, sizeof(number)) +
           ddn_space_cost(m * (m + 1) * (2 * m + 1) / 6, sizeof(double));
}

static number plus(number a, number b)
{
    if (a.log == -INFINITY || (b.log != -INFINITY && b.order < a.order))
        return b;
    if (b.log == -INFINITY || a.order < b.order)
        return a;
    double high = a.log > b.log ? a.log : b.log, low = a.log > b.log ? b.log : a.log;
    return (number){ high + log1p(exp(low - high)), a.order };
}

/* part / whole, which is at most 1. */
static double share(number part, number whole)
{
    if (part.log == -INFINITY || part.order > whole.order)
        return 0;
    return exp(part.log - whole.log);
}

static inline number *at(const elimination *e, int32_t h, int32_t d)
{
    return &e->w[(size_t)h * e->stride + (size_t)d];
}

/* via of word v: 1 + 4 + ... + (v-1)^2 cells come before it. */
static inline double *via_of(const elimination *e, int32_t v)
{
    size_t m = (size_t)v - 1;
    return e->via + m * (m + 1) * (2 * m + 1) / 6;
}

/* Takes v out; afterwards column v holds w(h, v) still, and row v w(v, d). */
static number eliminate(elimination *e, int32_t v)
{
    number sum = { -INFINITY, 0 };
    double *via = via_of(e, v);
    for (int32_t h = 0; h < v; h++)
        sum = plus(sum, *at(e, h, v));
    for (int32_t h = 0; h < v; h++)
        for (int32_t d = 0; d < v; d++) {
            number a = *at(e, h, v), b = *at(e, v, d), *to = at(e, h, d);
            number way = { a.log + b.log - sum.log, a.order + b.order - sum.order };
            via[(size_t)h * (size_t)v + (size_t)d] = 0;
            if (d == 0 || d == h || a.log == -INFINITY || b.log == -INFINITY)
                continue;
            *to = plus(*to, way);
            via[(size_t)h * (size_t)v + (size_t)d] = share(way, *to);
        }
    return sum;
}

/* p has the shares of the graph of 0..v-1; afterwards those of 0..v. */
static void restore(const elimination *e, int32_t v, double *p)
{
    number sum = { -INFINITY, 0 };
    double rest = 1;
    const double *via = via_of(e, v);
    for (int32_t h = 0; h < v; h++)
        sum = plus(sum, *at(e, h, v));
    for (int32_t x = 0; x <= v; x++)
        p[(size_t)v * e->stride + (size_t)x] = p[(size_t)x * e->stride + (size_t)v] = 0;
    for (int32_t h = 0; h < v; h++)
        for (int32_t d = 1; d < v; d++) {
            double *direct = &p[(size_t)h * e->stride + (size_t)d];
            double moved = *direct * via[(size_t)h * (size_t)v + (size_t)d];
            *direct -= moved;
            p[(size_t)v * e->stride + (size_t)d] += moved;
            p[(size_t)h * e->stride + (size_t)v] += moved;
            rest -= moved;
        }
    for (int32_t h = 0; h < v; h++)
        p[(size_t)h * e->stride + (size_t)v] += share(*at(e, h, v), sum) * rest;
}

double ddn_matrix_tree_sum(const ddn_decode_input *in, ddn_space space, double *p)
{
    elimination e = { .n = in->n, .stride = (size_t)in->n + 1 };
    double m = in->n + 1.0, total = 0;
    int32_t order = 0;
    e.w = ddn_space_take(&space, e.stride * e.stride, sizeof *e.w);
    e.via = ddn_space_take(&space, (size_t)(m * (m + 1) * (2 * m + 1) / 6), sizeof *e.via);
    for (int32_t h = 0; h <= in->n; h++)
        for (int32_t d = 0; d <= in->n; d++)
            *at(&e, h, d) =
                (number){ h == d || d == 0 ? -INFINITY : in->w[(size_t)h * e.stride + (size_t)d],
                          in->one_root && h == 0 };
    for (int32_t v = in->n; v >= 1; v--) {
        number sum = eliminate(&e, v);
        if (sum.log == -INFINITY)
            return -INFINITY;
        total += sum.log;
        order += sum.order;
    }
    if (in->one_root && order != 1)
        return -INFINITY;
    p[0] = 0;
    for (int32_t v = 1; v <= in->n; v++)
        restore(&e, v, p);
    for (size_t x = 0; x < e.stride * e.stride; x++)
        p[x] = p[x] < 0 ? 0 : p[x] > 1 ? 1 : p[x];
    return total;
}
