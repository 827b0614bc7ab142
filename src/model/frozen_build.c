/* SPDX-License-Identifier: MIT */
/* frozen_build.c - from learnt weights to frozen ones.
 *
 * Averages are fractions, w - u/T; they are multiplied by a power of two, the scale, and rounded.
 * Then the smallest are dropped until the rest fits.  One pass counts how many rows, classes and
 * chunks come in at each magnitude, the next one writes what reaches the threshold.  All of it is
 * integer arithmetic in the order of the rows, so the same weights give the same bytes. */
#include "model/frozen.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

/* How many come in when the threshold falls to a magnitude. */
typedef struct counts {
    uint64_t rows, classes, chunks;
} counts;

typedef struct builder {
    const ddn_weights *m;
    int64_t scale;
    int32_t threshold; /* weights below it are dropped */
    size_t class_end;  /* above every class */
    int32_t *sorted;   /* a row's classes by falling magnitude */
    size_t sorted_cap;
    counts *count; /* [INT16_MAX + 1] */
} builder;

static int64_t magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

/* scale * (w - u/T), rounded away from zero at a half, cut to 16 bits. */
static int16_t average(const builder *b, int64_t w, int64_t u)
{
    int64_t T = b->m->steps ? (int64_t)b->m->steps : 1;
    int64_t x = (magnitude(w * T - u) * b->scale + T / 2) / T;
    x = x > INT16_MAX ? INT16_MAX : x;
    return (int16_t)(w * T < u ? -x : x);
}

static int16_t kind_average(const builder *b, size_t row, int kind)
{
    size_t at = row * (size_t)b->m->kinds + (size_t)kind;
    return average(b, b->m->w[at], b->m->u[at]);
}

static const ddn_class_weight *class_weight(const builder *b, size_t row, unsigned i)
{
    return &b->m->class[b->m->list[row].at + i];
}

static int16_t class_average(const builder *b, size_t row, unsigned i)
{
    const ddn_class_weight *c = class_weight(b, row, i);
    return average(b, c->w, c->u);
}

/* The largest power of two up to 64 with which every average fits. */
static int64_t find_scale(const ddn_weights *m)
{
    int64_t T = m->steps ? (int64_t)m->steps : 1, largest = 0;
    for (size_t i = 0; i < m->rows * (size_t)m->kinds; i++) {
        int64_t x = magnitude(m->w[i] * T - m->u[i]);
        largest = x > largest ? x : largest;
    }
    for (size_t row = 1; row < m->rows; row++)
        for (unsigned i = 0; i < m->list[row].count; i++) {
            const ddn_class_weight *c = &m->class[m->list[row].at + i];
            int64_t x = magnitude(c->w * T - c->u);
            largest = x > largest ? x : largest;
        }
    int64_t scale = 64;
    while (scale > 1 && (largest / T + 1) * scale > INT16_MAX)
        scale /= 2;
    return scale;
}

/* ---- What fits ---- */

static int falling(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x < y) - (x > y);
}

/* Enters a row in the counts; its largest magnitude. */
static int count_row(builder *b, size_t row, int32_t *largest, dodona_error *err)
{
    unsigned classes = b->m->list[row].count;
    *largest = 0;
    for (int k = 0; k < b->m->kinds; k++) {
        int32_t x = (int32_t)magnitude(kind_average(b, row, k));
        *largest = x > *largest ? x : *largest;
    }
    if (!ddn_reserve(&b->sorted, &b->sorted_cap, classes, sizeof *b->sorted))
        return ddn_fail_memory(err);
    for (unsigned i = 0; i < classes; i++) {
        size_t class = class_weight(b, row, i)->class;
        b->class_end = class < b->class_end ? b->class_end : class + 1;
        b->sorted[i] = (int32_t)magnitude(class_average(b, row, i));
    }
    if (classes > 1)
        qsort(b->sorted, classes, sizeof *b->sorted, falling);
    for (unsigned i = 0; i < classes; i++) {
        b->count[b->sorted[i]].classes++;
        b->count[b->sorted[i]].chunks += i % DDN_CHUNK_PAIRS == 0;
        *largest = b->sorted[i] > *largest ? b->sorted[i] : *largest;
    }
    b->count[*largest].rows++;
    return DODONA_OK;
}

static uint64_t buckets_for(uint64_t rows, int kinds)
{
    uint64_t a_bucket = (uint64_t)ddn_frozen_rows(kinds);
    return rows * 5 / (a_bucket * 4) + 1; /* four fifths full */
}

/* The smallest threshold at which everything fits into limit bytes. */
static int find_threshold(builder *b, uint64_t limit, ddn_frozen_size *size, dodona_error *err)
{
    uint64_t nonzero = 0;
    for (size_t row = 1; row < b->m->rows; row++) {
        int32_t largest;
        int status = count_row(b, row, &largest, err);
        if (status < 0)
            return status;
        nonzero += largest > 0;
    }
    counts sum = { 0 };
    b->threshold = INT16_MAX + 1;
    for (int32_t x = INT16_MAX; x >= 1; x--) {
        sum.rows += b->count[x].rows;
        sum.classes += b->count[x].classes;
        sum.chunks += b->count[x].chunks;
        uint64_t bytes =
            buckets_for(sum.rows, b->m->kinds) * DDN_BUCKET + (sum.chunks + 1) * DDN_CHUNK;
        if (bytes > limit)
            break;
        b->threshold = x;
        size->rows = sum.rows;
        size->class_weights = sum.classes;
    }
    size->dropped_rows = nonzero - size->rows;
    return DODONA_OK;
}

/* ---- Writing ---- */

/* The list of a row's classes that reach the threshold; 0: there are none. */
static uint32_t put_list(const builder *b, size_t row, ddn_output *pool)
{
    uint32_t start = (uint32_t)(pool->size / DDN_CHUNK), count = 0;
    for (unsigned i = 0; i < b->m->list[row].count; i++) {
        int16_t w = class_average(b, row, i);
        if (magnitude(w) < b->threshold)
            continue;
        if (count && count % DDN_CHUNK_PAIRS == 0) /* the chunk before is not the last */
            pool->data[pool->size - DDN_CHUNK + 1] |= (char)(DDN_CHUNK_MORE >> 8);
        uint16_t class = class_weight(b, row, i)->class;
        ddn_put(pool, (const char *)&class, sizeof class);
        ddn_put(pool, (const char *)&w, sizeof w);
        count++;
        if (pool->error.code)
            return 0;
    }
    uint16_t pair[2] = { 0 };
    for (; count % DDN_CHUNK_PAIRS; count++) {
        pair[0] = (uint16_t)((row * DDN_CHUNK_PAIRS + count) % b->class_end);
        ddn_put(pool, (const char *)pair, sizeof pair);
    }
    return count ? start : 0;
}

static bool reaches(const builder *b, size_t row, uint32_t list)
{
    bool any = list > 0;
    for (int k = 0; k < b->m->kinds; k++)
        any |= magnitude(kind_average(b, row, k)) >= b->threshold;
    return any;
}

/* The place for a key in the table, marking the buckets that it overflows; -1: a key of the same
 * print is there already, and wins. */
static int place_row(const builder *b, unsigned char *table, uint64_t buckets, uint64_t key,
                     unsigned char **bucket)
{
    int rows = ddn_frozen_rows(b->m->kinds);
    uint16_t print = ddn_frozen_print(key), there;
    size_t at = ddn_frozen_bucket(key, buckets);
    for (;; at = (at + DDN_BUCKET) % (buckets * DDN_BUCKET)) {
        *bucket = table + at;
        for (int i = 0; i < rows; i++) {
            memcpy(&there, *bucket + DDN_PRINT * i, sizeof there);
            if (!there)
                return i;
            if (there == print)
                return -1;
        }
        (*bucket)[DDN_OVERFLOW] = 1;
    }
}

static void put_row(const builder *b, size_t row, uint32_t list, unsigned char *table,
                    uint64_t buckets)
{
    unsigned char *bucket;
    uint64_t key = b->m->key[row];
    int rows = ddn_frozen_rows(b->m->kinds), i = place_row(b, table, buckets, key, &bucket);
    if (i < 0)
        return;
    uint16_t print = ddn_frozen_print(key);
    memcpy(bucket + DDN_PRINT * i, &print, sizeof print);
    memcpy(bucket + DDN_PRINT * rows + DDN_LIST * i, &list, sizeof list);
    unsigned char *weight = bucket + (DDN_PRINT + DDN_LIST) * rows;
    for (int k = 0; k < b->m->kinds; k++) {
        int16_t w = kind_average(b, row, k);
        memcpy(weight + DDN_WEIGHT * (b->m->kinds * i + k), &w, sizeof w);
    }
}

static int put_all(const builder *b, uint64_t rows, ddn_output *table, ddn_output *pool,
                   dodona_error *err)
{
    static const char zeros[DDN_CHUNK];
    uint64_t buckets = buckets_for(rows, b->m->kinds);
    size_t bytes = buckets * DDN_BUCKET;
    unsigned char *at = (unsigned char *)ddn_output_room(table, bytes);
    if (!at)
        return ddn_fail_memory(err);
    memset(at, 0, bytes);
    ddn_output_took(table, bytes);
    ddn_put(pool, zeros, sizeof zeros);
    for (size_t row = 1; row < b->m->rows; row++) {
        uint32_t list = put_list(b, row, pool);
        if (reaches(b, row, list))
            put_row(b, row, list, at, buckets);
    }
    return pool->error.code ? ddn_fail_memory(err) : DODONA_OK;
}

int ddn_frozen_build(const ddn_weights *m, uint64_t limit, ddn_output *table, ddn_output *pool,
                     ddn_frozen_size *size, dodona_error *err)
{
    builder b = { .m = m, .scale = find_scale(m) };
    memset(size, 0, sizeof *size);
    b.count = calloc(INT16_MAX + 1, sizeof *b.count);
    int status = b.count ? find_threshold(&b, limit, size, err) : ddn_fail_memory(err);
    if (status >= 0)
        status = put_all(&b, size->rows, table, pool, err);
    size->threshold = b.threshold;
    size->scale = (int)b.scale;
    free(b.count);
    free(b.sorted);
    return status;
}
