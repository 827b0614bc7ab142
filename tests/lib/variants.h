/* SPDX-License-Identifier: MIT */
/* variants.h - random sentences, many of which differ in one word only. */
#ifndef DDN_TESTS_VARIANTS_H
#define DDN_TESTS_VARIANTS_H

#include "core/rng.h"
#include "tree/sentence.h"

typedef struct test_variants {
    ddn_sentence *sentence; /* [count] */
    const ddn_sentence **list;
    int count;
} test_variants;

/* Of each five sentences, the second to fourth are as the first but for the form of one word: the
 * first, one in the middle, the last.  forms: how many words there are. */
void test_variants_init(test_variants *v, ddn_rng *r, int count, int forms, int longest);
void test_variants_fini(test_variants *v);

#endif
