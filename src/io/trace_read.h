/* SPDX-License-Identifier: MIT */
/* trace_read.h - the arcs of a traced sentence, from a line that search/trace.h describes.  Of the
 * object only "words" and "moves" are looked at, and of a move only "made" and "removed". */
#ifndef DDN_IO_TRACE_READ_H
#define DDN_IO_TRACE_READ_H

#include "core/error.h"
#include <stdint.h>

typedef struct ddn_trace_arc {
    int32_t head, child;
} ddn_trace_arc;

/* A move that changed arcs: those that it made, then those that it took away. */
typedef struct ddn_trace_move {
    size_t first; /* of the arcs */
    size_t made, removed;
} ddn_trace_move;

typedef struct ddn_trace {
    int32_t words;
    ddn_trace_move *move; /* [moves] without those that changed no arc */
    ddn_trace_arc *arc;   /* [arcs] heads from 0, children from 1 to words */
    size_t moves, arcs, move_cap, arc_cap;
} ddn_trace;

void ddn_trace_init(ddn_trace *t);
void ddn_trace_fini(ddn_trace *t);
/* Numbers are in range afterwards; otherwise the message says what is not so. */
int ddn_trace_read(ddn_trace *t, dodona_text json, dodona_error *err);

#endif
