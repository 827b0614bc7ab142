/* SPDX-License-Identifier: MIT */
/* jackknife.h - a treebank with the tags that a tagger gives to words that it has not seen.
 *
 * A parser that learns from gold tags trusts them too much.  So the treebank is cut into folds, and
 * each is tagged by a tagger that was trained on the others.  Folds are contiguous parts of the
 * treebank: neighbouring sentences often come from one text, and share words that are rare
 * elsewhere. */
#ifndef DDN_TRAIN_JACKKNIFE_H
#define DDN_TRAIN_JACKKNIFE_H

#include "train/train.h"

enum { DDN_MAX_FOLDS = 100 };

/* How it is followed; a negative code ends it. */
typedef struct ddn_fold_listener {
    void *ctx;
    /* Now and then: the fold, from 0, and what is done of it, from 0 to 1. */
    int (*tick)(void *ctx, int fold, double part, dodona_error *err);
    /* After a fold: its sentences from..to-1 are tagged. */
    int (*tagged)(void *ctx, int fold, const ddn_treebank *out, size_t from, size_t to,
                  dodona_error *err);
} ddn_fold_listener;

/* Fills *out, which is empty, with the sentences of gold, whose UPOS, XPOS, FEATS and LEMMA are
 * predicted.  2 <= folds <= DDN_MAX_FOLDS, and no more than there are sentences.  listener may be
 * NULL. */
int ddn_jackknife(const ddn_treebank *gold, int folds, uint64_t seed,
                  const ddn_fold_listener *listener, ddn_treebank *out, dodona_error *err);

/* The sentences as CoNLL-U, and back. */
void ddn_treebank_put(const ddn_treebank *t, ddn_output *o);
int ddn_treebank_take(ddn_treebank *t, const char *text, size_t size, dodona_error *err);
/* A copy into *to, which is empty. */
int ddn_treebank_copy(const ddn_treebank *from, ddn_treebank *to, dodona_error *err);

#endif
