/* SPDX-License-Identifier: MIT */
/* schema.h - what a parser's weights speak of: a system, templates, and labels.
 *
 * Labels are numbered by falling frequency in training, so that label 0 is the safest guess.  A
 * class is a kind that makes an arc together with a label: class = arc_index[kind] * labels +
 * label. A label is only given to arcs of the sort that it had in training: from the root, or from
 * a word. */
#ifndef DDN_MODEL_SCHEMA_H
#define DDN_MODEL_SCHEMA_H

#include "core/intern.h"
#include "core/output.h"
#include "model/encode.h"
#include "system/system.h"

enum { DDN_LABEL_OF_ROOT = 1, DDN_LABEL_OF_WORD = 2 };
enum { DDN_DIRECTIONS = 2 };                               /* of arcs: to the left, to the right */
enum { DDN_MAX_LABELS = 4096, DDN_MAX_CLASSES = 1 << 15 }; /* frozen.h has 15 bits for a class */

typedef struct ddn_schema {
    const ddn_system *system;
    ddn_templates templates;
    ddn_hashing hashing;
    ddn_intern labels;
    uint8_t uses[DDN_MAX_LABELS];      /* by label: seen under the root, under a word */
    int32_t barred[2][DDN_MAX_LABELS]; /* from a word, from the root: not seen there */
    bool pseudo;                       /* labels say which arcs were lifted (tree/pseudo.h) */
    int arcs;                          /* kinds that make arcs */
    int arc_index[DDN_MAX_KINDS];      /* -1: makes none */
    int columns;                       /* weights in the row of a feature: one for each kind */
    bool by_arc; /* templates see arcs (model/arcs.h): two more columns, and none for kinds if no
                    template scores these; classes are a direction and a label, arcs is 2 */
} ddn_schema;

void ddn_schema_init(ddn_schema *s);
void ddn_schema_fini(ddn_schema *s);

/* Sets system and templates; labels follow one by one. */
int ddn_schema_set(ddn_schema *s, const ddn_system *system, const char *templates, size_t size,
                   const char *name, dodona_error *err);
int ddn_schema_add_label(ddn_schema *s, dodona_text label, uint8_t uses, dodona_error *err);

static inline uint32_t ddn_schema_classes(const ddn_schema *s)
{
    return (uint32_t)s->arcs * s->labels.count;
}

static inline uint16_t ddn_schema_class(const ddn_schema *s, int kind, uint16_t label)
{
    return (uint16_t)((uint32_t)s->arc_index[kind] * s->labels.count + label);
}

/* The label with the largest sum[class] among those that the arc may have; ties go to the smaller
 * number. */
uint16_t ddn_schema_best_label(const ddn_schema *s, int kind, bool from_root, const int32_t *sum);

/* The same, of[label] being the sums. */
uint16_t ddn_schema_best_of(const ddn_schema *s, bool from_root, const int32_t *of);

/* The label of an arc from the root that no move made: the first that was seen under the root alone
 * or, if there is none, the first that was seen there. */
uint16_t ddn_schema_root_label(const ddn_schema *s);

/* Labels as text, a line each: uses, blank, label; and back. */
void ddn_schema_put_labels(const ddn_schema *s, ddn_output *o);
int ddn_schema_take_labels(ddn_schema *s, const char *text, size_t size, dodona_error *err);

#endif
