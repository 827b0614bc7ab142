/* SPDX-License-Identifier: MIT */
/* oracles_table.c - Table 1 of Goldberg, Sartorio and Satta 2014 with our parser: what do
 * non-deterministic and dynamic oracles bring?
 *
 *     build/bench/oracles_table FOLDER [OPTIONS] [TREEBANK...]
 *
 * FOLDER/TREEBANK/{train,dev,test}.conllu; lib/table.h has the options.  Arc-standard (std) for 15
 * iterations and LR-spine (lrs) for 30, under the regimes of section 7:
 *     static    one canonical move, along the gold path
 *     nondet    any move that keeps the gold tree within reach, along the gold path
 *     explore   any optimal move, along the parser's own moves from the first iteration on
 * Greedy, gold tokens and tags, all words count.  Other than in the paper, crossing trees are not
 * left out of training but made projective, and the iteration is chosen on dev.
 *
 * Cells are kept in oracles_table.cells (lib/cells.h).  Out come Markdown tables. */
#include "lib/table.h"

#include <stdio.h>

enum { STATIC, EXPLORE = 2, REGIMES }; /* rows of a system */

static bench_row rows[] = {
    { { "std:static", "arc-standard", "static", "static", NULL, 15 }, { -1, -1 } },
    { { "std:nondet", "arc-standard", "nondet", "nondet", NULL, 15 }, { 0, -1 } },
    { { "std:explore", "arc-standard", "explore", "explore", "tabular", 15 }, { 0, 1 } },
    { { "lrs:static", "lr-spine", "static", "static", NULL, 30 }, { -1, -1 } },
    { { "lrs:nondet", "lr-spine", "nondet", "nondet", NULL, 30 }, { 3, -1 } },
    { { "lrs:explore", "lr-spine", "explore", "explore", NULL, 30 }, { 3, 4 } },
};

enum { ROWS = sizeof rows / sizeof *rows };

int main(int argc, char **argv)
{
    bench_table t;
    if (!bench_table_open(&t, rows, ROWS, "oracles_table.cells", argc, argv))
        return 2;
    if (!t.print)
        bench_table_run(&t);
    bench_table_print_all(&t);
    printf("Better than static: `*`, worse: `°`; explore better than nondet: `†`, worse: `‡`; "
           "p < 0.05.\n");
    for (int first = 0; first < ROWS; first += REGIMES) {
        int known, good = bench_table_at_least(&t, first + EXPLORE, first + STATIC, &known);
        if (known)
            printf("%s, %d iterations: at least static in LAS on %d of %d.\n",
                   rows[first + EXPLORE].regime.label, rows[first].regime.iterations, good, known);
    }
    bench_table_close(&t);
    return 0;
}
