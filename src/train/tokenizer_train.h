/* SPDX-License-Identifier: MIT */
/* tokenizer_train.h - from annotated sentences to a tokenizer (pipeline/tokenizer.h). */
#ifndef DDN_TRAIN_TOKENIZER_TRAIN_H
#define DDN_TRAIN_TOKENIZER_TRAIN_H

#include "model/file.h"
#include "train/loop.h"
#include "train/train.h"

typedef struct ddn_tokenizer_options {
    int iterations;
    uint64_t seed;
    uint64_t model_bytes; /* the most that weights may take */
    ddn_listener listener;
} ddn_tokenizer_options;

void ddn_tokenizer_options_init(ddn_tokenizer_options *o);

/* Trains on the tokens of the sentences and on what MISC and comments say of the text around them,
 * and appends the sections of the tokenizer.  The same options and sentences give the same bytes.
 */
int ddn_tokenizer_train(const ddn_tokenizer_options *o, const ddn_treebank *train,
                        ddn_sections *out, dodona_error *err);

#endif
