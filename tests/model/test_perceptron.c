/* SPDX-License-Identifier: MIT */
/* Which templates speak about moves and which about labels, while learning and when frozen.
 *
 * One update adds 1 to every feature that is asked, and the features of a view have different keys.
 * So a score afterwards counts the templates that took part: those of [both] and [moves] for a
 * move, those of [both] and [labels] for a label, and those that see p only in a view that has a p.
 */
#include "lib/check.h"
#include "model/perceptron.h"
#include "system/kinds.h"
#include <string.h>

enum { BOTH = 1, MOVES = 2, LABELS = 3, WORDS = 3, LABEL = 1 };
enum { P_BOTH = 2, P_MOVES = 1, P_LABELS = 1, VIEWS = 3, WITH_P = 2 };

static const char templates[] = "s0.w\np.w\np.t+s0.l\n[moves]\nq0.w\nq0.t\np.w+d(p,q0)\n"
                                "[labels]\ns0.t\ns0.m\ns0.w+q0.w\np.m+s0.w\n";

typedef struct scene {
    ddn_schema schema;
    ddn_sentence s;
    ddn_state state;
    ddn_learner *learner;
    ddn_output table, pool;
    ddn_frozen frozen;
} scene;

static dodona_text text(const char *t)
{
    return (dodona_text){ t, strlen(t) };
}

static void begin(scene *c)
{
    static const char *const form[WORDS] = { "oaks", "do", "speak" };
    memset(c, 0, sizeof *c);
    ddn_schema_init(&c->schema);
    ddn_sentence_init(&c->s);
    ddn_state_init(&c->state);
    ddn_output_memory(&c->table);
    ddn_output_memory(&c->pool);
    assert_int_equal(ddn_schema_set(&c->schema, ddn_system_find("arc-hybrid"), templates,
                                    strlen(templates), "x", NULL),
                     0);
    assert_int_equal(ddn_schema_add_label(&c->schema, text("a"), 3, NULL), 0);
    assert_int_equal(ddn_schema_add_label(&c->schema, text("b"), 3, NULL), 0);
    for (int i = 0; i < WORDS; i++) {
        dodona_text col[DDN_COLUMNS] = {
            [DDN_FORM] = text(form[i]), [DDN_LEMMA] = text("lemma"), [DDN_UPOS] = text("UPOS")
        };
        assert_int_equal(ddn_sentence_word(&c->s, col, NULL), 0);
    }
    assert_int_equal(ddn_learner_new(&c->schema, &c->learner, NULL), 0);
    assert_int_equal(ddn_state_start(&c->state, WORDS, DDN_ROOTS_ONE, NULL), 0);
    c->schema.system->apply(&c->state, (ddn_move){ .kind = DDN_HYBRID_SHIFT, .pos = -1 }, NULL);
}

static void end(scene *c)
{
    ddn_learner_free(c->learner);
    ddn_output_abandon(&c->table);
    ddn_output_abandon(&c->pool);
    ddn_state_fini(&c->state);
    ddn_sentence_fini(&c->s);
    ddn_schema_fini(&c->schema);
}

/* Scores the scene as two configurations, of which only the second has a view with a p.  Before
 * that the second alone, so that its view with a p stood where now there is one without. */
static void score(scene *c, ddn_scoring *g, ddn_score *kinds)
{
    static ddn_view view[VIEWS];
    const ddn_sentence *s = &c->s;
    assert_int_equal(g->scorer->reserve(g, VIEWS, NULL), 0);
    assert_int_equal(g->scorer->begin(g, &s, 1, NULL), 0);
    ddn_view_fill(g->layout, &c->state, -1, -1, &view[0]);
    ddn_view_fill(g->layout, &c->state, -1, -1, &view[1]);
    ddn_view_fill_placed(g->layout, &c->state, WORDS, -1, -1, &view[1], 1);
    g->scorer->kinds(g, 0, &view[1], 2, kinds);
    g->scorer->kinds(g, 0, view, VIEWS, kinds);
}

static void check_label(scene *c, ddn_scoring *g, int v, int kind, int expected)
{
    ddn_score label;
    ddn_arc arc = c->schema.system->arc(&c->state, DDN_HYBRID_LEFT, -1);
    assert_int_equal(g->scorer->label(g, v, kind, arc, &label), expected ? LABEL : 0);
    assert_true(label == expected);
}

/* Left was learnt in a view without p, right in one with it. */
static void check(scene *c, ddn_scoring *g, int one)
{
    ddn_score kinds[VIEWS * DDN_MAX_KINDS];
    score(c, g, kinds);
    for (int v = 0; v < VIEWS; v++) {
        const ddn_score *of = kinds + v * DDN_MAX_KINDS;
        bool p = v == WITH_P;
        int p_move = p ? P_BOTH + P_MOVES : 0, p_label = p ? P_BOTH + P_LABELS : 0;
        assert_true(of[DDN_HYBRID_LEFT] == one * (BOTH + MOVES));
        assert_true(of[DDN_HYBRID_RIGHT] == one * (BOTH + MOVES + p_move));
        assert_true(of[DDN_HYBRID_SHIFT] == 0);
        check_label(c, g, v, DDN_HYBRID_LEFT, one * (BOTH + LABELS));
        check_label(c, g, v, DDN_HYBRID_RIGHT, one * (BOTH + LABELS + p_label));
    }
}

/* Labels of two views by turns: that of the scene, and that after another shift, which has only
 * s0.t and s0.m in common with it. */
static void check_by_turns(scene *c, ddn_scoring *g, int one)
{
    static ddn_view view[2];
    const ddn_sentence *s = &c->s;
    ddn_score kinds[2 * DDN_MAX_KINDS], label;
    ddn_arc arc = { 2, 1 };
    assert_int_equal(g->scorer->reserve(g, 2, NULL), 0);
    assert_int_equal(g->scorer->begin(g, &s, 1, NULL), 0);
    ddn_view_fill(g->layout, &c->state, -1, -1, &view[0]);
    c->schema.system->apply(&c->state, (ddn_move){ .kind = DDN_HYBRID_SHIFT, .pos = -1 }, NULL);
    ddn_view_fill(g->layout, &c->state, -1, -1, &view[1]);
    g->scorer->kinds(g, 0, view, 2, kinds);
    for (int i = 0; i < 6; i++) {
        int v = i / 2 % 2;
        assert_int_equal(g->scorer->label(g, v, DDN_HYBRID_LEFT, arc, &label), LABEL);
        assert_true(label == one * (v ? 2 : BOTH + LABELS));
        assert_true(g->scorer->label_score(g, !v, DDN_HYBRID_LEFT, LABEL) ==
                    one * (v ? BOTH + LABELS : 2));
    }
}

static void templates_speak_about_what_they_are_for(void **state)
{
    (void)state;
    scene c;
    ddn_score unused[VIEWS * DDN_MAX_KINDS];
    ddn_frozen_size size;
    ddn_scoring *reading;
    begin(&c);
    ddn_scoring *learning = ddn_learner_scoring(c.learner);
    score(&c, learning, unused);
    assert_int_equal(ddn_learner_move(c.learner, 1, DDN_HYBRID_LEFT, 1, NULL), 0);
    assert_int_equal(ddn_learner_label(c.learner, 1, DDN_HYBRID_LEFT, LABEL, 1, NULL), 0);
    assert_int_equal(ddn_learner_move(c.learner, WITH_P, DDN_HYBRID_RIGHT, 1, NULL), 0);
    assert_int_equal(ddn_learner_label(c.learner, WITH_P, DDN_HYBRID_RIGHT, LABEL, 1, NULL), 0);
    ddn_learner_weights(c.learner)->steps++; /* the average over one step is the weight itself */
    check(&c, learning, 1);
    assert_int_equal(
        ddn_frozen_build(ddn_learner_weights(c.learner), 1 << 20, &c.table, &c.pool, &size, NULL),
        0);
    assert_int_equal(ddn_frozen_check(&c.frozen, c.schema.system->kinds,
                                      ddn_schema_classes(&c.schema), c.table.data, c.table.size,
                                      c.pool.data, c.pool.size, NULL),
                     0);
    assert_int_equal(ddn_perceptron_scoring(&c.schema, &c.frozen, &reading, NULL), 0);
    check(&c, reading, size.scale);
    check_by_turns(&c, reading, size.scale);
    reading->scorer->close(reading);
    assert_int_equal(ddn_state_start(&c.state, WORDS, DDN_ROOTS_ONE, NULL), 0);
    c.schema.system->apply(&c.state, (ddn_move){ .kind = DDN_HYBRID_SHIFT, .pos = -1 }, NULL);
    check_by_turns(&c, learning, 1);
    ddn_score before = learning->scorer->label_score(learning, 0, DDN_HYBRID_LEFT, LABEL);
    assert_int_equal(ddn_learner_label(c.learner, 0, DDN_HYBRID_LEFT, LABEL, 1, NULL), 0);
    assert_true(learning->scorer->label_score(learning, 0, DDN_HYBRID_LEFT, LABEL) ==
                before + BOTH + LABELS); /* what was summed before an update is forgotten */
    end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(templates_speak_about_what_they_are_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
