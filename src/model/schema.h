/* SPDX-License-Identifier: MIT */
/* schema.h - the transition system and the labels of a parser's model, for any scorer.
 *
 * Labels are numbered by falling frequency in training, so that label 0 is the safest guess.  A
 * label is only given to arcs of a sort on which training saw it: from the root, or from a word.
 */
#ifndef DDN_MODEL_SCHEMA_H
#define DDN_MODEL_SCHEMA_H

#include "core/error.h"
#include "core/intern.h"
#include "core/output.h"
#include "system/system.h"

enum { DDN_LABEL_OF_ROOT = 1, DDN_LABEL_OF_WORD = 2 };
enum { DDN_MAX_LABELS = 4096 };

typedef struct ddn_schema {
    const ddn_system *system;
    ddn_intern labels;
    uint8_t uses[DDN_MAX_LABELS];      /* by label: seen under the root, under a word */
    int32_t barred[2][DDN_MAX_LABELS]; /* from a word, from the root: not seen there */
    bool pseudo;                       /* labels say which arcs were lifted (tree/pseudo.h) */
} ddn_schema;

void ddn_schema_init(ddn_schema *s);
void ddn_schema_fini(ddn_schema *s);

int ddn_schema_add_label(ddn_schema *s, dodona_text label, uint8_t uses, dodona_error *err);

/* The label with the largest sum[label] among those that the arc may have; ties go to the smaller
 * number. */
uint16_t ddn_schema_best_label(const ddn_schema *s, bool from_root, const int32_t *sum);

/* The label of an arc from the root that no move made: the first that was seen under the root alone
 * or, if there is none, the first that was seen there. */
uint16_t ddn_schema_root_label(const ddn_schema *s);

/* Labels as text, a line each: uses, a space, label; and back. */
void ddn_schema_put_labels(const ddn_schema *s, ddn_output *o);
int ddn_schema_take_labels(ddn_schema *s, const char *text, size_t size, dodona_error *err);

#endif
