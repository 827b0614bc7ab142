/* SPDX-License-Identifier: MIT */
#include "core/array.h"
#include "train/train.h"

#include <stdlib.h>
#include <string.h>

void ddn_corpus_init(ddn_corpus *c)
{
    memset(c, 0, sizeof *c);
}

void ddn_corpus_fini(ddn_corpus *c)
{
    for (size_t i = 0; i < c->count; i++)
        ddn_sentence_fini(&c->sentence[i]);
    free(c->sentence);
    ddn_corpus_init(c);
}

int ddn_corpus_read(ddn_corpus *c, int (*next)(void *ctx, ddn_sentence *s, dodona_error *err),
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
