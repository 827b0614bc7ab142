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

/* The system splits "bc" and joins the sentences. */
static const char gold_text[] =
    W("1", "a", "0", "root") W("2", "bc", "1", "obj") "\n" W("1", "d", "0", "root")
        W("2", "e", "1", "obj") W("3", "f", "2", "nmod") "\n";
static const char joined_text[] =
    W("1", "a", "0", "root") W("2", "b", "1", "obj") W("3", "c", "1", "obj") W("4", "d", "1", "dep")
        W("5", "e", "4", "obl") W("6", "f", "5", "nmod") "\n";

static void strata_by_hand(void **state)
{
    (void)state;
    held h[2] = { { .text = gold_text }, { .text = joined_text } };
    ddn_corpus corpus[2];
    ddn_alignment a[2];
    ddn_eval_names names;
    assert_int_equal(ddn_eval_names_init(&names, NULL), 0);
    for (int i = 0; i < 2; i++) {
        ddn_eval_source source = hold(&h[i], "file");
        assert_int_equal(ddn_corpus_read(&corpus[i], &names, &source, NULL), 0);
        assert_int_equal(ddn_align(&a[i], &corpus[0], &corpus[i], NULL), 0);
        release(&h[i]);
    }
    ddn_stratum s[2];
    ddn_strata(&a[1], &a[0], false, s);
    /* Sentence 1: of a, b, c only a is right.  Sentence 2: of d, e, f the head of e and all of f.
     */
    const ddn_stratum want[2] = {
        { .correct = { { [DDN_TEST_UAS] = 1, [DDN_TEST_LAS] = 1 }, { 2, 2 } }, .words = { 3, 2 } },
        { .correct = { { [DDN_TEST_UAS] = 2, [DDN_TEST_LAS] = 1 }, { 3, 3 } }, .words = { 3, 3 } },
    };
    assert_memory_equal(s, want, sizeof want);
    for (int i = 0; i < 2; i++) {
        ddn_alignment_fini(&a[i]);
        ddn_corpus_fini(&corpus[i]);
    }
    ddn_eval_names_fini(&names);
}

/* The test speaks of the same F1 as the scores do. */
static void difference_is_that_of_the_scores(void **state)
{
    (void)state;
    static const ddn_metric metric[DDN_TESTS] = {
        [DDN_TEST_UAS] = DDN_UAS, [DDN_TEST_LAS] = DDN_LAS
    };
    ddn_evaluation e;
    ddn_eval_settings settings = { .trials = 10, .seed = 1 };
    assert_int_equal(evaluate_texts(&e, settings, gold_text, joined_text, gold_text, NULL), 0);
    for (int k = 0; k < DDN_TESTS; k++) {
        double f1 = ddn_f1(&e.result[0].metric[metric[k]]);
        assert_true(ddn_f1(&e.result[1].metric[metric[k]]) == 1);
        assert_true(e.result[1].test[k].difference < f1 - 1 + 1e-12);
        assert_true(e.result[1].test[k].difference > f1 - 1 - 1e-12);
    }
    ddn_evaluation_fini(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sampled_is_near_exact),
        cmocka_unit_test(always_better),
        cmocka_unit_test(ties_count),
        cmocka_unit_test(strata_by_hand),
        cmocka_unit_test(difference_is_that_of_the_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
