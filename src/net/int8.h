/* SPDX-License-Identifier: MIT */
/* int8.h - matrices of 8-bit weights for parsing.
 *
 * Every column (every output) has a scale of its own: weight = scale * integer, integers from -127
 * to 127.  A matrix is one block of bytes without pointers, little-endian, that can lie in a mapped
 * file; ddn_int8 is a view of it.
 *
 * Columns come in blocks of 16 and rows in fours, so that a block's four rows are 64 bytes, one
 * vector of the widest kind; what is added to fill up is 0. */
#ifndef DDN_NET_INT8_H
#define DDN_NET_INT8_H

#include <stddef.h>
#include <stdint.h>

enum {
    DDN_INT8_BLOCK = 16,      /* columns */
    DDN_INT8_GROUP = 32,      /* the number of columns is filled up to a multiple of this */
    DDN_INT8_QUAD = 4,        /* rows */
    DDN_INT8_DEPTH = 1 << 11, /* rows at most */
    DDN_INT8_ALIGN = 64       /* of the block in memory */
};

typedef struct ddn_int8 {
    size_t in, out;       /* rows and columns */
    size_t quads;         /* in / 4, rounded up */
    size_t stride;        /* bytes of a row of input: 4 quads */
    size_t blocks;        /* of 16 columns, an even number */
    const int8_t *weight; /* [blocks][quads][16][4] */
    const int32_t *sum;   /* [blocks * 16] 128 times the sum of the column's integers */
    const float *scale;   /* [blocks * 16] */
    const float *bias;    /* [blocks * 16] */
} ddn_int8;

/* Bytes of the block of such a matrix, in <= DDN_INT8_DEPTH; a multiple of DDN_INT8_ALIGN. */
size_t ddn_int8_bytes(size_t in, size_t out);
/* Fills the block from w[in][out] and bias[out] (NULL: 0), all finite. */
void ddn_int8_pack(size_t in, size_t out, const float *w, const float *bias, void *block);
/* The matrix in a block that was filled for these numbers. */
ddn_int8 ddn_int8_view(size_t in, size_t out, const void *block);

/* ---- Tables of rows that are looked up: a row has a scale of its own ---- */

typedef struct ddn_int8_table {
    size_t rows, width;
    const float *scale;   /* [rows] */
    const int8_t *weight; /* [rows][width] */
} ddn_int8_table;

/* Bytes of the block of such a table; a multiple of DDN_INT8_ALIGN. */
size_t ddn_int8_table_bytes(size_t rows, size_t width);
/* Fills the block from x[rows][width], all finite. */
void ddn_int8_table_pack(size_t rows, size_t width, const float *x, void *block);
/* The table in a block that was filled for these numbers. */
ddn_int8_table ddn_int8_table_view(size_t rows, size_t width, const void *block);

#endif
