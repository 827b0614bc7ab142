/* SPDX-License-Identifier: MIT */
/* eisner.c - the best projective tree, in O(n^3): Table 2 of split.tmpl.h for the grammar of all
 * projective trees, over (max, +) in doubles.  The chart keeps values only; the tree is found from
 * the top by looking again for the product that is largest, the first of equal ones.
 *
 * The systems arc-standard, arc-eager, arc-hybrid and LR-spine reach exactly the projective trees,
 * with one root too, so that sums over their trees are taken here as well.
 *
 * J. Eisner, Three new probabilistic models for dependency parsing, COLING 1996. */
#include "chart/eisner.h"
#include "chart/split.h"

#include <math.h>

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

/* Four at a time, so that one maximum need not wait for the one before. */
static inline double dot(double z, const double *a, const double *b, int32_t m)
{
    double x = z, y = z, v = z;
    int32_t k = 0;
    for (; k + 4 <= m; k += 4) {
        z = greater(z, a[k] + b[k]);
        x = greater(x, a[k + 1] + b[k + 1]);
        y = greater(y, a[k + 2] + b[k + 2]);
        v = greater(v, a[k + 3] + b[k + 3]);
    }
    for (; k < m; k++)
        z = greater(z, a[k] + b[k]);
    return greater(greater(z, x), greater(y, v));
}

#define SPLIT_NAME(x)            eisner_##x
#define SPLIT_VALUE              double
#define SPLIT_WEIGHT             double
#define SPLIT_CONTEXT            void
#define SPLIT_ZERO(c)            (-INFINITY)
#define SPLIT_ONE(c)             0
#define SPLIT_PLUS(c, x, y)      greater(x, y)
#define SPLIT_TIMES(c, x, y)     ((x) + (y))
#define SPLIT_ARC(c, x, w)       ((x) + (w))
#define SPLIT_DOT(c, z, a, b, m) dot(z, a, b, m)
#define SPLIT_TARGETS
#include "chart/split.tmpl.h"

typedef enum table { LEFT, RIGHT, LEFT_ARC, RIGHT_ARC } table;

typedef struct item {
    table kind;
    int32_t i, j;
} item;

typedef struct tracer {
    const ddn_split_shape *s;
    const ddn_split_plan *plan;
    const double *cell;
    item *stack; /* [2n+2] */
    int32_t depth;
} tracer;

static double chart_need(int32_t n, int tables)
{
    ddn_split_plan plan;
    ddn_split_plan_make(&plan, &ddn_split_projective);
    double m = n + 1.0, squares = 4 * plan.states + plan.lefts + plan.rights;
    return tables * ddn_space_cost(squares * m * m + m, sizeof(double)) +
           ddn_space_cost(2 * m, sizeof(item));
}

static double need(const ddn_decoder *d, int32_t n)
{
    (void)d;
    return chart_need(n, 1);
}

static void push(tracer *t, table kind, int32_t i, int32_t j)
{
    if (i < j)
        t->stack[t->depth++] = (item){ kind, i, j };
}

/* The first largest product of a line. */
static int32_t largest(const tracer *t, ddn_split_line line)
{
    int32_t best = 0;
    for (int32_t k = 1; k < line.m; k++)
        if (t->cell[line.a + (size_t)k] + t->cell[line.b + (size_t)k] >
            t->cell[line.a + (size_t)best] + t->cell[line.b + (size_t)best])
            best = k;
    return best;
}

static void trace(tracer *t, int32_t *head)
{
    while (t->depth > 0) {
        item x = t->stack[--t->depth];
        int32_t k;
        switch (x.kind) {
        case LEFT:
            k = x.i + largest(t, ddn_split_leftward(t->s, t->plan, 0, x.i, x.j));
            push(t, LEFT, x.i, k);
            push(t, LEFT_ARC, k, x.j);
            break;
        case RIGHT:
            k = x.i + 1 + largest(t, ddn_split_rightward(t->s, t->plan, 0, x.i, x.j));
            push(t, RIGHT_ARC, x.i, k);
            push(t, RIGHT, k, x.j);
            break;
        default:
            head[x.kind == LEFT_ARC ? x.i : x.j] = x.kind == LEFT_ARC ? x.j : x.i;
            k = x.i + largest(t, ddn_split_meet(t->s, t->plan, 0, x.i, x.j));
            push(t, RIGHT, x.i, k);
            push(t, LEFT, k + 1, x.j);
        }
    }
}

/* The only child of 0. */
static int32_t only_root(const ddn_split_shape *s, const double *cell, int32_t n)
{
    int32_t best = 1;
    for (int32_t k = 2; k <= n; k++)
        if (cell[s->root + (size_t)k] > cell[s->root + (size_t)best])
            best = k;
    return best;
}

static bool best(const ddn_decoder *d, const ddn_decode_input *in, ddn_space space, int32_t *head,
                 uint8_t *move)
{
    ddn_split_plan plan;
    ddn_split_shape s;
    (void)d;
    (void)move;
    ddn_split_plan_make(&plan, &ddn_split_projective);
    ddn_split_shape_make(&s, &plan, in->n);
    double *cell = ddn_space_take(&space, s.cells, sizeof *cell);
    ddn_split_input split = { .plan = &plan, .n = in->n, .one_root = in->one_root };
    tracer t = { &s, &plan, cell, ddn_space_take(&space, 2 * s.stride, sizeof *t.stack), 0 };
    eisner_inside(NULL, &s, &split, in->w, cell);
    if (eisner_total(NULL, &s, &split, in->w, cell) == -INFINITY)
        return false;
    head[0] = -1;
    if (in->one_root) {
        int32_t root = only_root(&s, cell, in->n);
        head[root] = 0;
        push(&t, LEFT, 1, root);
        push(&t, RIGHT, root, in->n);
    } else {
        push(&t, RIGHT, 0, in->n);
    }
    trace(&t, head);
    return true;
}

double ddn_eisner_sum_need(int32_t n)
{
    return chart_need(n, 2);
}

double ddn_eisner_sum(const ddn_decode_input *in, ddn_space space, double *p)
{
    ddn_split_plan plan;
    ddn_split_shape s;
    ddn_split_plan_make(&plan, &ddn_split_projective);
    ddn_split_shape_make(&s, &plan, in->n);
    ddn_split_log log = { .cell = ddn_space_take(&space, s.cells, sizeof *log.cell),
                          .out = ddn_space_take(&space, s.cells, sizeof *log.out) };
    ddn_split_input split = { .plan = &plan, .n = in->n, .one_root = in->one_root };
    double total = ddn_split_log_total(&log, &split, in->w);
    if (total != -INFINITY)
        ddn_split_log_marginals(&log, &split, in->w, total, p);
    return total;
}

#define PROJECTIVE(called, by)                                                                     \
    {                                                                                              \
        .name = called, .cite = by, .projective = true, .need = need, .best = best,                \
        .sum_need = ddn_eisner_sum_need, .sum = ddn_eisner_sum                                     \
    }

const ddn_decoder ddn_decoder_eisner = PROJECTIVE("eisner", "projective trees (Eisner 1996)");
const ddn_decoder ddn_decoder_arc_standard = PROJECTIVE("arc-standard", "by eisner");
const ddn_decoder ddn_decoder_arc_eager = PROJECTIVE("arc-eager", "by eisner");
const ddn_decoder ddn_decoder_lr_spine = PROJECTIVE("lr-spine", "by eisner");
