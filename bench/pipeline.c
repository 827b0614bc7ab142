/* SPDX-License-Identifier: MIT */
/* pipeline.c - how well, and how fast, does a trained tokenizer find tokens, words and sentences?
 *
 *     build/bench/pipeline FOLDER [--iterations N] [--seed N] [--part dev|test] [--wrap N]
 *                          [--endless MB] [TREEBANK...]
 *
 * FOLDER/TREEBANK/{train,dev,test}.conllu are treebanks of Universal Dependencies.  A tokenizer is
 * learnt from train (from dev where there is none) with the defaults.  The raw text of test is
 * rebuilt from it by SpaceAfter, paragraphs and documents separated by a blank line, or, with a
 * prime behind the name, by a line end:
 *
 *     paragraphs       the sentences of a paragraph in one line, as in the CoNLL 2018 shared task
 *     wrapped          in lines of at most 80 characters, or what --wrap says
 *     ragged           the same with lines that are up to a twelfth shorter or longer
 *     broken           one of twelve spaces is a line end
 *     sentence lines   a sentence a line
 *
 * What the tokenizer makes of these texts is scored by the rules of the shared task, F1 in percent;
 * "short" is that of sentences when each document, or ten sentences of it, is a text by itself.
 * UDPipe 1 publishes sentences 77.4 and words 98.9 for EWT of UD 2.5.  Times are processor time on
 * one core; the rate, best of three, is from bytes in memory to sentences in memory.
 *
 * With --endless, so many megabytes of the same characters again and again are read, with no line
 * end in them, and the growth of the memory in use is shown. */
#include "lib/bench.h"

#include "eval/ud_score.h"
#include "io/conll.h"
#include "pipeline/text_read.h"
#include "train/raw_text.h"
#include "train/tokenizer_train.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const treebanks[] = { "en_ewt",       "fr_sequoia", "it_partut",
                                         "el_gdt",       "tr_imst",    "hu_szeged",
                                         "af_afribooms", "de_gsd",     "ja_gsd" };

enum { SHORT = 10 }; /* sentences in a short text */

static void check(int status, const dodona_error *err)
{
    if (status < 0)
        bench_stop(err);
}

static int next_conll(void *reader, ddn_sentence *s, dodona_error *err)
{
    return ddn_conll_next(reader, s, err);
}

static void load(ddn_treebank *t, const char *path)
{
    dodona_error err;
    ddn_input *in;
    ddn_conll_reader *r;
    ddn_treebank_init(t);
    check(ddn_input_open(&in, path, &err), &err);
    check(ddn_conll_open(&r, in, DODONA_CONLLU, DODONA_CHECK_FORM, false, &err), &err);
    check(ddn_treebank_read(t, next_conll, r, &err), &err);
    ddn_conll_close(r);
}

/* A tokenizer as it would stand in a model file. */
typedef struct frozen {
    ddn_sections sections;
    ddn_model_file file;
    ddn_tokenizer tokenizer;
} frozen;

static void freeze(frozen *f)
{
    dodona_error err;
    ddn_sections_view(&f->sections, "tokenizer", &f->file);
    check(ddn_tokenizer_open(&f->tokenizer, &f->file, &err), &err);
}

static double megabytes(const frozen *f)
{
    double bytes = 0;
    for (int i = 0; i < f->file.sections; i++)
        bytes += (double)f->file.section[i].size;
    return bytes / 1e6;
}

static ddn_text_reader *read_text(const frozen *f, bench_memory *m)
{
    dodona_error err;
    ddn_input *in;
    ddn_text_reader *r;
    m->at = 0;
    check(ddn_input_callback(&in, bench_read, m, "text", &err), &err);
    check(ddn_text_open(&r, &f->tokenizer, in, &err), &err);
    return r;
}

static double words_a_second(const frozen *f, bench_memory *m)
{
    dodona_error err;
    ddn_sentence s;
    double best = 0;
    ddn_sentence_init(&s);
    for (int i = 0; i < 3; i++) {
        ddn_text_reader *r = read_text(f, m);
        double start = bench_seconds();
        int64_t words = 0;
        int status;
        while ((status = ddn_text_next(r, &s, &err)) > 0)
            words += s.n;
        check(status, &err);
        double rate = (double)words / (bench_seconds() - start);
        best = rate > best ? rate : best;
        ddn_text_close(r);
    }
    ddn_sentence_fini(&s);
    return best;
}

/* The sentences of a treebank, and those of a text with heads made up, since scoring wants trees.
 */
typedef struct source {
    const ddn_treebank *treebank;
    size_t at;
    ddn_text_reader *text;
    ddn_sentence s;
} source;

static int lend_gold(void *ctx, const ddn_sentence **s, dodona_error *err)
{
    (void)err;
    source *from = ctx;
    if (from->at == from->treebank->count)
        return 0;
    *s = &from->treebank->sentence[from->at++];
    return 1;
}

static int lend_system(void *ctx, const ddn_sentence **s, dodona_error *err)
{
    source *from = ctx;
    int status = ddn_text_next(from->text, &from->s, err);
    for (int32_t i = 1; status > 0 && i <= from->s.n; i++)
        from->s.head[i] = i > 1;
    *s = &from->s;
    return status;
}

static void score(const ddn_treebank *gold, const frozen *f, bench_memory *m,
                  ddn_count count[DDN_METRICS])
{
    dodona_error err;
    ddn_eval_names names;
    ddn_corpus a, b;
    ddn_alignment alignment;
    source g = { .treebank = gold }, s = { .text = read_text(f, m) };
    ddn_sentence_init(&s.s);
    check(ddn_eval_names_init(&names, &err), &err);
    check(ddn_corpus_read(&a, &names, &(ddn_eval_source){ lend_gold, &g, "gold" }, &err), &err);
    check(ddn_corpus_read(&b, &names, &(ddn_eval_source){ lend_system, &s, "text" }, &err), &err);
    check(ddn_corpus_same_text(&a, &b, &err), &err);
    check(ddn_align(&alignment, &a, &b, &err), &err);
    ddn_ud_score(&alignment, &names, false, count);
    ddn_alignment_fini(&alignment);
    ddn_corpus_fini(&a);
    ddn_corpus_fini(&b);
    ddn_eval_names_fini(&names);
    ddn_text_close(s.text);
    ddn_sentence_fini(&s.s);
}

/* The same characters again and again. */
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

static void measure_endless(const frozen *f, int mb)
{
    static const char *const pieces[] = { "a", "a ", "a. ", "我", "(" };
    dodona_error err;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        endless e = { pieces[i], (size_t)mb * 1000000 / 6 * 6 };
        ddn_input *in;
        ddn_text_reader *r;
        ddn_sentence s;
        int64_t sentences = 0;
        int status;
        ddn_sentence_init(&s);
        double before = bench_resident_mb(), start = bench_seconds();
        check(ddn_input_callback(&in, read_endless, &e, "endless", &err), &err);
        check(ddn_text_open(&r, &f->tokenizer, in, &err), &err);
        for (; (status = ddn_text_next(r, &s, &err)) > 0; sentences++)
            continue;
        check(status, &err);
        printf("'%s' %d MB: %lld sentences, %.1f MB more in use, %.1f s\n", pieces[i], mb,
               (long long)sentences, bench_resident_mb() - before, bench_seconds() - start);
        ddn_text_close(r);
        ddn_sentence_fini(&s);
    }
}

static bool begins_document(const ddn_sentence *s)
{
    dodona_text line = s->rows ? ddn_sentence_span(s, s->row[0].line) : (dodona_text){ "", 0 };
    return line.size >= 8 && memcmp(line.data, "# newdoc", 8) == 0;
}

static const struct {
    const char *name;
    bool sentence_lines, blank_lines, wrapped, ragged, broken;
} layouts[] = {
    { "paragraphs", .blank_lines = true },
    { "wrapped", .blank_lines = true, .wrapped = true },
    { "ragged", .blank_lines = true, .wrapped = true, .ragged = true },
    { "broken", .blank_lines = true, .broken = true },
    { "sentence lines", .blank_lines = true, .sentence_lines = true },
    { "paragraph lines", .blank_lines = false },
    { "wrapped'", .wrapped = true },
    { "ragged'", .wrapped = true, .ragged = true },
    { "sentence lines'", .sentence_lines = true },
};

/* F1 of sentences when each document, or SHORT sentences of it, is a text by itself. */
static double score_apart(const ddn_treebank *test, const frozen *f, const ddn_text_layout *how)
{
    ddn_count all = { 0 }, count[DDN_METRICS];
    for (size_t from = 0, to; from < test->count; from = to) {
        for (to = from + 1; to < test->count && to - from < SHORT; to++)
            if (begins_document(&test->sentence[to]))
                break;
        ddn_treebank some = { .sentence = test->sentence + from, .count = to - from };
        ddn_output text;
        ddn_output_memory(&text);
        ddn_treebank_text(&some, how, &text);
        score(&some, f, &(bench_memory){ .data = text.data, .size = text.size }, count);
        all.gold += count[DDN_SENTENCES].gold;
        all.system += count[DDN_SENTENCES].system;
        all.correct += count[DDN_SENTENCES].correct;
        ddn_output_abandon(&text);
    }
    return ddn_f1(&all);
}

static void measure_layout(const ddn_treebank *test, const frozen *f, size_t layout, int width)
{
    ddn_count count[DDN_METRICS];
    ddn_rng rng;
    ddn_text_layout how = { .sentence_lines = layouts[layout].sentence_lines,
                            .blank_lines = layouts[layout].blank_lines,
                            .width = layouts[layout].wrapped ? width : 0,
                            .ragged = layouts[layout].ragged ? &rng : NULL,
                            .broken = layouts[layout].broken ? &rng : NULL };
    ddn_output text;
    ddn_rng_init(&rng, 1);
    ddn_output_memory(&text);
    ddn_treebank_text(test, &how, &text);
    bench_memory m = { .data = text.data, .size = text.size };
    double rate = words_a_second(f, &m);
    score(test, f, &m, count);
    printf("  %-16s %6.2f %9.2f %9.2f %6.2f %9.0f\n", layouts[layout].name,
           100 * ddn_f1(&count[DDN_TOKENS]), 100 * ddn_f1(&count[DDN_SENTENCES]),
           100 * score_apart(test, f, &how), 100 * ddn_f1(&count[DDN_WORDS]), rate);
    fflush(stdout);
    ddn_output_abandon(&text);
}

static void measure(const char *folder, const char *name, const char *part, int width,
                    int endless_mb, const ddn_tokenizer_options *o)
{
    dodona_error err;
    char path[4096];
    ddn_treebank train, test;
    static frozen f;
    snprintf(path, sizeof path, "%s/%s/train.conllu", folder, name);
    if (access(path, R_OK) != 0)
        snprintf(path, sizeof path, "%s/%s/dev.conllu", folder, name);
    load(&train, path);
    snprintf(path, sizeof path, "%s/%s/%s.conllu", folder, name, part);
    load(&test, path);
    double start = bench_seconds();
    ddn_sections_init(&f.sections);
    check(ddn_tokenizer_train(o, &train, &f.sections, &err), &err);
    double seconds = bench_seconds() - start;
    freeze(&f);
    printf("%s: learnt in %.1f s, %.2f MB\n", name, seconds, megabytes(&f));
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        measure_layout(&test, &f, i, width);
    if (endless_mb)
        measure_endless(&f, endless_mb);
    ddn_tokenizer_close(&f.tokenizer);
    ddn_sections_fini(&f.sections);
    ddn_treebank_fini(&train);
    ddn_treebank_fini(&test);
}

int main(int argc, char **argv)
{
    ddn_tokenizer_options o;
    const char *part = "test";
    int at = 2, width = 80, endless_mb = 0;
    ddn_tokenizer_options_init(&o);
    for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2) {
        if (strcmp(argv[at], "--iterations") == 0)
            o.iterations = atoi(argv[at + 1]);
        else if (strcmp(argv[at], "--seed") == 0)
            o.seed = (uint64_t)atoi(argv[at + 1]);
        else if (strcmp(argv[at], "--wrap") == 0)
            width = atoi(argv[at + 1]);
        else if (strcmp(argv[at], "--endless") == 0)
            endless_mb = atoi(argv[at + 1]);
        else if (strcmp(argv[at], "--part") == 0)
            part = argv[at + 1];
        else
            break;
    }
    if (argc < 2 || (at < argc && strncmp(argv[at], "--", 2) == 0)) {
        fprintf(stderr,
                "usage: %s FOLDER [--iterations N] [--seed N] [--part dev|test] [--wrap N] "
                "[--endless MB] [TREEBANK...]\n",
                argv[0]);
        return 2;
    }
    printf("  %-16s %6s %9s %9s %6s %9s\n", "", "tokens", "sentences", "short", "words", "words/s");
    for (size_t i = 0; at == argc && i < sizeof treebanks / sizeof *treebanks; i++)
        measure(argv[1], treebanks[i], part, width, endless_mb, &o);
    for (; at < argc; at++)
        measure(argv[1], argv[at], part, width, endless_mb, &o);
    return 0;
}
