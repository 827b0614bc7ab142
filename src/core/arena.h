/* SPDX-License-Identifier: MIT */
/* arena.h - arrays that live equally long, as long as a sentence or a workspace: taken one by one,
 * given back all at once.  An arena of zeros is an empty one.
 *
 *     ddn_arena_reset(&w->arena);
 *     w->head = ddn_arena_take(&w->arena, m, sizeof *w->head);
 *     w->arc = ddn_arena_take(&w->arena, m * m, sizeof *w->arc);
 *     if (w->arena.failed)
 *         return ddn_fail_memory(err);
 *
 * An array that grows while it is filled is one for ddn_reserve (core/array.h). */
#ifndef DDN_CORE_ARENA_H
#define DDN_CORE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

enum { DDN_ARENA_ALIGN = 64 }; /* bytes: a line of the cache, and the widest vector */

typedef struct ddn_arena {
    bool failed;                    /* an array since the last reset is NULL: no memory */
    struct ddn_arena_block *newest; /* a list */
    char *next, *end;               /* what is left of the newest block */
    size_t used;                    /* bytes since the last reset */
    size_t least;                   /* bytes of the next block at least */
} ddn_arena;

/* Gives all arrays back, and keeps the memory for those to come. */
void ddn_arena_reset(ddn_arena *a);
/* Frees the memory; the arena is empty and can be used again. */
void ddn_arena_fini(ddn_arena *a);

/* count elements of size bytes each (size > 0), aligned to DDN_ARENA_ALIGN and not set to anything.
 * The array stays where it is until the arena is reset.  NULL where there is no memory; then so are
 * all that follow. */
void *ddn_arena_take(ddn_arena *a, size_t count, size_t size);
/* The same, set to zeros. */
void *ddn_arena_zeros(ddn_arena *a, size_t count, size_t size);

#endif
