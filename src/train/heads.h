/* SPDX-License-Identifier: MIT */
/* heads.h - learning the head of every word by itself, for exact search over scores of arcs.
 *
 * The loss of the model's scorer chooses among all words and the root, and among the labels of the
 * gold arc.  What is learnt depends on no search. */
#ifndef DDN_TRAIN_HEADS_H
#define DDN_TRAIN_HEADS_H

#include "train/examples.h"

typedef struct ddn_heads {
    ddn_model *model; /* that learns; its labels are apart */
    ddn_pass *pass;
    ddn_score *arc, *darc; /* [n+1][n+1] */
    ddn_score *score;      /* of the choices for one word */
    ddn_adjoint *adjoint;
    size_t arc_cap, darc_cap, score_cap, adjoint_cap;
} ddn_heads;

/* To be closed also after a failure. */
int ddn_heads_open(ddn_heads *l, ddn_model *model, dodona_error *err);
void ddn_heads_close(ddn_heads *l);
/* Gathers in the pass what m examples teach. */
int ddn_heads_learn(ddn_heads *l, const ddn_example *const *x, int m, dodona_error *err);

#endif
