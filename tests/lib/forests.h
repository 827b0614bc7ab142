/* SPDX-License-Identifier: MIT */
/* forests.h - random forests over short sentences, and all their derivations one by one.
 *
 * The forest of all projective trees, each built in one way (left children, nearest first, then
 * right ones), is the ground; edges are left out, come in several labels, or twice, as asked. */
#ifndef DDN_TESTS_FORESTS_H
#define DDN_TESTS_FORESTS_H

#include "chart/forest.h"
#include "core/rng.h"

enum { TEST_FOREST_WORDS = 8 };

typedef struct test_forest_plan {
    int32_t n;      /* at most TEST_FOREST_WORDS */
    double keep;    /* how many of the edges are kept: 1 for all */
    int32_t copies; /* nodes for the same words and head: each has its own choice of edges */
    int32_t labels; /* an arc has one edge for each of these, and they may be left out too */
    double twice;   /* how many edges are there a second time: 0 for forests without ambiguity */
    int32_t whole;  /* scores are whole numbers of 0..whole-1; 0: real numbers from -3 to 3 */
} test_forest_plan;

/* A forest that has passed ddn_forest_trim, with at least one derivation. */
void test_forest_make(ddn_forest *f, const test_forest_plan *plan, ddn_rng *rng);

typedef struct test_derivation {
    double score;
    int32_t head[TEST_FOREST_WORDS + 1], label[TEST_FOREST_WORDS + 1];
} test_derivation;

typedef struct test_derivations {
    test_derivation *of;
    size_t count, cap;
} test_derivations;

/* All derivations of the goal, in no particular order; false: there are more than most. */
bool test_forest_list(const ddn_forest *f, size_t most, test_derivations *out);
void test_derivations_fini(test_derivations *d);
/* Sorts them by falling score, then by heads, then by labels. */
void test_derivations_sort(test_derivations *d);
/* Of sorted ones with the same tree, only the best stays. */
void test_derivations_unite(test_derivations *d);

#endif
