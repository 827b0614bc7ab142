/* SPDX-License-Identifier: MIT */
/* follow.h - learning move by move along derivations, with an oracle. */
#ifndef DDN_TRAIN_FOLLOW_H
#define DDN_TRAIN_FOLLOW_H

#include "core/rng.h"
#include "search/candidates.h"
#include "train/examples.h"

typedef struct ddn_following ddn_following;

/* One example and the configuration that it has come to. */
typedef struct ddn_follower {
    ddn_following *all;
    ddn_oracle_space *plain_space, *crossing_space, *path_space;
    ddn_oracle_space *space; /* the one of these for the example */
    ddn_gold gold;
    ddn_state state;
    ddn_candidates candidates, guide;
    int32_t *cost;          /* of each candidate */
    bool in_order, explore; /* as ddn_manner and the options have it */
    bool guided;
    bool gave_up;
    bool asks; /* in this round */
} ddn_follower;

/* The followers of a batch of examples. */
struct ddn_following {
    const ddn_train_options *options;
    ddn_model *model; /* that learns */
    ddn_pass *pass;   /* of it */
    ddn_rng *rng;     /* borrowed */
    ddn_pass *guide;  /* of a frozen model whose moves are made; NULL: none */
    ddn_batch batch, guide_batch;
    ddn_follower *follower; /* [room] */
    int room;
    ddn_adjoint *adjoint; /* scratch, for moves as for labels */
    ddn_score *score;
    ddn_arena arena; /* this scratch, and the costs: of one batch */
};

/* For batches of up to room examples.  To be closed also after a failure. */
int ddn_following_open(ddn_following *f, const ddn_train_options *o, ddn_model *model, int room,
                       ddn_rng *rng, dodona_error *err);
void ddn_following_close(ddn_following *f);

/* From here on the best moves of this model are made, whatever is learnt. */
int ddn_following_guide(ddn_following *f, const ddn_model *guide, dodona_error *err);

/* How often an oracle told moves apart more roughly than it would (ddn_oracle_space.tied). */
int64_t ddn_following_tied(const ddn_following *f);

/* How examples are followed. */
typedef struct ddn_manner {
    bool explore; /* make the model's moves at the options' rate */
    bool direct;  /* where the treebank's tree is out of reach, towards that tree, by the oracle for
                     such trees */
} ddn_manner;

/* Gathers in the pass what m examples teach.  Returns how many of them were beyond the oracle's
 * limits, and were learnt along the gold moves; or a negative code.  A scorer that learns from
 * every configuration has made its steps. */
int ddn_follow(ddn_following *f, const ddn_example *const *x, int m, ddn_manner manner,
               dodona_error *err);
/* The same, and the step of a scorer that learns by batches. */
int ddn_follow_step(ddn_following *f, const ddn_example *const *x, int m, ddn_manner manner,
                    dodona_error *err);

#endif
