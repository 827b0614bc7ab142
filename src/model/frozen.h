/* SPDX-License-Identifier: MIT */
/* frozen.h - averaged weights in the form in which they are stored, mapped and read.
 *
 * Rows live in buckets of one cache line, so that looking a feature up touches one line.  A bucket
 * has as many rows as fit into it, E, and for each of them, one array after the other,
 *   - a fingerprint (print) of its key (uint16; 0: empty),
 *   - where its class weights begin in the pool (uint32, in chunks; 0: an empty list),
 *   - one weight for each column, in a parser for each transition type (int16).
 * The bucket's last byte is 1 when a row that belongs there stands in the next bucket; after the
 * last bucket comes the first.
 *
 * A list in the pool is one or more chunks of four pairs, class (uint16) and weight (int16), filled
 * up with pairs of weight 0.  The highest bit of a chunk's first class says that another chunk
 * follows.  The classes of the pairs that fill up differ, since repeated additions to one sum would
 * have to wait for each other.  Most lists have up to four weights, so most lists are one aligned
 * chunk, and the end of a list is predictable.  Chunk 0 is all zeros, the empty list.
 *
 * A key's bucket comes from its upper half, its print from the lower, so a feature that is not in
 * the table is taken for another about once in ten thousand look-ups.
 *
 * All numbers are little-endian.  Bytes from a file are checked once, by ddn_frozen_check; after
 * that, look-ups stay within the table. */
#ifndef DDN_MODEL_FROZEN_H
#define DDN_MODEL_FROZEN_H

#include "model/weights.h"

enum {
    DDN_BUCKET = 64,
    DDN_PRINT = 2, /* bytes of a print, of a place in the pool, of a weight */
    DDN_LIST = 4,
    DDN_WEIGHT = 2,
    DDN_OVERFLOW = DDN_BUCKET - 1, /* where the last byte is */
    DDN_CHUNK = 16,
    DDN_CHUNK_PAIRS = 4,
    DDN_CHUNK_MORE = 0x8000,
};

typedef struct ddn_frozen {
    int kinds;
    int rows_a_bucket; /* E */
    uint64_t buckets;
    const unsigned char *table; /* [buckets][DDN_BUCKET] */
    const unsigned char *pool;
    size_t pool_size; /* in bytes */
} ddn_frozen;

/* The rows that fit into a bucket. */
static inline int ddn_frozen_rows(int kinds)
{
    return DDN_OVERFLOW / (DDN_PRINT + DDN_LIST + DDN_WEIGHT * kinds);
}

static inline uint16_t ddn_frozen_print(uint64_t key)
{
    return (uint16_t)key ? (uint16_t)key : 1;
}

/* The offset of a key's bucket in a table of that many. */
static inline size_t ddn_frozen_bucket(uint64_t key, uint64_t buckets)
{
    return ((key >> 32) * buckets >> 32) * DDN_BUCKET;
}

typedef struct ddn_frozen_size {
    uint64_t rows, class_weights; /* kept */
    uint64_t dropped_rows;        /* not zero, but dropped to keep to the size */
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

/* Fetches what ddn_frozen_kinds will read for the key. */
static inline void ddn_frozen_prefetch(const ddn_frozen *f, uint64_t key)
{
    __builtin_prefetch(f->table + ddn_frozen_bucket(key, f->buckets));
}

/* Adds the weights of the rows of n keys to sum[kinds], and gives the list of each key (0 where it
 * has no row). */
void ddn_frozen_kinds(const ddn_frozen *f, const uint64_t *key, int n, int32_t *sum,
                      uint32_t *list);
/* The same in plain C, which the faster one is compared with. */
void ddn_frozen_kinds_plain(const ddn_frozen *f, const uint64_t *key, int n, int32_t *sum,
                            uint32_t *list);

/* Adds the weights of n lists to sum[class].  The numbers of the lists are used up. */
void ddn_frozen_classes(const ddn_frozen *f, uint32_t *list, int n, int32_t *sum);

#endif
