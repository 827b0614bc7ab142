/* SPDX-License-Identifier: MIT */
/* greedy.c - the best move at every configuration, and no way back.
 *
 * Ties go to the candidate that comes first, so the result depends on nothing but the scores.  One
 * scoring a move: time is linear in the number of moves. */
#include "search/candidates.h"
#include "search/search.h"

#include <stdlib.h>

typedef struct greedy {
    ddn_searching base;
    ddn_candidates candidates;
} greedy;

static void close_greedy(ddn_searching *base)
{
    greedy *w = (greedy *)base;
    ddn_searching_fini(&w->base);
    ddn_candidates_fini(&w->candidates);
    free(w);
}

static int open_greedy(const ddn_system *system, ddn_scoring *scoring,
                       const ddn_search_options *options, ddn_searching **out, dodona_error *err)
{
    greedy *w = calloc(1, sizeof *w);
    if (!w)
        return ddn_fail_memory(err);
    w->base.system = system;
    w->base.scoring = scoring;
    w->base.roots = options->roots;
    ddn_state_init(&w->base.state);
    ddn_candidates_init(&w->candidates, system, scoring);
    *out = &w->base;
    return DODONA_OK;
}

static int step(greedy *w, dodona_error *err)
{
    ddn_candidates *c = &w->candidates;
    ddn_state *s = &w->base.state;
    if (ddn_candidates_list(c, s)) {
        w->base.system->apply(s, c->move[0], NULL);
        return ddn_searching_note(&w->base, c->move[0], err);
    }
    int status = ddn_candidates_score(c, s, err);
    if (status < 0)
        return status;
    int32_t i = ddn_candidates_best(c);
    ddn_move move = c->move[i];
    ddn_score unused;
    move.label = ddn_candidates_label(c, s, i, &unused);
    w->base.system->apply(s, move, NULL);
    return ddn_searching_note(&w->base, move, err);
}

static int run(ddn_searching *base, const ddn_sentence *s, dodona_error *err)
{
    greedy *w = (greedy *)base;
    base->moves = 0;
    w->candidates.constraint = base->constraint;
    int status = ddn_candidates_begin(&w->candidates, s, err);
    if (status >= 0)
        status = ddn_state_start(&base->state, s->n, base->roots, err);
    while (status >= 0 && !base->system->final(&base->state))
        status = step(w, err);
    return status;
}

const ddn_search ddn_search_greedy = {
    .name = "greedy",
    .summary = "the best move at every step",
    .facets = DDN_FACET_STATES,
    .open = open_greedy,
    .close = close_greedy,
    .run = run,
};
