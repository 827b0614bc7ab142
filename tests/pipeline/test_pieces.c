/* SPDX-License-Identifier: MIT */
/* A text that is tokenized in pieces, against the reader that goes through it from beginning to
 * end: the same bytes and the same errors, for pieces of any size. */
#include "lib/check.h"
#include "lib/memory.h"
#include "lib/tokenizing.h"
#include <stdlib.h>
#include <string.h>

static test_tokenizer grammar;

static int train(void **state)
{
    (void)state;
    ddn_treebank t;
    test_treebank_generated(&t, 1, 1500);
    test_tokenizer_train(&grammar, &t);
    ddn_treebank_fini(&t);
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    test_tokenizer_free(&grammar);
    return 0;
}

static void compare(const char *text, size_t size, size_t piece, size_t more)
{
    ddn_output whole, joined;
    dodona_error one = { 0 }, other = { 0 };
    ddn_output_memory(&whole);
    ddn_output_memory(&joined);
    int want = test_tokenize(&grammar.tokenizer, text, size, 0, &whole, NULL, &one);
    int got = test_tokenize_pieces(&grammar.tokenizer, text, size, piece, more, &joined, &other);
    if (got != want || joined.size != whole.size ||
        (whole.size && memcmp(joined.data, whole.data, whole.size) != 0))
        fail_msg("%d and not %d, or other sentences, in pieces of %zu + %zu of\n%.*s", got, want,
                 piece, more, (int)size, text);
    assert_int_equal(one.line, other.line);
    assert_string_equal(one.file, other.file);
    assert_string_equal(one.message, other.message);
    ddn_output_abandon(&whole);
    ddn_output_abandon(&joined);
}

static void random_texts(void **state)
{
    (void)state;
    static char text[4000];
    ddn_rng r;
    ddn_rng_init(&r, 21);
    for (int i = 0; i < 1000; i++) {
        size_t size = test_random_text(&r, text, 1 + (int)ddn_rng_below(&r, i % 10 ? 60 : 800));
        compare(text, size, 1 + ddn_rng_below(&r, i % 2 ? 10 : 200),
                DDN_LOOK + ddn_rng_below(&r, 60));
    }
}

/* Sentences of the grammar in texts of all layouts, which the tokenizer judges by the lines before:
 * paragraphs with blank lines, a sentence a line, wrapped lines. */
static void texts_of_all_layouts(void **state)
{
    (void)state;
    static const ddn_text_layout layouts[] = { { .blank_lines = true },
                                               { .sentence_lines = true },
                                               { .width = 40 },
                                               { .width = 80, .blank_lines = true },
                                               { 0 } };
    ddn_rng r;
    ddn_rng_init(&r, 22);
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        ddn_treebank t;
        ddn_output text;
        test_treebank_generated(&t, 5 + i, 300);
        ddn_output_memory(&text);
        ddn_treebank_text(&t, &layouts[i], &text);
        for (int k = 0; k < 20; k++)
            compare(text.data, text.size, 1 + ddn_rng_below(&r, 2000),
                    DDN_LOOK + ddn_rng_below(&r, 1000));
        compare(text.data, text.size, DDN_PIECE, DDN_PIECE_MORE);
        ddn_treebank_fini(&t);
        ddn_output_abandon(&text);
    }
}

/* Texts that hold no beginning of a sentence for long, or nothing else. */
static void the_same_again_and_again(void **state)
{
    (void)state;
    static const char *const parts[] = { "a",    "我",  ". ",       "a ", "aB7-", "(",
                                         "a. b", "a\n", "A b.\n\n", "\n", " ",    "\xe2\x80\xa8" };
    enum { SIZE = 100000 };
    char *text = malloc(SIZE);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t length = strlen(parts[i]), size = 0;
        for (; size + length <= SIZE; size += length)
            memcpy(text + size, parts[i], length);
        compare(text, size, DDN_PIECE, DDN_PIECE_MORE);
        compare(text, size, 3000, DDN_LOOK);
        compare(text, size / length / 20 * length, 50, DDN_LOOK);
    }
    free(text);
}

/* Bytes that are not UTF-8 and blanks without end come after the same sentences. */
static void errors(void **state)
{
    (void)state;
    static char text[4001];
    ddn_rng r;
    ddn_rng_init(&r, 23);
    for (int i = 0; i < 500; i++) {
        size_t size = test_random_text(&r, text, 1 + (int)ddn_rng_below(&r, 300));
        size_t at = ddn_rng_below(&r, size + 1);
        memmove(text + at + 1, text + at, size - at);
        text[at] = "\xff\xc3\xe2\x80"[ddn_rng_below(&r, 4)];
        compare(text, size + 1, 1 + ddn_rng_below(&r, 100), DDN_LOOK + ddn_rng_below(&r, 60));
    }
    size_t size = DDN_MAX_BLANKS + 5000;
    char *blanks = malloc(size);
    assert_non_null(blanks);
    memset(blanks, ' ', size);
    memcpy(blanks + 100, "A b.\n\nC d.\nE.\n\n", 14);
    compare(blanks, size, 500, DDN_LOOK);
    compare(blanks, size, DDN_PIECE, DDN_PIECE_MORE);
    compare(blanks, DDN_MAX_BLANKS + 14 + 100, DDN_PIECE, DDN_PIECE_MORE);
    blanks[DDN_MAX_BLANKS + 114] = 'a'; /* as many as may be */
    compare(blanks, DDN_MAX_BLANKS + 115, DDN_PIECE, DDN_PIECE_MORE);
    compare(blanks + 1, DDN_MAX_BLANKS + 115, DDN_PIECE, DDN_PIECE_MORE);
    memset(blanks, ' ', size);
    for (size_t i = 0; i < 1000; i++) /* the error has its line */
        memcpy(blanks + 3 * i, "a\n\n", 3);
    compare(blanks, size, 500, DDN_LOOK);
    memset(blanks, '\n', size);
    compare(blanks, size, DDN_PIECE, DDN_PIECE_MORE);
    free(blanks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_texts),
        cmocka_unit_test(texts_of_all_layouts),
        cmocka_unit_test(the_same_again_and_again),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, train, clean_up);
}
