/* SPDX-License-Identifier: MIT */
/* sink.h - where parsed sentences go, and the files beside them: moves and forests. */
#ifndef DDN_CLI_SINK_H
#define DDN_CLI_SINK_H

#include "core/output.h"
#include "dodona.h"

typedef struct ddn_sink_options {
    const char *format;
    const char *path;           /* "-": standard output */
    const char *trace, *forest; /* NULL: none */
    bool flush;
} ddn_sink_options;

typedef struct ddn_sink {
    const ddn_sink_options *options;
    dodona_writer *writer;
    ddn_output moves, forest;
    int64_t fallbacks;    /* sentences that another search parsed, */
    const char *fallback; /* and which */
    int64_t unparsed;
    dodona_error first; /* why */
} ddn_sink;

/* The options outlive the sink. */
int ddn_sink_open(ddn_sink *to, const ddn_sink_options *o, dodona_error *err);
/* A dodona_trace and a dodona_push.  Push fails with DODONA_E_CANCELLED after an interrupt. */
int ddn_sink_moves(void *sink, dodona_text line, dodona_error *err);
int ddn_sink_push(void *sink, dodona_sentence *s, dodona_error *err);
/* Files appear when status is not negative, and else are as they were before.  To standard output,
 * what was parsed before a failure is still written: it can't be taken back.  Returns status, or
 * what failed now. */
int ddn_sink_close(ddn_sink *to, int status, dodona_error *err);

#endif
