/* SPDX-License-Identifier: MIT */
/* Sums that are kept against sums that are not: a scoring that expects many views at a time, and
 * one that expects one, over the same weights.  Views are those of random computations, many of a
 * sentence in a call, so that they share words; some calls have more than the memo has room for. */
#include "lib/check.h"
#include "lib/features.h"
#include "model/builtin.h"
#include "model/perceptron.h"

#include <stdlib.h>
#include <string.h>

enum { LABELS = 5, WORDS = 40, VIEWS = 24, UPDATES = 300 };

typedef struct scene {
    const ddn_system *system;
    ddn_schema schema;
    ddn_sentence s;
    ddn_output table, pool;
    ddn_frozen frozen;
    ddn_rng rng;
    ddn_state state;
} scene;

/* A configuration some random moves from the start. */
static void wander(scene *c)
{
    ddn_move moves[DDN_MAX_KINDS];
    int32_t scratch[WORDS + 2], steps = (int32_t)ddn_rng_below(&c->rng, 2 * WORDS);
    assert_int_equal(ddn_state_start(&c->state, c->s.n, DDN_ROOTS_ONE, NULL), 0);
    while (steps-- > 0 && !c->system->final(&c->state)) {
        int32_t count = ddn_system_moves(c->system, &c->state, moves, scratch);
        ddn_move m = moves[ddn_rng_below(&c->rng, (uint64_t)count)];
        m.label = (uint16_t)ddn_rng_below(&c->rng, LABELS);
        c->system->apply(&c->state, m, NULL);
    }
}

/* Random weights for features of random configurations. */
static void learn(scene *c)
{
    ddn_learner *l;
    const ddn_sentence *s = &c->s;
    ddn_frozen_size size;
    assert_int_equal(ddn_learner_new(&c->schema, &l, NULL), 0);
    ddn_scoring *g = ddn_learner_scoring(l);
    assert_int_equal(g->scorer->reserve(g, 1, NULL), 0);
    for (int i = 0; i < UPDATES; i++) {
        ddn_score score[DDN_MAX_KINDS];
        ddn_view view;
        wander(c);
        assert_int_equal(g->scorer->begin(g, &s, 1, NULL), 0);
        ddn_view_fill(g->layout, &c->state, -1, -1, &view);
        g->scorer->kinds(g, 0, &view, 1, score);
        int kind = (int)ddn_rng_below(&c->rng, (uint64_t)c->system->kinds);
        int delta = (int)ddn_rng_below(&c->rng, 9) - 4;
        assert_int_equal(ddn_learner_move(l, 0, kind, delta, NULL), 0);
        if (c->system->kind[kind].makes_arc) {
            uint16_t label = (uint16_t)ddn_rng_below(&c->rng, LABELS);
            assert_int_equal(ddn_learner_label(l, 0, kind, label, delta, NULL), 0);
        }
        ddn_learner_weights(l)->steps++;
    }
    assert_int_equal(
        ddn_frozen_build(ddn_learner_weights(l), 1 << 24, &c->table, &c->pool, &size, NULL), 0);
    assert_int_equal(ddn_frozen_check(&c->frozen, c->system->kinds, ddn_schema_classes(&c->schema),
                                      c->table.data, c->table.size, c->pool.data, c->pool.size,
                                      NULL),
                     0);
    ddn_learner_free(l);
}

static void same_scores(scene *c, ddn_scoring *one, ddn_scoring *many, int views)
{
    static ddn_view view[64];
    static ddn_score score[64 * DDN_MAX_KINDS];
    int nonzero = 0;
    for (int v = 0; v < views; v++) {
        wander(c);
        ddn_view_fill(one->layout, &c->state, -1, -1, &view[v]);
    }
    many->scorer->kinds(many, 0, view, views, score);
    for (int v = 0; v < views; v++) {
        ddn_score alone[DDN_MAX_KINDS], a, b;
        one->scorer->kinds(one, 0, &view[v], 1, alone);
        for (int k = 0; k < c->system->kinds; k++) {
            assert_true(alone[k] == score[v * DDN_MAX_KINDS + k]);
            nonzero += alone[k] != 0;
            if (!c->system->kind[k].makes_arc)
                continue;
            ddn_arc arc = { (int32_t)ddn_rng_below(&c->rng, 2), 1 };
            assert_int_equal(one->scorer->label(one, 0, k, arc, &a),
                             many->scorer->label(many, v, k, arc, &b));
            assert_true(a == b);
            for (uint16_t l = 0; l < LABELS; l++)
                assert_true(one->scorer->label_score(one, 0, k, l) ==
                            many->scorer->label_score(many, v, k, l));
        }
    }
    assert_true(nonzero > 0);
}

static void check(const ddn_system *system, const char *text, uint64_t seed)
{
    static scene c;
    ddn_scoring *one, *many;
    memset(&c, 0, sizeof c);
    c.system = system;
    ddn_rng_init(&c.rng, seed);
    ddn_schema_init(&c.schema);
    ddn_sentence_init(&c.s);
    ddn_state_init(&c.state);
    ddn_output_memory(&c.table);
    ddn_output_memory(&c.pool);
    assert_int_equal(ddn_schema_set(&c.schema, system, text, strlen(text), "x", NULL), 0);
    for (int l = 0; l < LABELS; l++) {
        char name[2] = { (char)('a' + l), 0 };
        assert_int_equal(
            ddn_schema_add_label(&c.schema, (dodona_text){ name, 1 }, l == 0 ? 3 : 1 + l % 2, NULL),
            0);
    }
    test_few_words(&c.rng, WORDS, &c.s);
    learn(&c);
    const ddn_sentence *s = &c.s;
    assert_int_equal(ddn_perceptron_scoring(&c.schema, &c.frozen, &one, NULL), 0);
    assert_int_equal(ddn_perceptron_scoring(&c.schema, &c.frozen, &many, NULL), 0);
    assert_int_equal(one->scorer->reserve(one, 1, NULL), 0);
    for (int i = 0; i < 3; i++) {
        test_few_words(&c.rng, WORDS - i, &c.s);
        assert_int_equal(one->scorer->begin(one, &s, 1, NULL), 0);
        assert_int_equal(many->scorer->begin(many, &s, 1, NULL), 0);
        int views = i == 1 ? 64 : VIEWS;
        assert_int_equal(many->scorer->reserve(many, views, NULL), 0);
        for (int call = 0; call < 12; call++)
            same_scores(&c, one, many, views);
    }
    one->scorer->close(one);
    many->scorer->close(many);
    ddn_output_abandon(&c.table);
    ddn_output_abandon(&c.pool);
    ddn_state_fini(&c.state);
    ddn_sentence_fini(&c.s);
    ddn_schema_fini(&c.schema);
}

static void kept_sums_are_the_same(void **state)
{
    (void)state;
    for (int i = 0; ddn_systems[i]; i++)
        for (int j = 0; ddn_builtin_templates[j].name && !ddn_systems[i]->positions; j++)
            if (!strstr(ddn_builtin_templates[j].text, "[arcs]")) /* scored by arcs.c */
                check(ddn_systems[i], ddn_builtin_templates[j].text, (uint64_t)(10 * i + j));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(kept_sums_are_the_same) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
