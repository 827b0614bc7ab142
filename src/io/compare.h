/* SPDX-License-Identifier: MIT */
/* compare.h - two analyses of a text: which words they share, and what they say of them.
 *
 * The first analysis is a sentence s, the second is `other`.  Both are perhaps several sentences of
 * a file in one, see ddn_sentence_append, whose boundaries differ.  A word that only one of them
 * has is its own. */
#ifndef DDN_IO_COMPARE_H
#define DDN_IO_COMPARE_H

#include "core/arena.h"
#include "tree/sentence.h"

typedef struct ddn_comparison {
    const ddn_sentence *other; /* borrowed */
    int32_t *there;            /* [s->n+1] the other's word for each word; 0: the word is s's own */
    int32_t *here;             /* [other->n+1] and back; shared words ascend in both */
    int32_t *after; /* [other->n+1] the word of s that it is, or behind which it stands; ascends */
    bool *ends;     /* [s->n+1] a sentence ends with the word, and not here in other */
    bool *ends_there; /* [other->n+1] the same of other */
    int32_t sentences, sentences_there;
    ddn_arena arena;
} ddn_comparison;

void ddn_comparison_init(ddn_comparison *c);
void ddn_comparison_fini(ddn_comparison *c);

/* Begins anew with a sentence each that have no words in common; after is not filled in. */
int ddn_comparison_begin(ddn_comparison *c, const ddn_sentence *s, const ddn_sentence *other,
                         dodona_error *err);
/* Two analyses of the same words, a sentence each. */
int ddn_comparison_same(ddn_comparison *c, const ddn_sentence *s, const ddn_sentence *other,
                        dodona_error *err);

/* Of word i of s, which both have: whether it has another head, another head or label, another tag
 * there.  Of s's own words: arcs differ, tags don't. */
bool ddn_head_differs(const ddn_sentence *s, const ddn_comparison *c, int32_t i);
bool ddn_arc_differs(const ddn_sentence *s, const ddn_comparison *c, int32_t i);
bool ddn_tag_differs(const ddn_sentence *s, const ddn_comparison *c, int32_t i);

/* The tag of a word or an empty node: UPOS, or where that is "_" XPOS, or nothing. */
dodona_text ddn_row_tag(const ddn_sentence *s, const ddn_row *row);
/* The tag of word i. */
dodona_text ddn_word_tag(const ddn_sentence *s, int32_t i);

#endif
