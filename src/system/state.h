/* SPDX-License-Identifier: MIT */
/* state.h - a configuration of any transition system.
 *
 * The stack (0, the root, at its bottom), the next input word (the buffer is always the rest of
 * the sentence), Covington's left focus word, and the partial tree.  A node knows its head and, on
 * each side, its children in order: far is the outermost, near the innermost, and siblings are
 * linked both ways, so that an arc can be made and taken back in any order.
 *
 * Systems change a state only through the primitives below.  Each records in a ddn_undo what it
 * changed, so ddn_state_revert works for every system. */
#ifndef DDN_SYSTEM_STATE_H
#define DDN_SYSTEM_STATE_H

#include "core/error.h"
#include <stdbool.h>
#include <stdint.h>

enum { DDN_LEFT, DDN_RIGHT };

typedef struct ddn_node {
    uint64_t set[2];         /* labels of the children on each side: bit label % 64 */
    int32_t head;            /* -1: none */
    int32_t far[2], near[2]; /* children; 0: none, as the root is nobody's child */
    int32_t inward, outward; /* next sibling on the same side, towards the head and away from it */
    int32_t valency[2];      /* number of children on each side */
    uint16_t label;          /* of the arc from head */
    bool stacked;            /* on the stack */
} ddn_node;

/* What must hold of a final configuration.  PLAIN is the system as its paper defines it, where
 * words may be left without a head; a parser uses one of the others, and its end is always a
 * tree. */
typedef enum ddn_roots { DDN_ROOTS_ONE, DDN_ROOTS_MANY, DDN_ROOTS_PLAIN } ddn_roots;

typedef struct ddn_state {
    int32_t n;
    int32_t depth;    /* elements on the stack, 0 counted */
    int32_t next;     /* first word of the buffer, Covington's right focus word; n+1: none */
    int32_t left;     /* Covington's left focus word; 0 elsewhere */
    int32_t headless; /* words on the stack without a head */
    ddn_roots roots;
    int32_t *stack; /* [depth] */
    ddn_node *node; /* [n+1] */
    size_t stack_cap, node_cap;
} ddn_state;

enum { DDN_UNDO_ARCS = 2 }; /* a move makes one arc and may break another */

/* What a move changed. */
typedef struct ddn_undo {
    int32_t depth, next, left; /* before */
    int32_t removed, index;    /* word taken from the stack and where it was; -1: none */
    int arcs;
    struct {
        int32_t child, head; /* the head before; -1: none */
        uint16_t label;
    } arc[DDN_UNDO_ARCS];
} ddn_undo;

void ddn_state_init(ddn_state *s);
void ddn_state_fini(ddn_state *s);
/* The start: 0 alone on the stack, n words in the buffer, no arcs. */
int ddn_state_start(ddn_state *s, int32_t n, ddn_roots roots, dodona_error *err);
int ddn_state_copy(ddn_state *to, const ddn_state *from, dodona_error *err);

/* The k-th element from the top of the stack, or -1. */
static inline int32_t ddn_state_top(const ddn_state *s, int k)
{
    return k < s->depth ? s->stack[s->depth - 1 - k] : -1;
}

/* Whether there is a path of arcs from a to b. */
static inline bool ddn_state_leads_to(const ddn_state *s, int32_t a, int32_t b)
{
    while (b >= 0 && b != a)
        b = s->node[b].head;
    return b == a;
}

/* ---- Primitives; undo may be NULL.  ddn_undo_begin comes first. ---- */

void ddn_undo_begin(const ddn_state *s, ddn_undo *undo);
/* Moves the next word onto the stack. */
void ddn_state_push(ddn_state *s);
/* Moves the focus to the words left and next; the stack stays as it is. */
void ddn_state_focus(ddn_state *s, int32_t left, int32_t next);
/* Takes the k-th element from the top off the stack; at most one a move. */
void ddn_state_remove(ddn_state *s, int k, ddn_undo *undo);
/* Gives child a head, in place of one that it may have. */
void ddn_state_attach(ddn_state *s, int32_t head, int32_t child, uint16_t label, ddn_undo *undo);
void ddn_state_detach(ddn_state *s, int32_t child, ddn_undo *undo);

/* Undoes the last move. */
void ddn_state_revert(ddn_state *s, const ddn_undo *undo);

#endif
