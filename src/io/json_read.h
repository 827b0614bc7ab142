/* SPDX-License-Identifier: MIT */
/* json_read.h - a configuration from a JSON object.
 *
 *     {"heads":[2,0,2],"stack":[0,2],"buffer":3,"arcs":[2,-1,-1]}
 *
 * heads is the gold tree over words 1..n, stack goes from bottom to top, buffer is the first word
 * that was not read, and arcs has each word's head so far, -1 for none.  A system that looks at
 * pairs of words has its focus words in place of stack and buffer; i is 0 when no word is left of
 * j.
 *
 *     {"heads":[2,0,2],"i":1,"j":3,"arcs":[2,-1,-1]}
 *
 * What else the object has is not looked at. */
#ifndef DDN_IO_JSON_READ_H
#define DDN_IO_JSON_READ_H

#include "core/arena.h"
#include "core/error.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct ddn_configuration {
    int32_t n, depth, next, left; /* left and next: also i and j */
    int32_t *head;                /* [n + 1] head[0] = -1 */
    int32_t *arc;                 /* [n + 1] arc[0] = -1 */
    int32_t *stack;               /* [depth] */
    int32_t *mark;                /* [n + 1] scratch */
    ddn_arena arena;
} ddn_configuration;

void ddn_configuration_init(ddn_configuration *c);
void ddn_configuration_fini(ddn_configuration *c);
/* What comes out is whole: heads are a tree, all numbers are in range, the stack starts with 0 and
 * ascends up to the buffer, i is before j.  Otherwise the message says what is not so.  focus: i
 * and j are read, and the stack has 0 alone. */
int ddn_configuration_read(ddn_configuration *c, dodona_text json, bool focus, dodona_error *err);

#endif
