/* SPDX-License-Identifier: MIT */
/* classifier.h - a linear classifier over hashed features: what tokenizer, tagger and lemmatizer
 * decide with.
 *
 * An example is a handful of keys, 64-bit hashes of its features.  The score of a class is the sum
 * of the weights that the keys have for it; the first class with the highest score is the answer.
 * An averaged perceptron learns the weights, in integers, so that the same examples in the same
 * order give the same bytes anywhere.
 *
 * Weights are those of the parser (model/weights.h, model/frozen.h).  Up to DDN_FEW_CLASSES classes
 * stand side by side in a feature's row; more of them are a list of those that are not 0.
 *
 *     ddn_learning_step(&l);
 *     ddn_learning_scores(&l, key, n, sum);
 *     int guess = ... of the classes that may stand here, the first with the highest sum
 *     if (guess != right)
 *         status = ddn_learning_update(&l, key, n, right, guess, err); */
#ifndef DDN_PIPELINE_CLASSIFIER_H
#define DDN_PIPELINE_CLASSIFIER_H

#include "model/frozen.h"

enum { DDN_FEW_CLASSES = 4, DDN_MOST_CLASSES = DDN_CHUNK_MORE, DDN_MAX_KEYS = 64 };

/* ---- Keys ---- */

/* A key from a value and the number of the template that it fills, or from a key and one more
 * value.  Both halves of it are well mixed, as the tables need. */
static inline uint64_t ddn_key(uint64_t seed, uint64_t value)
{
    uint64_t x = (seed + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9 ^ value;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
    return x ^ x >> 32;
}

/* ---- Learning ---- */

typedef struct ddn_learning {
    int classes;
    ddn_weights weights;
    ddn_weights mean; /* over the runs that have ended */
} ddn_learning;

/* 2 <= classes <= DDN_MOST_CLASSES. */
int ddn_learning_init(ddn_learning *l, int classes, dodona_error *err);
void ddn_learning_fini(ddn_learning *l);

/* Counts an example, right or wrong: averages are over all of them. */
static inline void ddn_learning_step(ddn_learning *l)
{
    l->weights.steps++;
}
/* Sets sum[0..classes) for n keys. */
void ddn_learning_scores(const ddn_learning *l, const uint64_t *key, int n, int32_t *sum);
/* Adds delta to the weight of a class for n keys. */
int ddn_learning_add(ddn_learning *l, const uint64_t *key, int n, int class, int32_t delta,
                     dodona_error *err);
/* Moves the weights of n keys towards a class and away from another. */
int ddn_learning_update(ddn_learning *l, const uint64_t *key, int n, int right, int wrong,
                        dodona_error *err);
/* Ends a run: what was learnt goes into the mean over all runs, and the next begins from nothing.
 */
int ddn_learning_end(ddn_learning *l, dodona_error *err);
/* Puts the averages, or, where runs have ended, their mean behind *to, which is memory, in at most
 * about limit bytes: the smallest weights are dropped until it fits.  They are a section of a model
 * file, or the end of one at a multiple of 64 bytes. */
int ddn_learning_freeze(const ddn_learning *l, uint64_t limit, ddn_output *to, dodona_error *err);

/* ---- Classifying ---- */

typedef struct ddn_classifier {
    int classes;
    ddn_frozen frozen;
} ddn_classifier;

/* Over bytes that ddn_learning_freeze put and that outlive c; they are checked here.  Nothing is to
 * be closed. */
int ddn_classifier_open(ddn_classifier *c, const void *data, size_t size, dodona_error *err);

/* Sets sum[0..classes) for n <= DDN_MAX_KEYS keys. */
void ddn_classifier_scores(const ddn_classifier *c, const uint64_t *key, int n, int32_t *sum);

static inline void ddn_classifier_prefetch(const ddn_classifier *c, uint64_t key)
{
    ddn_frozen_prefetch(&c->frozen, key);
}

#endif
