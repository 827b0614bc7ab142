/* SPDX-License-Identifier: MIT */
/* trace.c - moves replayed from the start, each with what it changed.
 *
 * What a move made and took away is read off its undo, not off its kind: a non-monotonic move may
 * give a word another head, take the head of a second word to break a cycle, or make an arc under a
 * name that makes none elsewhere.  A word in the undo had the head that is noted there and has now
 * the one in the state.  Linear in the moves, for systems without positions. */
#include "search/trace.h"

#include "core/array.h"
#include "io/json_write.h"
#include "io/text_write.h"

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

/* From 1, among the positions of its kind. */
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
static void put_arcs(ddn_output *o, const ddn_schema *schema, const ddn_state *s,
                     const ddn_undo *undo, bool made)
{
    int count = 0;
    for (int i = 0; i < undo->arcs; i++) {
        int32_t child = undo->arc[i].child;
        int32_t head = made ? s->node[child].head : undo->arc[i].head;
        uint16_t label = made ? s->node[child].label : undo->arc[i].label;
        if (head < 0)
            continue;
        ddn_puts(o, count++ ? ",[" : made ? ",\"made\":[[" : ",\"removed\":[[");
        ddn_put_int(o, head);
        ddn_puts(o, ",");
        ddn_put_int(o, child);
        ddn_puts(o, ",");
        ddn_json_put_string(o, ddn_intern_text(&schema->labels, label));
        ddn_puts(o, "]");
    }
    if (count)
        ddn_puts(o, "]");
}

/* Makes the move and puts it. */
static void put_move(ddn_tracer *t, ddn_output *o, const ddn_schema *schema, ddn_move m)
{
    const ddn_system *system = schema->system;
    ddn_undo undo;
    ddn_puts(o, "{\"move\":\"");
    ddn_puts(o, system->kind[m.kind].name);
    if (m.pos >= 0) {
        ddn_puts(o, ":");
        ddn_put_int(o, place_of(t, system, m));
    }
    ddn_puts(o, "\"");
    system->apply(&t->state, m, &undo);
    put_arcs(o, schema, &t->state, &undo, true);
    put_arcs(o, schema, &t->state, &undo, false);
    ddn_puts(o, "}");
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
    ddn_puts(o, "{\"sentence\":");
    ddn_put_int(o, number);
    if (id.size) {
        ddn_puts(o, ",\"sent_id\":");
        ddn_json_put_string(o, id);
    }
    ddn_puts(o, ",\"system\":\"");
    ddn_puts(o, schema->system->name);
    ddn_puts(o, "\",\"words\":");
    ddn_put_int(o, s->n);
    ddn_puts(o, ",\"moves\":[");
    for (size_t i = 0; i < w->moves; i++) {
        ddn_puts(o, i ? "," : "");
        put_move(t, o, schema, w->move[i]);
    }
    ddn_puts(o, "]}\n");
    return DODONA_OK;
}
