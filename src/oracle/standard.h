/* SPDX-License-Identifier: MIT */
/* standard.h - what the oracles for arc-standard after Nederhof 2019 share.
 *
 * Each of them computes V, the most gold arcs that can still be made from a configuration.  The
 * score of a move is 1 if it makes a gold arc, plus V of the configuration that it leads to; all
 * that is common to them is here.  A configuration is a stack a_0..a_k, a_0 = 0, and a buffer b..n.
 * Arcs made before do not matter.
 *
 * A strategy is relative to the configuration in which the move is chosen: it says which words may
 * take no more left, or right, children after the move. */
#ifndef DDN_ORACLE_STANDARD_H
#define DDN_ORACLE_STANDARD_H

#include "oracle/oracle.h"

/* A configuration after a move. */
typedef struct ddn_after {
    const int32_t *stack;         /* [top + 1] */
    int32_t top, next;            /* k and b */
    int32_t no_left, no_left_end; /* indices no_left..no_left_end-1 take no left child */
    int32_t no_right;             /* this index takes no right child; -1: all may */
    int32_t roots;                /* children that 0 has already */
} ddn_after;

/* The critical words of the buffer from next on, for a projective tree: those whose head is not in
 * the buffer, and those with a descendant that is not.  Returns how many; mark has room for n + 1
 * and is all false before and after. */
int32_t ddn_standard_critical(const ddn_gold *gold, int32_t next, bool *mark, int32_t *critical);

/* ---- Tables for projective trees (sections 5 and 6 of the paper) ---- */

enum { DDN_NOWHERE = INT32_MAX };

/* What is computed for a gold tree before any question.  Each component of the buffer under gold
 * arcs is identified by its rightmost critical word, which is found by following heads to the right
 * and does not depend on b: see standard.c. */
typedef struct ddn_standard_tree {
    int32_t *summit; /* [n + 1] the end of the climb from each word */
    int32_t *inside; /* [n + 2] gold arcs within the buffer that starts at each word: M */
} ddn_standard_tree;

/* Takes the arrays from the arena; false: no memory. */
bool ddn_standard_tree_set(ddn_standard_tree *t, const ddn_gold *gold, ddn_arena *arena);

/* The entries of the paper's tables for the stack element a_i.  Critical words are given as words,
 * not by numbers; 0: none. */
typedef struct ddn_spot {
    int32_t word;
    int32_t head;       /* p: the gold head, if in the buffer */
    int32_t waits;      /* q: head, or that of the nearest element above that has one */
    int32_t child;      /* c: the first gold child in the buffer */
    int32_t children;   /* how many there are; none if it may not take right children */
    int32_t low;        /* the lowest element below with a gold arc to it or from it, or NOWHERE */
    int32_t part;       /* the component of head */
    int32_t waits_part; /* the component of waits */
    int32_t reach;      /* the lowest element with a gold arc to or from that of head */
} ddn_spot;

/* States of the component that the top of the stack waits for: none of its critical words was
 * shifted; the one that the top waits for was; another was. */
enum { DDN_NONE, DDN_CONSUMED, DDN_FRESH };

/* The state after the top, which waited for `from`, was replaced by one that waits for `to`. */
static inline int ddn_standard_turn(int state, const ddn_spot *to, int32_t from, int32_t part)
{
    if (state == DDN_NONE || to->waits_part != part)
        return DDN_NONE;
    return to->waits != from ? DDN_FRESH : state;
}

/* Whether the stack element i may not take left children. */
static inline bool ddn_after_no_left(const ddn_after *c, int32_t i)
{
    return i >= c->no_left && i < c->no_left_end;
}

/* ---- Spaces ---- */

/* How the spaces of the oracles with these costs and values begin. */
typedef struct ddn_standard ddn_standard;
struct ddn_standard {
    ddn_oracle_space base;
    /* V; negative: no final configuration can be reached. */
    int32_t (*best)(ddn_standard *w, const ddn_after *c);
    int32_t *stack; /* [n + 2] after a move */
    /* The tables, where the oracle is for projective trees. */
    ddn_standard_tree tree;
    ddn_spot *spot; /* [k + 1] */
    int32_t *place; /* [n + 1] index of each word on the stack, -1 elsewhere */
    int32_t *reach; /* [n + 1] by component; what is not one is not set */
};

bool ddn_standard_serves(const ddn_system *system);
/* Takes its arrays, and has w->best set; false: no memory. */
bool ddn_standard_begin(ddn_standard *w, int32_t (*best)(ddn_standard *w, const ddn_after *c));
/* Fills the tables for a configuration. */
void ddn_standard_fill(ddn_standard *w, const ddn_after *c);

/* An oracle's costs and value. */
void ddn_standard_costs(void *space, const ddn_state *s, const ddn_move *moves, int32_t m,
                        int32_t *cost);
int32_t ddn_standard_value(void *space, const ddn_state *s);

/* cubic without the reduction to critical words, for comparison. */
extern const ddn_oracle ddn_oracle_cubic_full;

#endif
