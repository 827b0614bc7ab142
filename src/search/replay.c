/* SPDX-License-Identifier: MIT */
/* replay.c - scores the moves of a known derivation one at a time. */
#include "search/replay.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

void ddn_replay_init(ddn_replay *r, ddn_pass *pass)
{
    memset(r, 0, sizeof *r);
    r->system = pass->model->schema->system;
    r->pass = pass;
    ddn_state_init(&r->state);
}

void ddn_replay_fini(ddn_replay *r)
{
    ddn_state_fini(&r->state);
    free(r->labels);
}

int ddn_replay_start(ddn_replay *r, int sentence, int32_t n, ddn_roots roots, dodona_error *err)
{
    size_t labels = r->pass->model->schema->labels.count;
    if (!ddn_reserve(&r->labels, &r->labels_cap, labels, sizeof *r->labels))
        return ddn_fail_memory(err);
    r->sentence = sentence;
    return ddn_state_start(&r->state, n, roots, err);
}

int ddn_replay_score(ddn_replay *r, ddn_move m, ddn_score *total, dodona_error *err)
{
    const ddn_scorer *scorer = r->pass->model->scorer;
    const ddn_layout *layout = r->pass->model->layout;
    ddn_score score[2 * DDN_MAX_KINDS];
    ddn_arc arc = ddn_system_arc(r->system, &r->state, m);
    int last = m.pos >= 0 || (layout->arcs && arc.head >= 0);
    ddn_view_fill(layout, &r->state, -1, -1, &r->view[0]);
    if (last)
        ddn_view_fill_placed(layout, &r->state, m.pos, arc.head, arc.child, r->view, 1);
    for (int v = 0; v <= last; v++)
        r->query[v] = (ddn_query){ r->sentence, &r->view[v] };
    int status = scorer->moves(r->pass, r->query, last + 1, score, err);
    if (status < 0)
        return status;
    r->arc = (ddn_arc_query){ last, r->sentence, m.kind, arc };
    *total = score[last * DDN_MAX_KINDS + m.kind];
    if (arc.head >= 0) {
        scorer->labels(r->pass, &r->arc, r->labels);
        *total += r->labels[m.label];
    }
    return DODONA_OK;
}

void ddn_replay_make(ddn_replay *r, ddn_move m)
{
    r->system->apply(&r->state, m, NULL);
}
