/* SPDX-License-Identifier: MIT */
/* shape.h - how far a tree is from projective, in the measures that people compare treebanks with.
 * docs/trees.md defines them.
 *
 *     ddn_tree_space space;
 *     ddn_tree_space_init(&space);
 *     for each tree
 *         if (ddn_tree_measure(&space, head, n, &shape, err) < 0) ...
 *     ddn_tree_space_fini(&space);
 */
#ifndef DDN_TREE_SHAPE_H
#define DDN_TREE_SHAPE_H

#include "core/arena.h"
#include "core/error.h"
#include "tree/crossing.h"

/* Scratch memory, grown as needed: some 110 bytes a word of the longest sentence. */
typedef struct ddn_tree_space {
    ddn_arena arena;
} ddn_tree_space;

void ddn_tree_space_init(ddn_tree_space *s);
void ddn_tree_space_fini(ddn_tree_space *s);

typedef struct ddn_tree_shape {
    int32_t roots;         /* children of 0 */
    int32_t depth;         /* words on the longest path down from 0 */
    int32_t nonprojective; /* arcs that span a word that is not below their head */
    int32_t crossing;      /* arcs between words that cross another such arc */
    int64_t crossings;     /* pairs of them */
    int32_t gap_degree;    /* the most gaps that the words of one subtree leave */
    int32_t edge_degree;   /* the most foreign parts under one arc */
    bool projective;       /* nonprojective == 0, gap_degree == 0, edge_degree == 0 */
    bool planar;           /* crossings == 0 */
    bool well_nested;      /* no two disjoint subtrees interleave */
    bool two_planar;       /* the arcs fit in two planes */
    bool one_endpoint;     /* the arcs that cross a given arc share an end */
} ddn_tree_shape;

/* Measures a tree.  Linear for a projective one; else O(n log n) and the added lengths of the
 * non-projective arcs. */
int ddn_tree_measure(ddn_tree_space *s, const int32_t *head, int32_t n, ddn_tree_shape *out,
                     dodona_error *err);

/* Lengths of the arcs between words. */
typedef struct ddn_tree_lengths {
    int64_t arcs, sum;
    int32_t most;
} ddn_tree_lengths;

/* Counts them: count[k] goes up for each arc of length k+1, and the last, count[bins-1], for each
 * of length bins or more. */
ddn_tree_lengths ddn_tree_count_lengths(const int32_t *head, int32_t n, int64_t *count,
                                        int32_t bins);

#endif
