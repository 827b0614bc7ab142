/* SPDX-License-Identifier: MIT */
/* forest_file.h - forests in files: a JSON object a line, a line a sentence.
 *
 *     {"sent_id":"a-1","words":["oaks","speak"],"labels":["nsubj","root"],"edges":[0,0,0,1,1],
 *      "left":[1,0],"right":[2,3],"score":[5,7],"head":[2,0],"child":[1,2],"label":[0,1]}
 *
 * edges says how many edges each node has, in the order of nodes; the other lists have an entry an
 * edge, node after node, and say what ddn_forest_edge says.  label is a place in labels; where no
 * arc is made, head, child and label are 0.  sent_id may be missing.  docs/forest.md has more. */
#ifndef DDN_CHART_FOREST_FILE_H
#define DDN_CHART_FOREST_FILE_H

#include "chart/forest.h"
#include "core/intern.h"
#include "core/output.h"
#include "tree/sentence.h"

/* A forest with its words, as read. */
typedef struct ddn_forest_record {
    ddn_forest forest;
    ddn_intern labels;     /* of the edges' labels */
    ddn_sentence sentence; /* forms, and a comment with the sent_id if there is one */
} ddn_forest_record;

void ddn_forest_record_init(ddn_forest_record *r);
void ddn_forest_record_fini(ddn_forest_record *r);

/* A forest that is read has passed ddn_forest_check; otherwise the message says what is wrong. */
int ddn_forest_read(ddn_forest_record *r, dodona_text json, dodona_error *err);

/* One line with its newline.  labels has the texts of the edges' labels; those that no edge has are
 * left out, and the others numbered anew.  A line that would be too long to be read is refused. */
int ddn_forest_write(ddn_output *o, const ddn_forest *f, const ddn_sentence *s,
                     const ddn_intern *labels, dodona_error *err);

#endif
