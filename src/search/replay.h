/* SPDX-License-Identifier: MIT */
/* replay.h - a computation that is known, gone through again: its score, and the features of its
 * moves.
 *
 *     ddn_replay_start(r, sentence, roots, err);
 *     for (size_t i = 0; i < moves; i++) {
 *         total += ddn_replay_score(r, move[i]);
 *         ddn_replay_make(r, move[i]);
 *     }
 */
#ifndef DDN_SEARCH_REPLAY_H
#define DDN_SEARCH_REPLAY_H

#include "model/scorer.h"
#include "system/system.h"

typedef struct ddn_replay {
    const ddn_system *system;
    ddn_scoring *scoring; /* borrowed */
    ddn_state state;
    ddn_view view[2]; /* without and with a position or an arc */
    int at;           /* the scorer's view of the move that was scored last */
} ddn_replay;

void ddn_replay_init(ddn_replay *r, const ddn_system *system, ddn_scoring *scoring);
void ddn_replay_fini(ddn_replay *r);

/* Goes to the start; the scorer reads the sentence. */
int ddn_replay_start(ddn_replay *r, const ddn_sentence *s, ddn_roots roots, dodona_error *err);
/* The score of a legal move here: of its kind, and of its label where it makes an arc.  From then
 * on, view r->at of the scorer is that of this move. */
ddn_score ddn_replay_score(ddn_replay *r, ddn_move m);
/* Makes a legal move. */
void ddn_replay_make(ddn_replay *r, ddn_move m);

#endif
