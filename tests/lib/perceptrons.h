/* SPDX-License-Identifier: MIT */
/* perceptrons.h - perceptrons over given templates with random weights, learning and frozen. */
#ifndef DDN_TESTS_PERCEPTRONS_H
#define DDN_TESTS_PERCEPTRONS_H

#include "core/rng.h"
#include "model/scorer.h"

enum { TEST_RELATIONS = 3 }; /* 0 for words, 2 for roots, 1 for both */

typedef struct test_perceptron {
    ddn_schema schema;
    ddn_model *learning;
    ddn_model *frozen; /* once test_freeze was called: all weights are multiplied by a constant */
    ddn_sections sections;
    ddn_model_file file;
} test_perceptron;

/* A model that knows nothing; templates outlive it.  What fails, fails the running test. */
void test_perceptron_init(test_perceptron *p, const ddn_system *system, const char *templates);
void test_perceptron_fini(test_perceptron *p);
/* Gives weights to what is seen along so many random derivations of each sentence. */
void test_randomize(test_perceptron *p, ddn_rng *r, const ddn_sentence *const *s, int count,
                    int derivations, ddn_roots roots);
void test_freeze(test_perceptron *p);

/* The sets of templates to try with a system, by number: its own; for stack, focus words and
 * positions; for arcs alone and for arcs and moves.  NULL: there are no more. */
const char *test_templates(const ddn_system *system, int i);

#endif
