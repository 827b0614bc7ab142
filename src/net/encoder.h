/* SPDX-License-Identifier: MIT */
/* encoder.h - reads the words of a batch of sentences and gives each a vector that knows its
 * context.
 *
 * A word comes as numbers: its row among the words, that of its UPOS, those of its features, and
 * its type, that is, its spelling: types are encoded from their characters, each once a batch, or
 * taken from a cache when parsing.  What the numbers mean is the caller's affair; a sentence's
 * first position may be its root.
 *
 *     E = [word  characters  UPOS  features]
 *     for each layer:  [x f o] = norm(E) W + b, and the recurrence (layers.h) over both directions
 *
 * The first layer has a skip of its own in place of a norm.  Dropout is on E, on the input of every
 * product and on the result. */
#ifndef DDN_NET_ENCODER_H
#define DDN_NET_ENCODER_H

#include "net/layers.h"

enum { DDN_ENCODER_LAYERS = 8 }; /* at most */

typedef struct ddn_encoder_shape {
    size_t words, word_width; /* rows of tables and their widths */
    size_t upos, upos_width;
    size_t feats, feats_width;
    size_t chars, char_width;
    size_t char_hidden; /* of the recurrence over characters, in each direction */
    size_t hidden;      /* of the encoder, in each direction */
    size_t layers;      /* 1..DDN_ENCODER_LAYERS */
} ddn_encoder_shape;

typedef struct ddn_encoder_layer {
    ddn_norm norm; /* not of a first layer */
    ddn_linear product;
    ddn_recurrent recurrent;
} ddn_encoder_layer;

typedef struct ddn_encoder {
    ddn_encoder_shape shape;
    ddn_embedding word, upos, feats, character;
    ddn_encoder_layer spelling; /* over the characters of types */
    ddn_encoder_layer layer[DDN_ENCODER_LAYERS];
    size_t in, out; /* floats of E before the first layer, and of the result */
} ddn_encoder;

/* Row 0 of the words is that of unknown ones. */
typedef struct ddn_encoder_batch {
    ddn_sequences sentences;
    const uint32_t *word, *upos; /* [words] */
    ddn_lookup feats;
    const uint32_t *type;       /* [words] a sequence of characters, or a row of vectors */
    ddn_sequences types;        /* their lengths; words is the number of characters */
    const uint32_t *characters; /* [types.words] */
    const float *vectors; /* [...][2 char_hidden] of types encoded before; NULL: encode them */
} ddn_encoder_batch;

/* What a layer keeps for backward. */
typedef struct ddn_layer_pass {
    float *input;  /* [rows][...] */
    float *normal; /* [rows][...] the input of the product; in a first layer, the input itself */
    float *stat;   /* of the norm */
    float *mask;   /* NULL: not learning */
    float *blocks, *cell, *squashed, *y;
} ddn_layer_pass;

typedef struct ddn_encoder_pass {
    ddn_encoder_batch batch;
    uint32_t *word; /* [words] after words were dropped */
    ddn_layer_pass spelling;
    ddn_layer_pass layer[DDN_ENCODER_LAYERS];
    float *mask; /* of the result */
    float *out;  /* [words][encoder->out] */
} ddn_encoder_pass;

void ddn_encoder_init(ddn_encoder *e, const ddn_encoder_shape *shape, ddn_params *p);
/* After ddn_params_begin: biases that do not begin at 0. */
void ddn_encoder_begin(const ddn_encoder *e, const ddn_params *p, float *value);

/* When parsing, batches of up to a hundred words or so are fastest: their arrays stay in the
 * second-level cache.
 *
 * Fills pass, whose arrays are on the tape; those of the batch are kept in it.  learning NULL: no
 * dropout, and no backward.  False: no memory. */
bool ddn_encoder_forward(const ddn_net *n, const ddn_encoder *e, const ddn_encoder_batch *batch,
                         ddn_learning *learning, ddn_tape *tape, ddn_encoder_pass *pass);
/* dout[words][out], which it overwrites. */
bool ddn_encoder_backward(const ddn_net *n, const ddn_encoder *e, const ddn_encoder_pass *pass,
                          float *dout, ddn_tape *tape);

/* The vectors of types, [types.count][2 char_hidden], for a cache. */
bool ddn_encoder_types(const ddn_net *n, const ddn_encoder *e, const ddn_sequences *types,
                       const uint32_t *characters, ddn_tape *tape, float *vectors);

#endif
