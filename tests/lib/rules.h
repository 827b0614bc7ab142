/* SPDX-License-Identifier: MIT */
/* rules.h - what the files of the generator share: rules_noun.c, rules_clause.c and grammar.c,
 * which explains how they work together.
 *
 * A rule appends its words to the draft and returns the one that heads them; `depth` counts the
 * phrases around it.  A rule that is given a head links its words to it and returns nothing. */
#ifndef DDN_TESTS_RULES_H
#define DDN_TESTS_RULES_H

#include "core/rng.h"
#include "lib/draft.h"
#include "lib/lexicon.h"

enum {
    DDN_GROWN = 26,  /* words from which on nothing optional is added */
    DDN_DEEPEST = 3, /* the depth at which nothing optional is added */
};

typedef struct ddn_writer {
    ddn_rng *rng;
    ddn_draft *d;
} ddn_writer;

typedef struct ddn_phrase {
    int head;
    ddn_agreement a;
} ddn_phrase;

/* ---- Chance ---- */

int ddn_below(ddn_writer *w, int n); /* 0..n-1 */
bool ddn_roll(ddn_writer *w, int percent);
/* Whether something optional is to be there; rarer with depth. */
bool ddn_more(ddn_writer *w, int depth, int percent);
/* One of 0..n-1, the first ones more often. */
int ddn_zipf(ddn_writer *w, int n);
const char *ddn_one_of(ddn_writer *w, const ddn_words *words);
/* A verb of this frame that takes one of the classes in mask (0: any). */
const ddn_verb *ddn_some_verb(ddn_writer *w, ddn_frame frame, unsigned mask);
ddn_noun_class ddn_some_class(ddn_writer *w, unsigned mask);
ddn_noun_class ddn_agent_class(ddn_writer *w);

/* ---- Noun phrases ---- */

int ddn_adverb(ddn_writer *w, const ddn_words *words);
int ddn_adjective(ddn_writer *w);
int ddn_proper_name(ddn_writer *w);
/* determiner adjectives noun, without what follows the noun */
ddn_phrase ddn_plain_noun(ddn_writer *w, ddn_noun_class class, int depth);
/* A noun phrase without coordination, and one that may have it. */
ddn_phrase ddn_simple_phrase(ddn_writer *w, ddn_noun_class class, bool accusative, int depth);
ddn_phrase ddn_noun_phrase(ddn_writer *w, ddn_noun_class class, bool accusative, int depth);
void ddn_prepositional(ddn_writer *w, const char *word, ddn_noun_class class, int head,
                       const char *rel, int depth);
/* A prepositional phrase that suits a noun of this class. */
void ddn_noun_modifier(ddn_writer *w, int noun, ddn_noun_class class, int depth);

/* ---- Verbs and clauses ---- */

typedef enum ddn_tense {
    DDN_SIMPLE_PRESENT,
    DDN_SIMPLE_PAST,
    DDN_MODAL,
    DDN_PERFECT,
    DDN_PROGRESSIVE,
    DDN_DO_PRESENT,
    DDN_DO_PAST
} ddn_tense;

/* The finite auxiliary of a verb group and what it asks of the next verb. */
typedef struct ddn_auxiliary {
    int word; /* 0: none, the verb itself is finite */
    ddn_verb_form asks;
} ddn_auxiliary;

ddn_auxiliary ddn_start_group(ddn_writer *w, ddn_tense tense, ddn_agreement a, bool short_form);
/* not, or n't joined with the auxiliary before it where English does that. */
int ddn_negation(ddn_writer *w);
/* auxiliaries, negation, adverb and verb; returns the verb.  passive: was baked. */
int ddn_verb_group(ddn_writer *w, const ddn_verb *v, int subject, ddn_agreement a, bool passive);
/* A prepositional phrase of one of the kinds in the mask; nothing when it is 0. */
void ddn_verb_modifier(ddn_writer *w, int verb, unsigned phrases, int depth);
/* What follows a verb.  gap: the object stands elsewhere. */
void ddn_complements(ddn_writer *w, int verb, const ddn_verb *v, ddn_noun_class class, bool gap,
                     int depth);
const ddn_verb *ddn_main_verb(ddn_writer *w, int depth);
/* who smiled | that Anna baked | Anna baked: below the noun. */
void ddn_relative_clause(ddn_writer *w, ddn_phrase noun, ddn_noun_class class, int depth);
/* because it rained */
int ddn_adverbial_clause(ddn_writer *w, int depth);
/* A finite clause with its subject. */
int ddn_clause(ddn_writer *w, int depth);

#endif
