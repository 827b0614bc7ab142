/* SPDX-License-Identifier: MIT */
/* norm.c - layer norm (Ba, Kiros and Hinton 2016).  With z = (x - mean) per, per = 1 / deviation,
 * and g = gain dy:
 *
 *     dgain += dy z     dbias += dy     dx += per (g - mean of g - z * mean of g z) */
#include "net/layers.h"

#include <stdio.h>

ddn_norm ddn_params_norm(ddn_params *p, const char *name, size_t width)
{
    char full[DDN_TENSOR_NAME];
    ddn_norm l = { .width = width };
    snprintf(full, sizeof full, "%s.gain", name);
    l.gain = ddn_params_add(p, full, 1, width, 1, 0);
    snprintf(full, sizeof full, "%s.bias", name);
    l.bias = ddn_params_add(p, full, 1, width, 0, 0);
    return l;
}

void ddn_norm_forward(const ddn_net *n, const ddn_norm *l, const float *x, size_t rows, float *y,
                      float *stat)
{
    const float *gain = ddn_net_value(n, l->gain), *bias = ddn_net_value(n, l->bias);
    for (size_t r = 0; r < rows; r++)
        n->kernels->normalise(gain, bias, x + r * l->width, l->width, y + r * l->width,
                              stat + 2 * r);
}

static void row_backward(const float *gain, size_t width, const float *x, const float *stat,
                         const float *dy, float *dgain, float *dbias, float *dx)
{
    float sum = 0, product = 0;
    for (size_t j = 0; j < width; j++) {
        float z = (x[j] - stat[0]) * stat[1], g = gain[j] * dy[j];
        dgain[j] += dy[j] * z;
        dbias[j] += dy[j];
        sum += g;
        product += g * z;
    }
    sum /= (float)width;
    product /= (float)width;
    for (size_t j = 0; j < width; j++) {
        float z = (x[j] - stat[0]) * stat[1];
        dx[j] += stat[1] * (gain[j] * dy[j] - sum - z * product);
    }
}

void ddn_norm_backward(const ddn_net *n, const ddn_norm *l, const float *x, const float *stat,
                       const float *dy, size_t rows, float *dx)
{
    for (size_t r = 0; r < rows; r++, x += l->width, dy += l->width, dx += l->width)
        row_backward(ddn_net_value(n, l->gain), l->width, x, stat + 2 * r, dy,
                     ddn_net_gradient(n, l->gain), ddn_net_gradient(n, l->bias), dx);
}
