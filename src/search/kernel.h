/* SPDX-License-Identifier: MIT */
/* kernel.h - what an item of the dynamic program must know of a configuration.
 *
 * Two configurations with the same kernel get the same scores now and after any moves, so a search
 * may merge them (Huang and Sagae 2010, section 3.1).  The kernel of a set of templates is
 *   - what the templates read, as values: not which word s1 is, but its tag, if that is all that
 *     they read of it.  Only a distance wants the word itself;
 *   - which word s0 is, where its span starts, and which word is next;
 *   - what legality reads, and which transition types the order of the system forbids now;
 *   - and what is needed to know all this after a move.
 *
 * A move that pushes computes its kernel from that of one configuration.  A move that takes a word
 * away computes it from two: Q, the configuration before the move, and P, the one in which the top
 * of Q was about to be pushed, for what is below the top of Q is in P as it was.  Where each
 * address is found after a move of each transition type is worked out once, and the set of
 * addresses is closed by adding what was missing: s1.lc needs s0.lc, since a push makes s0 to s1;
 * s0.lc2 needs s0.lc, and s0.lc.t needs s0.t, since an arc makes them so.
 *
 * Closed as it is, the layout begins with that of the scorer, so what is computed here can be
 * scored. */
#ifndef DDN_SEARCH_KERNEL_H
#define DDN_SEARCH_KERNEL_H

#include "core/arena.h"
#include "model/scorer.h"

enum { DDN_NOT_PUSHED = 255, DDN_KERNEL_OWN = 4 };

/* What is known of a configuration beside the words at the addresses. */
typedef struct ddn_core {
    int32_t next, start; /* the next word; the word that was pushed where the top's span starts */
    uint16_t barred;     /* transition types that the order forbids now */
    uint16_t headed;     /* bit t: the t-th element from the top has a head */
    uint8_t depth;       /* DDN_MANY: that or more */
    uint8_t pushed;      /* the transition type that pushed start; DDN_NOT_PUSHED: it is the root */
    bool headless, root_taken;
} ddn_core;

/* Where the word at an address is found after a move. */
enum {
    DDN_ORIGIN_NOTHING,
    DDN_ORIGIN_COPY,
    DDN_ORIGIN_EITHER,
    DDN_ORIGIN_BUFFER,
    DDN_ORIGIN_NEIGHBOUR,
    DDN_ORIGIN_SAME,
    DDN_ORIGIN_SAME_IF_HEADED
};

typedef struct ddn_origin {
    uint8_t how;               /* DDN_ORIGIN_ */
    uint8_t view, slot;        /* 0: P, 1: Q */
    uint8_t other_view, other; /* what takes its place when there is nothing at slot test of view */
    uint8_t test;
    bool child; /* it, or else the other, gets the label of the arc */
} ddn_origin;

enum {
    DDN_PART_CLASS,
    DDN_PART_WORD,
    DDN_PART_THERE,
    DDN_PART_LABEL,
    DDN_PART_VALENCY,
    DDN_PART_SET
};

typedef struct ddn_kernel {
    const ddn_system *system;
    ddn_layout layout;
    int s0, s1, q0;
    struct ddn_plan {
        ddn_origin origin[DDN_MAX_SLOTS];
        uint8_t order[DDN_MAX_SLOTS]; /* in which they are computed; */
        int own;                      /* from here on, the same as another of the new view */
        int head, side;               /* the slot that gets a child, and on which side; -1: none */
        int child_view;               /* and the view whose s0 (or q0) is that child */
    } plan[DDN_MAX_KINDS];
    bool words_only; /* nothing but words is read: labels, numbers and sets are not kept */
    uint16_t headed; /* which bits of ddn_core.headed count */
    /* The signature: numbers that are the same if and only if the kernels are. */
    int parts, size; /* size: of a signature, in numbers; the first OWN of them are ddn_core's */
    struct ddn_part {
        uint8_t what, slot;
        uint8_t detail; /* CLASS: which set of sources; VALENCY, SET: side */
    } part[DDN_MAX_SLOTS * 6];
    int sets;
    uint64_t set[DDN_MAX_SLOTS]; /* of sources, as bits */
} ddn_kernel;

/* Refuses by name what can't be known from two views.  reads may be NULL: then every word at an
 * address of the layout counts as itself. */
int ddn_kernel_init(ddn_kernel *k, const ddn_system *system, const ddn_layout *layout,
                    const ddn_reads *reads, dodona_error *err);

/* The start, in slot[layout.slots]. */
void ddn_kernel_start(const ddn_kernel *k, const ddn_state *start, ddn_core *core, ddn_slot *slot);
/* After a move of q: what P, Q have is p, pslot (NULL where the transition type pushes) and q,
 * qslot. */
void ddn_kernel_move(const ddn_kernel *k, ddn_move m, int32_t n, const ddn_core *p,
                     const ddn_slot *pslot, const ddn_core *q, const ddn_slot *qslot,
                     ddn_core *core, ddn_slot *slot);

/* Which words of a sentence have the same values, for each set of sources. */
typedef struct ddn_classes {
    int32_t n;
    uint32_t *of; /* [sets][n + 2] by word + 1 */
} ddn_classes;

/* value: as ddn_scorer.values gives it.  The classes are in the arena. */
int ddn_classes_find(ddn_classes *c, ddn_arena *a, const ddn_kernel *k, const uint32_t *value,
                     int32_t n, dodona_error *err);

/* Writes the signature, k->size numbers. */
void ddn_kernel_sign(const ddn_kernel *k, const ddn_classes *c, const ddn_core *core,
                     const ddn_slot *slot, uint32_t *signature);

#endif
