/* SPDX-License-Identifier: MIT */
/* json_write.h - a sentence as a JSON object in one line; docs/schema/sentence.json describes it.
 *
 *     {"document":"d-1","paragraph":2,"sent_id":"a-1","text":"No del sé.","words":[{"id":1,
 *      "form":"No","lemma":"no","upos":"ADV","feats":{"Polarity":"Neg"},"head":4,
 *      "deprel":"advmod","start":0,"end":2,"confidence":0.973},…],
 *      "multiword_tokens":[{"id":[2,3],"form":"del","start":3,"end":6}],
 *      "empty_nodes":[{"id":"3.1","form":"es","deps":[{"head":4,"deprel":"dep"}]}],
 *      "kbest":[{"score":7,"heads":[2,0],"deprels":[…]},…]}
 *
 * What is "_" is left out, but for forms and for the lemma of a form "_".  start and end are the
 * TokenRange of MISC, confidence its Confidence; MISC has the rest.  FEATS and MISC that are not
 * pairs of a name and a value, each name once, DDN_JSON_PAIRS at most, are strings as they stand,
 * and so are DEPS that are not pairs of a head and a relation.
 *
 * Every sentence tells the document and the paragraph that it is in by its id or, where that has
 * none, by its number: that of the document in the output, that of the paragraph in its document,
 * from 1.  A bad sentence is {"bad":true,"line":12}. */
#ifndef DDN_IO_JSON_WRITE_H
#define DDN_IO_JSON_WRITE_H

#include "core/output.h"
#include "tree/sentence.h"

enum { DDN_JSON_PAIRS = 64 };

/* A document or a paragraph. */
typedef struct ddn_json_unit {
    int64_t number; /* 0: none has begun */
    char *id;       /* [size] */
    size_t size, capacity;
} ddn_json_unit;

/* Where the sentences that are written stand; at first { 0 }. */
typedef struct ddn_json_place {
    ddn_json_unit document, paragraph;
} ddn_json_place;

void ddn_json_place_fini(ddn_json_place *p);

/* Writes the next sentence, with a newline. */
void ddn_json_put(ddn_json_place *p, ddn_output *o, const ddn_sentence *s);

#endif
