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
enum { SCALE = 64 }; /* what a weight of 1 becomes when it is frozen */
enum { P_BOTH = 2, P_MOVES = 1, P_LABELS = 1, VIEWS = 3, WITH_P = 2 };

static const char templates[] = "s0.w\np.w\np.t+s0.l\n[moves]\nq0.w\nq0.t\np.w+d(p,q0)\n"
                                "[labels]\ns0.t\ns0.m\ns0.w+q0.w\np.m+s0.w\n";

extern const ddn_scorer ddn_scorer_perceptron;

typedef struct scene {
    ddn_schema schema;
    ddn_sentence s;
    ddn_state state;
    ddn_model *learning, *frozen;
    ddn_pass *pass; /* of the one that learns */
    ddn_sections sections;
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
    c->schema.system = ddn_system_find("arc-hybrid");
    assert_int_equal(ddn_schema_add_label(&c->schema, text("a"), 3, NULL), 0);
    assert_int_equal(ddn_schema_add_label(&c->schema, text("b"), 3, NULL), 0);
    for (int i = 0; i < WORDS; i++) {
        dodona_text col[DDN_COLUMNS] = {
            [DDN_FORM] = text(form[i]), [DDN_LEMMA] = text("lemma"), [DDN_UPOS] = text("UPOS")
        };
        assert_int_equal(ddn_sentence_word(&c->s, col, NULL), 0);
    }
    ddn_spec spec = { .part = "parser",
                      .schema = &c->schema,
                      .templates = templates,
                      .templates_size = strlen(templates),
                      .templates_name = "x" };
    assert_int_equal(ddn_scorer_perceptron.create(&spec, &c->learning, NULL), 0);
    assert_int_equal(ddn_scorer_perceptron.pass(c->learning, DDN_ONE_VIEW, &c->pass, NULL), 0);
    assert_int_equal(ddn_state_start(&c->state, WORDS, DDN_ROOTS_ONE, NULL), 0);
    c->schema.system->apply(&c->state, (ddn_move){ .kind = DDN_HYBRID_SHIFT, .pos = -1 }, NULL);
}

static void end(scene *c)
{
    ddn_pass_end(c->pass);
    ddn_model_close(c->learning);
    ddn_model_close(c->frozen);
    ddn_sections_fini(&c->sections);
    ddn_state_fini(&c->state);
    ddn_sentence_fini(&c->s);
    ddn_schema_fini(&c->schema);
}

/* Scores the scene as two configurations, of which only the second has a view with a p.  Before
 * that the second alone, so that its view with a p stood where now there is one without. */
static void score(scene *c, ddn_pass *p, ddn_score *kinds)
{
    static ddn_view view[VIEWS];
    static ddn_query query[VIEWS];
    const ddn_sentence *s = &c->s;
    const ddn_scorer *scorer = p->model->scorer;
    const ddn_layout *layout = p->model->layout;
    assert_int_equal(scorer->encode(p, &s, 1, NULL), 0);
    ddn_view_fill(layout, &c->state, -1, -1, &view[0]);
    ddn_view_fill(layout, &c->state, -1, -1, &view[1]);
    ddn_view_fill_placed(layout, &c->state, WORDS, -1, -1, &view[1], 1);
    for (int v = 0; v < VIEWS; v++)
        query[v] = (ddn_query){ 0, &view[v] };
    assert_int_equal(scorer->moves(p, &query[1], 2, kinds, NULL), 0);
    assert_int_equal(scorer->moves(p, query, VIEWS, kinds, NULL), 0);
}

static void check_label(scene *c, ddn_pass *p, int v, int kind, int expected)
{
    ddn_score label;
    ddn_arc_query q = { v, 0, kind, c->schema.system->arc(&c->state, DDN_HYBRID_LEFT, -1) };
    assert_int_equal(p->model->scorer->label(p, &q, &label), expected ? LABEL : 0);
    assert_true(label == expected);
}

/* Left was learnt in a view without p, right in one with it. */
static void check(scene *c, ddn_pass *g, int one)
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
static void check_by_turns(scene *c, ddn_pass *p, int one)
{
    static ddn_view view[2];
    const ddn_query query[2] = { { 0, &view[0] }, { 0, &view[1] } };
    const ddn_sentence *s = &c->s;
    const ddn_scorer *scorer = p->model->scorer;
    ddn_score kinds[2 * DDN_MAX_KINDS], label, all[2];
    assert_int_equal(scorer->encode(p, &s, 1, NULL), 0);
    ddn_view_fill(p->model->layout, &c->state, -1, -1, &view[0]);
    c->schema.system->apply(&c->state, (ddn_move){ .kind = DDN_HYBRID_SHIFT, .pos = -1 }, NULL);
    ddn_view_fill(p->model->layout, &c->state, -1, -1, &view[1]);
    assert_int_equal(scorer->moves(p, query, 2, kinds, NULL), 0);
    for (int i = 0; i < 6; i++) {
        int v = i / 2 % 2;
        ddn_arc_query q = { v, 0, DDN_HYBRID_LEFT, { 2, 1 } };
        assert_int_equal(scorer->label(p, &q, &label), LABEL);
        assert_true(label == one * (v ? 2 : BOTH + LABELS));
        q.query = !v;
        scorer->labels(p, &q, all);
        assert_true(all[LABEL] == one * (v ? BOTH + LABELS : 2));
    }
}

static void learn(scene *c, int v, int kind)
{
    ddn_arc_query q = { v, 0, kind, { 2, 1 } };
    ddn_adjoint move = { kind, -1 }, label = { LABEL, -1 };
    assert_int_equal(ddn_scorer_perceptron.learn_move(c->pass, v, &move, 1, NULL), 0);
    assert_int_equal(ddn_scorer_perceptron.learn_label(c->pass, &q, &label, 1, NULL), 0);
}

static void templates_speak_about_what_they_are_for(void **state)
{
    (void)state;
    scene c;
    ddn_score unused[VIEWS * DDN_MAX_KINDS], before[2], after[2];
    ddn_model_file file;
    ddn_pass *reading;
    begin(&c);
    score(&c, c.pass, unused);
    learn(&c, 1, DDN_HYBRID_LEFT);
    learn(&c, WITH_P, DDN_HYBRID_RIGHT);
    /* The average over one step is the weight itself. */
    assert_int_equal(ddn_scorer_perceptron.step(c.learning, &c.pass, 1, NULL), 0);
    check(&c, c.pass, 1);
    assert_int_equal(ddn_scorer_perceptron.save(c.learning, 1 << 20, &c.sections, NULL), 0);
    ddn_sections_view(&c.sections, "sections", &file);
    ddn_spec spec = { .part = "parser", .schema = &c.schema };
    assert_int_equal(ddn_scorer_perceptron.open(&file, &spec, &c.frozen, NULL), 0);
    for (int breadth = DDN_ONE_VIEW; breadth <= DDN_MANY_VIEWS; breadth++) {
        assert_int_equal(ddn_scorer_perceptron.pass(c.frozen, (ddn_breadth)breadth, &reading, NULL),
                         0);
        check(&c, reading, SCALE);
        check_by_turns(&c, reading, SCALE);
        ddn_pass_end(reading);
        assert_int_equal(ddn_state_start(&c.state, WORDS, DDN_ROOTS_ONE, NULL), 0);
        c.schema.system->apply(&c.state, (ddn_move){ .kind = DDN_HYBRID_SHIFT, .pos = -1 }, NULL);
    }
    check_by_turns(&c, c.pass, 1);
    ddn_arc_query q = { 0, 0, DDN_HYBRID_LEFT, { 2, 1 } };
    ddn_scorer_perceptron.labels(c.pass, &q, before);
    ddn_adjoint label = { LABEL, -1 };
    assert_int_equal(ddn_scorer_perceptron.learn_label(c.pass, &q, &label, 1, NULL), 0);
    assert_int_equal(ddn_scorer_perceptron.step(c.learning, &c.pass, 1, NULL), 0);
    ddn_scorer_perceptron.labels(c.pass, &q, after);
    assert_true(after[LABEL] == before[LABEL] + BOTH + LABELS); /* old sums are forgotten */
    end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(templates_speak_about_what_they_are_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
