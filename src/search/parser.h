/* SPDX-License-Identifier: MIT */
/* parser.h - parsing on one thread: a pass of the model, and a search for each sentence of a batch.
 *
 * The sentences are encoded together, and in each round the configurations of all searches that
 * have not ended are scored together. */
#ifndef DDN_SEARCH_PARSER_H
#define DDN_SEARCH_PARSER_H

#include "search/search.h"

typedef struct ddn_parser {
    ddn_pass *pass;
    ddn_searching **searching; /* [room] one for each sentence of a batch */
    int room;
    bool *asks; /* [room] in this round */
    ddn_batch batch;
    ddn_arena arena; /* searching and asks */
} ddn_parser;

/* Opens searches of that name for batches of up to room sentences; to be closed also after a
 * failure. */
int ddn_parser_open(ddn_parser *p, const ddn_model *m, const char *search,
                    const ddn_search_options *options, int room, dodona_error *err);
void ddn_parser_close(ddn_parser *p);

/* Encodes m <= room sentences. */
int ddn_parser_encode(ddn_parser *p, const ddn_sentence *const *s, int m, dodona_error *err);
/* Runs the searches over the m sentences that were encoded; searching[i] has the result. */
int ddn_parser_search(ddn_parser *p, const ddn_sentence *const *s, int m, dodona_error *err);
/* Both. */
int ddn_parser_run(ddn_parser *p, const ddn_sentence *const *s, int m, dodona_error *err);

#endif
