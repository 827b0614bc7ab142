/* SPDX-License-Identifier: MIT */
/* trace_read.c - traces, by jansson.  Numbers are checked before anything is done with them. */
#include "io/trace_read.h"

#include "core/array.h"
#include "io/json_value.h"

#include <stdlib.h>
#include <string.h>

void ddn_trace_init(ddn_trace *t)
{
    memset(t, 0, sizeof *t);
}

void ddn_trace_fini(ddn_trace *t)
{
    free(t->move);
    free(t->arc);
    ddn_trace_init(t);
}

static bool take_node(const json_t *value, int32_t least, int32_t most, int32_t *out)
{
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < least || number > most)
        return false;
    *out = (int32_t)number;
    return true;
}

/* The arcs of a move under a name, which it need not have; *count: how many. */
static int take_arcs(ddn_trace *t, const json_t *move, const char *name, size_t *count,
                     dodona_error *err)
{
    const json_t *arcs = json_object_get(move, name);
    *count = json_array_size(arcs);
    if (arcs && !json_is_array(arcs))
        return ddn_fail(err, DODONA_E_INPUT, "\"%s\" of a move is not an array", name);
    if (!ddn_reserve(&t->arc, &t->arc_cap, t->arcs + *count, sizeof *t->arc))
        return ddn_fail_memory(err);
    for (size_t i = 0; i < *count; i++) {
        const json_t *arc = json_array_get(arcs, i);
        ddn_trace_arc a;
        if (!take_node(json_array_get(arc, 0), 0, t->words, &a.head) ||
            !take_node(json_array_get(arc, 1), 1, t->words, &a.child))
            return ddn_fail(err, DODONA_E_INPUT,
                            "\"%s\" of a move has something that is not an arc "
                            "[head, child, label] of a sentence of %d words",
                            name, (int)t->words);
        t->arc[t->arcs++] = a;
    }
    return DODONA_OK;
}

static int take_move(ddn_trace *t, const json_t *object, dodona_error *err)
{
    ddn_trace_move m = { .first = t->arcs };
    if (!json_is_object(object))
        return ddn_fail(err, DODONA_E_INPUT, "\"moves\" has something that is not an object");
    int status = take_arcs(t, object, "made", &m.made, err);
    if (status >= 0)
        status = take_arcs(t, object, "removed", &m.removed, err);
    if (status < 0 || m.made + m.removed == 0)
        return status;
    if (!ddn_reserve(&t->move, &t->move_cap, t->moves + 1, sizeof *t->move))
        return ddn_fail_memory(err);
    t->move[t->moves++] = m;
    return DODONA_OK;
}

static int take_trace(ddn_trace *t, const json_t *object, dodona_error *err)
{
    const json_t *moves = json_object_get(object, "moves");
    int status = DODONA_OK;
    t->moves = t->arcs = 0;
    if (!take_node(json_object_get(object, "words"), 1, DODONA_MAX_WORDS, &t->words))
        return ddn_fail(err, DODONA_E_INPUT, "\"words\" is not a number of words; expected 1 to %d",
                        DODONA_MAX_WORDS);
    if (!json_is_array(moves))
        return ddn_fail(err, DODONA_E_INPUT, "there is no array \"moves\"");
    for (size_t i = 0; i < json_array_size(moves) && status >= 0; i++)
        status = take_move(t, json_array_get(moves, i), err);
    return status;
}

int ddn_trace_read(ddn_trace *t, dodona_text json, dodona_error *err)
{
    json_t *object;
    int status = ddn_json_object(json, 0, &object, err);
    if (status < 0)
        return status;
    status = take_trace(t, object, err);
    json_decref(object);
    return status;
}
