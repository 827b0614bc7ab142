/* SPDX-License-Identifier: MIT */
/* space.h - one block of memory that arrays are allocated from.
 *
 * A decoder says beforehand how many bytes it will take, so that a sentence that is too large is
 * refused before anything is allocated.  The sum is a double: at n^5 an integer may overflow. */
#ifndef DDN_CHART_SPACE_H
#define DDN_CHART_SPACE_H

#include <assert.h>
#include <stddef.h>

enum { DDN_SPACE_ALIGN = 64 };

typedef struct ddn_space {
    char *at;
    size_t left;
} ddn_space;

/* At most this much is taken for count things of that size. */
static inline double ddn_space_cost(double count, size_t size)
{
    return count * (double)size + DDN_SPACE_ALIGN;
}

static inline void *ddn_space_take(ddn_space *s, size_t count, size_t size)
{
    size_t bytes = (count * size + DDN_SPACE_ALIGN - 1) / DDN_SPACE_ALIGN * (size_t)DDN_SPACE_ALIGN;
    assert(bytes <= s->left);
    void *piece = s->at;
    s->at += bytes;
    s->left -= bytes;
    return piece;
}

#endif
