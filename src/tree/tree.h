/* SPDX-License-Identifier: MIT */
/* tree.h - checks of heads: are they a tree, and is it projective?
 *
 * head[1..n] are the heads, head[0] is not read.  All functions but ddn_tree_check want a tree:
 * every head in 0..n and every word below 0.  Node 0 is the root and stands left of word 1; it may
 * have several children, and its arcs count like any other. */
#ifndef DDN_TREE_TREE_H
#define DDN_TREE_TREE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum ddn_tree_fault {
    DDN_TREE_OK,
    DDN_TREE_NO_HEAD,      /* word: has no head */
    DDN_TREE_OUT_OF_RANGE, /* word: its head is no word of the sentence */
    DDN_TREE_SELF_LOOP,    /* word: its own head */
    DDN_TREE_NO_ROOT,      /* nothing hangs from 0; word is 0 */
    DDN_TREE_CYCLE,        /* word: the smallest that is on a cycle */
    DDN_TREE_TWO_ROOTS,    /* word: the second child of 0; only when one root is asked for */
} ddn_tree_fault;

/* Whether head is a tree; else the first fault in the order above and, in *word, the first word
 * that has it (word may be NULL).  No words at all are a tree unless one root is asked for. mark is
 * scratch for n+1 numbers.  Linear time. */
ddn_tree_fault ddn_tree_check(const int32_t *head, int32_t n, bool one_root, int32_t *mark,
                              int32_t *word);

/* Whether every node's descendants and itself stand side by side.  mark is scratch for 2(n+1)
 * numbers; then mark[i] is how many children of node i were not attached to it bottom-up, none
 * where its subtree is projective and stands side by side.  Linear time. */
bool ddn_tree_is_projective(const int32_t *head, int32_t n, int32_t *mark);

#endif
