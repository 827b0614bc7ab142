/* SPDX-License-Identifier: MIT */
/* marginals.c - inside and outside sums over a forest, in logarithms.
 *
 *     inside(leaf) = 1       inside(v)  = sum over its edges e of w(e) inside(left) inside(right)
 *     outside(goal) = 1      outside(t) = sum over edges e with tail t of outside(head of e) w(e)
 *                                         inside(the other tail)
 *     p(e) = outside(v) w(e) inside(left) inside(right) / inside(goal),  w(e) = exp(score / T)
 *
 * (Huang 2008, section 2; Goodman 1999 for any semiring.)  Scores of a perceptron are in the
 * thousands, so nothing but logarithms holds these sums.  Inside sums take the largest term out
 * first; outside sums, whose terms come one by one, are added pairwise.  A p(e) that rounding
 * brought above 1 is 1.  Time is linear in the edges, and one sort of the arcs. */
#include "chart/marginals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ddn_marginals_init(ddn_marginals *m)
{
    memset(m, 0, sizeof *m);
}

void ddn_marginals_fini(ddn_marginals *m)
{
    ddn_arena_fini(&m->arena);
    ddn_marginals_init(m);
}

/* w(e) inside(left) inside(right) */
static double edge_inside(const ddn_marginals *m, const ddn_forest_edge *x, double temperature)
{
    return x->score / temperature + m->inside[x->left] + (x->right >= 0 ? m->inside[x->right] : 0);
}

static double log_add(double a, double b)
{
    double high = a > b ? a : b, low = a > b ? b : a;
    return low == -INFINITY ? high : high + log1p(exp(low - high));
}

static void fill_inside(ddn_marginals *m, const ddn_forest *f, double temperature)
{
    for (int32_t v = 0; v < f->nodes; v++) {
        uint32_t from = f->first[v], to = f->first[v + 1];
        double most = -INFINITY, sum = 0;
        for (uint32_t e = from; e < to; e++)
            most = fmax(most, edge_inside(m, &f->edge[e], temperature));
        for (uint32_t e = from; e < to; e++)
            sum += exp(edge_inside(m, &f->edge[e], temperature) - most);
        m->inside[v] = from < to ? most + log(sum) : 0;
    }
    m->log_sum = m->inside[f->nodes - 1];
}

static void fill_outside(ddn_marginals *m, const ddn_forest *f, double temperature)
{
    for (int32_t v = 0; v < f->nodes; v++)
        m->outside[v] = -INFINITY;
    m->outside[f->nodes - 1] = 0;
    for (int32_t v = f->nodes - 1; v >= 0; v--)
        for (uint32_t e = f->first[v]; e < f->first[v + 1]; e++) {
            const ddn_forest_edge *x = &f->edge[e];
            double all = m->outside[v] + edge_inside(m, x, temperature);
            m->outside[x->left] = log_add(m->outside[x->left], all - m->inside[x->left]);
            if (x->right >= 0)
                m->outside[x->right] = log_add(m->outside[x->right], all - m->inside[x->right]);
        }
}

/* One entry an edge that makes an arc. */
static void list_edges(ddn_marginals *m, const ddn_forest *f, double temperature)
{
    m->count = 0;
    for (int32_t v = 0; v < f->nodes; v++)
        for (uint32_t e = f->first[v]; e < f->first[v + 1]; e++) {
            const ddn_forest_edge *x = &f->edge[e];
            double p = exp(m->outside[v] + edge_inside(m, x, temperature) - m->log_sum);
            if (x->child > 0)
                m->arc[m->count++] =
                    (ddn_marginal){ .child = x->child, .head = x->head, .label = x->label, .p = p };
        }
}

/* By arc, then by label; the order of equals does not matter but for the last bit of a sum, so p
 * decides it. */
static int by_arc(const void *a, const void *b)
{
    const ddn_marginal *x = a, *y = b;
    if (x->child != y->child)
        return x->child < y->child ? -1 : 1;
    if (x->head != y->head)
        return x->head < y->head ? -1 : 1;
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    return (x->p > y->p) - (x->p < y->p);
}

/* Adds up the entries of each arc, which stand side by side. */
static void join_arcs(ddn_marginals *m)
{
    size_t count = 0;
    for (size_t i = 0; i < m->count;) {
        ddn_marginal arc = m->arc[i];
        arc.p = 0;
        arc.labelled = -1;
        while (i < m->count && m->arc[i].child == arc.child && m->arc[i].head == arc.head) {
            int32_t label = m->arc[i].label;
            double sum = 0;
            for (; i < m->count && m->arc[i].child == arc.child && m->arc[i].head == arc.head &&
                   m->arc[i].label == label;
                 i++)
                sum += m->arc[i].p;
            arc.p += sum;
            if (sum > arc.labelled) {
                arc.labelled = sum;
                arc.label = label;
            }
        }
        arc.p = fmin(arc.p, 1);
        arc.labelled = fmin(arc.labelled, 1);
        m->arc[count++] = arc;
    }
    m->count = count;
}

int ddn_marginals_compute(ddn_marginals *m, const ddn_forest *f, double temperature,
                          dodona_error *err)
{
    size_t nodes = (size_t)f->nodes;
    ddn_arena_reset(&m->arena);
    m->inside = ddn_arena_take(&m->arena, nodes, sizeof *m->inside);
    m->outside = ddn_arena_take(&m->arena, nodes, sizeof *m->outside);
    m->arc = ddn_arena_take(&m->arena, ddn_forest_edges(f), sizeof *m->arc);
    if (m->arena.failed)
        return ddn_fail_memory(err);
    fill_inside(m, f, temperature);
    fill_outside(m, f, temperature);
    list_edges(m, f, temperature);
    if (m->count)
        qsort(m->arc, m->count, sizeof *m->arc, by_arc);
    join_arcs(m);
    return DODONA_OK;
}

static int by_place(const void *key, const void *entry)
{
    const ddn_marginal *x = key, *y = entry;
    if (x->child != y->child)
        return x->child < y->child ? -1 : 1;
    return (x->head > y->head) - (x->head < y->head);
}

const ddn_marginal *ddn_marginals_find(const ddn_marginals *m, int32_t head, int32_t child)
{
    ddn_marginal key = { .child = child, .head = head };
    return m->count ? bsearch(&key, m->arc, m->count, sizeof *m->arc, by_place) : NULL;
}
