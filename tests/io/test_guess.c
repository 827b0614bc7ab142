/* SPDX-License-Identifier: MIT */
/* What is taken for CoNLL-U, in pieces of any size, and that nothing of it is lost. */
#include "io/guess.h"
#include "lib/check.h"
#include "lib/memory.h"
#include <stdlib.h>
#include <string.h>

#define REST "\ta\t_\t_\t_\t_\t0\troot\t_\t_"

static void guesses(const char *text, ddn_guess_result want)
{
    size_t size = strlen(text);
    for (size_t piece = 0; piece < 4; piece++) {
        test_memory m = { .data = text, .size = size, .chunk = piece };
        ddn_input *in;
        dodona_error err;
        char *back = malloc(size + 1);
        assert_non_null(back);
        assert_int_equal(ddn_input_callback(&in, test_memory_read, &m, "mem", &err), 0);
        ddn_guess_result got_result;
        assert_int_equal(ddn_guess_conllu(in, &got_result, &err), 0);
        assert_int_equal(got_result, want);
        size_t got = 0;
        for (ptrdiff_t more; (more = ddn_input_read(in, back + got, size + 1 - got, &err)) != 0;) {
            assert_true(more > 0);
            got += (size_t)more;
        }
        assert_int_equal(got, size);
        assert_memory_equal(back, text, size);
        ddn_input_close(in);
        free(back);
    }
}

static void rows_are_conllu(void **state)
{
    (void)state;
    guesses("1" REST "\n", DDN_GUESS_CONLLU);
    guesses("1" REST, DDN_GUESS_CONLLU);
    guesses("\xef\xbb\xbf# c\n#\n1-2" REST "\n\n", DDN_GUESS_CONLLU);
    guesses("0.1" REST "\r\n", DDN_GUESS_CONLLU);
    guesses("\n\r\n# c\n1" REST "\n", DDN_GUESS_CONLLU);
    guesses("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\nanything", DDN_GUESS_CONLLU);
}

static void all_else_is_not(void **state)
{
    (void)state;
    guesses("", DDN_GUESS_NONE);
    guesses("a", DDN_GUESS_TEXT);
    guesses("# sent_id = 1\n", DDN_GUESS_NONE);
    guesses("# Heading\n\n1" REST "\n", DDN_GUESS_NONE);
    guesses("\n\nAn oak.\n1" REST "\n", DDN_GUESS_TEXT);
    guesses("1\ta\n", DDN_GUESS_TABS);
    guesses("1" REST "\t_\n", DDN_GUESS_TABS);
    guesses("1.x" REST "\n", DDN_GUESS_TABS);
    guesses("1-" REST "\n", DDN_GUESS_TABS);
    guesses("-1" REST "\n", DDN_GUESS_TABS);
    guesses("one" REST "\n", DDN_GUESS_TABS);
    guesses("1\ta\t_\t_\t_\t_\thead\troot\t_\t_\n", DDN_GUESS_TABS);
    guesses("1\ta\t_\t_\t_\t_\t\troot\t_\t_\n", DDN_GUESS_TABS);
    guesses("1. There is a text that goes on without a line's end", DDN_GUESS_TEXT);
}

/* Comments that do not end early enough to tell. */
static void long_comments_end_the_guess(void **state)
{
    (void)state;
    char *text = malloc(3 * DDN_AHEAD);
    assert_non_null(text);
    memset(text, '#', 3 * DDN_AHEAD);
    strcpy(text + 2 * DDN_AHEAD, "\n1" REST "\n");
    guesses(text, DDN_GUESS_NONE);
    memset(text, '#', 2 * DDN_AHEAD);
    strcpy(text + DDN_AHEAD - 100, "\n1" REST "\n");
    guesses(text, DDN_GUESS_CONLLU);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_conllu),
        cmocka_unit_test(all_else_is_not),
        cmocka_unit_test(long_comments_end_the_guess),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
