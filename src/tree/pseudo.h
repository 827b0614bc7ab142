/* SPDX-License-Identifier: MIT */
/* pseudo.h - pseudo-projective trees (Nivre & Nilsson 2005): a tree made projective by lifting
 * arcs, with marks in the labels that say how to take it back.
 *
 *     nsubj|conj     lifted; its head was below here, with the label conj     (head, head+path)
 *     nsubj|         lifted; its head was at the end of the marked path       (path)
 *     conj%          something was lifted past this arc                       (path, head+path)
 *
 * A word may have both marks, "nsubj|conj%".  Labels that have |, % or \ of their own get a
 * backslash before each in any word that is encoded, marked or not. */
#ifndef DDN_TREE_PSEUDO_H
#define DDN_TREE_PSEUDO_H

#include "core/error.h"
#include "core/output.h"
#include <stdbool.h>

/* Words of a sentence that is not projective, and lifted words of one that is decoded, at most. */
enum { DDN_PSEUDO_WORDS = 2000 };

typedef enum ddn_pseudo_scheme {
    DDN_PSEUDO_HEAD,
    DDN_PSEUDO_PATH,
    DDN_PSEUDO_HEAD_PATH,
} ddn_pseudo_scheme;

/* Scratch memory, and the bytes of the last labels that were made. */
typedef struct ddn_pseudo {
    int32_t *number;
    size_t number_cap;
    char *text;
    size_t text_cap;
} ddn_pseudo;

void ddn_pseudo_init(ddn_pseudo *p);
void ddn_pseudo_fini(ddn_pseudo *p);

/* Whether the label says that its word was lifted. */
bool ddn_pseudo_is_lifted(dodona_text label);

/* Heads and labels 1..n of a tree into those of a projective one.  The shortest non-projective arc
 * (of several, the one into the leftmost word) goes up to its head's head until there is none left.
 * The new labels are borrowed from p, until its next use, or from the old ones.  The out arrays are
 * not the in arrays.  Returns the number of words with a new head, or a negative code. */
int32_t ddn_pseudo_encode(ddn_pseudo *p, ddn_pseudo_scheme scheme, const int32_t *head,
                          const dodona_text *label, int32_t n, int32_t *out_head,
                          dodona_text *out_label, dodona_error *err);

/* The way back.  The marks tell the schemes apart.  For each lifted word, from the top of the tree
 * down and from left to right, the nearest node below its head is taken that fits its mark, the
 * leftmost of these; a word for which there is never one stays where it is, as do
 * those beyond the first DDN_PSEUDO_WORDS.  The result is a tree
 * whatever the marks are, without marks.  Returns as above. */
int32_t ddn_pseudo_decode(ddn_pseudo *p, const int32_t *head, const dodona_text *label, int32_t n,
                          int32_t *out_head, dodona_text *out_label, dodona_error *err);

#endif
