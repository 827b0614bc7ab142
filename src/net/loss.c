/* SPDX-License-Identifier: MIT */
/* loss.c - cross-entropy: with p = softmax(score), loss = -log p(gold) and d = p - 1[gold]. */
#include "net/layers.h"

#include <assert.h>

float ddn_cross_entropy(const ddn_kernels *k, const float *score, size_t n, size_t gold, float *d)
{
    assert(gold < n);
    float total = k->softmax(score, n, d);
    d[gold] -= 1;
    return total - score[gold];
}
