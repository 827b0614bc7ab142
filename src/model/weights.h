/* SPDX-License-Identifier: MIT */
/* weights.h - the weights of an averaged perceptron while it learns.
 *
 * A feature has a row: one weight for each column, in a parser for each transition type, and a
 * short list of weights for classes (features.h).  A row is made when its feature is first updated,
 * so most features that are seen have none.
 *
 * Weights are integers: sums and ties do not depend on order, compiler or machine.  Averaging is
 * lazy.  Beside a weight w stands u, the sum of step times change over its changes; after T steps
 * the average over all steps is w - u/T. */
#ifndef DDN_MODEL_WEIGHTS_H
#define DDN_MODEL_WEIGHTS_H

#include "core/error.h"
#include "core/output.h"
#include <stdbool.h>

typedef struct ddn_class_weight {
    int64_t u;
    int32_t w;
    uint16_t class, unused;
} ddn_class_weight;

typedef struct ddn_weights {
    int kinds;      /* weights in a row */
    uint64_t steps; /* T */

    struct ddn_cell {
        uint32_t print, row; /* row 0: empty */
    } * cell;                /* open addressing, a power of two, at most half full */
    uint64_t mask;

    size_t rows;   /* row 0 is not used */
    uint64_t *key; /* [rows] */
    int32_t *w;    /* [rows][kinds] */
    int64_t *u;    /* [rows][kinds] */
    struct ddn_list {
        uint32_t at;          /* in class */
        uint16_t count, room; /* room is 0 or a power of two */
    } * list;                 /* [rows] */
    size_t key_cap, w_cap, u_cap, list_cap;

    ddn_class_weight *class;
    size_t classes, class_cap;
    uint32_t free[17]; /* abandoned lists by log2 of their room, linked through .u; 0: none */
} ddn_weights;

int ddn_weights_init(ddn_weights *m, int kinds, dodona_error *err);
void ddn_weights_fini(ddn_weights *m);

/* Fetches what find will read. */
static inline void ddn_weights_prefetch(const ddn_weights *m, uint64_t key)
{
    __builtin_prefetch(&m->cell[key & m->mask]);
}
/* The row of a key; 0: none. */
uint32_t ddn_weights_find(const ddn_weights *m, uint64_t key);

/* Adds delta to the weight of a column, or of a class, for the feature of that key. */
int ddn_weights_add_kind(ddn_weights *m, uint64_t key, int kind, int32_t delta, dodona_error *err);
int ddn_weights_add_class(ddn_weights *m, uint64_t key, uint16_t class, int32_t delta,
                          dodona_error *err);

/* Forgets everything. */
int ddn_weights_clear(ddn_weights *m, dodona_error *err);

/* Adds the averages of m to a sum over several runs, or takes them out again: the averages of sum
 * are then the means over the runs in it.  sum holds nothing else.  As everywhere here, two keys
 * with the same upper half whose probe sequences meet are treated as one key. */
int ddn_weights_include(ddn_weights *sum, const ddn_weights *m, dodona_error *err);
int ddn_weights_exclude(ddn_weights *sum, const ddn_weights *m, dodona_error *err);

/* All of it as bytes, and back: what was read equals what was written in everything that later
 * steps can see.  Every class must be below limit.  When bytes are refused, m is as it was. */
void ddn_weights_put(const ddn_weights *m, ddn_output *o);
int ddn_weights_take(ddn_weights *m, uint32_t limit, const char **at, const char *end,
                     dodona_error *err);

#endif
