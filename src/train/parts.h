/* SPDX-License-Identifier: MIT */
/* parts.h - learning a batch move by move, or head by head, in parts that threads work on.
 *
 * A scorer that learns by batches has DDN_PARTS passes, each with its share of the examples and
 * random numbers of its own, and a step adds up what they have gathered in their order.  So the
 * number of threads changes nothing.  A scorer that learns from every configuration has one. */
#ifndef DDN_TRAIN_PARTS_H
#define DDN_TRAIN_PARTS_H

#include "train/follow.h"
#include "train/heads.h"

enum { DDN_PARTS = 2 };

typedef struct ddn_part {
    ddn_following following; /* one of the two */
    ddn_heads heads;
    bool by_heads;
    ddn_rng rng;
    /* ---- Its share of a batch ---- */
    const ddn_example *const *x;
    int m;
    ddn_manner manner;
    int status;
    dodona_error error;
} ddn_part;

typedef struct ddn_parts {
    ddn_model *model; /* that learns */
    ddn_rng *rng;     /* borrowed */
    int count, threads;
    ddn_part part[DDN_PARTS];
} ddn_parts;

/* For batches of up to batch examples.  To be closed also after a failure. */
int ddn_parts_open(ddn_parts *p, const ddn_train_options *o, ddn_model *model, int batch,
                   ddn_rng *rng, dodona_error *err);
void ddn_parts_close(ddn_parts *p);

/* As with one of them (follow.h). */
int ddn_parts_guide(ddn_parts *p, const ddn_model *guide, dodona_error *err);
bool ddn_parts_guided(const ddn_parts *p);
int64_t ddn_parts_tied(const ddn_parts *p);

/* Learns from a batch; returns what ddn_follow does. */
int ddn_parts_learn(ddn_parts *p, const ddn_example *const *x, int m, ddn_manner manner,
                    dodona_error *err);

#endif
