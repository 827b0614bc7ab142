/* SPDX-License-Identifier: MIT */
/* accuracy.c - how well does `dodona train` do, left to its defaults?
 *
 *     build/bench/accuracy FOLDER [--size MB] [--system S] [--oracle O] [--nonprojective N]
 *                          [--search S] [--beam B] [--update U] [--iterations N] [--seeds N]
 *                          [TREEBANK...]
 *
 * FOLDER/TREEBANK/{train,dev,test}.conllu are treebanks of Universal Dependencies.  Each is learnt
 * from train, the iteration chosen on dev, and test parsed on gold tokens and tags.  Beside it
 * stand the LAS of UDPipe 1.4 with beam 5 and its recommended options, without pretrained vectors,
 * on the same data.  Times are processor time on one core; with several seeds, everything is a
 * mean. */
#include "lib/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *name;
    double udpipe;
} treebanks[] = {
    { "en_ewt", 86.25 },    { "el_gdt", 85.03 },  { "cu_proiel", 77.86 },  { "got_proiel", 74.77 },
    { "hu_szeged", 75.27 }, { "tr_imst", 56.55 }, { "fr_sequoia", 85.89 },
};

enum { TREEBANKS = sizeof treebanks / sizeof *treebanks };

typedef struct figures {
    double dev, uas, las;           /* percent */
    double train, rate;             /* seconds; tokens a second */
    double crossing, iteration, mb; /* sentences; the best; of the model file */
} figures;

static dodona_reader *open_part(const char *folder, const char *name, const char *part, char *path)
{
    dodona_error err;
    dodona_reader *r;
    snprintf(path, 4096, "%s/%s/%s.conllu", folder, name, part);
    if (dodona_reader_open(path, NULL, &r, &err) < 0)
        bench_stop(&err);
    return r;
}

static void train(const char *folder, const char *name, const dodona_train_options *o,
                  const char *model, figures *f)
{
    dodona_error err;
    dodona_train_result result;
    char train_path[4096], dev_path[4096];
    dodona_reader *t = open_part(folder, name, "train", train_path);
    dodona_reader *d = open_part(folder, name, "dev", dev_path);
    dodona_source from = { dodona_reader_pull, t, train_path };
    dodona_source dev = { dodona_reader_pull, d, dev_path };
    double start = bench_seconds();
    if (dodona_train(o, &from, &dev, model, &result, &err) < 0)
        bench_stop(&err);
    f->train += bench_seconds() - start;
    f->dev += result.las;
    f->crossing += (double)result.crossing;
    f->iteration += result.best;
    struct stat st;
    if (stat(model, &st) == 0)
        f->mb += (double)st.st_size / 1e6;
    dodona_reader_close(t);
    dodona_reader_close(d);
}

static void parse(const char *folder, const char *name, const char *model_path, const char *parsed)
{
    dodona_error err;
    dodona_model *model;
    dodona_writer *w;
    char path[4096];
    if (dodona_model_open(model_path, &model, &err) < 0)
        bench_stop(&err);
    dodona_reader *r = open_part(folder, name, "test", path);
    if (dodona_writer_open(parsed, DODONA_CONLLU, &w, &err) < 0)
        bench_stop(&err);
    if (dodona_parse_stream(model, NULL, dodona_reader_pull, r, dodona_writer_push, w, &err) < 0 ||
        dodona_writer_close(w, &err) < 0)
        bench_stop(&err);
    dodona_reader_close(r);
    dodona_model_free(model);
}

/* Tokens a second over the test file, read, parsed and written, best of three. */
static double rate(const char *folder, const char *name, const char *model, const char *parsed)
{
    dodona_error err;
    char path[4096];
    dodona_sentence *s = bench_need(dodona_sentence_new());
    dodona_reader *r = open_part(folder, name, "test", path);
    int64_t words = 0;
    while (dodona_reader_next(r, s, &err) > 0)
        words += dodona_sentence_length(s);
    dodona_reader_close(r);
    dodona_sentence_free(s);
    double best = 1e9;
    for (int i = 0; i < 3; i++) {
        double start = bench_seconds();
        parse(folder, name, model, parsed);
        double seconds = bench_seconds() - start;
        best = seconds < best ? seconds : best;
    }
    return (double)words / best;
}

static void score(const char *folder, const char *name, const char *parsed, figures *f)
{
    dodona_error err;
    dodona_scores *scores;
    dodona_metric uas, las;
    dodona_reader *system;
    char path[4096];
    dodona_reader *gold = open_part(folder, name, "test", path);
    if (dodona_reader_open(parsed, NULL, &system, &err) < 0)
        bench_stop(&err);
    dodona_source g = { dodona_reader_pull, gold, path };
    dodona_source s = { dodona_reader_pull, system, parsed };
    if (dodona_evaluate(NULL, &g, &s, NULL, &scores, &err) < 0)
        bench_stop(&err);
    dodona_scores_find(scores, 1, "UAS", &uas);
    dodona_scores_find(scores, 1, "LAS", &las);
    f->uas += uas.f1;
    f->las += las.f1;
    dodona_scores_free(scores);
    dodona_reader_close(gold);
    dodona_reader_close(system);
}

static void measure(const char *folder, const char *name, dodona_train_options *o, int seeds)
{
    char folder_of_results[] = "/tmp/dodona-bench-XXXXXX", model[64], parsed[64];
    if (!mkdtemp(folder_of_results)) {
        perror("mkdtemp");
        exit(1);
    }
    snprintf(model, sizeof model, "%s/model", folder_of_results);
    snprintf(parsed, sizeof parsed, "%s/parsed", folder_of_results);
    figures f = { 0 };
    for (int i = 1; i <= seeds; i++) {
        o->seed = (uint64_t)i;
        train(folder, name, o, model, &f);
        f.rate += rate(folder, name, model, parsed);
        score(folder, name, parsed, &f);
    }
    double n = seeds, udpipe = 0;
    for (int i = 0; i < TREEBANKS; i++)
        if (strcmp(treebanks[i].name, name) == 0)
            udpipe = treebanks[i].udpipe;
    printf("%-13s %6.2f %6.2f %6.2f", name, f.dev / n, f.uas / n, f.las / n);
    if (udpipe > 0)
        printf(" %7.2f %+6.2f", udpipe, f.las / n - udpipe);
    else
        printf(" %7s %6s", "", "");
    printf(" %7.0f %6.1f %7.1f %6.1f %10.0f\n", f.crossing / n, f.iteration / n, f.train / n,
           f.mb / n, f.rate / n);
    fflush(stdout);
    unlink(model);
    unlink(parsed);
    rmdir(folder_of_results);
}

int main(int argc, char **argv)
{
    dodona_train_options o;
    dodona_train_options_init(&o);
    int seeds = 1, at = 2;
    for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2) {
        if (strcmp(argv[at], "--size") == 0)
            o.model_mb = atof(argv[at + 1]);
        else if (strcmp(argv[at], "--system") == 0)
            o.system = argv[at + 1];
        else if (strcmp(argv[at], "--oracle") == 0)
            o.oracle = argv[at + 1];
        else if (strcmp(argv[at], "--nonprojective") == 0)
            o.nonprojective = argv[at + 1];
        else if (strcmp(argv[at], "--search") == 0)
            o.search = argv[at + 1];
        else if (strcmp(argv[at], "--beam") == 0)
            o.beam = atoi(argv[at + 1]);
        else if (strcmp(argv[at], "--update") == 0)
            o.update = argv[at + 1];
        else if (strcmp(argv[at], "--iterations") == 0)
            o.iterations = atoi(argv[at + 1]);
        else if (strcmp(argv[at], "--seeds") == 0)
            seeds = atoi(argv[at + 1]);
        else
            break;
    }
    if (argc < 2 || seeds < 1 || (at < argc && strncmp(argv[at], "--", 2) == 0)) {
        fprintf(stderr,
                "usage: %s FOLDER [--size MB] [--system S] [--oracle O] [--nonprojective N] "
                "[--search S] [--beam B] [--update U] [--iterations N] [--seeds N] "
                "[TREEBANK...]\n",
                argv[0]);
        return 2;
    }
    printf("%-13s %6s %6s %6s %7s %6s %7s %6s %7s %6s %10s\n", "", "dev", "UAS", "LAS", "UDPipe",
           "", "cross", "iter.", "train s", "MB", "tokens/s");
    for (int i = 0; at == argc && i < TREEBANKS; i++)
        measure(argv[1], treebanks[i].name, &o, seeds);
    for (; at < argc; at++)
        measure(argv[1], argv[at], &o, seeds);
    return 0;
}
