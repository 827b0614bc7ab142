/* SPDX-License-Identifier: MIT */
/* tagger_train.h - from annotated sentences to a tagger (pipeline/tagger.h). */
#ifndef DDN_TRAIN_TAGGER_TRAIN_H
#define DDN_TRAIN_TAGGER_TRAIN_H

#include "pipeline/tagger.h"
#include "train/loop.h"

typedef struct ddn_tagger_options {
    int iterations;
    int runs; /* of so many iterations each, from nothing; their weights are averaged */
    uint64_t seed;
    uint64_t bytes; /* the most that the weights may take */
    ddn_listener listener;
} ddn_tagger_options;

/* What is usual: three runs of 10 iterations, weights of at most 2.9 MB, no listener. */
ddn_tagger_options ddn_tagger_defaults(uint64_t seed);

/* Learns from the sentences, and appends the sections of the tagger; words without a UPOS are
 * learnt as such ("_" is a tag, too). */
int ddn_tagger_train(const ddn_tagger_options *o, const ddn_sentence *const *sentence, size_t count,
                     ddn_sections *out, dodona_error *err);

#endif
