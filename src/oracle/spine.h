/* SPDX-License-Identifier: MIT */
/* spine.h - parts of the LR-spine oracle for measurements and tests. */
#ifndef DDN_ORACLE_SPINE_H
#define DDN_ORACLE_SPINE_H

#include "oracle/oracle.h"

enum { DDN_SPINE_ELEMENTS = 64 }; /* the most that L or R may have */

typedef struct ddn_spine_size {
    int64_t trees;                          /* in all cells of the table */
    int32_t widest[2 * DDN_SPINE_ELEMENTS]; /* by i + j - 1, the most trees in a cell T[i,j] */
} ddn_spine_size;

extern const ddn_oracle ddn_oracle_spine;

/* Fills the whole table of a configuration, without a bound of the loss; begin has set a gold tree
 * for space.  False: it is beyond the limits. */
bool ddn_spine_measure(void *space, const ddn_state *s, ddn_spine_size *size);

/* From now on every spine is its root alone, so that values are those of arc-standard.  Costs may
 * not be asked for. */
void ddn_spine_roots_only(void *space);

#endif
