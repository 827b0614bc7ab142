/* SPDX-License-Identifier: MIT */
/* features.h - a scorer that has a random weight for every feature of a set of templates, and
 * sentences of few words, so that many configurations look alike to it. */
#ifndef DDN_TESTS_FEATURES_H
#define DDN_TESTS_FEATURES_H

#include "core/rng.h"
#include "model/encode.h"
#include "model/scorer.h"

enum { TEST_LABELS = 4 }; /* 0 is for arcs from the root, the others for the rest */

/* The model: its scorer is at base.scorer. */
typedef struct test_features {
    ddn_model base; /* first */
    ddn_schema schema;
    ddn_templates templates;
    ddn_reads reads;
    ddn_feature feature[DDN_MAX_TEMPLATES];
    uint64_t seed;
} test_features;

/* The templates of that text, which see no positions and no arcs.  Fails the running test when it
 * can't. */
void test_features_init(test_features *f, const ddn_system *system, const char *templates,
                        uint64_t seed);
void test_features_fini(test_features *f);

/* n words, drawn from few forms, tags and features; cleared first. */
void test_few_words(ddn_rng *r, int32_t n, ddn_sentence *s);

#endif
