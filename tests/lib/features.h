/* SPDX-License-Identifier: MIT */
/* features.h - a scorer that has a random weight for every feature of a set of templates, and
 * sentences of few words, so that many configurations look alike to it. */
#ifndef DDN_TESTS_FEATURES_H
#define DDN_TESTS_FEATURES_H

#include "core/rng.h"
#include "model/scorer.h"

enum { TEST_LABELS = 4 }; /* 0 is for arcs from the root, the others for the rest */

typedef struct test_features {
    ddn_scoring base; /* first */
    ddn_templates templates;
    ddn_hashing hashing;
    ddn_encoded encoded;
    uint64_t seed;
    int kinds;
    uint32_t (*atom)[DDN_MAX_ATOMS]; /* [views] of the last call */
    size_t atom_cap;
} test_features;

/* The templates of that text.  Fails the running test when it can't. */
void test_features_init(test_features *f, const ddn_system *system, const char *templates,
                        uint64_t seed);
void test_features_fini(test_features *f);

/* n words, drawn from few forms, tags and features; cleared first. */
void test_few_words(ddn_rng *r, int32_t n, ddn_sentence *s);

#endif
