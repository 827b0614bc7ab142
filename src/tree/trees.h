/* SPDX-License-Identifier: MIT */
/* trees.h - further results of a parse: a list of the best trees, and a probability for each
 * arc. */
#ifndef DDN_TREE_TREES_H
#define DDN_TREE_TREES_H

#include "tree/sentence.h"

/* Appends a tree to s->trees; labels are copied. */
int ddn_trees_add(ddn_sentence *s, double score, const int32_t *head, const dodona_text *label,
                  dodona_error *err);
/* Whether one of the trees has these heads and labels. */
bool ddn_trees_have(const ddn_sentence *s, const int32_t *head, const dodona_text *label);

/* Keeps p[1..n] and writes it into MISC as "Confidence=0.973", in place of one that is there.  A
 * sentence of CoNLL-X has no such column: it is only kept. p NULL: removes it from the sentence and
 * from MISC. */
int ddn_confidence_set(ddn_sentence *s, const double *p, dodona_error *err);

#endif
