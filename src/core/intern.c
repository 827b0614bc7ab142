/* SPDX-License-Identifier: MIT */
/* intern.c - open addressing with linear probing, at most half full.
 *
 * A slot holds id + 1.  The item keeps 32 bits of its hash, so that a probe compares bytes only
 * when these agree, and growing needs no string.  Texts lie in blocks that never move.  An add
 * reserves everything it may need before it changes anything. */
#include "core/intern.h"

#include "core/array.h"
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define BLOCK_BYTES ((size_t)1 << 16)
#define FIRST_SLOTS ((size_t)64)

struct ddn_interned {
    const char *data;
    size_t size;
    uint32_t hash;
};

struct ddn_intern_block {
    struct ddn_intern_block *next;
    size_t used, size;
    char data[];
};

void ddn_intern_init(ddn_intern *t)
{
    memset(t, 0, sizeof *t);
}

static void free_blocks(ddn_intern *t)
{
    while (t->block) {
        struct ddn_intern_block *next = t->block->next;
        free(t->block);
        t->block = next;
    }
}

void ddn_intern_fini(ddn_intern *t)
{
    free_blocks(t);
    free(t->item);
    free(t->slot);
    ddn_intern_init(t);
}

void ddn_intern_clear(ddn_intern *t)
{
    free_blocks(t);
    t->count = 0;
    if (t->slots)
        memset(t->slot, 0, t->slots * sizeof *t->slot);
}

static uint32_t hash_of(const char *data, size_t size)
{
    return (uint32_t)XXH3_64bits(data, size);
}

/* The slot that holds the string, or the empty one where it belongs. */
static size_t probe(const ddn_intern *t, uint32_t hash, const char *data, size_t size)
{
    size_t at = hash & (t->slots - 1);
    for (; t->slot[at]; at = (at + 1) & (t->slots - 1)) {
        const struct ddn_interned *item = &t->item[t->slot[at] - 1];
        if (item->hash == hash && item->size == size &&
            (size == 0 || memcmp(item->data, data, size) == 0))
            break;
    }
    return at;
}

static bool grow(ddn_intern *t)
{
    size_t slots = t->slots ? 2 * t->slots : FIRST_SLOTS;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot)
        return false;
    for (uint32_t id = 0; id < t->count; id++) {
        size_t at = t->item[id].hash & (slots - 1);
        while (slot[at])
            at = (at + 1) & (slots - 1);
        slot[at] = id + 1;
    }
    free(t->slot);
    t->slot = slot;
    t->slots = slots;
    return true;
}

/* A long string gets a block of its own behind the first, so that the first goes on filling. */
static char *room(ddn_intern *t, size_t size)
{
    if (t->block && t->block->size - t->block->used >= size) {
        t->block->used += size;
        return t->block->data + t->block->used - size;
    }
    if (size > SIZE_MAX - sizeof *t->block)
        return NULL;
    bool own = size > BLOCK_BYTES / 8;
    size_t bytes = own ? size : BLOCK_BYTES;
    struct ddn_intern_block *block = malloc(sizeof *block + bytes);
    if (!block)
        return NULL;
    block->used = size;
    block->size = bytes;
    if (own && t->block) {
        block->next = t->block->next;
        t->block->next = block;
    } else {
        block->next = t->block;
        t->block = block;
    }
    return block->data;
}

bool ddn_intern_add(ddn_intern *t, const char *data, size_t size, uint32_t *id)
{
    uint32_t hash = hash_of(data, size);
    size_t at = 0;
    if (t->slots) {
        at = probe(t, hash, data, size);
        if (t->slot[at]) {
            *id = t->slot[at] - 1;
            return true;
        }
    }
    if (t->count >= DDN_INTERN_NONE - 1 || size == SIZE_MAX)
        return false;
    if (!ddn_reserve(&t->item, &t->item_cap, (size_t)t->count + 1, sizeof *t->item))
        return false;
    if (2 * ((size_t)t->count + 1) > t->slots) {
        if (!grow(t))
            return false;
        at = probe(t, hash, data, size);
    }
    char *copy = room(t, size + 1);
    if (!copy)
        return false;
    if (size)
        memcpy(copy, data, size);
    copy[size] = '\0';
    t->item[t->count] = (struct ddn_interned){ copy, size, hash };
    *id = t->count++;
    t->slot[at] = *id + 1;
    return true;
}

uint32_t ddn_intern_find(const ddn_intern *t, const char *data, size_t size)
{
    if (!t->slots)
        return DDN_INTERN_NONE;
    size_t at = probe(t, hash_of(data, size), data, size);
    return t->slot[at] ? t->slot[at] - 1 : DDN_INTERN_NONE;
}

dodona_text ddn_intern_text(const ddn_intern *t, uint32_t id)
{
    return (dodona_text){ t->item[id].data, t->item[id].size };
}
