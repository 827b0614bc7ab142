/* SPDX-License-Identifier: MIT */
/* lemmas.c - how well are lemmas found, above all those of forms that training did not have?
 *
 *     build/bench/lemmas [--dev] FOLDER [TREEBANK...]
 *
 * FOLDER/TREEBANK/{train,dev,test}.conllu are treebanks of Universal Dependencies, all of FOLDER
 * where none is named.  A lemmatizer is learnt from train (from dev where there is none) and
 * measured on test (on dev with --dev, or where there is no test), with the tags of the treebank.
 * Prints per cent of words with the right lemma: of all words, and of those whose form, in lower
 * case, training did not have; among these, how many per thousand are wrong and have a character
 * that the form does not have, in any casing; kilobytes of the lemmatizer. */
#include "core/intern.h"
#include "io/conll.h"
#include "lib/bench.h"
#include "train/lemmatizer_train.h"
#include "train/train.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utf8proc.h>

typedef struct counts {
    int64_t words, right, unseen, unseen_right, foreign;
} counts;

static void check(int status, const dodona_error *err)
{
    if (status < 0)
        bench_stop(err);
}

static int next(void *reader, ddn_sentence *s, dodona_error *err)
{
    return ddn_conll_next(reader, s, err);
}

static void load(const char *path, ddn_treebank *into)
{
    dodona_error err;
    ddn_input *in;
    ddn_conll_reader *reader;
    ddn_treebank_init(into);
    check(ddn_input_open(&in, path, &err), &err);
    check(ddn_conll_open(&reader, in, DODONA_CONLLU, DODONA_CHECK_FORM, false, &err), &err);
    check(ddn_treebank_read(into, next, reader, &err), &err);
    ddn_conll_close(reader);
}

/* The first of the named parts that is there; NULL: none. */
static const char *part(char *path, size_t size, const char *folder, const char *treebank,
                        const char *first, const char *second)
{
    snprintf(path, size, "%s/%s/%s.conllu", folder, treebank, first);
    if (access(path, R_OK) == 0)
        return path;
    snprintf(path, size, "%s/%s/%s.conllu", folder, treebank, second);
    return access(path, R_OK) == 0 ? path : NULL;
}

static double train(const ddn_treebank *bank, ddn_sections *out)
{
    dodona_error err;
    double bytes = 0;
    ddn_lemmatizer_options o = ddn_lemmatizer_defaults(1);
    const ddn_sentence **all = bench_need(calloc(bank->count + 1, sizeof *all));
    for (size_t k = 0; k < bank->count; k++)
        all[k] = &bank->sentence[k];
    ddn_sections_init(out);
    check(ddn_lemmatizer_train(&o, all, bank->count, out, &err), &err);
    free(all);
    for (int i = 0; i < out->count; i++)
        bytes += (double)out->made[i].bytes.size;
    return bytes / 1000;
}

static dodona_text lower(dodona_text form, char *buffer, size_t size)
{
    if (2 * form.size + 4 > size)
        return form;
    return (dodona_text){ buffer, ddn_lower(form.data, form.size, buffer) };
}

static void see_forms(const ddn_treebank *bank, ddn_intern *forms)
{
    char buffer[4096];
    uint32_t id;
    for (size_t k = 0; k < bank->count; k++)
        for (int32_t i = 1; i <= bank->sentence[k].n; i++) {
            dodona_text t =
                lower(ddn_sentence_column(&bank->sentence[k], i, DDN_FORM), buffer, sizeof buffer);
            if (!ddn_intern_add(forms, t.data, t.size, &id))
                bench_need(NULL);
        }
}

static bool has_character(dodona_text t, utf8proc_int32_t wanted)
{
    for (size_t at = 0; at < t.size;) {
        utf8proc_int32_t c;
        at += (size_t)utf8proc_iterate((const utf8proc_uint8_t *)t.data + at,
                                       (utf8proc_ssize_t)(t.size - at), &c);
        if (utf8proc_tolower(c) == utf8proc_tolower(wanted))
            return true;
    }
    return false;
}

static bool is_foreign(dodona_text form, dodona_text lemma)
{
    for (size_t at = 0; at < lemma.size;) {
        utf8proc_int32_t c;
        at += (size_t)utf8proc_iterate((const utf8proc_uint8_t *)lemma.data + at,
                                       (utf8proc_ssize_t)(lemma.size - at), &c);
        if (!has_character(form, c))
            return true;
    }
    return false;
}

static void measure_word(ddn_lemmatizing *w, const ddn_sentence *s, int32_t i, const ddn_word *word,
                         const ddn_intern *seen, counts *c)
{
    dodona_error err;
    char buffer[4096];
    dodona_text found, form = ddn_sentence_column(s, i, DDN_FORM);
    check(ddn_lemmatizing_run(w, s, i, word, &found, &err), &err);
    dodona_text t = lower(form, buffer, sizeof buffer);
    bool right = ddn_text_equal(found, ddn_sentence_column(s, i, DDN_LEMMA));
    bool unseen = ddn_intern_find(seen, t.data, t.size) == DDN_INTERN_NONE;
    c->words++;
    c->right += right;
    c->unseen += unseen;
    c->unseen_right += unseen && right;
    c->foreign += unseen && !right && is_foreign(form, found);
}

static counts measure(const ddn_lemmatizer *l, const ddn_treebank *bank, const ddn_intern *seen)
{
    dodona_error err;
    ddn_lemmatizing w;
    ddn_words words;
    counts c = { 0 };
    ddn_words_init(&words);
    check(ddn_lemmatizing_init(&w, l, &err), &err);
    for (size_t k = 0; k < bank->count; k++) {
        check(ddn_words_read(&words, &bank->sentence[k], &err), &err);
        for (int32_t i = 1; i <= bank->sentence[k].n; i++)
            measure_word(&w, &bank->sentence[k], i, &words.word[i], seen, &c);
    }
    ddn_lemmatizing_fini(&w);
    ddn_words_fini(&words);
    return c;
}

static void row(const char *folder, const char *treebank, bool dev)
{
    static ddn_sections sections;
    dodona_error err;
    char from[4096], on[4096];
    ddn_treebank learnt, measured;
    ddn_model_file file;
    ddn_lemmatizer l;
    ddn_intern seen;
    if (!part(from, sizeof from, folder, treebank, "train", "dev") ||
        !part(on, sizeof on, folder, treebank, dev ? "dev" : "test", "dev") ||
        strcmp(from, on) == 0)
        return;
    load(from, &learnt);
    load(on, &measured);
    double kb = train(&learnt, &sections);
    ddn_sections_view(&sections, "the lemmatizer", &file);
    check(ddn_lemmatizer_open(&l, &file, &err), &err);
    ddn_intern_init(&seen);
    see_forms(&learnt, &seen);
    counts c = measure(&l, &measured, &seen);
    printf("%-14s %7lld %7.2f %7lld %7.2f %9.2f %6.0f\n", treebank, (long long)c.words,
           100.0 * (double)c.right / (double)c.words, (long long)c.unseen,
           100.0 * (double)c.unseen_right / (double)c.unseen,
           1000.0 * (double)c.foreign / (double)c.unseen, kb);
    fflush(stdout);
    ddn_intern_fini(&seen);
    ddn_lemmatizer_close(&l);
    ddn_sections_fini(&sections);
    ddn_treebank_fini(&learnt);
    ddn_treebank_fini(&measured);
}

int main(int argc, char **argv)
{
    int at = 1;
    bool dev = argc > at && strcmp(argv[at], "--dev") == 0;
    at += dev;
    if (argc <= at) {
        fputs("usage: lemmas [--dev] FOLDER [TREEBANK...]\n", stderr);
        return 2;
    }
    const char *folder = argv[at++];
    puts("treebank         words    right  unseen   right   foreign     kB");
    for (int i = at; i < argc; i++)
        row(folder, argv[i], dev);
    if (at < argc)
        return 0;
    struct dirent **entry;
    int n = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        if (entry[i]->d_name[0] != '.')
            row(folder, entry[i]->d_name, dev);
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
    return n < 0;
}
