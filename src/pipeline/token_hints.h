/* SPDX-License-Identifier: MIT */
/* token_hints.h - what a tokenizer sees of a token beside its characters: whether it looks like an
 * abbreviation, a number, an address of the Web, a path, a handle or a hashtag.  Hints are
 * features: what follows from them is learnt. */
#ifndef DDN_PIPELINE_TOKEN_HINTS_H
#define DDN_PIPELINE_TOKEN_HINTS_H

#include "pipeline/tokenizer.h"

/* The key of a token in the lexicon of abbreviations: its characters up to the final period. */
uint64_t ddn_abbreviation_key(const ddn_char *text, uint32_t from, uint32_t to);

/* How text[from..to) would look as an abbreviation, were a period to follow: whether it is known as
 * one, has a period inside, has a vowel; its casing and its length.  Never 0. */
uint64_t ddn_abbreviation_hint(const ddn_place *p, uint32_t from, uint32_t to);
/* The same of a token that ends with a period, or of the token before one that is a period; 0:
 * there is no period. */
uint64_t ddn_period_hint(const ddn_place *p, const ddn_token *token, const ddn_token *before);

/* What begins at from, and whether it goes on behind at, ends there or ended before: a number with
 * separators, an address, a path, a handle, a hashtag; 0: nothing of that. */
uint64_t ddn_span_hint(const ddn_place *p, uint32_t from, uint32_t at, uint32_t limit);

/* The number of a kind of place inside such spans, or -1; in numbers each separator is a kind. */
enum { DDN_SPAN_PLACES = 16 };
int ddn_span_place(const ddn_place *p);
/* The key under which the lexicon of abbreviations has a kind where no token ends. */
uint64_t ddn_span_key(int place);
/* Whether it is in a number. */
bool ddn_span_is_number(int place);

/* The first character of the next chunk: its class, or DDN_CHAR_NONE if none is seen. */
uint8_t ddn_class_behind(const ddn_place *p, uint32_t from, uint32_t limit);

/* Whether at and the character behind it are one as a reader sees them: a letter and its marks, a
 * sequence of emoji. */
bool ddn_is_joined(const ddn_place *p);

#endif
