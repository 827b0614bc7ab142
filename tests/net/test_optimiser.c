/* SPDX-License-Identifier: MIT */
/* Blocks of parameters, and steps of the optimiser against its formulas in double precision. */
#include "core/rng.h"
#include "lib/check.h"
#include "net/optimiser.h"
#include "net/tape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Parameters ---- */

static void tensors_are_apart_and_aligned(void **state)
{
    (void)state;
    ddn_params p;
    ddn_params_init(&p);
    size_t a = ddn_params_add(&p, "a", 3, 5, 0, 0), none = ddn_params_add(&p, "none", 0, 7, 0, 0);
    ddn_linear l = ddn_params_linear(&p, "product", 7, 9, 3);
    assert_int_equal(a, 0);
    assert_int_equal(ddn_params_find(&p, "none"), none);
    assert_int_equal(ddn_params_find(&p, "product.w"), l.w);
    assert_int_equal(ddn_params_find(&p, "product.b"), l.b);
    assert_true(ddn_params_find(&p, "product") == DDN_NO_TENSOR);
    for (size_t i = 0; i < p.count; i++) {
        const ddn_tensor *t = &p.tensor[i];
        size_t end = i + 1 < p.count ? p.tensor[i + 1].at : p.size;
        assert_true(t->at % DDN_TENSOR_ALIGN == 0 && t->at + t->rows * t->cols <= end);
    }
    ddn_params_fini(&p);
}

static void values_depend_on_seed_and_name(void **state)
{
    (void)state;
    ddn_params p, q;
    ddn_params_init(&p);
    ddn_params_init(&q);
    size_t w = ddn_params_linear(&p, "w", 20, 30, 1).w, c = ddn_params_add(&p, "c", 1, 8, 2.5f, 0);
    ddn_params_add(&q, "first", 10, 10, 0, 1);
    size_t other = ddn_params_linear(&q, "w", 20, 30, 1).w;
    float *one = ddn_params_block(&p), *two = ddn_params_block(&p), *three = ddn_params_block(&q);
    assert_true(one && two && three);
    ddn_params_begin(&p, 1, one);
    ddn_params_begin(&q, 1, three);
    assert_memory_equal(one + p.tensor[w].at, three + q.tensor[other].at, 600 * sizeof *one);
    ddn_params_begin(&p, 2, two);
    assert_true(memcmp(one, two, p.size * sizeof *one) != 0);
    ddn_params_begin(&p, 1, two);
    assert_memory_equal(one, two, p.size * sizeof *one);
    double mean = 0, square = 0, spread = sqrt(6.0 / 50);
    for (size_t i = 0; i < 600; i++) {
        double x = one[p.tensor[w].at + i];
        assert_true(fabs(x) <= spread);
        mean += x / 600;
        square += x * x / 600;
    }
    assert_true(fabs(mean) < 0.1 * spread && fabs(square - spread * spread / 3) < 0.01);
    for (size_t i = 0; i < 8; i++)
        assert_true(one[p.tensor[c].at + i] == 2.5f);
    free(one), free(two), free(three);
    ddn_params_fini(&p);
    ddn_params_fini(&q);
}

static void too_many_parameters_are_refused(void **state)
{
    (void)state;
    static const size_t sizes[][2] = { { 1u << 15, 1u << 14 },
                                       { SIZE_MAX, SIZE_MAX },
                                       { 1, SIZE_MAX } };
    for (size_t i = 0; i < 3; i++) {
        ddn_params p;
        ddn_params_init(&p);
        ddn_params_add(&p, "small", 1, 1, 0, 0);
        ddn_params_add(&p, "large", sizes[i][0], sizes[i][1], 0, 0);
        assert_null(ddn_params_block(&p));
        ddn_params_fini(&p);
    }
}

/* Pieces do not overlap, and are there again after clear, without new memory. */
static void a_tape_gives_pieces(void **state)
{
    (void)state;
    enum { PIECES = 50 };
    float *piece[PIECES], *again[PIECES];
    size_t size[PIECES];
    ddn_rng rng;
    ddn_tape t;
    ddn_rng_init(&rng, 1);
    ddn_tape_init(&t);
    for (int i = 0; i < PIECES; i++) {
        size[i] = ddn_rng_below(&rng, i % 10 ? 3000 : 600000);
        piece[i] = ddn_tape_take(&t, size[i]);
        assert_true(piece[i] && (uintptr_t)piece[i] % 64 == 0);
        for (size_t k = 0; k < size[i]; k++)
            piece[i][k] = (float)i;
    }
    for (int i = 0; i < PIECES; i++)
        for (size_t k = 0; k < size[i]; k++)
            assert_true(piece[i][k] == (float)i);
    ddn_tape_clear(&t);
    for (int i = 0; i < PIECES; i++) {
        again[i] = ddn_tape_take(&t, size[i]);
        assert_ptr_equal(again[i], piece[i]);
    }
    assert_null(ddn_tape_take(&t, SIZE_MAX));
    ddn_tape_fini(&t);
}

/* ---- Steps ---- */

enum { SIZE = 48, STEPS = 30 };

static void rates_rise_and_fall(void **state)
{
    (void)state;
    ddn_optimiser_options o = ddn_optimiser_defaults(100);
    assert_int_equal(o.warm, 5);
    assert_true(fabs(ddn_optimiser_rate(&o, 1) - 2e-3 / 5) < 1e-12);
    assert_true(fabs(ddn_optimiser_rate(&o, 5) - 2e-3) < 1e-12);
    assert_true(fabs(ddn_optimiser_rate(&o, 100) - 2e-5) < 1e-12);
    assert_true(fabs(ddn_optimiser_rate(&o, 1000) - 2e-5) < 1e-12);
    for (uint64_t s = 5; s < 100; s++) /* by the same amount every step */
        assert_true(fabs(ddn_optimiser_rate(&o, s) - ddn_optimiser_rate(&o, s + 1) -
                         2e-3 * 0.99 / 95) < 1e-12);
    o = ddn_optimiser_defaults(3);
    assert_true(ddn_optimiser_rate(&o, 1) > 0 && ddn_optimiser_rate(&o, 1) <= o.rate);
}

static void steps_follow_the_formulas(void **state)
{
    (void)state;
    ddn_optimiser_options options = ddn_optimiser_defaults(STEPS);
    options.averaging = 0.9;
    options.decay = 0.1;
    ddn_params p;
    ddn_optimiser o;
    ddn_rng rng;
    dodona_error err;
    double value[SIZE], first[SIZE] = { 0 }, second[SIZE] = { 0 }, average[SIZE] = { 0 };
    float gradient[SIZE];
    ddn_params_init(&p);
    ddn_params_add(&p, "all", SIZE, 1, 0, 1);
    float *v = ddn_params_block(&p);
    assert_non_null(v);
    ddn_params_begin(&p, 1, v);
    assert_int_equal(ddn_optimiser_init(&o, &options, &p, &err), DODONA_OK);
    ddn_rng_init(&rng, 1);
    for (int i = 0; i < SIZE; i++)
        value[i] = v[i];
    for (int step = 1; step <= STEPS; step++) {
        double length = 0, size = step % 2 ? 3 : 0.1; /* longer and shorter than 5 */
        for (int i = 0; i < SIZE; i++) {
            gradient[i] = (float)(size * (2 * ddn_rng_unit(&rng) - 1));
            length += (double)gradient[i] * gradient[i];
        }
        length = sqrt(length);
        assert_true(fabs(ddn_optimiser_step(&o, v, gradient) - length) < 1e-9);
        double rate = ddn_optimiser_rate(&options, (uint64_t)step);
        double keep = step == 1 ? 0 : fmin(0.9, (1.0 + step) / (10.0 + step));
        for (int i = 0; i < SIZE; i++) {
            double g = length > 5 ? gradient[i] * 5 / length : gradient[i];
            first[i] = 0.9 * first[i] + 0.1 * g;
            second[i] = 0.98 * second[i] + 0.02 * g * g;
            double m = first[i] / (1 - pow(0.9, step)), s = second[i] / (1 - pow(0.98, step));
            value[i] -= rate * (m / (sqrt(s) + 1e-8) + 0.1 * value[i]);
            average[i] = keep * average[i] + (1 - keep) * value[i];
            assert_true(fabs(v[i] - value[i]) < 1e-5 && fabs(o.average[i] - average[i]) < 1e-5);
        }
    }
    ddn_optimiser_fini(&o);
    ddn_params_fini(&p);
    free(v);
}

static void gradients_that_are_not_finite_change_nothing(void **state)
{
    (void)state;
    static const float bad[] = { NAN, INFINITY, -INFINITY };
    ddn_optimiser_options options = ddn_optimiser_defaults(10);
    ddn_params p;
    ddn_optimiser o;
    dodona_error err;
    ddn_params_init(&p);
    ddn_params_add(&p, "all", SIZE, 1, 0, 1);
    float *v = ddn_params_block(&p), *g = ddn_params_block(&p), before[SIZE], first[SIZE];
    assert_true(v && g);
    ddn_params_begin(&p, 1, v);
    ddn_params_begin(&p, 2, g);
    assert_int_equal(ddn_optimiser_init(&o, &options, &p, &err), DODONA_OK);
    ddn_optimiser_step(&o, v, g);
    memcpy(before, v, sizeof before);
    memcpy(first, o.first, sizeof first);
    for (size_t i = 0; i < 3; i++) {
        float old = g[7];
        g[7] = bad[i];
        assert_false(isfinite(ddn_optimiser_step(&o, v, g)));
        g[7] = old;
    }
    assert_memory_equal(v, before, sizeof before);
    assert_memory_equal(o.first, first, sizeof first);
    assert_int_equal(o.step, 1);
    ddn_optimiser_fini(&o);
    ddn_params_fini(&p);
    free(v), free(g);
}

/* Floats whose sum depends on the order. */
static void gradients_are_added_in_order(void **state)
{
    (void)state;
    float a[2] = { 1e8f, 1 }, b[2] = { 3, 2 }, c[2] = { -1e8f, 4 }, sum[2];
    float *parts[3] = { a, b, c };
    float expected = a[0] + b[0];
    expected += c[0];
    ddn_gradient_sum(sum, parts, 3, 2);
    assert_true(sum[0] == expected && sum[1] == 7);
    ddn_gradient_sum(a, parts, 3, 2);
    assert_true(a[0] == expected && a[1] == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensors_are_apart_and_aligned),
        cmocka_unit_test(values_depend_on_seed_and_name),
        cmocka_unit_test(too_many_parameters_are_refused),
        cmocka_unit_test(a_tape_gives_pieces),
        cmocka_unit_test(rates_rise_and_fall),
        cmocka_unit_test(steps_follow_the_formulas),
        cmocka_unit_test(gradients_that_are_not_finite_change_nothing),
        cmocka_unit_test(gradients_are_added_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
