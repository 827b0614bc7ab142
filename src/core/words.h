/* SPDX-License-Identifier: MIT */
/* words.h - the words that an option chooses from, in one string with bars between them, as
 * "one|many"; and what messages say that they expected. */
#ifndef DDN_CORE_WORDS_H
#define DDN_CORE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* The place of a word among the words, from 0; -1: it is none of them. */
int ddn_words_find(const char *words, const char *word);
/* Word i, from 0, and its size; NULL: there is none. */
const char *ddn_words_at(const char *words, int i, size_t *size);
/* "a|b|c" as "a, b or c", cut to size; returns buf. */
const char *ddn_words_list(const char *words, char *buf, size_t size);
/* "a whole number from 1 to 10", or "a number of 0 or more" where most is infinite; returns buf. */
const char *ddn_range_text(bool whole, double least, double most, char *buf, size_t size);

#endif
