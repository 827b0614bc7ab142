/* SPDX-License-Identifier: MIT */
/* No lemma is invented, on all text of the treebanks and on random forms: it is one that training
 * had for that form and UPOS, or a part of the form, in some casing, with something around it that
 * training added to five forms.  What was added is found here by its definition, in lower case:
 * what stands around the longest common part of form and lemma. */
#include "lib/check.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "lib/tokenizing.h"
#include "train/lemmatizer_train.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 200 }; /* bytes; longer forms are not looked at */

typedef struct known {
    ddn_intern lemmas; /* form in lower case, UPOS and lemma */
    ddn_intern added;  /* what was added before and behind */
    ddn_intern pairs;  /* the same with a form */
    uint32_t *forms;   /* [added.count] */
} known;

static size_t lowered(dodona_text t, char *out)
{
    size_t size = ddn_lower(t.data, t.size, out);
    out[size] = '\0';
    return size;
}

/* The longest part of form that stands in lemma, the first one; where it begins in lemma. */
static size_t longest(const char *form, const char *lemma, size_t *at)
{
    size_t n = strlen(form);
    char part[2 * LONG + 8];
    for (size_t size = n; size > 0; size--)
        for (size_t i = 0; i + size <= n; i++) {
            const char *found;
            memcpy(part, form + i, size);
            part[size] = '\0';
            /* whole characters only */
            if (((unsigned char)form[i] & 0xc0) == 0x80 ||
                ((unsigned char)form[i + size] & 0xc0) == 0x80)
                continue;
            if ((found = strstr(lemma, part))) {
                *at = (size_t)(found - lemma);
                return size;
            }
        }
    *at = 0;
    return 0;
}

static uint32_t intern(ddn_intern *t, const char *format, const char *a, const char *b,
                       const char *c)
{
    char text[8 * LONG];
    uint32_t id;
    int size = snprintf(text, sizeof text, format, a, b, c);
    assert_true(ddn_intern_add(t, text, (size_t)size, &id));
    return id;
}

static bool has(const ddn_intern *t, const char *format, const char *a, const char *b,
                const char *c)
{
    char text[8 * LONG];
    int size = snprintf(text, sizeof text, format, a, b, c);
    return ddn_intern_find(t, text, (size_t)size) != DDN_INTERN_NONE;
}

static void learn_word(known *k, const ddn_sentence *s, int32_t i)
{
    char form[2 * LONG + 8], lemma[2 * LONG + 8], exact[LONG + 1], upos[LONG + 1], before[LONG * 3];
    size_t at, size;
    dodona_text f = ddn_sentence_column(s, i, DDN_FORM), l = ddn_sentence_column(s, i, DDN_LEMMA);
    dodona_text u = ddn_sentence_column(s, i, DDN_UPOS);
    if (f.size > LONG || l.size > LONG || u.size > LONG)
        return;
    lowered(f, form);
    lowered(l, lemma);
    snprintf(exact, sizeof exact, "%.*s", (int)l.size, l.data);
    snprintf(upos, sizeof upos, "%.*s", (int)u.size, u.data);
    intern(&k->lemmas, "%s\t%s\t%s", form, upos, exact);
    size = longest(form, lemma, &at);
    snprintf(before, sizeof before, "%.*s", (int)at, lemma);
    uint32_t was = k->added.count,
             id = intern(&k->added, "%s\t%s%s", before, lemma + at + size, "");
    if (k->added.count > was) {
        k->forms = realloc(k->forms, k->added.count * sizeof *k->forms);
        assert_non_null(k->forms);
        k->forms[id] = 0;
    }
    was = k->pairs.count;
    char text[8 * LONG];
    snprintf(text, sizeof text, "%s\t%s", before, lemma + at + size);
    intern(&k->pairs, "%s\t%s%s", text, form, "");
    k->forms[id] += k->pairs.count - was;
}

/* Whether the lemma is something that was added to five forms around a part of the form. */
static bool is_made(const known *k, const char *form, const char *lemma)
{
    size_t n = strlen(lemma);
    for (size_t from = 0; from <= n; from++)
        for (size_t to = n; to + 1 > from; to--) {
            char part[2 * LONG + 8], text[8 * LONG];
            memcpy(part, lemma + from, to - from);
            part[to - from] = '\0';
            if (!strstr(form, part))
                continue;
            int size = snprintf(text, sizeof text, "%.*s\t%s", (int)from, lemma, lemma + to);
            uint32_t id = ddn_intern_find(&k->added, text, (size_t)size);
            if ((from == 0 && to == n) || (id != DDN_INTERN_NONE && k->forms[id] >= 5))
                return true;
        }
    return false;
}

static void check_lemma(const known *k, dodona_text f, dodona_text u, dodona_text l)
{
    char form[2 * LONG + 8], lemma[2 * LONG + 8], exact[2 * LONG + 8], upos[LONG + 1];
    if (f.size > LONG)
        return;
    assert_true(l.size <= 2 * LONG);
    lowered(f, form);
    lowered(l, lemma);
    snprintf(exact, sizeof exact, "%.*s", (int)l.size, l.data);
    snprintf(upos, sizeof upos, "%.*s", (int)u.size, u.data);
    if (strchr(lemma, '@') && !strchr(form, '@'))
        fail_msg("%s has the lemma %s", form, exact);
    if (!has(&k->lemmas, "%s\t%s\t%s", form, upos, exact) && !is_made(k, form, lemma))
        fail_msg("%s %s has the lemma %s", form, upos, exact);
}

static void check_sentence(ddn_lemmatizing *w, const known *k, const ddn_sentence *s)
{
    ddn_words words;
    dodona_text lemma;
    ddn_words_init(&words);
    assert_int_equal(ddn_words_read(&words, s, NULL), 0);
    for (int32_t i = 1; i <= s->n; i++) {
        assert_int_equal(ddn_lemmatizing_run(w, s, i, &words.word[i], &lemma, NULL), 0);
        check_lemma(k, ddn_sentence_column(s, i, DDN_FORM), ddn_sentence_column(s, i, DDN_UPOS),
                    lemma);
    }
    ddn_words_fini(&words);
}

/* A form that may be anything, often with the beginning or the end of one of the treebank. */
static size_t random_form(ddn_rng *r, const ddn_treebank *t, char *to)
{
    static const char *const any[] = { "a", "e", "k", "Z", "0", "7", ".", "-", "'", "é", "ж", "@" };
    size_t size = 0;
    for (int part = 0; part < 3; part++) {
        const ddn_sentence *s = &t->sentence[ddn_rng_below(r, t->count)];
        dodona_text f =
            ddn_sentence_column(s, 1 + (int32_t)ddn_rng_below(r, (uint64_t)s->n), DDN_FORM);
        const char *letter = any[ddn_rng_below(r, sizeof any / sizeof *any)];
        size_t from = part == 2 ? ddn_rng_below(r, f.size) : 0;
        size_t until = part == 0 ? from + ddn_rng_below(r, f.size - from) + 1 : f.size;
        while (from < f.size && ((unsigned char)f.data[from] & 0xc0) == 0x80)
            from++;
        while (until < f.size && ((unsigned char)f.data[until] & 0xc0) == 0x80)
            until++;
        if (part == 1 || ddn_rng_below(r, 2))
            f = (dodona_text){ letter, strlen(letter) }, from = 0, until = f.size;
        if (until - from > 40)
            continue;
        memcpy(to + size, f.data + from, until - from);
        size += until - from;
    }
    return size;
}

static void check_random(ddn_lemmatizing *w, const known *k, const ddn_treebank *t)
{
    ddn_rng r;
    ddn_rng_init(&r, 7);
    for (int round = 0; round < 20000; round++) {
        char form[200];
        ddn_sentence s;
        const ddn_sentence *from = &t->sentence[ddn_rng_below(&r, t->count)];
        int32_t i = 1 + (int32_t)ddn_rng_below(&r, (uint64_t)from->n);
        size_t size = random_form(&r, t, form);
        if (memchr(form, ' ', size))
            continue;
        dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = { form, size },
                                         [DDN_UPOS] = ddn_sentence_column(from, i, DDN_UPOS),
                                         [DDN_XPOS] = ddn_sentence_column(from, i, DDN_XPOS),
                                         [DDN_FEATS] = ddn_sentence_column(from, i, DDN_FEATS) };
        ddn_sentence_init(&s);
        assert_int_equal(ddn_sentence_word(&s, col, NULL), 0);
        check_sentence(w, k, &s);
        ddn_sentence_fini(&s);
    }
}

static void check_all(ddn_lemmatizing *w, const known *k, const ddn_treebank *t)
{
    for (size_t n = 0; n < t->count; n++)
        check_sentence(w, k, &t->sentence[n]);
}

static void check_treebank(const ddn_treebank *train, const ddn_treebank *dev,
                           const ddn_treebank *test)
{
    static ddn_sections sections;
    known k = { 0 };
    ddn_model_file file;
    ddn_lemmatizer l;
    ddn_lemmatizing w;
    ddn_lemmatizer_options o = ddn_lemmatizer_defaults(1);
    const ddn_sentence **all = malloc((train->count + 1) * sizeof *all);
    assert_non_null(all);
    o.iterations = 3;
    ddn_intern_init(&k.lemmas);
    ddn_intern_init(&k.added);
    ddn_intern_init(&k.pairs);
    for (size_t n = 0; n < train->count; n++) {
        all[n] = &train->sentence[n];
        for (int32_t i = 1; i <= all[n]->n; i++)
            learn_word(&k, all[n], i);
    }
    ddn_sections_init(&sections);
    assert_int_equal(ddn_lemmatizer_train(&o, all, train->count, &sections, NULL), 0);
    ddn_sections_view(&sections, "lemmatizer", &file);
    assert_int_equal(ddn_lemmatizer_open(&l, &file, NULL), 0);
    assert_int_equal(ddn_lemmatizing_init(&w, &l, NULL), 0);
    check_all(&w, &k, train);
    check_all(&w, &k, dev);
    check_all(&w, &k, test);
    check_random(&w, &k, train);
    ddn_lemmatizing_fini(&w);
    ddn_lemmatizer_close(&l);
    ddn_sections_fini(&sections);
    ddn_intern_fini(&k.lemmas);
    ddn_intern_fini(&k.added);
    ddn_intern_fini(&k.pairs);
    free(k.forms);
    free(all);
}

/* Empty where there is no such part. */
static void read_part(ddn_treebank *t, const char *treebank, const char *part)
{
    char name[600];
    size_t size;
    snprintf(name, sizeof name, "%s/%s.conllu", treebank, part);
    const char *path = test_treebank(name);
    ddn_treebank_init(t);
    if (!path)
        return;
    char *data = test_slurp(path, &size);
    test_treebank_read(t, data, size);
    free(data);
}

static void no_lemma_is_invented(void **state)
{
    (void)state;
    const char *folder = test_treebank("");
    DIR *dir = folder ? opendir(folder) : NULL;
    if (!dir) {
        print_message("skipped: there are no treebanks in ../shared/treebanks\n");
        skip();
    }
    for (struct dirent *e; (e = readdir(dir));) {
        ddn_treebank train, dev, test;
        if (e->d_name[0] == '.')
            continue;
        read_part(&train, e->d_name, "train");
        read_part(&dev, e->d_name, "dev");
        read_part(&test, e->d_name, "test");
        if (train.count)
            check_treebank(&train, &dev, &test);
        ddn_treebank_fini(&train);
        ddn_treebank_fini(&dev);
        ddn_treebank_fini(&test);
    }
    closedir(dir);
}

/* The same on generated sentences, which are always there. */
static void no_lemma_is_invented_of_generated_forms(void **state)
{
    (void)state;
    ddn_treebank train, dev, test;
    test_treebank_generated(&train, 1, 2000);
    test_treebank_generated(&dev, 2, 500);
    test_treebank_generated(&test, 3, 500);
    check_treebank(&train, &dev, &test);
    ddn_treebank_fini(&train);
    ddn_treebank_fini(&dev);
    ddn_treebank_fini(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_lemma_is_invented_of_generated_forms),
        cmocka_unit_test(no_lemma_is_invented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
