/* SPDX-License-Identifier: MIT */
/* keys.h - hashed features of tokenizer, tagger and lemmatizer, for a model's head for words
 * (model/scorer.h). */
#ifndef DDN_PIPELINE_KEYS_H
#define DDN_PIPELINE_KEYS_H

#include <stdint.h>

/* A key from a value and the number of the template that it fills, or from a key and one more
 * value.  Both halves of it are well mixed, as hash tables need. */
static inline uint64_t ddn_key(uint64_t seed, uint64_t value)
{
    uint64_t x = (seed + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9 ^ value;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
    return x ^ x >> 32;
}

#endif
