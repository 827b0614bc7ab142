/* SPDX-License-Identifier: MIT */
/* tagger.h - UPOS, XPOS and FEATS of every word, as one tag that occurred in training.
 *
 * Candidates come from a lexicon: the tags that a form had in training and, unless the form is
 * frequent, those of rare words with the same ending.  A beam finds the best sequence of tags under
 * a linear model.  A model file has the tagger in four sections:
 *     tagger.tags     the tagset, as text
 *     tagger.sets     sets of tags (uint16: how many, and DDN_SET_CLOSED; then the tags), the first
 *                     one for words of which nothing is known
 *     tagger.words    the lexicon: from forms, plain forms and endings to sets
 *     tagger.weights  a model for words whose classes are the parts of tags */
#ifndef DDN_PIPELINE_TAGGER_H
#define DDN_PIPELINE_TAGGER_H

#include "model/scorer.h"
#include "pipeline/lexicon.h"
#include "pipeline/tagset.h"
#include "pipeline/words.h"

enum {
    DDN_SET_CLOSED = 0x8000, /* no other tags than these */
    DDN_SET_MOST = 128,      /* tags of a set */
    DDN_TAG_NONE = 0xffff,   /* before the first word */
};

/* Read-only, shared by threads. */
typedef struct ddn_tagger {
    ddn_tagset tags;
    const uint16_t *set; /* borrowed, as all below */
    size_t set_size;
    ddn_lexicon words;
    ddn_model *weights; /* NULL while it is being trained */
} ddn_tagger;

/* Whether the file has a tagger. */
bool ddn_tagger_is_in(const ddn_model_file *f);
/* From the file's sections, which outlive t; and all but the weights of it. */
int ddn_tagger_open(ddn_tagger *t, const ddn_model_file *f, dodona_error *err);
int ddn_tagger_open_lexicon(ddn_tagger *t, const ddn_model_file *f, dodona_error *err);
void ddn_tagger_close(ddn_tagger *t);

/* ---- Tagging ---- */

/* The scratch memory of one thread. */
typedef struct ddn_tagging ddn_tagging;

/* weights: the tagger's, or those that learn. */
int ddn_tagging_new(const ddn_tagger *t, const ddn_model *weights, ddn_tagging **out,
                    dodona_error *err);
void ddn_tagging_free(ddn_tagging *w);
/* Tags words 1..n.  A word that has a UPOS and is not to be tagged anew keeps its tag; one that has
 * XPOS or FEATS alone gets a tag that has them, if there is one. */
int ddn_tagging_run(ddn_tagging *w, const ddn_sentence *s, bool anew, dodona_error *err);
/* The tag of word i after run. */
const ddn_tag *ddn_tagging_tag(const ddn_tagging *w, int32_t i);
/* The words of the sentence that was tagged. */
const ddn_words *ddn_tagging_words(const ddn_tagging *w);
/* Whether a word has a tag of its own: a UPOS. */
static inline bool ddn_is_tagged(const ddn_sentence *s, int32_t i)
{
    return !ddn_text_is(ddn_sentence_column(s, i, DDN_UPOS), "_");
}

/* The names of the sections. */
#define DDN_TAGGER_TAGS    "tagger.tags"
#define DDN_TAGGER_SETS    "tagger.sets"
#define DDN_TAGGER_WORDS   "tagger.words"
#define DDN_TAGGER_WEIGHTS "tagger.weights"

#endif
