/* SPDX-License-Identifier: MIT */
/* layers.h - what networks are made of: for each layer a function forward and one backward.
 *
 * Forward sets its outputs.  Backward takes the adjoint of an output, dy = d(loss)/dy, and ADDS to
 * the adjoint of the input, dx, and to the gradient of the parameters; so an input that is used
 * twice, or parameters that are, need nothing special.  Matrices are in rows, a word a row, one row
 * behind the other; the words of several sentences stand one after another without gaps.
 *
 * None of these functions allocates or fails. */
#ifndef DDN_NET_LAYERS_H
#define DDN_NET_LAYERS_H

#include "core/rng.h"
#include "net/params.h"
#include "net/tape.h"

/* ---- Linear: y = x w + b (linear.c) ---- */

void ddn_linear_forward(const ddn_net *n, const ddn_linear *l, const float *x, size_t rows,
                        float *y);
/* dx may be NULL. */
void ddn_linear_backward(const ddn_net *n, const ddn_linear *l, const float *x, const float *dy,
                         size_t rows, float *dx);

/* ---- Embeddings: rows of a table, by number (embedding.c) ---- */

typedef struct ddn_embedding {
    size_t table; /* [rows][width] */
    size_t rows, width;
} ddn_embedding;

/* What is looked up: of word i the row id[i], or with begin the sum of the rows id[begin[i]] to
 * id[begin[i + 1] - 1], which may be none. */
typedef struct ddn_lookup {
    const uint32_t *id;
    const uint32_t *begin; /* [words + 1]; NULL: one a word */
} ddn_lookup;

ddn_embedding ddn_params_embedding(ddn_params *p, const char *name, size_t rows, size_t width);
/* y has stride floats from a word to the next. */
void ddn_embedding_forward(const ddn_net *n, const ddn_embedding *e, ddn_lookup from, size_t words,
                           float *y, size_t stride);
void ddn_embedding_backward(const ddn_net *n, const ddn_embedding *e, ddn_lookup from, size_t words,
                            const float *dy, size_t stride);

/* ---- Layer norm: y = gain (x - mean) / deviation + bias, in each row (norm.c) ---- */

typedef struct ddn_norm {
    size_t gain, bias, width;
} ddn_norm;

ddn_norm ddn_params_norm(ddn_params *p, const char *name, size_t width);
/* stat[rows][2] is for backward. */
void ddn_norm_forward(const ddn_net *n, const ddn_norm *l, const float *x, size_t rows, float *y,
                      float *stat);
void ddn_norm_backward(const ddn_net *n, const ddn_norm *l, const float *x, const float *stat,
                       const float *dy, size_t rows, float *dx);

/* ---- Dropout: each number is 0 with probability rate, or grows by 1 / (1 - rate) (dropout.c) ----
 */

/* What makes a pass one that learns; a pass that parses has NULL in its place. */
typedef struct ddn_learning {
    ddn_rng rng;
    float rate;      /* of dropout, 0 <= rate < 1 */
    float word_rate; /* of words that are read as unknown */
} ddn_learning;

/* In place; mask[n] becomes what x is multiplied by. */
void ddn_dropout_forward(ddn_learning *l, float *x, size_t n, float *mask);
/* In place: dx = dy mask. */
void ddn_dropout_backward(const float *mask, size_t n, float *dy);

/* ---- Leaky rectifier: y = x, or x / 10 where x is negative (leaky.c) ---- */

void ddn_leaky_forward(float *x, size_t n);                   /* in place */
void ddn_leaky_backward(const float *y, size_t n, float *dy); /* in place: dx */

/* ---- Cross-entropy of a softmax (loss.c) ---- */

/* -log p(gold), and d = p - 1[gold], its adjoint.  -INFINITY excludes a class, which is not gold.
 */
float ddn_cross_entropy(const ddn_kernels *k, const float *score, size_t n, size_t gold, float *d);

/* ---- The element-wise recurrence (recurrent.c) ---- */

/* Sentences one after another. */
typedef struct ddn_sequences {
    size_t count, words;    /* words: of all */
    const uint32_t *length; /* [count] */
} ddn_sequences;

/* A layer of width floats in each of two directions.  A row of every array but blocks has 2 width
 * floats, those of the direction to the right first; a row of blocks has x, f, o and, in a first
 * layer, the skip: so many of these. */
typedef struct ddn_recurrent {
    size_t width;
    bool first; /* the skip is the fourth block; else the layer's input, which is as wide */
} ddn_recurrent;

static inline size_t ddn_recurrent_blocks(const ddn_recurrent *l)
{
    return (l->first ? 8 : 6) * l->width;
}

/* blocks: before the sigmoids; afterwards f and o are their values.  skip is NULL in a first layer.
 * cell and squashed are for backward. */
void ddn_recurrent_forward(const ddn_kernels *k, const ddn_recurrent *l, const ddn_sequences *s,
                           float *blocks, const float *skip, float *cell, float *squashed,
                           float *y);
/* Sets dblocks, the adjoint of the blocks before the sigmoids; adds dy to dskip where there is one.
 * carry is scratch memory for width floats. */
void ddn_recurrent_backward(const ddn_recurrent *l, const ddn_sequences *s, const float *blocks,
                            const float *cell, const float *squashed, const float *dy,
                            float *dblocks, float *dskip, float *carry);

#endif
