/* SPDX-License-Identifier: MIT */
/* One update on one small sentence, with weights that were set by hand.
 *
 * Two words, the first below the root and the second below the first.  Arc-standard with one root
 * has two computations for them: SH SH RA RA, which is right, and SH SH LA RA.  The only feature is
 * d(q0,q0): one key while there are words in the buffer (the two SH), another when there are none
 * (the two arcs).  Labels are a and b, and b is right everywhere; without weights a comes first. */
#include "lib/check.h"
#include "lib/learnt.h"
#include "system/kinds.h"
#include "train/global.h"
#include <string.h>

enum { LA = DDN_STANDARD_LEFT, RA = DDN_STANDARD_RIGHT, SH = DDN_STANDARD_SHIFT };
enum { A, B };
enum { EMPTY = 0, WORDS = 1 }; /* values of the feature */

typedef struct scene {
    ddn_schema schema;
    ddn_train_options o;
    ddn_model *model;
    ddn_global g;
    ddn_sentence s;
    uint64_t key[2];
} scene;

static dodona_text text(const char *t)
{
    return (dodona_text){ t, strlen(t) };
}

static void begin_with(scene *c, const char *system, const char *search, int beam,
                       ddn_update update)
{
    dodona_error err = { 0 };
    static const char templates[] = "d(q0,q0)";
    memset(c, 0, sizeof *c);
    ddn_schema_init(&c->schema);
    ddn_sentence_init(&c->s);
    c->o = (ddn_train_options){ .system = ddn_system_find(system),
                                .search = search,
                                .beam = beam,
                                .update = update,
                                .roots = DDN_ROOTS_ONE };
    assert_int_equal(ddn_oracle_find(c->o.system, NULL, false, &c->o.oracle, &err), 0);
    c->schema.system = c->o.system;
    assert_int_equal(ddn_schema_add_label(&c->schema, text("a"), 3, &err), 0);
    assert_int_equal(ddn_schema_add_label(&c->schema, text("b"), 3, &err), 0);
    ddn_spec spec = { .part = "parser",
                      .schema = &c->schema,
                      .templates = templates,
                      .templates_size = strlen(templates),
                      .templates_name = "x" };
    assert_int_equal(ddn_scorer_find("perceptron")->create(&spec, &c->model, &err), 0);
    assert_int_equal(ddn_global_open(&c->g, &c->o, c->model, &err), 0);
    for (uint32_t value = 0; value < 2; value++)
        c->key[value] = test_key(c->model, value);
    for (int i = 0; i < 2; i++) {
        dodona_text col[DDN_COLUMNS] = {
            [DDN_FORM] = text("w"), [DDN_HEAD] = text(i ? "1" : "0"), [DDN_DEPREL] = text("b")
        };
        assert_int_equal(ddn_sentence_word(&c->s, col, NULL), 0);
    }
}

static void begin(scene *c, int beam, ddn_update update)
{
    begin_with(c, "arc-standard", "beam", beam, update);
}

static void end(scene *c)
{
    ddn_global_close(&c->g);
    ddn_model_close(c->model);
    ddn_schema_fini(&c->schema);
    ddn_sentence_fini(&c->s);
}

static void set_kind(scene *c, int value, int kind, int32_t w)
{
    test_add_to_kind(c->model, c->key[value], kind, w);
}

static void set_label(scene *c, int value, int kind, uint16_t label, int32_t w)
{
    test_add_to_label(c->model, c->key[value], kind, label, w);
}

static void learn(scene *c)
{
    uint16_t label[] = { 0, B, B, B, B };
    ddn_example x = { .sentence = &c->s, .head = c->s.head, .label = label };
    const ddn_example *one = &x;
    uint64_t steps = test_weights(c->model)->steps;
    assert_int_equal(ddn_global_learn(&c->g, &one, 1, NULL), 0);
    assert_int_equal(test_weights(c->model)->steps, steps + 1);
}

static int32_t kind_weight(const scene *c, int value, int kind)
{
    return test_kind_weight(c->model, c->key[value], kind);
}

static int32_t label_weight(const scene *c, int value, int kind, uint16_t label)
{
    return test_label_weight(c->model, c->key[value], kind, label);
}

/* The weights of the arcs, after an update. */
static void weights_are(const scene *c, int32_t la, int32_t ra, int32_t la_a, int32_t la_b,
                        int32_t ra_a, int32_t ra_b)
{
    assert_int_equal(kind_weight(c, EMPTY, LA), la);
    assert_int_equal(kind_weight(c, EMPTY, RA), ra);
    assert_int_equal(kind_weight(c, EMPTY, SH), 0);
    assert_int_equal(label_weight(c, EMPTY, LA, A), la_a);
    assert_int_equal(label_weight(c, EMPTY, LA, B), la_b);
    assert_int_equal(label_weight(c, EMPTY, RA, A), ra_a);
    assert_int_equal(label_weight(c, EMPTY, RA, B), ra_b);
    for (int kind = 0; kind < 3; kind++) /* what both have in common is not learnt */
        assert_int_equal(kind_weight(c, WORDS, kind), 0);
}

/* LA is liked and keeps RA out of a beam of one: three moves are learnt, the last of them new. */
static void early_stops_where_the_goal_is_lost(void **state)
{
    (void)state;
    scene c;
    begin(&c, 1, DDN_UPDATE_EARLY);
    set_kind(&c, EMPTY, LA, 5);
    learn(&c);
    weights_are(&c, 5 - 1, 0 + 1, -1, 0, 0, 1);
    end(&c);
}

/* In a beam of three, both labels of RA live beside LA for a move; then the goal, which is behind
 * what comes from the better ones, is lost at the fourth. */
static void early_goes_as_far_as_the_beam_is_wide(void **state)
{
    (void)state;
    scene c;
    begin(&c, 3, DDN_UPDATE_EARLY);
    set_kind(&c, EMPTY, LA, 5);
    learn(&c);
    weights_are(&c, 5 - 1, 0 + 2 - 1, -1, 0, -1, 2);
    end(&c);
}

/* In a beam that holds all, the goal is there at the end but not the best: all is learnt. */
static void early_learns_all_when_the_goal_is_kept(void **state)
{
    (void)state;
    scene c;
    begin(&c, 50, DDN_UPDATE_EARLY);
    set_kind(&c, EMPTY, LA, 5);
    learn(&c);
    weights_are(&c, 5 - 1, 0 + 2 - 1, -1, 0, -1, 2);
    end(&c);
}

/* The goal is behind by 5 after the third move and after the fourth: the longer prefix. */
static void max_violation_takes_the_longest(void **state)
{
    (void)state;
    scene c;
    begin(&c, 1, DDN_UPDATE_MAX_VIOLATION);
    set_kind(&c, EMPTY, LA, 5);
    learn(&c);
    weights_are(&c, 5 - 1, 0 + 2 - 1, -1, 0, -1, 2);
    end(&c);
}

/* With a beam of one the goal is lost at the third move, by 1, and at the fourth the label makes
 * that 4: early learns three moves, max-violation four. */
static void max_violation_goes_where_most_is_wrong(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        scene c;
        begin(&c, 1, i ? DDN_UPDATE_MAX_VIOLATION : DDN_UPDATE_EARLY);
        set_kind(&c, EMPTY, LA, 4);
        set_label(&c, EMPTY, RA, A, 3); /* RA:a 3, RA:b 0, LA:a 4 */
        learn(&c);
        if (i)
            weights_are(&c, 4 - 1, 0 + 2 - 1, -1, 0, 3 - 1, 2);
        else
            weights_are(&c, 4 - 1, 0 + 1, -1, 0, 3, 1);
        end(&c);
    }
}

/* Only a label is wrong: the kinds are the same on both sides and stay. */
static void a_wrong_label_is_learnt(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        scene c;
        begin(&c, 1, i ? DDN_UPDATE_MAX_VIOLATION : DDN_UPDATE_EARLY);
        set_kind(&c, EMPTY, RA, 5);
        learn(&c);
        if (i)
            weights_are(&c, 0, 5, 0, 0, -2, 2);
        else
            weights_are(&c, 0, 5, 0, 0, -1, 1);
        end(&c);
    }
}

/* Only a kind is wrong: the labels are the same. */
static void a_wrong_kind_is_learnt(void **state)
{
    (void)state;
    scene c;
    begin(&c, 1, DDN_UPDATE_EARLY);
    set_kind(&c, EMPTY, LA, 5);
    set_label(&c, EMPTY, LA, B, 1);
    learn(&c);
    weights_are(&c, 5 - 1, 1, 0, 1 - 1, 0, 1);
    end(&c);
}

static void what_is_right_is_left_alone(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        for (int beam = 1; beam < 5; beam++) {
            scene c;
            begin(&c, beam, i ? DDN_UPDATE_MAX_VIOLATION : DDN_UPDATE_EARLY);
            set_kind(&c, EMPTY, RA, 5);
            set_label(&c, EMPTY, RA, B, 1);
            learn(&c);
            weights_are(&c, 0, 5, 0, 0, 0, 1);
            end(&c);
        }
}

/* From no weights at all, a few updates are enough. */
static void updates_come_to_an_end(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        for (int beam = 1; beam < 5; beam++) {
            scene c;
            begin(&c, beam, i ? DDN_UPDATE_MAX_VIOLATION : DDN_UPDATE_EARLY);
            for (int k = 0; k < 10; k++)
                learn(&c);
            int32_t la = kind_weight(&c, EMPTY, LA), ra = kind_weight(&c, EMPTY, RA);
            int32_t b = label_weight(&c, EMPTY, RA, B);
            const ddn_sentence *one = &c.s;
            ddn_searching *w = c.g.parser.searching[0];
            w->goal = NULL;
            assert_int_equal(ddn_parser_run(&c.g.parser, &one, 1, NULL), 0);
            assert_int_equal(w->state.node[1].head, 0);
            assert_int_equal(w->state.node[2].head, 1);
            assert_int_equal(w->state.node[1].label, B);
            assert_int_equal(w->state.node[2].label, B);
            learn(&c);
            assert_int_equal(kind_weight(&c, EMPTY, LA), la);
            assert_int_equal(kind_weight(&c, EMPTY, RA), ra);
            assert_int_equal(label_weight(&c, EMPTY, RA, B), b);
            end(&c);
        }
}

/* The goal: left children first although right ones could come before, and what its prefixes score.
 */
static void the_goal_is_one_computation(void **state)
{
    (void)state;
    static const int kind[] = { SH, SH, LA, SH, RA, RA };
    static const ddn_score score[] = { 0, 2, 4, 4 + 7, 11 + 2, 13 + 10, 23 + 10 };
    scene c;
    begin(&c, 2, DDN_UPDATE_EARLY);
    dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = text("w"), [DDN_HEAD] = text("2") };
    assert_int_equal(ddn_sentence_word(&c.s, col, NULL), 0);
    c.s.head[1] = c.s.head[3] = 2;
    c.s.head[2] = 0;
    set_kind(&c, WORDS, SH, 2);
    set_kind(&c, WORDS, LA, 7);
    set_kind(&c, EMPTY, RA, 4);
    set_label(&c, EMPTY, RA, B, 6);
    learn(&c);
    const ddn_gold_way *way = &c.g.way[0];
    assert_int_equal(way->moves, 6);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(way->move[i].kind, kind[i]);
        assert_int_equal(way->move[i].label, kind[i] == SH ? 0 : B);
    }
    for (int i = 0; i <= 6; i++)
        assert_true(way->score[i] == score[i]);
    learn(&c);
    assert_int_equal(way->moves, 6); /* nothing is left of the sentence before */
    end(&c);
}

/* 2 and 4 are below 1, and 3 below 4.  Once 2 has its head it can be reduced: the static order does
 * that at once, and dynamic programming, which has one order for every tree, as late as it can. */
static void the_goal_keeps_to_the_order_of_the_search(void **state)
{
    (void)state;
    enum { L = DDN_EAGER_LEFT, R = DDN_EAGER_RIGHT, D = DDN_EAGER_REDUCE, S = DDN_EAGER_SHIFT };
    static const struct {
        const char *search;
        int kind[5];
    } way[] = { { "beam", { R, R, D, S, L } }, { "dp", { R, R, S, L, D } } };
    for (int i = 0; i < 2; i++) {
        scene c;
        begin_with(&c, "arc-eager", way[i].search, 2, DDN_UPDATE_EARLY);
        for (int k = 3; k <= 4; k++) {
            dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = text("w"), [DDN_HEAD] = text("1") };
            assert_int_equal(ddn_sentence_word(&c.s, col, NULL), 0);
        }
        c.s.head[3] = 4;
        learn(&c);
        assert_true(c.g.way[0].moves > 5);
        for (int k = 0; k < 5; k++)
            assert_int_equal(c.g.way[0].move[k].kind, way[i].kind[k]);
        end(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_goal_is_one_computation),
        cmocka_unit_test(the_goal_keeps_to_the_order_of_the_search),
        cmocka_unit_test(early_stops_where_the_goal_is_lost),
        cmocka_unit_test(early_goes_as_far_as_the_beam_is_wide),
        cmocka_unit_test(early_learns_all_when_the_goal_is_kept),
        cmocka_unit_test(max_violation_takes_the_longest),
        cmocka_unit_test(max_violation_goes_where_most_is_wrong),
        cmocka_unit_test(a_wrong_label_is_learnt),
        cmocka_unit_test(a_wrong_kind_is_learnt),
        cmocka_unit_test(what_is_right_is_left_alone),
        cmocka_unit_test(updates_come_to_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
