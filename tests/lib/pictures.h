/* SPDX-License-Identifier: MIT */
/* pictures.h - random sentences and comparisons to draw. */
#ifndef DDN_TESTS_PICTURES_H
#define DDN_TESTS_PICTURES_H

#include "core/rng.h"
#include "io/compare.h"

/* The next word of s, with tag X. */
void test_add_word(ddn_sentence *s, const char *form, int32_t head, const char *label);

/* n words with any heads at all: most are no trees.  Some are parts of multiword tokens, and there
 * are empty nodes.  rtl: the first word makes them run from right to left. */
void test_random_sentence(ddn_sentence *s, ddn_rng *rng, int32_t n, bool rtl);

/* The words of `from` with some heads and labels changed. */
void test_change_some(ddn_sentence *to, const ddn_sentence *from, ddn_rng *rng);

/* Any words of s and t in common that ascend in both, the others anywhere between, and any ends of
 * sentences. */
void test_random_pairs(ddn_comparison *c, const ddn_sentence *s, const ddn_sentence *t,
                       ddn_rng *rng);

#endif
