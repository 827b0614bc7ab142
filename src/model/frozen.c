/* SPDX-License-Identifier: MIT */
#include "model/frozen.h"

#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "frozen weights are read in place and need a little-endian machine"
#endif

enum { PRINT = 2, LIST = 4, WEIGHT = 2, OVERFLOW = DDN_BUCKET - 1 };

int ddn_frozen_rows(int kinds)
{
    return OVERFLOW / (PRINT + LIST + WEIGHT * kinds);
}

static uint16_t print_of(uint64_t key)
{
    uint16_t print = (uint16_t)key;
    return print ? print : 1;
}

static const unsigned char *next_bucket(const unsigned char *bucket, const unsigned char *table,
                                        uint64_t buckets)
{
    bucket += DDN_BUCKET;
    return bucket == table + buckets * DDN_BUCKET ? table : bucket;
}

/* ---- Looking up ---- */

static const unsigned char *bucket_of(const ddn_frozen *f, uint64_t key)
{
    return f->table + ((key >> 32) * f->buckets >> 32) * DDN_BUCKET;
}

/* Where the key's row stands: its bucket and its place in it; NULL: it has none. */
static const unsigned char *find(const ddn_frozen *f, uint64_t key, int *place)
{
    uint16_t wanted = print_of(key);
    const unsigned char *bucket = bucket_of(f, key);
    for (;; bucket = next_bucket(bucket, f->table, f->buckets)) {
        for (int i = 0; i < f->rows_a_bucket; i++) {
            uint16_t print;
            memcpy(&print, bucket + PRINT * i, sizeof print);
            if (print == wanted) {
                *place = i;
                return bucket;
            }
        }
        if (!bucket[OVERFLOW])
            return NULL;
    }
}

static uint32_t add_row(const ddn_frozen *f, uint64_t key, int32_t *sum)
{
    int rows = f->rows_a_bucket, i;
    const unsigned char *bucket = find(f, key, &i);
    if (!bucket)
        return 0;
    for (int k = 0; k < f->kinds; k++) {
        int16_t w;
        memcpy(&w, bucket + (PRINT + LIST) * rows + WEIGHT * (f->kinds * i + k), sizeof w);
        sum[k] += w;
    }
    uint32_t list;
    memcpy(&list, bucket + PRINT * rows + LIST * i, sizeof list);
    return list;
}

void ddn_frozen_kinds_plain(const ddn_frozen *f, const uint64_t *key, int n, int32_t *sum,
                            uint32_t *list)
{
    for (int i = 0; i < n; i++)
        __builtin_prefetch(bucket_of(f, key[i]));
    for (int i = 0; i < n; i++)
        list[i] = add_row(f, key[i], sum);
}

#ifdef __SSE2__
/* Up to four kinds: all prints of a bucket are compared at once, and whether a key has a row is no
 * branch, since nothing could predict it: a key without one reads a row of zeros. */
static void kinds_sse2(const ddn_frozen *f, const uint64_t *key, int n, int32_t *sum,
                       uint32_t *list)
{
    static const unsigned char nothing[DDN_BUCKET];
    int rows = f->rows_a_bucket, stride = WEIGHT * f->kinds;
    unsigned prints = (1u << 2 * rows) - 1;
    __m128i total = _mm_setzero_si128();
    for (int i = 0; i < n; i++)
        __builtin_prefetch(bucket_of(f, key[i]));
    for (int i = 0; i < n; i++) {
        const unsigned char *bucket = bucket_of(f, key[i]);
        __m128i wanted = _mm_set1_epi16((short)print_of(key[i]));
        unsigned found;
        for (;;) {
            __m128i there = _mm_loadu_si128((const __m128i *)bucket);
            found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi16(there, wanted)) & prints;
            if (found || !bucket[OVERFLOW])
                break;
            bucket = next_bucket(bucket, f->table, f->buckets);
        }
        int place = __builtin_ctz(found | 1u << 2 * (rows - 1)) / 2;
        bucket = found ? bucket : nothing;
        __m128i w =
            _mm_loadl_epi64((const __m128i *)(bucket + (PRINT + LIST) * rows + stride * place));
        total = _mm_add_epi32(total, _mm_srai_epi32(_mm_unpacklo_epi16(w, w), 16));
        memcpy(&list[i], bucket + PRINT * rows + LIST * place, sizeof list[i]);
    }
    int32_t lanes[4];
    _mm_storeu_si128((__m128i *)lanes, total);
    for (int k = 0; k < f->kinds; k++)
        sum[k] += lanes[k];
}
#endif

void ddn_frozen_kinds(const ddn_frozen *f, const uint64_t *key, int n, int32_t *sum, uint32_t *list)
{
#ifdef __SSE2__
    if (f->kinds == 3 || f->kinds == 4) {
        kinds_sse2(f, key, n, sum, list);
        return;
    }
#endif
    ddn_frozen_kinds_plain(f, key, n, sum, list);
}

static void add_list(const ddn_frozen *f, uint32_t list, int32_t *sum)
{
    const unsigned char *at = f->pool + (size_t)list * 4;
    uint32_t length;
    memcpy(&length, at, sizeof length);
    for (uint32_t i = 0; i < length; i++) {
        uint16_t class;
        int16_t w;
        memcpy(&class, at + 4 + 4 * i, sizeof class);
        memcpy(&w, at + 6 + 4 * i, sizeof w);
        /* A hostile list may name a class more than once: then the sum wraps around. */
        sum[class] = (int32_t)((uint32_t)sum[class] + (uint32_t)w);
    }
}

void ddn_frozen_classes(const ddn_frozen *f, const uint32_t *list, int n, int32_t *sum)
{
    for (int i = 0; i < n; i++)
        __builtin_prefetch(f->pool + (size_t)list[i] * 4);
    for (int i = 0; i < n; i++)
        add_list(f, list[i], sum);
}

/* ---- Checking ---- */

/* Rows do not share lists, so what all lists take must fit the pool: *left is what is left of it,
 * in 4-byte units.  That also keeps the checking of a hostile table linear. */
static bool list_is_sound(const ddn_frozen *f, uint32_t list, uint32_t classes, uint64_t *left)
{
    uint64_t at = (uint64_t)list * 4;
    uint32_t length;
    if (at + 4 > f->pool_size)
        return false;
    memcpy(&length, f->pool + at, sizeof length);
    if (length > (f->pool_size - at - 4) / 4 || length >= *left || length > classes)
        return false;
    *left -= (uint64_t)length + 1;
    for (uint32_t i = 0; i < length; i++) {
        uint16_t class;
        memcpy(&class, f->pool + at + 4 + 4 * (uint64_t)i, sizeof class);
        if (class >= classes)
            return false;
    }
    return true;
}

int ddn_frozen_check(ddn_frozen *f, int kinds, uint32_t classes, const void *table,
                     size_t table_size, const void *pool, size_t pool_size, dodona_error *err)
{
    *f = (ddn_frozen){ .kinds = kinds,
                       .rows_a_bucket = ddn_frozen_rows(kinds),
                       .table = table,
                       .pool = pool,
                       .pool_size = pool_size };
    f->buckets = table_size / DDN_BUCKET;
    if (table_size % DDN_BUCKET || f->buckets < 1 || f->buckets > UINT32_MAX)
        return ddn_fail(err, DODONA_E_MODEL, "the table of weights has an impossible size");
    uint32_t empty = 1;
    if (pool_size >= sizeof empty)
        memcpy(&empty, f->pool, sizeof empty);
    if (empty != 0)
        return ddn_fail(err, DODONA_E_MODEL, "the lists of weights do not start with an empty one");
    uint64_t left = pool_size / 4;
    bool ends = false; /* a look-up stops at a bucket that does not overflow */
    for (const unsigned char *b = f->table; b < f->table + table_size; b += DDN_BUCKET) {
        ends |= !b[OVERFLOW];
        for (int i = 0; i < f->rows_a_bucket; i++) {
            uint32_t list;
            memcpy(&list, b + PRINT * f->rows_a_bucket + LIST * i, sizeof list);
            if (list && !list_is_sound(f, list, classes, &left))
                return ddn_fail(err, DODONA_E_MODEL, "a list of weights makes no sense");
        }
    }
    if (!ends)
        return ddn_fail(err, DODONA_E_MODEL, "the table of weights has no end");
    return DODONA_OK;
}

/* ---- Building ---- */

typedef struct builder {
    const ddn_weights *m;
    int64_t scale;     /* averages are multiplied by this ... */
    int32_t threshold; /* ... and those below this are dropped */
    struct counts {
        uint64_t rows, lists, classes;
    } * counts; /* [INT16_MAX + 1] by the largest magnitude; NULL: not counting */
} builder;

/* scale * (w - u/T), rounded away from zero at a half. */
static int64_t average(const builder *b, int64_t w, int64_t u)
{
    int64_t T = b->m->steps ? (int64_t)b->m->steps : 1;
    int64_t x = (w * T - u) * b->scale;
    return x < 0 ? -((-x + T / 2) / T) : (x + T / 2) / T;
}

static int64_t magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

/* The largest power of two up to 64 with which every average fits 16 bits. */
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

static int16_t clip(int64_t x)
{
    return (int16_t)(x > INT16_MAX ? INT16_MAX : x < -INT16_MAX ? -INT16_MAX : x);
}

/* A row's averages: the largest of its kinds, of its classes, and how many classes reach the
 * threshold. */
typedef struct row_size {
    int32_t kinds, classes;
    uint32_t kept;
} row_size;

static row_size size_row(const builder *b, size_t row)
{
    const ddn_weights *m = b->m;
    row_size r = { 0 };
    for (int i = 0; i < m->kinds; i++) {
        size_t at = row * (size_t)m->kinds + (size_t)i;
        int32_t x = clip(magnitude(average(b, m->w[at], m->u[at])));
        r.kinds = x > r.kinds ? x : r.kinds;
    }
    for (unsigned i = 0; i < m->list[row].count; i++) {
        const ddn_class_weight *c = &m->class[m->list[row].at + i];
        int32_t x = clip(magnitude(average(b, c->w, c->u)));
        r.classes = x > r.classes ? x : r.classes;
        r.kept += x >= b->threshold;
        if (b->counts)
            b->counts[x].classes++;
    }
    return r;
}

static uint64_t buckets_for(uint64_t rows, int kinds)
{
    uint64_t a_bucket = (uint64_t)ddn_frozen_rows(kinds);
    return rows * 5 / (a_bucket * 4) + 1; /* four fifths full */
}

/* The smallest threshold at which everything fits into limit bytes: with it falling from the top,
 * rows, lists and class weights are counted in until they no longer fit. */
static int find_threshold(builder *b, uint64_t limit, ddn_frozen_size *size, dodona_error *err)
{
    b->counts = calloc(INT16_MAX + 1, sizeof *b->counts);
    if (!b->counts)
        return ddn_fail_memory(err);
    uint64_t nonzero = 0;
    for (size_t row = 1; row < b->m->rows; row++) {
        row_size r = size_row(b, row);
        int32_t largest = r.kinds > r.classes ? r.kinds : r.classes;
        b->counts[largest].rows++;
        b->counts[r.classes].lists += r.classes > 0;
        nonzero += largest > 0;
    }
    struct counts sum = { 0 };
    b->threshold = INT16_MAX + 1;
    for (int32_t x = INT16_MAX; x >= 1; x--) {
        sum.rows += b->counts[x].rows;
        sum.lists += b->counts[x].lists;
        sum.classes += b->counts[x].classes;
        uint64_t bytes =
            buckets_for(sum.rows, b->m->kinds) * DDN_BUCKET + 4 + 4 * (sum.lists + sum.classes);
        if (bytes > limit)
            break;
        b->threshold = x;
        size->rows = sum.rows;
        size->class_weights = sum.classes;
    }
    size->dropped_rows = nonzero - size->rows;
    free(b->counts);
    b->counts = NULL;
    return DODONA_OK;
}

static uint32_t put_list(const builder *b, size_t row, uint32_t length, ddn_output *pool)
{
    uint32_t at = (uint32_t)(pool->size / 4);
    ddn_put(pool, (const char *)&length, sizeof length);
    for (unsigned i = 0; i < b->m->list[row].count; i++) {
        const ddn_class_weight *c = &b->m->class[b->m->list[row].at + i];
        int64_t x = average(b, c->w, c->u);
        if (magnitude(x) < b->threshold)
            continue;
        int16_t w = clip(x);
        ddn_put(pool, (const char *)&c->class, sizeof c->class);
        ddn_put(pool, (const char *)&w, sizeof w);
    }
    return at;
}

static void put_row(const builder *b, size_t row, uint32_t list, unsigned char *table,
                    uint64_t buckets)
{
    const ddn_weights *m = b->m;
    int rows = ddn_frozen_rows(m->kinds), i = 0;
    uint16_t print = print_of(m->key[row]), there;
    unsigned char *bucket = table + ((m->key[row] >> 32) * buckets >> 32) * DDN_BUCKET;
    for (;;) {
        for (i = 0; i < rows; i++) {
            memcpy(&there, bucket + PRINT * i, sizeof there);
            if (there == print)
                return; /* looks like a row before it, which wins */
            if (!there)
                break;
        }
        if (i < rows)
            break;
        bucket[OVERFLOW] = 1;
        bucket += next_bucket(bucket, table, buckets) - bucket;
    }
    memcpy(bucket + PRINT * i, &print, sizeof print);
    memcpy(bucket + PRINT * rows + LIST * i, &list, sizeof list);
    for (int k = 0; k < m->kinds; k++) {
        size_t at = row * (size_t)m->kinds + (size_t)k;
        int16_t w = clip(average(b, m->w[at], m->u[at]));
        memcpy(bucket + (PRINT + LIST) * rows + WEIGHT * (m->kinds * i + k), &w, sizeof w);
    }
}

int ddn_frozen_build(const ddn_weights *m, uint64_t limit, ddn_output *table, ddn_output *pool,
                     ddn_frozen_size *size, dodona_error *err)
{
    builder b = { .m = m, .scale = find_scale(m) };
    memset(size, 0, sizeof *size);
    int status = find_threshold(&b, limit, size, err);
    if (status < 0)
        return status;
    size->threshold = b.threshold;
    size->scale = (int)b.scale;
    uint64_t buckets = buckets_for(size->rows, m->kinds);
    size_t bytes = buckets * DDN_BUCKET;
    unsigned char *at = (unsigned char *)ddn_output_room(table, bytes);
    if (!at)
        return ddn_fail_memory(err);
    memset(at, 0, bytes);
    ddn_put(pool, "\0\0\0\0", 4);
    for (size_t row = 1; row < m->rows; row++) {
        row_size r = size_row(&b, row);
        if (r.kinds < b.threshold && r.classes < b.threshold)
            continue;
        uint32_t list = r.kept ? put_list(&b, row, r.kept, pool) : 0;
        put_row(&b, row, list, at, buckets);
    }
    ddn_output_took(table, bytes);
    if (pool->error.code)
        return ddn_fail_memory(err);
    return DODONA_OK;
}
