/* SPDX-License-Identifier: MIT */
/* parser.h - parsing on one thread: a pass of the model, and searches over the sentences of a
 * batch.
 *
 * The sentences are encoded together, and in each round the configurations of all searches that
 * have not ended are scored together.  Exact searches run one after the other: they rarely ask for
 * configurations, and each has a chart in memory. */
#ifndef DDN_SEARCH_PARSER_H
#define DDN_SEARCH_PARSER_H

#include "search/search.h"

typedef struct ddn_parser {
    ddn_pass *pass;
    int room;                  /* sentences that are encoded together, */
    int lanes;                 /* and those of them that are searched together */
    ddn_searching **searching; /* [lanes] */
    dodona_error *failure;     /* [lanes] of the last run; code DODONA_OK: there was none */
    bool *asks;                /* [lanes] in this round */
    ddn_batch batch;
    ddn_arena arena; /* searching, failure and asks */
} ddn_parser;

/* Opens searches of that name for batches of up to room sentences; to be closed also after a
 * failure. */
int ddn_parser_open(ddn_parser *p, const ddn_model *m, const char *search,
                    const ddn_search_options *options, int room, dodona_error *err);
void ddn_parser_close(ddn_parser *p);

/* Encodes m <= room sentences. */
int ddn_parser_encode(ddn_parser *p, const ddn_sentence *const *s, int m, dodona_error *err);
/* Runs the searches over m <= lanes of the sentences that were encoded, from number first on.
 * searching[i] has the result for sentence first + i, or failure[i] says why there is none; the
 * first of these failures is returned. */
int ddn_parser_search(ddn_parser *p, const ddn_sentence *const *s, int first, int m,
                      dodona_error *err);
/* Both, for m <= lanes sentences. */
int ddn_parser_run(ddn_parser *p, const ddn_sentence *const *s, int m, dodona_error *err);

#endif
