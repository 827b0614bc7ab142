/* SPDX-License-Identifier: MIT */
/* lemmatizer_train.h - from annotated sentences to a lemmatizer (pipeline/lemmatizer.h). */
#ifndef DDN_TRAIN_LEMMATIZER_TRAIN_H
#define DDN_TRAIN_LEMMATIZER_TRAIN_H

#include "pipeline/lemmatizer.h"
#include "train/loop.h"

typedef struct ddn_lemmatizer_options {
    int iterations;
    uint64_t seed;
    uint64_t bytes; /* the most that the weights may take */
    ddn_listener listener;
} ddn_lemmatizer_options;

/* What is usual: 10 iterations, weights of at most 0.8 MB, no listener. */
ddn_lemmatizer_options ddn_lemmatizer_defaults(uint64_t seed);

/* Learns from the sentences, and appends the sections of the lemmatizer. */
int ddn_lemmatizer_train(const ddn_lemmatizer_options *o, const ddn_sentence *const *sentence,
                         size_t count, ddn_sections *out, dodona_error *err);

#endif
