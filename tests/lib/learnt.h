/* SPDX-License-Identifier: MIT */
/* learnt.h - the weights of a perceptron that learns. */
#ifndef DDN_TESTS_LEARNT_H
#define DDN_TESTS_LEARNT_H

#include "model/perceptron.h"

ddn_weights *test_weights(ddn_model *m);
/* The key of the first template, where that has one atom, for a value of it. */
uint64_t test_key(const ddn_model *m, uint32_t value);
int32_t test_kind_weight(ddn_model *m, uint64_t key, int kind);
/* 0 where there is none. */
int32_t test_label_weight(ddn_model *m, uint64_t key, int kind, uint16_t label);
/* Fail the running test when they can't. */
void test_add_to_kind(ddn_model *m, uint64_t key, int kind, int32_t delta);
void test_add_to_label(ddn_model *m, uint64_t key, int kind, uint16_t label, int32_t delta);

#endif
