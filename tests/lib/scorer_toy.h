/* SPDX-License-Identifier: MIT */
/* scorer_toy.h - a second scorer, small but real: a log-linear model over hashed features. */
#ifndef DDN_TESTS_SCORER_TOY_H
#define DDN_TESTS_SCORER_TOY_H

#include "model/scorer.h"

enum { TEST_TOY_WEIGHTS = 1 << 16 };
#define TEST_TOY_RATE 0.1

extern const ddn_scorer ddn_scorer_toy;

/* The weights of a model of it, [TEST_TOY_WEIGHTS]. */
double *test_toy_weights(ddn_model *m);

#endif
