/* SPDX-License-Identifier: MIT */
/* table7.c - Table 7 of Nederhof 2019 with our parser: what do crossing trees bring, and what does
 * a second pass?
 *
 *     build/bench/table7 FOLDER [--learner L] [--seeds N] [--iterations N] [TREEBANK...]
 *
 * Arc-standard, greedy, gold tokens and tags; LAS and UAS on test, the iteration chosen on dev, the
 * mean of N (3) seeds.  The learner is the perceptron or another, as for dodona train; feed-forward
 * reads what the network of the paper does (templates/nederhof.templates).
 *     (1) one pass along gold moves, projective trees only
 *     (2) one pass, all trees made projective
 *     (3) as 1, then a second pass along the model's moves, over all trees made projective
 *     (4) as 2, then a second pass over the same trees
 *     (5) as 2, then a second pass over all trees as they are, by the cubic oracle */
#include "io/conll.h"
#include "lib/bench.h"
#include "model/builtin.h"
#include "train/measure.h"
#include "train/train.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS = 5 };

static int next(void *ctx, ddn_sentence *s, dodona_error *err)
{
    return ddn_conll_next(ctx, s, err);
}

static void load(const char *folder, const char *name, const char *part, ddn_treebank *t)
{
    dodona_error err;
    ddn_input *in;
    ddn_conll_reader *r;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/%s.conllu", folder, name, part);
    ddn_treebank_init(t);
    if (ddn_input_open(&in, path, &err) < 0 ||
        ddn_conll_open(&r, in, DODONA_CONLLU, DODONA_CHECK_ONE_ROOT, false, &err) < 0 ||
        ddn_treebank_read(t, next, r, &err) < 0)
        bench_stop(&err);
    ddn_conll_close(r);
}

static ddn_train_options column(int c, const ddn_scorer *learner, int iterations, uint64_t seed)
{
    dodona_error err;
    bool of_paper = strcmp(learner->name, "feed-forward") == 0;
    ddn_train_options o = { .learner = learner,
                            .system = ddn_system_find("arc-standard"),
                            .reach = { .projective = true },
                            .average = 1,
                            .search = "greedy",
                            .regime = DDN_TRAIN_STATIC,
                            .roots = DDN_ROOTS_ONE,
                            .iterations = iterations,
                            .seed = seed,
                            .model_bytes = 24000000,
                            .templates_name = of_paper ? "nederhof" : "arc-standard" };
    o.templates = ddn_builtin_find(o.templates_name);
    o.templates_size = strlen(o.templates);
    o.nonprojective = c == 1   ? DDN_NONPROJECTIVE_SKIP
                      : c == 5 ? DDN_NONPROJECTIVE_DIRECT
                               : DDN_NONPROJECTIVE_PROJECTIVIZE;
    o.two_pass = c >= 3;
    o.skip_in_first_pass = c == 3;
    if (ddn_oracle_find(o.system, NULL, true, &o.oracle, &err) < 0 ||
        (c == 5 && ddn_oracle_find(o.system, "cubic", true, &o.crossing_oracle, &err) < 0))
        bench_stop(&err);
    return o;
}

static void measure(const char *path, const ddn_treebank *test, double *uas, double *las)
{
    dodona_error err;
    ddn_model_file file;
    static ddn_schema schema;
    ddn_model *model;
    ddn_measured m;
    ddn_search_options one = { .roots = DDN_ROOTS_ONE };
    ddn_schema_init(&schema);
    if (ddn_model_file_open(&file, path, &err) < 0 ||
        ddn_model_open_file(&file, &schema, &model, &err) < 0 ||
        ddn_measure(model, "greedy", &one, test, NULL, NULL, &m, &err) < 0)
        bench_stop(&err);
    *uas += 100.0 * (double)m.heads / (double)test->words;
    *las += 100.0 * (double)m.labels / (double)test->words;
    ddn_model_close(model);
    ddn_schema_fini(&schema);
    ddn_model_file_close(&file);
}

static void run(const char *folder, const char *name, const ddn_scorer *learner, int seeds,
                int iterations)
{
    ddn_treebank train, dev, test;
    double uas[COLUMNS + 1] = { 0 }, las[COLUMNS + 1] = { 0 };
    char scratch[] = "/tmp/dodona-bench-XXXXXX", path[64];
    load(folder, name, "train", &train);
    load(folder, name, "dev", &dev);
    load(folder, name, "test", &test);
    if (!mkdtemp(scratch)) {
        perror("mkdtemp");
        exit(1);
    }
    snprintf(path, sizeof path, "%s/model", scratch);
    for (int c = 1; c <= COLUMNS; c++)
        for (int i = 1; i <= seeds; i++) {
            dodona_error err;
            ddn_train_result result;
            ddn_train_options o = column(c, learner, iterations, (uint64_t)i);
            if (ddn_train(&o, &train, &dev, path, &result, &err) < 0)
                bench_stop(&err);
            measure(path, &test, &uas[c], &las[c]);
        }
    printf("%-12s LAS", name);
    for (int c = 1; c <= COLUMNS; c++)
        printf(" %8.2f", las[c] / seeds);
    printf("\n%-12s UAS", "");
    for (int c = 1; c <= COLUMNS; c++)
        printf(" %8.2f", uas[c] / seeds);
    printf("\n");
    fflush(stdout);
    unlink(path);
    rmdir(scratch);
    ddn_treebank_fini(&train);
    ddn_treebank_fini(&dev);
    ddn_treebank_fini(&test);
}

int main(int argc, char **argv)
{
    static const char *const names[] = { "el_gdt", "cu_proiel", "got_proiel", "hu_szeged" };
    int seeds = 3, iterations = 15, at = 2;
    const ddn_scorer *learner = ddn_scorers[0];
    for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2) {
        dodona_error err;
        if (strcmp(argv[at], "--learner") == 0 && ddn_scorer_get(argv[at + 1], &learner, &err) < 0)
            bench_stop(&err);
        if (strcmp(argv[at], "--seeds") == 0)
            seeds = atoi(argv[at + 1]);
        else if (strcmp(argv[at], "--iterations") == 0)
            iterations = atoi(argv[at + 1]);
    }
    if (argc < 2 || seeds < 1 || iterations < 1) {
        fprintf(stderr,
                "usage: %s FOLDER [--learner L] [--seeds N] [--iterations N] "
                "[TREEBANK...]\n",
                argv[0]);
        return 2;
    }
    printf("%-16s %8s %8s %8s %8s %8s\n", "", "(1)", "(2)", "(3)", "(4)", "(5)");
    for (int i = 0; at == argc && i < 4; i++)
        run(argv[1], names[i], learner, seeds, iterations);
    for (; at < argc; at++)
        run(argv[1], argv[at], learner, seeds, iterations);
    return 0;
}
