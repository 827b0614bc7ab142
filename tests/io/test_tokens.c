/* SPDX-License-Identifier: MIT */
/* Lines of tokens become sentences, and back. */
#include "io/tokens.h"
#include "lib/check.h"
#include "lib/memory.h"
#include <stdlib.h>

static ddn_tokens_reader *open_memory(test_memory *m, bool upright, bool skip_bad)
{
    ddn_input *in;
    ddn_tokens_reader *r;
    assert_int_equal(ddn_input_callback(&in, test_memory_read, m, "t", NULL), 0);
    assert_int_equal(ddn_tokens_open(&r, in, upright, skip_bad, NULL), 0);
    return r;
}

static void lines_become_sentences(void **state)
{
    (void)state;
    static const char data[] = "Oaks speak .\n\n \t \n  a\tb  c \r\nΔρυς 10\xc2\xa0"
                               "000 _ #";
    static const struct {
        int line, words;
        const char *last;
    } want[] = { { 1, 3, "." }, { 4, 3, "c" }, { 5, 4, "#" } };
    for (size_t chunk = 0; chunk < 3; chunk++) {
        test_memory m = { data, sizeof data - 1, 0, chunk };
        ddn_tokens_reader *r = open_memory(&m, false, false);
        ddn_sentence s;
        ddn_sentence_init(&s);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(ddn_tokens_next(r, &s, NULL), 1);
            assert_int_equal(s.n, want[i].words);
            assert_int_equal(s.line, want[i].line);
            assert_true(ddn_text_is(ddn_sentence_column(&s, s.n, DDN_FORM), want[i].last));
            assert_true(ddn_text_is(ddn_sentence_column(&s, s.n, DDN_LEMMA), "_"));
            assert_int_equal(s.head[s.n], -1);
        }
        assert_int_equal(ddn_tokens_next(r, &s, NULL), 0);
        assert_int_equal(ddn_tokens_next(r, &s, NULL), 0);
        ddn_tokens_close(r);
        ddn_sentence_fini(&s);
    }
}

static void bad_lines(void **state)
{
    (void)state;
    static const char data[] = "a b\nc \xff d\ne\0f\ng\n";
    test_memory m = { data, sizeof data - 1, 0, 0 };
    ddn_sentence s;
    dodona_error err;
    ddn_sentence_init(&s);
    ddn_tokens_reader *r = open_memory(&m, false, false);
    assert_int_equal(ddn_tokens_next(r, &s, &err), 1);
    assert_int_equal(ddn_tokens_next(r, &s, &err), DODONA_E_INPUT);
    assert_int_equal(err.line, 2);
    assert_string_equal(err.file, "t");
    assert_int_equal(ddn_tokens_next(r, &s, &err), DODONA_E_INPUT);
    ddn_tokens_close(r);

    m.at = 0;
    r = open_memory(&m, false, true);
    static const bool bad[] = { false, true, true, false };
    for (int i = 0; i < 4; i++) {
        assert_int_equal(ddn_tokens_next(r, &s, &err), 1);
        assert_int_equal(s.bad, bad[i]);
        assert_int_equal(s.n == 0, bad[i]);
    }
    assert_int_equal(ddn_tokens_next(r, &s, &err), 0);
    assert_int_equal(ddn_tokens_bad(r, &err), 2);
    assert_int_equal(err.line, 2);
    ddn_tokens_close(r);
    ddn_sentence_fini(&s);
}

static void limits(void **state)
{
    (void)state;
    size_t size = DODONA_MAX_LINE + 100;
    char *data = malloc(size);
    assert_non_null(data);
    memset(data, 'x', size);
    test_memory m = { data, size, 0, 0 };
    ddn_sentence s;
    dodona_error err;
    ddn_sentence_init(&s);
    ddn_tokens_reader *r = open_memory(&m, false, false);
    assert_int_equal(ddn_tokens_next(r, &s, &err), DODONA_E_LIMIT);
    assert_int_equal(err.line, 1);
    ddn_tokens_close(r);
    for (size_t i = 1; i < 2 * (DODONA_MAX_WORDS + 1); i += 2)
        data[i] = ' ';
    m = (test_memory){ data, 2 * DODONA_MAX_WORDS, 0, 0 };
    r = open_memory(&m, false, false);
    assert_int_equal(ddn_tokens_next(r, &s, &err), 1);
    assert_int_equal(s.n, DODONA_MAX_WORDS);
    ddn_tokens_close(r);
    m = (test_memory){ data, 2 * DODONA_MAX_WORDS + 1, 0, 0 };
    r = open_memory(&m, false, false);
    assert_int_equal(ddn_tokens_next(r, &s, &err), DODONA_E_LIMIT);
    ddn_tokens_close(r);
    ddn_sentence_fini(&s);
    free(data);
}

static void forms_become_a_line(void **state)
{
    (void)state;
    ddn_sentence s;
    ddn_sentence_init(&s);
    const dodona_text a[DDN_COLUMNS] = { [DDN_FORM] = { "10 000", 6 } };
    const dodona_text b[DDN_COLUMNS] = { [DDN_FORM] = { "oaks", 4 } };
    assert_int_equal(ddn_sentence_word(&s, a, NULL), 0);
    assert_int_equal(ddn_sentence_word(&s, b, NULL), 0);
    ddn_output o;
    ddn_output_memory(&o);
    ddn_tokens_put(&o, &s);
    ddn_put(&o, "", 1);
    assert_string_equal(o.data, "10\xc2\xa0"
                                "000 oaks\n");
    ddn_output_abandon(&o);
    ddn_sentence_fini(&s);
}

/* A token a line, up to a tab. */
static void upright_tokens(void **state)
{
    (void)state;
    static const char data[] = "\n \r\nOaks\nspeak\tVERB\n.  \n\n \n10 000 \r\n#\n\n\nend";
    static const struct {
        int line, words;
        const char *first, *last;
    } want[] = { { 3, 3, "Oaks", "." }, { 8, 2, "10 000", "#" }, { 12, 1, "end", "end" } };
    for (size_t chunk = 0; chunk < 5; chunk++) {
        test_memory m = { data, sizeof data - 1, 0, chunk };
        ddn_tokens_reader *r = open_memory(&m, true, false);
        ddn_sentence s;
        ddn_sentence_init(&s);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(ddn_tokens_next(r, &s, NULL), 1);
            assert_int_equal(s.n, want[i].words);
            assert_int_equal(s.line, want[i].line);
            assert_true(ddn_text_is(ddn_sentence_column(&s, 1, DDN_FORM), want[i].first));
            assert_true(ddn_text_is(ddn_sentence_column(&s, s.n, DDN_FORM), want[i].last));
        }
        assert_int_equal(ddn_tokens_next(r, &s, NULL), 0);
        ddn_tokens_close(r);
        ddn_sentence_fini(&s);
    }
}

static void bad_upright_tokens(void **state)
{
    (void)state;
    static const char data[] = "a\nb\xff\nc\n\nd\n\te\n\nf\n";
    dodona_error err;
    test_memory m = { data, sizeof data - 1, 0, 0 };
    ddn_tokens_reader *r = open_memory(&m, true, false);
    ddn_sentence s;
    ddn_sentence_init(&s);
    assert_int_equal(ddn_tokens_next(r, &s, &err), DODONA_E_INPUT);
    assert_int_equal(err.line, 2);
    ddn_tokens_close(r);
    m.at = 0;
    r = open_memory(&m, true, true);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ddn_tokens_next(r, &s, &err), 1);
        assert_true(s.bad);
        assert_int_equal(s.line, i ? 5 : 1);
    }
    assert_int_equal(ddn_tokens_next(r, &s, &err), 1);
    assert_int_equal(s.n, 1);
    assert_int_equal(s.line, 8);
    assert_int_equal(ddn_tokens_bad(r, &err), 2);
    assert_int_equal(err.line, 2);
    ddn_tokens_close(r);
    ddn_sentence_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_become_sentences),
        cmocka_unit_test(upright_tokens),
        cmocka_unit_test(bad_upright_tokens),
        cmocka_unit_test(bad_lines),
        cmocka_unit_test(limits),
        cmocka_unit_test(forms_become_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
