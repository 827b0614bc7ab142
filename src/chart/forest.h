/* SPDX-License-Identifier: MIT */
/* forest.h - a packed forest: many trees over one sentence in little memory.
 *
 * A forest is a hypergraph.  A node stands for all ways to build one thing (in dynamic programming:
 * an item), and each of its edges for one last step: from one or two nodes before it, at a score,
 * making an arc or none.  A node without edges is a leaf, whose derivation is empty and scores 0.
 * A derivation of a node picks one of its edges and a derivation of each tail of that edge; its
 * score is the sum of its edges' scores, and its tree is the arcs that they make.  The derivations
 * of the forest are those of the goal, which is the last node.
 *
 *     ddn_forest_clear(&f, n);
 *     for each item, tails before heads:
 *         ddn_forest_add_node(&f, &node, err)     a node without edges
 *         ddn_forest_add_edge(&f, &edge, err)     an edge of the last node; as many as it has
 *     ddn_forest_trim(&f, err)                    drops what no derivation of the goal uses
 *
 * Nodes and the goal.  Tails come before heads, so a forest has no cycle, and loops over nodes in
 * either order are all that its algorithms need.  A search with several final items adds a last
 * node with an edge (left = the item, right = -1, score 0, child 0) for each of them.
 *
 * Trees.  Every derivation of the goal gives each of 1..n one head, and the heads are a tree.  The
 * searches of this project make forests in which two derivations are two trees, because each tree
 * is built in one fixed order; then the number of derivations and their marginals are those of
 * trees.  A forest from elsewhere may have several derivations for a tree; the list of the k best
 * names every tree once all the same. */
#ifndef DDN_CHART_FOREST_H
#define DDN_CHART_FOREST_H

#include "core/big.h"
#include "core/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DDN_FOREST_MAX_NODES = 1 << 26,
    DDN_FOREST_MAX_EDGES = 1 << 27,
    DDN_FOREST_MAX_STEPS = 1 << 24, /* edges of one derivation */
    DDN_FOREST_MAX_COVER = 1 << 28, /* bytes that ddn_forest_check may need: n bits a node */
    DDN_FOREST_MAX_COUNT = 1 << 30, /* bytes that ddn_forest_count may need */
};
#define DDN_FOREST_MAX_SCORE 1e100 /* of an edge, on either side of 0 */

typedef struct ddn_forest_edge {
    double score;        /* finite, at most DDN_FOREST_MAX_SCORE from 0 */
    int32_t left, right; /* tails, both before the head; right -1: there is one tail */
    int32_t head, child; /* the arc; child 0: none is made */
    int32_t label;       /* of the arc, 0 or more; 0 where none is made */
} ddn_forest_edge;

typedef struct ddn_forest {
    int32_t n;             /* words */
    int32_t nodes;         /* the goal is the last */
    uint32_t *first;       /* [nodes+1] edges of node v: first[v] .. first[v+1]-1 */
    ddn_forest_edge *edge; /* [first[nodes]] */
    size_t first_cap, edge_cap;
} ddn_forest;

void ddn_forest_init(ddn_forest *f);
void ddn_forest_fini(ddn_forest *f);

/* ---- Making one ---- */

/* No nodes, n words; keeps the memory. */
void ddn_forest_clear(ddn_forest *f, int32_t n);
/* Appends a node without edges; its number goes to *node (may be NULL). */
int ddn_forest_add_node(ddn_forest *f, int32_t *node, dodona_error *err);
/* Appends an edge to the last node. */
int ddn_forest_add_edge(ddn_forest *f, const ddn_forest_edge *edge, dodona_error *err);
/* Removes the nodes that no derivation of the goal uses, and their edges; the order of the others
 * stays. */
int ddn_forest_trim(ddn_forest *f, dodona_error *err);

static inline uint32_t ddn_forest_edges(const ddn_forest *f)
{
    return f->nodes ? f->first[f->nodes] : 0;
}

/* Whether numbers are in range, tails come before heads, every node is used, and every derivation
 * of the goal gives each of 1..n exactly one head; else a message says what is not so.  That the
 * heads have no cycle is not checked: single edges do not show it, so the functions that list trees
 * check each tree. */
int ddn_forest_check(const ddn_forest *f, dodona_error *err);
/* Whether the heads of a derivation, head[1..n], are a tree.  mark is scratch for n+1 numbers. */
int ddn_forest_check_tree(const ddn_forest *f, const int32_t *head, int32_t *mark,
                          dodona_error *err);

/* ---- Questions; kbest.h and marginals.h have more ---- */

/* The number of derivations, in p, which is cleared. */
int ddn_forest_count(const ddn_forest *f, ddn_big_pool *p, uint32_t *count, dodona_error *err);

/* Of all trees the one with the most heads as in gold[1..n]; where gold_label is not NULL, the most
 * arcs whose label is right too (a gold label that no edge has, say -1, is never right).  Of equals
 * the one with the best score, then the one whose derivation has the earlier edges.  Its heads and
 * labels go to head[1..n] and label[1..n].  Fails also when these are not a tree. */
typedef struct ddn_forest_oracle {
    int32_t correct;
    double score;
} ddn_forest_oracle;

int ddn_forest_find_oracle(const ddn_forest *f, const int32_t *gold, const int32_t *gold_label,
                           int32_t *head, int32_t *label, ddn_forest_oracle *out,
                           dodona_error *err);

#endif
