/* SPDX-License-Identifier: MIT */
/* net_trial.c - how well the layers of src/net learn: encoder, arcs and labels on a treebank, from
 * gold tags, trees by mst.
 *
 *     build/bench/net_trial TREEBANK [NAME=NUMBER...]
 *
 * hidden (192), layers (4), epochs (100), batch (1000 words), dropout (0.25), averaging (0), seed
 * (1), threads (2).  Prints the loss as it falls, then LAS and UAS on dev and test, with weights in
 * floats and in 8 bits, and words a second that the network does of each. */
#include "io/conll.h"
#include "lib/bench.h"
#include "lib/biaffine.h"
#include "train/train.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int next(void *reader, ddn_sentence *s, dodona_error *err)
{
    return ddn_conll_next(reader, s, err);
}

typedef struct part {
    ddn_treebank bank;
    const ddn_sentence **sentence;
} part;

static part load(const char *folder, const char *name)
{
    char path[4096];
    dodona_error err;
    ddn_input *in;
    ddn_conll_reader *reader;
    part p;
    snprintf(path, sizeof path, "%s/%s.conllu", folder, name);
    ddn_treebank_init(&p.bank);
    if (ddn_input_open(&in, path, &err) < 0 ||
        ddn_conll_open(&reader, in, DODONA_CONLLU, DODONA_CHECK_FORM, false, &err) < 0 ||
        ddn_treebank_read(&p.bank, next, reader, &err) < 0)
        bench_stop(&err);
    ddn_conll_close(reader);
    p.sentence = bench_need(calloc(p.bank.count + 1, sizeof *p.sentence));
    for (size_t k = 0; k < p.bank.count; k++)
        p.sentence[k] = &p.bank.sentence[k];
    return p;
}

static void part_free(part *p)
{
    free(p->sentence);
    ddn_treebank_fini(&p->bank);
}

static void measure(biaffine *b, const char *folder, const char *name)
{
    part p = load(folder, name);
    for (int int8 = 0; int8 < 2; int8++) {
        biaffine_score s;
        dodona_error err;
        if (biaffine_measure(b, p.sentence, p.bank.count, int8, &s, &err) < 0)
            bench_stop(&err);
        printf("%-4s %-6s LAS %6.2f  UAS %6.2f  %8.0f words a second\n", name,
               int8 ? "8 bits" : "floats", 100.0 * (double)s.labelled / (double)s.words,
               100.0 * (double)s.heads / (double)s.words, (double)s.words / s.seconds);
    }
    part_free(&p);
}

static bool set(biaffine_options *o, const char *argument)
{
    const char *is = strchr(argument, '=');
    double x = is ? atof(is + 1) : 0;
    size_t n = is ? (size_t)(is - argument) : 0;
    if (n == 6 && strncmp(argument, "hidden", n) == 0)
        o->hidden = (size_t)x;
    else if (n == 6 && strncmp(argument, "layers", n) == 0)
        o->layers = (size_t)x;
    else if (n == 6 && strncmp(argument, "epochs", n) == 0)
        o->epochs = (uint64_t)x;
    else if (n == 5 && strncmp(argument, "batch", n) == 0)
        o->batch = (size_t)x;
    else if (n == 7 && strncmp(argument, "dropout", n) == 0)
        o->dropout = (float)x;
    else if (n == 9 && strncmp(argument, "averaging", n) == 0)
        o->averaging = x;
    else if (n == 4 && strncmp(argument, "seed", n) == 0)
        o->seed = (uint64_t)x;
    else if (n == 7 && strncmp(argument, "threads", n) == 0)
        o->threads = (int)x;
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    biaffine_options o = { .hidden = 192,
                           .layers = 4,
                           .dropout = 0.25f,
                           .seed = 1,
                           .epochs = 100,
                           .batch = 1000,
                           .threads = 2 };
    bool good = argc > 1;
    for (int i = 2; i < argc; i++)
        good = good && set(&o, argv[i]);
    if (!good) {
        fputs("usage: net_trial TREEBANK [NAME=NUMBER...]\n", stderr);
        return 2;
    }
    dodona_error err;
    biaffine b;
    part train = load(argv[1], "train");
    if (biaffine_init(&b, &o, train.sentence, train.bank.count, &err) < 0)
        bench_stop(&err);
    printf("%s: %zu sentences, %zu words, %zu parameters\n", argv[1], train.bank.count,
           b.train.words - b.train.sentences, b.params.size);
    double begin = bench_clock(), used = bench_seconds();
    for (uint64_t e = 1; e <= o.epochs; e++) {
        double loss;
        if (biaffine_epoch(&b, e, &loss, &err) < 0)
            bench_stop(&err);
        if (e * 10 / o.epochs != (e - 1) * 10 / o.epochs || e == 1)
            printf("epoch %4d  loss %.4f  %6.0f s\n", (int)e, loss, bench_clock() - begin);
        fflush(stdout);
    }
    double words = (double)o.epochs * (double)(b.train.words - b.train.sentences);
    printf("%.0f words a second of the clock, %.0f of a processor\n",
           words / (bench_clock() - begin), words / (bench_seconds() - used));
    if (biaffine_finish(&b, &err) < 0)
        bench_stop(&err);
    measure(&b, argv[1], "dev");
    measure(&b, argv[1], "test");
    biaffine_fini(&b);
    part_free(&train);
    return 0;
}
