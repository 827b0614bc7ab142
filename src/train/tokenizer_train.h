/* SPDX-License-Identifier: MIT */
/* tokenizer_train.h - from annotated sentences to a tokenizer (pipeline/tokenizer.h). */
#ifndef DDN_TRAIN_TOKENIZER_TRAIN_H
#define DDN_TRAIN_TOKENIZER_TRAIN_H

#include "model/file.h"
#include "train/train.h"

typedef struct ddn_tokenizer_options {
    int iterations;
    uint64_t seed;
    uint64_t model_bytes; /* the most that weights may take */
} ddn_tokenizer_options;

void ddn_tokenizer_options_init(ddn_tokenizer_options *o);

enum { DDN_TOKENIZER_SECTIONS = 3 };

/* What goes into the model file. */
typedef struct ddn_tokenizer_parts {
    ddn_output rules, tokens, sentences; /* memory */
} ddn_tokenizer_parts;

/* Trains on the tokens of the sentences and on what MISC and comments say of the text around them.
 * The same options and sentences give the same bytes.  To fini also after a failure. */
int ddn_tokenizer_train(const ddn_tokenizer_options *o, const ddn_treebank *train,
                        ddn_tokenizer_parts *parts, dodona_error *err);
void ddn_tokenizer_parts_fini(ddn_tokenizer_parts *parts);
/* Borrowed from parts. */
void ddn_tokenizer_sections(const ddn_tokenizer_parts *parts,
                            ddn_section out[DDN_TOKENIZER_SECTIONS]);

#endif
