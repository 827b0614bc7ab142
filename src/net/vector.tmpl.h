/* SPDX-License-Identifier: MIT */
/* vector.tmpl.h - the functions of floats of kernels.h, for one instruction set.
 *
 * Parameters:  TARGET  the attribute that allows the instructions, or nothing
 *              WIDTH   bytes of a register: 16, 32 or 64
 *
 * Vectors are in the notation of gcc and clang.  Every operation on a lane is one of IEEE 754, in
 * the order that stands here; -ffp-contract=off keeps multiplications and additions apart.  A sum
 * over an array is one of every sixteenth element, in 16 / LANES registers, and then of the sixteen
 * in halves.  So the results are the same bytes whatever the width of a register.
 *
 * exp(x) = 2^n exp(r) with n the integer nearest to x / log 2 and |r| <= log(2) / 2.  exp(r) is
 * 1 + r + r^2 q(r), where the polynomial q has degree 4 and interpolates at Chebyshev's points:
 * relative error 1.1e-8 beside rounding.  The integer nearest to a float comes from adding
 * 1.5 * 2^23: the sum has no bits for a fraction. */
#include "net/kernels.h"

#include <math.h>
#include <string.h>

enum { LANES = WIDTH / 4, SUMS = 16, PARTS = SUMS / LANES, ROWS_AT_ONCE = 4 };

typedef float vec __attribute__((vector_size(WIDTH)));
typedef int32_t ivec __attribute__((vector_size(WIDTH)));
typedef uint8_t bvec __attribute__((vector_size(WIDTH / 4)));

#define INLINE static inline __attribute__((always_inline)) TARGET

#define NEAREST 12582912.0f /* 1.5 * 2^23 */

/* The first n floats at p; lanes beyond are 0.  The array is apart from the vector, which would
 * otherwise never leave memory. */
INLINE vec load(const float *p, size_t n)
{
    vec v;
    if (n >= LANES) {
        memcpy(&v, p, sizeof v);
    } else {
        float lane[LANES] = { 0 };
        memcpy(lane, p, n * sizeof *p);
        memcpy(&v, lane, sizeof v);
    }
    return v;
}

INLINE void store(float *p, size_t n, vec v)
{
    if (n >= LANES) {
        memcpy(p, &v, sizeof v);
    } else {
        float lane[LANES];
        memcpy(lane, &v, sizeof v);
        memcpy(p, lane, n * sizeof *p);
    }
}

INLINE vec all(float x)
{
    return x - (vec){ 0 };
}

INLINE vec select(ivec mask, vec yes, vec no)
{
    return (vec)((mask & (ivec)yes) | (~mask & (ivec)no));
}

INLINE vec larger(vec a, vec b)
{
    return select(a > b, a, b);
}

/* v with other in the lanes from n on. */
INLINE vec first(size_t n, vec v, vec other)
{
    if (n < LANES) {
        float lane[LANES];
        memcpy(lane, &other, sizeof other);
        store(lane, n, v);
        memcpy(&v, lane, sizeof v);
    }
    return v;
}

INLINE float sum(const vec part[PARTS])
{
    float lane[SUMS];
    memcpy(lane, part, sizeof lane);
    for (int half = SUMS / 2; half; half /= 2)
        for (int i = 0; i < half; i++)
            lane[i] += lane[i + half];
    return lane[0];
}

INLINE float most(vec v)
{
    float greatest = v[0];
    for (int i = 1; i < LANES; i++)
        greatest = v[i] > greatest ? v[i] : greatest;
    return greatest;
}

/* From -87 to 88; what is beyond is taken for these.  NaN remains NaN. */
INLINE vec exponential(vec x)
{
    x = select(x < -87.0f, all(-87.0f), x);
    x = select(x > 88.0f, all(88.0f), x);
    vec shifted = x * 1.44269502f + NEAREST, n = shifted - NEAREST;
    vec r = x - n * 0.693359375f;
    r = r + n * 0.000212194442f;
    vec r2 = r * r, low = r * 0.166665763f + 0.5f, high = r * 0.00836317893f + 0.0416665561f;
    vec q = low + r2 * (high + r2 * 0.0013926184f);
    vec power = (vec)(((ivec)shifted - (ivec)all(NEAREST) + 127) << 23);
    return (1.0f + (r + r2 * q)) * power;
}

INLINE vec logistic(vec x)
{
    return 1.0f / (1.0f + exponential(-x));
}

INLINE vec squash(vec x)
{
    return 2.0f / (1.0f + exponential(-2.0f * x)) - 1.0f;
}

TARGET static void sigmoid(const float *x, size_t n, float *y)
{
    for (size_t i = 0; i < n; i += LANES)
        store(y + i, n - i, logistic(load(x + i, n - i)));
}

TARGET static void tangent(const float *x, size_t n, float *y)
{
    for (size_t i = 0; i < n; i += LANES)
        store(y + i, n - i, squash(load(x + i, n - i)));
}

TARGET static float softmax(const float *x, size_t n, float *p)
{
    vec top = all(-INFINITY), total[PARTS] = { 0 };
    for (size_t i = 0; i < n; i += LANES)
        top = larger(first(n - i, load(x + i, n - i), top), top);
    float greatest = most(top);
    for (size_t i = 0; i < n; i += LANES) {
        vec d = load(x + i, n - i) - greatest, e = select(d < -87.0f, all(0), exponential(d));
        store(p + i, n - i, e);
        total[i / LANES % PARTS] += first(n - i, e, all(0));
    }
    float s = sum(total);
    for (size_t i = 0; i < n; i += LANES)
        store(p + i, n - i, load(p + i, n - i) / s);
    return greatest + logf(s);
}

TARGET static void normalise(const float *gain, const float *bias, const float *x, size_t n,
                             float *y, float stat[2])
{
    vec total[PARTS] = { 0 }, squares[PARTS] = { 0 };
    for (size_t i = 0; i < n; i += LANES)
        total[i / LANES % PARTS] += load(x + i, n - i);
    float mean = sum(total) / (float)n;
    for (size_t i = 0; i < n; i += LANES) {
        vec d = first(n - i, load(x + i, n - i) - mean, all(0));
        squares[i / LANES % PARTS] += d * d;
    }
    float per = 1 / sqrtf(sum(squares) / (float)n + 1e-5f);
    for (size_t i = 0; i < n; i += LANES) {
        vec d = (load(x + i, n - i) - mean) * per;
        store(y + i, n - i, d * load(gain + i, n - i) + load(bias + i, n - i));
    }
    stat[0] = mean;
    stat[1] = per;
}

/* Columns from j on of some rows: a lane adds along the rows of b, in their order.  Lanes beyond
 * the last column read on in the next row, and are not stored. */
INLINE void multiply_rows(const int rows, const float *a, size_t n, const float *b, size_t columns,
                          size_t j, float *y)
{
    vec total[ROWS_AT_ONCE] = { 0 };
    for (size_t k = 0; k < n; k++) {
        vec row = load(b + k * columns + j, (n - k) * columns - j);
        for (int r = 0; r < rows; r++)
            total[r] += a[(size_t)r * n + k] * row;
    }
    for (int r = 0; r < rows; r++)
        store(y + (size_t)r * columns + j, columns - j, total[r]);
}

TARGET static void multiply(const float *a, size_t rows, size_t n, const float *b, size_t columns,
                            float *y)
{
    for (size_t j = 0; j < columns; j += LANES) {
        size_t i = 0;
        for (; i + ROWS_AT_ONCE <= rows; i += ROWS_AT_ONCE)
            multiply_rows(ROWS_AT_ONCE, a + i * n, n, b, columns, j, y + i * columns);
        for (; i < rows; i++)
            multiply_rows(1, a + i * n, n, b, columns, j, y + i * columns);
    }
}

TARGET static float quantise(const float *x, size_t n, uint8_t *q)
{
    vec top = { 0 };
    for (size_t i = 0; i < n; i += LANES) {
        vec v = load(x + i, n - i);
        top = larger(larger(v, -v), top);
    }
    float greatest = most(top), per = greatest > 1e-30f ? 127 / greatest : 0; /* finite */
    for (size_t i = 0; i < n; i += LANES) {
        vec shifted = load(x + i, n - i) * per + NEAREST;
        ivec nearest = (ivec)shifted - (ivec)all(NEAREST) + 128;
        bvec bytes = __builtin_convertvector(nearest, bvec);
        memcpy(q + i, &bytes, n - i >= LANES ? (size_t)LANES : n - i);
    }
    return greatest / 127;
}

TARGET static void recur(const ddn_recurrence *r)
{
    const float *x = r->x, *skip = r->skip, *before = NULL;
    float *f = r->f, *o = r->o, *cell = r->cell, *squashed = r->squashed, *y = r->y;
    for (size_t t = 0; t < r->words; t++) {
        for (size_t i = 0; i < r->width; i += LANES) {
            size_t n = r->width - i;
            vec forget = logistic(load(f + i, n)), out = logistic(load(o + i, n));
            vec old = before ? load(before + i, n) : (vec){ 0 };
            vec c = forget * old + (1.0f - forget) * load(x + i, n), s = squash(c);
            store(f + i, n, forget);
            store(o + i, n, out);
            store(cell + i, n, c);
            store(squashed + i, n, s);
            store(y + i, n, out * s + load(skip + i, n));
        }
        before = cell;
        x += r->step, f += r->step, o += r->step, skip += r->skip_step;
        cell += r->out_step, squashed += r->out_step, y += r->out_step;
    }
}

#define VECTOR_KERNELS                                                                             \
    .quantise = quantise, .sigmoid = sigmoid, .tanh = tangent, .softmax = softmax,                 \
    .normalise = normalise, .multiply = multiply, .recur = recur
