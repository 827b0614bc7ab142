/* SPDX-License-Identifier: MIT */
/* frozen.c - looks up rows and adds them, with SSE2 where the processor has it; checks bytes from a
 * file. frozen_build.c makes frozen weights. */
#include "model/frozen.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "frozen weights are read in place and need a little-endian machine"
#endif

/* ---- Looking up ---- */

static const unsigned char *next_bucket(const ddn_frozen *f, const unsigned char *bucket)
{
    bucket += DDN_BUCKET;
    return bucket == f->table + f->buckets * DDN_BUCKET ? f->table : bucket;
}

/* Where the key's row stands: its bucket and its place in it; NULL: it has none. */
static const unsigned char *find(const ddn_frozen *f, uint64_t key, int *place)
{
    uint16_t wanted = ddn_frozen_print(key);
    const unsigned char *bucket = f->table + ddn_frozen_bucket(key, f->buckets);
    for (;; bucket = next_bucket(f, bucket)) {
        for (int i = 0; i < f->rows_a_bucket; i++) {
            uint16_t print;
            memcpy(&print, bucket + DDN_PRINT * i, sizeof print);
            if (print == wanted) {
                *place = i;
                return bucket;
            }
        }
        if (!bucket[DDN_OVERFLOW])
            return NULL;
    }
}

static uint32_t add_row(const ddn_frozen *f, uint64_t key, int32_t *sum)
{
    int rows = f->rows_a_bucket, i;
    const unsigned char *bucket = find(f, key, &i);
    if (!bucket)
        return 0;
    const unsigned char *weight = bucket + (DDN_PRINT + DDN_LIST) * rows;
    for (int k = 0; k < f->kinds; k++) {
        int16_t w;
        memcpy(&w, weight + DDN_WEIGHT * (f->kinds * i + k), sizeof w);
        sum[k] += w;
    }
    uint32_t list;
    memcpy(&list, bucket + DDN_PRINT * rows + DDN_LIST * i, sizeof list);
    return list;
}

void ddn_frozen_kinds_plain(const ddn_frozen *f, const uint64_t *key, int n, int32_t *sum,
                            uint32_t *list)
{
    for (int i = 0; i < n; i++)
        list[i] = add_row(f, key[i], sum);
}

#ifdef __SSE2__
enum { AT_ONCE = 128 }; /* keys */

/* The rows of a bucket that have the print: two bits for each. */
static inline unsigned match(const ddn_frozen *f, const unsigned char *bucket, uint16_t print)
{
    __m128i there = _mm_loadu_si128((const __m128i *)bucket);
    __m128i same = _mm_cmpeq_epi16(there, _mm_set1_epi16((short)print));
    return (unsigned)_mm_movemask_epi8(same) & ((1u << 2 * f->rows_a_bucket) - 1);
}

/* The weights of the row that was found, and its list; zeros where none was. */
static inline __m128i take(const ddn_frozen *f, const unsigned char *bucket, unsigned found,
                           uint32_t *list)
{
    int rows = f->rows_a_bucket, place = __builtin_ctz(found | 1u << 2 * (rows - 1)) / 2;
    uint32_t kept = 0 - (uint32_t)(found != 0), l;
    memcpy(&l, bucket + DDN_PRINT * rows + DDN_LIST * place, sizeof l);
    *list = l & kept;
    const unsigned char *weight = bucket + (DDN_PRINT + DDN_LIST) * rows;
    __m128i w = _mm_loadl_epi64((const __m128i *)(weight + DDN_WEIGHT * f->kinds * place));
    w = _mm_and_si128(w, _mm_set1_epi32((int)kept));
    return _mm_srai_epi32(_mm_unpacklo_epi16(w, w), 16);
}

/* For up to four columns and up to AT_ONCE keys: all prints of a bucket are compared at once.
 * There is no branch on whether a key has a row in its bucket, since it could not be predicted.
 * Keys that overflow into the next bucket are looked up after all others, with that bucket
 * prefetched. */
static __m128i kinds_sse2(const ddn_frozen *frozen, const uint64_t *key, int n, uint32_t *list)
{
    const ddn_frozen f = *frozen; /* a copy: what is written to list can't change it */
    int left[AT_ONCE], more = 0;
    __m128i total = _mm_setzero_si128();
    for (int i = 0; i < n; i++) {
        const unsigned char *bucket = f.table + ddn_frozen_bucket(key[i], f.buckets);
        unsigned found = match(&f, bucket, ddn_frozen_print(key[i]));
        total = _mm_add_epi32(total, take(&f, bucket, found, &list[i]));
        bool again = !found & (bucket[DDN_OVERFLOW] != 0);
        __builtin_prefetch(bucket + again * DDN_BUCKET);
        left[more] = i;
        more += again;
    }
    for (int x = 0; x < more; x++) {
        int i = left[x];
        const unsigned char *bucket = f.table + ddn_frozen_bucket(key[i], f.buckets);
        unsigned found;
        do {
            bucket = next_bucket(&f, bucket);
            found = match(&f, bucket, ddn_frozen_print(key[i]));
        } while (!found && bucket[DDN_OVERFLOW]);
        total = _mm_add_epi32(total, take(&f, bucket, found, &list[i]));
    }
    return total;
}
#endif

void ddn_frozen_kinds(const ddn_frozen *f, const uint64_t *key, int n, int32_t *sum, uint32_t *list)
{
#ifdef __SSE2__
    if (f->kinds <= 4) {
        __m128i total = _mm_setzero_si128();
        for (int i = 0; i < n; i += AT_ONCE)
            total = _mm_add_epi32(
                total, kinds_sse2(f, key + i, n - i < AT_ONCE ? n - i : AT_ONCE, list + i));
        int32_t lanes[4];
        _mm_storeu_si128((__m128i *)lanes, total);
        for (int k = 0; k < f->kinds; k++)
            sum[k] += lanes[k];
        return;
    }
#endif
    ddn_frozen_kinds_plain(f, key, n, sum, list);
}

/* Reads two pairs as one word and separates them in registers.  A malicious list may repeat a
 * class; then the sum wraps around. */
static void add_pairs(uint64_t pairs, int32_t *sum)
{
    int32_t *one = &sum[(uint16_t)pairs], *two = &sum[(uint16_t)(pairs >> 32)];
    *one = (int32_t)((uint32_t)*one + (uint32_t)(int16_t)(pairs >> 16));
    *two = (int32_t)((uint32_t)*two + (uint32_t)(int16_t)(pairs >> 48));
}

static void add_list(const ddn_frozen *f, uint32_t list, int32_t *sum)
{
    const unsigned char *at = f->pool + (size_t)list * DDN_CHUNK;
    uint64_t first, second;
    do {
        memcpy(&first, at, sizeof first);
        memcpy(&second, at + sizeof first, sizeof second);
        add_pairs(first & ~(uint64_t)DDN_CHUNK_MORE, sum);
        add_pairs(second, sum);
        at += DDN_CHUNK;
    } while (first & DDN_CHUNK_MORE);
}

void ddn_frozen_classes(const ddn_frozen *f, uint32_t *list, int n, int32_t *sum)
{
    int filled = 0;
    for (int i = 0; i < n; i++) {
        uint32_t l = list[i];
        __builtin_prefetch(f->pool + (size_t)l * DDN_CHUNK);
        list[filled] = l;
        filled += l != 0;
    }
    for (int i = 0; i < filled; i++)
        add_list(f, list[i], sum);
}

/* ---- Checking ---- */

/* Whether the pool is a sequence of lists of known classes, none longer than there are classes, the
 * first of them empty. */
static bool check_pool(const ddn_frozen *f, uint32_t classes)
{
    static const unsigned char zeros[DDN_CHUNK];
    if (f->pool_size % DDN_CHUNK || f->pool_size < DDN_CHUNK ||
        memcmp(f->pool, zeros, DDN_CHUNK) != 0)
        return false;
    uint32_t chunks = 0, most = (classes + DDN_CHUNK_PAIRS - 1) / DDN_CHUNK_PAIRS;
    bool more = false;
    for (const unsigned char *at = f->pool; at < f->pool + f->pool_size; at += DDN_CHUNK) {
        chunks = more ? chunks + 1 : 1;
        for (int i = 0; i < DDN_CHUNK_PAIRS; i++) {
            uint16_t class;
            memcpy(&class, at + 4 * i, sizeof class);
            if (i == 0) {
                more = class & DDN_CHUNK_MORE;
                class &= (uint16_t)~DDN_CHUNK_MORE;
            }
            if (class >= classes || chunks > most)
                return false;
        }
    }
    return !more;
}

static bool check_bucket(const ddn_frozen *f, const unsigned char *bucket)
{
    for (int i = 0; i < f->rows_a_bucket; i++) {
        uint32_t list;
        memcpy(&list, bucket + DDN_PRINT * f->rows_a_bucket + DDN_LIST * i, sizeof list);
        if (list >= f->pool_size / DDN_CHUNK)
            return false;
    }
    return true;
}

int ddn_frozen_check(ddn_frozen *f, int kinds, uint32_t classes, const void *table,
                     size_t table_size, const void *pool, size_t pool_size, dodona_error *err)
{
    *f = (ddn_frozen){ .kinds = kinds,
                       .rows_a_bucket = ddn_frozen_rows(kinds),
                       .buckets = table_size / DDN_BUCKET,
                       .table = table,
                       .pool = pool,
                       .pool_size = pool_size };
    if (table_size % DDN_BUCKET || f->buckets < 1 || f->buckets > UINT32_MAX)
        return ddn_fail(err, DODONA_E_MODEL, "the table of weights has an impossible size");
    if (!check_pool(f, classes))
        return ddn_fail(err, DODONA_E_MODEL, "the lists of weights are invalid");
    bool ends = false; /* a look-up stops at a bucket that does not overflow */
    for (const unsigned char *b = f->table; b < f->table + table_size; b += DDN_BUCKET) {
        ends |= !b[DDN_OVERFLOW];
        if (!check_bucket(f, b))
            return ddn_fail(err, DODONA_E_MODEL, "a row of weights has a list outside the pool");
    }
    if (!ends)
        return ddn_fail(err, DODONA_E_MODEL, "every bucket of the table of weights overflows");
    return DODONA_OK;
}
