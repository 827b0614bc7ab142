/* SPDX-License-Identifier: MIT */
/* cycles.h - the elementary cycles of a graph in which every word has at most two heads, one at a
 * time.
 *
 * The number of cycles can be exponential in the number of words.  An enumeration can stop at any
 * time, and several can be advanced in turn, so that counting up to a bound, or finding which of
 * several graphs has fewer cycles, takes no longer than needed. */
#ifndef DDN_ORACLE_CYCLES_H
#define DDN_ORACLE_CYCLES_H

#include "core/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ddn_cycles {
    int32_t n;
    int32_t (*head)[2]; /* [n + 1] to be filled in by the caller for 1..n; 0: none */
    int32_t *path;      /* [length] the cycle that was found: each node is a head of the one before
                         * it, and the first one of the last */
    int32_t length;
    int64_t steps; /* heads looked at since begin */

    /* The walk: starts below start are done; path above is where it stands, in the component of
     * start among the words from start on. */
    int32_t start;
    uint8_t *slot;      /* [length] heads of this node of the path that were looked at */
    bool *found;        /* [length] a cycle was found beyond this node of the path */
    bool *blocked;      /* [n + 1] no way from here to start but through the path */
    int32_t *waiting;   /* [n + 1] first of the edges that wait for this node to be unblocked */
    int32_t *link;      /* [2 (n + 1)] the next of them; edge 2 v + k is v's k-th head; NOT_THERE */
    int32_t *component; /* [n + 1] */
    int32_t *order;     /* [n + 1] scratch, like the next two */
    int32_t *low, *todo; /* [n + 1] */
    ddn_arena arena;
} ddn_cycles;

void ddn_cycles_init(ddn_cycles *c);
void ddn_cycles_fini(ddn_cycles *c);
/* Room for n words; false: no memory. */
bool ddn_cycles_reserve(ddn_cycles *c, int32_t n);

/* Starts over, once head is filled in. */
void ddn_cycles_begin(ddn_cycles *c);
/* The next cycle, in path; false: there are no more.  Takes at most a fixed number of steps a word.
 */
bool ddn_cycles_next(ddn_cycles *c);

#endif
