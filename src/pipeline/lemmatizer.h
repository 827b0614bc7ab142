/* SPDX-License-Identifier: MIT */
/* lemmatizer.h - lemmas from forms and tags, by rules that training had.
 *
 * A lexicon knows the rule of a form with its tag; a form that is not there gets the rule that a
 * classifier prefers among those that apply to it; where none applies, the form is the lemma.  A
 * model file has the lemmatizer in three sections:
 *     lemma.rules    a line each (lemma_rule.h); those that the classifier chooses from come first
 *     lemma.words    the lexicon: from forms with tags to rules
 *     lemma.weights  the classifier */
#ifndef DDN_PIPELINE_LEMMATIZER_H
#define DDN_PIPELINE_LEMMATIZER_H

#include "model/file.h"
#include "pipeline/classifier.h"
#include "pipeline/lemma_rule.h"
#include "pipeline/lexicon.h"
#include "pipeline/words.h"

enum { DDN_LEMMATIZER_SECTIONS = 3, DDN_LEMMA_KEYS = 24 };

/* Read-only, shared by threads. */
typedef struct ddn_lemmatizer {
    ddn_lemma_rule *rule; /* [rules] their texts are borrowed, as all below */
    size_t rule_cap;
    uint32_t rules;
    ddn_lexicon words;
    ddn_classifier weights; /* of the first rules */
} ddn_lemmatizer;

/* From the file's sections, or from DDN_LEMMATIZER_SECTIONS of them; they must outlive l. */
int ddn_lemmatizer_open(ddn_lemmatizer *l, const ddn_model_file *f, dodona_error *err);
int ddn_lemmatizer_open_sections(ddn_lemmatizer *l, const ddn_section *section, dodona_error *err);
void ddn_lemmatizer_close(ddn_lemmatizer *l);

/* The scratch memory of one thread. */
typedef struct ddn_lemmatizing {
    const ddn_lemmatizer *lemmatizer;
    ddn_cased cased;
    int32_t *sum; /* [classes] */
    ddn_output lemma;
} ddn_lemmatizing;

int ddn_lemmatizing_init(ddn_lemmatizing *w, const ddn_lemmatizer *l, dodona_error *err);
void ddn_lemmatizing_fini(ddn_lemmatizing *w);
/* The lemma of word i, whose tag stands in its columns; borrowed from w until its next use, or from
 * s.  word: what is seen of it. */
int ddn_lemmatizing_run(ddn_lemmatizing *w, const ddn_sentence *s, int32_t i, const ddn_word *word,
                        dodona_text *lemma, dodona_error *err);

/* ---- Training ---- */

/* What tags say of a lemma: by UPOS alone, and by all of UPOS, XPOS and FEATS. */
typedef struct ddn_lemma_tag {
    uint32_t upos, all;
} ddn_lemma_tag;

ddn_lemma_tag ddn_lemma_tag_of(const ddn_sentence *s, int32_t i);
/* The keys of a word in the lexicon, plain or as it stands, and its features for the classifier
 * (their number). */
uint64_t ddn_lemma_key(const ddn_word *w, uint32_t tag);
uint64_t ddn_lemma_form_key(const ddn_word *w, uint32_t tag);
int ddn_lemma_keys(const ddn_word *w, ddn_lemma_tag tag, uint64_t *key);
/* The rule with the highest sum among the first classes that apply; -1: none applies. */
int32_t ddn_lemma_best(const ddn_lemma_rule *rule, int classes, const int32_t *sum, ddn_cased *c);

typedef struct ddn_lemmatizer_options {
    int iterations;
    uint64_t seed;
    uint64_t bytes; /* the most that the weights may take */
} ddn_lemmatizer_options;

/* What is usual: 10 iterations, weights of at most 0.8 MB. */
ddn_lemmatizer_options ddn_lemmatizer_defaults(uint64_t seed);

typedef struct ddn_lemmatizer_bytes {
    ddn_output rules, words, weights;
} ddn_lemmatizer_bytes;

void ddn_lemmatizer_bytes_init(ddn_lemmatizer_bytes *b);
void ddn_lemmatizer_bytes_fini(ddn_lemmatizer_bytes *b);
/* The sections with their names, borrowed from b. */
void ddn_lemmatizer_sections(const ddn_lemmatizer_bytes *b, ddn_section *out);

int ddn_lemmatizer_train(const ddn_lemmatizer_options *o, const ddn_sentence *const *sentence,
                         size_t count, ddn_lemmatizer_bytes *out, dodona_error *err);

#endif
