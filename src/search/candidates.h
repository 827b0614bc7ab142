/* SPDX-License-Identifier: MIT */
/* candidates.h - the legal moves of a configuration, with views and scores: what every search that
 * walks configurations does at each of them, and training too.
 *
 * Moves without a position share view 0.  A move with one has a view of its own, in which p is that
 * position; so has, where the layout sees arcs, a move that makes one. */
#ifndef DDN_SEARCH_CANDIDATES_H
#define DDN_SEARCH_CANDIDATES_H

#include "model/scorer.h"
#include "search/constraint.h"
#include "system/system.h"

typedef struct ddn_candidates {
    const ddn_system *system;
    ddn_scoring *scoring;       /* borrowed */
    ddn_constraint *constraint; /* borrowed; set by the search: what is listed keeps to it, and so
                                   do labels; NULL: none */
    int32_t count, views;
    ddn_move *move;   /* [count] labels are not set */
    int32_t *view_of; /* [count] */
    ddn_view *view;
    ddn_score *score;  /* [views][DDN_MAX_KINDS] */
    int32_t *position; /* scratch */
    size_t move_cap, view_of_cap, view_cap, score_cap, position_cap;
} ddn_candidates;

void ddn_candidates_init(ddn_candidates *c, const ddn_system *system, ddn_scoring *scoring);
void ddn_candidates_fini(ddn_candidates *c);

/* Begins a sentence: room for its moves, and the scorer reads it. */
int ddn_candidates_begin(ddn_candidates *c, const ddn_sentence *s, dodona_error *err);
/* Lists the legal moves of a configuration that is not final.  True: there is one, it makes no arc,
 * and nothing need be scored. */
bool ddn_candidates_list(ddn_candidates *c, const ddn_state *s);
/* Scores what was listed.  Fails only where moves have positions and there are more than ever. */
int ddn_candidates_score(ddn_candidates *c, const ddn_state *s, dodona_error *err);

/* The same for several configurations, which a scorer likes better than one after the other: clear,
 * add each, score all.  Candidates are numbered through, in the order in which they were added. */
void ddn_candidates_clear(ddn_candidates *c);
int ddn_candidates_add(ddn_candidates *c, const ddn_state *s, dodona_error *err);
void ddn_candidates_score_all(ddn_candidates *c);

static inline ddn_score ddn_candidates_score_of(const ddn_candidates *c, int32_t i)
{
    return c->score[c->view_of[i] * DDN_MAX_KINDS + c->move[i].kind];
}

/* The candidate with the best score; ties go to the first. */
int32_t ddn_candidates_best(const ddn_candidates *c);

/* The scorer's label for the arc that candidate i makes in s, or the one that the constraint gives,
 * and the score of that label; both are 0 where it makes none. */
uint16_t ddn_candidates_label(const ddn_candidates *c, const ddn_state *s, int32_t i,
                              ddn_score *score);

#endif
