/* SPDX-License-Identifier: MIT */
/* cells.h - training runs that are kept: the cells of a table that takes days.
 *
 * A cell is one training run.  When it has ended, its line goes to the store, in one write, and
 * cells that are there are not run again: an interrupted program goes on where it was, and several
 * may share a store.  A line has, between tabs: treebank, system, regime, iterations, seed; UAS and
 * LAS on dev and on test; the best iteration; seconds of processor time; and for each sentence of
 * test words:heads:labels, the latter two those that are right. */
#ifndef BENCH_CELLS_H
#define BENCH_CELLS_H

#include "eval/significance.h"
#include "lib/bench.h"

enum { BENCH_DEV_UAS, BENCH_DEV_LAS, BENCH_TEST_UAS, BENCH_TEST_LAS, BENCH_SCORES };

/* How a parser is trained: what a row of the table has. */
typedef struct bench_regime {
    const char *label;     /* in the table */
    const char *system;    /* on the command line of dodona */
    const char *name;      /* in the store; with the system it names the row */
    const char *oracle;    /* static, nondet or explore; or a search with a beam of 8 */
    const char *algorithm; /* of the oracle; NULL: the system's own */
    int iterations;
} bench_regime;

/* How many words of a sentence are right. */
typedef struct bench_tally {
    int32_t words, correct[DDN_TESTS];
} bench_tally;

typedef struct bench_cell {
    char treebank[64], system[32], regime[16];
    int iterations, seed;
    double score[BENCH_SCORES]; /* percent */
    int best;
    double seconds;
    bench_tally *sentence;
    size_t sentences, sentence_cap;
} bench_cell;

typedef struct bench_cells {
    const char *folder; /* FOLDER/TREEBANK/{train,dev,test}.conllu */
    const char *store;
    const char *templates; /* NULL: the system's own */
    bench_cell *cell;
    size_t cells, cell_cap;
} bench_cells;

/* Reads what the store has; there need not be one. */
void bench_cells_read(bench_cells *c);
void bench_cells_free(bench_cells *c);

/* NULL: not run yet. */
const bench_cell *bench_cells_find(const bench_cells *c, const char *treebank,
                                   const bench_regime *regime, int seed);
/* Trains, parses test, and adds the cell to the store if it is not there.  model: where the model
 * is written, to stay there; NULL: nowhere.  Crossing trees that the system can't reach are made
 * projective, exploring begins at once and always follows the parser's own move, and the iteration
 * is chosen on dev. */
void bench_cells_run(bench_cells *c, const char *treebank, const bench_regime *regime, int seed,
                     const char *model);

/* Whether dodona has the regime's system. */
bool bench_regime_exists(const bench_regime *regime);

#endif
