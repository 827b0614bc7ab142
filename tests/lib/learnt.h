/* SPDX-License-Identifier: MIT */
/* learnt.h - the weights that a learner has for a key. */
#ifndef DDN_TESTS_LEARNT_H
#define DDN_TESTS_LEARNT_H

#include "model/perceptron.h"

int32_t test_kind_weight(ddn_learner *l, uint64_t key, int kind);
/* 0 where there is none. */
int32_t test_label_weight(ddn_learner *l, const ddn_schema *schema, uint64_t key, int kind,
                          uint16_t label);

#endif
