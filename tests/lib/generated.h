/* SPDX-License-Identifier: MIT */
/* generated.h - sentences of lib/grammar.h as a source for training, parsing and scoring. */
#ifndef DDN_TESTS_GENERATED_H
#define DDN_TESTS_GENERATED_H

#include "lib/grammar.h"

typedef struct test_generated {
    ddn_grammar grammar;
    dodona_reader *reader;
    dodona_source source;
} test_generated;

/* nonprojective: per cent of the sentences.  Fails the running test when it can't. */
void test_generated_open(test_generated *g, uint64_t seed, int nonprojective, int64_t sentences);
void test_generated_close(test_generated *g);

#endif
