/* SPDX-License-Identifier: MIT */
/* grammar.h - split grammars as data (Nederhof 2019, section 3).
 *
 * A word's left children and its right children are attached independently of each other.  The left
 * process is in one of a few states, the right process too, and a pair (B, C) says where both are:
 *
 *     (B, C) -> a              initial states of a word of kind a
 *     A -> (B, C)              a word whose processes end in B and C may become a child, as an A
 *     (B', _) -> A (B, _)      taking a left child A leads from B to B'
 *     (_, C') -> (_, C) A      taking a right child A leads from C to C'
 *
 * States and nonterminals share their numbers.  The chart uses a plan: the rules multiplied out,
 * and grouped where they share a factor. */
#ifndef DDN_CHART_GRAMMAR_H
#define DDN_CHART_GRAMMAR_H

#include <stdbool.h>
#include <stdint.h>

enum { DDN_SPLIT_STATES = 2, DDN_SPLIT_RULES = 8, DDN_SPLIT_PAIRS = 4, DDN_SPLIT_GROUPS = 4 };

typedef struct ddn_split_pair {
    uint8_t left, right;
} ddn_split_pair;

typedef struct ddn_split_finish { /* from -> (left, right) */
    uint8_t symbol, left, right;
} ddn_split_finish;

typedef struct ddn_split_take { /* (to, _) -> child (from, _), or the mirror image */
    uint8_t to, child, from;
} ddn_split_take;

typedef struct ddn_split_grammar {
    const char *name;
    int states, kinds, finishes, lefts, rights; /* how many of each below */
    ddn_split_pair initial[DDN_SPLIT_STATES];   /* [kinds] */
    ddn_split_finish finish[DDN_SPLIT_RULES];
    ddn_split_take left[DDN_SPLIT_RULES], right[DDN_SPLIT_RULES];
    uint8_t start;
} ddn_split_grammar;

/* Table 3: every projective tree.  One kind of word, 0. */
extern const ddn_split_grammar ddn_split_projective;

/* Table 4: the trees that arc-standard can still build over stack and buffer.  Stack elements below
 * the top are of kind DDN_SPLIT_BELOW; the top and the buffer are of kind DDN_SPLIT_AHEAD.  In the
 * strict one, what is below takes no left children. */
enum { DDN_SPLIT_BELOW, DDN_SPLIT_AHEAD };
extern const ddn_split_grammar ddn_split_stack, ddn_split_stack_strict;

/* Children of one side that lead to the state `to`: the outermost one is taken last.  Its outer
 * half ended in `outer`; what lies between it and the head is one of the pairs in the mask. */
typedef struct ddn_split_group {
    uint8_t to, outer;
    uint8_t pairs; /* bit p: plan->pair[p] */
} ddn_split_group;

typedef struct ddn_split_plan {
    int states, kinds, pairs, lefts, rights;
    ddn_split_pair initial[DDN_SPLIT_STATES];
    /* What can meet between two neighbours i < j on the way to an arc: i's right process in
     * pair.left, j's left process in pair.right. */
    ddn_split_pair pair[DDN_SPLIT_PAIRS];
    ddn_split_group left[DDN_SPLIT_GROUPS], right[DDN_SPLIT_GROUPS];
    bool left_grows[DDN_SPLIT_STATES];  /* some left rule leads to the state; else it is met at */
    bool right_grows[DDN_SPLIT_STATES]; /* single words only */
    int starts;
    ddn_split_pair start[DDN_SPLIT_RULES]; /* start -> (left, right) */
} ddn_split_plan;

/* The grammar must fit the sizes above, which is asserted. */
void ddn_split_plan_make(ddn_split_plan *plan, const ddn_split_grammar *grammar);

#endif
