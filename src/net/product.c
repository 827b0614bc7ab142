/* SPDX-License-Identifier: MIT */
/* product.c - OpenBLAS where the build has it (DDN_OPENBLAS), else plain loops.
 *
 * The plain loops go along rows of b and c, which compilers turn into vector instructions without
 * changing the order of any sum; where b is meant turned, a dot product over rows of both.  They
 * reach a tenth of what OpenBLAS does.  OpenBLAS adds in an order that depends on the processor:
 * two machines train models that differ in the last bits, one machine always the same.
 *
 * The serial build of OpenBLAS packs matrices into buffers that it hands out without a lock, and
 * two threads may get the same one (of 24,000 products in four threads, 25 to 84 were wrong).  So
 * one product is made at a time. */
#include "net/product.h"

#include <string.h>

#ifdef DDN_OPENBLAS
#include <cblas.h>
#include <pthread.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
#endif

static void add_rows(size_t n, size_t k, const float *a, size_t step, ddn_factor b, float *c)
{
    for (size_t l = 0; l < k; l++) {
        const float *row = b.at + l * b.stride;
        float x = a[l * step];
        for (size_t j = 0; j < n; j++)
            c[j] += x * row[j];
    }
}

static void add_dots(size_t n, size_t k, const float *a, size_t step, ddn_factor b, float *c)
{
    for (size_t j = 0; j < n; j++) {
        const float *row = b.at + j * b.stride;
        float total = 0;
        for (size_t l = 0; l < k; l++)
            total += a[l * step] * row[l];
        c[j] += total;
    }
}

void ddn_product_plain(size_t m, size_t n, size_t k, ddn_factor a, ddn_factor b, float keep,
                       float *c, size_t stride)
{
    size_t next_row = a.turned ? 1 : a.stride, next_column = a.turned ? a.stride : 1;
    for (size_t i = 0; i < m; i++) {
        float *row = c + i * stride;
        if (keep == 0)
            memset(row, 0, n * sizeof *row);
        (b.turned ? add_dots : add_rows)(n, k, a.at + i * next_row, next_column, b, row);
    }
}

void ddn_product(size_t m, size_t n, size_t k, ddn_factor a, ddn_factor b, float keep, float *c,
                 size_t stride)
{
#ifdef DDN_OPENBLAS
    if (m && n && k) {
        pthread_mutex_lock(&one_at_a_time);
        cblas_sgemm(CblasRowMajor, a.turned ? CblasTrans : CblasNoTrans,
                    b.turned ? CblasTrans : CblasNoTrans, (int)m, (int)n, (int)k, 1, a.at,
                    (int)a.stride, b.at, (int)b.stride, keep, c, (int)stride);
        pthread_mutex_unlock(&one_at_a_time);
        return;
    }
#endif
    ddn_product_plain(m, n, k, a, b, keep, c, stride);
}
