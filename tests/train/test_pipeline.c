/* SPDX-License-Identifier: MIT */
/* Training a whole pipeline: it repeats to the byte, also when it is interrupted in any phase, and
 * what was done before the parser is not done again. */
#include "lib/check.h"
#include "lib/files.h"
#include "lib/generated.h"
#include "lib/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Stops at the n-th report of a phase. */
typedef struct stopper {
    const char *phase;
    int n;
    int tagger; /* reports of the phase "tagger" */
} stopper;

static int report(void *ctx, const dodona_progress *p)
{
    stopper *s = ctx;
    s->tagger += strcmp(p->phase, "tagger") == 0;
    return s->phase && strcmp(p->phase, s->phase) == 0 && --s->n == 0;
}

static int train(const char *model, stopper *s, uint64_t seed, dodona_error *err)
{
    test_generated from, dev;
    dodona_train_options o;
    dodona_train_options_init(&o);
    o.pipeline = 1;
    o.jackknife = 2;
    o.iterations = 2;
    o.seed = seed;
    o.report = report;
    o.report_ctx = s;
    test_generated_open(&from, 1, 0, 70);
    test_generated_open(&dev, 2, 0, 20);
    int code = dodona_train(&o, &from.source, &dev.source, model, NULL, err);
    test_generated_close(&from);
    test_generated_close(&dev);
    return code;
}

static bool same_files(const char *a, const char *b)
{
    size_t a_size, b_size;
    char *x = test_slurp(a, &a_size), *y = test_slurp(b, &b_size);
    bool same = a_size == b_size && memcmp(x, y, a_size) == 0;
    free(x);
    free(y);
    return same;
}

static void interrupted_runs_end_in_the_same_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *phase;
        int n;
        bool again; /* the tagger must be trained anew */
    } stop[] = { { "tokenizer", 1, true },
                 { "tagger", 3, true },
                 { "jackknife", 2, true },
                 { "train", 1, false },
                 { "train", 4, false } };
    char whole[256], cut[256], parts[300];
    dodona_error err = { 0 };
    stopper none = { 0 };
    snprintf(whole, sizeof whole, "%s", test_scratch("whole"));
    snprintf(cut, sizeof cut, "%s", test_scratch("cut"));
    snprintf(parts, sizeof parts, "%s.parts", cut);
    if (train(whole, &none, 1, &err) < 0)
        fail_msg("%s", err.message);
    for (size_t i = 0; i < sizeof stop / sizeof *stop; i++) {
        stopper s = { .phase = stop[i].phase, .n = stop[i].n }, on = { 0 };
        assert_int_equal(train(cut, &s, 1, &err), DODONA_E_CANCELLED);
        assert_int_equal(access(parts, F_OK) == 0, !stop[i].again);
        assert_int_equal(train(cut, &on, 1, &err), 0);
        assert_int_equal(on.tagger > 0, stop[i].again);
        assert_true(access(parts, F_OK) != 0);
        assert_true(same_files(whole, cut));
    }
}

/* What another run left is not taken. */
static void parts_of_other_runs_are_ignored(void **state)
{
    (void)state;
    char other[256], whole[256], parts[300];
    dodona_error err = { 0 };
    stopper s = { .phase = "train", .n = 1 }, on = { 0 };
    snprintf(whole, sizeof whole, "%s", test_scratch("whole"));
    snprintf(other, sizeof other, "%s", test_scratch("other"));
    snprintf(parts, sizeof parts, "%s.parts", other);
    assert_int_equal(train(other, &s, 2, &err), DODONA_E_CANCELLED);
    assert_int_equal(train(other, &on, 1, &err), 0);
    assert_true(on.tagger > 0);
    assert_true(same_files(whole, other));
    test_spill(parts, "rubbish", 7);
    assert_int_equal(train(other, &on, 1, &err), 0);
    assert_true(same_files(whole, other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interrupted_runs_end_in_the_same_bytes),
        cmocka_unit_test(parts_of_other_runs_are_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
