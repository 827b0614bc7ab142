/* SPDX-License-Identifier: MIT */
/* feed_forward.h - the scorer 'feed-forward', for the files that it is made of.
 *
 *   feed_forward.c         the model: fields, creating, learning, saving and opening
 *   feed_forward_pass.c    a pass: encoding, scores, and adjoints of scores
 *
 * The atoms of a set of templates (model/template.h) are what it reads; how they are combined into
 * templates does not matter.  With E the embedding of an atom's value,
 *
 *     hidden = leaky(sum over atoms a of E(value of a) W_a)      moves = hidden V + v
 *                                                                labels = hidden U_type + u_type
 *
 * A field is a sort of values with a table of embeddings: an attribute of words, labels, numbers of
 * children, relations of children, distances.  Atoms of one field share its table, and each has a
 * matrix W of its own.  A product E W depends on a value and an atom alone, so that it is made once
 * for all values of a batch, and a configuration adds up rows.
 *
 * This is the network of Nederhof 2019, section 8, with the templates 'nederhof'. */
#ifndef DDN_MODEL_FEED_FORWARD_H
#define DDN_MODEL_FEED_FORWARD_H

#include "model/encode.h"
#include "model/scorer.h"
#include "model/tensors.h"
#include "net/layers.h"

/* Behind the sources of the templates. */
enum { DDN_FIELD_LABEL, DDN_FIELD_VALENCY, DDN_FIELD_SET, DDN_FIELD_DISTANCE, DDN_STATE_FIELDS };
enum { DDN_MAX_FIELDS = DDN_MAX_SOURCES + DDN_STATE_FIELDS };
/* Rows of the table of a source: a value that was not seen, the root, no word, and the values. */
enum { DDN_VALUE_UNKNOWN, DDN_VALUE_ROOT, DDN_VALUE_NOTHING, DDN_VALUE_FIRST };

typedef struct ddn_field {
    size_t rows, width;
    size_t uses; /* atoms that read it; 0: it has no tensors */
    ddn_embedding table;
    ddn_linear place; /* width to uses * hidden */
} ddn_field;

typedef struct ddn_feed_forward {
    ddn_model base; /* first */
    char part[DDN_MAX_SECTION_NAME];
    const char *text; /* of the templates; borrowed */
    size_t text_size;
    ddn_templates templates;
    ddn_intern value[DDN_MAX_SOURCES]; /* row = id + DDN_VALUE_FIRST */
    int width[2]; /* of the embeddings of forms and lemmas, and of all others */
    int hidden;
    int fields;
    ddn_field field[DDN_MAX_FIELDS];
    uint8_t field_of[DDN_MAX_ATOMS], use_of[DDN_MAX_ATOMS];
    size_t most_terms; /* rows that a configuration adds up */
    ddn_linear move;
    ddn_linear label[DDN_MAX_KINDS]; /* of types that make arcs */
    ddn_tensors tensors;
    float dropout;
} ddn_feed_forward;

/* ---- Passes ---- */

int ddn_feed_forward_pass_open(const ddn_model *base, ddn_breadth breadth, ddn_pass **out,
                               dodona_error *err);
void ddn_feed_forward_pass_end(ddn_pass *base);
int ddn_feed_forward_encode(ddn_pass *base, const ddn_sentence *const *s, int m, dodona_error *err);
int ddn_feed_forward_moves(ddn_pass *base, const ddn_query *query, int m, ddn_score *score,
                           dodona_error *err);
uint16_t ddn_feed_forward_label(ddn_pass *base, const ddn_arc_query *q, ddn_score *score);
void ddn_feed_forward_labels(ddn_pass *base, const ddn_arc_query *q, ddn_score *score);
int ddn_feed_forward_learn_move(ddn_pass *base, int32_t query, const ddn_adjoint *d, int m,
                                dodona_error *err);
int ddn_feed_forward_learn_label(ddn_pass *base, const ddn_arc_query *q, const ddn_adjoint *d,
                                 int m, dodona_error *err);
int ddn_feed_forward_backward(ddn_pass *base, dodona_error *err);
/* The gradient that backward left, of a loss that is summed over so many words. */
float *ddn_feed_forward_pass_gradient(ddn_pass *base, size_t *words);

#endif
