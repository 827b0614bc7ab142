/* SPDX-License-Identifier: MIT */
/* scores_read.h - arc scores from a JSON object.
 *
 *     {"scores":[[null,1,0],[null,null,2.5],[null,-1,null]]}
 *
 * A matrix of (n+1) x (n+1), row = head, column = modifier; null forbids the arc.  The diagonal and
 * column 0 have no arcs: what stands there is checked but means nothing.  What else the object has
 * is not looked at. */
#ifndef DDN_IO_SCORES_READ_H
#define DDN_IO_SCORES_READ_H

#include "core/error.h"
#include <stdint.h>

typedef struct ddn_scores {
    int32_t n;
    double *w; /* [(n+1) * (n+1)] -INFINITY for null */
    size_t cap;
} ddn_scores;

void ddn_scores_init(ddn_scores *s);
void ddn_scores_fini(ddn_scores *s);
/* Numbers larger than most in size are refused. */
int ddn_scores_read(ddn_scores *s, dodona_text json, double most, dodona_error *err);

#endif
