/* SPDX-License-Identifier: MIT */
/* table.h - a table of means over seeds, a row a regime and a column a treebank, from stored cells.
 *
 *     PROGRAM FOLDER [--seeds N] [--all-seeds] [--iterations N] [--system S] [--store FILE]
 * [--print] [TREEBANK...]
 *
 * The eight of the tables when no treebank is named.  Seeds are 1..N (3); en_ewt has only one,
 * unless --all-seeds.  --iterations: in place of the rows' own.  --system: only its rows.  --print
 * runs nothing. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "lib/cells.h"

enum { BENCH_MAX_ROWS = 16, BENCH_MAX_SEEDS = 99, BENCH_MAX_TREEBANKS = 64, BENCH_AGAINST = 2 };

typedef struct bench_row {
    bench_regime regime;
    int against[BENCH_AGAINST]; /* rows that it is tested against, and -1 for none */
} bench_row;

typedef struct bench_table {
    bench_cells cells;
    bench_row *row; /* [rows] of the caller; --iterations changes them */
    int rows;
    const char *only; /* the system; NULL: all */
    int seeds;
    bool all_seeds, print;
    const char *treebank[BENCH_MAX_TREEBANKS];
    int treebanks;
} bench_table;

/* Takes the arguments, and reads the store, whose name is a default.  Rows whose system dodona does
 * not have are named on standard error.  False: the arguments are wrong, and that has been said. */
bool bench_table_open(bench_table *t, bench_row *row, int rows, const char *store, int argc,
                      char **argv);
void bench_table_close(bench_table *t);

/* Whether a row is asked for; and whether dodona has its system, too. */
bool bench_table_wants(const bench_table *t, int row);
bool bench_table_can_run(const bench_table *t, int row);
/* Runs the cells that are not there, one treebank after the other. */
void bench_table_run(bench_table *t);

/* The mean of a score over seeds, or of the seconds to train for BENCH_SCORES; negative: not all
 * runs are there. */
double bench_table_mean(const bench_table *t, const char *treebank, int row, int score);
/* In Markdown.  The scores on test are marked where a row differs from those it is tested against,
 * p < 0.05 by paired randomisation over sentences, between the runs of median LAS on dev: better
 * than the first "*", worse "°"; than the second "†" and "‡". */
void bench_table_print(const bench_table *t, const char *title, int score);
/* All scores and the seconds to train. */
void bench_table_print_all(const bench_table *t);
/* On how many treebanks a row is at least another in mean LAS on test, of those that have both. */
int bench_table_at_least(const bench_table *t, int row, int other, int *known);

#endif
