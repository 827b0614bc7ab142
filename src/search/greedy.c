/* SPDX-License-Identifier: MIT */
/* greedy.c - the best move at every configuration, and no way back.
 *
 * Every legal move is a candidate: a kind, or a kind and a position.  Candidates without a position
 * share the view of the configuration; a candidate with one has a view of its own, in which p is
 * that position.  Ties go to the candidate that comes first, so the result does not depend on
 * anything but the scores.  One scoring a move: time is linear in the moves. */
#include "search/search.h"

#include "core/array.h"

#include <stdlib.h>

typedef struct greedy {
    ddn_searching base;
    ddn_move *moves;
    int32_t *scratch;
    ddn_view *views; /* [0] has no position; [1 + i] is for moves[i] */
    ddn_score *scores;
    size_t moves_cap, scratch_cap, views_cap, scores_cap;
} greedy;

static void close_greedy(ddn_searching *base)
{
    greedy *w = (greedy *)base;
    ddn_state_fini(&w->base.state);
    free(w->moves);
    free(w->scratch);
    free(w->views);
    free(w->scores);
    free(w);
}

static int open_greedy(const ddn_system *system, ddn_scoring *scoring, ddn_roots roots,
                       ddn_searching **out, dodona_error *err)
{
    extern const ddn_search ddn_search_greedy;
    greedy *w = calloc(1, sizeof *w);
    if (!w)
        return ddn_fail_memory(err);
    w->base.search = &ddn_search_greedy;
    w->base.system = system;
    w->base.scoring = scoring;
    w->base.roots = roots;
    ddn_state_init(&w->base.state);
    *out = &w->base;
    return DODONA_OK;
}

static int reserve(greedy *w, int32_t n, dodona_error *err)
{
    size_t moves = (size_t)ddn_moves_room(w->base.system, n);
    size_t views = w->base.system->positions ? moves + 1 : 1;
    if (!ddn_reserve(&w->moves, &w->moves_cap, moves, sizeof *w->moves) ||
        !ddn_reserve(&w->scratch, &w->scratch_cap, (size_t)n + 1, sizeof *w->scratch) ||
        !ddn_reserve(&w->views, &w->views_cap, views, sizeof *w->views) ||
        !ddn_reserve(&w->scores, &w->scores_cap, views * DDN_MAX_KINDS, sizeof *w->scores))
        return ddn_fail_memory(err);
    return DODONA_OK;
}

/* The best of m legal moves, with its label. */
static ddn_move choose(greedy *w, int32_t m)
{
    ddn_scoring *g = w->base.scoring;
    int views = 1;
    ddn_view_fill(g->layout, &w->base.state, 0, &w->views[0]);
    for (int32_t i = 0; i < m; i++)
        if (w->moves[i].pos)
            ddn_view_fill(g->layout, &w->base.state, w->moves[i].pos, &w->views[views++]);
    g->scorer->kinds(g, 0, w->views, views, w->scores);
    int32_t best = 0, best_view = 0;
    ddn_score top = 0;
    for (int32_t i = 0, v = 0; i < m; i++) {
        int32_t view = w->moves[i].pos ? ++v : 0;
        ddn_score score = w->scores[view * DDN_MAX_KINDS + w->moves[i].kind];
        if (i == 0 || score > top) {
            top = score;
            best = i;
            best_view = view;
        }
    }
    ddn_move move = w->moves[best];
    if (w->base.system->kind[move.kind].makes_arc) {
        ddn_arc arc = w->base.system->arc(&w->base.state, move.kind, move.pos);
        move.label = g->scorer->label(g, best_view, move.kind, arc, &top);
    }
    return move;
}

static int run(ddn_searching *base, const ddn_sentence *s, dodona_error *err)
{
    greedy *w = (greedy *)base;
    ddn_scoring *g = base->scoring;
    const ddn_system *system = base->system;
    int status = reserve(w, s->n, err);
    if (status >= 0)
        status = ddn_state_start(&base->state, s->n, base->roots, err);
    if (status >= 0)
        status = g->scorer->begin(g, &s, 1, (int)(w->views_cap), err);
    if (status < 0)
        return status;
    while (!system->final(&base->state)) {
        int32_t m = ddn_system_moves(system, &base->state, w->moves, w->scratch);
        if (m == 1 && !system->kind[w->moves[0].kind].makes_arc)
            system->apply(&base->state, w->moves[0], NULL);
        else
            system->apply(&base->state, choose(w, m), NULL);
    }
    return DODONA_OK;
}

const ddn_search ddn_search_greedy = {
    .name = "greedy",
    .summary = "the best move at every step",
    .facets = DDN_FACET_STATES,
    .open = open_greedy,
    .close = close_greedy,
    .run = run,
};
