/* SPDX-License-Identifier: MIT */
/* Arrays are aligned, apart from each other and stay what and where they are; a reset keeps memory
 * but not too much of it; a failure is remembered. */
#include "core/arena.h"
#include "core/rng.h"
#include "lib/alloc.h"
#include "lib/check.h"
#include <string.h>

enum { ARRAYS = 200 };

/* Takes arrays of many sizes, fills each with its number and looks at all of them at the end, when
 * the arena has grown many times. */
static void take_many(ddn_arena *a, ddn_rng *r, size_t most)
{
    unsigned char *array[ARRAYS];
    size_t size[ARRAYS];
    for (int i = 0; i < ARRAYS; i++) {
        size_t unit = 1 + ddn_rng_below(r, 9), count = ddn_rng_below(r, (uint32_t)most);
        size[i] = count * unit;
        array[i] = ddn_arena_take(a, count, unit);
        assert_non_null(array[i]);
        assert_int_equal((uintptr_t)array[i] % DDN_ARENA_ALIGN, 0);
        memset(array[i], i, size[i]);
    }
    assert_false(a->failed);
    for (int i = 0; i < ARRAYS; i++)
        for (size_t k = 0; k < size[i]; k++)
            assert_int_equal(array[i][k], i % 256);
}

static void arrays_are_apart_and_stay(void **state)
{
    (void)state;
    ddn_arena a = { 0 };
    ddn_rng r;
    ddn_rng_init(&r, 1);
    for (size_t most = 1; most < 3000; most = most * 3 + 1) {
        take_many(&a, &r, most);
        ddn_arena_reset(&a);
    }
    take_many(&a, &r, 10);
    ddn_arena_fini(&a);
    take_many(&a, &r, 10);
    ddn_arena_fini(&a);
    assert_int_equal(test_alloc_live(), 0);
}

static void zeros_are_zeros(void **state)
{
    (void)state;
    ddn_arena a = { 0 };
    for (int turn = 0; turn < 2; turn++) { /* the second time over what the first has written */
        unsigned char *x = ddn_arena_zeros(&a, 100, 7);
        for (int i = 0; i < 700; i++)
            assert_int_equal(x[i], 0);
        memset(x, 255, 700);
        ddn_arena_reset(&a);
    }
    ddn_arena_fini(&a);
}

/* A sentence: some arrays, of which the largest has the given number of bytes. */
static bool sentence(ddn_arena *a, size_t bytes)
{
    ddn_arena_reset(a);
    for (size_t part = 5; part; part--) {
        char *x = ddn_arena_take(a, bytes / part, 1);
        if (x)
            memset(x, 1, bytes / part);
    }
    return !a->failed;
}

static void a_reset_keeps_one_block(void **state)
{
    (void)state;
    ddn_arena a = { 0 };
    assert_true(sentence(&a, 100000));
    assert_true(test_alloc_live() > 1);
    assert_true(sentence(&a, 100000));
    assert_int_equal(test_alloc_live(), 1);
    test_alloc_fail(1, true); /* nothing more is needed for sentences of that size or less */
    assert_true(sentence(&a, 100000));
    assert_true(sentence(&a, 1));
    assert_true(sentence(&a, 100000));
    assert_false(test_alloc_stop());
    ddn_arena_fini(&a);
    assert_int_equal(test_alloc_live(), 0);
}

static void an_allocation_fails(void **state)
{
    (void)state;
    bool failed = true;
    long k = 1;
    for (; failed; k++) {
        ddn_arena a = { 0 };
        test_alloc_fail(k, false);
        bool done = sentence(&a, 1000) && sentence(&a, 5000) && sentence(&a, 200000);
        failed = test_alloc_stop();
        assert_int_equal(done, !failed);
        if (!done) {
            assert_null(ddn_arena_take(&a, 1, 1)); /* although this would succeed */
            assert_null(ddn_arena_zeros(&a, 1, 1));
        }
        assert_true(sentence(&a, 300));
        ddn_arena_fini(&a);
        assert_int_equal(test_alloc_live(), 0);
    }
    assert_true(k > 4);
}

static void huge_sizes_fail(void **state)
{
    (void)state;
    static const size_t huge[][2] = { { SIZE_MAX, 1 },         { SIZE_MAX, SIZE_MAX },
                                      { 1, SIZE_MAX },         { SIZE_MAX / 8 + 2, 8 },
                                      { SIZE_MAX / 2 + 2, 2 }, { SIZE_MAX - 63, 1 } };
    for (size_t i = 0; i < sizeof huge / sizeof *huge; i++) {
        ddn_arena a = { 0 };
        assert_non_null(ddn_arena_take(&a, 10, 1));
        assert_null(ddn_arena_take(&a, huge[i][0], huge[i][1]));
        assert_true(a.failed);
        ddn_arena_reset(&a);
        assert_false(a.failed);
        assert_non_null(ddn_arena_take(&a, 10, 1));
        ddn_arena_fini(&a);
    }
}

static void an_empty_array_is_one(void **state)
{
    (void)state;
    ddn_arena a = { 0 };
    char *x = ddn_arena_take(&a, 0, 8), *y = ddn_arena_take(&a, 0, 8);
    assert_non_null(x);
    assert_ptr_not_equal(x, y);
    ddn_arena_fini(&a);
    ddn_arena_reset(&a);
    ddn_arena_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_apart_and_stay), cmocka_unit_test(zeros_are_zeros),
        cmocka_unit_test(a_reset_keeps_one_block),   cmocka_unit_test(an_allocation_fails),
        cmocka_unit_test(huge_sizes_fail),           cmocka_unit_test(an_empty_array_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
