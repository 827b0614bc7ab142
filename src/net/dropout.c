/* SPDX-License-Identifier: MIT */
/* dropout.c - four decisions from every random number, each by 16 of its bits. */
#include "net/layers.h"

void ddn_dropout_forward(ddn_learning *l, float *x, size_t n, float *mask)
{
    const uint64_t drop = (uint64_t)(l->rate * 65536);
    const float grown = 1 / (1 - (float)drop / 65536);
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++) {
        bits = i % 4 ? bits >> 16 : ddn_rng_next(&l->rng);
        mask[i] = (bits & 0xffff) < drop ? 0 : grown;
        x[i] *= mask[i];
    }
}

void ddn_dropout_backward(const float *mask, size_t n, float *dy)
{
    for (size_t i = 0; i < n; i++)
        dy[i] *= mask[i];
}
