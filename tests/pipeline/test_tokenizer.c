/* SPDX-License-Identifier: MIT */
/* The tokenizer on texts of all kinds.  What it must do whatever it has learnt: give the text back,
 * whole and in any pieces; write down where every token stood; end a sentence at a blank line; keep
 * to its limits.  What it must have learnt: the tokens and sentences of a grammar it was trained
 * on. */
#include "core/rng.h"
#include "io/conll.h"
#include "io/spaces.h"
#include "io/text_write.h"
#include "lib/check.h"
#include "lib/memory.h"
#include "lib/tokenizing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static test_tokenizer grammar; /* learnt from the generator */
static test_tokenizer odd;     /* from a few lines with all that is rare */

static const char odd_treebank[] = "# newpar\n"
                                   "1\tLe\t_\t_\t_\t_\t0\troot\t_\t_\n"
                                   "2\tprix\t_\t_\t_\t_\t1\tdep\t_\t_\n"
                                   "3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n"
                                   "3\tde\t_\t_\t_\t_\t1\tdep\t_\t_\n"
                                   "4\tle\t_\t_\t_\t_\t1\tdep\t_\t_\n"
                                   "5\tpain\t_\t_\t_\t_\t1\tdep\t_\tSpaceAfter=No\n"
                                   "6\t:\t_\t_\t_\t_\t1\tdep\t_\t_\n"
                                   "7\t10 000\t_\t_\t_\t_\t1\tdep\t_\tSpaceAfter=No\n"
                                   "8\t.\t_\t_\t_\t_\t1\tdep\t_\t_\n\n"
                                   "1\t20 000\t_\t_\t_\t_\t0\troot\t_\t_\n"
                                   "2-4\tgimmeit\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
                                   "2\tgim\t_\t_\t_\t_\t1\tdep\t_\t_\n"
                                   "3\tme\t_\t_\t_\t_\t1\tdep\t_\t_\n"
                                   "4\tit\t_\t_\t_\t_\t1\tdep\t_\t_\n"
                                   "5\t!\t_\t_\t_\t_\t1\tdep\t_\t_\n\n"
                                   "# newpar\n"
                                   "1\t我\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
                                   "2\t喜欢\t_\t_\t_\t_\t1\tdep\t_\tSpaceAfter=No\n"
                                   "3\t。\t_\t_\t_\t_\t1\tdep\t_\tSpaceAfter=No\n\n"
                                   "1\t我\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
                                   "2\t喜欢\t_\t_\t_\t_\t1\tdep\t_\tSpaceAfter=No\n"
                                   "3\t。\t_\t_\t_\t_\t1\tdep\t_\tSpaceAfter=No\n\n";

static int train(void **state)
{
    (void)state;
    ddn_treebank t;
    test_treebank_generated(&t, 1, 1500);
    test_tokenizer_train(&grammar, &t);
    ddn_treebank_fini(&t);
    test_treebank_read(&t, odd_treebank, strlen(odd_treebank));
    test_tokenizer_train(&odd, &t);
    ddn_treebank_fini(&t);
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    test_tokenizer_free(&grammar);
    test_tokenizer_free(&odd);
    return 0;
}

static bool is_number(const char **at, int64_t *x)
{
    const char *start = *at;
    for (*x = 0; **at >= '0' && **at <= '9'; (*at)++)
        *x = *x * 10 + **at - '0';
    return *at > start;
}

/* The byte offset of character n. */
static size_t offset(const char *text, int64_t n)
{
    size_t at = 0;
    for (; n > 0; n--)
        do
            at++;
        while (((unsigned char)text[at] & 0xc0) == 0x80);
    return at;
}

/* CoNLL-U that is read again must be well-formed, and its ranges must be where the tokens are. */
static void check_ranges(const ddn_output *conllu, const char *text)
{
    ddn_treebank t;
    int64_t last = 0;
    test_treebank_read(&t, conllu->data, conllu->size);
    for (size_t i = 0; i < t.count; i++) {
        const ddn_sentence *s = &t.sentence[i];
        ddn_token_rows at = { 0 };
        assert_true(s->n <= DDN_SENTENCE_TOKENS * DDN_SPLIT_WORDS);
        for (const ddn_row *row; (row = ddn_next_token(s, &at));) {
            dodona_text misc = ddn_sentence_span(s, row->col[DDN_MISC]);
            dodona_text form = ddn_sentence_span(s, row->col[DDN_FORM]);
            const char *range = ddn_misc_find(misc, "TokenRange").data;
            int64_t from = 0, to = 0;
            assert_non_null(range);
            assert_true(is_number(&range, &from) && *range++ == ':' && is_number(&range, &to));
            assert_true(last <= from && from < to);
            last = to;
            size_t begin = offset(text, from), end = offset(text, to);
            if (ddn_misc_find(misc, "SpacesInToken").data)
                continue;
            assert_int_equal(form.size, end - begin);
            assert_memory_equal(form.data, text + begin, form.size);
        }
    }
    ddn_treebank_fini(&t);
}

static void round_trip(const ddn_tokenizer *t, const char *text, size_t size)
{
    static const size_t chunks[] = { 1, 2, 3, 7, 50 };
    ddn_output whole, back;
    dodona_error err = { 0 };
    ddn_output_memory(&whole);
    ddn_output_memory(&back);
    if (test_tokenize(t, text, size, 0, &whole, &back, &err) < 0)
        fail_msg("%s", err.message);
    assert_int_equal(back.size, size);
    assert_memory_equal(back.data, text, size);
    char *copy = strndup(text, size);
    check_ranges(&whole, copy);
    free(copy);
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        ddn_output pieces;
        ddn_output_memory(&pieces);
        assert_int_equal(test_tokenize(t, text, size, chunks[i], &pieces, NULL, &err), 0);
        assert_int_equal(pieces.size, whole.size);
        assert_memory_equal(pieces.data, whole.data, whole.size);
        ddn_output_abandon(&pieces);
    }
    ddn_output_abandon(&whole);
    ddn_output_abandon(&back);
}

static void all_texts_come_back(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "a",
        "\xef\xbb\xbf The oak.",
        "  \t\n leading and trailing  \r\n\r\n",
        "One line\r\nand another\r\n\r\nand a third\r\n",
        "Tabs\tand\t\ttabs\t",
        "no\xc2\xa0"
        "break\xe2\x80\xaf"
        "spaces \xc2\xa0 \xe3\x80\x80"
        "here\xc2\xa0",
        "form\ffeed\vand\xc2\x85next\xe2\x80\xa8line\xe2\x80\xa9paragraph",
        "See http://example.org/~a?b=c|d&e=\\n#f, or write to me@example.org...",
        "Wait... What?! No!!! (\"Yes,\" he said.) ‘Oui’ «non» — 3.14 1,000 10 000 10  000",
        "\\s\\t\\p|\\\\ # not a comment\n# text = not one either\n1\t_\t_",
        "\xf0\x9f\x8c\xb3\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9 emoji!",
        "\xf0\x9f\x87\xac\xf0\x9f\x87\xb7!",
        "我喜欢。我喜欢。我不喜欢\n我",
        "du Du DU gimmeit GIMMEIT don't DON'T",
        "_ - _-_ . \x01\x02\x7f",
        "e\xcc\x81 \xcc\x81 \xe2\x80\x8b zero\xe2\x80\x8bwidth \xef\xbb\xbf inside",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        round_trip(&grammar.tokenizer, texts[i], strlen(texts[i]));
        round_trip(&odd.tokenizer, texts[i], strlen(texts[i]));
    }
}

static void random_texts_come_back(void **state)
{
    (void)state;
    static char text[4000];
    ddn_rng r;
    ddn_rng_init(&r, 11);
    for (int i = 0; i < 300; i++) {
        size_t size = test_random_text(&r, text, 1 + (int)ddn_rng_below(&r, i % 10 ? 30 : 400));
        round_trip(i % 2 ? &grammar.tokenizer : &odd.tokenizer, text, size);
    }
}

/* Whether a blank line ends with byte at - 1 of the text, after something that is not blank. */
static bool is_behind_blank_line(const ddn_chars *c, size_t at)
{
    size_t lines = 0, i = 0;
    bool text = false;
    for (; i < c->count && c->of[i].at < at; i++) {
        if (lines == 2)
            text = false;
        if (lines == 2 || c->of[i].class != DDN_CHAR_BLANK)
            lines = 0;
        text |= c->of[i].class != DDN_CHAR_BLANK;
        lines += text && c->of[i].code == '\n';
    }
    return lines == 2;
}

/* With flush, what comes of a text up to a blank line does not depend on what follows. */
static void blank_lines_make_certain(void **state)
{
    (void)state;
    static char text[4000];
    ddn_rng r;
    int certain = 0;
    ddn_rng_init(&r, 12);
    for (int i = 0; i < 200; i++) {
        size_t size = test_random_text(&r, text, 1 + (int)ddn_rng_below(&r, 150));
        ddn_output whole, back, part;
        ddn_chars chars = { 0 };
        ddn_output_memory(&whole);
        ddn_output_memory(&back);
        ddn_output_memory(&part);
        assert_int_equal(ddn_chars_add(&chars, text, 0, size, NULL), 0);
        assert_int_equal(test_tokenize_flush(&grammar.tokenizer, text, size, 0, &whole, &back), 0);
        assert_int_equal(back.size, size);
        assert_memory_equal(back.data, text, size);
        for (size_t at = 1; at <= size; at++) {
            if (!is_behind_blank_line(&chars, at))
                continue;
            part.size = 0;
            size_t chunk = ddn_rng_below(&r, 9);
            assert_int_equal(test_tokenize_flush(&grammar.tokenizer, text, at, chunk, &part, NULL),
                             0);
            assert_true(part.size && part.size <= whole.size);
            assert_memory_equal(part.data, whole.data, part.size);
            certain++;
        }
        ddn_chars_fini(&chars);
        ddn_output_abandon(&whole);
        ddn_output_abandon(&back);
        ddn_output_abandon(&part);
    }
    assert_true(certain > 300);
}

/* FORM and MISC of every token, and a line between sentences. */
static void gives(const ddn_tokenizer *t, const char *text, const char *want)
{
    ddn_output conllu, got;
    ddn_treebank all;
    dodona_error err;
    ddn_output_memory(&conllu);
    ddn_output_memory(&got);
    assert_int_equal(test_tokenize(t, text, strlen(text), 0, &conllu, NULL, &err), 0);
    test_treebank_read(&all, conllu.data, conllu.size);
    for (size_t i = 0; i < all.count; i++) {
        ddn_token_rows at = { 0 };
        if (i)
            ddn_puts(&got, "--\n");
        for (const ddn_row *row; (row = ddn_next_token(&all.sentence[i], &at));) {
            dodona_text form = ddn_sentence_span(&all.sentence[i], row->col[DDN_FORM]);
            dodona_text misc = ddn_sentence_span(&all.sentence[i], row->col[DDN_MISC]);
            ddn_putf(&got, "%.*s %.*s\n", (int)form.size, form.data, (int)misc.size, misc.data);
        }
    }
    ddn_put(&got, "", 1);
    assert_string_equal(got.data, want);
    ddn_treebank_fini(&all);
    ddn_output_abandon(&conllu);
    ddn_output_abandon(&got);
}

static void blanks_are_kept_as_udpipe_writes_them(void **state)
{
    (void)state;
    const ddn_tokenizer *t = &grammar.tokenizer;
    gives(t, "the  oak\n",
          "the SpacesAfter=\\s\\s|TokenRange=0:3\n"
          "oak SpacesAfter=\\n|TokenRange=5:8\n");
    gives(t, " \tthe\xc2\xa0oak\n\nthe\r\n\r\noak",
          "the SpacesBefore=\\s\\t|SpacesAfter=\\u00A0|TokenRange=2:5\n"
          "oak SpacesAfter=\\n\\n|TokenRange=6:9\n--\n"
          "the SpacesAfter=\\r\\n\\r\\n|TokenRange=11:14\n--\n"
          "oak SpaceAfter=No|TokenRange=18:21\n");
    gives(t, "\xef\xbb\xbfthe oak ",
          "the SpacesBefore=\\uFEFF|TokenRange=1:4\noak TokenRange=5:8\n");
    gives(t, "the\x1coak\x1f", /* separators, which are blanks to others, too */
          "the SpacesAfter=\\u001C|TokenRange=0:3\noak SpacesAfter=\\u001F|TokenRange=4:7\n");
    gives(t, "the\n \t\noak",
          "the SpacesAfter=\\n\\s\\t\\n|TokenRange=0:3\n--\n"
          "oak SpaceAfter=No|TokenRange=7:10\n");
    gives(t, "", "");
    gives(t, " \n\n ", "");
}

static void blanks_inside_tokens(void **state)
{
    (void)state;
    gives(&odd.tokenizer, "20 000", "20 000 SpaceAfter=No|TokenRange=0:6\n");
    gives(&odd.tokenizer,
          "20\xc2\xa0"
          "000",
          "20 000 SpaceAfter=No|SpacesInToken=20\\u00A0000|TokenRange=0:6\n");
}

/* The rows of the words, too. */
static void multiword_tokens(void **state)
{
    (void)state;
    static const char want[] = "# newdoc\n# newpar\n# sent_id = 1\n# text = Du pain\n"
                               "1-2\tDu\t_\t_\t_\t_\t_\t_\t_\tTokenRange=0:2\n"
                               "1\tDe\t_\t_\t_\t_\t_\t_\t_\t_\n"
                               "2\tle\t_\t_\t_\t_\t_\t_\t_\t_\n"
                               "3\tpain\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No|TokenRange=3:7\n\n";
    ddn_output conllu;
    ddn_output_memory(&conllu);
    assert_int_equal(test_tokenize(&odd.tokenizer, "Du pain", 7, 0, &conllu, NULL, NULL), 0);
    assert_int_equal(conllu.size, strlen(want));
    assert_memory_equal(conllu.data, want, conllu.size);
    ddn_output_abandon(&conllu);
}

static void text_without_spaces(void **state)
{
    (void)state;
    gives(&odd.tokenizer, "我喜欢。我喜欢。",
          "我 SpaceAfter=No|TokenRange=0:1\n喜欢 SpaceAfter=No|TokenRange=1:3\n"
          "。 SpaceAfter=No|TokenRange=3:4\n--\n"
          "我 SpaceAfter=No|TokenRange=4:5\n喜欢 SpaceAfter=No|TokenRange=5:7\n"
          "。 SpaceAfter=No|TokenRange=7:8\n");
}

/* New sentences of the grammar, laid out in some way: every token and every sentence as they were
 * made. */
static void learns(const ddn_text_layout *how)
{
    ddn_treebank gold, found;
    ddn_output text, conllu;
    ddn_output_memory(&text);
    ddn_output_memory(&conllu);
    test_treebank_generated(&gold, 2, 200);
    ddn_treebank_text(&gold, how, &text);
    assert_int_equal(
        test_tokenize(&grammar.tokenizer, text.data, text.size, 0, &conllu, NULL, NULL), 0);
    test_treebank_read(&found, conllu.data, conllu.size);
    assert_int_equal(gold.words, found.words);
    assert_int_equal(gold.count, found.count);
    for (size_t i = 0; i < gold.count; i++) {
        assert_int_equal(gold.sentence[i].n, found.sentence[i].n);
        for (int32_t k = 1; k <= gold.sentence[i].n; k++)
            assert_true(ddn_text_equal(ddn_sentence_column(&gold.sentence[i], k, DDN_FORM),
                                       ddn_sentence_column(&found.sentence[i], k, DDN_FORM)));
    }
    ddn_treebank_fini(&gold);
    ddn_treebank_fini(&found);
    ddn_output_abandon(&text);
    ddn_output_abandon(&conllu);
}

static void learns_a_grammar(void **state)
{
    (void)state;
    learns(&(ddn_text_layout){ .blank_lines = true });
    learns(&(ddn_text_layout){ .sentence_lines = true });
    learns(&(ddn_text_layout){ .width = 60 });
    learns(&(ddn_text_layout){ .width = 100 });
}

static size_t sentences_of(const ddn_tokenizer *t, const char *text, size_t *first)
{
    ddn_output conllu;
    ddn_treebank found;
    ddn_output_memory(&conllu);
    assert_int_equal(test_tokenize(t, text, strlen(text), 0, &conllu, NULL, NULL), 0);
    test_treebank_read(&found, conllu.data, conllu.size);
    size_t n = found.count;
    *first = (size_t)found.sentence[0].n;
    ddn_treebank_fini(&found);
    ddn_output_abandon(&conllu);
    return n;
}

/* A first line of any length ends as it does without the lines before it. */
static void ignores_blank_lines_before(const ddn_tokenizer *t)
{
    static char text[1000];
    size_t first, again;
    for (size_t words = 1; words < 60; words++) {
        char *blanks = text + sizeof text / 2, *at = blanks;
        for (size_t i = 0; i < words; i++)
            at += snprintf(at, 5, "bla%c", i + 1 < words ? ' ' : '\n');
        strcpy(at, "bla bla");
        size_t n = sentences_of(t, blanks, &first);
        memset(text, '\n', sizeof text / 2);
        assert_int_equal(sentences_of(t, text, &again), n);
        assert_int_equal(first, again);
    }
}

/* The same words mean something else in lines of another kind. */
static void lines_tell_what_their_ends_mean(void **state)
{
    (void)state;
    ddn_treebank some;
    test_tokenizer t;
    ddn_output treebank, text, conllu;
    ddn_output_memory(&treebank);
    /* Nothing but a line end tells where these sentences end. */
    ddn_rng r;
    ddn_rng_init(&r, 4);
    for (int i = 0; i < 400; i++) {
        int length = 2 + (int)ddn_rng_below(&r, 22);
        for (int k = 1; k <= length; k++)
            ddn_putf(&treebank, "%d\t%s\t_\t_\t_\t_\t%d\tdep\t_\t_\n", k,
                     ddn_rng_below(&r, 3) ? "bla" : "blabla", k > 1);
        ddn_put(&treebank, "\n", 1);
    }
    test_treebank_read(&some, treebank.data, treebank.size);
    test_tokenizer_train(&t, &some);
    for (int width = 0; width <= 70; width += 35) {
        int lines = 0, ends = 0;
        ddn_output_memory(&text);
        ddn_output_memory(&conllu);
        ddn_treebank_text(&some, &(ddn_text_layout){ .sentence_lines = !width, .width = width },
                          &text);
        assert_int_equal(test_tokenize(&t.tokenizer, text.data, text.size, 0, &conllu, NULL, NULL),
                         0);
        ddn_put(&conllu, "", 1);
        for (const char *at = conllu.data; (at = strstr(at, "SpacesAfter=\\n")); lines++) {
            at = strchr(at, '\n');
            ends += at[1] == '\n';
        }
        assert_true(lines > 300);
        assert_true(width ? ends * 5 < lines : ends * 10 > lines * 9);
        ddn_output_abandon(&text);
        ddn_output_abandon(&conllu);
    }
    ignores_blank_lines_before(&t.tokenizer);
    test_tokenizer_free(&t);
    ddn_treebank_fini(&some);
    ddn_output_abandon(&treebank);
}

static void put_words(ddn_output *o, ddn_rng *r, int words, bool lines)
{
    for (int k = 1; k <= words; k++)
        ddn_putf(o, "%d\t%s\t_\t_\t_\t_\t%d\tdep\t_\t%s\n", k,
                 ddn_rng_below(r, 3) ? "bla" : "blabla", k > 1,
                 lines && k % 3 == 0 && k < words ? "SpacesAfter=\\n" : "_");
    ddn_put(o, "\n", 1);
}

/* Nothing is known of the lines of a text when it begins, and texts that are read are often short.
 * So training must not see that only where its own texts begin, a hundred sentences each where
 * there are no paragraphs.  Here they begin with a sentence in several lines; all others are in
 * lines of their own, and nothing else tells where they end.  Two lines of that kind are two
 * sentences. */
static void short_texts_are_learnt_too(void **state)
{
    (void)state;
    enum { TEXTS = 200, SENTENCES = 400, TOGETHER = 100 };
    ddn_output treebank;
    ddn_treebank some;
    test_tokenizer t;
    ddn_rng r;
    int right = 0;
    ddn_rng_init(&r, 5);
    ddn_output_memory(&treebank);
    for (int i = 0; i < SENTENCES; i++) {
        bool begins = i % TOGETHER == 0;
        put_words(&treebank, &r, begins ? 12 : 2 + (int)ddn_rng_below(&r, 3), begins);
    }
    test_treebank_read(&some, treebank.data, treebank.size);
    test_tokenizer_train(&t, &some);
    for (int i = 0; i < TEXTS; i++) {
        char text[64], *at = text;
        size_t words[2], first;
        for (int line = 0; line < 2; line++) {
            words[line] = 2 + ddn_rng_below(&r, 3);
            for (size_t k = 0; k < words[line]; k++)
                at += sprintf(at, "%s%c", ddn_rng_below(&r, 3) ? "bla" : "blabla",
                              k + 1 < words[line] ? ' ' : '\n');
        }
        right += sentences_of(&t.tokenizer, text, &first) == 2 && first == words[0];
    }
    assert_true(right * 2 > TEXTS);
    test_tokenizer_free(&t);
    ddn_treebank_fini(&some);
    ddn_output_abandon(&treebank);
}

/* SpacesAfter may hold anything, also where the sentences that are laid out together end: without
 * paragraphs, that is after the hundredth. */
static void spaces_that_are_none_are_learnt_from(void **state)
{
    (void)state;
    ddn_output conllu;
    ddn_treebank treebank;
    test_tokenizer t;
    ddn_output_memory(&conllu);
    for (int i = 0; i < 101; i++) {
        ddn_puts(&conllu, "1\tOak\t_\t_\t_\t_\t0\troot\t_\tSpacesAfter=\\s");
        for (int k = 0; i == 99 && k < 10000; k++)
            ddn_puts(&conllu, "oak\\s");
        ddn_puts(&conllu, "\n\n");
    }
    test_treebank_read(&treebank, conllu.data, conllu.size);
    test_tokenizer_train(&t, &treebank);
    gives(&t.tokenizer, "Oak", "Oak SpaceAfter=No|TokenRange=0:3\n");
    test_tokenizer_free(&t);
    ddn_treebank_fini(&treebank);
    ddn_output_abandon(&conllu);
}

static void training_repeats_itself(void **state)
{
    (void)state;
    ddn_treebank t;
    test_tokenizer again;
    test_treebank_generated(&t, 1, 1500);
    test_tokenizer_train(&again, &t);
    assert_int_equal(again.bytes.size, grammar.bytes.size);
    assert_memory_equal(again.bytes.data, grammar.bytes.data, again.bytes.size);
    test_tokenizer_free(&again);
    ddn_treebank_fini(&t);
}

static void fails(const char *text, size_t size, dodona_code code, int64_t line, const char *why)
{
    for (size_t chunk = 0; chunk < 3; chunk++) {
        dodona_error err = { 0 };
        assert_int_equal(test_tokenize(&grammar.tokenizer, text, size, chunk, NULL, NULL, &err),
                         code);
        assert_int_equal(err.line, line);
        assert_string_equal(err.file, "text");
        assert_non_null(strstr(err.message, why));
    }
}

static void bad_bytes_are_named(void **state)
{
    (void)state;
    fails("one\ntwo \xff three", 14, DODONA_E_INPUT, 2, "0xff is not UTF-8");
    fails("one\n\n\ntwo \xe2\x82", 12, DODONA_E_INPUT, 4, "0xe2 is not UTF-8");
    fails("one\n\ntwo \xed\xa0\x80 x", 14, DODONA_E_INPUT, 3, "0xed is not UTF-8");
    /* What stands well before comes first. */
    static char text[300];
    ddn_output conllu;
    dodona_error err;
    ddn_output_memory(&conllu);
    memset(text, 'a', sizeof text);
    memcpy(text + 10, "\n\n", 2);
    text[299] = '\xff';
    assert_int_equal(test_tokenize(&grammar.tokenizer, text, 300, 0, &conllu, NULL, &err),
                     DODONA_E_INPUT);
    assert_true(conllu.size > 0 && memcmp(conllu.data, "# newdoc", 8) == 0);
    ddn_output_abandon(&conllu);
}

static void blanks_without_end_are_refused(void **state)
{
    (void)state;
    size_t size = DDN_MAX_BLANKS + 2;
    char *text = malloc(size + 1);
    assert_non_null(text);
    memset(text, ' ', size);
    text[1] = '\n';
    text[0] = text[size - 1] = 'a';
    ddn_output back;
    ddn_output_memory(&back);
    assert_int_equal(test_tokenize(&grammar.tokenizer, text, size, 0, NULL, &back, NULL), 0);
    assert_int_equal(back.size, size);
    assert_memory_equal(back.data, text, size);
    ddn_output_abandon(&back);
    memmove(text + size - 1, " a", 2);
    for (size_t chunk = 0; chunk <= 5000; chunk += 5000) {
        dodona_error err = { 0 };
        assert_int_equal(test_tokenize(&grammar.tokenizer, text, size + 1, chunk, NULL, NULL, &err),
                         DODONA_E_LIMIT);
        assert_int_equal(err.line, 2);
    }
    free(text);
}

/* The same characters again and again, as many as asked for. */
typedef struct endless {
    const char *piece;
    size_t left;
} endless;

static ptrdiff_t read_endless(void *ctx, char *buf, size_t size, dodona_error *err)
{
    (void)err;
    endless *e = ctx;
    size_t length = strlen(e->piece), take = size / length * length;
    take = take < e->left ? take : e->left;
    for (size_t i = 0; i < take; i += length)
        memcpy(buf + i, e->piece, length);
    e->left -= take;
    return (ptrdiff_t)take;
}

/* Sentences stay short, so all memory does: the window holds one of them and a read. */
static void endless_text_is_cut(void **state)
{
    (void)state;
    static const char *const pieces[] = { "a", "我", ". ", "a ", "aB7-", "\xcc\x81", "(" };
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        size_t length = strlen(pieces[i]), bytes = 0, want = (size_t)600000 / length * length;
        endless e = { pieces[i], want };
        ddn_input *in;
        ddn_text_reader *r;
        ddn_sentence s;
        ddn_output back;
        int status;
        ddn_output_memory(&back);
        ddn_sentence_init(&s);
        assert_int_equal(ddn_input_callback(&in, read_endless, &e, "endless", NULL), 0);
        assert_int_equal(ddn_text_open(&r, &grammar.tokenizer, in, NULL), 0);
        while ((status = ddn_text_next(r, &s, NULL)) > 0) {
            back.size = 0;
            assert_true(ddn_text_rebuild(&back, &s));
            assert_true(back.size <= 4 * (DDN_SENTENCE_CHARS + DDN_TOKEN_CHARS));
            assert_true(s.n <= DDN_SENTENCE_TOKENS * DDN_SPLIT_WORDS);
            bytes += back.size;
        }
        assert_int_equal(status, 0);
        assert_int_equal(bytes, want);
        ddn_text_close(r);
        ddn_sentence_fini(&s);
        ddn_output_abandon(&back);
    }
}

static void damaged_tokenizers_are_refused(void **state)
{
    (void)state;
    static const char *const missing[] = { DDN_TOKENIZER_RULES, DDN_TOKENIZER_TOKENS,
                                           DDN_TOKENIZER_SENTENCES };
    for (int i = 0; i < 3; i++) {
        ddn_model_file f = odd.file;
        ddn_tokenizer t;
        for (int k = 0; k < f.sections; k++) {
            if (strcmp(f.section[k].name, missing[i]) != 0)
                continue;
            f.section[k].size /= 2;
            assert_int_equal(ddn_tokenizer_open(&t, &f, NULL), DODONA_E_MODEL);
            f.section[k].name[0] = 'x';
            assert_int_equal(ddn_tokenizer_open(&t, &f, NULL), DODONA_E_MODEL);
        }
    }
}

/* Whatever weights and rules say, even nonsense, the text comes back. */
static void altered_tokenizers_are_safe(void **state)
{
    (void)state;
    static char text[4000];
    char *copy = malloc(odd.file.size);
    int opened = 0;
    ddn_rng r;
    assert_non_null(copy);
    ddn_rng_init(&r, 5);
    for (int i = 0; i < 300; i++) {
        ddn_model_file f = odd.file;
        ddn_tokenizer t;
        memcpy(copy, odd.file.bytes, odd.file.size);
        for (int k = 0; k < f.sections; k++)
            f.section[k].data =
                copy + ((const char *)f.section[k].data - (const char *)odd.file.bytes);
        for (uint64_t k = 1 + ddn_rng_below(&r, 4); k > 0; k--) {
            const ddn_section *s = &f.section[1 + ddn_rng_below(&r, 4)];
            copy[((const char *)s->data - copy) + (ptrdiff_t)ddn_rng_below(&r, s->size)] =
                (char)ddn_rng_next(&r);
        }
        if (ddn_tokenizer_open(&t, &f, NULL) < 0)
            continue;
        size_t size = test_random_text(&r, text, 100);
        ddn_output back;
        ddn_output_memory(&back);
        assert_int_equal(test_tokenize(&t, text, size, 0, NULL, &back, NULL), 0);
        assert_int_equal(back.size, size);
        assert_memory_equal(back.data, text, size);
        ddn_output_abandon(&back);
        ddn_tokenizer_close(&t);
        opened++;
    }
    assert_true(opened > 30);
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_texts_come_back),
        cmocka_unit_test(random_texts_come_back),
        cmocka_unit_test(blank_lines_make_certain),
        cmocka_unit_test(blanks_are_kept_as_udpipe_writes_them),
        cmocka_unit_test(blanks_inside_tokens),
        cmocka_unit_test(multiword_tokens),
        cmocka_unit_test(text_without_spaces),
        cmocka_unit_test(learns_a_grammar),
        cmocka_unit_test(lines_tell_what_their_ends_mean),
        cmocka_unit_test(short_texts_are_learnt_too),
        cmocka_unit_test(spaces_that_are_none_are_learnt_from),
        cmocka_unit_test(training_repeats_itself),
        cmocka_unit_test(bad_bytes_are_named),
        cmocka_unit_test(blanks_without_end_are_refused),
        cmocka_unit_test(endless_text_is_cut),
        cmocka_unit_test(damaged_tokenizers_are_refused),
        cmocka_unit_test(altered_tokenizers_are_safe),
    };
    return cmocka_run_group_tests(tests, train, clean_up);
}
