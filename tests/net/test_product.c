/* SPDX-License-Identifier: MIT */
/* Products of floats, by OpenBLAS where the build has it and by the plain loops, against sums in
 * double precision. */
#include "core/rng.h"
#include "lib/check.h"
#include "net/product.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef void product(size_t m, size_t n, size_t k, ddn_factor a, ddn_factor b, float keep, float *c,
                     size_t stride);

static ddn_rng rng;

static float *numbers(size_t n)
{
    float *x = malloc((n + 1) * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < n; i++)
        x[i] = (float)(2 * ddn_rng_unit(&rng) - 1);
    return x;
}

static double at(ddn_factor f, size_t row, size_t column)
{
    return f.turned ? f.at[column * f.stride + row] : f.at[row * f.stride + column];
}

/* Strides are larger than rows, and what lies between rows of c stays. */
static void check(product *f, size_t m, size_t n, size_t k, bool left, bool right, float keep)
{
    size_t stride = n + 3;
    ddn_factor a = { numbers((m + k) * (m + k + 2)), (left ? m : k) + 2, left };
    ddn_factor b = { numbers((n + k) * (n + k + 1)), (right ? k : n) + 1, right };
    float *c = numbers(m * stride), *before = numbers(m * stride);
    for (size_t i = 0; i < m * stride; i++)
        before[i] = c[i];
    f(m, n, k, a, b, keep, c, stride);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            double sum = keep * before[i * stride + j];
            for (size_t l = 0; l < k; l++)
                sum += at(a, i, l) * at(b, l, j);
            assert_true(fabs(c[i * stride + j] - sum) <= 1e-6 * (double)(k + 1));
        }
        for (size_t j = n; j < stride; j++)
            assert_true(c[i * stride + j] == before[i * stride + j]);
    }
    free((float *)a.at), free((float *)b.at), free(c), free(before);
}

static void check_all(product *f)
{
    static const size_t sizes[] = { 0, 1, 2, 7, 16, 33, 100 };
    enum { SIZES = sizeof sizes / sizeof *sizes };
    for (int i = 0; i < SIZES * SIZES * SIZES * 8; i++) {
        int way = i % 8, m = i / 8 % SIZES, n = i / 8 / SIZES % SIZES, k = i / 8 / SIZES / SIZES;
        check(f, sizes[m], sizes[n], sizes[k], way & 1, way & 2, way & 4 ? 1 : 0);
    }
}

static void plain_equals_double_precision(void **state)
{
    (void)state;
    check_all(ddn_product_plain);
}

static void the_one_of_the_build_equals_double_precision(void **state)
{
    (void)state;
    check_all(ddn_product);
}

/* ---- Threads ---- */

enum { THREADS = 4, ROUNDS = 1500, M = 90, N = 256, K = 120 };

typedef struct job {
    float *a, *b, *c, *want;
    int wrong;
} job;

static void *multiply(void *ctx)
{
    job *j = ctx;
    for (int i = 0; i < ROUNDS; i++) {
        ddn_product(M, N, K, DDN_AS_IS(j->a, K), DDN_AS_IS(j->b, N), 0, j->c, N);
        j->wrong += memcmp(j->c, j->want, M * N * sizeof *j->c) != 0;
    }
    return NULL;
}

static void threads_do_not_disturb_each_other(void **state)
{
    (void)state;
    pthread_t thread[THREADS];
    job j[THREADS];
    for (int i = 0; i < THREADS; i++) {
        j[i] = (job){ numbers(M * K), numbers(K * N), numbers(M * N), numbers(M * N), 0 };
        ddn_product(M, N, K, DDN_AS_IS(j[i].a, K), DDN_AS_IS(j[i].b, N), 0, j[i].want, N);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, multiply, &j[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(j[i].wrong, 0);
        free(j[i].a), free(j[i].b), free(j[i].c), free(j[i].want);
    }
}

int main(void)
{
    ddn_rng_init(&rng, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_equals_double_precision),
        cmocka_unit_test(the_one_of_the_build_equals_double_precision),
        cmocka_unit_test(threads_do_not_disturb_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
