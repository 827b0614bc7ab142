/* SPDX-License-Identifier: MIT */
#include "lib/cells.h"

#include "search/search.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Room for one more. */
static void *grow(void *p, size_t count, size_t *cap, size_t size)
{
    if (count < *cap)
        return p;
    *cap = 2 * count + 16;
    return bench_need(realloc(p, *cap * size));
}

static void add_sentence(bench_cell *c, bench_tally t)
{
    c->sentence = grow(c->sentence, c->sentences, &c->sentence_cap, sizeof *c->sentence);
    c->sentence[c->sentences++] = t;
}

/* ---- The store ---- */

/* False: not a whole line. */
static bool read_cell(const char *line, bench_cell *c)
{
    int used = 0;
    *c = (bench_cell){ 0 };
    if (sscanf(line, "%63s %31s %15s %d %d %lf %lf %lf %lf %d %lf%n", c->treebank, c->system,
               c->regime, &c->iterations, &c->seed, &c->score[BENCH_DEV_UAS],
               &c->score[BENCH_DEV_LAS], &c->score[BENCH_TEST_UAS], &c->score[BENCH_TEST_LAS],
               &c->best, &c->seconds, &used) != 11)
        return false;
    bench_tally t;
    for (line += used; sscanf(line, " %d:%d:%d%n", &t.words, &t.correct[DDN_TEST_UAS],
                              &t.correct[DDN_TEST_LAS], &used) == 3;
         line += used)
        add_sentence(c, t);
    return strcmp(line, "\n") == 0;
}

static void add_cell(bench_cells *b, const bench_cell *c)
{
    b->cell = grow(b->cell, b->cells, &b->cell_cap, sizeof *b->cell);
    b->cell[b->cells++] = *c;
}

void bench_cells_read(bench_cells *b)
{
    char *line = NULL;
    size_t cap = 0;
    bench_cell c;
    FILE *f = fopen(b->store, "r");
    while (f && getline(&line, &cap, f) > 0)
        if (read_cell(line, &c))
            add_cell(b, &c);
        else
            free(c.sentence);
    free(line);
    if (f)
        fclose(f);
}

void bench_cells_free(bench_cells *b)
{
    for (size_t i = 0; i < b->cells; i++)
        free(b->cell[i].sentence);
    free(b->cell);
}

/* One write at the end of the file.  It starts with a line end, so that a line that was cut off by
 * a crash spoils no other; empty lines are not cells. */
static void append(const bench_cells *b, const bench_cell *c)
{
    char *text;
    size_t size;
    FILE *f = bench_need(open_memstream(&text, &size));
    fprintf(f, "\n%s\t%s\t%s\t%d\t%d\t%.4f\t%.4f\t%.4f\t%.4f\t%d\t%.2f\t", c->treebank, c->system,
            c->regime, c->iterations, c->seed, c->score[BENCH_DEV_UAS], c->score[BENCH_DEV_LAS],
            c->score[BENCH_TEST_UAS], c->score[BENCH_TEST_LAS], c->best, c->seconds);
    for (size_t i = 0; i < c->sentences; i++) {
        const bench_tally *t = &c->sentence[i];
        fprintf(f, "%s%d:%d:%d", i ? " " : "", t->words, t->correct[DDN_TEST_UAS],
                t->correct[DDN_TEST_LAS]);
    }
    fprintf(f, "\n");
    int fd = open(b->store, O_WRONLY | O_APPEND | O_CREAT, 0666);
    if (fclose(f) != 0 || fd < 0 || write(fd, text, size) != (ssize_t)size || fsync(fd) != 0 ||
        close(fd) != 0) {
        perror(b->store);
        exit(1);
    }
    free(text);
}

const bench_cell *bench_cells_find(const bench_cells *b, const char *treebank,
                                   const bench_regime *regime, int seed)
{
    for (size_t i = 0; i < b->cells; i++) {
        const bench_cell *c = &b->cell[i];
        if (c->seed == seed && c->iterations == regime->iterations &&
            strcmp(c->treebank, treebank) == 0 && strcmp(c->system, regime->system) == 0 &&
            strcmp(c->regime, regime->name) == 0)
            return c;
    }
    return NULL;
}

/* ---- Running a cell ---- */

static dodona_reader *open_part(const bench_cells *b, const char *name, const char *part,
                                char *path)
{
    dodona_error err;
    dodona_reader *r;
    snprintf(path, 4096, "%s/%s/%s.conllu", b->folder, name, part);
    if (dodona_reader_open(path, NULL, &r, &err) < 0)
        bench_stop(&err);
    return r;
}

static void train(const bench_cells *b, const bench_regime *regime, const char *model,
                  bench_cell *c)
{
    dodona_error err;
    dodona_train_options o;
    dodona_train_result result;
    char train_path[4096], dev_path[4096];
    dodona_reader *t = open_part(b, c->treebank, "train", train_path);
    dodona_reader *d = open_part(b, c->treebank, "dev", dev_path);
    dodona_source from = { dodona_reader_pull, t, train_path };
    dodona_source dev = { dodona_reader_pull, d, dev_path };
    dodona_train_options_init(&o);
    o.system = c->system;
    if (ddn_search_find(regime->oracle))
        o.search = regime->oracle;
    else
        o.oracle = regime->oracle;
    if (b->templates)
        o.templates = b->templates;
    o.algorithm = regime->algorithm;
    o.nonprojective = "projectivize";
    o.iterations = c->iterations;
    o.seed = (uint64_t)c->seed;
    o.explore_after = 0;
    o.explore_rate = 1;
    double start = bench_seconds();
    if (dodona_train(&o, &from, &dev, model, &result, &err) < 0)
        bench_stop(&err);
    c->seconds = bench_seconds() - start;
    c->score[BENCH_DEV_UAS] = result.uas;
    c->score[BENCH_DEV_LAS] = result.las;
    c->best = result.best;
    dodona_reader_close(t);
    dodona_reader_close(d);
}

/* Relations are compared up to the colon, as the scorer of the shared tasks does. */
static bool same_relation(dodona_text a, dodona_text b)
{
    const char *colon_a = memchr(a.data, ':', a.size), *colon_b = memchr(b.data, ':', b.size);
    size_t size_a = colon_a ? (size_t)(colon_a - a.data) : a.size;
    size_t size_b = colon_b ? (size_t)(colon_b - b.data) : b.size;
    return size_a == size_b && memcmp(a.data, b.data, size_a) == 0;
}

static bench_tally compare(const dodona_sentence *gold, const dodona_sentence *parsed)
{
    bench_tally t = { .words = dodona_sentence_length(gold) };
    for (int i = 1; i <= t.words; i++) {
        dodona_word g, p;
        dodona_sentence_get(gold, i, &g);
        dodona_sentence_get(parsed, i, &p);
        t.correct[DDN_TEST_UAS] += g.head == p.head;
        t.correct[DDN_TEST_LAS] += g.head == p.head && same_relation(g.deprel, p.deprel);
    }
    return t;
}

static void measure(const bench_cells *b, const char *model_path, bench_cell *c)
{
    dodona_error err;
    dodona_model *model;
    dodona_workspace *ws;
    char path[4096];
    int64_t words = 0, correct[DDN_TESTS] = { 0 };
    dodona_sentence *gold = bench_need(dodona_sentence_new());
    dodona_sentence *parsed = bench_need(dodona_sentence_new());
    dodona_reader *r = open_part(b, c->treebank, "test", path);
    dodona_reader *again = open_part(b, c->treebank, "test", path);
    if (dodona_model_open(model_path, &model, &err) < 0 ||
        dodona_workspace_new(model, NULL, &ws, &err) < 0)
        bench_stop(&err);
    while (dodona_reader_next(r, gold, &err) > 0) {
        if (dodona_reader_next(again, parsed, &err) <= 0 || dodona_parse(ws, parsed, &err) < 0)
            bench_stop(&err);
        bench_tally t = compare(gold, parsed);
        add_sentence(c, t);
        words += t.words;
        for (int k = 0; k < DDN_TESTS; k++)
            correct[k] += t.correct[k];
    }
    c->score[BENCH_TEST_UAS] = 100.0 * (double)correct[DDN_TEST_UAS] / (double)words;
    c->score[BENCH_TEST_LAS] = 100.0 * (double)correct[DDN_TEST_LAS] / (double)words;
    dodona_workspace_free(ws);
    dodona_model_free(model);
    dodona_reader_close(r);
    dodona_reader_close(again);
    dodona_sentence_free(gold);
    dodona_sentence_free(parsed);
}

void bench_cells_run(bench_cells *b, const char *treebank, const bench_regime *regime, int seed,
                     const char *model)
{
    char folder[] = "/tmp/dodona-bench-XXXXXX", unkept[64];
    bench_cell c = { .iterations = regime->iterations, .seed = seed };
    if (!model && !mkdtemp(folder)) {
        perror("mkdtemp");
        exit(1);
    }
    snprintf(unkept, sizeof unkept, "%s/model", folder);
    snprintf(c.treebank, sizeof c.treebank, "%s", treebank);
    snprintf(c.system, sizeof c.system, "%s", regime->system);
    snprintf(c.regime, sizeof c.regime, "%s", regime->name);
    train(b, regime, model ? model : unkept, &c);
    measure(b, model ? model : unkept, &c);
    fprintf(stderr, "%-12s %-16s %2d iterations, seed %d: dev %.2f, test %.2f, %.1f s\n", treebank,
            regime->label, c.iterations, seed, c.score[BENCH_DEV_LAS], c.score[BENCH_TEST_LAS],
            c.seconds);
    if (bench_cells_find(b, treebank, regime, seed)) {
        free(c.sentence);
    } else {
        append(b, &c);
        add_cell(b, &c);
    }
    if (!model) {
        unlink(unkept);
        rmdir(folder);
    }
}

bool bench_regime_exists(const bench_regime *regime)
{
    for (int i = 0; dodona_system_name(i); i++)
        if (strcmp(dodona_system_name(i), regime->system) == 0)
            return true;
    return false;
}
