/* SPDX-License-Identifier: MIT */
/* candidates.h - the legal transitions of configurations, with views and scores; used by greedy and
 * beam search and by training.
 *
 *     ddn_candidates_begin(c, sentence, n, err);
 *     ddn_candidates_clear(c);
 *     ddn_candidates_add(c, state, err);          for one configuration, or for several
 *     ddn_candidates_ask(c, batch, err);
 *     ... the batch is scored ...
 *     ddn_candidates_told(c, batch);
 *     int32_t best = ddn_candidates_best(c);
 *
 * Moves without a position share the first view of their configuration.  A move with one has a view
 * of its own, in which p is that position; so has, where the layout sees arcs, a move that makes
 * one. */
#ifndef DDN_SEARCH_CANDIDATES_H
#define DDN_SEARCH_CANDIDATES_H

#include "core/arena.h"
#include "model/scorer.h"
#include "search/constraint.h"
#include "search/search.h"
#include "system/system.h"

typedef struct ddn_candidates {
    const ddn_system *system;
    ddn_pass *pass;             /* borrowed */
    ddn_constraint *constraint; /* borrowed; set by the search: moves and labels that contradict it
                                   are left out; NULL: none */
    int sentence;               /* of the pass */
    int32_t count, views;
    ddn_move *move;   /* [count] labels are not set */
    int32_t *view_of; /* [count] */
    ddn_view *view;
    int32_t first;          /* query of view 0 */
    const ddn_score *score; /* [views][DDN_MAX_KINDS], borrowed from the batch */
    int32_t *position;      /* scratch */
    ddn_score *labels;      /* [labels] scratch */
    ddn_arena arena;        /* what is scratch */
    size_t move_cap, view_of_cap, view_cap;
} ddn_candidates;

void ddn_candidates_init(ddn_candidates *c, ddn_pass *pass);
void ddn_candidates_fini(ddn_candidates *c);

/* Begins a sentence of n words that the pass has encoded. */
int ddn_candidates_begin(ddn_candidates *c, int sentence, int32_t n, dodona_error *err);

/* Candidates are numbered through, in the order in which they were added. */
void ddn_candidates_clear(ddn_candidates *c);
/* Lists the legal moves of a configuration that is not final, with their views. */
int ddn_candidates_add(ddn_candidates *c, const ddn_state *s, dodona_error *err);
/* Lists the legal moves of one configuration alone.  True: there is only one and it makes no arc,
 * so that nothing need be scored; otherwise ddn_candidates_view makes the views. */
bool ddn_candidates_list(ddn_candidates *c, const ddn_state *s);
int ddn_candidates_view(ddn_candidates *c, const ddn_state *s, dodona_error *err);

/* Puts the views into a batch, and finds their scores in it. */
int ddn_candidates_ask(ddn_candidates *c, ddn_batch *b, dodona_error *err);
void ddn_candidates_told(ddn_candidates *c, const ddn_batch *b);

static inline ddn_score ddn_candidates_score_of(const ddn_candidates *c, int32_t i)
{
    return c->score[c->view_of[i] * DDN_MAX_KINDS + c->move[i].kind];
}

/* The query of candidate i in the batch. */
static inline int32_t ddn_candidates_query(const ddn_candidates *c, int32_t i)
{
    return c->first + c->view_of[i];
}

/* The candidate with the best score; ties go to the first. */
int32_t ddn_candidates_best(const ddn_candidates *c);

/* What candidates from to end - 1, all those of a configuration, lose for their scores to be
 * logarithms of probabilities, where the model learns move by move; otherwise 0. */
ddn_score ddn_candidates_total(const ddn_candidates *c, int32_t from, int32_t end);

/* The question for the labels of the arc that candidate i makes. */
static inline ddn_arc_query ddn_candidates_arc(const ddn_candidates *c, int32_t i, ddn_arc arc)
{
    return (ddn_arc_query){ ddn_candidates_query(c, i), c->sentence, c->move[i].kind, arc };
}

/* The model's label for the arc that candidate i makes in s, or the one that the constraint gives,
 * and the score of that label; both are 0 where it makes none. */
uint16_t ddn_candidates_label(const ddn_candidates *c, const ddn_state *s, int32_t i,
                              ddn_score *score);

#endif
