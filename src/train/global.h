/* SPDX-License-Identifier: MIT */
/* global.h - learning whole computations: the search is at the learner's side, not the oracle. */
#ifndef DDN_TRAIN_GLOBAL_H
#define DDN_TRAIN_GLOBAL_H

#include "model/perceptron.h"
#include "search/replay.h"
#include "search/search.h"
#include "train/examples.h"

/* What an update needs, reused from sentence to sentence. */
typedef struct ddn_global {
    const ddn_train_options *options;
    ddn_learner *learner;
    ddn_searching *searching;
    const ddn_oracle *oracle;
    void *space;
    ddn_gold gold;
    ddn_replay replay;
    ddn_move *move;   /* [moves] the gold computation */
    ddn_score *score; /* [moves + 1] of its prefixes */
    ddn_move *legal;
    int32_t *cost, *position;
    size_t moves;
    int64_t updates, before_end; /* sentences that taught something; and of less than all moves */
    size_t move_cap, score_cap, legal_cap, cost_cap, position_cap;
} ddn_global;

/* The options name a search that can be trained with. */
int ddn_global_init(ddn_global *g, const ddn_train_options *o, ddn_learner *learner,
                    dodona_error *err);
void ddn_global_fini(ddn_global *g);

/* Learns from an example. */
int ddn_global_learn(ddn_global *g, const ddn_example *x, dodona_error *err);

#endif
