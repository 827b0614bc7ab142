/* SPDX-License-Identifier: MIT */
/* The seed fixes the sequence; the shuffle keeps every number. */
#include "core/rng.h"
#include "lib/check.h"

static void same_seed_same_numbers(void **state)
{
    (void)state;
    ddn_rng a, b, c;
    ddn_rng_init(&a, 7);
    ddn_rng_init(&b, 7);
    ddn_rng_init(&c, 8);
    int differ = 0;
    for (int i = 0; i < 100; i++) {
        uint64_t x = ddn_rng_next(&a);
        assert_true(x == ddn_rng_next(&b));
        differ += x != ddn_rng_next(&c);
    }
    assert_int_equal(differ, 100);
}

static void below_stays_below(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_rng_init(&r, 1);
    int seen[7] = { 0 };
    for (int i = 0; i < 7000; i++)
        seen[ddn_rng_below(&r, 7)]++;
    for (int i = 0; i < 7; i++)
        assert_in_range(seen[i], 800, 1200);
}

static void shuffle_is_a_permutation(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_rng_init(&r, 3);
    uint32_t a[50];
    for (uint32_t i = 0; i < 50; i++)
        a[i] = i;
    ddn_rng_shuffle(&r, a, 50);
    uint64_t seen = 0;
    for (int i = 0; i < 50; i++)
        seen |= UINT64_C(1) << a[i];
    assert_true(seen == (UINT64_C(1) << 50) - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_seed_same_numbers),
        cmocka_unit_test(below_stays_below),
        cmocka_unit_test(shuffle_is_a_permutation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
