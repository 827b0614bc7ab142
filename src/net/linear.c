/* SPDX-License-Identifier: MIT */
/* linear.c - y = x w + b, in floats or, when parsing, in 8-bit integers.
 *
 *     dx += dy w'     dw += x' dy     db += the sum of the rows of dy */
#include "net/layers.h"
#include "net/product.h"

#include <string.h>

enum { CHUNK = 24 }; /* rows that are quantised at a time: they stay in the first-level cache */

static void forward_int8(const ddn_kernels *k, const ddn_int8 *w, const float *x, size_t rows,
                         float *y)
{
    uint8_t q[CHUNK * DDN_INT8_DEPTH];
    float scale[CHUNK];
    for (size_t done = 0; done < rows; done += CHUNK) {
        size_t now = rows - done < CHUNK ? rows - done : CHUNK;
        for (size_t r = 0; r < now; r++) {
            uint8_t *row = q + r * w->stride;
            scale[r] = k->quantise(x + (done + r) * w->in, w->in, row);
            memset(row + w->in, 0, w->stride - w->in); /* met by weights of 0 */
        }
        k->product(w, q, scale, now, y + done * w->out);
    }
}

void ddn_linear_forward(const ddn_net *n, const ddn_linear *l, const float *x, size_t rows,
                        float *y)
{
    if (n->packed && n->packed->matrix[l->w].weight) {
        forward_int8(n->kernels, &n->packed->matrix[l->w], x, rows, y);
        return;
    }
    const float *b = ddn_net_value(n, l->b);
    if (n->packed) { /* parsing: in an order that does not depend on the processor */
        n->kernels->multiply(x, rows, l->in, ddn_net_value(n, l->w), l->out, y);
        for (size_t i = 0; i < rows * l->out; i++)
            y[i] += b[i % l->out];
        return;
    }
    for (size_t r = 0; r < rows; r++)
        memcpy(y + r * l->out, b, l->out * sizeof *y);
    ddn_product(rows, l->out, l->in, DDN_AS_IS(x, l->in), DDN_AS_IS(ddn_net_value(n, l->w), l->out),
                1, y, l->out);
}

void ddn_linear_backward(const ddn_net *n, const ddn_linear *l, const float *x, const float *dy,
                         size_t rows, float *dx)
{
    float *db = ddn_net_gradient(n, l->b);
    for (size_t r = 0; r < rows; r++)
        for (size_t j = 0; j < l->out; j++)
            db[j] += dy[r * l->out + j];
    ddn_product(l->in, l->out, rows, DDN_TURNED(x, l->in), DDN_AS_IS(dy, l->out), 1,
                ddn_net_gradient(n, l->w), l->out);
    if (dx)
        ddn_product(rows, l->in, l->out, DDN_AS_IS(dy, l->out),
                    DDN_TURNED(ddn_net_value(n, l->w), l->out), 1, dx, l->in);
}
