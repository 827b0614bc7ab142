/* SPDX-License-Identifier: MIT */
/* words.h - what tagger and lemmatizer see of a word: hashes of its form and of its parts.
 *
 * Affixes and the plain form are taken in lower case with every digit as 0, so that 1998 and 2005
 * are the same word.  Hashes are never 0. */
#ifndef DDN_PIPELINE_WORDS_H
#define DDN_PIPELINE_WORDS_H

#include "tree/sentence.h"

enum {
    DDN_SUFFIXES = 5, /* of 1 to 5 characters; 0 where the word is shorter */
    DDN_PREFIXES = 4,
    DDN_WORDS_PAD = 2, /* words of nothing on both sides of a sentence */
};

typedef struct ddn_word {
    uint32_t form;  /* as it stands */
    uint32_t plain; /* in lower case, digits as 0 */
    uint32_t suffix[DDN_SUFFIXES], prefix[DDN_PREFIXES];
    uint32_t shape; /* upper, lower, digit or other, runs of the same as one */
    bool upper;     /* begins with an upper case letter */
} ddn_word;

typedef struct ddn_words {
    int32_t n;
    ddn_word *all;  /* [n + 2 * DDN_WORDS_PAD] */
    ddn_word *word; /* word[1..n], inside all; word[-1], word[0], word[n+1], word[n+2]: nothing */
    char *lower;    /* scratch */
    size_t all_cap, lower_cap;
} ddn_words;

void ddn_words_init(ddn_words *w);
void ddn_words_fini(ddn_words *w);
int ddn_words_read(ddn_words *w, const ddn_sentence *s, dodona_error *err);

uint32_t ddn_word_hash(const char *data, size_t size); /* never 0 */

/* UTF-8 text in lower case, simple mappings only, into out, which has room for 2 * size + 4 bytes.
 * Returns its size. */
size_t ddn_lower(const char *data, size_t size, char *out);
/* The same in upper case. */
size_t ddn_upper(const char *data, size_t size, char *out);

#endif
