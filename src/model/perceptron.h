/* SPDX-License-Identifier: MIT */
/* perceptron.h - the perceptron as a scorer: frozen, for parsing, and learning, for training. */
#ifndef DDN_MODEL_PERCEPTRON_H
#define DDN_MODEL_PERCEPTRON_H

#include "model/file.h"
#include "model/frozen.h"
#include "model/schema.h"
#include "model/scorer.h"
#include "model/weights.h"

/* A parser's model: read-only, shared by threads. */
typedef struct ddn_perceptron {
    ddn_schema schema;
    ddn_frozen frozen; /* borrowed from the file */
} ddn_perceptron;

/* From the file's sections; the file must outlive it. */
int ddn_perceptron_open(ddn_perceptron *p, const ddn_model_file *f, dodona_error *err);
void ddn_perceptron_close(ddn_perceptron *p);
/* A scoring for one thread; its scorer's close frees it. */
int ddn_perceptron_scoring(const ddn_schema *schema, const ddn_frozen *frozen, ddn_scoring **out,
                           dodona_error *err);

/* The sections of a model with these frozen weights: templates, labels, table and pool. */
enum { DDN_PERCEPTRON_SECTIONS = 4 };
void ddn_perceptron_sections(const ddn_section *templates, const ddn_output *labels,
                             const ddn_output *table, const ddn_output *pool, ddn_section *out);

/* A scoring whose weights change: sums of the present weights, not of averages. */
typedef struct ddn_learner ddn_learner;

int ddn_learner_new(const ddn_schema *schema, ddn_learner **out, dodona_error *err);
void ddn_learner_free(ddn_learner *l);
ddn_scoring *ddn_learner_scoring(ddn_learner *l);
ddn_weights *ddn_learner_weights(ddn_learner *l);
/* Adds delta to the weights of a kind, or of a kind with a label, for the features of view v of the
 * last call of kinds. */
int ddn_learner_move(ddn_learner *l, int v, int kind, int32_t delta, dodona_error *err);
int ddn_learner_label(ddn_learner *l, int v, int kind, uint16_t label, int32_t delta,
                      dodona_error *err);

#endif
