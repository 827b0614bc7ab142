/* SPDX-License-Identifier: MIT */
/* covington_table.c - Tables 3 and 4 of Fernández-González and Gómez-Rodríguez 2017 with our
 * parser: what does it bring to take arcs back, and what does it cost?
 *
 *     build/bench/covington_table FOLDER [OPTIONS] [TREEBANK...]
 *
 * FOLDER/TREEBANK/{train,dev,test}.conllu; lib/table.h has the options.  15 iterations each of
 *     cov:static      Covington, one canonical move, along the gold path
 *     cov:monotonic   Covington, any optimal move, along the parser's own moves
 *     nm:lower        the same with the non-monotonic system, by the three bounds of the loss
 *     nm:pc
 *     nm:upper
 *     eager           arc-eager, likewise; crossing trees are made projective for it
 *     eager:nm        its non-monotonic form (Honnibal et al. 2013), as well
 *
 * Greedy, gold tokens and tags, all words count; other than in the paper, the iteration is chosen
 * on dev.  The last table compares the systems, as Table 4: the means over treebanks, with the
 * bound that the paper takes (upper), and the speed of greedy parsing.
 *
 * Cells are kept in covington_table.cells (lib/cells.h).  The models of seed 1 whose speed is
 * measured stay in a folder beside it, STORE.models.  Speed is processor time to parse the test
 * files, without reading and writing, the systems by turns in one run, the best of five rounds. */
#include "lib/table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STATIC, MONOTONIC, LOWER, PC, UPPER, EAGER, EAGER_NM, ROWS };
enum { ROUNDS = 5, COMPARED = 4 };

static bench_row rows[ROWS] = {
    [STATIC] = { { "cov:static", "covington", "static", "static", NULL, 15 }, { -1, -1 } },
    [MONOTONIC] = { { "cov:monotonic", "covington", "explore", "explore", NULL, 15 },
                    { STATIC, -1 } },
    [LOWER] = { { "nm:lower", "covington-nm", "lower", "explore", "lower", 15 },
                { STATIC, MONOTONIC } },
    [PC] = { { "nm:pc", "covington-nm", "pc", "explore", "pc", 15 }, { STATIC, MONOTONIC } },
    [UPPER] = { { "nm:upper", "covington-nm", "upper", "explore", "upper", 15 },
                { STATIC, MONOTONIC } },
    [EAGER] = { { "eager", "arc-eager", "explore", "explore", NULL, 15 }, { -1, -1 } },
    [EAGER_NM] = { { "eager:nm", "arc-eager-nm", "explore", "explore", NULL, 15 }, { -1, -1 } },
};

static const int compared[COMPARED] = { EAGER, EAGER_NM, MONOTONIC, UPPER };

/* ---- Models to be timed ---- */

static void model_path(const bench_table *t, int row, const char *treebank, char path[4096])
{
    const bench_regime *r = &rows[row].regime;
    snprintf(path, 4096, "%s.models/%s-%s-%s-%d", t->cells.store, treebank, r->system, r->name,
             r->iterations);
}

/* The runs of seed 1 that are compared, with their models. */
static void make_models(bench_table *t)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.models", t->cells.store);
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        perror(path);
        exit(1);
    }
    for (int k = 0; k < t->treebanks; k++)
        for (int i = 0; i < COMPARED; i++) {
            model_path(t, compared[i], t->treebank[k], path);
            if (bench_table_can_run(t, compared[i]) && access(path, R_OK) != 0)
                bench_cells_run(&t->cells, t->treebank[k], &rows[compared[i]].regime, 1, path);
        }
}

/* ---- Speed ---- */

typedef struct speed {
    double seconds;
    int64_t sentences, words;
} speed;

static dodona_sentence **read_all(const char *path, size_t *count)
{
    dodona_error err;
    dodona_reader *r;
    dodona_sentence **all = NULL;
    int status = 1;
    if (dodona_reader_open(path, NULL, &r, &err) < 0)
        bench_stop(&err);
    for (*count = 0; status > 0; *count += status > 0) {
        all = bench_need(realloc(all, (*count + 1) * sizeof *all));
        all[*count] = bench_need(dodona_sentence_new());
        status = dodona_reader_next(r, all[*count], &err);
    }
    if (status < 0)
        bench_stop(&err);
    dodona_sentence_free(all[*count]);
    dodona_reader_close(r);
    return all;
}

/* One round over a file. */
static speed parse_file(const dodona_model *model, const char *path)
{
    dodona_error err;
    dodona_workspace *ws;
    size_t count;
    speed out = { 0 };
    dodona_sentence **all = read_all(path, &count);
    if (dodona_workspace_new(model, NULL, &ws, &err) < 0)
        bench_stop(&err);
    double start = bench_seconds();
    for (size_t i = 0; i < count; i++)
        if (dodona_parse(ws, all[i], &err) < 0)
            bench_stop(&err);
    out.seconds = bench_seconds() - start;
    for (size_t i = 0; i < count; i++) {
        out.sentences += dodona_sentence_length(all[i]) > 0;
        out.words += dodona_sentence_length(all[i]);
        dodona_sentence_free(all[i]);
    }
    free(all);
    dodona_workspace_free(ws);
    return out;
}

/* Adds the best rounds of one treebank; by turns, so that what disturbs one disturbs all. */
static void time_treebank(const bench_table *t, const char *treebank, speed sum[COMPARED])
{
    dodona_error err;
    dodona_model *model[COMPARED] = { NULL };
    speed best[COMPARED] = { { 0 } };
    char path[4096];
    for (int i = 0; i < COMPARED; i++) {
        model_path(t, compared[i], treebank, path);
        if (bench_table_wants(t, compared[i]) && access(path, R_OK) == 0 &&
            dodona_model_open(path, &model[i], &err) < 0)
            bench_stop(&err);
    }
    snprintf(path, sizeof path, "%s/%s/test.conllu", t->cells.folder, treebank);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < COMPARED; i++) {
            speed s = model[i] ? parse_file(model[i], path) : (speed){ 0 };
            if (round == 0 || s.seconds < best[i].seconds)
                best[i] = s;
        }
    for (int i = 0; i < COMPARED; i++) {
        sum[i].seconds += best[i].seconds;
        sum[i].sentences += best[i].sentences;
        sum[i].words += best[i].words;
        dodona_model_free(model[i]);
    }
}

/* ---- The table of systems ---- */

/* The mean over treebanks; false: some are missing. */
static bool average(const bench_table *t, int row, int score, double *out)
{
    *out = 0;
    for (int k = 0; k < t->treebanks; k++) {
        double m = bench_table_mean(t, t->treebank[k], row, score);
        if (m < 0)
            return false;
        *out += m / t->treebanks;
    }
    return true;
}

static void print_systems(const bench_table *t)
{
    speed sum[COMPARED] = { { 0 } };
    for (int k = 0; k < t->treebanks; k++)
        time_treebank(t, t->treebank[k], sum);
    printf("| mean of %d treebanks, test | UAS | LAS | sentences/s | tokens/s | speed |\n"
           "|---|---|---|---|---|---|\n",
           t->treebanks);
    for (int i = 0; i < COMPARED; i++) {
        double uas, las, rate = sum[i].seconds > 0 ? (double)sum[i].words / sum[i].seconds : 0;
        double base = sum[0].seconds > 0 ? (double)sum[0].words / sum[0].seconds : 0;
        if (!bench_table_wants(t, compared[i]))
            continue;
        printf("| %s |", rows[compared[i]].regime.label);
        if (average(t, compared[i], BENCH_TEST_UAS, &uas) &&
            average(t, compared[i], BENCH_TEST_LAS, &las))
            printf(" %.2f | %.2f |", uas, las);
        else
            printf(" | |");
        if (rate > 0)
            printf(" %.0f | %.0f |", (double)sum[i].sentences / sum[i].seconds, rate);
        else
            printf(" | |");
        if (rate > 0 && base > 0 && sum[i].words == sum[0].words)
            printf(" %.2f", rate / base);
        printf(" |\n");
    }
    printf("\nSpeed is relative to arc-eager; the paper: monotonic 0.40, non-monotonic 0.28.\n");
}

int main(int argc, char **argv)
{
    bench_table t;
    if (!bench_table_open(&t, rows, ROWS, "covington_table.cells", argc, argv))
        return 2;
    if (!t.print) {
        make_models(&t);
        bench_table_run(&t);
    }
    bench_table_print_all(&t);
    printf("Better than cov:static: `*`, worse: `°`; than cov:monotonic: `†`, `‡`; p < 0.05.\n");
    for (int row = LOWER; row <= UPPER; row++) {
        int known, good = bench_table_at_least(&t, row, MONOTONIC, &known);
        if (known)
            printf("%s is at least cov:monotonic in LAS on %d of %d.\n", rows[row].regime.label,
                   good, known);
    }
    printf("\n");
    print_systems(&t);
    bench_table_close(&t);
    return 0;
}
