/* SPDX-License-Identifier: MIT */
/* tape.h - what a pass keeps from forward for backward, and scratch memory: floats that are all
 * given back at once.  Memory is kept from batch to batch. */
#ifndef DDN_NET_TAPE_H
#define DDN_NET_TAPE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ddn_tape {
    struct ddn_tape_block *first, *now; /* a list; now is the block that is being filled */
} ddn_tape;

void ddn_tape_init(ddn_tape *t); /* allocates nothing */
void ddn_tape_fini(ddn_tape *t);
void ddn_tape_clear(ddn_tape *t); /* all that was taken is free again */

/* So many floats, not set to anything and aligned to 64 bytes; NULL: no memory. */
float *ddn_tape_take(ddn_tape *t, size_t floats);
/* The same with zeros. */
float *ddn_tape_zeros(ddn_tape *t, size_t floats);

#endif
