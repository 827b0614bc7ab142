/* SPDX-License-Identifier: MIT */
/* candidates.c - moves are listed, views filled where they differ, and all scored in one call. */
#include "search/candidates.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

void ddn_candidates_init(ddn_candidates *c, const ddn_system *system, ddn_scoring *scoring)
{
    memset(c, 0, sizeof *c);
    c->system = system;
    c->scoring = scoring;
}

void ddn_candidates_fini(ddn_candidates *c)
{
    free(c->move);
    free(c->view_of);
    free(c->view);
    free(c->score);
    free(c->position);
    memset(c, 0, sizeof *c);
}

static int reserve_views(ddn_candidates *c, size_t views, dodona_error *err)
{
    if (views <= c->view_cap)
        return DODONA_OK;
    if (!ddn_reserve(&c->score, &c->score_cap, views * DDN_MAX_KINDS, sizeof *c->score))
        return ddn_fail_memory(err);
    int status = c->scoring->scorer->reserve(c->scoring, (int)views, err);
    if (status < 0)
        return status;
    if (!ddn_reserve(&c->view, &c->view_cap, views, sizeof *c->view))
        return ddn_fail_memory(err);
    c->view_cap = views; /* what the scorer has room for */
    return DODONA_OK;
}

int ddn_candidates_begin(ddn_candidates *c, const ddn_sentence *s, dodona_error *err)
{
    size_t moves = (size_t)ddn_moves_room(c->system, s->n);
    if (!ddn_reserve(&c->move, &c->move_cap, moves, sizeof *c->move) ||
        !ddn_reserve(&c->view_of, &c->view_of_cap, moves, sizeof *c->view_of) ||
        !ddn_reserve(&c->position, &c->position_cap, (size_t)s->n + 1, sizeof *c->position))
        return ddn_fail_memory(err);
    int status = reserve_views(c, 1, err);
    if (status < 0)
        return status;
    return c->scoring->scorer->begin(c->scoring, &s, 1, err);
}

static int32_t list(ddn_candidates *c, const ddn_state *s, ddn_move *move)
{
    int32_t count = ddn_system_moves(c->system, s, move, c->position);
    return c->constraint ? ddn_constraint_filter(c->constraint, s, move, count) : count;
}

bool ddn_candidates_list(ddn_candidates *c, const ddn_state *s)
{
    c->count = list(c, s, c->move);
    return c->count == 1 && ddn_system_arc(c->system, s, c->move[0]).head < 0;
}

/* Whether a move has a view of its own. */
static bool is_placed(const ddn_candidates *c, const ddn_state *s, ddn_move m)
{
    return m.pos >= 0 || (c->scoring->layout->arcs && ddn_system_arc(c->system, s, m).head >= 0);
}

/* The views of the candidates from number first on, which are moves of s. */
static int fill_views(ddn_candidates *c, const ddn_state *s, int32_t first, dodona_error *err)
{
    const ddn_layout *layout = c->scoring->layout;
    int32_t base = c->views, views = base + 1;
    for (int32_t i = first; i < c->count; i++)
        c->view_of[i] = is_placed(c, s, c->move[i]) ? views++ : base;
    int status = reserve_views(c, (size_t)views, err);
    if (status < 0)
        return status;
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

int ddn_candidates_score(ddn_candidates *c, const ddn_state *s, dodona_error *err)
{
    c->views = 0;
    int status = fill_views(c, s, 0, err);
    if (status >= 0)
        ddn_candidates_score_all(c);
    return status;
}

void ddn_candidates_clear(ddn_candidates *c)
{
    c->count = c->views = 0;
}

int ddn_candidates_add(ddn_candidates *c, const ddn_state *s, dodona_error *err)
{
    int32_t first = c->count;
    size_t moves = (size_t)first + (size_t)ddn_moves_room(c->system, s->n);
    if (!ddn_reserve(&c->move, &c->move_cap, moves, sizeof *c->move) ||
        !ddn_reserve(&c->view_of, &c->view_of_cap, moves, sizeof *c->view_of))
        return ddn_fail_memory(err);
    c->count += list(c, s, c->move + first);
    return fill_views(c, s, first, err);
}

void ddn_candidates_score_all(ddn_candidates *c)
{
    c->scoring->scorer->kinds(c->scoring, 0, c->view, c->views, c->score);
}

int32_t ddn_candidates_best(const ddn_candidates *c)
{
    int32_t top = 0;
    for (int32_t i = 1; i < c->count; i++)
        if (ddn_candidates_score_of(c, i) > ddn_candidates_score_of(c, top))
            top = i;
    return top;
}

typedef struct candidate {
    const ddn_candidates *c;
    int32_t i;
} candidate;

static ddn_score label_score(const void *ctx, uint16_t label)
{
    const candidate *x = ctx;
    ddn_scoring *g = x->c->scoring;
    return g->scorer->label_score(g, x->c->view_of[x->i], x->c->move[x->i].kind, label);
}

uint16_t ddn_candidates_label(const ddn_candidates *c, const ddn_state *s, int32_t i,
                              ddn_score *score)
{
    ddn_move m = c->move[i];
    ddn_arc arc = ddn_system_arc(c->system, s, m);
    if (arc.head < 0) {
        *score = 0;
        return 0;
    }
    uint16_t liked = c->scoring->scorer->label(c->scoring, c->view_of[i], m.kind, arc, score);
    if (!c->constraint)
        return liked;
    return ddn_constraint_label(c->constraint, arc, liked, label_score, &(candidate){ c, i },
                                score);
}
