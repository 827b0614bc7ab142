/* SPDX-License-Identifier: MIT */
/* variants.h - copies of training sentences in other spellings, so that a model does not lean on
 * casing, apostrophes, quotes and final punctuation alone. */
#ifndef DDN_TRAIN_VARIANTS_H
#define DDN_TRAIN_VARIANTS_H

#include "core/output.h"
#include "train/train.h"

typedef enum ddn_variant {
    DDN_VARIANT_OPEN,  /* without the punctuation at the end */
    DDN_VARIANT_UPPER, /* in capitals */
    DDN_VARIANT_LOWER, /* in lower case */
    DDN_VARIANT_PLAIN, /* without apostrophes inside words */
    DDN_VARIANT_CURLY, /* with curly apostrophes and quotes */
    DDN_VARIANTS
} ddn_variant;

/* The sentence in that spelling, as CoNLL-U, a paragraph by itself.  False: it would be the same,
 * or empty, and nothing is put. */
bool ddn_variant_put(ddn_output *o, const ddn_sentence *s, ddn_variant variant);

/* Appends copies of so many percent of the sentences, each in one of the spellings that change it.
 */
int ddn_treebank_vary(ddn_treebank *t, int percent, uint64_t seed, dodona_error *err);

#endif
