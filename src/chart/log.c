/* SPDX-License-Identifier: MIT */
/* log.c - Table 2 over sums of exponentials, kept as logarithms: the partition function over all
 * trees of a grammar and, with the outside pass, how large a share each arc has in it.
 *
 * A sum of m products is taken relative to the largest of them, so that nothing overflows and the
 * largest is exact.  -INFINITY is 0 and needs care only where it would be subtracted from itself.
 */
#include "chart/split.h"

#include <math.h>

static inline double add(double x, double y)
{
    double high = x > y ? x : y, low = x > y ? y : x;
    return low == -INFINITY ? high : high + log1p(exp(low - high));
}

static inline double dot(double z, const double *a, const double *b, int32_t m)
{
    double most = z, sum = 0;
    for (int32_t k = 0; k < m; k++)
        most = a[k] + b[k] > most ? a[k] + b[k] : most;
    if (most == -INFINITY)
        return most;
    for (int32_t k = 0; k < m; k++)
        sum += exp(a[k] + b[k] - most);
    return most + log(sum + exp(z - most));
}

static inline void spread(double z, const double *a, const double *b, double *da, double *db,
                          int32_t m)
{
    for (int32_t k = 0; k < m && z != -INFINITY; k++) {
        da[k] = add(da[k], z + b[k]);
        db[k] = add(db[k], z + a[k]);
    }
}

#define SPLIT_NAME(x)                       log_##x
#define SPLIT_VALUE                         double
#define SPLIT_WEIGHT                        double
#define SPLIT_CONTEXT                       void
#define SPLIT_ZERO(c)                       (-INFINITY)
#define SPLIT_ONE(c)                        0
#define SPLIT_PLUS(c, x, y)                 add(x, y)
#define SPLIT_TIMES(c, x, y)                ((x) + (y))
#define SPLIT_ARC(c, x, w)                  ((x) + (w))
#define SPLIT_DOT(c, z, a, b, m)            dot(z, a, b, m)
#define SPLIT_SPREAD(c, z, a, b, da, db, m) spread(z, a, b, da, db, m)
#define SPLIT_TARGETS
#include "chart/split.tmpl.h"

double ddn_split_log_total(ddn_split_log *l, const ddn_split_input *in, const double *w)
{
    ddn_split_shape shape;
    ddn_split_shape_make(&shape, in->plan, in->n);
    log_inside(NULL, &shape, in, w, l->cell);
    return log_total(NULL, &shape, in, w, l->cell);
}

/* The share of an arc that lies in the given cells of the groups' tables. */
static double share(const ddn_split_log *l, const size_t *table, int groups, size_t at,
                    double total)
{
    double sum = 0;
    for (int g = 0; g < groups; g++)
        sum += exp(l->cell[table[g] + at] + l->out[table[g] + at] - total);
    return sum;
}

void ddn_split_log_marginals(ddn_split_log *l, const ddn_split_input *in, const double *w,
                             double total, double *p)
{
    const ddn_split_plan *plan = in->plan;
    ddn_split_shape s;
    ddn_split_shape_make(&s, plan, in->n);
    log_outside(NULL, &s, in, w, l->cell, l->out);
    for (int32_t j = 0; j <= in->n; j++) {
        for (int32_t i = 0; i < j; i++) {
            size_t ij = (size_t)i * s.stride + (size_t)j, ji = (size_t)j * s.stride + (size_t)i;
            p[ji] = share(l, s.left_arc, plan->lefts, ji, total);
            p[ij] = i == 0 && in->one_root ? exp(l->cell[s.root + (size_t)j] - total)
                                           : share(l, s.right_arc, plan->rights, ij, total);
        }
        p[(size_t)j * s.stride + (size_t)j] = 0;
    }
    for (int32_t i = 0; i <= in->n; i++)
        p[(size_t)i * s.stride] = 0;
}
