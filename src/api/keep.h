/* SPDX-License-Identifier: MIT */
/* keep.h - the given heads and labels of a sentence, as a constraint for the search. */
#ifndef DDN_API_KEEP_H
#define DDN_API_KEEP_H

#include "model/schema.h"
#include "search/constraint.h"
#include "tree/sentence.h"

typedef struct ddn_keep {
    const ddn_schema *schema;
    ddn_constraint *constraint; /* borrowed */
    uint8_t *uses;              /* by label, see constraint.h */
    int32_t *head, *label;      /* [n+1] */
    dodona_text *text;          /* [n+1] the given labels; size 0: none */
    char *bytes;                /* of these */
    ddn_arena arena;            /* all but uses: of one sentence */
} ddn_keep;

int ddn_keep_init(ddn_keep *k, const ddn_schema *schema, ddn_constraint *constraint,
                  dodona_error *err);
void ddn_keep_fini(ddn_keep *k);

/* Gives the constraint what the columns HEAD and DEPREL of s have.  A contradiction is told with
 * file and line. */
int ddn_keep_begin(ddn_keep *k, const ddn_sentence *s, dodona_error *err);

#endif
