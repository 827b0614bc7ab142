/* SPDX-License-Identifier: MIT */
/* global.h - learning whole derivations, or trees, by comparing the gold one with what the search
 * finds. */
#ifndef DDN_TRAIN_GLOBAL_H
#define DDN_TRAIN_GLOBAL_H

#include "search/parser.h"
#include "search/replay.h"
#include "train/examples.h"

/* The gold derivation of an example. */
typedef struct ddn_gold_way {
    ddn_goal goal;    /* points into the rest */
    ddn_move *move;   /* [moves] */
    ddn_score *score; /* [moves + 1] of its prefixes */
    size_t moves, move_cap, score_cap;
} ddn_gold_way;

/* What an update needs, reused from batch to batch. */
typedef struct ddn_global {
    const ddn_train_options *options;
    ddn_model *model; /* that learns */
    ddn_parser parser;
    bool by_tree; /* arcs are learnt, not moves */
    ddn_oracle_space *space;
    ddn_gold gold;
    ddn_replay replay;
    ddn_gold_way *way; /* [parser.lanes] */
    ddn_move *legal;
    int32_t *cost, *position;
    int64_t updates, before_end; /* updates; and those of less than whole derivations */
    ddn_arena arena;             /* legal, cost and position: of one sentence */
} ddn_global;

/* The options name a search that can be trained with.  To be closed also after a failure. */
int ddn_global_open(ddn_global *g, const ddn_train_options *o, ddn_model *model, dodona_error *err);
void ddn_global_close(ddn_global *g);

/* Learns from m examples, at most as many as the model's scorer takes together. */
int ddn_global_learn(ddn_global *g, const ddn_example *const *x, int m, dodona_error *err);

#endif
