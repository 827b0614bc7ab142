/* SPDX-License-Identifier: MIT */
/* int8.tmpl.h - the 8-bit product of kernels.h, for one instruction set.
 *
 * Parameters, beside those of vector.tmpl.h, which comes first:
 *     lanes             a register of 32-bit integers, each of them 4 bytes of a column
 *     ROWS, REGISTERS   a tile: rows of input times registers of columns, whose sums stay in
 * registers EXCESS            1: dot takes the input as it is, 128 too large, and the sums begin at
 * what that adds, negative; 0: dot takes it as signed broadcast(u)      four bytes of input to
 * every lane dot(a, w, x)      a plus, in every lane, the sum of four products
 *
 * A tile reads four rows of its columns at a time: the weights of a column group come from the
 * second-level cache once for all rows of input, the input from the first-level cache. */

enum { COLUMNS = (int)(sizeof(lanes) / sizeof(int32_t)), TILE = COLUMNS * REGISTERS };

typedef int32_t sums __attribute__((vector_size(sizeof(lanes))));
typedef float floats __attribute__((vector_size(sizeof(lanes))));

INLINE void finish(const ddn_int8 *w, const lanes *acc, float scale, size_t column, float *y)
{
    float result[TILE];
    for (int v = 0; v < REGISTERS; v++) {
        floats s, b, r = __builtin_convertvector((sums)acc[v], floats);
        memcpy(&s, w->scale + column + (size_t)(v * COLUMNS), sizeof s);
        memcpy(&b, w->bias + column + (size_t)(v * COLUMNS), sizeof b);
        r = r * (scale * s) + b;
        memcpy(result + v * COLUMNS, &r, sizeof r);
    }
    size_t left = w->out - column;
    if (left >= TILE)
        memcpy(y + column, result, sizeof result);
    else
        memcpy(y + column, result, left * sizeof *y);
}

INLINE void tile(const int rows, const ddn_int8 *w, const uint8_t *x, const float *scale,
                 size_t column, float *y)
{
    const int8_t *weight = w->weight + column * w->stride;
    const size_t quad = DDN_INT8_BLOCK * DDN_INT8_QUAD, block = quad * w->quads; /* bytes */
    lanes acc[ROWS][REGISTERS];
    for (int r = 0; r < rows; r++)
        for (int v = 0; v < REGISTERS; v++) {
            sums begin = { 0 };
            if (EXCESS) {
                memcpy(&begin, w->sum + column + (size_t)(v * COLUMNS), sizeof begin);
                begin = -begin;
            }
            acc[r][v] = (lanes)begin;
        }
    for (size_t q = 0; q < w->quads; q++) {
        lanes four[REGISTERS];
        for (int v = 0; v < REGISTERS; v++) {
            size_t at = (size_t)(v * COLUMNS), within = at % DDN_INT8_BLOCK * DDN_INT8_QUAD;
            memcpy(&four[v], weight + at / DDN_INT8_BLOCK * block + q * quad + within,
                   sizeof(lanes));
        }
        for (int r = 0; r < rows; r++) {
            uint32_t bytes;
            memcpy(&bytes, x + (size_t)r * w->stride + q * DDN_INT8_QUAD, sizeof bytes);
            lanes in = broadcast(bytes);
            for (int v = 0; v < REGISTERS; v++)
                acc[r][v] = dot(acc[r][v], four[v], in);
        }
    }
    for (int r = 0; r < rows; r++)
        finish(w, acc[r], scale[r], column, y + (size_t)r * w->out);
}

/* The rows of a tile are a constant where it is expanded, so that its loops over rows vanish. */
TARGET static void product(const ddn_int8 *w, const uint8_t *x, const float *scale, size_t rows,
                           float *y)
{
    for (size_t column = 0; column < w->out; column += TILE) {
        size_t r = 0;
        for (; rows - r >= ROWS; r += ROWS)
            tile(ROWS, w, x + r * w->stride, scale + r, column, y + r * w->out);
        if (rows - r >= ROWS / 2) {
            tile(ROWS / 2, w, x + r * w->stride, scale + r, column, y + r * w->out);
            r += ROWS / 2;
        }
        for (; r < rows; r++)
            tile(1, w, x + r * w->stride, scale + r, column, y + r * w->out);
    }
}
