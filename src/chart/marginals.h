/* SPDX-License-Identifier: MIT */
/* marginals.h - how probable each arc of a forest is.
 *
 * A derivation of score s has a probability proportional to exp(s / temperature); an arc has that
 * of all derivations that make it.  A high temperature makes all derivations alike, a low one
 * leaves only the best. */
#ifndef DDN_CHART_MARGINALS_H
#define DDN_CHART_MARGINALS_H

#include "chart/forest.h"
#include "core/arena.h"

typedef struct ddn_marginal {
    int32_t child, head;
    int32_t label;   /* the most probable one of this arc; of equals the smallest number */
    double p;        /* of the arc, with any label */
    double labelled; /* of the arc with that label */
} ddn_marginal;

typedef struct ddn_marginals {
    ddn_marginal *arc; /* [count] by child, then by head */
    size_t count;
    double log_sum;           /* log of the sum of exp(score / temperature) over all derivations */
    double *inside, *outside; /* [nodes] logarithms */
    ddn_arena arena;
} ddn_marginals;

void ddn_marginals_init(ddn_marginals *m);
void ddn_marginals_fini(ddn_marginals *m);

/* temperature > 0.  The forest has passed ddn_forest_check, or comes from a search. */
int ddn_marginals_compute(ddn_marginals *m, const ddn_forest *f, double temperature,
                          dodona_error *err);

/* The arc head -> child, or NULL where no derivation makes it. */
const ddn_marginal *ddn_marginals_find(const ddn_marginals *m, int32_t head, int32_t child);

#endif
