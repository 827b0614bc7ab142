/* SPDX-License-Identifier: MIT */
/* features.h - the features and outputs of a linear parser: its templates, and the numbers of its
 * outputs.
 *
 * The row of a feature has a weight for each transition type.  A class is a type that makes an arc
 * together with a label: class = arc_index[kind] * labels + label.
 *
 * Where templates see arcs ([arcs] in model/template.h), a row has two more weights, for arcs to
 * the left and to the right, and none for types if no template scores these; a class is then a
 * direction together with a label, whatever move makes the arc. */
#ifndef DDN_MODEL_FEATURES_H
#define DDN_MODEL_FEATURES_H

#include "model/encode.h"
#include "model/schema.h"

enum { DDN_DIRECTIONS = 2 };        /* of arcs: to the left, to the right */
enum { DDN_MAX_CLASSES = 1 << 15 }; /* frozen.h has 15 bits for a class */

typedef struct ddn_features {
    const ddn_schema *schema; /* borrowed */
    ddn_templates templates;
    ddn_feature feature[DDN_MAX_TEMPLATES];
    int columns;                  /* weights in a row */
    int groups;                   /* of classes: types that make arcs, or directions */
    int arc_index[DDN_MAX_KINDS]; /* -1: makes none */
    bool by_arc;                  /* templates see arcs */
} ddn_features;

/* Compiles the templates, for a schema that has its labels. */
int ddn_features_init(ddn_features *f, const ddn_schema *schema, const char *templates, size_t size,
                      const char *name, dodona_error *err);

static inline uint32_t ddn_features_classes(const ddn_features *f)
{
    return (uint32_t)f->groups * f->schema->labels.count;
}

/* The first class of a transition type. */
static inline uint32_t ddn_features_class(const ddn_features *f, int kind)
{
    return (uint32_t)f->arc_index[kind] * f->schema->labels.count;
}

#endif
