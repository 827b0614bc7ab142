/* SPDX-License-Identifier: MIT */
/* attardi.c - the decoders of the Attardi family: which chart is used for a set of rules, and its
 * memory.
 *
 * One root: an arc from 0 only as the last move.  The last move removes the only word above 0 by
 * s0<s1, so all other arcs from 0 are forbidden. */
#include "chart/attardi.h"

/* ---- Weights ---- */

static double weights_need(int32_t n)
{
    double m = n + 2.0;
    return 4 * ddn_space_cost(m * m, sizeof(double)) + ddn_space_cost(m, sizeof(double));
}

void ddn_attardi_weights_make(ddn_attardi_weights *w, const ddn_decode_input *in, uint32_t rules,
                              ddn_space *space)
{
    size_t m = (size_t)in->n + 1, stride = m + 1;
    double *arc = ddn_space_take(space, stride * stride, sizeof *arc);
    double *turned = ddn_space_take(space, stride * stride, sizeof *turned);
    double *none = ddn_space_take(space, stride * stride, sizeof *none);
    double *last = ddn_space_take(space, stride, sizeof *last);
    for (size_t h = 0; h < stride; h++)
        for (size_t d = 0; d < stride; d++) {
            bool is_arc = h < m && d < m && d > 0 && d != h && !(in->one_root && h == 0);
            none[h * stride + d] = -INFINITY;
            arc[h * stride + d] = turned[d * stride + h] = is_arc ? in->w[h * m + d] : -INFINITY;
        }
    for (size_t d = 0; d < stride; d++)
        last[d] = d > 0 && d < m && rules >> DDN_S0_BELOW_S1 & 1 ? in->w[d] : -INFINITY;
    *w = (ddn_attardi_weights){
        .n = in->n, .stride = stride, .rules = rules, .any_turned = turned, .last = last
    };
    for (int r = 0; r < DDN_ATTARDI_RULES; r++) {
        w->rule[r] = rules >> r & 1 ? arc : none;
        w->turned[r] = rules >> r & 1 ? turned : none;
    }
}

/* ---- Memory of the chart for any rules ---- */

/* The sums of chart_make below; those over h3 = h2+1..n are known ones. */
static double chart_need(int32_t n, bool pairs)
{
    double items = 0, column = 0, hook = 0, m = n + 1.0, room = n + DDN_ATTARDI_PAD;
    for (double h2 = 0; h2 <= n; h2++) {
        double above = pairs ? h2 * (h2 + 1) / 2 : 0, rest = n - h2;
        column += (above + rest) * (rest + DDN_ATTARDI_PAD);
        items += above * rest * (rest + 1) / 2 + rest * (rest + 1) * (rest + 2) / 6;
        hook += above * rest * (rest + 3) / 2;
    }
    return ddn_space_cost(items, sizeof(double)) + ddn_space_cost(column, sizeof(double)) +
           ddn_space_cost(hook, sizeof(double)) + 2 * ddn_space_cost(m * m, sizeof(size_t)) +
           ddn_space_cost(m, sizeof(size_t)) + 2 * ddn_space_cost(m + 1, sizeof(double)) +
           4 * ddn_space_cost(m * room, sizeof(double)) + 2 * ddn_space_cost(room, sizeof(double));
}

static void chart_make(ddn_attardi_chart *c, ddn_space *space)
{
    size_t m = (size_t)c->n + 1, room = (size_t)c->n + DDN_ATTARDI_PAD;
    size_t items = 0, column = 0, hook = 0;
    c->items_at = ddn_space_take(space, m * m, sizeof *c->items_at);
    c->hook_at = ddn_space_take(space, m * m, sizeof *c->hook_at);
    c->column_at = ddn_space_take(space, m, sizeof *c->column_at);
    for (int32_t h2 = 0; h2 <= c->n; h2++) {
        size_t above = ddn_attardi_pairs(c, h2);
        c->column_at[h2] = column;
        column += (above + (size_t)(c->n - h2)) * ddn_attardi_width(c, h2);
        for (int32_t x = h2 + 1; x <= c->n; x++) {
            c->items_at[(size_t)h2 * m + (size_t)x] = items;
            items += (above + (size_t)(x - h2)) * (size_t)(c->n + 1 - x);
            c->hook_at[(size_t)h2 * m + (size_t)x] = hook;
            hook += above * (size_t)(c->n - x + 2);
        }
    }
    c->items = ddn_space_take(space, items, sizeof *c->items);
    c->column = ddn_space_take(space, column, sizeof *c->column);
    c->hook = ddn_space_take(space, hook, sizeof *c->hook);
    c->empty = ddn_space_take(space, m + 1, sizeof *c->empty);
    c->none = ddn_space_take(space, m + 1, sizeof *c->none);
    for (int i = 0; i < 2; i++)
        c->top[i] = ddn_space_take(space, m * room, sizeof *c->top[i]);
    c->common = ddn_space_take(space, m * room, sizeof *c->common);
    c->product = ddn_space_take(space, m * room, sizeof *c->product);
    c->common_first = ddn_space_take(space, room, sizeof *c->common_first);
    c->product_first = ddn_space_take(space, room, sizeof *c->product_first);
}

static double chart_value(const void *chart, int32_t h1, int32_t i, int32_t h2, int32_t h3,
                          int32_t j)
{
    return *ddn_attardi_item(chart, h1, i, h2, h3, j);
}

static double near_value(const void *chart, int32_t h1, int32_t i, int32_t h2, int32_t h3,
                         int32_t j)
{
    const ddn_attardi_near *c = chart;
    size_t m = (size_t)c->n + 2;
    (void)h1;
    (void)h2;
    return c->item[((size_t)i * m + (size_t)j) * m + (size_t)h3];
}

/* ---- Decoders ---- */

static bool is_near(uint32_t rules)
{
    return !(rules & DDN_RULES_WITH_S2);
}

static double need(const ddn_decoder *d, int32_t n)
{
    double chart = chart_need(n, d->rules & DDN_RULES_REDUCE_S2);
    if (is_near(d->rules) && !d->moves)
        chart = ddn_attardi_near_need(n);
    return chart + weights_need(n) + ddn_attardi_trace_need(n);
}

static bool best_near(const ddn_decoder *d, const ddn_decode_input *in, ddn_space space,
                      int32_t *head, uint8_t *move)
{
    ddn_attardi_near c;
    ddn_attardi_near_fill(&c, in, d->rules, d->stacked, &space);
    ddn_attardi_view v = { &c.weights, NULL, c.empty, false, true, &c, near_value };
    if (c.empty[in->n + 1] == -INFINITY)
        return false;
    ddn_attardi_trace(&v, &space, head, move);
    return true;
}

static bool best(const ddn_decoder *d, const ddn_decode_input *in, ddn_space space, int32_t *head,
                 uint8_t *move)
{
    if (is_near(d->rules) && !d->moves)
        return best_near(d, in, space, head, move);
    ddn_attardi_chart c = { .n = in->n,
                            .stacked = d->stacked,
                            .pairs = d->rules & DDN_RULES_REDUCE_S2,
                            .moves = d->moves };
    ddn_attardi_weights_make(&c.weights, in, d->rules, &space);
    chart_make(&c, &space);
    ddn_attardi_fill(&c);
    ddn_attardi_view v = { &c.weights, c.moves, c.empty, c.pairs, false, &c, chart_value };
    if (c.empty[in->n + 1] == -INFINITY)
        return false;
    ddn_attardi_trace(&v, &space, head, move);
    return true;
}

#define ATTARDI(called, of)                                                                        \
    {                                                                                              \
        .name = called, .cite = "Shi, Gomez-Rodriguez and Lee 2018", .rules = of,                  \
        .has_moves = true, .need = need, .best = best                                              \
    }

const ddn_decoder ddn_decoder_attardi = ATTARDI("attardi", DDN_RULES_ATTARDI2);
const ddn_decoder ddn_decoder_alldeg1 = ATTARDI("alldeg1", DDN_RULES_ALLDEG1);
const ddn_decoder ddn_decoder_all = ATTARDI("all", DDN_RULES_ALL);
const ddn_decoder ddn_decoder_alls0s1 = ATTARDI("alls0s1", DDN_RULES_ALLS0S1);
