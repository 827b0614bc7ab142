/* SPDX-License-Identifier: MIT */
/* order.h - a tree's children and its preorder, and smallest values over ranges of an array.
 *
 * In preorder (a node, then its children's subtrees from left to right) the descendants of v are
 * the nodes entered from enter[v] up to leave[v]; that answers "is u below v" in two comparisons.
 */
#ifndef DDN_TREE_ORDER_H
#define DDN_TREE_ORDER_H

#include "core/error.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct ddn_tree_order {
    int32_t n;
    const int32_t *head;   /* [n+1] borrowed */
    int32_t *first, *last; /* [n+1] leftmost and rightmost child, 0: none */
    int32_t *next;         /* [n+1] the sibling to the right, 0: none */
    int32_t *enter;        /* [n+1] place in preorder; enter[0] = 0 */
    int32_t *leave;        /* [n+1] the place after the last descendant's */
    int32_t *at;           /* [n+1] at[enter[v]] = v */
    int32_t depth;         /* words on the longest path down from 0 */
} ddn_tree_order;

/* Numbers the tree; memory is scratch for DDN_TREE_ORDER_SIZE(n) numbers.  Linear time. */
#define DDN_TREE_ORDER_SIZE(n) (6 * ((size_t)(n) + 1))
void ddn_tree_order_make(ddn_tree_order *o, const int32_t *head, int32_t n, int32_t *memory);

/* A tournament over m values: tree[m..2m-1] are the values, set by the caller, and tree[1..m-1]
 * the winners, which build fills in. */
void ddn_range_build(int32_t *tree, int32_t m);
/* The least value at places from..to-1, from < to.  O(log m). */
int32_t ddn_range_min(const int32_t *tree, int32_t m, int32_t from, int32_t to);

#endif
