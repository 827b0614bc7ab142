/* SPDX-License-Identifier: MIT */
/* The sampled p against the exact one: with n sentences there are 2^n swaps, and for small n all of
 * them can be tried. */
#include "core/rng.h"
#include "eval/scored.h"

enum { N = 10, TRIALS = 20000 };
/* Four standard errors of a share of 1/2, the widest: 4 sqrt(0.25 / TRIALS). */
#define BOUND 0.0142

/* The exact p for one score, in integers: of F1 = 2c / (s + g), with g common, the differences are
 * compared by cross-multiplication. */
static double exact_p(const ddn_stratum *s, int n, int64_t gold, int test)
{
    int64_t real_over = 0, real_under = 1, count = 0;
    for (int swaps = 0; swaps < 1 << n; swaps++) {
        int64_t c[2] = { 0 }, words[2] = { gold, gold };
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 2; k++) {
                int to = k ^ (swaps >> i & 1);
                c[to] += s[i].correct[k][test];
                words[to] += s[i].words[k];
            }
        int64_t over = llabs(c[0] * words[1] - c[1] * words[0]), under = words[0] * words[1];
        if (swaps == 0) {
            real_over = over;
            real_under = under;
        }
        count += over * real_under >= real_over * under;
    }
    return (double)count / (1 << n);
}

static int32_t pick(ddn_rng *r, int n)
{
    return (int32_t)ddn_rng_below(r, (uint64_t)n);
}

static void sampled_is_near_exact(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_rng_init(&r, 2);
    for (int round = 0; round < 40; round++) {
        ddn_stratum s[N];
        int64_t gold = 0;
        int lead = pick(&r, 4);
        for (int i = 0; i < N; i++) {
            int words = 5 + pick(&r, 5);
            gold += words;
            for (int k = 0; k < 2; k++) {
                s[i].words[k] = words + (round % 2 ? pick(&r, 3) : 0);
                s[i].correct[k][DDN_TEST_UAS] = pick(&r, 5) + (k ? 0 : pick(&r, lead + 1));
                s[i].correct[k][DDN_TEST_LAS] = pick(&r, s[i].correct[k][DDN_TEST_UAS] + 1);
            }
        }
        ddn_test t[DDN_TESTS], again[DDN_TESTS];
        assert_int_equal(ddn_paired_randomisation(s, N, gold, TRIALS, 7, t, NULL), 0);
        assert_int_equal(ddn_paired_randomisation(s, N, gold, TRIALS, 7, again, NULL), 0);
        for (int k = 0; k < DDN_TESTS; k++) {
            double p = exact_p(s, N, gold, k);
            if (t[k].p < p - BOUND || t[k].p > p + BOUND)
                fail_msg("round %d: p %f, exact %f", round, t[k].p, p);
            assert_true(again[k].p == t[k].p && again[k].difference == t[k].difference);
        }
    }
}

/* When one system is better in each of 10 sentences, only the two extreme swaps differ as much.
 * The share of trials that hit them has mean 2/1024. */
static void always_better(void **state)
{
    (void)state;
    ddn_stratum s[N];
    for (int i = 0; i < N; i++)
        s[i] = (ddn_stratum){ .correct = { { 6, 5 }, { 5, 4 } }, .words = { 10, 10 } };
    ddn_test t[DDN_TESTS];
    assert_int_equal(ddn_paired_randomisation(s, N, 10 * N, TRIALS, 1, t, NULL), 0);
    for (int k = 0; k < DDN_TESTS; k++) {
        assert_true(t[k].difference > 0.1 - 1e-12 && t[k].difference < 0.1 + 1e-12);
        assert_true(t[k].p > 0.001 && t[k].p < 0.0035);
    }
}

/* No difference: every trial differs at least as much.  The rounded F1 of thirds must not hide it.
 */
static void ties_count(void **state)
{
    (void)state;
    ddn_stratum s[4] = {
        { .correct = { { 2, 2 }, { 1, 1 } }, .words = { 3, 3 } },
        { .correct = { { 1, 1 }, { 2, 2 } }, .words = { 3, 3 } },
        { .correct = { { 3, 3 }, { 3, 3 } }, .words = { 7, 7 } },
        { .correct = { { 0, 0 }, { 0, 0 } }, .words = { 1, 1 } },
    };
    ddn_test t[DDN_TESTS];
    assert_int_equal(ddn_paired_randomisation(s, 4, 14, 999, 3, t, NULL), 0);
    assert_true(t[DDN_TEST_LAS].p == 1 && t[DDN_TEST_LAS].difference == 0);
    s[0].correct[0][DDN_TEST_UAS] = 3; /* 2 - 1, 2 + 1 and their mirrors: none is nearer 0 */
    assert_int_equal(ddn_paired_randomisation(s, 4, 14, 999, 3, t, NULL), 0);
    assert_true(t[DDN_TEST_UAS].p == 1);
}

#define W(id, form, head, rel) id "\t" form "\t_\tX\t_\t_\t" head "\t" rel "\t_\t_\n"

/* The system splits "bc" and joins the sentences: each of its words counts where it begins. */
static void strata_add_up(void **state)
{
    (void)state;
    static const char gold[] =
        W("1", "a", "0", "root") W("2", "bc", "1", "obj") "\n" W("1", "d", "0", "root")
            W("2", "e", "1", "obj") W("3", "f", "2", "nmod") "\n";
    static const char first[] =
        W("1", "a", "0", "root") W("2", "b", "1", "obj") W("3", "c", "1", "obj")
            W("4", "d", "1", "dep") W("5", "e", "4", "obl") W("6", "f", "5", "nmod") "\n";
    ddn_evaluation e;
    dodona_error err = { 0 };
    ddn_eval_settings settings = { .trials = 4000, .seed = 1 };
    assert_int_equal(evaluate_texts(&e, settings, gold, first, gold, &err), 0);
    double las = ddn_f1(&e.result[0].metric[DDN_LAS]) - 1,
           uas = ddn_f1(&e.result[0].metric[DDN_UAS]) - 1;
    assert_true(ddn_f1(&e.result[1].metric[DDN_LAS]) == 1);
    /* a and f; with e without labels: 2*2/11, 2*3/11. */
    assert_int_equal(e.result[0].metric[DDN_LAS].correct, 2);
    assert_int_equal(e.result[0].metric[DDN_UAS].correct, 3);
    assert_true(e.test[DDN_TEST_LAS].difference - las < 1e-12 &&
                las - e.test[DDN_TEST_LAS].difference < 1e-12);
    assert_true(e.test[DDN_TEST_UAS].difference - uas < 1e-12 &&
                uas - e.test[DDN_TEST_UAS].difference < 1e-12);
    const ddn_stratum s[2] = { { .correct = { { 1, 1 }, { 2, 2 } }, .words = { 3, 2 } },
                               { .correct = { { 2, 1 }, { 3, 3 } }, .words = { 3, 3 } } };
    for (int k = 0; k < DDN_TESTS; k++) {
        double p = exact_p(s, 2, 5, k);
        assert_true(e.test[k].p > p - 0.04 && e.test[k].p < p + 0.04);
    }
    ddn_evaluation_fini(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sampled_is_near_exact),
        cmocka_unit_test(always_better),
        cmocka_unit_test(ties_count),
        cmocka_unit_test(strata_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
