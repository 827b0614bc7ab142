/* SPDX-License-Identifier: MIT */
/* forest_count.c - how many derivations a forest has, exactly.
 *
 *     count(leaf) = 1     count(v) = sum over its edges of the product of its tails' counts
 *
 * The numbers have about as many bits as a derivation has steps, so all of them together may need
 * more memory than there is; a first pass over logarithms finds how much before any is
 * allocated. */
#include "chart/forest.h"

#include <math.h>
#include <stdlib.h>

/* Bytes that the counts of all nodes need, by their logarithms; -1: no memory for these. */
static double count_bytes(const ddn_forest *f)
{
    double *log_count = malloc((size_t)f->nodes * sizeof *log_count), bytes = 0;
    if (!log_count)
        return -1;
    for (int32_t v = 0; v < f->nodes; v++) {
        double most = 0;
        for (uint32_t e = f->first[v]; e < f->first[v + 1]; e++) {
            const ddn_forest_edge *x = &f->edge[e];
            double one = log_count[x->left] + (x->right >= 0 ? log_count[x->right] : 0);
            most = one > most ? one : most;
        }
        uint32_t edges = f->first[v + 1] - f->first[v];
        log_count[v] = most + (edges > 1 ? log2(edges) : 0);
        bytes += 2 * (8 + log_count[v] / 8); /* 2: what the product needs, and room to grow */
    }
    free(log_count);
    return bytes;
}

int ddn_forest_count(const ddn_forest *f, ddn_big_pool *p, uint32_t *count, dodona_error *err)
{
    ddn_big_pool_clear(p);
    double bytes = count_bytes(f);
    if (bytes > DDN_FOREST_MAX_COUNT)
        return ddn_fail(err, DODONA_E_LIMIT,
                        "the forest has too many trees to count them: it would take more than %d "
                        "MiB",
                        DDN_FOREST_MAX_COUNT >> 20);
    uint32_t *of = malloc((size_t)f->nodes * sizeof *of);
    if (bytes < 0 || !of) {
        free(of);
        return ddn_fail_memory(err);
    }
    for (int32_t v = 0; v < f->nodes; v++) {
        of[v] = f->first[v] == f->first[v + 1] ? DDN_BIG_ONE : ddn_big_new(p);
        for (uint32_t e = f->first[v]; e < f->first[v + 1] && !p->failed; e++) {
            const ddn_forest_edge *x = &f->edge[e];
            ddn_big_add_product(p, of[v], of[x->left], x->right >= 0 ? of[x->right] : DDN_BIG_ONE);
        }
    }
    *count = of[f->nodes - 1];
    free(of);
    return p->failed ? ddn_fail_memory(err) : DODONA_OK;
}
