/* SPDX-License-Identifier: MIT */
/* kernels.h - the inner loops of a forward pass, in variants for different processors.
 *
 * A variant is a table of functions.  ddn_kernels_best is the fastest that this processor runs; the
 * tests walk the list and compare every variant with plain.
 *
 * All variants give the same bytes.  Products are sums of integers.  Functions of floats are one
 * source, vector.tmpl.h, compiled for each instruction set: 16 lanes in a fixed order of
 * operations, without fused multiply-adds.  So a model parses alike on every machine.
 *
 *     const ddn_kernels *k = ddn_kernels_best();
 *     float scale = k->quantise(x, n, q);
 *     k->product(&w, q, &scale, 1, y);
 *
 * Errors against the exact value: sigmoid 1.2e-7, tanh 2.4e-7, softmax 3e-7, absolute each. */
#ifndef DDN_NET_KERNELS_H
#define DDN_NET_KERNELS_H

#include "net/int8.h"
#include <stdbool.h>

/* Compilers before gcc 11 and clang 12 do not know AVX-VNNI. */
#if defined(__x86_64__) && (defined(__clang__) ? __clang_major__ >= 12 : __GNUC__ >= 11)
#define DDN_AVX_VNNI
#endif

/* One direction of a recurrent layer over the words of one sentence, in the order in which it reads
 * them: row 0 is the word read first, and steps from one word to the next may be negative. */
typedef struct ddn_recurrence {
    size_t words, width;
    const float *x; /* the three blocks of a word begin at x, f and o */
    float *f, *o;   /* before the sigmoid; afterwards its values */
    const float *skip;
    float *cell;         /* becomes c */
    float *squashed;     /* becomes tanh(c) */
    float *y;            /* becomes o tanh(c) + skip */
    ptrdiff_t step;      /* floats from a word's x, f and o to those of the next */
    ptrdiff_t skip_step; /* the same for skip */
    ptrdiff_t out_step;  /* the same for cell, squashed and y */
} ddn_recurrence;

typedef struct ddn_kernels {
    const char *name;
    bool (*runs)(void); /* whether this processor has the instructions */

    /* y[rows][w->out] = scale[row] * (x w) + bias: x[rows] as quantise leaves them, w->stride bytes
     * apart.  The sums are exact; a result is ((float)sum * (scale[row] * w->scale[column])) +
     * w->bias[column]. */
    void (*product)(const ddn_int8 *w, const uint8_t *x, const float *scale, size_t rows, float *y);
    /* q = 128 + the nearest integer to x / scale, where scale, which is returned, is the greatest
     * |x| divided by 127; all 128 when no |x| is above 1e-30. */
    float (*quantise)(const float *x, size_t n, uint8_t *q);

    /* Element by element; x may be y. */
    void (*sigmoid)(const float *x, size_t n, float *y);
    void (*tanh)(const float *x, size_t n, float *y);
    /* p = exp(x) / sum exp(x), n >= 1, with at least one x above -INFINITY; -INFINITY becomes 0.
     * Returns log sum exp(x). */
    float (*softmax)(const float *x, size_t n, float *p);
    /* y = gain (x - mean) / deviation + bias; stat becomes the mean and 1 / deviation. */
    void (*normalise)(const float *gain, const float *bias, const float *x, size_t n, float *y,
                      float stat[2]);
    /* y[rows][columns] = a[rows][n] b[n][columns]: small products of floats, each sum in the order
     * of n. */
    void (*multiply)(const float *a, size_t rows, size_t n, const float *b, size_t columns,
                     float *y);
    void (*recur)(const ddn_recurrence *r);
} ddn_kernels;

/* The variants of this architecture, plain first and the fastest last, and NULL. */
extern const ddn_kernels *const ddn_kernels_all[];

/* It asks the processor: once for a model, not for every sentence. */
const ddn_kernels *ddn_kernels_best(void);

#endif
