/* SPDX-License-Identifier: MIT */
/* breakdown.h - where the attachment scores come from: by label, by length of the arc, by its
 * shape; and the four unlabelled accuracies of Huang & Sagae (2010, Table 4). */
#ifndef DDN_EVAL_BREAKDOWN_H
#define DDN_EVAL_BREAKDOWN_H

#include "eval/ud_score.h"

typedef enum ddn_accuracy_kind {
    DDN_ACC_WORD,     /* words with the right head */
    DDN_ACC_NON_ROOT, /* the same over words whose gold head is a word */
    DDN_ACC_ROOT,     /* sentences whose root is the right word */
    DDN_ACC_COMPLETE, /* sentences all of whose words have the right head */
    DDN_ACCURACIES
} ddn_accuracy_kind;

extern const char *const ddn_accuracy_name[DDN_ACCURACIES];

typedef struct ddn_accuracy {
    int64_t right, total;
} ddn_accuracy;

double ddn_accuracy_ratio(const ddn_accuracy *a); /* of 1, 0 where nothing is counted */

/* Over gold words and gold sentences; a word that is not aligned is wrong.  Words that do not count
 * (see ddn_counts_gold) are not needed, and a sentence of nothing else is left out. */
void ddn_accuracies(const ddn_alignment *a, bool no_punct, ddn_accuracy out[DDN_ACCURACIES]);

/* Arcs of one class.  The same arc may fall in different classes of the two files, as when its
 * length differs with the tokens, so each side counts its own right ones. */
typedef struct ddn_tally {
    int64_t gold, gold_right, system, system_right;
} ddn_tally;

double ddn_tally_precision(const ddn_tally *t);
double ddn_tally_recall(const ddn_tally *t);
double ddn_tally_f1(const ddn_tally *t);

enum { DDN_LENGTHS = 10, DDN_SHAPES = 2 };
extern const char *const ddn_length_name[DDN_LENGTHS]; /* "root", "1", ... "21+" */
extern const char *const ddn_shape_name[DDN_SHAPES];   /* "projective", "non-projective" */

typedef struct ddn_label_tally {
    uint32_t label; /* of the names */
    ddn_tally tally;
} ddn_label_tally;

/* An arc is right when head and relation are, as in LAS. */
typedef struct ddn_breakdown {
    ddn_label_tally *label; /* [labels] the most frequent in gold first, then by name */
    size_t labels;
    ddn_tally length[DDN_LENGTHS]; /* words from head to modifier */
    ddn_tally shape[DDN_SHAPES];   /* non-projective: a word between is not below the head */
} ddn_breakdown;

/* To fini also after a failure. */
int ddn_breakdown_make(ddn_breakdown *b, const ddn_alignment *a, const ddn_eval_names *names,
                       bool no_punct, dodona_error *err);
void ddn_breakdown_fini(ddn_breakdown *b);

#endif
