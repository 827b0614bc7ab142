/* SPDX-License-Identifier: MIT */
#include "lib/table.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 10000 };

static int seeds_of(const bench_table *t, const char *treebank)
{
    return strcmp(treebank, "en_ewt") == 0 && !t->all_seeds ? 1 : t->seeds;
}

bool bench_table_wants(const bench_table *t, int row)
{
    return !t->only || strcmp(t->only, t->row[row].regime.system) == 0;
}

bool bench_table_can_run(const bench_table *t, int row)
{
    return bench_table_wants(t, row) && bench_regime_exists(&t->row[row].regime);
}

void bench_table_run(bench_table *t)
{
    bool runs[BENCH_MAX_ROWS];
    for (int r = 0; r < t->rows; r++)
        runs[r] = bench_table_can_run(t, r);
    for (int k = 0; k < t->treebanks; k++)
        for (int seed = 1; seed <= seeds_of(t, t->treebank[k]); seed++)
            for (int r = 0; r < t->rows; r++)
                if (runs[r] &&
                    !bench_cells_find(&t->cells, t->treebank[k], &t->row[r].regime, seed))
                    bench_cells_run(&t->cells, t->treebank[k], &t->row[r].regime, seed, NULL);
}

/* ---- Figures ---- */

/* All runs of a cell of the table, by LAS on dev; 0: not all are there. */
static int gather(const bench_table *t, const char *treebank, int row, const bench_cell **run)
{
    int count = seeds_of(t, treebank);
    for (int seed = 1; seed <= count; seed++) {
        const bench_cell *c = bench_cells_find(&t->cells, treebank, &t->row[row].regime, seed);
        int at = seed - 1;
        if (!c)
            return 0;
        for (; at > 0 && run[at - 1]->score[BENCH_DEV_LAS] > c->score[BENCH_DEV_LAS]; at--)
            run[at] = run[at - 1];
        run[at] = c;
    }
    return count;
}

double bench_table_mean(const bench_table *t, const char *treebank, int row, int score)
{
    const bench_cell *run[BENCH_MAX_SEEDS];
    int count = gather(t, treebank, row, run);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += score < BENCH_SCORES ? run[i]->score[score] : run[i]->seconds;
    return count ? sum / count : -1;
}

/* 1: the first is significantly better, -1: worse, 0: neither. */
static int compare_runs(const bench_cell *first, const bench_cell *second, int test)
{
    dodona_error err;
    ddn_test out[DDN_TESTS];
    int64_t words = 0;
    if (first->sentences != second->sentences)
        return 0;
    ddn_stratum *stratum = bench_need(calloc(first->sentences + 1, sizeof *stratum));
    for (size_t i = 0; i < first->sentences; i++) {
        const bench_tally *t[2] = { &first->sentence[i], &second->sentence[i] };
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

static void print_marks(const bench_table *t, const char *treebank, int row, int test)
{
    static const char *const marks[BENCH_AGAINST][2] = { { "*", "°" }, { "†", "‡" } };
    const bench_cell *own[BENCH_MAX_SEEDS], *other[BENCH_MAX_SEEDS];
    int count = gather(t, treebank, row, own);
    for (int k = 0; k < BENCH_AGAINST; k++) {
        int against = t->row[row].against[k];
        if (against < 0 || gather(t, treebank, against, other) != count)
            continue;
        int better = compare_runs(own[(count - 1) / 2], other[(count - 1) / 2], test);
        printf("%s", better ? marks[k][better < 0] : "");
    }
}

int bench_table_at_least(const bench_table *t, int row, int other, int *known)
{
    int good = 0;
    *known = 0;
    for (int k = 0; k < t->treebanks; k++) {
        double own = bench_table_mean(t, t->treebank[k], row, BENCH_TEST_LAS);
        double others = bench_table_mean(t, t->treebank[k], other, BENCH_TEST_LAS);
        *known += own >= 0 && others >= 0;
        good += others >= 0 && own >= others;
    }
    return good;
}

/* ---- Printing ---- */

static void print_row(const bench_table *t, int row, int score)
{
    printf("| %s |", t->row[row].regime.label);
    for (int k = 0; k < t->treebanks; k++) {
        double m = bench_table_mean(t, t->treebank[k], row, score);
        if (m < 0) {
            printf(" |");
            continue;
        }
        printf(score < BENCH_SCORES ? " %.2f" : " %.1f", m);
        if (score == BENCH_TEST_UAS || score == BENCH_TEST_LAS)
            print_marks(t, t->treebank[k], row,
                        score == BENCH_TEST_UAS ? DDN_TEST_UAS : DDN_TEST_LAS);
        printf(" |");
    }
    printf("\n");
}

void bench_table_print(const bench_table *t, const char *title, int score)
{
    printf("| %s |", title);
    for (int k = 0; k < t->treebanks; k++)
        printf(" %s |", t->treebank[k]);
    printf("\n|---|");
    for (int k = 0; k < t->treebanks; k++)
        printf("---|");
    printf("\n");
    for (int r = 0; r < t->rows; r++)
        if (bench_table_wants(t, r))
            print_row(t, r, score);
    printf("\n");
}

void bench_table_print_all(const bench_table *t)
{
    static const char *const titles[] = { "UAS, dev", "LAS, dev", "UAS, test", "LAS, test",
                                          "seconds to train" };
    for (int score = 0; score <= BENCH_SCORES; score++)
        bench_table_print(t, titles[score], score);
}

/* ---- Arguments ---- */

static bool take_option(bench_table *t, const char *name, const char *value, int *at)
{
    *at += 1;
    if (strcmp(name, "--all-seeds") == 0 || strcmp(name, "--print") == 0) {
        *(name[2] == 'a' ? &t->all_seeds : &t->print) = true;
        return true;
    }
    *at += 1;
    if (!value)
        return false;
    if (strcmp(name, "--seeds") == 0)
        t->seeds = atoi(value);
    else if (strcmp(name, "--system") == 0)
        t->only = value;
    else if (strcmp(name, "--store") == 0)
        t->cells.store = value;
    else if (strcmp(name, "--iterations") == 0)
        for (int r = 0; r < t->rows; r++)
            t->row[r].regime.iterations = atoi(value);
    else
        return false;
    return t->seeds >= 1 && t->seeds <= BENCH_MAX_SEEDS && t->row[0].regime.iterations >= 1;
}

static bool take_arguments(bench_table *t, int argc, char **argv)
{
    static const char *const all[] = { "en_ewt",    "el_gdt",  "cu_proiel",  "got_proiel",
                                       "hu_szeged", "tr_imst", "fr_sequoia", "af_afribooms" };
    int at = 2;
    if (argc < 2 || strncmp(argv[1], "--", 2) == 0)
        return false;
    t->cells.folder = argv[1];
    while (at < argc && strncmp(argv[at], "--", 2) == 0)
        if (!take_option(t, argv[at], argv[at + 1], &at))
            return false;
    for (; at < argc && t->treebanks < BENCH_MAX_TREEBANKS; at++)
        t->treebank[t->treebanks++] = argv[at];
    if (t->treebanks == 0)
        for (; t->treebanks < (int)(sizeof all / sizeof *all); t->treebanks++)
            t->treebank[t->treebanks] = all[t->treebanks];
    return true;
}

bool bench_table_open(bench_table *t, bench_row *row, int rows, const char *store, int argc,
                      char **argv)
{
    assert(rows <= BENCH_MAX_ROWS);
    *t = (bench_table){ .cells.store = store, .row = row, .rows = rows, .seeds = 3 };
    if (!take_arguments(t, argc, argv)) {
        fprintf(stderr,
                "usage: %s FOLDER [--seeds N] [--all-seeds] [--iterations N] [--system S] "
                "[--store FILE] [--print] [TREEBANK...]\n",
                argv[0]);
        return false;
    }
    bench_cells_read(&t->cells);
    for (int r = 0; r < rows && !t->print; r++)
        if (bench_table_wants(t, r) && !bench_regime_exists(&row[r].regime))
            fprintf(stderr, "%s is left out: there is no system %s\n", row[r].regime.label,
                    row[r].regime.system);
    return true;
}

void bench_table_close(bench_table *t)
{
    bench_cells_free(&t->cells);
}
