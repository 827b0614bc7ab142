/* SPDX-License-Identifier: MIT */
/* One pass over one small sentence, with a model that was told what to like: which weights change,
 * and which moves are made.
 *
 * The only feature is d(q0,q0): one key while there are words in the buffer, another when there are
 * none. */
#include "lib/check.h"
#include "lib/learnt.h"
#include "system/kinds.h"
#include "train/follow.h"
#include <string.h>

enum { EMPTY = 0, WORDS = 1 }; /* values of the feature */
enum { BIAS = 100 };

typedef struct scene {
    ddn_schema schema;
    ddn_train_options o;
    ddn_model *model;
    ddn_following f;
    ddn_rng rng;
    ddn_sentence s;
    uint64_t key[2];
} scene;

static dodona_text text(const char *t)
{
    return (dodona_text){ t, strlen(t) };
}

static void begin(scene *c, const char *system, ddn_regime regime)
{
    dodona_error err = { 0 };
    static const char templates[] = "d(q0,q0)";
    memset(c, 0, sizeof *c);
    ddn_schema_init(&c->schema);
    ddn_rng_init(&c->rng, 1);
    ddn_sentence_init(&c->s);
    c->o.system = ddn_system_find(system);
    c->o.regime = regime;
    c->o.roots = DDN_ROOTS_ONE;
    c->o.explore_rate = 1;
    assert_int_equal(
        ddn_oracle_find(c->o.system, NULL, regime == DDN_TRAIN_EXPLORE, &c->o.oracle, &err), 0);
    if (c->o.oracle->gives_up)
        assert_int_equal(ddn_oracle_find(c->o.system, "path", false, &c->o.path_oracle, &err), 0);
    c->schema.system = c->o.system;
    assert_int_equal(ddn_schema_add_label(&c->schema, text("a"), 3, &err), 0);
    assert_int_equal(ddn_schema_add_label(&c->schema, text("b"), 3, &err), 0);
    ddn_spec spec = { .part = "parser",
                      .schema = &c->schema,
                      .templates = templates,
                      .templates_size = strlen(templates),
                      .templates_name = "x" };
    assert_int_equal(ddn_scorer_find("perceptron")->create(&spec, &c->model, &err), 0);
    assert_int_equal(
        ddn_following_open(&c->f, &c->o, c->model, c->model->scorer->batch, &c->rng, &err), 0);
    for (uint32_t value = 0; value < 2; value++)
        c->key[value] = test_key(c->model, value);
}

static void end(scene *c)
{
    ddn_following_close(&c->f);
    ddn_model_close(c->model);
    ddn_schema_fini(&c->schema);
    ddn_sentence_fini(&c->s);
}

/* Words with these heads (one digit each); every relation is b. */
static void sentence(scene *c, const char *heads)
{
    for (; *heads; heads++) {
        dodona_text col[DDN_COLUMNS] = {
            [DDN_FORM] = text("w"), [DDN_HEAD] = { heads, 1 }, [DDN_DEPREL] = text("b")
        };
        assert_int_equal(ddn_sentence_word(&c->s, col, NULL), 0);
    }
}

static void like(scene *c, int value, int kind)
{
    test_add_to_kind(c->model, c->key[value], kind, BIAS);
}

static const ddn_state *end_of(const scene *c)
{
    return &c->f.follower[0].state;
}

static void follow(scene *c, bool explore)
{
    dodona_error err = { 0 };
    uint16_t label[8];
    for (int i = 0; i < 8; i++)
        label[i] = 1; /* b */
    ddn_example x = { .sentence = &c->s, .head = c->s.head, .label = label };
    const ddn_example *one = &x;
    assert_int_equal(ddn_follow_step(&c->f, &one, 1, (ddn_manner){ .explore = explore }, &err), 0);
}

static int32_t kind_weight(const scene *c, int value, int kind)
{
    return test_kind_weight(c->model, c->key[value], kind);
}

static int32_t class_weight(const scene *c, int value, int kind, uint16_t label)
{
    return test_label_weight(c->model, c->key[value], kind, label);
}

static void heads_are(const scene *c, const char *heads)
{
    for (int i = 1; heads[i - 1]; i++)
        assert_int_equal(end_of(c)->node[i].head, heads[i - 1] - '0');
}

/* A model that shifts as long as it can makes the chain 0 -> 1 -> 2 -> 3, and no arc of the gold
 * tree.  Wrong arcs teach no label. */
static void wrong_arcs_teach_no_labels(void **state)
{
    (void)state;
    scene c;
    begin(&c, "arc-hybrid", DDN_TRAIN_EXPLORE);
    sentence(&c, "330");
    like(&c, WORDS, DDN_HYBRID_SHIFT);
    follow(&c, true);
    heads_are(&c, "012");
    assert_int_equal(test_weights(c.model)->classes, 1); /* index 0 is not used */
    /* With 1 and 2 on the stack a left arc was due, and shift was made; the weights say so. */
    assert_int_equal(kind_weight(&c, WORDS, DDN_HYBRID_SHIFT), BIAS - 1);
    assert_int_equal(kind_weight(&c, WORDS, DDN_HYBRID_LEFT), 1);
    assert_int_equal(kind_weight(&c, WORDS, DDN_HYBRID_RIGHT), 0);
    end(&c);
}

/* The same model on the gold path goes where the oracle leads. */
static void the_gold_path_is_kept(void **state)
{
    (void)state;
    static const ddn_regime regime[] = { DDN_TRAIN_STATIC, DDN_TRAIN_NONDET, DDN_TRAIN_EXPLORE };
    for (int i = 0; i < 3; i++) {
        scene c;
        begin(&c, "arc-hybrid", regime[i]);
        sentence(&c, "330");
        like(&c, WORDS, DDN_HYBRID_SHIFT);
        follow(&c, false); /* explore: not yet */
        heads_are(&c, "330");
        for (int w = 1; w <= 3; w++) /* gold labels, though the model knows only a */
            assert_int_equal(end_of(&c)->node[w].label, 1);
        end(&c);
    }
}

/* One word: the arc is right whatever happens, and the label is not.  On the gold path the gold
 * label is made, while exploring the model's; both teach the same. */
static void gold_arcs_teach_their_label(void **state)
{
    (void)state;
    for (int explore = 0; explore <= 1; explore++) {
        scene c;
        begin(&c, "arc-hybrid", DDN_TRAIN_EXPLORE);
        sentence(&c, "0");
        follow(&c, explore);
        heads_are(&c, "0");
        assert_int_equal(end_of(&c)->node[1].label, explore ? 0 : 1);
        assert_int_equal(class_weight(&c, EMPTY, DDN_HYBRID_RIGHT, 1), 1);
        assert_int_equal(class_weight(&c, EMPTY, DDN_HYBRID_RIGHT, 0), -1);
        assert_int_equal(class_weight(&c, EMPTY, DDN_HYBRID_LEFT, 1), 0);
        follow(&c, explore); /* now the model knows */
        assert_int_equal(end_of(&c)->node[1].label, 1);
        assert_int_equal(class_weight(&c, EMPTY, DDN_HYBRID_RIGHT, 1), 1);
        end(&c);
    }
}

/* 1 <- 2 -> 3: in arc-standard the left arc can be made before or after 3 is shifted.  The model
 * prefers to shift.  That is wrong for the static oracle, which wants the first kind, and right for
 * the other. */
static void only_static_training_minds_the_order(void **state)
{
    (void)state;
    scene c;
    begin(&c, "arc-standard", DDN_TRAIN_STATIC);
    sentence(&c, "202");
    like(&c, WORDS, DDN_STANDARD_SHIFT);
    follow(&c, false);
    heads_are(&c, "202");
    assert_int_equal(kind_weight(&c, WORDS, DDN_STANDARD_SHIFT), BIAS - 1);
    assert_int_equal(kind_weight(&c, WORDS, DDN_STANDARD_LEFT), 1);
    end(&c);
    begin(&c, "arc-standard", DDN_TRAIN_NONDET);
    sentence(&c, "202");
    like(&c, WORDS, DDN_STANDARD_SHIFT);
    follow(&c, false);
    heads_are(&c, "202");
    assert_int_equal(kind_weight(&c, WORDS, DDN_STANDARD_SHIFT), BIAS);
    assert_int_equal(kind_weight(&c, WORDS, DDN_STANDARD_LEFT), 0);
    end(&c);
}

/* With rate 0 exploring follows the oracle, and asks the generator at every step. */
static void the_rate_is_kept(void **state)
{
    (void)state;
    scene c;
    begin(&c, "arc-hybrid", DDN_TRAIN_EXPLORE);
    c.o.explore_rate = 0;
    sentence(&c, "330");
    like(&c, WORDS, DDN_HYBRID_SHIFT);
    follow(&c, true);
    heads_are(&c, "330");
    end(&c);
    int chains = 0; /* the one wrong shift is made half of the time */
    for (uint64_t seed = 0; seed < 400; seed++) {
        begin(&c, "arc-hybrid", DDN_TRAIN_EXPLORE);
        ddn_rng_init(&c.rng, seed);
        c.o.explore_rate = 0.5;
        sentence(&c, "330");
        like(&c, WORDS, DDN_HYBRID_SHIFT);
        follow(&c, true);
        chains += end_of(&c)->node[3].head == 2;
        end(&c);
    }
    assert_true(chains > 150 && chains < 250);
}

/* Steps in which there is a choice count for the average; forced ones do not. */
static void steps_are_counted(void **state)
{
    (void)state;
    scene c;
    begin(&c, "arc-hybrid", DDN_TRAIN_STATIC);
    sentence(&c, "330");
    follow(&c, false); /* SH SH LA LA SH RA: shifts with 0 alone on the stack are forced */
    assert_int_equal(test_weights(c.model)->steps, 4);
    end(&c);
}

static void unreachable_trees_are_told(void **state)
{
    (void)state;
    scene c;
    begin(&c, "arc-hybrid", DDN_TRAIN_STATIC);
    sentence(&c, "3440"); /* 3 -> 1 and 4 -> 2 cross */
    uint16_t label[5] = { 0 };
    ddn_example x = { .sentence = &c.s, .head = c.s.head, .label = label, .crossing = true };
    const ddn_example *one = &x;
    assert_int_equal(ddn_follow_step(&c.f, &one, 1, (ddn_manner){ 0 }, NULL), DODONA_E_INPUT);
    end(&c);
}

/* Words that all wait for the last one: more trees on the stack than the table of LR-spine takes.
 * The sentence is then followed to its end along the gold moves, although it is explored. */
static void what_the_oracle_gives_up_is_followed_statically(void **state)
{
    (void)state;
    enum { LONG = 80 };
    static const struct {
        int words, gave_up;
    } cases[] = { { 40, 0 }, { LONG, 1 } };
    for (int i = 0; i < 2; i++) {
        scene c;
        dodona_error err = { 0 };
        uint16_t label[LONG + 1] = { 0 };
        int32_t head[LONG + 1], n = cases[i].words;
        begin(&c, "lr-spine", DDN_TRAIN_EXPLORE);
        for (int32_t d = 1; d <= n; d++) {
            dodona_text col[DDN_COLUMNS] = {
                [DDN_FORM] = text("w"), [DDN_HEAD] = text("0"), [DDN_DEPREL] = text("b")
            };
            assert_int_equal(ddn_sentence_word(&c.s, col, NULL), 0);
            head[d] = d < n ? n : 0;
        }
        like(&c, WORDS, DDN_SPINE_SHIFT);
        ddn_example x = { .sentence = &c.s, .head = head, .label = label };
        const ddn_example *one = &x;
        assert_int_equal(ddn_follow_step(&c.f, &one, 1, (ddn_manner){ .explore = true }, &err),
                         cases[i].gave_up);
        assert_true(c.o.system->final(end_of(&c)));
        for (int32_t d = 1; d <= n && cases[i].gave_up; d++)
            assert_int_equal(end_of(&c)->node[d].head, head[d]);
        end(&c);
    }
}

/* 3 is the head of all.  With 1 and 2 in focus, no-arc and shift both keep the gold tree: a
 * model that likes either is right, and one that likes left-arc learns shift, although it would
 * rather have no-arc. */
static void reading_is_learnt_and_waiting_is_not_unlearnt(void **state)
{
    (void)state;
    scene c;
    begin(&c, "covington", DDN_TRAIN_NONDET);
    sentence(&c, "3303");
    like(&c, WORDS, DDN_COVINGTON_LEFT);
    like(&c, WORDS, DDN_COVINGTON_LEFT);
    like(&c, WORDS, DDN_COVINGTON_NONE);
    follow(&c, false);
    assert_int_equal(kind_weight(&c, WORDS, DDN_COVINGTON_LEFT), 2 * BIAS - 2);
    assert_int_equal(kind_weight(&c, WORDS, DDN_COVINGTON_SHIFT), 1);
    assert_int_equal(kind_weight(&c, WORDS, DDN_COVINGTON_NONE), BIAS);
    end(&c);

    begin(&c, "covington", DDN_TRAIN_NONDET);
    sentence(&c, "3303");
    like(&c, WORDS, DDN_COVINGTON_NONE);
    follow(&c, false);
    assert_int_equal(kind_weight(&c, WORDS, DDN_COVINGTON_NONE), BIAS - 3);
    assert_int_equal(kind_weight(&c, WORDS, DDN_COVINGTON_LEFT), 2);
    assert_int_equal(kind_weight(&c, WORDS, DDN_COVINGTON_SHIFT), 0);
    end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_arcs_teach_no_labels),
        cmocka_unit_test(the_gold_path_is_kept),
        cmocka_unit_test(gold_arcs_teach_their_label),
        cmocka_unit_test(only_static_training_minds_the_order),
        cmocka_unit_test(reading_is_learnt_and_waiting_is_not_unlearnt),
        cmocka_unit_test(the_rate_is_kept),
        cmocka_unit_test(steps_are_counted),
        cmocka_unit_test(unreachable_trees_are_told),
        cmocka_unit_test(what_the_oracle_gives_up_is_followed_statically),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
