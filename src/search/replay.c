/* SPDX-License-Identifier: MIT */
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
    int status = scorer->reserve(r->scoring, 1, err);
    if (status >= 0)
        status = scorer->begin(r->scoring, &s, 1, err);
    return status < 0 ? status : ddn_state_start(&r->state, s->n, roots, err);
}

ddn_score ddn_replay_score(ddn_replay *r, ddn_move m)
{
    const ddn_scorer *scorer = r->scoring->scorer;
    ddn_score score[DDN_MAX_KINDS];
    bool makes_arc = r->system->kind[m.kind].makes_arc;
    int32_t child = -1;
    if (m.pos >= 0 && makes_arc)
        child = r->system->arc(&r->state, m.kind, m.pos).child;
    ddn_view_fill(r->scoring->layout, &r->state, m.pos, child, &r->view);
    scorer->kinds(r->scoring, 0, &r->view, 1, score);
    if (!makes_arc)
        return score[m.kind];
    return score[m.kind] + scorer->label_score(r->scoring, 0, m.kind, m.label);
}

void ddn_replay_make(ddn_replay *r, ddn_move m)
{
    r->system->apply(&r->state, m, NULL);
}
