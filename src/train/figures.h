/* SPDX-License-Identifier: MIT */
/* figures.h - what tokenizer, tagger and lemmatizer reach on a gold treebank, in percent. */
#ifndef DDN_TRAIN_FIGURES_H
#define DDN_TRAIN_FIGURES_H

#include "model/file.h"
#include "pipeline/lemmatizer.h"
#include "pipeline/tagger.h"
#include "train/train.h"

enum { DDN_MAX_FIGURES = 4 };

typedef struct ddn_figures {
    dodona_figure of[DDN_MAX_FIGURES];
    int count;
} ddn_figures;

/* F1 of tokens, sentences and words, as dodona eval counts them, when the text of gold, a paragraph
 * a line, is tokenized. */
int ddn_figures_tokenizer(const ddn_model_file *part, const ddn_treebank *gold, ddn_figures *out,
                          dodona_error *err);
/* Words with the right UPOS, XPOS and FEATS when gold is tagged. */
int ddn_figures_tagger(const ddn_model_file *part, const ddn_treebank *gold, ddn_figures *out,
                       dodona_error *err);
/* Words with the right LEMMA when gold is tagged and lemmatized. */
int ddn_figures_lemmatizer(const ddn_model_file *tagger, const ddn_model_file *part,
                           const ddn_treebank *gold, ddn_figures *out, dodona_error *err);

/* A copy of a treebank with predicted UPOS, XPOS, FEATS and LEMMA into *out, which is empty. */
int ddn_treebank_annotate(const ddn_treebank *gold, const ddn_tagger *tagger,
                          const ddn_lemmatizer *lemmatizer, ddn_treebank *out, dodona_error *err);
/* Words of sentences from..to-1 with the right UPOS, XPOS, FEATS and LEMMA. */
void ddn_figures_columns(const ddn_treebank *found, const ddn_treebank *gold, size_t from,
                         size_t to, ddn_figures *out);

/* " UPOS 94.89 XPOS 94.14", for the metadata. */
void ddn_figures_put(const ddn_figures *f, ddn_output *o);

#endif
