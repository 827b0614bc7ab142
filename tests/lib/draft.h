/* SPDX-License-Identifier: MIT */
/* draft.h - a sentence that the generator is writing: words are appended from left to right, with
 * their morphology, and get their heads as soon as these are known. */
#ifndef DDN_TESTS_DRAFT_H
#define DDN_TESTS_DRAFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DDN_DRAFT_WORDS = 96 }; /* room for drafts that turn out too long */

typedef struct ddn_draft_word {
    char form[32], lemma[32], feats[80];
    const char *upos, *xpos, *rel;
    int head;
    bool glued;  /* no blank after it */
    bool joined; /* one multiword token with the word after it */
} ddn_draft_word;

typedef struct ddn_draft {
    ddn_draft_word word[DDN_DRAFT_WORDS + 1]; /* from 1 */
    int n;
    /* An empty node after word `after`, -1 for none.  It hangs from empty.head; the words in
     * below[] hang from it instead of from their heads, by these relations. */
    int after;
    ddn_draft_word empty;
    struct {
        int word;
        const char *rel;
    } below[4];
    int below_n;
} ddn_draft;

typedef struct ddn_agreement {
    int person; /* 1..3 */
    bool plural;
} ddn_agreement;

#define DDN_THIRD ((ddn_agreement){ 3, false })

void ddn_draft_init(ddn_draft *d);
/* Appends a word and returns its number.  A draft that is full keeps overwriting its last word; the
 * grammar throws such a draft away. */
int ddn_draft_add(ddn_draft *d, const char *form, const char *lemma, const char *upos,
                  const char *xpos, const char *feats);
void ddn_draft_link(ddn_draft *d, int word, int head, const char *rel);
/* A comma or a full stop, without a blank before it. */
int ddn_draft_punct(ddn_draft *d, const char *mark);
/* Says that this word hangs from the empty node. */
void ddn_draft_below_empty(ddn_draft *d, int word, const char *rel);

/* Words with an inflection. */
typedef enum ddn_verb_form {
    DDN_FINITE_PRESENT,
    DDN_FINITE_PAST,
    DDN_BASE,       /* after a modal, do, to */
    DDN_IMPERATIVE, /* the same form with other features */
    DDN_PARTICIPLE, /* has baked, was baked */
    DDN_GERUND      /* is baking */
} ddn_verb_form;

int ddn_draft_verb(ddn_draft *d, const char *lemma, ddn_verb_form form, ddn_agreement a);
/* be, have or do, as aux or copula, finite unless form says otherwise; short_form: 's, 'm, 're,
 * 've where there is one. */
int ddn_draft_aux(ddn_draft *d, const char *lemma, ddn_verb_form form, ddn_agreement a,
                  bool short_form);
int ddn_draft_noun(ddn_draft *d, const char *lemma, bool plural);
/* which: 0..6 for I, you, he, she, it, we, they. */
int ddn_draft_pronoun(ddn_draft *d, int which, bool accusative, ddn_agreement *a);
int ddn_draft_possessive(ddn_draft *d, int which);

/* The draft as CoNLL-U with its comments and its blank line; returns the number of bytes. */
size_t ddn_draft_print(const ddn_draft *d, const char *id, char *out, size_t size);

#endif
