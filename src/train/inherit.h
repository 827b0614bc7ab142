/* SPDX-License-Identifier: MIT */
/* inherit.h - the metadata of a model some of whose parts come from an earlier one. */
#ifndef DDN_TRAIN_INHERIT_H
#define DDN_TRAIN_INHERIT_H

#include "core/output.h"
#include "model/file.h"

/* Appends the lines "key: value" of an earlier model to those of the new one.  Left out are lines
 * whose key is there already, and those about the parts of steps (DODONA_STEP_*), which are new. */
void ddn_inherit_metadata(const ddn_model_file *from, int steps, ddn_output *lines);

/* The line "kind:" of a model with these parts beside the parser, or without a parser. */
void ddn_put_kind(ddn_output *o, bool has_parser, const ddn_section *part, int parts);

#endif
