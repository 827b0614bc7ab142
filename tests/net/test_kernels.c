/* SPDX-License-Identifier: MIT */
/* Every variant of the kernels that this processor runs against plain, byte for byte; plain against
 * obvious loops and the C library's functions in double precision. */
#include "core/rng.h"
#include "lib/check.h"
#include "net/kernels.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400 };

static const ddn_kernels *plain;
static ddn_rng rng;

static float between(double low, double high)
{
    return (float)(low + (high - low) * ddn_rng_unit(&rng));
}

static float *some_floats(size_t n, double spread)
{
    float *x = malloc((n + 1) * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < n; i++)
        x[i] = between(-spread, spread);
    return x;
}

/* Calls f for every other variant that runs here. */
static void with_each_variant(void (*f)(const ddn_kernels *k))
{
    for (size_t v = 1; ddn_kernels_all[v]; v++)
        if (ddn_kernels_all[v]->runs())
            f(ddn_kernels_all[v]);
        else
            print_message("%s: not on this processor\n", ddn_kernels_all[v]->name);
}

static const size_t sizes[] = { 0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 63, 65, 192, 384 };
enum { SIZES = sizeof sizes / sizeof *sizes };

/* ---- Products ---- */

typedef struct problem {
    size_t in, out, rows;
    float *w, *bias, *scale;
    void *block;
    ddn_int8 packed;
    uint8_t *x;
} problem;

static void problem_make(problem *p, size_t in, size_t out, size_t rows)
{
    *p = (problem){ .in = in, .out = out, .rows = rows };
    p->w = some_floats(in * out, 3);
    p->bias = some_floats(out, 1);
    p->scale = some_floats(rows, 1);
    p->block = aligned_alloc(DDN_INT8_ALIGN, ddn_int8_bytes(in, out) + DDN_INT8_ALIGN);
    p->x = malloc(rows * (in + DDN_INT8_QUAD) + 1);
    assert_true(p->block && p->x);
    ddn_int8_pack(in, out, p->w, p->bias, p->block);
    p->packed = ddn_int8_view(in, out, p->block);
    for (size_t i = 0; i < rows * p->packed.stride; i++)
        p->x[i] = (uint8_t)(1 + ddn_rng_below(&rng, 255));
}

static void problem_free(problem *p)
{
    free(p->w);
    free(p->bias);
    free(p->scale);
    free(p->block);
    free(p->x);
}

/* The sums of plain are those of 64-bit integers: with scales of 1 and bias 0 they come out as they
 * are, since a float has them exactly. */
static void sums_are_exact(void **state)
{
    (void)state;
    for (size_t a = 0; a < SIZES; a++)
        for (size_t b = 0; b < SIZES; b += 2) {
            problem p;
            problem_make(&p, sizes[a], sizes[b], 3);
            float *y = malloc((3 * p.out + 1) * sizeof *y);
            assert_non_null(y);
            for (size_t j = 0; j < p.out; j++) {
                ((float *)p.packed.scale)[j] = 1;
                ((float *)p.packed.bias)[j] = 0;
            }
            for (size_t r = 0; r < 3; r++)
                p.scale[r] = 1;
            plain->product(&p.packed, p.x, p.scale, 3, y);
            for (size_t r = 0; r < 3; r++)
                for (size_t j = 0; j < p.out; j++) {
                    float most = 0;
                    int64_t sum = 0;
                    for (size_t k = 0; k < p.in; k++)
                        most = fmaxf(most, fabsf(p.w[k * p.out + j]));
                    for (size_t k = 0; k < p.in; k++)
                        sum += lrintf(p.w[k * p.out + j] * (127 / most)) *
                               (p.x[r * p.packed.stride + k] - 128);
                    assert_true((double)y[r * p.out + j] == (double)sum);
                }
            free(y);
            problem_free(&p);
        }
}

static void products_equal_plain(const ddn_kernels *k)
{
    for (size_t a = 0; a < SIZES; a++)
        for (size_t b = 0; b < SIZES; b++) {
            problem p;
            size_t rows = ddn_rng_below(&rng, 20);
            problem_make(&p, sizes[a], sizes[b], rows);
            size_t bytes = rows * p.out * sizeof(float);
            float *y = malloc(bytes + 1), *z = malloc(bytes + 1);
            assert_true(y && z);
            plain->product(&p.packed, p.x, p.scale, rows, y);
            k->product(&p.packed, p.x, p.scale, rows, z);
            assert_memory_equal(y, z, bytes);
            free(y);
            free(z);
            problem_free(&p);
        }
}

/* The largest sums that there can be: what would saturate 16 bits, and the deepest matrix. */
static void extremes_equal_plain(const ddn_kernels *k)
{
    static const uint8_t inputs[] = { 1, 255, 128 };
    for (int sign = -1; sign <= 1; sign += 2)
        for (size_t i = 0; i < 3; i++) {
            problem p;
            problem_make(&p, DDN_INT8_DEPTH, 33, 7);
            for (size_t x = 0; x < p.in * p.out; x++)
                p.w[x] = (float)sign;
            ddn_int8_pack(p.in, p.out, p.w, NULL, p.block);
            memset(p.x, inputs[i], p.rows * p.packed.stride);
            float y[7 * 33], z[7 * 33];
            plain->product(&p.packed, p.x, p.scale, p.rows, y);
            k->product(&p.packed, p.x, p.scale, p.rows, z);
            assert_memory_equal(y, z, sizeof y);
            float expected = (float)(127 * sign * (inputs[i] - 128) * DDN_INT8_DEPTH) *
                             (p.scale[0] * (1.0f / 127));
            assert_true(y[0] == expected);
            problem_free(&p);
        }
}

static void variants_multiply_alike(void **state)
{
    (void)state;
    with_each_variant(products_equal_plain);
    with_each_variant(extremes_equal_plain);
}

static void weights_are_within_half_a_scale(void **state)
{
    (void)state;
    problem p;
    problem_make(&p, 37, 50, 1);
    for (size_t j = 0; j < p.out; j++)
        for (size_t k = 0; k < p.in; k++) {
            const int8_t *block = p.packed.weight + j / 16 * p.packed.quads * 64;
            double scale = p.packed.scale[j], q = block[k / 4 * 64 + j % 16 * 4 + k % 4];
            assert_true(fabs(q * scale - p.w[k * p.out + j]) <= 0.5001 * scale);
        }
    problem_free(&p);
}

/* ---- Functions ---- */

/* Random numbers of all sizes, and those where something might break. */
static size_t hard_floats(float *x)
{
    static const float hard[] = {
        0,   -0.0f, 1e-30f, -1e-30f, 87,       -87,       88,      -88,
        100, -100,  3e38f,  -3e38f,  INFINITY, -INFINITY, FLT_MIN, 1e-7f
    };
    size_t n = sizeof hard / sizeof *hard;
    memcpy(x, hard, sizeof hard);
    for (; n < MOST; n++)
        x[n] = between(-1, 1) * powf(10, between(-6, 2));
    return n;
}

static void functions_are_close_to_exact(void **state)
{
    (void)state;
    float x[MOST], s[MOST], t[MOST];
    for (int round = 0; round < 200; round++) {
        size_t n = hard_floats(x);
        plain->sigmoid(x, n, s);
        plain->tanh(x, n, t);
        for (size_t i = 0; i < n; i++) {
            assert_true(fabs(s[i] - 1 / (1 + exp(-(double)x[i]))) <= 1.2e-7);
            assert_true(fabs(t[i] - tanh(x[i])) <= 2.4e-7);
        }
    }
    x[0] = NAN;
    plain->sigmoid(x, 1, s);
    plain->tanh(x, 1, t);
    assert_true(isnan(s[0]) && isnan(t[0]));
}

static void softmax_is_close_to_exact(void **state)
{
    (void)state;
    for (size_t a = 1; a < SIZES; a++) {
        size_t n = sizes[a];
        float *x = some_floats(n, 20), *p = some_floats(n, 1);
        double sum = 0, most = -INFINITY;
        if (n > 2)
            x[1] = -INFINITY;
        for (size_t i = 0; i < n; i++)
            most = fmax(most, x[i]);
        for (size_t i = 0; i < n; i++)
            sum += exp(x[i] - most);
        float total = plain->softmax(x, n, p);
        assert_true(fabs(total - (most + log(sum))) <= 4e-6);
        for (size_t i = 0; i < n; i++)
            assert_true(fabs(p[i] - exp(x[i] - most) / sum) <= 3e-7);
        if (n > 2)
            assert_true(p[1] == 0);
        free(x);
        free(p);
    }
}

static void normalised_rows_are_close_to_exact(void **state)
{
    (void)state;
    for (size_t a = 1; a < SIZES; a++) {
        size_t n = sizes[a];
        float *x = some_floats(n, 5), *gain = some_floats(n, 2), *bias = some_floats(n, 2);
        float *y = some_floats(n, 1), stat[2];
        double mean = 0, variance = 0;
        for (size_t i = 0; i < n; i++)
            mean += x[i] / (double)n;
        for (size_t i = 0; i < n; i++)
            variance += (x[i] - mean) * (x[i] - mean) / (double)n;
        plain->normalise(gain, bias, x, n, y, stat);
        for (size_t i = 0; i < n; i++)
            assert_true(fabs(y[i] - ((x[i] - mean) / sqrt(variance + 1e-5) * gain[i] + bias[i])) <=
                        1e-5);
        free(x), free(gain), free(bias), free(y);
    }
}

static void quantised_rows_are_within_half_a_scale(void **state)
{
    (void)state;
    uint8_t q[MOST + 1];
    float zero[3] = { 0, -0.0f, 0 };
    for (size_t a = 0; a < SIZES; a++) {
        size_t n = sizes[a];
        float *x = some_floats(n, pow(10, (double)a - 9));
        q[n] = 77;
        float scale = plain->quantise(x, n, q), most = 0;
        for (size_t i = 0; i < n; i++)
            most = fmaxf(most, fabsf(x[i]));
        assert_true(scale == most / 127 && q[n] == 77);
        for (size_t i = 0; i < n; i++)
            assert_true(q[i] >= 1 && fabs(x[i] - (q[i] - 128.0) * scale) <= 0.5001 * scale);
        free(x);
    }
    assert_true(plain->quantise(zero, 3, q) == 0 && q[0] == 128 && q[1] == 128 && q[2] == 128);
}

static void functions_equal_plain(const ddn_kernels *k)
{
    float x[MOST], y[MOST], z[MOST];
    for (size_t a = 0; a < SIZES; a++) {
        size_t n = sizes[a], bytes = n * sizeof *x;
        hard_floats(x);
        plain->sigmoid(x, n, y);
        k->sigmoid(x, n, z);
        assert_memory_equal(y, z, bytes);
        plain->tanh(x, n, y);
        k->tanh(x, n, z);
        assert_memory_equal(y, z, bytes);
        if (n == 0)
            continue;
        float *v = some_floats(n, 30), *gain = some_floats(n, 2), *bias = some_floats(n, 2);
        float one[2], two[2];
        assert_true(plain->softmax(v, n, y) == k->softmax(v, n, z));
        assert_memory_equal(y, z, bytes);
        plain->normalise(gain, bias, v, n, y, one);
        k->normalise(gain, bias, v, n, z, two);
        assert_memory_equal(y, z, bytes);
        assert_memory_equal(one, two, sizeof one);
        uint8_t p[MOST], q[MOST];
        assert_true(plain->quantise(v, n, p) == k->quantise(v, n, q));
        assert_memory_equal(p, q, n);
        free(v), free(gain), free(bias);
    }
}

static void small_products_equal_plain(const ddn_kernels *k)
{
    for (size_t a = 0; a < SIZES; a++)
        for (size_t c = 0; c < SIZES; c += 3) {
            size_t n = sizes[a], columns = sizes[c], rows = 6;
            float *x = some_floats(rows * n, 3), *w = some_floats(columns * n, 3);
            float *y = some_floats(rows * columns, 1), *z = some_floats(rows * columns, 1);
            plain->multiply(x, rows, n, w, columns, y);
            k->multiply(x, rows, n, w, columns, z);
            assert_memory_equal(y, z, rows * columns * sizeof *y);
            for (size_t i = 0; i < rows * columns; i++) {
                double sum = 0;
                for (size_t l = 0; l < n; l++)
                    sum += (double)x[i / columns * n + l] * w[l * columns + i % columns];
                assert_true(fabs(y[i] - sum) <= 3e-4);
            }
            free(x), free(w), free(y), free(z);
        }
}

static void variants_compute_alike(void **state)
{
    (void)state;
    with_each_variant(functions_equal_plain);
    small_products_equal_plain(plain);
    with_each_variant(small_products_equal_plain);
}

/* ---- The recurrence ---- */

enum { WORDS = 5, WIDEST = 33, ROW = 3 * WIDEST };

/* Forward (way 1) or backward over the words, on copies of the same numbers. */
static void run_recurrence(const ddn_kernels *k, size_t width, int way, const float *from,
                           float *blocks, float *out)
{
    size_t begin = way > 0 ? 0 : WORDS - 1;
    memcpy(blocks, from, WORDS * ROW * sizeof *blocks);
    ddn_recurrence r = { .words = WORDS,
                         .width = width,
                         .x = blocks + begin * ROW,
                         .f = blocks + begin * ROW + WIDEST,
                         .o = blocks + begin * ROW + 2 * WIDEST,
                         .skip = from + begin * ROW,
                         .cell = out + begin * ROW,
                         .squashed = out + begin * ROW + WIDEST,
                         .y = out + begin * ROW + 2 * WIDEST,
                         .step = way * ROW,
                         .skip_step = way * ROW,
                         .out_step = way * ROW };
    k->recur(&r);
}

static void recurrence_is_close_to_exact(void **state)
{
    (void)state;
    float *from = some_floats(WORDS * ROW, 4), blocks[WORDS * ROW], out[WORDS * ROW];
    for (int way = -1; way <= 1; way += 2) {
        run_recurrence(plain, 19, way, from, blocks, out);
        for (size_t i = 0; i < 19; i++) {
            double c = 0;
            for (int t = 0; t < WORDS; t++) {
                size_t at = (size_t)(way > 0 ? t : WORDS - 1 - t) * ROW + i;
                double f = 1 / (1 + exp(-(double)from[at + WIDEST]));
                double o = 1 / (1 + exp(-(double)from[at + 2 * WIDEST]));
                c = f * c + (1 - f) * from[at];
                assert_true(fabs(out[at] - c) <= 2e-6);
                assert_true(fabs(out[at + WIDEST] - tanh(c)) <= 2e-6);
                assert_true(fabs(out[at + 2 * WIDEST] - (o * tanh(c) + from[at])) <= 4e-6);
                assert_true(fabs(blocks[at + WIDEST] - f) <= 2e-7);
            }
        }
    }
    free(from);
}

static void recurrence_equals_plain(const ddn_kernels *k)
{
    for (size_t width = 0; width <= WIDEST; width++) {
        float *from = some_floats(WORDS * ROW, 4);
        float a[WORDS * ROW] = { 0 }, b[WORDS * ROW] = { 0 }, y[WORDS * ROW], z[WORDS * ROW];
        run_recurrence(plain, width, width % 2 ? 1 : -1, from, y, a);
        run_recurrence(k, width, width % 2 ? 1 : -1, from, z, b);
        assert_memory_equal(a, b, sizeof a);
        assert_memory_equal(y, z, sizeof y);
        free(from);
    }
}

static void variants_recur_alike(void **state)
{
    (void)state;
    with_each_variant(recurrence_equals_plain);
}

int main(void)
{
    plain = ddn_kernels_all[0];
    ddn_rng_init(&rng, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_exact),
        cmocka_unit_test(variants_multiply_alike),
        cmocka_unit_test(weights_are_within_half_a_scale),
        cmocka_unit_test(functions_are_close_to_exact),
        cmocka_unit_test(softmax_is_close_to_exact),
        cmocka_unit_test(normalised_rows_are_close_to_exact),
        cmocka_unit_test(quantised_rows_are_within_half_a_scale),
        cmocka_unit_test(variants_compute_alike),
        cmocka_unit_test(recurrence_is_close_to_exact),
        cmocka_unit_test(variants_recur_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
