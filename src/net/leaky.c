/* SPDX-License-Identifier: MIT */
/* leaky.c - the leaky rectifier keeps signs, so backward knows from y where x was negative. */
#include "net/layers.h"

static const float slope = 0.1f;

void ddn_leaky_forward(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        float below = slope * x[i];
        x[i] = x[i] > below ? x[i] : below; /* without a branch: signs are as good as random */
    }
}

void ddn_leaky_backward(const float *y, size_t n, float *dy)
{
    for (size_t i = 0; i < n; i++)
        dy[i] = y[i] < 0 ? slope * dy[i] : dy[i];
}
