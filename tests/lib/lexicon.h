/* SPDX-License-Identifier: MIT */
/* lexicon.h - the words of the generator in grammar.h, and how they inflect.
 *
 * Nouns come in classes that say what they are good for (an apple is eaten, a spoon is eaten with);
 * verbs say which classes they take.  In each list the first words are the frequent ones.  All open
 * words inflect regularly, so that the endings follow from the spelling. */
#ifndef DDN_TESTS_LEXICON_H
#define DDN_TESTS_LEXICON_H

#include <stddef.h>
#include <stdint.h>

typedef struct ddn_words {
    const char *const *word;
    int n;
} ddn_words;

typedef enum ddn_noun_class {
    DDN_PERSON,
    DDN_ANIMAL,
    DDN_FOOD,
    DDN_TOOL,
    DDN_PLACE,
    DDN_TIME,
    DDN_DOCUMENT,
    DDN_PART,
    DDN_THING,
    DDN_TOPIC,
    DDN_NOUN_CLASSES
} ddn_noun_class;

typedef enum ddn_frame {
    DDN_INTRANSITIVE,
    DDN_TRANSITIVE,
    DDN_DITRANSITIVE,
    DDN_SAYS, /* that something is the case */
    DDN_WANTS /* to do something */
} ddn_frame;

/* What a verb likes to be modified by; bits. */
enum { DDN_WITH_TOOL = 1, DDN_IN_PLACE = 2, DDN_AT_TIME = 4, DDN_ON_TOPIC = 8, DDN_MOTION = 16 };

typedef struct ddn_verb {
    const char *lemma;
    ddn_frame frame;
    unsigned
        objects; /* mask of 1 << ddn_noun_class; of an intransitive verb: its likely subjects */
    unsigned phrases; /* mask of the bits above */
} ddn_verb;

extern const ddn_words ddn_nouns[DDN_NOUN_CLASSES];
extern const ddn_words ddn_first_names, ddn_family_names, ddn_adjectives;
extern const ddn_words ddn_manner_adverbs, ddn_frequency_adverbs, ddn_sentence_adverbs;
extern const ddn_verb ddn_verbs[];
extern const int ddn_verb_count;

typedef enum ddn_ending {
    DDN_S,   /* apples, bakes */
    DDN_ED,  /* baked */
    DDN_ING, /* baking */
} ddn_ending;

/* word with the ending, by the spelling rules of English, into out. */
void ddn_inflect(const char *word, ddn_ending ending, char *out, size_t size);

#endif
