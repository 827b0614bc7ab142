/* SPDX-License-Identifier: MIT */
/* checkpoint.h - a training run at the end of an iteration, as a file, so that a run that was
 * interrupted goes on where it was and ends in the same bytes. */
#ifndef DDN_TRAIN_CHECKPOINT_H
#define DDN_TRAIN_CHECKPOINT_H

#include "core/rng.h"
#include "model/weights.h"

typedef struct ddn_progress_point {
    uint64_t
        fingerprint;    /* of the options and the data; a checkpoint of another run is not taken */
    uint64_t iteration; /* finished */
    uint64_t best;      /* iteration of the best model, which is in table and pool */
    uint64_t right_heads, right_labels; /* of that model on dev */
    ddn_rng rng;
} ddn_progress_point;

/* The run's state: order of the sentences, weights, best model so far. */
int ddn_checkpoint_write(const char *path, const ddn_progress_point *p, const uint32_t *order,
                         size_t count, const ddn_weights *weights, const ddn_output *table,
                         const ddn_output *pool, dodona_error *err);

/* What a checkpoint of a run can hold. */
typedef struct ddn_checkpoint_limits {
    uint64_t iterations; /* one that has gone further is of no use */
    uint32_t classes;
} ddn_checkpoint_limits;

/* order: the sentences of the run, ascending.  1: taken; 0: there is none for this run (none at
 * all, another run's, or a damaged one), and nothing has changed. */
int ddn_checkpoint_read(const char *path, ddn_checkpoint_limits limits, ddn_progress_point *p,
                        uint32_t *order, size_t count, ddn_weights *weights, ddn_output *table,
                        ddn_output *pool, dodona_error *err);

#endif
