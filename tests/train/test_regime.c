/* SPDX-License-Identifier: MIT */
/* What the options of a run do to the weights that it ends with: the seeds that an average is over,
 * and the iteration in which exploring begins.
 *
 * Runs are compared by the weights in their model files.  Where these must be read one by one, the
 * only feature is d(q0,q0): one key while there are words in the buffer, another when there are
 * none. */
#include "lib/check.h"
#include "lib/files.h"
#include "lib/generated.h"
#include "lib/memory.h"
#include "model/features.h"
#include "model/file.h"
#include "model/frozen.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 2, KINDS = 3 };

static const char templates[] = "d(q0,q0)\n";

static dodona_train_options options(int iterations, const char *oracle)
{
    dodona_train_options o;
    dodona_train_options_init(&o);
    o.iterations = iterations;
    o.oracle = oracle;
    o.system = "arc-hybrid";
    o.algorithm = "cost";
    return o;
}

static void train(const dodona_train_options *o, const dodona_source *from, const char *to)
{
    dodona_error err;
    if (dodona_train(o, from, NULL, to, NULL, &err) < 0)
        fail_msg("%s", err.message);
}

static ddn_section section(const ddn_model_file *f, const char *name)
{
    const ddn_section *s;
    assert_int_equal(ddn_model_file_find(f, name, &s, NULL), 0);
    return *s;
}

/* ---- Averages ---- */

/* The weights of moves after training on one sentence, of which every order is the same. */
static void train_on_one(const dodona_train_options *o, int32_t weight[KEYS][KINDS])
{
    static const char text[] = "1\tw\t_\tX\t_\t_\t2\ta\t_\t_\n2\tw\t_\tX\t_\t_\t5\ta\t_\t_\n"
                               "3\tw\t_\tX\t_\t_\t2\ta\t_\t_\n4\tw\t_\tX\t_\t_\t5\ta\t_\t_\n"
                               "5\tw\t_\tX\t_\t_\t0\ta\t_\t_\n6\tw\t_\tX\t_\t_\t5\ta\t_\t_\n"
                               "7\tw\t_\tX\t_\t_\t8\ta\t_\t_\n8\tw\t_\tX\t_\t_\t6\ta\t_\t_\n\n";
    test_memory m = { .data = text, .size = sizeof text - 1 };
    dodona_reader *r;
    ddn_model_file f;
    ddn_frozen frozen;
    static ddn_schema schema;
    static ddn_features features;
    dodona_error err;
    const char *to = test_scratch("one.model");
    assert_int_equal(dodona_reader_open_callback(test_memory_read, &m, "x", NULL, &r, &err), 0);
    train(o, &(dodona_source){ dodona_reader_pull, r, "x" }, to);
    dodona_reader_close(r);

    ddn_schema_init(&schema);
    schema.system = ddn_system_find(o->system);
    assert_int_equal(ddn_features_init(&features, &schema, templates, strlen(templates), "x", &err),
                     0);
    assert_int_equal(features.columns, KINDS);
    assert_int_equal(ddn_model_file_open(&f, to, &err), 0);
    ddn_section rows = section(&f, "parser.rows"), lists = section(&f, "parser.lists");
    assert_int_equal(ddn_frozen_check(&frozen, KINDS, UINT16_MAX, rows.data, rows.size, lists.data,
                                      lists.size, &err),
                     0);
    memset(weight, 0, KEYS * sizeof *weight);
    for (uint32_t value = 0; value < KEYS; value++) {
        uint64_t key = ddn_feature_key(&features.feature[0], &value);
        uint32_t list;
        ddn_frozen_kinds_plain(&frozen, &key, 1, weight[value], &list);
    }
    ddn_model_file_close(&f);
    ddn_schema_fini(&schema);
}

/* An average over runs has the means of the weights of runs with seeds one apart. */
static void an_average_is_over_seeds_one_apart(void **state)
{
    (void)state;
    enum { RUNS = 3, SEED = 5 };
    char file[256];
    snprintf(file, sizeof file, "%s", test_scratch("one.templates"));
    test_spill(file, templates, strlen(templates));
    dodona_train_options o = options(3, "explore");
    o.templates = file;
    o.explore_after = 0;
    o.explore_rate = 0.5;
    int32_t own[RUNS][KEYS][KINDS], mean[KEYS][KINDS], most = 0;
    for (int k = 0; k < RUNS; k++) {
        o.seed = (uint64_t)(SEED + k);
        train_on_one(&o, own[k]);
    }
    for (int runs = 1; runs <= RUNS; runs++) {
        o.seed = SEED;
        o.average = runs;
        train_on_one(&o, mean);
        for (int i = 0; i < KEYS; i++)
            for (int k = 0; k < KINDS; k++) {
                int32_t sum = 0, far;
                for (int r = 0; r < runs; r++)
                    sum += own[r][i][k];
                assert_true(labs(mean[i][k] * runs - sum) <= runs); /* all are rounded */
                far = (int32_t)labs(sum - runs * own[0][i][k]);
                most = far > most ? far : most;
            }
    }
    assert_true(most > 3 * RUNS); /* the runs are not all alike */
}

/* ---- Exploring ---- */

/* All weights after training on generated sentences, for the caller to free. */
static char *weights_after(const dodona_train_options *o, size_t *size)
{
    test_generated g;
    ddn_model_file f;
    const char *to = test_scratch("many.model");
    test_generated_open(&g, 1, 0, 40);
    train(o, &g.source, to);
    test_generated_close(&g);
    assert_int_equal(ddn_model_file_open(&f, to, NULL), 0);
    ddn_section rows = section(&f, "parser.rows"), lists = section(&f, "parser.lists");
    *size = rows.size + lists.size;
    char *bytes = malloc(*size);
    assert_non_null(bytes);
    memcpy(bytes, rows.data, rows.size);
    memcpy(bytes + rows.size, lists.data, lists.size);
    ddn_model_file_close(&f);
    return bytes;
}

static bool learn_the_same(const dodona_train_options *a, const dodona_train_options *b)
{
    size_t a_size, b_size;
    char *x = weights_after(a, &a_size), *y = weights_after(b, &b_size);
    bool same = a_size == b_size && memcmp(x, y, a_size) == 0;
    free(x);
    free(y);
    return same;
}

/* Before exploring begins, the gold moves are made that the model likes best: what nondet does all
 * the time. */
static void exploring_begins_after_so_many_iterations(void **state)
{
    (void)state;
    for (int iterations = 1; iterations <= 3; iterations++)
        for (int after = 0; after <= 4; after++) {
            dodona_train_options explore = options(iterations, "explore");
            dodona_train_options nondet = options(iterations, "nondet");
            explore.explore_after = after;
            explore.explore_rate = 1;
            assert_int_equal(learn_the_same(&explore, &nondet), after >= iterations);
        }
}

/* Each of several runs begins along the gold moves. */
static void exploring_begins_anew_in_every_run(void **state)
{
    (void)state;
    for (int after = 1; after <= 2; after++) {
        dodona_train_options explore = options(2, "explore"), nondet = options(2, "nondet");
        explore.average = nondet.average = 2;
        explore.explore_after = after;
        assert_int_equal(learn_the_same(&explore, &nondet), after >= 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_average_is_over_seeds_one_apart),
        cmocka_unit_test(exploring_begins_after_so_many_iterations),
        cmocka_unit_test(exploring_begins_anew_in_every_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
