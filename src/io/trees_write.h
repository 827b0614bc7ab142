/* SPDX-License-Identifier: MIT */
/* trees_write.h - the list of a sentence's best trees: in JSON, and as comments of CoNLL-U.
 *
 *     {"score":123,"heads":[2,0,2],"deprels":["det","root","punct"]}
 *     # kbest = {"score":123,"heads":[2,0,2],"deprels":["det","root","punct"]}
 *
 * A comment a tree, the best first; it is the tree in the columns. */
#ifndef DDN_IO_TREES_WRITE_H
#define DDN_IO_TREES_WRITE_H

#include "core/json.h"
#include "tree/trees.h"

/* Tree k of s->trees, from 0, as an object. */
void ddn_tree_put(ddn_json *j, const ddn_sentence *s, int32_t k);

/* Writes s->trees into the comments of s, in place of those that are there. */
int ddn_trees_comment(ddn_sentence *s, dodona_error *err);

#endif
