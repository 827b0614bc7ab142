/* SPDX-License-Identifier: MIT */
/* trace.c - moves replayed from the start, each with what it changed.
 *
 * What a move made and took away is read from its undo, not from its transition type: a
 * non-monotonic move may give a word another head, take the head of a second word to break a cycle,
 * or make an arc under a name that makes none elsewhere.  A word in the undo had the head that is
 * noted there and has now the one in the state.  Linear in the moves, for systems without
 * positions. */
#include "search/trace.h"

#include "core/array.h"
#include "core/json.h"
#include "io/comments.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void ddn_tracer_init(ddn_tracer *t)
{
    memset(t, 0, sizeof *t);
    ddn_state_init(&t->state);
}

void ddn_tracer_fini(ddn_tracer *t)
{
    ddn_state_fini(&t->state);
    free(t->position);
    ddn_tracer_init(t);
}

/* From 1, among the positions of its transition type. */
static int32_t place_of(ddn_tracer *t, const ddn_system *system, ddn_move m)
{
    int32_t count = system->positions(&t->state, m.kind, t->position);
    for (int32_t i = 0; i < count; i++)
        if (t->position[i] == m.pos)
            return i + 1;
    assert(!"a move that is not legal");
    return 0;
}

/* The arcs that a move made, or those that it took away. */
static void put_arcs(ddn_json *j, const ddn_schema *schema, const ddn_state *s,
                     const ddn_undo *undo, bool made)
{
    bool begun = false;
    for (int i = 0; i < undo->arcs; i++) {
        int32_t child = undo->arc[i].child;
        int32_t head = made ? s->node[child].head : undo->arc[i].head;
        uint16_t label = made ? s->node[child].label : undo->arc[i].label;
        if (head < 0)
            continue;
        if (!begun)
            ddn_json_begin(ddn_json_key(j, made ? "made" : "removed"), '[');
        begun = true;
        ddn_json_begin(j, '[');
        ddn_json_int(j, head);
        ddn_json_int(j, child);
        ddn_json_text(j, ddn_intern_text(&schema->labels, label));
        ddn_json_end(j, ']');
    }
    if (begun)
        ddn_json_end(j, ']');
}

/* Makes the move and puts it. */
static void put_move(ddn_tracer *t, ddn_json *j, const ddn_schema *schema, ddn_move m)
{
    const ddn_system *system = schema->system;
    char name[DDN_MOVE_NAME];
    ddn_undo undo;
    ddn_json_begin(j, '{');
    ddn_move_name(system, m.kind, m.pos >= 0 ? place_of(t, system, m) : 0, name);
    ddn_json_string(ddn_json_key(j, "move"), name);
    system->apply(&t->state, m, &undo);
    put_arcs(j, schema, &t->state, &undo, true);
    put_arcs(j, schema, &t->state, &undo, false);
    ddn_json_end(j, '}');
}

int ddn_trace_put(ddn_tracer *t, ddn_output *o, const ddn_schema *schema, const ddn_searching *w,
                  const ddn_sentence *s, int64_t number, dodona_error *err)
{
    if (w->moves == 0)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "%s search makes no moves, so there is nothing to trace", w->search->name);
    if (!ddn_reserve(&t->position, &t->position_cap, (size_t)s->n + 1, sizeof *t->position))
        return ddn_fail_memory(err);
    int status = ddn_state_start(&t->state, s->n, w->roots, err);
    if (status < 0)
        return status;
    dodona_text id = ddn_sentence_comment(s, "sent_id");
    ddn_json j = { .out = o };
    ddn_json_begin(&j, '{');
    ddn_json_int(ddn_json_key(&j, "sentence"), number);
    if (id.size)
        ddn_json_text(ddn_json_key(&j, "sent_id"), id);
    ddn_json_string(ddn_json_key(&j, "system"), schema->system->name);
    ddn_json_int(ddn_json_key(&j, "words"), s->n);
    ddn_json_begin(ddn_json_key(&j, "moves"), '[');
    for (size_t i = 0; i < w->moves; i++)
        put_move(t, &j, schema, w->move[i]);
    ddn_json_end(&j, ']');
    ddn_json_end(&j, '}');
    ddn_puts(o, "\n");
    return DODONA_OK;
}
