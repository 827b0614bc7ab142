/* SPDX-License-Identifier: MIT */
/* kbest.h - the best trees of a forest, one after the other, as many as are asked for.
 *
 *     ddn_kbest_begin(&k, &forest, err)
 *     while (ddn_kbest_next(&k, &score, head, label, err) > 0)
 *         ...
 *
 * Scores never rise.  No tree comes twice, even if the forest has several derivations of it: trees
 * are the same when all heads and all labels are.  Ties are broken by the numbers of the edges, so
 * that the same forest gives the same list. */
#ifndef DDN_CHART_KBEST_H
#define DDN_CHART_KBEST_H

#include "chart/forest.h"

/* One derivation of a node: its last edge, and which of the derivations of each tail. */
typedef struct ddn_derivation {
    double score;
    uint64_t hash; /* of its arcs */
    uint32_t edge;
    int32_t left, right; /* from 0, the best */
} ddn_derivation;

typedef struct ddn_kbest_node {
    ddn_derivation *found; /* [founds] the best of them, in order */
    ddn_derivation *heap;  /* [heaps] the next is one of these, or comes from last */
    size_t found_cap, heap_cap;
    int32_t founds, heaps;
    ddn_derivation last; /* taken from the heap; what follows it is not there yet if pending */
    bool begun, pending, ended;
} ddn_kbest_node;

typedef struct ddn_kbest {
    const ddn_forest *forest;
    ddn_derivation *best; /* [nodes] the best of each node; edge is of no meaning for leaves */
    ddn_kbest_node *node; /* [made] the first nodes of these are in use */
    struct ddn_kbest_task *task;
    int32_t *tree; /* [4][n+1] scratch */
    int32_t given; /* trees so far */
    size_t best_cap, node_cap, task_cap, tree_cap, made;
} ddn_kbest;

void ddn_kbest_init(ddn_kbest *k);
void ddn_kbest_fini(ddn_kbest *k);

/* The forest has passed ddn_forest_check, or comes from a search; it is borrowed until the next
 * begin. */
int ddn_kbest_begin(ddn_kbest *k, const ddn_forest *f, dodona_error *err);

/* The next tree into head[1..n] and label[1..n], and its score: 1; 0 when there is none left; or a
 * negative code, also when the heads are not a tree, which happens only with a forest that no
 * search of this project made. */
int ddn_kbest_next(ddn_kbest *k, double *score, int32_t *head, int32_t *label, dodona_error *err);

#endif
