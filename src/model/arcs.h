/* SPDX-License-Identifier: MIT */
/* arcs.h - the perceptron where templates see arcs: a scorer for greedy and beam search, and for
 * exact search, with the same scores. */
#ifndef DDN_MODEL_ARCS_H
#define DDN_MODEL_ARCS_H

#include "model/frozen.h"
#include "model/schema.h"
#include "model/scorer.h"

/* A scoring over frozen weights, or over such that change; one of the two is given. */
int ddn_arc_scoring_new(const ddn_schema *schema, const ddn_frozen *frozen, ddn_weights *weights,
                        ddn_scoring **out, dodona_error *err);

/* Over weights that change: adds delta to those of a move of that kind, or of its label, in view v
 * of the last call of kinds; the view of a move that makes an arc is its own. */
int ddn_arc_scoring_move(ddn_scoring *g, int v, int kind, int32_t delta, dodona_error *err);
int ddn_arc_scoring_label(ddn_scoring *g, int v, uint16_t label, int32_t delta, dodona_error *err);

#endif
