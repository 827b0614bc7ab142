/* SPDX-License-Identifier: MIT */
/* The perceptron's head for words against a classifier that is written down plainly: a matrix of
 * weights, and a second one that adds it up after every step. */
#include "core/rng.h"
#include "lib/check.h"
#include "model/scorer.h"
#include "pipeline/keys.h"
#include <stdlib.h>
#include <string.h>

enum { FEATURES = 40, KEYS = 6, STEPS = 3000, MOST_CLASSES = 9, NO_LIMIT = 1 << 30, SCALE = 64 };

typedef struct plain {
    int32_t w[FEATURES][MOST_CLASSES];
    int64_t total[FEATURES][MOST_CLASSES];
} plain;

/* A model that learns, and a pass of it. */
typedef struct learner {
    const ddn_scorer *scorer;
    ddn_model *model;
    ddn_pass *pass;
} learner;

static void learner_open(learner *l, int classes)
{
    ddn_spec spec = { .part = "words", .classes = classes };
    l->scorer = ddn_scorer_find("perceptron");
    assert_int_equal(l->scorer->create(&spec, &l->model, NULL), 0);
    assert_int_equal(l->model->heads, DDN_HEAD_WORDS);
    assert_int_equal(l->model->classes, classes);
    assert_int_equal(l->scorer->pass(l->model, DDN_ONE_VIEW, &l->pass, NULL), 0);
}

static void learner_close(learner *l)
{
    ddn_pass_end(l->pass);
    ddn_model_close(l->model);
}

static void step(learner *l)
{
    assert_int_equal(l->scorer->step(l->model, &l->pass, 1, NULL), 0);
}

/* Adjoints that ask for right in place of guess. */
static void gather(learner *l, const uint64_t *key, int n, int right, int guess)
{
    ddn_adjoint d[] = { { right, -1 }, { guess, 1 } };
    assert_int_equal(l->scorer->learn_word(l->pass, key, n, d, 2, NULL), 0);
}

/* A model as it was saved, and opened. */
typedef struct frozen {
    ddn_sections sections;
    ddn_model_file file;
    learner l;
} frozen;

static void freeze(frozen *f, learner *from)
{
    ddn_spec spec = { .part = "words" };
    ddn_sections_init(&f->sections);
    assert_int_equal(from->scorer->save(from->model, NO_LIMIT, &f->sections, NULL), 0);
    ddn_sections_view(&f->sections, "x", &f->file);
    f->l.scorer = from->scorer;
    assert_int_equal(f->l.scorer->open(&f->file, &spec, &f->l.model, NULL), 0);
    assert_int_equal(f->l.model->classes, from->model->classes);
    assert_int_equal(f->l.scorer->pass(f->l.model, DDN_ONE_VIEW, &f->l.pass, NULL), 0);
}

static void thaw(frozen *f)
{
    learner_close(&f->l);
    ddn_sections_fini(&f->sections);
}

static uint64_t key_of(int feature)
{
    return ddn_key(7, (uint64_t)feature);
}

/* The first class with the highest sum. */
static int best_class(const ddn_score *sum, int classes)
{
    int best = 0;
    for (int i = 1; i < classes; i++)
        if (sum[i] > sum[best])
            best = i;
    return best;
}

/* Features of an example, and the class that a hidden rule gives it, mostly. */
static int draw(ddn_rng *r, int classes, int *feature)
{
    int votes[MOST_CLASSES] = { 0 }, best = 0;
    for (int i = 0; i < KEYS; i++) {
        feature[i] = (int)ddn_rng_below(r, FEATURES);
        votes[feature[i] * feature[i] % classes] += 1 + feature[i] % 3;
    }
    for (int c = 1; c < classes; c++)
        best = votes[c] > votes[best] ? c : best;
    return ddn_rng_below(r, 10) ? best : (int)ddn_rng_below(r, (uint64_t)classes);
}

static void plain_step(plain *p, int classes, const int *feature, int right)
{
    int32_t sum[MOST_CLASSES] = { 0 };
    int guess = 0;
    for (int c = 0; c < classes; c++) {
        for (int i = 0; i < KEYS; i++)
            sum[c] += p->w[feature[i]][c];
        guess = sum[c] > sum[guess] ? c : guess;
    }
    for (int i = 0; i < KEYS && guess != right; i++) {
        p->w[feature[i]][right]++;
        p->w[feature[i]][guess]--;
    }
}

/* The average over all steps, where a change at step t counts from step t on, as a frozen weight.
 */
static int32_t frozen_average(int64_t total, int64_t steps)
{
    int64_t size = total < 0 ? -total : total, x = (2 * size * SCALE + steps) / (2 * steps);
    return (int32_t)(total < 0 ? -x : x);
}

static void learns_what_the_plain_one_learns(int classes)
{
    learner l;
    frozen c;
    ddn_rng r;
    int feature[KEYS];
    uint64_t key[KEYS];
    ddn_score sum[MOST_CLASSES];
    plain *p = calloc(1, sizeof *p);
    assert_non_null(p);
    ddn_rng_init(&r, (uint64_t)classes);
    learner_open(&l, classes);
    for (int t = 0; t < STEPS; t++) {
        int right = draw(&r, classes, feature);
        for (int i = 0; i < KEYS; i++)
            key[i] = key_of(feature[i]);
        l.scorer->words(l.pass, key, KEYS, sum);
        int guess = best_class(sum, classes);
        /* Averaged over the weights as they were before each step: the change of a step counts for
         * the steps after it. */
        for (int f = 0; f < FEATURES; f++)
            for (int k = 0; k < classes; k++)
                p->total[f][k] += p->w[f][k];
        if (guess != right)
            gather(&l, key, KEYS, right, guess);
        step(&l);
        plain_step(p, classes, feature, right);
    }
    freeze(&c, &l);
    for (int f = 0; f < FEATURES; f++) {
        uint64_t one = key_of(f);
        l.scorer->words(l.pass, &one, 1, sum);
        for (int k = 0; k < classes; k++)
            assert_true(sum[k] == p->w[f][k]);
        c.l.scorer->words(c.l.pass, &one, 1, sum);
        for (int k = 0; k < classes; k++)
            assert_true(sum[k] == frozen_average(p->total[f][k], STEPS));
    }
    thaw(&c);
    learner_close(&l);
    free(p);
}

static void few_and_many_classes(void **state)
{
    (void)state;
    for (int classes = 2; classes <= MOST_CLASSES; classes++)
        learns_what_the_plain_one_learns(classes);
}

/* Nothing changes before the step, and several places are learnt in one. */
static void repeated_keys_add_up(void **state)
{
    (void)state;
    for (int classes = 3; classes <= 6; classes += 3) {
        learner l;
        uint64_t key[3] = { 11, 11, 12 };
        ddn_score sum[6];
        learner_open(&l, classes);
        gather(&l, key, 3, 2, 0);
        l.scorer->words(l.pass, key, 3, sum);
        assert_true(sum[0] == 0 && sum[1] == 0 && sum[2] == 0);
        step(&l);
        l.scorer->words(l.pass, key, 3, sum);
        assert_true(sum[0] == -5 && sum[1] == 0 && sum[2] == 5);
        step(&l); /* what the pass had gathered is used up */
        l.scorer->words(l.pass, key, 3, sum);
        assert_true(sum[0] == -5 && sum[1] == 0 && sum[2] == 5);
        gather(&l, key, 1, 1, 0);
        gather(&l, key + 2, 1, 1, 2);
        step(&l);
        l.scorer->words(l.pass, key, 3, sum);
        assert_true(sum[0] == -5 - 2 && sum[1] == 2 + 1 && sum[2] == 5 - 1);
        learner_close(&l);
    }
}

/* One weight in each of three runs, learnt in the first of 2, 4 and 3 steps: their averages are 5,
 * 9 and -2, the mean 4, whether the last run was ended or goes on.  Each begins with no weights. */
static void runs_are_averaged(void **state)
{
    (void)state;
    static const struct {
        int steps;
        double weight;
    } runs[] = { { 2, 10 }, { 4, 12 }, { 3, -3 } };
    for (int i = 0; i < 4; i++) {
        learner l;
        frozen c;
        uint64_t key = key_of(1);
        ddn_score sum[MOST_CLASSES];
        learner_open(&l, i % 2 ? 2 : MOST_CLASSES);
        for (int run = 0; run < 3; run++) {
            ddn_adjoint d = { 1, -runs[run].weight };
            if (run > 0)
                assert_int_equal(l.scorer->restart(l.model, NULL), 0);
            l.scorer->words(l.pass, &key, 1, sum);
            assert_true(sum[1] == 0);
            assert_int_equal(l.scorer->learn_word(l.pass, &key, 1, &d, 1, NULL), 0);
            for (int t = 0; t < runs[run].steps; t++)
                step(&l);
        }
        if (i / 2)
            assert_int_equal(l.scorer->restart(l.model, NULL), 0);
        freeze(&c, &l);
        c.l.scorer->words(c.l.pass, &key, 1, sum);
        assert_true(sum[0] == 0 && sum[1] == 4 * SCALE);
        thaw(&c);
        learner_close(&l);
    }
}

static int open_bytes(const void *bytes, size_t size)
{
    ddn_model *m;
    ddn_spec spec = { .part = "words" };
    ddn_model_file f = { .path = "x",
                         .sections = 1,
                         .section = { { .name = "words", .data = bytes, .size = size } } };
    int status = ddn_scorer_find("perceptron")->open(&f, &spec, &m, NULL);
    ddn_model_close(m);
    return status;
}

static void damaged_bytes_are_refused(void **state)
{
    (void)state;
    learner l;
    frozen c;
    uint64_t key = 5;
    learner_open(&l, 3);
    gather(&l, &key, 1, 1, 2);
    step(&l);
    freeze(&c, &l);
    const ddn_section *s = &c.file.section[0];
    assert_int_equal(c.file.sections, 1);
    assert_int_equal(open_bytes(s->data, s->size), 0);
    for (size_t size = 0; size < s->size; size++)
        assert_int_equal(open_bytes(s->data, size), DODONA_E_MODEL);
    char *bytes = malloc(s->size);
    assert_non_null(bytes);
    memcpy(bytes, s->data, s->size);
    for (int classes = 0; classes < 2; classes++) {
        bytes[0] = (char)classes;
        assert_int_equal(open_bytes(bytes, s->size), DODONA_E_MODEL);
    }
    free(bytes);
    thaw(&c);
    learner_close(&l);
}

/* A class has 15 bits in a list: as many are taken, and not one more. */
static void there_are_only_so_many_classes(void **state)
{
    (void)state;
    enum { MOST = 1 << 15 };
    learner l;
    frozen c;
    uint64_t key = 5;
    uint32_t most = MOST, more = most + 1;
    learner_open(&l, MOST);
    gather(&l, &key, 1, MOST - 1, 0);
    step(&l);
    freeze(&c, &l);
    const ddn_section *s = &c.file.section[0];
    assert_memory_equal(s->data, &most, sizeof most);
    assert_int_equal(open_bytes(s->data, s->size), 0);
    char *bytes = malloc(s->size);
    assert_non_null(bytes);
    memcpy(bytes, s->data, s->size);
    memcpy(bytes, &more, sizeof more);
    assert_int_equal(open_bytes(bytes, s->size), DODONA_E_MODEL);
    free(bytes);
    thaw(&c);
    learner_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_and_many_classes),
        cmocka_unit_test(repeated_keys_add_up),
        cmocka_unit_test(runs_are_averaged),
        cmocka_unit_test(damaged_bytes_are_refused),
        cmocka_unit_test(there_are_only_so_many_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
