/* SPDX-License-Identifier: MIT */
/* frozen.h - averaged weights in the form in which they are stored, mapped and read.
 *
 * Rows live in buckets of one cache line, so that looking a feature up touches one line:
 *
 *     uint16 print[E]      of each row's key; 0: empty
 *     uint32 list[E]       where its class weights begin in the pool, in 4-byte units; 0: an empty
 * list int16  weight[E][K]  one for each kind uint8  last byte     1: a row that belongs here
 * stands in the next bucket (after the last comes the first)
 *
 * with E rows as fit into the line.  A list in the pool is its length (uint32) and as many pairs of
 * class (uint16) and weight (int16); list 0, at the start of the pool, is empty.
 *
 * A key's bucket comes from its upper half, its print from the lower, so a feature that is not in
 * the table is taken for another about once in ten thousand look-ups.
 *
 * All numbers are little-endian.  Bytes from a file are checked once, by ddn_frozen_check; from
 * then on look-ups can't leave the table. */
#ifndef DDN_MODEL_FROZEN_H
#define DDN_MODEL_FROZEN_H

#include "model/weights.h"

enum { DDN_BUCKET = 64 };

typedef struct ddn_frozen {
    int kinds;
    int rows_a_bucket; /* E */
    uint64_t buckets;
    const unsigned char *table; /* [buckets][DDN_BUCKET] */
    const unsigned char *pool;
    size_t pool_size; /* in bytes */
} ddn_frozen;

/* The rows that fit into a bucket. */
int ddn_frozen_rows(int kinds);

typedef struct ddn_frozen_size {
    uint64_t rows, class_weights; /* kept */
    uint64_t dropped_rows;        /* not zero, yet dropped to keep to the size */
    int32_t threshold;            /* weights below it were dropped */
    int scale;                    /* what a weight of 1 became */
} ddn_frozen_size;

/* Freezes the averages into two outputs in memory, in at most limit bytes: the smallest weights are
 * dropped until it fits.  The same weights give the same bytes. */
int ddn_frozen_build(const ddn_weights *m, uint64_t limit, ddn_output *table, ddn_output *pool,
                     ddn_frozen_size *size, dodona_error *err);

/* Points f at bytes from a file after checking that every row and list lies inside and that every
 * class is below classes. */
int ddn_frozen_check(ddn_frozen *f, int kinds, uint32_t classes, const void *table,
                     size_t table_size, const void *pool, size_t pool_size, dodona_error *err);

/* A key's bucket. */
static inline const unsigned char *ddn_frozen_bucket(const ddn_frozen *f, uint64_t key)
{
    return f->table + ((key >> 32) * f->buckets >> 32) * DDN_BUCKET;
}

/* Adds the weights of the key's row, if there is one, to sum[kinds]; returns its list. */
uint32_t ddn_frozen_add(const ddn_frozen *f, const unsigned char *bucket, uint64_t key,
                        int32_t *sum);

/* Adds a list's weights to sum[class]. */
void ddn_frozen_add_list(const ddn_frozen *f, uint32_t list, int32_t *sum);

#endif
