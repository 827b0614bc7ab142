/* SPDX-License-Identifier: MIT */
/* treebank.c - a treebank in memory, and a hash of it by which a checkpoint knows its data. */
#include "core/array.h"
#include "train/train.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

void ddn_treebank_init(ddn_treebank *c)
{
    memset(c, 0, sizeof *c);
}

void ddn_treebank_fini(ddn_treebank *c)
{
    for (size_t i = 0; i < c->count; i++)
        ddn_sentence_fini(&c->sentence[i]);
    free(c->sentence);
    ddn_treebank_init(c);
}

int ddn_treebank_read(ddn_treebank *c, int (*next)(void *ctx, ddn_sentence *s, dodona_error *err),
                      void *ctx, dodona_error *err)
{
    for (;;) {
        if (!ddn_reserve(&c->sentence, &c->capacity, c->count + 1, sizeof *c->sentence))
            return ddn_fail_memory(err);
        ddn_sentence *s = &c->sentence[c->count];
        ddn_sentence_init(s);
        int status = next(ctx, s, err);
        if (status <= 0 || s->n == 0) {
            ddn_sentence_fini(s);
            if (status <= 0)
                return status;
            continue;
        }
        c->count++;
        c->words += s->n;
    }
}

uint64_t ddn_treebank_hash(const ddn_treebank *c, uint64_t seed)
{
    for (size_t i = 0; i < c->count; i++)
        seed = XXH3_64bits_withSeed(c->sentence[i].text, c->sentence[i].text_len, seed);
    return XXH3_64bits_withSeed(&c->count, sizeof c->count, seed);
}
