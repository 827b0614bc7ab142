/* SPDX-License-Identifier: MIT */
/* replay.c - as a search scores a move, but for one move at a time. */
#include "search/replay.h"

void ddn_replay_init(ddn_replay *r, const ddn_system *system, ddn_scoring *scoring)
{
    r->system = system;
    r->scoring = scoring;
    ddn_state_init(&r->state);
}

void ddn_replay_fini(ddn_replay *r)
{
    ddn_state_fini(&r->state);
}

int ddn_replay_start(ddn_replay *r, const ddn_sentence *s, ddn_roots roots, dodona_error *err)
{
    const ddn_scorer *scorer = r->scoring->scorer;
    int status = scorer->reserve(r->scoring, 2, err);
    if (status >= 0)
        status = scorer->begin(r->scoring, &s, 1, err);
    return status < 0 ? status : ddn_state_start(&r->state, s->n, roots, err);
}

ddn_score ddn_replay_score(ddn_replay *r, ddn_move m)
{
    const ddn_scorer *scorer = r->scoring->scorer;
    const ddn_layout *layout = r->scoring->layout;
    ddn_score score[2 * DDN_MAX_KINDS];
    ddn_arc arc = ddn_system_arc(r->system, &r->state, m);
    r->at = m.pos >= 0 || (layout->arcs && arc.head >= 0);
    ddn_view_fill(layout, &r->state, -1, -1, &r->view[0]);
    if (r->at)
        ddn_view_fill_placed(layout, &r->state, m.pos, arc.head, arc.child, r->view, 1);
    scorer->kinds(r->scoring, 0, r->view, r->at + 1, score);
    ddn_score total = score[r->at * DDN_MAX_KINDS + m.kind];
    if (arc.head >= 0)
        total += scorer->label_score(r->scoring, r->at, m.kind, m.label);
    return total;
}

void ddn_replay_make(ddn_replay *r, ddn_move m)
{
    r->system->apply(&r->state, m, NULL);
}
