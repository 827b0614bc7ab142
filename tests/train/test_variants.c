/* SPDX-License-Identifier: MIT */
/* Copies of training sentences in other spellings: a sentence that all spellings change, and what
 * becomes of it; sentences that some do not change. */
#include "lib/check.h"
#include "lib/tokenizing.h"
#include "train/variants.h"

#include <string.h>

#define REST(upos, head, relation) "\t_\t" upos "\t_\t_\t" head "\t" relation "\t_\t_\n"

/* "Don't" he said. */
#define SENTENCE(newpar, quote1, dont, don, nt, quote2, he, said, end)                             \
    newpar "1\t" quote1 REST(                                                                      \
        "PUNCT", "3",                                                                              \
        "punct") "2-3\t" dont "\t_\t_\t_\t_\t_\t_\t_\t_\n"                                         \
                 "2\t" don REST("AUX", "6", "ccomp") "3\t" nt REST(                                \
                     "PART", "2", "advmod") "4\t" quote2 REST("PUNCT", "3", "punct") "5\t" he      \
                     REST("PRON", "6", "nsubj") "6\t" said REST("VERB", "0", "root") end "\n"
#define POINT "7\t." REST("PUNCT", "6", "punct")

static const char original[] = SENTENCE("", "\"", "Don't", "Do", "n't", "\"", "he", "said", POINT);

static const char *const expected[DDN_VARIANTS] = {
    [DDN_VARIANT_OPEN] = SENTENCE("# newpar\n", "\"", "Don't", "Do", "n't", "\"", "he", "said", ""),
    [DDN_VARIANT_UPPER] =
        SENTENCE("# newpar\n", "\"", "DON'T", "DO", "N'T", "\"", "HE", "SAID", POINT),
    [DDN_VARIANT_LOWER] =
        SENTENCE("# newpar\n", "\"", "don't", "do", "n't", "\"", "he", "said", POINT),
    [DDN_VARIANT_PLAIN] =
        SENTENCE("# newpar\n", "\"", "Dont", "Do", "nt", "\"", "he", "said", POINT),
    [DDN_VARIANT_CURLY] =
        SENTENCE("# newpar\n", "“", "Don’t", "Do", "n’t", "”", "he", "said", POINT),
};

static void variants_are_as_expected(void **state)
{
    (void)state;
    ddn_treebank bank;
    test_treebank_read(&bank, original, sizeof original - 1);
    for (int i = 0; i < DDN_VARIANTS; i++) {
        ddn_output o;
        ddn_output_memory(&o);
        assert_true(ddn_variant_put(&o, &bank.sentence[0], (ddn_variant)i));
        ddn_put(&o, "", 1);
        assert_string_equal(o.data, expected[i]);
        ddn_output_abandon(&o);
    }
    ddn_treebank_fini(&bank);
}

/* Nothing is put where nothing changes: no punctuation that can go, no letters, no quotes. */
static void unchanged_sentences_are_not_put(void **state)
{
    static const char text[] =
        "1\t7" REST("NUM", "2", "nummod") "2\t!" REST("PUNCT", "0", "root") "\n";
    (void)state;
    ddn_treebank bank;
    ddn_output o;
    test_treebank_read(&bank, text, sizeof text - 1);
    ddn_output_memory(&o);
    for (int i = 0; i < DDN_VARIANTS; i++)
        assert_false(ddn_variant_put(&o, &bank.sentence[0], (ddn_variant)i));
    assert_int_equal(o.size, 0);
    assert_int_equal(ddn_treebank_vary(&bank, 100, 1, NULL), 0);
    assert_int_equal(bank.count, 1);
    ddn_output_abandon(&o);
    ddn_treebank_fini(&bank);
}

/* As many copies as asked for, behind the sentences, the same ones from the same seed. */
static void copies_stand_behind(void **state)
{
    (void)state;
    enum { SENTENCES = 2000 };
    ddn_treebank bank, same;
    test_treebank_generated(&bank, 1, SENTENCES);
    test_treebank_generated(&same, 1, SENTENCES);
    uint64_t before = ddn_treebank_hash(&bank, 0);
    assert_int_equal(ddn_treebank_vary(&bank, 0, 1, NULL), 0);
    assert_true(ddn_treebank_hash(&bank, 0) == before);
    assert_int_equal(ddn_treebank_vary(&bank, 25, 1, NULL), 0);
    assert_in_range(bank.count, SENTENCES + 400, SENTENCES + 600);
    assert_int_equal(ddn_treebank_vary(&same, 25, 1, NULL), 0);
    assert_true(ddn_treebank_hash(&bank, 0) == ddn_treebank_hash(&same, 0));
    ddn_treebank_fini(&bank);
    ddn_treebank_fini(&same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variants_are_as_expected),
        cmocka_unit_test(unchanged_sentences_are_not_put),
        cmocka_unit_test(copies_stand_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
