/* SPDX-License-Identifier: MIT */
/* splitter_train.h - rules for multiword tokens (pipeline/splitter.h) from a treebank. */
#ifndef DDN_TRAIN_SPLITTER_TRAIN_H
#define DDN_TRAIN_SPLITTER_TRAIN_H

#include "train/train.h"

/* Puts the rules as text behind *rules, which is memory. */
int ddn_splitter_train(const ddn_treebank *train, ddn_output *rules, dodona_error *err);

#endif
