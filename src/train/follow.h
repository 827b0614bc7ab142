/* SPDX-License-Identifier: MIT */
/* follow.h - one pass of a learner over one sentence, the oracle at its side. */
#ifndef DDN_TRAIN_FOLLOW_H
#define DDN_TRAIN_FOLLOW_H

#include "core/rng.h"
#include "model/perceptron.h"
#include "search/candidates.h"
#include "train/train.h"

/* What a pass needs, reused from sentence to sentence. */
typedef struct ddn_follower {
    const ddn_train_options *options;
    const ddn_schema *schema;
    ddn_learner *learner;
    void *oracle; /* its space */
    ddn_rng *rng;
    ddn_gold gold;
    ddn_state state;
    ddn_candidates candidates;
    int32_t *cost;   /* of each candidate */
    uint16_t *label; /* gold, of each word */
    size_t cost_cap, label_cap;
} ddn_follower;

int ddn_follower_init(ddn_follower *f, const ddn_train_options *o, const ddn_schema *schema,
                      ddn_learner *learner, ddn_rng *rng, dodona_error *err);
void ddn_follower_fini(ddn_follower *f);

/* Takes the gold tree of s; 1: it is ready to follow, 0: the oracle refuses it. */
int ddn_follower_gold(ddn_follower *f, const ddn_sentence *s, dodona_error *err);
/* Learns from s, whose gold tree was taken.  explore: make the model's moves at the options' rate.
 */
int ddn_follow(ddn_follower *f, const ddn_sentence *s, bool explore, dodona_error *err);

#endif
