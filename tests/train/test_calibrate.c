/* SPDX-License-Identifier: MIT */
/* Temperature and coverage, where both are known.
 *
 * Sentences of two words, arc-standard with one root: the first word below the second, or the other
 * way round.  The only feature is the form of the top of the stack, so the second word says by
 * how much one of the two trees is better.  That difference is read off the forest.  Then gold
 * trees are dealt out as a temperature and a coverage demand, and calibration must find them again.
 */
#include "chart/kbest.h"
#include "lib/check.h"
#include "lib/learnt.h"
#include "search/parser.h"
#include "system/kinds.h"
#include "train/calibrate.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FORMS = 3, COPIES = 1000, LA = DDN_STANDARD_LEFT };

static void error_is_the_mean_distance(void **state)
{
    (void)state;
    ddn_reliability r = { 0 };
    assert_true(ddn_reliability_error(&r) == 0);
    /* 0.9 - 1.0: mean 0.95, one of two right; 0.2 - 0.3: 0.25, right. */
    ddn_reliability_add(&r, 1, true);
    ddn_reliability_add(&r, 0.9, false);
    ddn_reliability_add(&r, 0.25, true);
    assert_int_equal(r.count[9], 2);
    assert_int_equal(r.count[2], 1);
    assert_true(fabs(ddn_reliability_error(&r) - (0.9 + 0.75) / 3) < 1e-12);
}

typedef struct scene {
    ddn_schema schema;
    ddn_sections sections;
    ddn_model_file file;
    ddn_model *model; /* opened from the file */
    ddn_search_options options;
    ddn_treebank dev;
} scene;

static dodona_text text(const char *t)
{
    return (dodona_text){ t, strlen(t) };
}

/* first_below: the first word is below the second. */
static void add_sentence(scene *c, int form, bool first_below)
{
    char name[] = { (char)('A' + form), 0 };
    ddn_sentence *to = &c->dev.sentence[c->dev.count++];
    ddn_sentence_init(to);
    for (int i = 0; i < 2; i++) {
        bool is_root = (i == 1) == first_below;
        dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = text(i ? name : "w"),
                                         [DDN_HEAD] = text(is_root ? "0"
                                                           : i     ? "1"
                                                                   : "2"),
                                         [DDN_DEPREL] = text("x") };
        assert_int_equal(ddn_sentence_word(to, col, NULL), 0);
    }
    c->dev.words += 2;
}

/* The key of the first template with two words on the stack, of which the second has that form. */
static uint64_t key_with(scene *c, const ddn_model *m, int form)
{
    const ddn_features *f = &((const ddn_perceptron *)m)->features;
    uint32_t value[DDN_MAX_ATOMS];
    ddn_encodings e = { 0 };
    ddn_state s;
    ddn_view v;
    ddn_state_init(&s);
    c->dev.count = 0;
    add_sentence(c, form, true);
    const ddn_sentence *sentence = &c->dev.sentence[0];
    assert_int_equal(ddn_encode_all(&e, &f->templates, &sentence, 1, NULL), 0);
    assert_int_equal(ddn_state_start(&s, 2, DDN_ROOTS_ONE, NULL), 0);
    ddn_state_push(&s);
    ddn_state_push(&s);
    ddn_view_fill(&f->templates.layout, &s, -1, -1, &v);
    ddn_read_atoms(&f->templates, &e.of[0], &v, value);
    ddn_sentence_fini(&c->dev.sentence[0]);
    ddn_encodings_fini(&e);
    ddn_state_fini(&s);
    c->dev.count = 0;
    return ddn_feature_key(&f->feature[0], value);
}

/* The weight of a left arc is 300, 600 and 900 by the form of the top. */
static void begin(scene *c)
{
    static const char templates[] = "s0.w";
    const ddn_scorer *perceptron = ddn_scorer_find("perceptron");
    ddn_model *learning;
    memset(c, 0, sizeof *c);
    c->options = (ddn_search_options){ .roots = DDN_ROOTS_ONE, .beam = 8, .forest = true };
    c->dev.sentence = calloc(FORMS * COPIES, sizeof *c->dev.sentence);
    assert_non_null(c->dev.sentence);
    ddn_schema_init(&c->schema);
    c->schema.system = ddn_system_find("arc-standard");
    assert_int_equal(ddn_schema_add_label(&c->schema, text("x"), 3, NULL), 0);
    ddn_spec spec = { .part = "parser",
                      .schema = &c->schema,
                      .templates = templates,
                      .templates_size = strlen(templates),
                      .templates_name = "x" };
    assert_int_equal(perceptron->create(&spec, &learning, NULL), 0);
    for (int form = 0; form < FORMS; form++)
        test_add_to_kind(learning, key_with(c, learning, form), LA, 300 * (form + 1));
    test_weights(learning)->steps++;
    ddn_sections_init(&c->sections);
    assert_int_equal(perceptron->save(learning, 1 << 20, &c->sections, NULL), 0);
    ddn_sections_view(&c->sections, "x", &c->file);
    assert_int_equal(perceptron->open(&c->file, &spec, &c->model, NULL), 0);
    ddn_model_close(learning);
    c->dev.words = 0;
}

static void end(scene *c)
{
    ddn_treebank_fini(&c->dev);
    ddn_model_close(c->model);
    ddn_sections_fini(&c->sections);
    ddn_schema_fini(&c->schema);
}

/* By how much the better tree of a sentence with that word is better. */
static double difference(scene *c, int form)
{
    ddn_parser parser;
    ddn_forest f;
    ddn_kbest k;
    double best, next;
    int32_t head[3], label[3];
    ddn_forest_init(&f);
    ddn_kbest_init(&k);
    add_sentence(c, form, true);
    const ddn_sentence *one = &c->dev.sentence[0];
    assert_int_equal(ddn_parser_open(&parser, c->model, "dp", &c->options, 1, NULL), 0);
    assert_int_equal(ddn_parser_run(&parser, &one, 1, NULL), 0);
    const ddn_searching *w = parser.searching[0];
    assert_int_equal(w->search->forest(w, &f, NULL), 0);
    assert_int_equal(ddn_kbest_begin(&k, &f, NULL), 0);
    assert_int_equal(ddn_kbest_next(&k, &best, head, label, NULL), 1);
    assert_int_equal(head[1], 2);
    assert_int_equal(ddn_kbest_next(&k, &next, head, label, NULL), 1);
    assert_int_equal(ddn_kbest_next(&k, &next, head, label, NULL), 0);
    ddn_parser_close(&parser);
    ddn_forest_fini(&f);
    ddn_kbest_fini(&k);
    ddn_sentence_fini(&c->dev.sentence[0]);
    c->dev.count = 0;
    c->dev.words = 0;
    return best - next;
}

static void what_was_dealt_is_found(void **state)
{
    (void)state;
    static const double coverages[] = { 1, 0.9, 0.8 };
    scene c;
    for (int i = 0; i < 3; i++) {
        ddn_calibration found;
        double by[FORMS];
        begin(&c);
        for (int form = 0; form < FORMS; form++)
            by[form] = difference(&c, form);
        assert_true(by[0] > 0 && by[1] > by[0] && by[2] > by[1]);
        double temperature = exp2(floor(log2(by[1])) + i * 0.25);
        for (int form = 0; form < FORMS; form++) {
            double p = coverages[i] / (1 + exp(-by[form] / temperature));
            for (int k = 0; k < COPIES; k++)
                add_sentence(&c, form, k + 0.5 < p * COPIES);
        }
        assert_int_equal(ddn_calibrate(c.model, "dp", &c.options, &c.dev, &found, NULL), 0);
        assert_true(fabs(log2(found.temperature / temperature)) < 0.01);
        assert_true(fabs(found.coverage - coverages[i]) < 0.005);
        end(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_is_the_mean_distance),
        cmocka_unit_test(what_was_dealt_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
