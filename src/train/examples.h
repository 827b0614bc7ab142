/* SPDX-License-Identifier: MIT */
/* examples.h - the trees that are learnt: those of the treebank, or projective ones in their place.
 */
#ifndef DDN_TRAIN_EXAMPLES_H
#define DDN_TRAIN_EXAMPLES_H

#include "core/arena.h"
#include "model/schema.h"
#include "train/train.h"

typedef struct ddn_example {
    const ddn_sentence *sentence; /* borrowed from the treebank */
    int32_t *head;                /* [n+1] of a tree that the system can reach */
    uint16_t *label;              /* [n+1] numbers of the schema */
    bool crossing;                /* the system can't reach the treebank's tree */
} ddn_example;

typedef struct ddn_examples {
    ddn_example *example;
    size_t count, capacity;
    ddn_arena arena;  /* heads and labels */
    int64_t crossing; /* trees that the system can't reach, and */
    int64_t skipped;  /* of these, those that are left out */
    int64_t too_long; /* sentences that are left out for their length */
} ddn_examples;

/* The examples of a treebank, and their labels in the schema, by falling frequency.  A tree that
 * the system can't reach is treated as o->nonprojective says.  Refuses what is not a tree, naming
 * its line. */
int ddn_examples_make(ddn_examples *e, const ddn_train_options *o, const ddn_treebank *t,
                      ddn_schema *schema, dodona_error *err);
void ddn_examples_fini(ddn_examples *e);

#endif
