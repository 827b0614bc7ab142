/* SPDX-License-Identifier: MIT */
/* rng.h - the one source of randomness: xoshiro256**, seeded through splitmix64 (Blackman & Vigna).
 * Everything random takes one of these, so that a seed repeats a run on any machine. */
#ifndef DDN_CORE_RNG_H
#define DDN_CORE_RNG_H

#include <stdint.h>

typedef struct ddn_rng {
    uint64_t s[4];
} ddn_rng;

void ddn_rng_init(ddn_rng *r, uint64_t seed);
uint64_t ddn_rng_next(ddn_rng *r);
/* Uniform in 0..n-1, n >= 1. */
uint64_t ddn_rng_below(ddn_rng *r, uint64_t n);
/* Uniform in [0, 1), a multiple of 2^-53. */
double ddn_rng_unit(ddn_rng *r);
/* A random order of the n numbers at a. */
void ddn_rng_shuffle(ddn_rng *r, uint32_t *a, uint64_t n);

#endif
