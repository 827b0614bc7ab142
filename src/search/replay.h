/* SPDX-License-Identifier: MIT */
/* replay.h - goes through a known derivation: scores its moves, and keeps the query of each so that
 * adjoints can be given to it.
 *
 *     ddn_replay_start(r, sentence, n, roots, err);
 *     for (size_t i = 0; i < moves; i++) {
 *         status = ddn_replay_score(r, move[i], &score, err);
 *         ddn_replay_make(r, move[i]);
 *     }
 */
#ifndef DDN_SEARCH_REPLAY_H
#define DDN_SEARCH_REPLAY_H

#include "model/scorer.h"
#include "system/system.h"

typedef struct ddn_replay {
    const ddn_system *system;
    ddn_pass *pass; /* borrowed */
    int sentence;
    ddn_state state;
    ddn_view view[2]; /* without and with a position or an arc */
    ddn_query query[2];
    ddn_arc_query arc; /* of the move that was scored last, by its query; head -1: it makes none */
    ddn_score *labels; /* [labels] scratch */
    size_t labels_cap;
} ddn_replay;

void ddn_replay_init(ddn_replay *r, ddn_pass *pass);
void ddn_replay_fini(ddn_replay *r);

/* Goes to the start of a sentence of n words that the pass has encoded. */
int ddn_replay_start(ddn_replay *r, int sentence, int32_t n, ddn_roots roots, dodona_error *err);
/* The score of a legal move here: of its type, and of its label where it makes an arc.  r->arc is
 * then the question to the pass that this answered. */
int ddn_replay_score(ddn_replay *r, ddn_move m, ddn_score *score, dodona_error *err);
/* Makes a legal move. */
void ddn_replay_make(ddn_replay *r, ddn_move m);

#endif
