/* SPDX-License-Identifier: MIT */
/* Rules for lemmas: what was found must lead back to the lemma, and apply where it should. */
#include "core/rng.h"
#include "lib/check.h"
#include "pipeline/lemma_rule.h"
#include <string.h>

static dodona_text text(const char *s)
{
    return (dodona_text){ s, strlen(s) };
}

/* The rule of form and lemma, applied to another form; NULL: it does not apply. */
static const char *by_rule(const char *form, const char *lemma, const char *other)
{
    static char result[256];
    ddn_cased c;
    ddn_output rule, made;
    ddn_lemma_rule r;
    ddn_cased_init(&c);
    ddn_output_memory(&rule);
    ddn_output_memory(&made);
    assert_int_equal(ddn_cased_set(&c, text(form), NULL), 0);
    ddn_lemma_rule_find(&c, text(lemma), &rule);
    assert_true(ddn_lemma_rule_read(&r, (dodona_text){ rule.data, rule.size }));
    assert_int_equal(ddn_cased_set(&c, text(other), NULL), 0);
    bool applies = ddn_lemma_rule_applies(&r, &c);
    if (applies) {
        ddn_lemma_rule_apply(&r, &c, &made);
        assert_true(made.size < sizeof result);
        memcpy(result, made.data ? made.data : "", made.size);
        result[made.size] = '\0';
    }
    ddn_cased_fini(&c);
    ddn_output_abandon(&rule);
    ddn_output_abandon(&made);
    return applies ? result : NULL;
}

static void rules_carry_over(void **state)
{
    (void)state;
    assert_string_equal(by_rule("dogs", "dog", "Cats"), "cat");
    assert_null(by_rule("dogs", "dog", "oxen"));
    assert_string_equal(by_rule("Flies", "fly", "tries"), "try");
    assert_string_equal(by_rule("gemacht", "machen", "gelacht"), "lachen");
    assert_null(by_rule("gemacht", "machen", "lacht"));
    assert_string_equal(by_rule("London", "London", "Paris"), "Paris");
    assert_string_equal(by_rule("LONDON", "London", "PARIS"), "Paris");
    assert_string_equal(by_rule("usa", "USA", "nato"), "NATO");
    assert_string_equal(by_rule("the", "the", "THE"), "the");
    assert_string_equal(by_rule("\xc3\x89T\xc3\x89S", "\xc3\xa9t\xc3\xa9", "M\xc3\x89S"),
                        "m\xc3\xa9");
}

static void whole_forms_stay_alone(void **state)
{
    (void)state;
    assert_string_equal(by_rule("is", "be", "IS"), "be");
    assert_null(by_rule("is", "be", "this"));
    assert_null(by_rule("is", "be", "i"));
}

static void without_lemmas_there_is_none(void **state)
{
    (void)state;
    static const char *const form[] = { "is", "\xe6\xb0\xb4", "_" };
    ddn_cased c;
    ddn_output rule, made;
    ddn_lemma_rule r;
    ddn_cased_init(&c);
    ddn_output_memory(&rule);
    ddn_output_memory(&made);
    ddn_lemma_rule_none(&rule);
    assert_true(ddn_lemma_rule_read(&r, (dodona_text){ rule.data, rule.size }));
    for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
        assert_int_equal(ddn_cased_set(&c, text(form[i]), NULL), 0);
        assert_true(ddn_lemma_rule_applies(&r, &c));
        ddn_lemma_rule_apply(&r, &c, &made);
        assert_int_equal(made.size, 1);
        assert_memory_equal(made.data, "_", 1);
    }
    ddn_cased_fini(&c);
    ddn_output_abandon(&rule);
    ddn_output_abandon(&made);
}

static void bad_rules_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "", "0", "6\t\t\t\t", "0\t\t\t", "0\t\t\t\t\t", "x\t\t\t\t"
    };
    ddn_lemma_rule r;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(ddn_lemma_rule_read(&r, text(bad[i])));
    assert_true(ddn_lemma_rule_read(&r, text("0\t\t\ts\t")));
}

/* Random pairs over letters of one to three bytes, some without case. */
static void every_rule_leads_back(void **state)
{
    (void)state;
    static const char *const letter[] = {
        "a", "B", "s", "\xc3\xa9", "\xc3\x89", "\xc3\x9f", "\xe1\xba\x9e", "\xe6\xb0\xb4", "-"
    };
    ddn_rng r;
    ddn_rng_init(&r, 5);
    for (int k = 0; k < 5000; k++) {
        char word[2][64] = { "", "" };
        for (int w = 0; w < 2; w++)
            for (uint64_t n = 1 + ddn_rng_below(&r, 7); n > 0; n--)
                strcat(word[w], letter[ddn_rng_below(&r, 9)]);
        const char *made = by_rule(word[0], word[1], word[0]);
        assert_non_null(made);
        assert_string_equal(made, word[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_carry_over),
        cmocka_unit_test(whole_forms_stay_alone),
        cmocka_unit_test(without_lemmas_there_is_none),
        cmocka_unit_test(bad_rules_are_refused),
        cmocka_unit_test(every_rule_leads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
