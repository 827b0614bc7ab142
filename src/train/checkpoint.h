/* SPDX-License-Identifier: MIT */
/* checkpoint.h - a training run at the end of an iteration, as a file, so that a run that was
 * interrupted goes on where it was and ends in the same bytes. */
#ifndef DDN_TRAIN_CHECKPOINT_H
#define DDN_TRAIN_CHECKPOINT_H

#include "core/rng.h"
#include "model/weights.h"

typedef struct ddn_progress_point {
    uint64_t fingerprint; /* of options and data: a checkpoint of another run is not taken */
    uint64_t iteration;   /* finished */
    uint64_t best;        /* iteration of the best model */
    uint64_t right_heads, right_labels; /* of that model on dev */
    uint64_t given_up, tied;            /* so far, as in ddn_train_result */
    ddn_rng rng;
} ddn_progress_point;

/* Frozen weights, in memory. */
typedef struct ddn_frozen_bytes {
    ddn_output table, pool;
} ddn_frozen_bytes;

/* What a run is at the end of an iteration. */
typedef struct ddn_checkpoint {
    ddn_progress_point *point;
    uint32_t *order; /* [count] of the examples */
    size_t count;
    ddn_weights *weights;
    ddn_weights *sum;        /* of earlier runs, where several are averaged; empty otherwise */
    ddn_frozen_bytes *best;  /* the model to keep */
    ddn_frozen_bytes *guide; /* the model of the first pass, in the second; empty otherwise */
} ddn_checkpoint;

int ddn_checkpoint_write(const char *path, const ddn_checkpoint *c, dodona_error *err);

/* What a checkpoint of a run can hold. */
typedef struct ddn_checkpoint_limits {
    uint64_t iterations; /* one that has gone further is of no use */
    uint32_t classes;
} ddn_checkpoint_limits;

/* Fills c, whose point has the fingerprint and whose order is ascending.  1: taken; 0: there is
 * none for this run (none at all, another run's, or a damaged one), and nothing has changed. */
int ddn_checkpoint_read(const char *path, ddn_checkpoint_limits limits, ddn_checkpoint *c,
                        dodona_error *err);

#endif
