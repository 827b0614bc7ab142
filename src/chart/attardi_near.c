/* SPDX-License-Identifier: MIT */
/* attardi_near.c - the chart for rules without s2: s1<s0, s0<s1, s0<b0, s1<b0, or some of them.
 *
 * Elements below the top do not matter then until they are s1, so that items are [i, h, j]: the
 * words from i to j-1 were read, and all but h have left the stack.
 *
 *     [i, h3, k]  [k, h5, j]   reducing s0 = h5 leaves [i, h3, j],
 *                              reducing s1 = h3 leaves [i, h5, j]
 *
 * The modifier is maximised out of its item first, for every head that it may get:
 *
 *     hook(i, k, g)  = max over h3  [i, h3, k] + w(g, h3)      g is s0 or b0
 *     under(k, j, g) = max over h5  [k, h5, j] + w(g, h5)      g is s1; or b0, whatever s1 is
 *
 * O(n^4) time, O(n^3) memory.  [0, 0, j], with 0 as h, stands for the empty stack. */
#include "chart/attardi.h"

double ddn_attardi_near_need(int32_t n)
{
    double m = n + 2.0;
    return 3 * ddn_space_cost(m * m * m, sizeof(double)) + ddn_space_cost(m, sizeof(double));
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

/* [i, ., j], and so on. */
static inline double *at(const ddn_attardi_near *c, double *table, int32_t i, int32_t j)
{
    size_t m = (size_t)c->n + 2;
    return &table[((size_t)i * m + (size_t)j) * m];
}

/* After [i, ., j] is complete. */
static void maximise_out(const ddn_attardi_near *c, int32_t i, int32_t j)
{
    const ddn_attardi_weights *w = &c->weights;
    const double *item = at(c, c->item, i, j), *last = ddn_attardi_root(w, j);
    double *hook = at(c, c->hook, i, j), *under = at(c, c->under, i, j);
    for (int32_t g = 0; g < i; g++) {
        under[g] = -INFINITY;
        for (int32_t h = i; h < j; h++) {
            double arc = g == 0 ? last[h] : ddn_attardi_weight(w, DDN_S0_BELOW_S1, g, h);
            arc = greater(arc, ddn_attardi_weight(w, DDN_S0_BELOW_B0, j, h));
            under[g] = greater(under[g], item[h] + arc);
        }
    }
    for (int32_t g = j; g <= c->n + 1; g++)
        hook[g] = -INFINITY;
    for (int32_t h = i; h < j; h++) {
        const double *s0 = w->turned[DDN_S1_BELOW_S0] + (size_t)h * w->stride;
        for (int32_t g = j; g <= c->n + 1; g++)
            hook[g] = greater(hook[g], item[h] + s0[g]);
    }
}

/* What b0 = j earns with s1 in [i, ., k]. */
static double hook_b0(const ddn_attardi_near *c, int32_t i, int32_t k, int32_t j)
{
    const double *item = at(c, c->item, i, k);
    double most = -INFINITY;
    for (int32_t h = i; h < k; h++)
        most = greater(most, item[h] + ddn_attardi_weight(&c->weights, DDN_S1_BELOW_B0, j, h));
    return most;
}

static void fill_item(const ddn_attardi_near *c, int32_t i, int32_t j, bool reduces)
{
    double *to = at(c, c->item, i, j);
    for (int32_t h = i; h < j; h++)
        to[h] = -INFINITY;
    to[i] = j == i + 1 ? 0 : -INFINITY;
    for (int32_t k = i + 1; k < j && reduces; k++) {
        const double *first = at(c, c->item, i, k), *second = at(c, c->item, k, j);
        const double *hook = at(c, c->hook, i, k), *under = at(c, c->under, k, j);
        double b0 = hook_b0(c, i, k, j);
        for (int32_t h = i; h < k; h++)
            to[h] = greater(to[h], first[h] + under[h]);
        for (int32_t h = k; h < j; h++)
            to[h] = greater(to[h], second[h] + greater(hook[h], b0));
    }
}

void ddn_attardi_near_fill(ddn_attardi_near *c, const ddn_decode_input *in, uint32_t rules,
                           int32_t stacked, ddn_space *space)
{
    size_t m = (size_t)in->n + 2;
    *c = (ddn_attardi_near){ .n = in->n };
    ddn_attardi_weights_make(&c->weights, in, rules, space);
    c->item = ddn_space_take(space, m * m * m, sizeof *c->item);
    c->hook = ddn_space_take(space, m * m * m, sizeof *c->hook);
    c->under = ddn_space_take(space, m * m * m, sizeof *c->under);
    c->empty = ddn_space_take(space, m, sizeof *c->empty);
    c->empty[1] = 0;
    for (int32_t j = 2; j <= in->n + 1; j++) {
        for (int32_t i = j - 1; i >= 1; i--) {
            fill_item(c, i, j, j > stacked);
            maximise_out(c, i, j);
        }
        c->empty[j] = -INFINITY;
        for (int32_t k = 1; k < j && j > stacked; k++)
            c->empty[j] = greater(c->empty[j], c->empty[k] + at(c, c->under, k, j)[0]);
    }
}
