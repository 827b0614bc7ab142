/* SPDX-License-Identifier: MIT */
/* view.h - what a scorer may read of a configuration: a few nodes found by address.
 *
 * An address starts at the stack (s0 is the top), at the buffer (q0 is the next word), at the left
 * focus word (l0, and the words before it), at a word between the focus words that has no head
 * among them yet (cl, cr), at the position of a candidate move (p), or at the head and the child of
 * the arc that it makes (h, and c or m), and follows links of the partial tree or of the sentence
 * from there: s0.lc.lc, q0.h, s1.next.
 *
 * A layout is the list of addresses that a scorer reads, parents before children, with what it
 * reads at each.  A view holds the values of a layout in one configuration.  Views are flat and
 * hold no pointers, so a beam keeps them in an array and an item of a dynamic program can be
 * one. */
#ifndef DDN_SYSTEM_VIEW_H
#define DDN_SYSTEM_VIEW_H

#include "system/state.h"

typedef enum ddn_link {
    DDN_LINK_STACK,       /* the index-th element from the top */
    DDN_LINK_BUFFER,      /* the index-th word of the buffer */
    DDN_LINK_FOCUS,       /* the left focus word, or the index-th word before it */
    DDN_LINK_OUTER_FIRST, /* the first word between the focus words with no head from one to the
                             other */
    DDN_LINK_OUTER_LAST,  /* the last such word */
    DDN_LINK_POS,         /* the position of a candidate move */
    DDN_LINK_CHILD,       /* the child of the arc that it makes, where it has a position or the
                             layout sees arcs */
    DDN_LINK_ARC_HEAD,    /* its head, likewise */
    /* From here on a step from another address. */
    DDN_LINK_HEAD,
    DDN_LINK_FAR_LEFT, /* outermost child on the left, then on the right */
    DDN_LINK_FAR_RIGHT,
    DDN_LINK_FAR_LEFT2, /* the second outermost */
    DDN_LINK_FAR_RIGHT2,
    DDN_LINK_NEAR_LEFT, /* innermost */
    DDN_LINK_NEAR_RIGHT,
    DDN_LINK_PREV, /* the word before it in the sentence (before word 1: the root), and after it */
    DDN_LINK_NEXT,
} ddn_link;

enum { DDN_WANTS_LABEL = 1, DDN_WANTS_VALENCY = 2, DDN_WANTS_SET = 4 };
enum { DDN_MAX_SLOTS = 48, DDN_MAX_INDEX = 7 };

typedef struct ddn_address {
    uint8_t link;
    uint8_t index; /* for the first three links */
    int8_t from;   /* slot that the step starts from; -1 where an address starts */
    uint8_t wants;
} ddn_address;

typedef struct ddn_layout {
    int slots;
    bool arcs;       /* every move that makes an arc has a view of its own, with h and m */
    uint64_t placed; /* a bit for each slot that starts from p, c or h, however far */
    ddn_address address[DDN_MAX_SLOTS];
} ddn_layout;

static inline bool ddn_layout_placed(const ddn_layout *l, int slot)
{
    return l->placed >> slot & 1;
}

typedef struct ddn_slot {
    int32_t word;       /* -1: nothing there */
    uint16_t label;     /* of the arc from its head, plus 1; 0: no head */
    int32_t valency[2]; /* this and the rest only where the address wants it */
    uint64_t set[2];
} ddn_slot;

typedef struct ddn_view {
    int32_t n, depth, next, left;
    /* Views of one configuration that are scored together stand one after the other.  The first has
     * no p; this says how many places before this one it is, 0 if this is it. */
    int32_t back;
    ddn_slot slot[DDN_MAX_SLOTS];
} ddn_view;

/* The slot of an address, added if it is not there yet; -1 when the layout is full. */
int ddn_layout_add(ddn_layout *l, ddn_address a);

/* Fills v for s; pos is the position of the candidate move and child that of its arc, -1 where
 * there is none.  What an address does not want stays as it was; back becomes 0. */
void ddn_view_fill(const ddn_layout *l, const ddn_state *s, int32_t pos, int32_t child,
                   ddn_view *v);
/* The same for view v[back], but only at addresses that start from p or the ends of the arc; for
 * the others there is v[0], which has been filled without them. */
void ddn_view_fill_placed(const ddn_layout *l, const ddn_state *s, int32_t pos, int32_t head,
                          int32_t child, ddn_view *v, int32_t back);

/* ---- What a scorer reads of a view ---- */

/* An atomic feature: something of the word at a slot. */
typedef enum ddn_atom_kind {
    DDN_ATOM_WORD, /* a number of the word itself, which the scorer found in the sentence */
    DDN_ATOM_LABEL,
    DDN_ATOM_VALENCY,
    DDN_ATOM_SET,
    DDN_ATOM_DISTANCE,
} ddn_atom_kind;

enum { DDN_MOST_CHILDREN = 7 }; /* more are not told apart */

typedef struct ddn_atom {
    uint8_t kind, slot;
    uint8_t detail; /* WORD: which number; VALENCY, SET: side; DISTANCE: the other slot */
} ddn_atom;

/* All that scores depend on.  A search may treat configurations that agree in it as one. */
typedef struct ddn_reads {
    int atoms;
    const ddn_atom *atom;
    const void *of; /* for describe */
    /* Writes what a person would call the atom and where it was asked for. */
    void (*describe)(const void *of, int atom, char *buf, size_t size);
} ddn_reads;

/* Writes the address of a slot as templates have it; returns its length. */
size_t ddn_layout_describe(const ddn_layout *l, int slot, char *buf, size_t size);

#endif
