/* SPDX-License-Identifier: MIT */
/* The classifier against one that is written down plainly: a matrix of weights, and a second one
 * that adds it up after every step. */
#include "core/rng.h"
#include "lib/check.h"
#include "pipeline/classifier.h"
#include <stdlib.h>
#include <string.h>

enum { FEATURES = 40, KEYS = 6, STEPS = 3000, MOST_CLASSES = 9, NO_LIMIT = 1 << 30, SCALE = 64 };

typedef struct plain {
    int32_t w[FEATURES][MOST_CLASSES];
    int64_t total[FEATURES][MOST_CLASSES];
} plain;

static uint64_t key_of(int feature)
{
    return ddn_key(7, (uint64_t)feature);
}

/* The first class with the highest sum. */
static int best_class(const int32_t *sum, int classes)
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
    ddn_learning l;
    ddn_rng r;
    int feature[KEYS];
    uint64_t key[KEYS];
    int32_t sum[MOST_CLASSES];
    plain *p = calloc(1, sizeof *p);
    assert_non_null(p);
    ddn_rng_init(&r, (uint64_t)classes);
    assert_int_equal(ddn_learning_init(&l, classes, NULL), 0);
    for (int t = 0; t < STEPS; t++) {
        int right = draw(&r, classes, feature);
        for (int i = 0; i < KEYS; i++)
            key[i] = key_of(feature[i]);
        ddn_learning_step(&l);
        ddn_learning_scores(&l, key, KEYS, sum);
        int guess = best_class(sum, classes);
        /* Averaged over the weights as they were before each step: the change of a step counts for
         * the steps after it. */
        for (int f = 0; f < FEATURES; f++)
            for (int c = 0; c < classes; c++)
                p->total[f][c] += p->w[f][c];
        if (guess != right)
            assert_int_equal(ddn_learning_update(&l, key, KEYS, right, guess, NULL), 0);
        plain_step(p, classes, feature, right);
    }
    ddn_output bytes;
    ddn_classifier c;
    ddn_output_memory(&bytes);
    assert_int_equal(ddn_learning_freeze(&l, NO_LIMIT, &bytes, NULL), 0);
    assert_int_equal(ddn_classifier_open(&c, bytes.data, bytes.size, NULL), 0);
    for (int f = 0; f < FEATURES; f++) {
        uint64_t one = key_of(f);
        ddn_learning_scores(&l, &one, 1, sum);
        assert_memory_equal(sum, p->w[f], (size_t)classes * sizeof *sum);
        ddn_classifier_scores(&c, &one, 1, sum);
        for (int k = 0; k < classes; k++)
            assert_int_equal(sum[k], frozen_average(p->total[f][k], STEPS));
    }
    ddn_output_abandon(&bytes);
    ddn_learning_fini(&l);
    free(p);
}

static void few_and_many_classes(void **state)
{
    (void)state;
    for (int classes = 2; classes <= MOST_CLASSES; classes++)
        learns_what_the_plain_one_learns(classes);
}

static void repeated_keys_add_up(void **state)
{
    (void)state;
    for (int classes = 3; classes <= 6; classes += 3) {
        ddn_learning l;
        uint64_t key[3] = { 11, 11, 12 };
        int32_t sum[6];
        assert_int_equal(ddn_learning_init(&l, classes, NULL), 0);
        assert_int_equal(ddn_learning_update(&l, key, 3, 2, 0, NULL), 0);
        ddn_learning_scores(&l, key, 3, sum);
        assert_int_equal(sum[0], -5);
        assert_int_equal(sum[1], 0);
        assert_int_equal(sum[2], 5);
        ddn_learning_fini(&l);
    }
}

/* One weight in each of three runs, of 4, 8 and 16 steps from the first: their averages are 5, 9
 * and -2, the mean 4.  Each run begins with no weights. */
static void runs_are_averaged(void **state)
{
    (void)state;
    static const int32_t delta[] = { 5, 9, -2 };
    for (int classes = 2; classes <= MOST_CLASSES; classes += MOST_CLASSES - 2) {
        ddn_learning l;
        ddn_classifier c;
        ddn_output bytes;
        uint64_t key = key_of(1);
        int32_t sum[MOST_CLASSES];
        ddn_output_memory(&bytes);
        assert_int_equal(ddn_learning_init(&l, classes, NULL), 0);
        for (int run = 0; run < 3; run++) {
            ddn_learning_scores(&l, &key, 1, sum);
            assert_int_equal(sum[1], 0);
            assert_int_equal(ddn_learning_add(&l, &key, 1, 1, delta[run], NULL), 0);
            for (int step = 0; step < 4 << run; step++)
                ddn_learning_step(&l);
            assert_int_equal(ddn_learning_end(&l, NULL), 0);
        }
        assert_int_equal(ddn_learning_freeze(&l, NO_LIMIT, &bytes, NULL), 0);
        assert_int_equal(ddn_classifier_open(&c, bytes.data, bytes.size, NULL), 0);
        ddn_classifier_scores(&c, &key, 1, sum);
        assert_int_equal(sum[0], 0);
        assert_int_equal(sum[1], 4 * SCALE);
        ddn_learning_fini(&l);
        ddn_output_abandon(&bytes);
    }
}

static void damaged_bytes_are_refused(void **state)
{
    (void)state;
    ddn_learning l;
    ddn_classifier c;
    ddn_output bytes;
    uint64_t key = 5;
    ddn_output_memory(&bytes);
    assert_int_equal(ddn_learning_init(&l, 3, NULL), 0);
    assert_int_equal(ddn_learning_update(&l, &key, 1, 1, 2, NULL), 0);
    assert_int_equal(ddn_learning_freeze(&l, NO_LIMIT, &bytes, NULL), 0);
    for (size_t size = 0; size < bytes.size; size++)
        assert_int_equal(ddn_classifier_open(&c, bytes.data, size, NULL), DODONA_E_MODEL);
    for (int classes = 0; classes < 2; classes++) {
        bytes.data[0] = (char)classes;
        assert_int_equal(ddn_classifier_open(&c, bytes.data, bytes.size, NULL), DODONA_E_MODEL);
    }
    ddn_output_abandon(&bytes);
    ddn_learning_fini(&l);
}

/* A class has 15 bits in a list: as many are taken, and not one more. */
static void there_are_only_so_many_classes(void **state)
{
    (void)state;
    ddn_learning l;
    ddn_classifier c;
    ddn_output bytes;
    uint64_t key = 5;
    uint32_t most = DDN_MOST_CLASSES, more = most + 1;
    ddn_output_memory(&bytes);
    assert_int_equal(ddn_learning_init(&l, DDN_MOST_CLASSES, NULL), 0);
    assert_int_equal(ddn_learning_update(&l, &key, 1, DDN_MOST_CLASSES - 1, 0, NULL), 0);
    assert_int_equal(ddn_learning_freeze(&l, NO_LIMIT, &bytes, NULL), 0);
    assert_memory_equal(bytes.data, &most, sizeof most);
    assert_int_equal(ddn_classifier_open(&c, bytes.data, bytes.size, NULL), 0);
    memcpy(bytes.data, &more, sizeof more);
    assert_int_equal(ddn_classifier_open(&c, bytes.data, bytes.size, NULL), DODONA_E_MODEL);
    ddn_output_abandon(&bytes);
    ddn_learning_fini(&l);
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
