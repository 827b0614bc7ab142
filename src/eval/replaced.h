/* SPDX-License-Identifier: MIT */
/* replaced.h - what a non-monotonic parser made of its chance to change its mind (Fernández-
 * González & Gómez-Rodríguez 2017, section 6.3). */
#ifndef DDN_EVAL_REPLACED_H
#define DDN_EVAL_REPLACED_H

#include "eval/ud_score.h"

typedef struct ddn_replaced {
    int64_t arcs;      /* moves that made an arc */
    int64_t replacing; /* of these, moves that took another arc away */
    int64_t gold;      /* of these, moves whose arc is gold */
    int64_t harmful;   /* moves whose arc is not gold, and an arc that they took away was */
} ddn_replaced;

/* Reads the file that dodona parse --trace wrote with the system file of the alignment ("-":
 * standard input).  Labels do not count.  An arc counts when its child does (see
 * ddn_counts_system). */
int ddn_replaced_read(ddn_replaced *r, const ddn_alignment *a, bool no_punct, const char *path,
                      dodona_error *err);

#endif
