/* SPDX-License-Identifier: MIT */
/* product.h - products of float matrices, for training.
 *
 *     ddn_product(m, n, k, DDN_AS_IS(a, lda), DDN_TURNED(b, ldb), 1, c, ldc)     c += a b'
 *
 * Matrices are in rows; the stride of one is the number of floats from a row to the next. */
#ifndef DDN_NET_PRODUCT_H
#define DDN_NET_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ddn_factor {
    const float *at;
    size_t stride;
    bool turned; /* its transpose is meant */
} ddn_factor;

#define DDN_AS_IS(at, stride)  ((ddn_factor){ at, stride, false })
#define DDN_TURNED(at, stride) ((ddn_factor){ at, stride, true })

/* c[m][n] = keep c + a b, where a is m times k, and b is k times n; keep is 0 or 1.  With 0, what
 * stood in c is not read. */
void ddn_product(size_t m, size_t n, size_t k, ddn_factor a, ddn_factor b, float keep, float *c,
                 size_t stride);
/* The same in plain C; ddn_product is this where the build has no OpenBLAS. */
void ddn_product_plain(size_t m, size_t n, size_t k, ddn_factor a, ddn_factor b, float keep,
                       float *c, size_t stride);

#endif
