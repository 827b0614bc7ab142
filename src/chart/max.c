/* SPDX-License-Identifier: MIT */
/* max.c - Table 2 over (max, +) in 32 bits: the value of the best tree and nothing else.
 *
 * -infinity is a large negative number.  Every sum that is kept is compared with it first, so that
 * three of them never add up to an overflow, and the innermost loop is a sum and a maximum over two
 * stretches of neighbours, which compilers turn into vector instructions. */
#include "chart/split.h"
#include "chart/targets.h"
#include "core/array.h"

#include <stdlib.h>

static inline int32_t greater(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static inline int32_t dot(int32_t z, const int32_t *a, const int32_t *b, int32_t m)
{
    for (int32_t k = 0; k < m; k++)
        z = greater(z, a[k] + b[k]);
    return z;
}

#define SPLIT_NAME(x)            max_##x
#define SPLIT_VALUE              int32_t
#define SPLIT_WEIGHT             int32_t
#define SPLIT_CONTEXT            void
#define SPLIT_ZERO(c)            DDN_SPLIT_MAX_NONE
#define SPLIT_ONE(c)             0
#define SPLIT_PLUS(c, x, y)      greater(x, y)
#define SPLIT_TIMES(c, x, y)     greater((x) + (y), DDN_SPLIT_MAX_NONE)
#define SPLIT_ARC(c, x, w)       greater((x) + (w), DDN_SPLIT_MAX_NONE)
#define SPLIT_DOT(c, z, a, b, m) dot(z, a, b, m)
#define SPLIT_TARGETS            DDN_TARGETS
#include "chart/split.tmpl.h"

void ddn_split_max_init(ddn_split_max *m)
{
    *m = (ddn_split_max){ 0 };
}

void ddn_split_max_fini(ddn_split_max *m)
{
    free(m->cell);
}

bool ddn_split_max_reserve(ddn_split_max *m, const ddn_split_plan *plan, int32_t n)
{
    ddn_split_shape shape;
    ddn_split_shape_make(&shape, plan, n);
    return ddn_reserve(&m->cell, &m->cap, shape.cells, sizeof *m->cell);
}

int32_t ddn_split_max_value(ddn_split_max *m, const ddn_split_input *in, const int32_t *w)
{
    ddn_split_shape shape;
    ddn_split_shape_make(&shape, in->plan, in->n);
    max_inside(NULL, &shape, in, w, m->cell);
    int32_t value = max_total(NULL, &shape, in, w, m->cell);
    return value <= DDN_SPLIT_MAX_NONE / 2 ? DDN_SPLIT_MAX_NONE : value;
}
