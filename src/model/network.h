/* SPDX-License-Identifier: MIT */
/* network.h - the scorer 'network', for the files that it is made of.
 *
 *   network_words.c   vocabularies, and sentences as numbers
 *   network.c         the model: sizes, creating, learning
 *   network_file.c    saving and opening
 *   network_pass.c    a pass: encoding, scores, and adjoints of scores
 *
 * An encoder (net/encoder.h) gives each word a vector.  A model has a head for labels and one of
 * two others: moves, from the vectors of the few words that stand at places of a configuration; or
 * arcs.  It learns in floats, and a model that was opened computes with 8-bit weights. */
#ifndef DDN_MODEL_NETWORK_H
#define DDN_MODEL_NETWORK_H

#include "model/network_words.h"
#include "model/tensors.h"
#include "net/encoder.h"
#include "net/heads.h"

/* Widths, as they stand in a model. */
typedef struct ddn_network_sizes {
    int word, upos, feats, character; /* of embeddings */
    int spelling, hidden;             /* of recurrences, in each direction */
    int layers;
    int arcs, labels, moves; /* of heads */
} ddn_network_sizes;

typedef struct ddn_network {
    ddn_model base; /* first */
    char part[DDN_MAX_SECTION_NAME];
    ddn_layout layout;
    ddn_vocabulary vocabulary;
    ddn_network_sizes sizes;
    ddn_tensors tensors;
    ddn_encoder encoder;
    ddn_labels_head label;
    ddn_slots_head move;      /* with MOVES */
    ddn_arcs_head arc;        /* with ARCS */
    float dropout, word_rate; /* while it learns */
} ddn_network;

/* Sizes, and the tensors that follow from them, the vocabulary and the schema. */
void ddn_network_plan(ddn_network *m);
int ddn_network_new(const ddn_spec *spec, unsigned heads, ddn_network **out, dodona_error *err);
void ddn_network_close(ddn_model *base);

int ddn_network_save(ddn_model *base, uint64_t limit, ddn_sections *to, dodona_error *err);
int ddn_network_open(const ddn_model_file *f, const ddn_spec *spec, ddn_model **out,
                     dodona_error *err);

/* ---- Passes ---- */

int ddn_network_pass_open(const ddn_model *base, ddn_breadth breadth, ddn_pass **out,
                          dodona_error *err);
void ddn_network_pass_end(ddn_pass *base);
int ddn_network_encode(ddn_pass *base, const ddn_sentence *const *s, int m, dodona_error *err);
int ddn_network_moves(ddn_pass *base, const ddn_query *query, int m, ddn_score *score,
                      dodona_error *err);
uint16_t ddn_network_label(ddn_pass *base, const ddn_arc_query *q, ddn_score *score);
void ddn_network_labels(ddn_pass *base, const ddn_arc_query *q, ddn_score *score);
int ddn_network_arcs(ddn_pass *base, int sentence, ddn_score *w, uint16_t *label,
                     dodona_error *err);
int ddn_network_learn_move(ddn_pass *base, int32_t query, const ddn_adjoint *d, int m,
                           dodona_error *err);
int ddn_network_learn_label(ddn_pass *base, const ddn_arc_query *q, const ddn_adjoint *d, int m,
                            dodona_error *err);
int ddn_network_learn_arcs(ddn_pass *base, int sentence, const ddn_score *d, dodona_error *err);
int ddn_network_backward(ddn_pass *base, dodona_error *err);
/* The gradient that backward left, of a loss that is summed over so many words. */
float *ddn_network_pass_gradient(ddn_pass *base, size_t *words);

#endif
