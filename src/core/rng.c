/* SPDX-License-Identifier: MIT */
/* rng.c - the generator as it was published; numbers below n without bias, by drawing again. */
#include "core/rng.h"

static uint64_t rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

void ddn_rng_init(ddn_rng *r, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        r->s[i] = z ^ (z >> 31);
    }
}

uint64_t ddn_rng_next(ddn_rng *r)
{
    uint64_t *s = r->s, result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

uint64_t ddn_rng_below(ddn_rng *r, uint64_t n)
{
    uint64_t floor = -n % n,
             x; /* 2^64 mod n: values below it would make small results more probable */
    do
        x = ddn_rng_next(r);
    while (x < floor);
    return x % n;
}

double ddn_rng_unit(ddn_rng *r)
{
    return (double)(ddn_rng_next(r) >> 11) * 0x1p-53;
}

void ddn_rng_shuffle(ddn_rng *r, uint32_t *a, uint64_t n)
{
    for (uint64_t i = n; i > 1; i--) {
        uint64_t j = ddn_rng_below(r, i);
        uint32_t t = a[i - 1];
        a[i - 1] = a[j];
        a[j] = t;
    }
}
