/* SPDX-License-Identifier: MIT */
/* search_table.c - what do a beam and dynamic programming bring, all else being equal?
 *
 *     build/bench/search_table TEMPLATES FOLDER [OPTIONS] [TREEBANK...]
 *
 * FOLDER/TREEBANK/{train,dev,test}.conllu; lib/table.h has the options.  Arc-standard with one set
 * of templates, say huang, for 12 iterations: static, explore   greedy, learning along the gold
 * path or along the parser's own moves beam, dp          a beam of 8, whole computations,
 * max-violation Gold tokens and tags, all words count.  Crossing trees are made projective, and the
 * iteration is chosen on dev.
 *
 * Cells are kept in search_table.TEMPLATES.cells (lib/cells.h).  Out come Markdown tables, and by
 * how much dp is ahead of the greedy parsers. */
#include "lib/table.h"

#include <stdio.h>

enum { STATIC, EXPLORE, BEAM, DP, ROWS };

static bench_row rows[ROWS] = {
    [STATIC] = { { "greedy, static", "arc-standard", "static", "static", NULL, 12 }, { -1, -1 } },
    [EXPLORE] = { { "greedy, explore", "arc-standard", "explore", "explore", NULL, 12 },
                  { STATIC, -1 } },
    [BEAM] = { { "beam 8", "arc-standard", "beam8", "beam", NULL, 12 }, { STATIC, EXPLORE } },
    [DP] = { { "dp, beam 8", "arc-standard", "dp8", "dp", NULL, 12 }, { STATIC, EXPLORE } },
};

static void print_lead(const bench_table *t, const char *treebank)
{
    double las[ROWS];
    for (int r = 0; r < ROWS; r++)
        las[r] = bench_table_mean(t, treebank, r, BENCH_TEST_LAS);
    for (int r = 0; r < DP; r++)
        if (las[r] >= 0 && las[DP] >= 0)
            printf("%s: dp has %+.2f LAS against %s on test.\n", treebank, las[DP] - las[r],
                   rows[r].regime.label);
}

int main(int argc, char **argv)
{
    bench_table t;
    char store[256];
    if (argc < 3) {
        fprintf(stderr, "usage: %s TEMPLATES FOLDER [OPTIONS] [TREEBANK...]\n", argv[0]);
        return 2;
    }
    snprintf(store, sizeof store, "search_table.%s.cells", argv[1]);
    if (!bench_table_open(&t, rows, ROWS, store, argc - 1, argv + 1))
        return 2;
    t.cells.templates = argv[1];
    if (!t.print)
        bench_table_run(&t);
    bench_table_print_all(&t);
    printf("Better than static: `*`, worse: `°`; than explore: `†`, `‡`; p < 0.05.\n");
    for (int k = 0; k < t.treebanks; k++)
        print_lead(&t, t.treebank[k]);
    bench_table_close(&t);
    return 0;
}
