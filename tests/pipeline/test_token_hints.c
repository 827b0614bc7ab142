/* SPDX-License-Identifier: MIT */
/* What the hints of the tokenizer say of tokens that were written for this, and what a tokenizer
 * learns from them. */
#include "lib/check.h"
#include "lib/tokenizing.h"
#include "pipeline/token_hints.h"

#include <stdlib.h>
#include <string.h>

static ddn_lexicon nothing; /* no abbreviation is known */

static ddn_place place_of(ddn_chars *c, const char *text, uint32_t from, uint32_t at)
{
    static uint32_t empty[2];
    *c = (ddn_chars){ 0 };
    assert_int_equal(ddn_chars_add(c, text, 0, strlen(text), NULL), 0);
    nothing = (ddn_lexicon){ .slot = empty, .slots = 1 };
    return (ddn_place){ .text = c->of,
                        .end = (uint32_t)c->count,
                        .from = from,
                        .at = at,
                        .next = at + 1,
                        .abbreviations = &nothing };
}

/* The places of a chunk at which a token that begins with it could be cut, and that no span covers,
 * as a text: a bar stands at each. */
static void spans_are(const char *text, const char *want)
{
    char found[200] = "";
    ddn_chars c;
    ddn_place p = place_of(&c, text, 0, 0);
    for (p.at = 0; p.at < p.end; p.at++) {
        uint64_t hint = ddn_span_hint(&p, 0, p.at, p.end);
        size_t size = (p.at + 1 < p.end ? c.of[p.at + 1].at : strlen(text)) - c.of[p.at].at;
        strncat(found, text + c.of[p.at].at, size);
        if (hint && (hint & 3) == 1)
            strcat(found, "|");
    }
    assert_string_equal(found, want);
    ddn_chars_fini(&c);
}

static void spans_end_where_they_should(void **state)
{
    (void)state;
    spans_are("3.14159.", "3.14159|.");
    spans_are("10,800", "10,800|");
    spans_are("1/2", "1/2|");
    spans_are("6:45pm", "6:45|pm");
    spans_are("https://a.org/b?c=1.", "https://a.org/b?c=1|.");
    spans_are("www.example.net,", "www.example.net|,");
    spans_are("jo.smith@example.com)", "jo.smith@example.com|)");
    spans_are("/usr/local/bin/run.sh", "/usr/local/bin/run.sh|");
    spans_are("~/notes/a", "~/notes/a|");
    spans_are("@anna_b!", "@anna_b|!");
    spans_are("#fail...", "#fail|...");
    spans_are("#1", "#1");
    spans_are("and/or", "and/or");
    spans_are("/or", "/or");
    spans_are("word", "word");
}

static bool joined(const char *text, uint32_t from, uint32_t at)
{
    ddn_chars c;
    ddn_place p = place_of(&c, text, from, at);
    bool is = ddn_is_joined(&p);
    ddn_chars_fini(&c);
    return is;
}

static void emoji_are_not_cut(void **state)
{
    (void)state;
    const char *woman = "\xf0\x9f\xa4\xa6\xe2\x80\x8d\xe2\x99\x80\xef\xb8\x8f!";
    for (uint32_t i = 0; i < 3; i++)
        assert_true(joined(woman, 0, i));
    assert_false(joined(woman, 0, 3));
    const char *flags = "\xf0\x9f\x87\xba\xf0\x9f\x87\xb8\xf0\x9f\x87\xac\xf0\x9f\x87\xa7";
    assert_true(joined(flags, 0, 0));
    assert_false(joined(flags, 0, 1));
    assert_true(joined(flags, 2, 2));
    assert_true(joined("\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbd", 0, 0)); /* a thumb and its colour */
    assert_true(joined("e\xcc\x81", 0, 0));
    assert_false(joined("ab", 0, 0));
    assert_false(joined("\xf0\x9f\x98\x82\xf0\x9f\x98\x82", 0, 0));
}

/* Words that differ in what the hint sees have different hints, others the same. */
static void abbreviations_are_told_by_their_shape(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool same;
    } pair[] = { { "Sgt", "Cpt", true },  { "Sgt", "Sat", false }, { "Sgt", "sgt", false },
                 { "U.S", "USA", false }, { "J", "K", true },      { "J", "Jr", false },
                 { "etc", "usw", true },  { "Prof", "Capt", true } };
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        ddn_chars c, d;
        uint32_t a = (uint32_t)strlen(pair[i].a), b = (uint32_t)strlen(pair[i].b);
        ddn_place p = place_of(&c, pair[i].a, 0, a - 1), q = place_of(&d, pair[i].b, 0, b - 1);
        bool same = ddn_abbreviation_hint(&p, 0, a) == ddn_abbreviation_hint(&q, 0, b);
        if (same != pair[i].same)
            fail_msg("%s and %s", pair[i].a, pair[i].b);
        ddn_chars_fini(&c);
        ddn_chars_fini(&d);
    }
}

/* A tokenizer whose treebank has never shown it keeps addresses, handles and hashtags whole. */
static void spans_stay_whole(void **state)
{
    (void)state;
    static const char text[] = "Oaks see @oak_1 and #trees and /usr/local/bin/run.sh here.";
    test_tokenizer t;
    ddn_treebank bank;
    ddn_output conllu;
    dodona_error err;
    test_treebank_generated(&bank, 1, 200);
    test_tokenizer_train(&t, &bank);
    ddn_output_memory(&conllu);
    assert_int_equal(test_tokenize(&t.tokenizer, text, strlen(text), 0, &conllu, NULL, &err), 0);
    ddn_put(&conllu, "", 1);
    assert_non_null(strstr(conllu.data, "\t@oak_1\t"));
    assert_non_null(strstr(conllu.data, "\t#trees\t"));
    assert_non_null(strstr(conllu.data, "\t/usr/local/bin/run.sh\t"));
    ddn_output_abandon(&conllu);
    test_tokenizer_free(&t);
    ddn_treebank_fini(&bank);
}

/* Without the section of abbreviations, as in models of earlier programs, there are no hints. */
static void models_without_abbreviations_have_no_hints(void **state)
{
    (void)state;
    uint64_t key[DDN_MAX_KEYS], hinted[DDN_MAX_KEYS];
    ddn_chars c;
    ddn_place p = place_of(&c, "Sgt. Pike", 0, 2);
    int more = ddn_token_keys(&p, hinted);
    p.abbreviations = NULL;
    int n = ddn_token_keys(&p, key);
    assert_int_equal(n, 27);
    assert_int_equal(more, 33);
    assert_memory_equal(key, hinted, (size_t)n * sizeof *key);
    ddn_chars_fini(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_end_where_they_should),
        cmocka_unit_test(emoji_are_not_cut),
        cmocka_unit_test(abbreviations_are_told_by_their_shape),
        cmocka_unit_test(spans_stay_whole),
        cmocka_unit_test(models_without_abbreviations_have_no_hints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
