/* SPDX-License-Identifier: MIT */
/* Blanks in MISC, there and back, and a text rebuilt from them. */
#include "io/conll.h"
#include "io/spaces.h"
#include "io/text_write.h"
#include "lib/check.h"
#include "lib/memory.h"
#include <string.h>

static void escapes_to(const char *text, size_t size, const char *value)
{
    ddn_output there, back;
    ddn_output_memory(&there);
    ddn_output_memory(&back);
    ddn_spaces_escape(&there, text, size);
    assert_int_equal(there.size, strlen(value));
    assert_memory_equal(there.data ? there.data : "", value, there.size);
    ddn_spaces_unescape(&back, (dodona_text){ value, strlen(value) });
    assert_int_equal(back.size, size);
    assert_memory_equal(back.data ? back.data : "", text, back.size);
    ddn_output_abandon(&there);
    ddn_output_abandon(&back);
}

static void there_and_back(void **state)
{
    (void)state;
    escapes_to("", 0, "");
    escapes_to("\0 ", 2, "\\u0000\\s");
    escapes_to(" \t\r\n|\\", 6, "\\s\\t\\r\\n\\p\\\\");
    escapes_to("\\s", 2, "\\\\s");
    escapes_to("\\u0041", 6, "\\\\u0041");
    escapes_to("\xc2\xa0\xe3\x80\x80\xef\xbb\xbf\xc2\x85\f\v\xe2\x80\xa8", 15,
               "\\u00A0\\u3000\\uFEFF\\u0085\\u000C\\u000B\\u2028");
    escapes_to("20\xc2\xa0"
               "000 \xe2\x82\xac",
               11, "20\\u00A0000\\s\xe2\x82\xac");
}

static void unescapes_to(const char *value, const char *text)
{
    ddn_output back;
    ddn_output_memory(&back);
    ddn_spaces_unescape(&back, (dodona_text){ value, strlen(value) });
    assert_int_equal(back.size, strlen(text));
    assert_memory_equal(back.data, text, back.size);
    ddn_output_abandon(&back);
}

static void what_is_no_escape_stands_for_itself(void **state)
{
    (void)state;
    unescapes_to("\\", "\\");
    unescapes_to("a\\", "a\\");
    unescapes_to("\\x\\s", "\\x ");
    unescapes_to("\\u00a", "\\u00a");
    unescapes_to("\\u00ax", "\\u00ax");
    unescapes_to("\\u00a0x", "\xc2\xa0x");
    unescapes_to("\\uD800", "\\uD800");
}

static void values_in_misc(void **state)
{
    (void)state;
    dodona_text misc = { "SpaceAfter=No|Spaces|A=|TokenRange=0:1", 38 };
    dodona_text v = ddn_misc_find(misc, "TokenRange");
    assert_int_equal(v.size, 3);
    assert_memory_equal(v.data, "0:1", 3);
    v = ddn_misc_find(misc, "A");
    assert_non_null(v.data);
    assert_int_equal(v.size, 0);
    assert_null(ddn_misc_find(misc, "Spaces").data);
    assert_null(ddn_misc_find(misc, "Space").data);
    assert_null(ddn_misc_find((dodona_text){ "_", 1 }, "A").data);
}

static void rebuilds(const char *conllu, const char *want)
{
    test_memory m = { .data = conllu, .size = strlen(conllu) };
    ddn_input *in;
    ddn_conll_reader *r;
    ddn_sentence s;
    ddn_output o;
    bool rebuilt = true;
    ddn_output_memory(&o);
    ddn_sentence_init(&s);
    assert_int_equal(ddn_input_callback(&in, test_memory_read, &m, "m", NULL), 0);
    assert_int_equal(ddn_conll_open(&r, in, DODONA_CONLLU, DODONA_CHECK_FORM, false, NULL), 0);
    while (ddn_conll_next(r, &s, NULL) > 0)
        rebuilt &= ddn_text_rebuild(&o, &s);
    assert_int_equal(rebuilt, want != NULL);
    if (want) {
        assert_int_equal(o.size, strlen(want));
        assert_memory_equal(o.data, want, o.size);
    }
    ddn_conll_close(r);
    ddn_sentence_fini(&s);
    ddn_output_abandon(&o);
}

#define EMPTY "\t_\t_\t_\t_\t_\t_\t_\t"

static void texts_are_rebuilt(void **state)
{
    (void)state;
    rebuilds("1\ta" EMPTY "SpacesBefore=\\n|TokenRange=1:2\n"
             "2\tb c" EMPTY "SpaceAfter=No|SpacesInToken=b\\tc|TokenRange=3:6\n"
             "3-4\tdu" EMPTY "SpacesAfter=\\s\\n|TokenRange=6:8\n"
             "3\tde" EMPTY "_\n4\tle" EMPTY "_\n\n"
             "1\tx" EMPTY "Confidence=0.5|SpaceAfter=No|TokenRange=10:11\n\n",
             "\na b\tcdu \nx");
    rebuilds("# text = a\n1\ta" EMPTY "SpaceAfter=No\n\n", NULL);
    rebuilds("# text = a\n\n", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(what_is_no_escape_stands_for_itself),
        cmocka_unit_test(values_in_misc),
        cmocka_unit_test(texts_are_rebuilt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
