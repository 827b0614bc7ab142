/* SPDX-License-Identifier: MIT */
/* api.h - what the public types are made of, for the files of this room. */
#ifndef DDN_API_API_H
#define DDN_API_API_H

#include "chart/decode.h"
#include "core/output.h"
#include "model/scorer.h"
#include "pipeline/annotate.h"
#include "pipeline/text_pieces.h"
#include "tree/sentence.h"

struct dodona_sentence {
    ddn_sentence s;
    const char *fallback; /* the search that parsed it in place of another; NULL: none */
    ddn_output forest;    /* a line, where it was asked for, */
    ddn_output trace;     /* and another, under this number: */
    int64_t number;       /* among the sentences with words */
    dodona_error fault;   /* why it was left unparsed; code 0: it was not */
    bool is_piece;        /* not a sentence, but a piece of a text that is to be tokenized */
    ddn_text_piece *piece;
};

struct dodona_model {
    ddn_model_file file;
    ddn_schema schema;
    ddn_model *parser;
    bool has_tagger;
    ddn_tagger tagger;
    ddn_lemmatizer lemmatizer;
    bool roots_many;                    /* what it was trained for, */
    char search[32];                    /* and with */
    char decoder[DDN_MAX_DECODER_NAME]; /* "": the system's own */
    int beam;
    double temperature; /* of confidences with that search; 0: none */
    double coverage;    /* how probable it is that a forest of it has the right arc */
    double rival_temperature, rival_coverage; /* the same for rivals (search/rivals.h) */
    bool has_tokenizer;
    ddn_tokenizer tokenizer;
};

/* dodona_parse for several sentences; *parsed: those before a failure.  Where the workspace's
 * options have a trace, the lines stay in the sentences; a sentence without words has none. */
int ddn_workspace_parse(dodona_workspace *ws, dodona_sentence *const *s, size_t count,
                        size_t *parsed, dodona_error *err);

/* A source of the caller, with the sentence that it fills each time; next lends that sentence, as a
 * ddn_eval_source does. */
typedef struct ddn_filled {
    const dodona_source *from;
    dodona_sentence *s;
} ddn_filled;

int ddn_filled_next(void *filled, const ddn_sentence **s, dodona_error *err);

/* DODONA_E_ARGUMENT, with an error, for a source that can't be asked. */
int ddn_check_source(const dodona_source *from, dodona_error *err);

/* Copies options that a caller filled, perhaps an older and shorter struct, over the defaults in
 * *all. */
static inline void ddn_options_take(void *all, size_t size, const void *given, size_t given_size)
{
    memcpy(all, given, given_size < size ? given_size : size);
}

#endif
