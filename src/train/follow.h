/* SPDX-License-Identifier: MIT */
/* follow.h - one pass of a learner over one sentence, the oracle at its side. */
#ifndef DDN_TRAIN_FOLLOW_H
#define DDN_TRAIN_FOLLOW_H

#include "core/rng.h"
#include "model/perceptron.h"
#include "search/candidates.h"
#include "train/examples.h"

/* What a pass needs, reused from sentence to sentence. */
typedef struct ddn_follower {
    const ddn_train_options *options;
    const ddn_schema *schema;
    ddn_learner *learner;
    const ddn_oracle *oracle; /* of the present example, and its space: */
    void *space, *plain_space, *crossing_space, *path_space;
    ddn_rng *rng;
    ddn_gold gold;
    ddn_state state;
    ddn_candidates candidates;
    ddn_candidates guide; /* of a frozen model whose moves are made; no scoring: there is none */
    int32_t *cost;        /* of each candidate */
    size_t cost_cap;
} ddn_follower;

int ddn_follower_init(ddn_follower *f, const ddn_train_options *o, const ddn_schema *schema,
                      ddn_learner *learner, ddn_rng *rng, dodona_error *err);
void ddn_follower_fini(ddn_follower *f);

/* From here on the moves that this scoring likes best are made, whatever is learnt. */
void ddn_follower_guide(ddn_follower *f, ddn_scoring *scoring);

/* How often an oracle told moves apart more roughly than it would (ddn_oracle.tied). */
int64_t ddn_follower_tied(const ddn_follower *f);

/* How an example is followed. */
typedef struct ddn_manner {
    bool explore; /* make the model's moves at the options' rate */
    bool direct;  /* towards the treebank's tree where it crosses, by the oracle for those */
} ddn_manner;

/* The oracle gave up, and the example was learnt along the gold moves. */
enum { DDN_FOLLOW_GAVE_UP = 1 };

/* Learns from an example: DODONA_OK, DDN_FOLLOW_GAVE_UP or a negative code. */
int ddn_follow(ddn_follower *f, const ddn_example *x, ddn_manner manner, dodona_error *err);

#endif
