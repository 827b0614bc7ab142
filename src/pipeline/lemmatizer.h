/* SPDX-License-Identifier: MIT */
/* lemmatizer.h - lemmas from forms and tags, by rules that training had.
 *
 * A lexicon knows the rule of a form with its tag; a form that is not there gets the rule that a
 * classifier prefers among those that apply to it and can be trusted with it; where there is none,
 * the form is the lemma.
 *
 * No lemma is invented.  What a rule adds must have been added to DDN_LEMMA_FORMS forms; other
 * rules stand in the lexicon for each of their forms alone (lemma_rule.h: whole), so that they
 * never make a lemma of another form.  What a rule drops is its condition.  One that adds where it
 * drops nothing is trusted only where training had it with that UPOS beside the same character.
 *
 * A model file has the lemmatizer in four sections:
 *     lemma.rules       a line each (lemma_rule.h); those that the classifier chooses from are
 * first lemma.words       the lexicon: from forms with tags to rules lemma.weights     the
 * classifier lemma.conditions  what rules are trusted with: keys of rule, UPOS and characters;
 * models of earlier programs do not have it, and trust every rule that applies */
#ifndef DDN_PIPELINE_LEMMATIZER_H
#define DDN_PIPELINE_LEMMATIZER_H

#include "model/scorer.h"
#include "pipeline/lemma_rule.h"
#include "pipeline/lexicon.h"
#include "pipeline/words.h"

enum {
    DDN_LEMMA_KEYS = 24,
    DDN_LEMMA_FORMS = 5, /* in lower case */
};

/* Read-only, shared by threads. */
typedef struct ddn_lemmatizer {
    ddn_lemma_rule *rule; /* [rules] their texts are borrowed, as all below */
    size_t rule_cap;
    uint32_t rules;
    ddn_lexicon words;
    ddn_lexicon conditions; /* slots 0: every rule is trusted */
    ddn_model *weights;     /* of the first rules */
} ddn_lemmatizer;

/* From the file's sections, which outlive l. */
int ddn_lemmatizer_open(ddn_lemmatizer *l, const ddn_model_file *f, dodona_error *err);
void ddn_lemmatizer_close(ddn_lemmatizer *l);

/* The scratch memory of one thread. */
typedef struct ddn_lemmatizing {
    const ddn_lemmatizer *lemmatizer;
    ddn_cased cased;
    ddn_pass *pass;   /* of the weights */
    ddn_score *score; /* [classes] */
    ddn_output lemma;
} ddn_lemmatizing;

int ddn_lemmatizing_init(ddn_lemmatizing *w, const ddn_lemmatizer *l, dodona_error *err);
void ddn_lemmatizing_fini(ddn_lemmatizing *w);
/* The lemma of word i, whose tag stands in its columns; borrowed from w until its next use, or from
 * s.  word: what is seen of it. */
int ddn_lemmatizing_run(ddn_lemmatizing *w, const ddn_sentence *s, int32_t i, const ddn_word *word,
                        dodona_text *lemma, dodona_error *err);

/* ---- Shared with training ---- */

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
/* What must be known of a rule before it is trusted with a form that it applies to, as a key of the
 * conditions.  False: nothing. */
bool ddn_lemma_condition(const ddn_lemma_rule *r, uint32_t number, ddn_cased *c, uint32_t upos,
                         uint64_t *key);
/* The rule with the highest score among the first classes that apply and are trusted; -1: none. */
int32_t ddn_lemma_best(const ddn_lemmatizer *l, int classes, const ddn_score *score, uint32_t upos,
                       ddn_cased *c);

/* The names of the sections. */
#define DDN_LEMMA_RULES      "lemma.rules"
#define DDN_LEMMA_WORDS      "lemma.words"
#define DDN_LEMMA_WEIGHTS    "lemma.weights"
#define DDN_LEMMA_CONDITIONS "lemma.conditions"

#endif
