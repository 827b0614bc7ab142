/* SPDX-License-Identifier: MIT */
/* measure.h - how well a model parses a treebank. */
#ifndef DDN_TRAIN_MEASURE_H
#define DDN_TRAIN_MEASURE_H

#include "search/search.h"
#include "train/train.h"

typedef struct ddn_measured {
    uint64_t heads, labels; /* words with the right head; and the right label, too */
} ddn_measured;

/* Parses dev by the search of that name.  tick, which may be NULL, is called now and then; a
 * negative code stops. */
int ddn_measure(const ddn_model *model, const char *search, const ddn_search_options *options,
                const ddn_treebank *dev, int (*tick)(void *ctx, size_t done, dodona_error *err),
                void *ctx, ddn_measured *out, dodona_error *err);

#endif
