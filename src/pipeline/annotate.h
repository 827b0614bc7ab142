/* SPDX-License-Identifier: MIT */
/* annotate.h - writes tags and lemmas into the columns of a sentence. */
#ifndef DDN_PIPELINE_ANNOTATE_H
#define DDN_PIPELINE_ANNOTATE_H

#include "pipeline/lemmatizer.h"
#include "pipeline/tagger.h"

/* What one thread annotates with. */
typedef struct ddn_annotator {
    ddn_tagging *tagging;
    ddn_lemmatizing lemmatizing;
} ddn_annotator;

int ddn_annotator_init(ddn_annotator *a, const ddn_tagger *t, const ddn_lemmatizer *l,
                       dodona_error *err);
void ddn_annotator_fini(ddn_annotator *a);

/* Sets UPOS, XPOS and FEATS of the words that have no UPOS, leaving what is filled of the three,
 * and LEMMA of those that have none; with anew, all four of all words. */
int ddn_annotate(ddn_annotator *a, ddn_sentence *s, bool anew, dodona_error *err);

#endif
