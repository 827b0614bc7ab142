/* SPDX-License-Identifier: MIT */
/* Lists of names for messages: commas, "and", and what does not fit. */
#include "core/names.h"
#include "lib/check.h"

#include <string.h>

static void names_are_listed(void **state)
{
    (void)state;
    static const char *const name[] = { "a", "bc", "d" };
    static const char *const expected[] = { "none", "a", "a and bc", "a, bc and d" };
    for (int count = 0; count <= 3; count++) {
        ddn_names names = { 0 };
        for (int i = 0; i < count; i++)
            ddn_names_add(&names, name[i]);
        assert_string_equal(ddn_names_text(&names), expected[count]);
    }
}

/* Names of every length fill the room up to its end, and never go beyond it. */
static void long_lists_are_cut(void **state)
{
    (void)state;
    char name[sizeof((ddn_names *)0)->text + 8];
    for (size_t size = 1; size < sizeof name; size++) {
        ddn_names names = { 0 };
        memset(name, 'x', size);
        name[size] = '\0';
        for (int i = 0; i < 300; i++)
            ddn_names_add(&names, name);
        assert_int_equal(strlen(ddn_names_text(&names)), sizeof names.text - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_listed),
        cmocka_unit_test(long_lists_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
