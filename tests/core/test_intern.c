/* SPDX-License-Identifier: MIT */
/* Ids are dense and last; texts stay where they are while the table grows. */
#include "core/intern.h"
#include "lib/check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 20000 };

static size_t name_of(int i, char buf[32])
{
    return (size_t)snprintf(buf, 32, "w%d", i * 7919 % 100003);
}

static void ids_are_dense_and_last(void **state)
{
    (void)state;
    ddn_intern t;
    ddn_intern_init(&t);
    static const char *where[MANY];
    char buf[32];
    uint32_t id;
    for (int i = 0; i < MANY; i++) {
        size_t size = name_of(i, buf);
        assert_int_equal(ddn_intern_find(&t, buf, size), DDN_INTERN_NONE);
        assert_true(ddn_intern_add(&t, buf, size, &id));
        assert_int_equal(id, i);
        where[i] = ddn_intern_text(&t, id).data;
    }
    assert_int_equal(t.count, MANY);
    for (int i = 0; i < MANY; i++) {
        size_t size = name_of(i, buf);
        assert_true(ddn_intern_add(&t, buf, size, &id));
        assert_int_equal(id, i);
        assert_int_equal(ddn_intern_find(&t, buf, size), i);
        assert_ptr_equal(ddn_intern_text(&t, id).data, where[i]);
        assert_string_equal(where[i], buf);
    }
    assert_int_equal(t.count, MANY);
    ddn_intern_fini(&t);
}

static void odd_strings(void **state)
{
    (void)state;
    ddn_intern t;
    ddn_intern_init(&t);
    uint32_t id;
    assert_int_equal(ddn_intern_find(&t, "", 0), DDN_INTERN_NONE);
    assert_true(ddn_intern_add(&t, NULL, 0, &id));
    assert_int_equal(id, 0);
    assert_true(ddn_intern_add(&t, "a\0b", 3, &id));
    assert_int_equal(id, 1);
    assert_true(ddn_intern_add(&t, "a", 1, &id));
    assert_int_equal(id, 2);
    assert_int_equal(ddn_intern_text(&t, 1).size, 3);
    size_t size = 1 << 20;
    char *big = malloc(size);
    assert_non_null(big);
    memset(big, 'x', size);
    assert_true(ddn_intern_add(&t, big, size, &id));
    assert_int_equal(id, 3);
    assert_true(ddn_intern_add(&t, "b", 1, &id));
    assert_int_equal(ddn_intern_find(&t, big, size), 3);
    assert_int_equal(ddn_intern_find(&t, big, size - 1), DDN_INTERN_NONE);
    free(big);
    ddn_intern_fini(&t);
}

static void clear_begins_again(void **state)
{
    (void)state;
    ddn_intern t;
    ddn_intern_init(&t);
    uint32_t id;
    assert_true(ddn_intern_add(&t, "a", 1, &id));
    assert_true(ddn_intern_add(&t, "b", 1, &id));
    ddn_intern_clear(&t);
    assert_int_equal(t.count, 0);
    assert_int_equal(ddn_intern_find(&t, "b", 1), DDN_INTERN_NONE);
    assert_true(ddn_intern_add(&t, "b", 1, &id));
    assert_int_equal(id, 0);
    ddn_intern_fini(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_dense_and_last),
        cmocka_unit_test(odd_strings),
        cmocka_unit_test(clear_begins_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
