/* SPDX-License-Identifier: MIT */
/* mismatch.h - whether a dev treebank goes with the one that is learnt from. */
#ifndef DDN_TRAIN_MISMATCH_H
#define DDN_TRAIN_MISMATCH_H

#include "train/train.h"

/* Reports, as the phase "warning" and a line each: columns that only one of the two fills, and
 * relations, tags and features of dev that never occur in train, the most frequent by name. */
int ddn_warn_mismatch(const ddn_treebank *train, const ddn_treebank *dev, dodona_report report,
                      void *report_ctx, dodona_error *err);

#endif
