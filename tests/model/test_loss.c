/* SPDX-License-Identifier: MIT */
/* Losses: the adjoints are the derivatives of the loss that the header names, by central
 * differences; and what does not change them. */
#include "core/rng.h"
#include "lib/check.h"
#include "model/loss.h"
#include <math.h>
#include <string.h>

enum { MOST = 9, TRIES = 300 };

/* What the header says of each. */
static double perceptron(const double *score, int m, int target, int guess)
{
    (void)m;
    return score[guess] - score[target];
}

static double log_loss(const double *score, int m, int target, int guess)
{
    double sum = 0;
    (void)guess;
    for (int i = 0; i < m; i++)
        sum += exp(score[i] - score[target]);
    return log(sum);
}

/* Adds up the adjoints by output: one may be there twice. */
static void gather(const ddn_loss *loss, const double *score, int m, int target, int guess,
                   double *to)
{
    ddn_adjoint d[MOST];
    int32_t count = loss->adjoints(score, m, target, guess, d);
    assert_true(count >= 0 && count <= (m > 2 ? m : 2));
    for (int i = 0; i < m; i++)
        to[i] = 0;
    for (int32_t i = 0; i < count; i++) {
        assert_in_range(d[i].output, 0, m - 1);
        to[d[i].output] += d[i].d;
    }
}

static int best_of(const double *score, int m)
{
    int best = 0;
    for (int i = 1; i < m; i++)
        best = score[i] > score[best] ? i : best;
    return best;
}

static void adjoints_are_derivatives(void **state)
{
    (void)state;
    static const struct {
        const ddn_loss *loss;
        double (*plain)(const double *score, int m, int target, int guess);
    } cases[] = { { &ddn_loss_perceptron, perceptron }, { &ddn_loss_softmax, log_loss } };
    const double step = 1e-5;
    ddn_rng r;
    ddn_rng_init(&r, 1);
    for (int c = 0; c < 2; c++)
        for (int t = 0; t < TRIES; t++) {
            int m = 1 + (int)ddn_rng_below(&r, MOST);
            double score[MOST], found[MOST];
            for (int i = 0; i < m; i++)
                score[i] = ddn_rng_unit(&r) * 8 - 4;
            int target = (int)ddn_rng_below(&r, (uint64_t)m), guess = best_of(score, m);
            gather(cases[c].loss, score, m, target, guess, found);
            for (int i = 0; i < m; i++) {
                double at = score[i];
                score[i] = at + step;
                double above = cases[c].plain(score, m, target, guess);
                score[i] = at - step;
                double below = cases[c].plain(score, m, target, guess);
                score[i] = at;
                assert_true(fabs(found[i] - (above - below) / (2 * step)) < 1e-8);
            }
        }
}

/* By hand: e, 1 and 1 over their sum; and half and half. */
static void softmax_is_a_distribution(void **state)
{
    (void)state;
    const double e = exp(1);
    double d[3];
    gather(&ddn_loss_softmax, (double[]){ 1, 0, 0 }, 3, 1, 0, d);
    assert_true(fabs(d[0] - e / (e + 2)) < 1e-12);
    assert_true(fabs(d[1] - (1 / (e + 2) - 1)) < 1e-12);
    assert_true(fabs(d[2] - 1 / (e + 2)) < 1e-12);
    gather(&ddn_loss_softmax, (double[]){ 7, 7 }, 2, 0, 0, d);
    assert_true(d[0] == -0.5 && d[1] == 0.5);
    gather(&ddn_loss_softmax, (double[]){ 3 }, 1, 0, 0, d);
    assert_true(d[0] == 0);
}

/* exp() of such scores is infinite or 0; the guess need not be the best. */
static void large_scores_do_no_harm(void **state)
{
    (void)state;
    double d[3];
    for (int guess = 0; guess < 3; guess++) {
        gather(&ddn_loss_softmax, (double[]){ 1e6, -1e6, 1e6 - 1 }, 3, 1, guess, d);
        assert_true(fabs(d[0] - 1 / (1 + exp(-1))) < 1e-12);
        assert_true(fabs(d[1] + 1) < 1e-12);
        assert_true(fabs(d[2] - 1 / (1 + exp(1))) < 1e-12);
    }
}

static void the_perceptron_needs_no_scores(void **state)
{
    (void)state;
    ddn_adjoint d[2];
    assert_false(ddn_loss_perceptron.reads_scores);
    assert_true(ddn_loss_softmax.reads_scores);
    assert_int_equal(ddn_loss_perceptron.adjoints(NULL, 5, 3, 3, d), 0);
    assert_int_equal(ddn_loss_perceptron.adjoints(NULL, 5, 3, 1, d), 2);
    assert_true(d[0].output == 3 && d[0].d == -1 && d[1].output == 1 && d[1].d == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adjoints_are_derivatives),
        cmocka_unit_test(softmax_is_a_distribution),
        cmocka_unit_test(large_scores_do_no_harm),
        cmocka_unit_test(the_perceptron_needs_no_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
