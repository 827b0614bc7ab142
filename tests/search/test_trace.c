/* SPDX-License-Identifier: MIT */
/* Traces: lines that were written by hand, and random walks through every system, whose arcs are
 * added up from the trace alone and must give the tree in which the walk ended. */
#include "core/rng.h"
#include "io/trace_read.h"
#include "lib/check.h"
#include "search/trace.h"
#include <stdlib.h>
#include <string.h>

static void start(ddn_schema *schema, const ddn_system *system)
{
    ddn_schema_init(schema);
    schema->system = system;
    assert_int_equal(ddn_schema_add_label(schema, (dodona_text){ "a", 1 }, 3, NULL), 0);
    assert_int_equal(ddn_schema_add_label(schema, (dodona_text){ "\"b\"", 3 }, 3, NULL), 0);
}

/* The line of these moves, for a sentence of n words. */
static void trace_is(const ddn_system *system, int32_t n, ddn_move *move, size_t moves,
                     const char *want)
{
    ddn_schema schema;
    ddn_tracer tracer;
    ddn_output o;
    ddn_sentence s = { .n = n };
    ddn_searching w = { .system = system, .roots = DDN_ROOTS_ONE, .move = move, .moves = moves };
    start(&schema, system);
    ddn_tracer_init(&tracer);
    ddn_output_memory(&o);
    assert_int_equal(ddn_trace_put(&tracer, &o, &schema, &w, &s, 7, NULL), 0);
    ddn_put(&o, "", 1);
    assert_string_equal(o.data, want);
    ddn_output_abandon(&o);
    ddn_tracer_fini(&tracer);
    ddn_schema_fini(&schema);
}

/* Words 2 and 3 are hung below what is left of them; right-arc:2 is from the second node of the
 * right spine 1 -> 2. */
static void places_on_a_spine(void **state)
{
    (void)state;
    const ddn_system *system = ddn_system_find("lr-spine");
    enum { RA = 1, SH = 2 };
    assert_string_equal(system->kind[RA].name, "right-arc");
    assert_string_equal(system->kind[SH].name, "shift");
    ddn_move move[] = { { SH, 0, -1 }, { SH, 0, -1 }, { RA, 1, 1 },
                        { SH, 0, -1 }, { RA, 0, 2 },  { RA, 0, 0 } };
    trace_is(system, 3, move, 6,
             "{\"sentence\":7,\"system\":\"lr-spine\",\"words\":3,\"moves\":[{\"move\":\"shift\"},"
             "{\"move\":\"shift\"},{\"move\":\"right-arc:1\",\"made\":[[1,2,\"\\\"b\\\"\"]]},"
             "{\"move\":\"shift\"},{\"move\":\"right-arc:2\",\"made\":[[2,3,\"a\"]]},"
             "{\"move\":\"right-arc:1\",\"made\":[[0,1,\"a\"]]}]}\n");
}

/* A system that changes its mind: put gives the next word the head 0; hang gives it to word 1 as a
 * head and takes the head of word 2. */
enum { PUT, HANG };

static void toy_apply(ddn_state *s, ddn_move m, ddn_undo *undo)
{
    ddn_undo_begin(s, undo);
    if (m.kind == PUT) {
        ddn_state_attach(s, 0, s->next, m.label, undo);
    } else {
        ddn_state_attach(s, s->next, 1, m.label, undo);
        ddn_state_detach(s, 2, undo);
    }
    ddn_state_push(s);
}

static void what_was_taken_away(void **state)
{
    (void)state;
    static const ddn_system toy = { .name = "toy",
                                    .kinds = 2,
                                    .kind = { { .name = "put", .makes_arc = true },
                                              { .name = "hang", .makes_arc = true } },
                                    .apply = toy_apply };
    ddn_move move[] = { { PUT, 0, -1 }, { PUT, 1, -1 }, { HANG, 0, -1 }, { HANG, 1, -1 } };
    trace_is(&toy, 4, move, 4,
             "{\"sentence\":7,\"system\":\"toy\",\"words\":4,\"moves\":["
             "{\"move\":\"put\",\"made\":[[0,1,\"a\"]]},"
             "{\"move\":\"put\",\"made\":[[0,2,\"\\\"b\\\"\"]]},"
             "{\"move\":\"hang\",\"made\":[[3,1,\"a\"]],\"removed\":[[0,1,\"a\"],"
             "[0,2,\"\\\"b\\\"\"]]},"
             "{\"move\":\"hang\",\"made\":[[4,1,\"\\\"b\\\"\"]],\"removed\":[[3,1,\"a\"]]}]}\n");
}

/* ---- Walks ---- */

enum { WORDS = 12 };

static void walk(const ddn_system *system, ddn_searching *w, ddn_rng *r, int32_t n)
{
    ddn_move move[DDN_MAX_KINDS * (WORDS + 1)];
    int32_t scratch[WORDS + 1];
    w->moves = 0;
    assert_int_equal(ddn_state_start(&w->state, n, w->roots, NULL), 0);
    while (!system->final(&w->state)) {
        int32_t count = ddn_system_moves(system, &w->state, move, scratch);
        assert_true(count > 0);
        ddn_move m = move[ddn_rng_below(r, (uint64_t)count)];
        m.label = (uint16_t)ddn_rng_below(r, 2);
        system->apply(&w->state, m, NULL);
        assert_int_equal(ddn_searching_note(w, m, NULL), 0);
    }
}

static void add_up(const ddn_trace *t, int32_t *head)
{
    for (int32_t i = 1; i <= t->words; i++)
        head[i] = -1;
    for (size_t i = 0; i < t->moves; i++) {
        const ddn_trace_move *m = &t->move[i];
        for (size_t k = m->first + m->made; k < m->first + m->made + m->removed; k++) {
            assert_int_equal(head[t->arc[k].child], t->arc[k].head);
            head[t->arc[k].child] = -1;
        }
        for (size_t k = m->first; k < m->first + m->made; k++) {
            assert_int_equal(head[t->arc[k].child], -1);
            head[t->arc[k].child] = t->arc[k].head;
        }
    }
}

static void arcs_add_up_to_the_tree(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_rng_init(&r, 3);
    for (int i = 0; ddn_systems[i]; i++) {
        ddn_schema schema;
        ddn_tracer tracer;
        ddn_output o;
        ddn_trace trace;
        ddn_searching w = { .system = ddn_systems[i], .keeps_moves = true };
        start(&schema, ddn_systems[i]);
        ddn_tracer_init(&tracer);
        ddn_output_memory(&o);
        ddn_trace_init(&trace);
        for (int round = 0; round < 200; round++) {
            ddn_sentence s = { .n = 1 + round % WORDS };
            int32_t head[WORDS + 1];
            w.roots = round % 3 ? DDN_ROOTS_ONE : DDN_ROOTS_MANY;
            walk(ddn_systems[i], &w, &r, s.n);
            o.size = 0;
            assert_int_equal(ddn_trace_put(&tracer, &o, &schema, &w, &s, round, NULL), 0);
            assert_int_equal(ddn_trace_read(&trace, (dodona_text){ o.data, o.size }, NULL), 0);
            assert_int_equal(trace.words, s.n);
            add_up(&trace, head);
            for (int32_t d = 1; d <= s.n; d++)
                assert_int_equal(head[d], w.state.node[d].head);
        }
        ddn_trace_fini(&trace);
        ddn_output_abandon(&o);
        ddn_tracer_fini(&tracer);
        ddn_schema_fini(&schema);
        ddn_searching_fini(&w);
    }
}

/* A search that makes no moves is refused by name. */
static void nothing_to_trace(void **state)
{
    (void)state;
    static const ddn_search none = { .name = "dreaming" };
    ddn_schema schema;
    ddn_tracer tracer;
    ddn_output o;
    ddn_sentence s = { .n = 2 };
    ddn_searching w = { .search = &none, .system = ddn_systems[0] };
    dodona_error err = { 0 };
    start(&schema, ddn_systems[0]);
    ddn_tracer_init(&tracer);
    ddn_output_memory(&o);
    assert_int_equal(ddn_trace_put(&tracer, &o, &schema, &w, &s, 1, &err), DODONA_E_ARGUMENT);
    assert_non_null(strstr(err.message, "dreaming"));
    assert_int_equal(o.size, 0);
    ddn_tracer_fini(&tracer);
    ddn_schema_fini(&schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_on_a_spine),
        cmocka_unit_test(what_was_taken_away),
        cmocka_unit_test(arcs_add_up_to_the_tree),
        cmocka_unit_test(nothing_to_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
