/* SPDX-License-Identifier: MIT */
/* trace.h - the moves that led to a tree, as a JSON object in one line.
 *
 *     {"sentence":1,"sent_id":"a-1","system":"arc-eager-nm","words":3,"moves":[{"move":"shift"},
 *      {"move":"right-arc","made":[[1,2,"obj"]]},
 *      {"move":"left-arc","made":[[3,2,"det"]],"removed":[[1,2,"obj"]]},...]}
 *
 * Sentences are counted from 1; those without words have no line.  sent_id is left out where the
 * sentence has none.  A move is named as dodona oracle names it, with its place k on the spine in
 * LR-spine ("left-arc:2").  An arc is [head, child, label], the label as the model knows it.  made
 * and removed are left out where a move makes or takes away no arc.  io/trace_read.h reads it. */
#ifndef DDN_SEARCH_TRACE_H
#define DDN_SEARCH_TRACE_H

#include "core/output.h"
#include "model/schema.h"
#include "search/search.h"

/* What a thread that writes traces keeps. */
typedef struct ddn_tracer {
    ddn_state state;
    int32_t *position; /* [n + 1] */
    size_t position_cap;
} ddn_tracer;

void ddn_tracer_init(ddn_tracer *t);
void ddn_tracer_fini(ddn_tracer *t);

/* The line, with its newline, of sentence s, which w has just parsed and kept the moves of; refuses
 * a search that makes none.  What o meets is left in o. */
int ddn_trace_put(ddn_tracer *t, ddn_output *o, const ddn_schema *schema, const ddn_searching *w,
                  const ddn_sentence *s, int64_t number, dodona_error *err);

#endif
