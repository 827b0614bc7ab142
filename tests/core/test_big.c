/* SPDX-License-Identifier: MIT */
/* Large numbers against decimal arithmetic done digit by digit, and against identities. */
#include "core/big.h"
#include "core/rng.h"
#include "lib/check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 400 };

/* Least significant digit first. */
typedef struct decimal {
    int digit[DIGITS];
} decimal;

static void carry(decimal *x)
{
    for (int i = 0; i + 1 < DIGITS; i++) {
        x->digit[i + 1] += x->digit[i] / 10;
        x->digit[i] %= 10;
    }
}

static void decimal_add_product(decimal *z, const decimal *x, const decimal *y)
{
    for (int i = 0; i < DIGITS; i++)
        for (int j = 0; i + j < DIGITS; j++)
            z->digit[i + j] += x->digit[i] * y->digit[j];
    carry(z);
}

static void same(const ddn_big *x, const decimal *y)
{
    char *text = ddn_big_text(x);
    assert_non_null(text);
    size_t size = strlen(text);
    assert_true(size == 1 || text[0] != '0');
    for (size_t i = 0; i < DIGITS; i++)
        assert_int_equal(i < size ? text[size - 1 - i] - '0' : 0, y->digit[i]);
    free(text);
}

static void random_sums_of_products(void **state)
{
    (void)state;
    enum { NUMBERS = 40 };
    ddn_big_pool pool;
    ddn_rng rng;
    uint32_t id[NUMBERS];
    decimal *value = calloc(NUMBERS, sizeof *value);
    assert_non_null(value);
    ddn_rng_init(&rng, 3);
    ddn_big_pool_init(&pool);
    for (int round = 0; round < 20; round++) {
        ddn_big_pool_clear(&pool); /* the second time, limbs of the first are there */
        memset(value, 0, NUMBERS * sizeof *value);
        id[0] = DDN_BIG_ZERO;
        id[1] = DDN_BIG_ONE;
        value[1].digit[0] = 1;
        for (int i = 2; i < NUMBERS; i++) {
            id[i] = ddn_big_new(&pool);
            for (int k = 0; k < 3; k++) {
                int a = (int)ddn_rng_below(&rng, (uint64_t)i);
                int b = (int)ddn_rng_below(&rng, 4) ? a / 2 : 1;
                ddn_big_add_product(&pool, id[i], id[a], id[b]);
                decimal_add_product(&value[i], &value[a], &value[b]);
                ddn_big_add(&pool, id[i], id[a]);
                decimal_add_product(&value[i], &value[a], &value[1]);
            }
            assert_false(pool.failed);
            same(&pool.big[id[i]], &value[i]);
        }
    }
    free(value);
    ddn_big_pool_fini(&pool);
}

static void powers_of_two(void **state)
{
    (void)state;
    ddn_big_pool pool;
    ddn_big_pool_init(&pool);
    ddn_big_pool_clear(&pool);
    assert_true(ddn_big_log(&pool.big[DDN_BIG_ZERO]) == -INFINITY);
    uint32_t x = DDN_BIG_ONE;
    for (int k = 1; k <= 500; k++) {
        uint32_t y = ddn_big_new(&pool);
        ddn_big_add(&pool, y, x);
        ddn_big_add(&pool, y, x);
        x = y;
        assert_int_equal(pool.big[x].size, k / 32 + 1);
        assert_true(fabs(ddn_big_log(&pool.big[x]) - k * log(2)) < 1e-9);
    }
    ddn_big_pool_fini(&pool);
}

/* (2^64 - 1)^2 carries into every limb. */
static void long_carries(void **state)
{
    (void)state;
    ddn_big_pool pool;
    ddn_big_pool_init(&pool);
    ddn_big_pool_clear(&pool);
    uint32_t x = DDN_BIG_ZERO; /* twice itself and one: 2^k - 1 */
    for (int k = 0; k < 64; k++) {
        uint32_t y = ddn_big_new(&pool);
        ddn_big_add(&pool, y, x);
        ddn_big_add(&pool, y, x);
        ddn_big_add(&pool, y, DDN_BIG_ONE);
        x = y;
    }
    uint32_t square = ddn_big_new(&pool);
    ddn_big_add_product(&pool, square, x, x);
    char *text = ddn_big_text(&pool.big[square]);
    assert_string_equal(text, "340282366920938463426481119284349108225");
    free(text);
    ddn_big_pool_fini(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sums_of_products),
        cmocka_unit_test(powers_of_two),
        cmocka_unit_test(long_carries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
