/* SPDX-License-Identifier: MIT */
/* kernels_plain.c - the variant for every processor, with which all others are compared. */
#define TARGET
#define WIDTH 16
#include "net/vector.tmpl.h"

static bool runs(void)
{
    return true;
}

static int32_t column_sum(const ddn_int8 *w, const uint8_t *x, size_t column)
{
    const int8_t *weight = w->weight + column / DDN_INT8_BLOCK * DDN_INT8_BLOCK * w->stride +
                           column % DDN_INT8_BLOCK * DDN_INT8_QUAD;
    int32_t total = 0;
    for (size_t q = 0; q < w->quads; q++)
        for (size_t k = 0; k < DDN_INT8_QUAD; k++)
            total +=
                (x[q * DDN_INT8_QUAD + k] - 128) * weight[q * DDN_INT8_BLOCK * DDN_INT8_QUAD + k];
    return total;
}

static void product(const ddn_int8 *w, const uint8_t *x, const float *scale, size_t rows, float *y)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t j = 0; j < w->out; j++)
            y[r * w->out + j] =
                (float)column_sum(w, x + r * w->stride, j) * (scale[r] * w->scale[j]) + w->bias[j];
}

const ddn_kernels ddn_kernels_plain = {
    .name = "plain", .runs = runs, .product = product, VECTOR_KERNELS
};
