/* SPDX-License-Identifier: MIT */
/* int8.c - the scale of a column, or of a row of a table, is its greatest absolute weight divided
 * by 127, so that the largest rounding error of a weight is half a scale. */
#include "net/int8.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static ddn_int8 measures(size_t in, size_t out)
{
    assert(in <= DDN_INT8_DEPTH);
    size_t quads = (in + DDN_INT8_QUAD - 1) / DDN_INT8_QUAD;
    size_t groups = (out + DDN_INT8_GROUP - 1) / DDN_INT8_GROUP;
    return (ddn_int8){ .in = in,
                       .out = out,
                       .quads = quads,
                       .stride = quads * DDN_INT8_QUAD,
                       .blocks = groups * (DDN_INT8_GROUP / DDN_INT8_BLOCK) };
}

size_t ddn_int8_bytes(size_t in, size_t out)
{
    ddn_int8 m = measures(in, out);
    size_t columns = m.blocks * DDN_INT8_BLOCK;
    return columns * (m.stride + sizeof *m.sum + sizeof *m.scale + sizeof *m.bias);
}

ddn_int8 ddn_int8_view(size_t in, size_t out, const void *block)
{
    ddn_int8 m = measures(in, out);
    size_t columns = m.blocks * DDN_INT8_BLOCK;
    m.weight = block;
    m.sum = (const void *)(m.weight + columns * m.stride);
    m.scale = (const void *)(m.sum + columns);
    m.bias = m.scale + columns;
    return m;
}

static float greatest(const float *w, size_t in, size_t out)
{
    float most = 0;
    for (size_t k = 0; k < in; k++)
        most = fmaxf(most, fabsf(w[k * out]));
    return most;
}

static int8_t rounded(float x)
{
    return (int8_t)lrintf(fminf(fmaxf(x, -127), 127));
}

void ddn_int8_pack(size_t in, size_t out, const float *w, const float *bias, void *block)
{
    ddn_int8 m = ddn_int8_view(in, out, block);
    memset(block, 0, ddn_int8_bytes(in, out));
    int8_t *weight = (int8_t *)m.weight;
    int32_t *sum = (int32_t *)m.sum;
    float *scale = (float *)m.scale, *offset = (float *)m.bias;
    for (size_t j = 0; j < out; j++) {
        float most = greatest(w + j, in, out), per = most > 0 ? 127 / most : 0;
        int8_t *column =
            weight +
            (j / DDN_INT8_BLOCK * m.quads * DDN_INT8_BLOCK + j % DDN_INT8_BLOCK) * DDN_INT8_QUAD;
        scale[j] = most / 127;
        offset[j] = bias ? bias[j] : 0;
        for (size_t k = 0; k < in; k++) {
            int8_t q = rounded(w[k * out + j] * per);
            column[k / DDN_INT8_QUAD * DDN_INT8_BLOCK * DDN_INT8_QUAD + k % DDN_INT8_QUAD] = q;
            sum[j] += 128 * q;
        }
    }
}

/* ---- Tables ---- */

static size_t scale_bytes(size_t rows)
{
    return (rows * sizeof(float) + DDN_INT8_ALIGN - 1) / DDN_INT8_ALIGN * DDN_INT8_ALIGN;
}

size_t ddn_int8_table_bytes(size_t rows, size_t width)
{
    size_t weights = (rows * width + DDN_INT8_ALIGN - 1) / DDN_INT8_ALIGN * DDN_INT8_ALIGN;
    return scale_bytes(rows) + weights;
}

ddn_int8_table ddn_int8_table_view(size_t rows, size_t width, const void *block)
{
    const char *at = block;
    return (ddn_int8_table){ .rows = rows,
                             .width = width,
                             .scale = block,
                             .weight = (const void *)(at + scale_bytes(rows)) };
}

void ddn_int8_table_pack(size_t rows, size_t width, const float *x, void *block)
{
    ddn_int8_table t = ddn_int8_table_view(rows, width, block);
    float *scale = (float *)t.scale;
    int8_t *weight = (int8_t *)t.weight;
    memset(block, 0, ddn_int8_table_bytes(rows, width));
    for (size_t r = 0; r < rows; r++, x += width, weight += width) {
        float most = greatest(x, width, 1), per = most > 0 ? 127 / most : 0;
        scale[r] = most / 127;
        for (size_t k = 0; k < width; k++)
            weight[k] = rounded(x[k] * per);
    }
}
