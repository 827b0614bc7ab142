/* SPDX-License-Identifier: MIT */
/* arena.c - a list of blocks.  What does not fit into the newest block goes into a new one, so that
 * no array ever moves.  Where a sentence needed several blocks, the reset after it replaces them by
 * a single one that is large enough for all: the arena keeps as much memory as the largest sentence
 * used, and half of it.
 *
 * For the address sanitizer, whatever is not taken is poisoned, and so is the end of each array. */
#include "core/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DDN_ARENA_POISONS
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define DDN_ARENA_POISONS
#endif
#ifdef DDN_ARENA_POISONS
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, size)   ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

enum { ALIGN = DDN_ARENA_ALIGN, SMALLEST = 1024 };

struct ddn_arena_block {
    struct ddn_arena_block *older;
};

/* Where the first array of a block begins. */
static char *begin(struct ddn_arena_block *b)
{
    uintptr_t past = (uintptr_t)(b + 1) % ALIGN;
    return (char *)(b + 1) + (past ? ALIGN - past : 0);
}

static void rewind_to(ddn_arena *a, char *at)
{
    a->next = at;
    ASAN_POISON_MEMORY_REGION(at, (size_t)(a->end - at));
}

void ddn_arena_fini(ddn_arena *a)
{
    for (struct ddn_arena_block *b = a->newest, *older; b; b = older) {
        older = b->older;
        free(b);
    }
    *a = (ddn_arena){ 0 };
}

void ddn_arena_reset(ddn_arena *a)
{
    size_t used = a->used;
    if (a->newest && a->newest->older) {
        ddn_arena_fini(a);
        a->least = used + used / 2;
    } else if (a->newest) {
        rewind_to(a, begin(a->newest));
    }
    a->used = 0;
    a->failed = false;
}

static bool grow(ddn_arena *a, size_t bytes)
{
    size_t size = bytes > SMALLEST ? bytes : SMALLEST;
    if (size < a->least)
        size = a->least;
    struct ddn_arena_block *b = malloc(sizeof *b + ALIGN + size);
    if (!b)
        return false;
    b->older = a->newest;
    a->newest = b;
    a->end = begin(b) + size;
    a->least = (a->used + size) / 2;
    rewind_to(a, begin(b));
    return true;
}

void *ddn_arena_take(ddn_arena *a, size_t count, size_t size)
{
    if (a->failed)
        return NULL;
    a->failed = true;
    if (count > SIZE_MAX / 4 / size)
        return NULL;
    size_t bytes = (count * size / ALIGN + 1) * ALIGN;
    if ((size_t)(a->end - a->next) < bytes && !grow(a, bytes))
        return NULL;
    a->failed = false;
    char *array = a->next;
    a->next += bytes;
    a->used += bytes;
    ASAN_UNPOISON_MEMORY_REGION(array, count * size);
    return array;
}

void *ddn_arena_zeros(ddn_arena *a, size_t count, size_t size)
{
    void *array = ddn_arena_take(a, count, size);
    return array ? memset(array, 0, count * size) : NULL;
}
