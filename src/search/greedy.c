/* SPDX-License-Identifier: MIT */
/* greedy.c - greedy search: the best move at every configuration.
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

static int open_greedy(ddn_pass *pass, const ddn_search_options *options, ddn_searching **out,
                       dodona_error *err)
{
    greedy *w = calloc(1, sizeof *w);
    if (!w)
        return ddn_fail_memory(err);
    ddn_searching_init(&w->base, pass, options);
    ddn_candidates_init(&w->candidates, pass);
    *out = &w->base;
    return DODONA_OK;
}

static int begin(ddn_searching *base, dodona_error *err)
{
    greedy *w = (greedy *)base;
    w->candidates.constraint = base->constraint;
    int status = ddn_candidates_begin(&w->candidates, base->sentence, base->n, err);
    return status < 0 ? status : ddn_state_start(&base->state, base->n, base->roots, err);
}

static int make(ddn_searching *base, ddn_move move, dodona_error *err)
{
    base->system->apply(&base->state, move, NULL);
    return ddn_searching_note(base, move, err);
}

static int ask(ddn_searching *base, ddn_batch *b, dodona_error *err)
{
    ddn_candidates *c = &((greedy *)base)->candidates;
    while (!base->system->final(&base->state)) {
        int status;
        if (!ddn_candidates_list(c, &base->state)) {
            status = ddn_candidates_view(c, &base->state, err);
            if (status >= 0)
                status = ddn_candidates_ask(c, b, err);
            return status < 0 ? status : 1;
        }
        status = make(base, c->move[0], err);
        if (status < 0)
            return status;
    }
    return 0;
}

static int tell(ddn_searching *base, const ddn_batch *b, dodona_error *err)
{
    ddn_candidates *c = &((greedy *)base)->candidates;
    ddn_candidates_told(c, b);
    int32_t i = ddn_candidates_best(c);
    ddn_move move = c->move[i];
    ddn_score unused;
    move.label = ddn_candidates_label(c, &base->state, i, &unused);
    return make(base, move, err);
}

const ddn_search ddn_search_greedy = {
    .name = "greedy",
    .summary = "the best move at every step",
    .heads = DDN_HEAD_MOVES,
    .open = open_greedy,
    .close = close_greedy,
    .begin = begin,
    .ask = ask,
    .tell = tell,
};
