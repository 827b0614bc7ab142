/* SPDX-License-Identifier: MIT */
/* hybrid.c - the best tree of arc-hybrid by the chart of its derivations, in O(n^3).
 *
 * [i, j]: all derivations that push i, end with i on top and j first in the buffer, and touch
 * nothing below i.
 *
 *     push     [i, i+1] = 0
 *     reduce   [k, j]   = max over k<i<j  [k, i] + [i, j] + max(w(k, i), w(j, i))
 *     goal     [0, n+1]
 *
 * w(k, i) is right-arc, w(j, i) left-arc, which needs a buffer: j <= n.  One root: right-arc from 0
 * is the last move, so it is there at the goal only.  A tree may have several derivations, so that
 * sums are taken by eisner.c, over the same trees.
 *
 * M. Kuhlmann, C. Gomez-Rodriguez, G. Satta, Dynamic programming algorithms for transition-based
 * dependency parsers, ACL 2011. */
#include "chart/eisner.h"
#include "system/kinds.h"

#include <math.h>

typedef struct chart {
    const ddn_decode_input *in;
    size_t stride;
    double *to;   /* [j][i] = [i, j] */
    double *from; /* [i][j] = [i, j] */
} chart;

typedef struct item {
    int32_t i, j;
} item;

static double need(const ddn_decoder *d, int32_t n)
{
    (void)d;
    double m = n + 2.0;
    return 2 * ddn_space_cost(m * m, sizeof(double)) + ddn_space_cost(2 * m, sizeof(item));
}

/* The better arc that takes i off the stack with k below it and j in the buffer. */
static double arc(const chart *c, int32_t k, int32_t i, int32_t j, uint8_t *kind)
{
    const ddn_decode_input *in = c->in;
    size_t m = (size_t)in->n + 1;
    bool right_is_legal = !in->one_root || k > 0 || j == in->n + 1;
    double right = right_is_legal ? in->w[(size_t)k * m + (size_t)i] : -INFINITY;
    double left = j <= in->n ? in->w[(size_t)j * m + (size_t)i] : -INFINITY;
    *kind = left > right ? DDN_HYBRID_LEFT : DDN_HYBRID_RIGHT;
    return left > right ? left : right;
}

/* The first best i that divides [k, j]. */
static int32_t divide(const chart *c, int32_t k, int32_t j, double *value)
{
    int32_t best = k + 1;
    uint8_t kind;
    *value = -INFINITY;
    for (int32_t i = k + 1; i < j; i++) {
        double x = c->from[(size_t)k * c->stride + (size_t)i] +
                   c->to[(size_t)j * c->stride + (size_t)i] + arc(c, k, i, j, &kind);
        if (x > *value) {
            *value = x;
            best = i;
        }
    }
    return best;
}

static void set(const chart *c, int32_t i, int32_t j, double value)
{
    c->from[(size_t)i * c->stride + (size_t)j] = c->to[(size_t)j * c->stride + (size_t)i] = value;
}

/* Moves come out last first. */
static void trace(const chart *c, item *stack, int32_t *head, uint8_t *move)
{
    int32_t n = c->in->n, depth = 0, at = 2 * n;
    uint8_t kind;
    double value;
    stack[depth++] = (item){ 0, n + 1 };
    while (depth > 0) {
        item x = stack[--depth];
        if (x.i + 1 == x.j) {
            if (x.i > 0 && move)
                move[--at] = DDN_HYBRID_SHIFT;
            continue;
        }
        int32_t i = divide(c, x.i, x.j, &value);
        arc(c, x.i, i, x.j, &kind);
        head[i] = kind == DDN_HYBRID_LEFT ? x.j : x.i;
        if (move)
            move[--at] = kind;
        stack[depth++] = (item){ x.i, i };
        stack[depth++] = (item){ i, x.j };
    }
}

static bool best(const ddn_decoder *d, const ddn_decode_input *in, ddn_space space, int32_t *head,
                 uint8_t *move)
{
    chart c = { .in = in, .stride = (size_t)in->n + 2 };
    double value;
    (void)d;
    c.to = ddn_space_take(&space, c.stride * c.stride, sizeof *c.to);
    c.from = ddn_space_take(&space, c.stride * c.stride, sizeof *c.from);
    for (int32_t j = 1; j <= in->n + 1; j++) {
        set(&c, j - 1, j, 0);
        for (int32_t k = j - 2; k >= 0; k--) {
            divide(&c, k, j, &value);
            set(&c, k, j, value);
        }
    }
    if (c.from[in->n + 1] == -INFINITY)
        return false;
    head[0] = -1;
    trace(&c, ddn_space_take(&space, 2 * c.stride, sizeof(item)), head, move);
    return true;
}

const ddn_decoder ddn_decoder_arc_hybrid = {
    .name = "arc-hybrid",
    .cite = "Kuhlmann, Gomez-Rodriguez and Satta 2011",
    .projective = true,
    .has_moves = true,
    .need = need,
    .best = best,
    .sum_need = ddn_eisner_sum_need,
    .sum = ddn_eisner_sum,
};
