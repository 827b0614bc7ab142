/* SPDX-License-Identifier: MIT */
/* result.h - the tree that a search ended in, with labels as text.  Words that the system leaves to
 * the root get the label of the root's children.  Where labels say that an arc was lifted
 * (pseudo-projective models), it is put back. */
#ifndef DDN_SEARCH_RESULT_H
#define DDN_SEARCH_RESULT_H

#include "core/arena.h"
#include "model/schema.h"
#include "tree/pseudo.h"

typedef struct ddn_result {
    int32_t *head;            /* [n+1] */
    dodona_text *label;       /* [n+1] borrowed from the schema, or from here */
    const dodona_text *given; /* [n+1] set by the caller: labels to have whatever the search says;
                                 size 0: none.  NULL: none at all */
    int32_t *lifted_head;     /* before lifted arcs were put back */
    dodona_text *lifted_label;
    ddn_arena arena; /* all of these */
    ddn_pseudo pseudo;
} ddn_result;

void ddn_result_init(ddn_result *r);
void ddn_result_fini(ddn_result *r);
int ddn_result_read(ddn_result *r, const ddn_schema *schema, const ddn_state *s, dodona_error *err);
/* The same for a tree over n words that stands in head and label. */
int ddn_result_from(ddn_result *r, const ddn_schema *schema, int32_t n, const int32_t *head,
                    const int32_t *label, dodona_error *err);

#endif
