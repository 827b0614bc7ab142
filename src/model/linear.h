/* SPDX-License-Identifier: MIT */
/* linear.h - a linear model over hashed features; the perceptron's parser, tagger, lemmatizer and
 * tokenizer score with it.
 *
 * A feature is a 64-bit key.  It has a row of weights, one for each column, and a sparse list of
 * weights for classes.  The score of an output is the sum of its weights over all keys.  Weights
 * are frozen (model/frozen.h), as a model file has them, or learn (model/weights.h); sums are of
 * integers and exact.
 *
 * Updates are gathered while scores are still being asked for, and applied in one step,
 * in the order in which they were gathered. */
#ifndef DDN_MODEL_LINEAR_H
#define DDN_MODEL_LINEAR_H

#include "model/encode.h"
#include "model/file.h"
#include "model/frozen.h"

typedef struct ddn_linear {
    int columns;
    bool learns;
    ddn_frozen frozen;   /* where it does not learn */
    ddn_weights weights; /* where it does; and */
    ddn_weights mean;    /* the runs that have ended */
} ddn_linear;

/* A model that learns, from nothing. */
int ddn_linear_init(ddn_linear *l, int columns, dodona_error *err);
void ddn_linear_fini(ddn_linear *l);

/* ---- Scores ---- */

/* The keys of features from..to-1 for these values of atoms, and prefetches their rows. */
void ddn_linear_keys(const ddn_linear *l, const ddn_feature *feature, const uint32_t *atom,
                     int from, int to, uint64_t *key);
/* Prefetches the rows of n keys. */
void ddn_linear_prefetch(const ddn_linear *l, const uint64_t *key, int n);
/* Adds the rows of n keys to sum[columns], and gives the list of each. */
void ddn_linear_rows(const ddn_linear *l, const uint64_t *key, int n, int32_t *sum, uint32_t *list);
/* Adds the weights of n lists to sum[class].  The numbers of the lists are used up. */
void ddn_linear_lists(const ddn_linear *l, uint32_t *list, int n, int32_t *sum);

/* ---- Learning ---- */

typedef struct ddn_updates {
    uint64_t *key;
    struct ddn_change {
        uint32_t first, count; /* keys */
        uint16_t output;       /* a column, or a class */
        bool is_class;
        int32_t delta;
    } * change;
    size_t keys, changes, key_cap, change_cap;
} ddn_updates;

void ddn_updates_fini(ddn_updates *t);
/* Adds the keys of the changes that follow; then changes to one output each. */
int ddn_updates_keys(ddn_updates *t, const uint64_t *key, int n, dodona_error *err);
int ddn_updates_change(ddn_updates *t, uint16_t output, bool is_class, int32_t delta,
                       dodona_error *err);

/* Applies the updates and empties the list. */
int ddn_linear_apply(ddn_linear *l, ddn_updates *t, dodona_error *err);
/* Puts what was learnt into the mean over runs, and begins from nothing. */
int ddn_linear_restart(ddn_linear *l, dodona_error *err);
/* Freezes the averages over all steps, or the mean of those of all runs, in at most limit bytes:
 * the smallest weights are dropped until it fits. */
int ddn_linear_freeze(ddn_linear *l, uint64_t limit, ddn_output *table, ddn_output *pool,
                      dodona_error *err);
/* Its weights and means as bytes of a checkpoint, and back; every class must be below classes. */
void ddn_linear_put(const ddn_linear *l, ddn_output *o);
int ddn_linear_take(ddn_linear *l, uint32_t classes, const ddn_section *s, dodona_error *err);

#endif
