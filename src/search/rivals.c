/* SPDX-License-Identifier: MIT */
/* rivals.c - makes the derivation again, scores what else there was, and takes the closest of it.
 *
 * A search without a beam meets a doubtful choice once, and every word whose head hangs on that
 * choice is doubtful then, not just the one that got its arc there.  So the turns that were closest
 * to being taken are taken, one at a time: the derivation up to there, the other move, and from
 * there on the best move at every step.  Words that get another head this way have that turn as a
 * rival.  Cost: DDN_TURNS + 1 greedy parses of the sentence, at most. */
#include "search/rivals.h"

#include "core/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ddn_rivals_init(ddn_rivals *r, ddn_pass *pass)
{
    memset(r, 0, sizeof *r);
    ddn_candidates_init(&r->candidates, pass);
    ddn_state_init(&r->state);
}

void ddn_rivals_fini(ddn_rivals *r)
{
    ddn_candidates_fini(&r->candidates);
    ddn_batch_fini(&r->batch);
    ddn_state_fini(&r->state);
    ddn_arena_fini(&r->arena);
    free(r->rival);
    free(r->turn);
}

static int add(ddn_rivals *r, int32_t child, double behind, dodona_error *err)
{
    if (!ddn_reserve(&r->rival, &r->capacity, r->count + 1, sizeof *r->rival))
        return ddn_fail_memory(err);
    r->rival[r->count++] = (ddn_rival){ child, behind };
    return DODONA_OK;
}

/* ---- Moves ---- */

static int score(ddn_rivals *r, dodona_error *err)
{
    ddn_candidates *c = &r->candidates;
    r->batch.count = 0;
    int status = ddn_candidates_view(c, &r->state, err);
    if (status >= 0)
        status = ddn_candidates_ask(c, &r->batch, err);
    if (status >= 0)
        status = c->pass->model->scorer->moves(c->pass, r->batch.query, (int)r->batch.count,
                                               r->batch.score, err);
    if (status >= 0)
        ddn_candidates_told(c, &r->batch);
    return status;
}

/* The place of the move among the candidates. */
static int32_t find(const ddn_candidates *c, ddn_move m)
{
    int32_t i = 0;
    while (c->move[i].kind != m.kind || c->move[i].pos != m.pos)
        i++;
    return i;
}

/* Makes the best move at every step until the end. */
static int complete(ddn_rivals *r, const ddn_searching *w, dodona_error *err)
{
    ddn_candidates *c = &r->candidates;
    int status = DODONA_OK;
    while (!w->system->final(&r->state) && status >= 0) {
        int32_t best = 0;
        ddn_score unused;
        ddn_move move;
        if (!ddn_candidates_list(c, &r->state)) {
            status = score(r, err);
            if (status < 0)
                break;
            best = ddn_candidates_best(c);
        }
        move = c->move[best];
        if (ddn_system_arc(w->system, &r->state, move).head >= 0)
            move.label = ddn_candidates_label(c, &r->state, best, &unused);
        w->system->apply(&r->state, move, NULL);
    }
    return status;
}

static bool is_of_tree(const ddn_searching *w, ddn_arc arc)
{
    return arc.head >= 0 && ddn_system_head(w->system, &w->state, arc.child) == arc.head;
}

/* The other moves at a step. */
static int add_turns(ddn_rivals *r, const ddn_searching *w, size_t step, dodona_error *err)
{
    const ddn_candidates *c = &r->candidates;
    int32_t made = find(c, w->move[step]);
    ddn_arc own = ddn_system_arc(w->system, &r->state, c->move[made]);
    if (!ddn_reserve(&r->turn, &r->turn_cap, r->turns + (size_t)c->count, sizeof *r->turn))
        return ddn_fail_memory(err);
    for (int32_t i = 0; i < c->count; i++) {
        ddn_arc arc = ddn_system_arc(w->system, &r->state, c->move[i]);
        double behind = ddn_candidates_score_of(c, made) - ddn_candidates_score_of(c, i);
        if (i != made)
            r->turn[r->turns++] =
                (ddn_turn){ .behind = fmax(behind, 0),
                            .step = step,
                            .order = i,
                            .move = c->move[i],
                            .own = is_of_tree(w, own) ? own.child : 0,
                            .other = arc.head >= 0 && !is_of_tree(w, arc) ? arc.child : 0 };
    }
    return DODONA_OK;
}

static int find_turns(ddn_rivals *r, const ddn_searching *w, dodona_error *err)
{
    int status = ddn_state_start(&r->state, w->n, w->roots, err);
    r->turns = 0;
    for (size_t i = 0; i < w->moves && status >= 0; i++) {
        if (!ddn_candidates_list(&r->candidates, &r->state)) {
            status = score(r, err);
            if (status >= 0)
                status = add_turns(r, w, i, err);
        }
        if (status >= 0)
            w->system->apply(&r->state, w->move[i], NULL);
    }
    return status;
}

/* Takes a turn, and looks what becomes of the heads. */
static int take_turn(ddn_rivals *r, const ddn_searching *w, const ddn_turn *t, dodona_error *err)
{
    int status = ddn_state_start(&r->state, w->n, w->roots, err);
    if (status < 0)
        return status;
    for (size_t i = 0; i < t->step; i++)
        w->system->apply(&r->state, w->move[i], NULL);
    w->system->apply(&r->state, t->move, NULL);
    status = complete(r, w, err);
    for (int32_t d = 1; d <= w->n && status >= 0; d++)
        if (ddn_system_head(w->system, &r->state, d) != ddn_system_head(w->system, &w->state, d))
            status = add(r, d, t->behind, err);
    return status;
}

/* The closest first. */
static int by_behind(const void *a, const void *b)
{
    const ddn_turn *x = a, *y = b;
    if (x->behind != y->behind)
        return x->behind < y->behind ? -1 : 1;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return x->order - y->order;
}

static int find_by_moves(ddn_rivals *r, const ddn_searching *w, dodona_error *err)
{
    int status = ddn_candidates_begin(&r->candidates, w->sentence, w->n, err);
    if (status >= 0)
        status = find_turns(r, w, err);
    if (status >= 0 && r->turns > 1)
        qsort(r->turn, r->turns, sizeof *r->turn, by_behind);
    for (size_t i = 0; i < r->turns && status >= 0; i++) {
        const ddn_turn *t = &r->turn[i];
        if (i < DDN_TURNS) {
            status = take_turn(r, w, t, err);
            continue;
        }
        if (t->own)
            status = add(r, t->own, t->behind, err);
        if (status >= 0 && t->other && t->other != t->own)
            status = add(r, t->other, t->behind, err);
    }
    return status;
}

/* ---- Arcs ---- */

static int find_by_arcs(ddn_rivals *r, const ddn_searching *w, dodona_error *err)
{
    size_t nodes = (size_t)w->n + 1;
    ddn_arena_reset(&r->arena);
    ddn_score *arc = ddn_arena_take(&r->arena, nodes * nodes, sizeof *arc);
    uint16_t *label = ddn_arena_take(&r->arena, nodes * nodes, sizeof *label);
    if (r->arena.failed)
        return ddn_fail_memory(err);
    int status = w->pass->model->scorer->arcs(w->pass, w->sentence, arc, label, err);
    for (int32_t d = 1; d <= w->n && status >= 0; d++) {
        int32_t head = ddn_system_head(w->system, &w->state, d);
        double own = arc[(size_t)head * nodes + (size_t)d];
        for (int32_t h = 0; h <= w->n && status >= 0; h++)
            if (h != head && h != d)
                status = add(r, d, fmax(own - arc[(size_t)h * nodes + (size_t)d], 0), err);
    }
    return status;
}

int ddn_rivals_find(ddn_rivals *r, const ddn_searching *w, dodona_error *err)
{
    r->count = 0;
    return w->moves ? find_by_moves(r, w, err) : find_by_arcs(r, w, err);
}

void ddn_rivals_odds(const ddn_rivals *r, int32_t n, double temperature, double *odds)
{
    for (int32_t d = 1; d <= n; d++)
        odds[d] = 0;
    for (size_t i = 0; i < r->count; i++)
        odds[r->rival[i].child] += exp(-r->rival[i].behind / temperature);
}
