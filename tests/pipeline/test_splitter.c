/* SPDX-License-Identifier: MIT */
/* Rules for multiword tokens: what they say, what is refused, and what is learnt from tokens. */
#include "lib/check.h"
#include "lib/tokenizing.h"
#include "train/splitter_train.h"
#include <string.h>

static ddn_splitter rules(const char *text)
{
    ddn_splitter s;
    dodona_error err;
    if (ddn_splitter_open(&s, text, strlen(text), &err) < 0)
        fail_msg("%s", err.message);
    return s;
}

/* The words of a token, with bars between them; one word is the token itself. */
static void splits(const ddn_splitter *s, const char *token, const char *want)
{
    ddn_chars c = { 0 };
    ddn_output words;
    ddn_output_memory(&words);
    assert_int_equal(ddn_chars_add(&c, token, 0, strlen(token), NULL), 0);
    int count = ddn_splitter_split(s, c.of, 0, (uint32_t)c.count, token, &words);
    if (count == 1)
        ddn_putf(&words, "\t%s", token);
    ddn_put(&words, "", 1);
    int tabs = 0;
    for (char *at = words.data; *at; at++)
        if (*at == '\t') {
            tabs++;
            *at = '|';
        }
    assert_string_equal(words.data + 1, want);
    assert_int_equal(tabs, count);
    ddn_output_abandon(&words);
    ddn_chars_fini(&c);
}

static void the_longest_ending_decides(void **state)
{
    (void)state;
    ddn_splitter s = rules("e\tn't\t3\n"
                           "e\twn't\t.\n"
                           "w\tshawn't\t4\n"
                           "w\tn't\t.\n"
                           "e\t\xc3\xa9\t1\n"
                           "e\t00s\t1\n"
                           "w\tgimmeit\t2\t2\n");
    splits(&s, "don't", "do|n't");
    splits(&s, "DON'T", "DO|N'T");
    splits(&s, "lawn't", "lawn't");
    splits(&s, "Shawn't", "Sha|wn't");
    splits(&s, "n't", "n't");
    splits(&s, "t", "t");
    splits(&s, "n\xc3\xa9", "n|\xc3\xa9");
    splits(&s, "\xc3\xa9", "\xc3\xa9"); /* nothing would be left */
    splits(&s, "1987s", "1987|s");      /* all digits are 0 */
    splits(&s, "7s", "7s");
    splits(&s, "GIMmeit", "GIM|me|it");
    splits(&s, "gimmeits", "gimmeits");
    ddn_splitter_close(&s);
}

static void words_take_over_capitals(void **state)
{
    (void)state;
    ddn_splitter s = rules("w\tdu\t=\tde\tle\nw\tau\t=\t\xc3\xa0\tle\nw\tl'\t=\tlo\ta\tb\n");
    splits(&s, "du", "de|le");
    splits(&s, "Du", "De|le");
    splits(&s, "DU", "DE|LE");
    splits(&s, "Au", "\xc3\x80|le");
    splits(&s, "dU", "de|le");
    splits(&s, "L'", "Lo|a|b");
    splits(&s, "duc", "duc");
    ddn_splitter_close(&s);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "x\ta\t1\n",
        "e\t\t1\n",
        "e\ta\n",
        "e\ta\t\n",
        "e\ta\t0\n",
        "e\ta\tx\n",
        "e\ta\t1",
        "\n",
        "e\n",
        "e\ta\t=\tb\n",
        "e\ta\t.\t1\n",
        "e\ta\t-1\n",
        "e\t\xff\t1\n",
        "w\ta\t=\tb\t\xff\n",
        "w\ta\t=\t\tb\n",
        "w\ta\t=\tb\tc\t\n",
        "w\ta\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\t1\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ddn_splitter s;
        assert_int_equal(ddn_splitter_open(&s, bad[i], strlen(bad[i]), NULL), DODONA_E_MODEL);
    }
}

/* A treebank of tokens, one a sentence: "form" or "form=word+word". */
static void treebank_of(ddn_treebank *t, const char *const *token, size_t tokens)
{
    ddn_output o;
    ddn_output_memory(&o);
    for (size_t i = 0; i < tokens; i++) {
        size_t size = strcspn(token[i], "=");
        const char *at = token[i] + size;
        if (*at) {
            int words = 1;
            for (const char *c = at; *c; c++)
                words += *c == '+';
            ddn_putf(&o, "1-%d\t%.*s\t_\t_\t_\t_\t_\t_\t_\t_\n", words, (int)size, token[i]);
        }
        for (int k = 1; k == 1 || *at; k++) {
            const char *word = *at ? at + 1 : token[i];
            size_t length = *at ? strcspn(word, "+") : size;
            ddn_putf(&o, "%d\t%.*s\t_\t_\t_\t_\t%d\tx\t_\t_\n", k, (int)length, word, k - 1);
            at = *at ? word + length : at;
        }
        ddn_puts(&o, "\n");
    }
    test_treebank_read(t, o.data, o.size);
    ddn_output_abandon(&o);
}

static void rules_are_learnt(void **state)
{
    (void)state;
    static const char *const tokens[] = {
        "don't=do+n't",
        "isn't=is+n't",
        "can't=ca+n't",
        "Won't=Wo+n't",
        "burn't",
        "it",
        "it's=it+'s",
        "he's=he+'s",
        "dog's=dog+'s",
        "its",
        "its",
        "Its=It+s",
        "du=de+le",
        "du=de+le",
        "du",
        "Au=\xc3\x80+le",
        "gimmeit=gim+me+it",
        "gotta=got+ta",
        "outta=out+ta",
        "point",
        "want",
        "cats",
        "dogs",
    };
    ddn_treebank t;
    ddn_output text;
    ddn_output_memory(&text);
    treebank_of(&t, tokens, sizeof tokens / sizeof *tokens);
    assert_int_equal(ddn_splitter_train(&t, &text, NULL), 0);
    ddn_put(&text, "", 1);
    ddn_splitter s = rules(text.data);
    /* Every form as it was most often, */
    splits(&s, "don't", "do|n't");
    splits(&s, "won't", "wo|n't");
    splits(&s, "burn't", "burn't");
    splits(&s, "its", "its");
    splits(&s, "du", "de|le");
    splits(&s, "AU", "\xc3\x80|LE");
    splits(&s, "gimmeit", "gim|me|it");
    splits(&s, "point", "point");
    /* and new ones as their kind. */
    splits(&s, "hasn't", "has|n't");
    splits(&s, "cat's", "cat|'s");
    splits(&s, "bits", "bits");
    splits(&s, "residu", "residu");
    splits(&s, "ant", "ant");
    splits(&s, "betta", "betta"); /* two forms are no kind */
    ddn_splitter_close(&s);
    ddn_output_abandon(&text);
    ddn_treebank_fini(&t);
}

/* A text has no tokens as long, so there is nothing to learn from them. */
static void endless_tokens_give_no_rule(void **state)
{
    (void)state;
    enum { LONG = 10000 };
    static char token[2 * LONG + 8];
    const char *const tokens[] = { token };
    ddn_treebank t;
    ddn_output text;
    ddn_output_memory(&text);
    memset(token, 'y', sizeof token - 1);
    memcpy(token + LONG + 2, "=yy+", 4); /* and then yyy..., LONG of them */
    token[2 * LONG + 6] = '\0';
    treebank_of(&t, tokens, 1);
    assert_int_equal(ddn_splitter_train(&t, &text, NULL), 0);
    assert_int_equal(text.size, 0);
    ddn_output_abandon(&text);
    ddn_treebank_fini(&t);
}

static void nothing_gives_no_rules(void **state)
{
    (void)state;
    ddn_treebank t;
    ddn_output text;
    ddn_output_memory(&text);
    treebank_of(&t, NULL, 0);
    assert_int_equal(ddn_splitter_train(&t, &text, NULL), 0);
    assert_int_equal(text.size, 0);
    ddn_output_abandon(&text);
    ddn_treebank_fini(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longest_ending_decides),  cmocka_unit_test(words_take_over_capitals),
        cmocka_unit_test(nonsense_is_refused),         cmocka_unit_test(rules_are_learnt),
        cmocka_unit_test(endless_tokens_give_no_rule), cmocka_unit_test(nothing_gives_no_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
