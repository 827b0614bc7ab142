/* SPDX-License-Identifier: MIT */
/* The lemmatizer on a treebank of a few words: what its lexicon says of forms that it knows, and
 * which rules it follows for forms that it does not. */
#include "lib/check.h"
#include "train/lemmatizer_train.h"
#include <stdio.h>
#include <string.h>

typedef struct lemmatizer {
    ddn_sections sections;
    ddn_model_file file; /* of them */
    ddn_lemmatizer l;
    ddn_sentence words; /* what it is trained on */
} lemmatizer;

static dodona_text text(const char *s)
{
    return (dodona_text){ s, strlen(s) };
}

static void add(ddn_sentence *s, int times, const char *form, const char *upos, const char *feats,
                const char *lemma)
{
    dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = text(form),
                                     [DDN_LEMMA] = text(lemma),
                                     [DDN_UPOS] = text(upos),
                                     [DDN_FEATS] = text(feats) };
    for (int i = 0; i < times; i++)
        assert_int_equal(ddn_sentence_word(s, col, NULL), 0);
}

static void train(lemmatizer *x)
{
    const ddn_sentence *all = &x->words;
    ddn_lemmatizer_options o = ddn_lemmatizer_defaults(1);
    ddn_sections_init(&x->sections);
    assert_int_equal(ddn_lemmatizer_train(&o, &all, 1, &x->sections, NULL), 0);
    ddn_sections_view(&x->sections, "lemmatizer", &x->file);
    assert_int_equal(ddn_lemmatizer_open(&x->l, &x->file, NULL), 0);
}

static void forget(lemmatizer *x)
{
    ddn_lemmatizer_close(&x->l);
    ddn_sections_fini(&x->sections);
    ddn_sentence_fini(&x->words);
}

static void lemma_is(const lemmatizer *x, const char *form, const char *upos, const char *feats,
                     const char *want)
{
    ddn_lemmatizing w;
    ddn_words words;
    ddn_sentence s;
    dodona_text lemma;
    ddn_sentence_init(&s);
    add(&s, 1, form, upos, feats, "_");
    ddn_words_init(&words);
    assert_int_equal(ddn_words_read(&words, &s, NULL), 0);
    assert_int_equal(ddn_lemmatizing_init(&w, &x->l, NULL), 0);
    assert_int_equal(ddn_lemmatizing_run(&w, &s, 1, &words.word[1], &lemma, NULL), 0);
    if (!ddn_text_is(lemma, want))
        fail_msg("%s is %.*s, not %s", form, (int)lemma.size, lemma.data, want);
    ddn_lemmatizing_fini(&w);
    ddn_words_fini(&words);
    ddn_sentence_fini(&s);
}

/* What a form had most with its tag, whatever others had; then its plain form; then its UPOS. */
static void known_forms_have_the_lemma_that_they_had_most(void **state)
{
    (void)state;
    lemmatizer x;
    ddn_sentence_init(&x.words);
    ddn_sentence *s = &x.words;
    add(s, 2, "saw", "VERB", "_", "saw");
    add(s, 3, "saw", "VERB", "_", "see");
    add(s, 4, "saw", "NOUN", "_", "saw");
    add(s, 2, "us", "PROPN", "_", "we");
    add(s, 3, "US", "PROPN", "_", "US");
    add(s, 1, "bore", "VERB", "A=1", "bear");
    add(s, 3, "bore", "VERB", "A=2", "bore");
    add(s, 1, "leaves", "VERB", "A=1", "leave");
    add(s, 1, "calves", "VERB", "A=2", "calf");
    add(s, 1, "halves", "VERB", "A=2", "half");
    add(s, 1, "wolves", "VERB", "A=2", "wolf");
    add(s, 1, "elves", "VERB", "A=2", "elf");
    add(s, 1, "scarves", "VERB", "A=2", "scarf");
    train(&x);
    lemma_is(&x, "saw", "VERB", "_", "see");
    lemma_is(&x, "saw", "NOUN", "_", "saw");
    lemma_is(&x, "us", "PROPN", "_", "we");
    lemma_is(&x, "US", "PROPN", "_", "US");
    lemma_is(&x, "Us", "PROPN", "_", "Us"); /* as most of these letters: as it stands */
    lemma_is(&x, "bore", "VERB", "A=1", "bear");
    lemma_is(&x, "bore", "VERB", "A=2", "bore");
    lemma_is(&x, "bore", "VERB", "A=3", "bore");
    lemma_is(&x, "leaves", "VERB", "A=1", "leave");
    lemma_is(&x, "leaves", "VERB", "A=2", "leave");
    lemma_is(&x, "shelves", "VERB", "A=2", "shelf"); /* not known */
    forget(&x);
}

/* A rule that only one form follows is none for other forms; one that two follow is. */
static void rules_need_two_forms(void **state)
{
    (void)state;
    for (int forms = 1; forms <= 2; forms++) {
        lemmatizer x;
        ddn_sentence_init(&x.words);
        add(&x.words, 1, "cup", "NOUN", "_", "cup");
        add(&x.words, 1, "lid", "NOUN", "_", "lid");
        add(&x.words, 1, "cats", "NOUN", "_", "cat");
        add(&x.words, 1, "dogs", "NOUN", "_", "dog");
        add(&x.words, 5, "oxen", "NOUN", "_", "ox");
        if (forms == 2)
            add(&x.words, 1, "vixen", "NOUN", "_", "vix");
        train(&x);
        lemma_is(&x, "oxen", "NOUN", "_", "ox");
        lemma_is(&x, "boxen", "NOUN", "_", forms == 2 ? "box" : "boxen");
        forget(&x);
    }
}

/* What is added must have been added to five forms; until then a form that is not known stays. */
static void what_is_added_needs_five_forms(void **state)
{
    static const char *const plural[] = { "flies", "spies", "cries", "tries", "skies" };
    static const char *const singular[] = { "fly", "spy", "cry", "try", "sky" };
    (void)state;
    for (int forms = 4; forms <= 5; forms++) {
        lemmatizer x;
        ddn_sentence_init(&x.words);
        for (int i = 0; i < forms; i++)
            add(&x.words, 1, plural[i], "NOUN", "_", singular[i]);
        add(&x.words, 1, "Flies", "NOUN", "_", "fly"); /* not another form */
        train(&x);
        lemma_is(&x, "cries", "NOUN", "_", "cry");
        lemma_is(&x, "allies", "NOUN", "_", forms == 5 ? "ally" : "allies");
        forget(&x);
    }
}

/* A rule that adds and drops nothing is trusted beside characters that it was seen beside, twice,
 * with that UPOS. */
static void what_is_only_added_needs_a_known_place(void **state)
{
    (void)state;
    lemmatizer x;
    ddn_sentence_init(&x.words);
    add(&x.words, 1, "hop", "NOUN", "_", "hopway");
    add(&x.words, 1, "cup", "NOUN", "_", "cupway");
    add(&x.words, 1, "lap", "NOUN", "_", "lapway");
    add(&x.words, 1, "tip", "NOUN", "_", "tipway");
    add(&x.words, 1, "hat", "NOUN", "_", "hatway");
    add(&x.words, 1, "sing", "VERB", "_", "sing");
    train(&x);
    lemma_is(&x, "lop", "NOUN", "_", "lopway");
    lemma_is(&x, "bat", "NOUN", "_", "bat"); /* beside t only once */
    lemma_is(&x, "drank", "NOUN", "_", "drank");
    lemma_is(&x, "7", "NOUN", "_", "7");
    lemma_is(&x, "lop", "VERB", "_", "lop");
    forget(&x);
}

/* A word with a relation to the word before it, which heads it. */
static void add_behind(ddn_sentence *s, const char *form, const char *upos, const char *lemma,
                       const char *deprel)
{
    char head[16];
    snprintf(head, sizeof head, "%d", (int)s->n);
    dodona_text col[DDN_COLUMNS] = {
        [DDN_FORM] = text(form), [DDN_LEMMA] = text(lemma), [DDN_UPOS] = text(upos),
        [DDN_FEATS] = text("_"), [DDN_HEAD] = text(head),   [DDN_DEPREL] = text(deprel)
    };
    assert_int_equal(ddn_sentence_word(s, col, NULL), 0);
}

/* The lemma of a word that a space cuts, of an address and of a rare typing error is not that of
 * the form. */
static void other_forms_lemmas_are_not_learnt(void **state)
{
    (void)state;
    lemmatizer x;
    ddn_sentence_init(&x.words);
    add(&x.words, 1, "Daniel", "PROPN", "_", "DanielX@WORK");
    add(&x.words, 1, "with", "ADP", "_", "without");
    add_behind(&x.words, "out", "X", "out", "goeswith");
    add(&x.words, 4, "teh", "DET", "Typo=Yes", "the");
    add(&x.words, 5, "nt", "PART", "Typo=Yes", "not");
    add(&x.words, 1, "a@b", "X", "_", "a@b");
    train(&x);
    lemma_is(&x, "Daniel", "PROPN", "_", "daniel");
    lemma_is(&x, "with", "ADP", "_", "with");
    lemma_is(&x, "teh", "DET", "Typo=Yes", "teh");
    lemma_is(&x, "nt", "PART", "Typo=Yes", "not");
    lemma_is(&x, "nt", "PART", "_", "nt");
    lemma_is(&x, "c@d", "X", "_", "c@d");
    forget(&x);
}

/* However often a form is seen, it is one example of its rule. */
static void forms_are_learnt_from_once(void **state)
{
    (void)state;
    lemmatizer once, often;
    for (int i = 0; i < 2; i++) {
        ddn_sentence *s = i ? &often.words : &once.words;
        ddn_sentence_init(s);
        add(s, i ? 50 : 1, "has", "VERB", "_", "have");
        add(s, i ? 20 : 1, "gives", "VERB", "_", "give");
        add(s, 1, "takes", "VERB", "_", "take");
        add(s, i ? 9 : 1, "does", "VERB", "_", "do");
        add(s, 1, "goes", "VERB", "_", "go");
    }
    train(&once);
    train(&often);
    const ddn_section *a, *b;
    assert_int_equal(ddn_model_file_find(&once.file, DDN_LEMMA_WEIGHTS, &a, NULL), 0);
    assert_int_equal(ddn_model_file_find(&often.file, DDN_LEMMA_WEIGHTS, &b, NULL), 0);
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
    forget(&once);
    forget(&often);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_forms_have_the_lemma_that_they_had_most),
        cmocka_unit_test(rules_need_two_forms),
        cmocka_unit_test(what_is_added_needs_five_forms),
        cmocka_unit_test(what_is_only_added_needs_a_known_place),
        cmocka_unit_test(other_forms_lemmas_are_not_learnt),
        cmocka_unit_test(forms_are_learnt_from_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
