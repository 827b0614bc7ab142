/* SPDX-License-Identifier: MIT */
/* oracles_table.c - Table 1 of Goldberg, Sartorio and Satta 2014 with our parser: what do
 * non-deterministic and dynamic oracles bring?
 *
 *     build/bench/oracles_table FOLDER [--seeds N] [--all-seeds] [--iterations N] [--system S]
 *                               [--store FILE] [--print] [TREEBANK...]
 *
 * FOLDER/TREEBANK/{train,dev,test}.conllu; the eight of the table when none is named.  Arc-standard
 * (std) for 15 iterations and LR-spine (lrs) for 30, or both for N, under the regimes of section 7:
 *     static    one canonical move, along the gold path
 *     nondet    any move that keeps the gold tree within reach, along the gold path
 *     explore   any optimal move, along the parser's own moves from the first iteration on
 * Greedy, gold tokens and tags, all words count.  Other than in the paper, crossing trees are not
 * left out of training but made projective, and the iteration is chosen on dev.  Seeds are 1..N
 * (3); en_ewt has only one, unless --all-seeds.
 *
 * A cell is one training run.  When it has ended, its line goes to the store (oracles_table.cells),
 * in one write, and cells that are there are not run again: an interrupted program goes on where it
 * was, and several may share a store.  --print runs nothing.  A line has, between tabs: treebank,
 * system, regime, iterations, seed; UAS and LAS on dev and on test; the best iteration; seconds of
 * processor time; and for each sentence of test words:heads:labels, the latter two those that are
 * right.
 *
 * Out come Markdown tables of means over seeds.  Marks are of p < 0.05 on test by paired
 * randomisation over sentences, between the runs of median LAS on dev. */
#include "eval/significance.h"
#include "lib/bench.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SYSTEMS = 2, REGIMES = 3, MAX_SEEDS = 99, MAX_TREEBANKS = 64, TRIALS = 10000 };
enum { STATIC, NONDET, EXPLORE };
enum { DEV_UAS, DEV_LAS, TEST_UAS, TEST_LAS, SCORES };

static const struct {
    const char *name, *label;
    int iterations;
    const char *algorithm; /* of the dynamic oracle; NULL: the system's own */
} systems[SYSTEMS] = { { "arc-standard", "std", 15, "tabular" }, { "lr-spine", "lrs", 30, NULL } };

static const char *const regimes[REGIMES] = { "static", "nondet", "explore" };

/* How many words of a sentence are right. */
typedef struct tally {
    int32_t words, correct[DDN_TESTS];
} tally;

typedef struct cell {
    char treebank[64], system[32], regime[16];
    int iterations, seed;
    double score[SCORES]; /* percent */
    int best;
    double seconds;
    tally *sentence;
    size_t sentences, sentence_cap;
} cell;

typedef struct bench {
    const char *folder, *store, *only; /* only: the system; NULL: all */
    int seeds, iterations;             /* iterations 0: the paper's */
    bool all_seeds, print;
    cell *cell;
    size_t cells, cell_cap;
    const char *treebank[MAX_TREEBANKS];
    int treebanks;
} bench;

/* Room for one more. */
static void *grow(void *p, size_t count, size_t *cap, size_t size)
{
    if (count < *cap)
        return p;
    *cap = 2 * count + 16;
    return bench_need(realloc(p, *cap * size));
}

static void add_sentence(cell *c, tally t)
{
    c->sentence = grow(c->sentence, c->sentences, &c->sentence_cap, sizeof *c->sentence);
    c->sentence[c->sentences++] = t;
}

/* ---- The store ---- */

/* False: not a whole line. */
static bool read_cell(const char *line, cell *c)
{
    int used = 0;
    *c = (cell){ 0 };
    if (sscanf(line, "%63s %31s %15s %d %d %lf %lf %lf %lf %d %lf%n", c->treebank, c->system,
               c->regime, &c->iterations, &c->seed, &c->score[DEV_UAS], &c->score[DEV_LAS],
               &c->score[TEST_UAS], &c->score[TEST_LAS], &c->best, &c->seconds, &used) != 11)
        return false;
    tally t;
    for (line += used; sscanf(line, " %d:%d:%d%n", &t.words, &t.correct[DDN_TEST_UAS],
                              &t.correct[DDN_TEST_LAS], &used) == 3;
         line += used)
        add_sentence(c, t);
    return strcmp(line, "\n") == 0;
}

static void add_cell(bench *b, const cell *c)
{
    b->cell = grow(b->cell, b->cells, &b->cell_cap, sizeof *b->cell);
    b->cell[b->cells++] = *c;
}

static void read_store(bench *b)
{
    char *line = NULL;
    size_t cap = 0;
    cell c;
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

/* One write at the end of the file.  It starts with a line end, so that a line that was cut off by
 * a crash spoils no other; empty lines are not cells. */
static void append(const bench *b, const cell *c)
{
    char *text;
    size_t size;
    FILE *f = bench_need(open_memstream(&text, &size));
    fprintf(f, "\n%s\t%s\t%s\t%d\t%d\t%.4f\t%.4f\t%.4f\t%.4f\t%d\t%.2f\t", c->treebank, c->system,
            c->regime, c->iterations, c->seed, c->score[DEV_UAS], c->score[DEV_LAS],
            c->score[TEST_UAS], c->score[TEST_LAS], c->best, c->seconds);
    for (size_t i = 0; i < c->sentences; i++) {
        const tally *t = &c->sentence[i];
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

static int iterations_of(const bench *b, int system)
{
    return b->iterations ? b->iterations : systems[system].iterations;
}

static const cell *find(const bench *b, const char *treebank, int system, int regime, int seed)
{
    for (size_t i = 0; i < b->cells; i++) {
        const cell *c = &b->cell[i];
        if (c->seed == seed && c->iterations == iterations_of(b, system) &&
            strcmp(c->treebank, treebank) == 0 && strcmp(c->system, systems[system].name) == 0 &&
            strcmp(c->regime, regimes[regime]) == 0)
            return c;
    }
    return NULL;
}

/* ---- Running a cell ---- */

static dodona_reader *open_part(const bench *b, const char *name, const char *part, char *path)
{
    dodona_error err;
    dodona_reader *r;
    snprintf(path, 4096, "%s/%s/%s.conllu", b->folder, name, part);
    if (dodona_reader_open(path, NULL, &r, &err) < 0)
        bench_stop(&err);
    return r;
}

static void train(const bench *b, int system, const char *model, cell *c)
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
    o.oracle = c->regime;
    o.algorithm = strcmp(c->regime, "explore") == 0 ? systems[system].algorithm : NULL;
    o.nonprojective = "projectivize";
    o.iterations = c->iterations;
    o.seed = (uint64_t)c->seed;
    o.explore_after = 0;
    o.explore_rate = 1;
    double start = bench_seconds();
    if (dodona_train(&o, &from, &dev, model, &result, &err) < 0)
        bench_stop(&err);
    c->seconds = bench_seconds() - start;
    c->score[DEV_UAS] = result.uas;
    c->score[DEV_LAS] = result.las;
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

static tally compare(const dodona_sentence *gold, const dodona_sentence *parsed)
{
    tally t = { .words = dodona_sentence_length(gold) };
    for (int i = 1; i <= t.words; i++) {
        dodona_word g, p;
        dodona_sentence_get(gold, i, &g);
        dodona_sentence_get(parsed, i, &p);
        t.correct[DDN_TEST_UAS] += g.head == p.head;
        t.correct[DDN_TEST_LAS] += g.head == p.head && same_relation(g.deprel, p.deprel);
    }
    return t;
}

static void measure(const bench *b, const char *model_path, cell *c)
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
        tally t = compare(gold, parsed);
        add_sentence(c, t);
        words += t.words;
        for (int k = 0; k < DDN_TESTS; k++)
            correct[k] += t.correct[k];
    }
    c->score[TEST_UAS] = 100.0 * (double)correct[DDN_TEST_UAS] / (double)words;
    c->score[TEST_LAS] = 100.0 * (double)correct[DDN_TEST_LAS] / (double)words;
    dodona_workspace_free(ws);
    dodona_model_free(model);
    dodona_reader_close(r);
    dodona_reader_close(again);
    dodona_sentence_free(gold);
    dodona_sentence_free(parsed);
}

static void run(bench *b, const char *treebank, int system, int regime, int seed)
{
    char folder[] = "/tmp/dodona-bench-XXXXXX", model[64];
    cell c = { .iterations = iterations_of(b, system), .seed = seed };
    if (!mkdtemp(folder)) {
        perror("mkdtemp");
        exit(1);
    }
    snprintf(model, sizeof model, "%s/model", folder);
    snprintf(c.treebank, sizeof c.treebank, "%s", treebank);
    snprintf(c.system, sizeof c.system, "%s", systems[system].name);
    snprintf(c.regime, sizeof c.regime, "%s", regimes[regime]);
    train(b, system, model, &c);
    measure(b, model, &c);
    append(b, &c);
    add_cell(b, &c);
    fprintf(stderr, "%-12s %s:%-8s %2d iterations, seed %d: dev %.2f, test %.2f, %.1f s\n",
            treebank, systems[system].label, c.regime, c.iterations, seed, c.score[DEV_LAS],
            c.score[TEST_LAS], c.seconds);
    unlink(model);
    rmdir(folder);
}

static bool exists(int system)
{
    for (int i = 0; dodona_system_name(i); i++)
        if (strcmp(dodona_system_name(i), systems[system].name) == 0)
            return true;
    return false;
}

static int seeds_of(const bench *b, const char *treebank)
{
    return strcmp(treebank, "en_ewt") == 0 && !b->all_seeds ? 1 : b->seeds;
}

static bool wanted(const bench *b, int system)
{
    return !b->only || strcmp(b->only, systems[system].name) == 0;
}

static void run_missing(bench *b)
{
    for (int s = 0; s < SYSTEMS; s++) {
        if (wanted(b, s) && !exists(s))
            fprintf(stderr, "%s is left out: there is no such system\n", systems[s].name);
        for (int t = 0; t < b->treebanks && wanted(b, s) && exists(s); t++)
            for (int seed = 1; seed <= seeds_of(b, b->treebank[t]); seed++)
                for (int r = 0; r < REGIMES; r++)
                    if (!find(b, b->treebank[t], s, r, seed))
                        run(b, b->treebank[t], s, r, seed);
    }
}

/* ---- The table ---- */

/* All runs of a cell of the table, by LAS on dev; 0: not all are there. */
static int gather(const bench *b, const char *treebank, int system, int regime, const cell **run)
{
    int count = seeds_of(b, treebank);
    for (int seed = 1; seed <= count; seed++) {
        const cell *c = find(b, treebank, system, regime, seed);
        int at = seed - 1;
        if (!c)
            return 0;
        for (; at > 0 && run[at - 1]->score[DEV_LAS] > c->score[DEV_LAS]; at--)
            run[at] = run[at - 1];
        run[at] = c;
    }
    return count;
}

/* 1: the first is significantly better, -1: worse, 0: neither. */
static int compare_runs(const cell *first, const cell *second, int test)
{
    dodona_error err;
    ddn_test out[DDN_TESTS];
    int64_t words = 0;
    if (first->sentences != second->sentences)
        return 0;
    ddn_stratum *stratum = bench_need(calloc(first->sentences + 1, sizeof *stratum));
    for (size_t i = 0; i < first->sentences; i++) {
        const tally *t[2] = { &first->sentence[i], &second->sentence[i] };
        for (int k = 0; k < 2; k++) {
            stratum[i].words[k] = t[k]->words;
            memcpy(stratum[i].correct[k], t[k]->correct, sizeof t[k]->correct);
        }
        words += t[0]->words;
    }
    if (ddn_paired_randomisation(stratum, first->sentences, words, TRIALS, 1, out, &err) < 0)
        bench_stop(&err);
    free(stratum);
    return out[test].p >= 0.05 ? 0 : out[test].difference > 0 ? 1 : -1;
}

static void print_mark(const bench *b, const char *treebank, int system, int regime, int test)
{
    static const char *const marks[REGIMES][2] = { { "*", "°" }, { "†", "‡" } };
    const cell *own[MAX_SEEDS], *other[MAX_SEEDS];
    int count = gather(b, treebank, system, regime, own);
    for (int r = STATIC; r < regime; r++) {
        if (gather(b, treebank, system, r, other) != count)
            continue;
        int better = compare_runs(own[(count - 1) / 2], other[(count - 1) / 2], test);
        printf("%s", better ? marks[r][better < 0] : "");
    }
}

/* The mean of a score, or of the seconds for SCORES; negative: not all runs are there. */
static double mean(const bench *b, const char *treebank, int system, int regime, int score)
{
    const cell *run[MAX_SEEDS];
    int count = gather(b, treebank, system, regime, run);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += score < SCORES ? run[i]->score[score] : run[i]->seconds;
    return count ? sum / count : -1;
}

static void print_row(const bench *b, int system, int regime, int score)
{
    printf("| %s:%s |", systems[system].label, regimes[regime]);
    for (int t = 0; t < b->treebanks; t++) {
        double m = mean(b, b->treebank[t], system, regime, score);
        if (m < 0) {
            printf(" |");
            continue;
        }
        printf(score < SCORES ? " %.2f" : " %.1f", m);
        if (score == TEST_UAS || score == TEST_LAS)
            print_mark(b, b->treebank[t], system, regime,
                       score == TEST_UAS ? DDN_TEST_UAS : DDN_TEST_LAS);
        printf(" |");
    }
    printf("\n");
}

static void print_table(const bench *b, const char *title, int score)
{
    printf("| %s |", title);
    for (int t = 0; t < b->treebanks; t++)
        printf(" %s |", b->treebank[t]);
    printf("\n|---|");
    for (int t = 0; t < b->treebanks; t++)
        printf("---|");
    printf("\n");
    for (int s = 0; s < SYSTEMS; s++)
        for (int r = 0; r < REGIMES && wanted(b, s); r++)
            print_row(b, s, r, score);
    printf("\n");
}

/* On how many treebanks exploring is at least as good as static, in mean LAS on test. */
static void print_summary(const bench *b, int system)
{
    int known = 0, good = 0;
    for (int t = 0; t < b->treebanks; t++) {
        double fixed = mean(b, b->treebank[t], system, STATIC, TEST_LAS);
        double explored = mean(b, b->treebank[t], system, EXPLORE, TEST_LAS);
        known += fixed >= 0 && explored >= 0;
        good += fixed >= 0 && explored >= fixed;
    }
    if (known)
        printf("%s, %d iterations: explore is at least static in LAS on %d of %d.\n",
               systems[system].label, iterations_of(b, system), good, known);
}

static void print(const bench *b)
{
    static const char *const titles[] = { "UAS, dev", "LAS, dev", "UAS, test", "LAS, test",
                                          "seconds to train" };
    for (int score = 0; score <= SCORES; score++)
        print_table(b, titles[score], score);
    printf("Better than static: `*`, worse: `°`; explore better than nondet: `†`, worse: `‡`; "
           "p < 0.05.\n");
    for (int s = 0; s < SYSTEMS; s++)
        print_summary(b, s);
}

/* ---- Arguments ---- */

static bool take_option(bench *b, const char *name, const char *value, int *at)
{
    *at += 1;
    if (strcmp(name, "--all-seeds") == 0 || strcmp(name, "--print") == 0) {
        *(name[2] == 'a' ? &b->all_seeds : &b->print) = true;
        return true;
    }
    *at += 1;
    if (!value)
        return false;
    if (strcmp(name, "--seeds") == 0)
        b->seeds = atoi(value);
    else if (strcmp(name, "--iterations") == 0)
        b->iterations = atoi(value);
    else if (strcmp(name, "--system") == 0)
        b->only = value;
    else if (strcmp(name, "--store") == 0)
        b->store = value;
    else
        return false;
    return b->seeds >= 1 && b->seeds <= MAX_SEEDS && b->iterations >= 0;
}

static bool take_arguments(bench *b, int argc, char **argv)
{
    static const char *const all[] = { "en_ewt",    "el_gdt",  "cu_proiel",  "got_proiel",
                                       "hu_szeged", "tr_imst", "fr_sequoia", "af_afribooms" };
    int at = 2;
    if (argc < 2 || strncmp(argv[1], "--", 2) == 0)
        return false;
    b->folder = argv[1];
    while (at < argc && strncmp(argv[at], "--", 2) == 0)
        if (!take_option(b, argv[at], argv[at + 1], &at))
            return false;
    for (; at < argc && b->treebanks < MAX_TREEBANKS; at++)
        b->treebank[b->treebanks++] = argv[at];
    if (b->treebanks == 0)
        for (; b->treebanks < (int)(sizeof all / sizeof *all); b->treebanks++)
            b->treebank[b->treebanks] = all[b->treebanks];
    return true;
}

int main(int argc, char **argv)
{
    bench b = { .store = "oracles_table.cells", .seeds = 3 };
    if (!take_arguments(&b, argc, argv)) {
        fprintf(stderr,
                "usage: %s FOLDER [--seeds N] [--all-seeds] [--iterations N] [--system S] "
                "[--store FILE] [--print] [TREEBANK...]\n",
                argv[0]);
        return 2;
    }
    read_store(&b);
    if (!b.print)
        run_missing(&b);
    print(&b);
    for (size_t i = 0; i < b.cells; i++)
        free(b.cell[i].sentence);
    free(b.cell);
    return 0;
}
