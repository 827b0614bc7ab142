/* SPDX-License-Identifier: MIT */
/* Words between bars: found as wholes, and listed for a message. */
#include "core/words.h"
#include "lib/check.h"

#include <math.h>
#include <string.h>

static void words_are_found_whole(void **state)
{
    (void)state;
    static const char words[] = "head|path|head+path";
    assert_int_equal(ddn_words_find(words, "head"), 0);
    assert_int_equal(ddn_words_find(words, "path"), 1);
    assert_int_equal(ddn_words_find(words, "head+path"), 2);
    static const char *const others[] = { "", "hea", "heads", "h", "head|path", "|", "Head" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(ddn_words_find(words, others[i]), -1);
    static const char *const each[] = { "head", "path", "head+path" };
    size_t size = 0;
    for (int i = 0; i < 3; i++) {
        const char *at = ddn_words_at(words, i, &size);
        assert_int_equal(size, strlen(each[i]));
        assert_memory_equal(at, each[i], size);
    }
    assert_null(ddn_words_at(words, 3, &size));
    assert_null(ddn_words_at(words, -1, &size));
}

static void words_are_listed(void **state)
{
    (void)state;
    char text[40], little[8];
    assert_string_equal(ddn_words_list("one", text, sizeof text), "one");
    assert_string_equal(ddn_words_list("one|many", text, sizeof text), "one or many");
    assert_string_equal(ddn_words_list("a|bc|d", text, sizeof text), "a, bc or d");
    assert_string_equal(ddn_words_list("a|bc|d", little, sizeof little), "a, bc o");
}

static void ranges_are_told(void **state)
{
    (void)state;
    char text[80];
    assert_string_equal(ddn_range_text(true, 1, 65536, text, sizeof text),
                        "a whole number from 1 to 65536");
    assert_string_equal(ddn_range_text(false, 0.01, 4096, text, sizeof text),
                        "a number from 0.01 to 4096");
    assert_string_equal(ddn_range_text(true, 0, INFINITY, text, sizeof text),
                        "a whole number of 0 or more");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_found_whole),
        cmocka_unit_test(words_are_listed),
        cmocka_unit_test(ranges_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
