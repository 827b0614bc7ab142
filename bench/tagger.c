/* SPDX-License-Identifier: MIT */
/* tagger.c - how well and how fast tags and lemmas are found, on gold tokens.
 *
 *     build/bench/tagger [--test] TREEBANK...
 *
 * A treebank is a folder with train.conllu and dev.conllu (with --test, test.conllu).  Trains a
 * tagger and a lemmatizer and prints per cent of words with the right UPOS, XPOS, FEATS, all three,
 * and LEMMA, as the scorer of the shared task has them (of FEATS it counts those that are
 * universal); megabytes of the model; seconds of training; and microseconds that a word takes. */
#include "core/array.h"
#include "eval/evaluate.h"
#include "io/conll.h"
#include "lib/bench.h"
#include "pipeline/annotate.h"
#include "train/lemmatizer_train.h"
#include "train/tagger_train.h"
#include "train/train.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int next(void *reader, ddn_sentence *s, dodona_error *err)
{
    return ddn_conll_next(reader, s, err);
}

static void load(const char *folder, const char *name, ddn_treebank *into)
{
    char path[4096];
    dodona_error err;
    ddn_input *in;
    ddn_conll_reader *reader;
    snprintf(path, sizeof path, "%s/%s.conllu", folder, name);
    ddn_treebank_init(into);
    if (ddn_input_open(&in, path, &err) < 0 ||
        ddn_conll_open(&reader, in, DODONA_CONLLU, DODONA_CHECK_FORM, false, &err) < 0)
        bench_stop(&err);
    if (ddn_treebank_read(into, next, reader, &err) < 0)
        bench_stop(&err);
    ddn_conll_close(reader);
}

typedef struct sentences {
    const ddn_treebank *bank;
    size_t next;
} sentences;

static int give(void *ctx, const ddn_sentence **s, dodona_error *err)
{
    sentences *from = ctx;
    (void)err;
    if (from->next == from->bank->count)
        return 0;
    *s = &from->bank->sentence[from->next++];
    return 1;
}

static void measure(ddn_annotator *a, const char *folder, const char *part, double *micro,
                    ddn_evaluation *e)
{
    ddn_eval_settings settings = { 0 };
    dodona_error err;
    ddn_treebank gold, found;
    load(folder, part, &gold);
    load(folder, part, &found);
    *micro = 1e9;
    for (int round = 0; round < 5; round++) {
        double start = bench_seconds();
        for (size_t k = 0; k < found.count; k++)
            if (ddn_annotate(a, &found.sentence[k], true, &err) < 0)
                bench_stop(&err);
        double took = (bench_seconds() - start) / (double)found.words * 1e6;
        *micro = took < *micro ? took : *micro;
    }
    sentences g = { &gold, 0 }, f = { &found, 0 };
    ddn_eval_source from = { give, &g, "gold" }, to = { give, &f, "found" };
    if (ddn_evaluate(e, &settings, &from, &to, 1, &err) < 0)
        bench_stop(&err);
    ddn_treebank_fini(&gold);
    ddn_treebank_fini(&found);
}

static void train(const char *folder, ddn_sections *out)
{
    dodona_error err;
    ddn_treebank bank;
    load(folder, "train", &bank);
    const ddn_sentence **all = bench_need(calloc(bank.count, sizeof *all));
    for (size_t k = 0; k < bank.count; k++)
        all[k] = &bank.sentence[k];
    ddn_tagger_options t = ddn_tagger_defaults(1);
    ddn_lemmatizer_options l = ddn_lemmatizer_defaults(1);
    if (ddn_tagger_train(&t, all, bank.count, out, &err) < 0 ||
        ddn_lemmatizer_train(&l, all, bank.count, out, &err) < 0)
        bench_stop(&err);
    free(all);
    ddn_treebank_fini(&bank);
}

static void row(const char *folder, const char *part)
{
    dodona_error err;
    static ddn_sections sections;
    ddn_model_file file;
    ddn_tagger tagger;
    ddn_lemmatizer lemmatizer;
    ddn_annotator a;
    ddn_evaluation e;
    double micro, start = bench_seconds(), bytes = 0;
    ddn_sections_init(&sections);
    train(folder, &sections);
    double took = bench_seconds() - start;
    ddn_sections_view(&sections, "the tagger", &file);
    for (int i = 0; i < file.sections; i++)
        bytes += (double)file.section[i].size;
    if (ddn_tagger_open(&tagger, &file, &err) < 0 ||
        ddn_lemmatizer_open(&lemmatizer, &file, &err) < 0 ||
        ddn_annotator_init(&a, &tagger, &lemmatizer, &err) < 0)
        bench_stop(&err);
    measure(&a, folder, part, &micro, &e);
    const char *slash = strrchr(folder, '/');
    printf("%-14s", slash ? slash + 1 : folder);
    for (int k = DDN_UPOS_SCORE; k <= DDN_LEMMAS; k++)
        printf(" %7.2f", 100 * ddn_f1(&e.result[0].metric[k]));
    printf(" %6.2f %8.1f %9.2f\n", bytes / 1e6, took, micro);
    fflush(stdout);
    ddn_evaluation_fini(&e);
    ddn_annotator_fini(&a);
    ddn_tagger_close(&tagger);
    ddn_lemmatizer_close(&lemmatizer);
    ddn_sections_fini(&sections);
}

int main(int argc, char **argv)
{
    bool test = argc > 1 && strcmp(argv[1], "--test") == 0;
    if (argc < 2 + test) {
        fputs("usage: tagger [--test] TREEBANK...\n", stderr);
        return 2;
    }
    printf("%-14s    UPOS    XPOS  UFeats AllTags  Lemmas     MB  seconds   us/word\n",
           test ? "test" : "dev");
    for (int i = 1 + test; i < argc; i++)
        row(argv[i], test ? "test" : "dev");
    return 0;
}
