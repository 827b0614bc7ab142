/* SPDX-License-Identifier: MIT */
/* biaffine.h - a parser made of the layers of src/net alone: encoder, arcs, labels.
 *
 * It shows that the layers learn, and how well: bench/net_trial trains it on a treebank, and a test
 * on generated sentences.  What it reads of a word are form, characters, UPOS and FEATS as they
 * stand in the sentence.  The loss is the cross-entropy of the gold head among all and of the gold
 * label of that arc; trees are decoded by mst.
 *
 * A batch is cut into BIAFFINE_PARTS parts, whoever works on them, and their gradients are added in
 * order: the number of threads does not change a byte. */
#ifndef BENCH_BIAFFINE_H
#define BENCH_BIAFFINE_H

#include "chart/decode.h"
#include "core/intern.h"
#include "net/encoder.h"
#include "net/heads.h"
#include "net/optimiser.h"
#include "tree/sentence.h"

enum { BIAFFINE_PARTS = 2, BIAFFINE_EDGE = 10 /* characters at each end of a long word */ };

/* Sentences as numbers.  Position 0 of each is its root. */
typedef struct biaffine_text {
    size_t sentences, words; /* words: positions, roots too */
    uint32_t *start;         /* [sentences + 1] its first position */
    uint32_t *word, *upos, *type, *feats_begin, *feats;
    int32_t *head;   /* [words] in the sentence; -1 at a root */
    uint32_t *label; /* [words] */
    size_t start_cap, word_cap, upos_cap, type_cap, feats_begin_cap, feats_cap, head_cap, label_cap;
    size_t feats_count;
} biaffine_text;

typedef struct biaffine_options {
    size_t hidden, layers;
    float dropout;
    uint64_t seed, epochs;
    size_t batch; /* words */
    double averaging;
    int threads; /* 1..BIAFFINE_PARTS */
} biaffine_options;

typedef struct biaffine {
    biaffine_options options;
    const ddn_kernels *kernels;
    ddn_intern words, upos, feats, characters, labels, types;
    uint32_t *count;                   /* [words.count] in the training text */
    uint32_t *type_begin, *type_chars; /* characters of each type */
    size_t type_begin_cap, type_chars_cap;
    biaffine_text train;
    ddn_params params;
    ddn_encoder encoder;
    ddn_arcs_head arcs;
    ddn_labels_head label;
    float *value, *gradient[BIAFFINE_PARTS];
    ddn_optimiser optimiser;
    uint64_t steps; /* taken */
    ddn_packed packed;
} biaffine;

/* Learns the names and makes the network; s[count] are not kept. */
int biaffine_init(biaffine *b, const biaffine_options *o, const ddn_sentence *const *s,
                  size_t count, dodona_error *err);
void biaffine_fini(biaffine *b);
/* One epoch; the mean loss of a word. */
int biaffine_epoch(biaffine *b, uint64_t epoch, double *loss, dodona_error *err);
/* After training: 8-bit weights, from the averaged values where there are some. */
int biaffine_finish(biaffine *b, dodona_error *err);

typedef struct biaffine_score {
    uint64_t words, heads, labelled; /* right heads, and right labels up to a colon there */
    double seconds;                  /* of the network, without decoding */
} biaffine_score;

/* How well it parses, with weights in floats or in 8 bits. */
int biaffine_measure(biaffine *b, const ddn_sentence *const *s, size_t count, bool int8,
                     biaffine_score *score, dodona_error *err);

#endif
