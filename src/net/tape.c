/* SPDX-License-Identifier: MIT */
/* tape.c - a list of blocks; what does not fit into one goes into the next that is large enough, or
 * into a new one. */
#include "net/tape.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 18, ALIGN = 16 }; /* floats */

struct ddn_tape_block {
    struct ddn_tape_block *next;
    size_t size, used; /* floats */
    float *data;
};

void ddn_tape_init(ddn_tape *t)
{
    t->first = t->now = NULL;
}

void ddn_tape_fini(ddn_tape *t)
{
    for (struct ddn_tape_block *b = t->first, *next; b; b = next) {
        next = b->next;
        free(b->data);
        free(b);
    }
    ddn_tape_init(t);
}

void ddn_tape_clear(ddn_tape *t)
{
    for (struct ddn_tape_block *b = t->first; b; b = b->next)
        b->used = 0;
    t->now = t->first;
}

static struct ddn_tape_block *block_new(size_t floats)
{
    struct ddn_tape_block *b = malloc(sizeof *b);
    float *data = aligned_alloc(64, floats * sizeof *data);
    if (!b || !data) {
        free(b);
        free(data);
        return NULL;
    }
    *b = (struct ddn_tape_block){ .size = floats, .data = data };
    return b;
}

float *ddn_tape_take(ddn_tape *t, size_t floats)
{
    if (floats > SIZE_MAX / 8)
        return NULL;
    floats = (floats + ALIGN - 1) / ALIGN * ALIGN;
    struct ddn_tape_block **at = t->now ? &t->now : &t->first;
    while (*at && (*at)->size - (*at)->used < floats)
        at = &(*at)->next;
    if (!*at)
        *at = block_new(floats > BLOCK ? floats : BLOCK);
    if (!*at)
        return NULL;
    t->now = *at;
    float *piece = t->now->data + t->now->used;
    t->now->used += floats;
    return piece;
}

float *ddn_tape_zeros(ddn_tape *t, size_t floats)
{
    float *piece = ddn_tape_take(t, floats);
    if (piece)
        memset(piece, 0, floats * sizeof *piece);
    return piece;
}
