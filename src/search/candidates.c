/* SPDX-License-Identifier: MIT */
/* candidates.c - lists legal moves, fills a view for each group of moves that share one, and puts
 * the views into a batch. */
#include "search/candidates.h"

#include "core/array.h"
#include "net/kernels.h"

#include <stdlib.h>
#include <string.h>

void ddn_candidates_init(ddn_candidates *c, ddn_pass *pass)
{
    memset(c, 0, sizeof *c);
    c->system = pass->model->schema->system;
    c->pass = pass;
}

void ddn_candidates_fini(ddn_candidates *c)
{
    free(c->move);
    free(c->view_of);
    free(c->view);
    ddn_arena_fini(&c->arena);
    memset(c, 0, sizeof *c);
}

/* Room for the moves of a configuration over n words behind the first ones. */
static int reserve(ddn_candidates *c, int32_t first, int32_t n, dodona_error *err)
{
    size_t moves = (size_t)first + (size_t)ddn_moves_room(c->system, n);
    if (!ddn_reserve(&c->move, &c->move_cap, moves, sizeof *c->move) ||
        !ddn_reserve(&c->view_of, &c->view_of_cap, moves, sizeof *c->view_of))
        return ddn_fail_memory(err);
    return DODONA_OK;
}

int ddn_candidates_begin(ddn_candidates *c, int sentence, int32_t n, dodona_error *err)
{
    c->sentence = sentence;
    ddn_arena_reset(&c->arena);
    c->position = ddn_arena_take(&c->arena, (size_t)n + 1, sizeof *c->position);
    c->labels = ddn_arena_take(&c->arena, c->pass->model->schema->labels.count, sizeof *c->labels);
    return c->arena.failed ? ddn_fail_memory(err) : reserve(c, 0, n, err);
}

static int32_t list(ddn_candidates *c, const ddn_state *s, ddn_move *move)
{
    int32_t count = ddn_system_moves(c->system, s, move, c->position);
    return c->constraint ? ddn_constraint_filter(c->constraint, s, move, count) : count;
}

/* Whether a move has a view of its own. */
static bool is_placed(const ddn_candidates *c, const ddn_state *s, ddn_move m)
{
    return m.pos >= 0 ||
           (c->pass->model->layout->arcs && ddn_system_arc(c->system, s, m).head >= 0);
}

/* The views of the candidates from number first on, which are moves of s. */
static int fill_views(ddn_candidates *c, const ddn_state *s, int32_t first, dodona_error *err)
{
    const ddn_layout *layout = c->pass->model->layout;
    int32_t base = c->views, views = base + 1;
    for (int32_t i = first; i < c->count; i++)
        c->view_of[i] = is_placed(c, s, c->move[i]) ? views++ : base;
    if (!ddn_reserve(&c->view, &c->view_cap, (size_t)views, sizeof *c->view))
        return ddn_fail_memory(err);
    ddn_view_fill(layout, s, -1, -1, &c->view[base]);
    for (int32_t i = first; i < c->count; i++)
        if (c->view_of[i] != base) {
            ddn_move m = c->move[i];
            ddn_arc arc = ddn_system_arc(c->system, s, m);
            ddn_view_fill_placed(layout, s, m.pos, arc.head, arc.child, &c->view[base],
                                 c->view_of[i] - base);
        }
    c->views = views;
    return DODONA_OK;
}

void ddn_candidates_clear(ddn_candidates *c)
{
    c->count = c->views = 0;
}

int ddn_candidates_add(ddn_candidates *c, const ddn_state *s, dodona_error *err)
{
    int32_t first = c->count;
    int status = reserve(c, first, s->n, err);
    if (status < 0)
        return status;
    c->count += list(c, s, c->move + first);
    return fill_views(c, s, first, err);
}

bool ddn_candidates_list(ddn_candidates *c, const ddn_state *s)
{
    c->count = list(c, s, c->move);
    return c->count == 1 && ddn_system_arc(c->system, s, c->move[0]).head < 0;
}

int ddn_candidates_view(ddn_candidates *c, const ddn_state *s, dodona_error *err)
{
    c->views = 0;
    return fill_views(c, s, 0, err);
}

int ddn_candidates_ask(ddn_candidates *c, ddn_batch *b, dodona_error *err)
{
    int status = ddn_batch_reserve(b, (size_t)c->views, err);
    if (status < 0)
        return status;
    c->first = (int32_t)b->count;
    for (int32_t v = 0; v < c->views; v++)
        b->query[b->count++] = (ddn_query){ c->sentence, &c->view[v] };
    return DODONA_OK;
}

void ddn_candidates_told(ddn_candidates *c, const ddn_batch *b)
{
    c->score = b->score + (size_t)c->first * DDN_MAX_KINDS;
}

int32_t ddn_candidates_best(const ddn_candidates *c)
{
    int32_t top = 0;
    for (int32_t i = 1; i < c->count; i++)
        if (ddn_candidates_score_of(c, i) > ddn_candidates_score_of(c, top))
            top = i;
    return top;
}

/* Sums of 32 at a time, by a function that gives the same bytes on every machine. */
ddn_score ddn_candidates_total(const ddn_candidates *c, int32_t from, int32_t end)
{
    enum { MOST = 32 };
    float of[MOST], unused[MOST];
    size_t n = 0;
    if (!c->pass->model->scorer->local)
        return 0;
    for (int32_t i = from; i < end; i++) {
        if (n == MOST) {
            of[0] = ddn_kernels_all[0]->softmax(of, n, unused);
            n = 1;
        }
        of[n++] = (float)ddn_candidates_score_of(c, i);
    }
    return ddn_kernels_all[0]->softmax(of, n, unused);
}

uint16_t ddn_candidates_label(const ddn_candidates *c, const ddn_state *s, int32_t i,
                              ddn_score *score)
{
    const ddn_scorer *scorer = c->pass->model->scorer;
    ddn_arc arc = ddn_system_arc(c->system, s, c->move[i]);
    if (arc.head < 0) {
        *score = 0;
        return 0;
    }
    ddn_arc_query q = ddn_candidates_arc(c, i, arc);
    uint16_t liked = scorer->label(c->pass, &q, score);
    if (!c->constraint || ddn_constraint_takes(c->constraint, arc, liked))
        return liked;
    scorer->labels(c->pass, &q, c->labels);
    uint16_t label = ddn_constraint_label(c->constraint, arc, liked, c->labels);
    *score = c->labels[label];
    return label;
}
