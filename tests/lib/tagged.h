/* SPDX-License-Identifier: MIT */
/* tagged.h - generated sentences as a treebank, for what learns tags and lemmas. */
#ifndef DDN_TESTS_TAGGED_H
#define DDN_TESTS_TAGGED_H

#include "train/train.h"

/* That many sentences of lib/grammar.h.  Fails the running test when it can't. */
void test_tagged(ddn_treebank *t, uint64_t seed, int sentences);
/* All of its sentences, for the caller to free. */
const ddn_sentence **test_tagged_list(const ddn_treebank *t);

#endif
