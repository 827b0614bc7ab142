/* SPDX-License-Identifier: MIT */
/* Frozen weights: what was averaged and rounded by hand is what look-ups give, for tables of any
 * shape; hostile tables are refused.  Keys are chosen with different prints, so that none is taken
 * for another. */
#include "core/rng.h"
#include "lib/check.h"
#include "model/frozen.h"
#include "system/system.h"
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 30, NO_LIMIT = 1 << 30 };

typedef struct frozen {
    ddn_weights m;
    ddn_output table, pool;
    ddn_frozen_size size;
    ddn_frozen f;
    int keys, kinds;
    uint64_t key[4000];
} frozen;

/* Key i has print i+2; crowded keys all belong into the last few buckets. */
static uint64_t make_key(ddn_rng *r, int i, bool crowded)
{
    uint64_t upper = ddn_rng_next(r) >> 32;
    if (crowded)
        upper |= 0xfff00000;
    return upper << 32 | (ddn_rng_next(r) & 0xffff) << 16 | (uint64_t)(i + 2);
}

static void learn(frozen *w, int kinds, int keys, bool crowded, int32_t most, uint64_t seed)
{
    ddn_rng r;
    ddn_rng_init(&r, seed);
    w->keys = keys;
    w->kinds = kinds;
    assert_int_equal(ddn_weights_init(&w->m, kinds, NULL), 0);
    for (int i = 0; i < keys; i++)
        w->key[i] = make_key(&r, i, crowded);
    for (int t = 0; t < keys * 4; t++) {
        uint64_t key = w->key[ddn_rng_below(&r, (uint64_t)keys)];
        int32_t delta = (int32_t)ddn_rng_below(&r, (uint64_t)most * 2 + 1) - most;
        int k = (int)ddn_rng_below(&r, (uint64_t)kinds + 3);
        if (k < kinds)
            assert_int_equal(ddn_weights_add_kind(&w->m, key, k, delta, NULL), 0);
        else
            assert_int_equal(ddn_weights_add_class(&w->m, key, (uint16_t)ddn_rng_below(&r, CLASSES),
                                                   delta, NULL),
                             0);
        w->m.steps += ddn_rng_below(&r, 2);
    }
}

static void build(frozen *w, uint64_t limit)
{
    dodona_error err = { 0 };
    ddn_output_memory(&w->table);
    ddn_output_memory(&w->pool);
    assert_int_equal(ddn_frozen_build(&w->m, limit, &w->table, &w->pool, &w->size, &err), 0);
    if (ddn_frozen_check(&w->f, w->kinds, CLASSES, w->table.data, w->table.size, w->pool.data,
                         w->pool.size, &err))
        fail_msg("%s", err.message);
}

static void unbuild(frozen *w)
{
    ddn_output_abandon(&w->table);
    ddn_output_abandon(&w->pool);
}

static void done(frozen *w)
{
    unbuild(w);
    ddn_weights_fini(&w->m);
}

/* scale times the average, to the nearest whole number, halves away from zero. */
static int32_t rounded(const frozen *w, int64_t weight, int64_t u)
{
    int64_t T = (int64_t)w->m.steps, sum = (weight * T - u) * w->size.scale, below = 0;
    int64_t magnitude = sum < 0 ? -sum : sum;
    while ((below + 1) * T <= magnitude)
        below += (magnitude - below * T) / T;
    int64_t rest = magnitude - below * T;
    below += 2 * rest >= T;
    return (int32_t)(sum < 0 ? -below : below);
}

static int32_t larger(int32_t a, int32_t b)
{
    b = b < 0 ? -b : b;
    return a > b ? a : b;
}

/* What a key should give, and how large its largest weight is. */
static int32_t expected(const frozen *w, uint64_t key, int32_t *kind, int32_t *class)
{
    uint32_t row = ddn_weights_find(&w->m, key);
    const struct ddn_list *l = &w->m.list[row];
    int32_t largest = 0;
    memset(class, 0, CLASSES * sizeof *class);
    memset(kind, 0, DDN_MAX_KINDS * sizeof *kind);
    for (int k = 0; row && k < w->kinds; k++) {
        size_t at = (size_t)row * (size_t)w->kinds + (size_t)k;
        kind[k] = rounded(w, w->m.w[at], w->m.u[at]);
        largest = larger(largest, kind[k]);
    }
    for (unsigned j = 0; j < l->count; j++) {
        const ddn_class_weight *c = &w->m.class[l->at + j];
        class[c->class] = rounded(w, c->w, c->u);
        largest = larger(largest, class[c->class]);
    }
    if (largest < w->size.threshold) {
        memset(kind, 0, DDN_MAX_KINDS * sizeof *kind);
        memset(class, 0, CLASSES * sizeof *class);
    }
    for (int c = 0; c < CLASSES; c++)
        if (larger(0, class[c]) < w->size.threshold)
            class[c] = 0;
    return largest;
}

static void equals_expectation(const frozen *w, uint64_t *kept_rows)
{
    *kept_rows = 0;
    for (int i = 0; i < w->keys; i++) {
        int32_t kind[DDN_MAX_KINDS], class[CLASSES], sum[DDN_MAX_KINDS] = { 0 };
        int32_t classes[CLASSES] = { 0 };
        uint32_t list;
        int32_t largest = expected(w, w->key[i], kind, class);
        *kept_rows += largest >= w->size.threshold;
        ddn_frozen_kinds(&w->f, &w->key[i], 1, sum, &list);
        assert_memory_equal(sum, kind, (size_t)w->kinds * sizeof *sum);
        ddn_frozen_classes(&w->f, &list, 1, classes);
        assert_memory_equal(classes, class, sizeof class);
    }
}

static void unknown_keys_add_nothing(const frozen *w)
{
    ddn_rng r;
    ddn_rng_init(&r, 99);
    for (int i = 0; i < 1000; i++) {
        uint64_t key = make_key(&r, w->keys + i, i % 2);
        int32_t sum[DDN_MAX_KINDS] = { 0 };
        uint32_t list = 7;
        ddn_frozen_kinds(&w->f, &key, 1, sum, &list);
        assert_int_equal(list, 0);
        for (int k = 0; k < w->kinds; k++)
            assert_int_equal(sum[k], 0);
    }
}

/* Many keys at a time, known and not, added to what is there. */
static void fast_equals_plain(const frozen *w)
{
    enum { MANY = 300 };
    ddn_rng r;
    ddn_rng_init(&r, 98);
    uint64_t key[MANY];
    uint32_t list[MANY], plain_list[MANY];
    for (int n = 0; n <= MANY; n += 1 + n / 4) {
        int32_t sum[DDN_MAX_KINDS], plain[DDN_MAX_KINDS];
        for (int i = 0; i < n; i++)
            key[i] = ddn_rng_below(&r, 2) ? w->key[ddn_rng_below(&r, (uint64_t)w->keys)]
                                          : ddn_rng_next(&r);
        for (int k = 0; k < DDN_MAX_KINDS; k++)
            sum[k] = plain[k] = k * 1000 - 3000;
        ddn_frozen_kinds(&w->f, key, n, sum, list);
        ddn_frozen_kinds_plain(&w->f, key, n, plain, plain_list);
        assert_memory_equal(sum, plain, sizeof sum);
        if (n)
            assert_memory_equal(list, plain_list, (size_t)n * sizeof *list);
    }
}

static frozen w;

static void look_ups_give_averages(void **state)
{
    (void)state;
    for (int kinds = 1; kinds <= DDN_MAX_KINDS; kinds++)
        for (int crowded = 0; crowded <= 1; crowded++) {
            uint64_t kept;
            learn(&w, kinds, crowded ? 300 : 900, crowded, 5, (uint64_t)kinds);
            build(&w, NO_LIMIT);
            assert_int_equal(w.size.threshold, 1);
            assert_int_equal(w.size.dropped_rows, 0);
            assert_int_equal(w.size.scale, 64);
            equals_expectation(&w, &kept);
            assert_int_equal(w.size.rows, kept);
            unknown_keys_add_nothing(&w);
            fast_equals_plain(&w);
            done(&w);
        }
}

/* All keys belong into the last bucket, so that rows wrap around to the first ones. */
static void overflow_wraps_around(void **state)
{
    (void)state;
    for (int kinds = 1; kinds <= DDN_MAX_KINDS; kinds++) {
        uint64_t kept;
        learn(&w, kinds, 60, true, 9, 3);
        for (int i = 0; i < w.keys; i++)
            w.key[i] |= 0xffffffffull << 32;
        ddn_weights_fini(&w.m);
        assert_int_equal(ddn_weights_init(&w.m, kinds, NULL), 0);
        for (int i = 0; i < w.keys; i++)
            assert_int_equal(ddn_weights_add_kind(&w.m, w.key[i], i % kinds, i - 30, NULL), 0);
        w.m.steps = 1;
        build(&w, NO_LIMIT);
        assert_int_equal(w.f.table[w.table.size - 1], 1); /* the last bucket overflows */
        equals_expectation(&w, &kept);
        assert_int_equal(kept, 59); /* one weight is 0 */
        fast_equals_plain(&w);
        done(&w);
    }
}

static void large_weights_are_scaled_down(void **state)
{
    (void)state;
    uint64_t kept;
    learn(&w, 3, 500, false, 3000, 4);
    build(&w, NO_LIMIT);
    assert_true(w.size.scale < 64 && w.size.scale >= 1);
    equals_expectation(&w, &kept);
    done(&w);
}

static void pruning_keeps_the_largest(void **state)
{
    (void)state;
    learn(&w, 3, 3000, false, 40, 5);
    build(&w, NO_LIMIT);
    uint64_t whole = w.table.size + w.pool.size, last_rows = w.size.rows;
    int32_t last = 1;
    unbuild(&w);
    for (uint64_t limit = whole; limit > 200; limit -= limit / 5) {
        uint64_t kept;
        build(&w, limit);
        assert_true(w.table.size + w.pool.size <= limit);
        assert_true(w.size.threshold >= last && w.size.rows <= last_rows);
        if (limit < whole) /* it was not left half empty: weights have some 2500 magnitudes */
            assert_true(w.table.size + w.pool.size > limit / 2 || limit < 1000);
        last = w.size.threshold;
        last_rows = w.size.rows;
        equals_expectation(&w, &kept); /* knows only the threshold */
        assert_int_equal(kept, w.size.rows);
        fast_equals_plain(&w);
        unbuild(&w);
    }
    assert_true(last > 1);
    build(&w, 0); /* nothing fits: an empty table */
    assert_int_equal(w.size.rows, 0);
    assert_int_equal(w.table.size, DDN_BUCKET);
    unknown_keys_add_nothing(&w);
    done(&w);
}

static void the_same_weights_give_the_same_bytes(void **state)
{
    (void)state;
    static frozen other;
    for (uint64_t limit = NO_LIMIT; limit > 5000; limit /= 1000) {
        learn(&w, 4, 1500, false, 40, 6);
        learn(&other, 4, 1500, false, 40, 6);
        build(&w, limit);
        build(&other, limit);
        assert_int_equal(w.table.size, other.table.size);
        assert_int_equal(w.pool.size, other.pool.size);
        assert_memory_equal(w.table.data, other.table.data, w.table.size);
        assert_memory_equal(w.pool.data, other.pool.data, w.pool.size);
        done(&w);
        done(&other);
    }
}

/* ---- Hostile tables ---- */

enum { BUCKETS = 4, CHUNKS = 5 };

typedef struct hostile {
    unsigned char table[BUCKETS * DDN_BUCKET];
    uint32_t pool[CHUNKS * DDN_CHUNK_PAIRS]; /* pairs */
} hostile;

static int check(const hostile *h, size_t table_size, size_t pool_size, dodona_error *err)
{
    ddn_frozen f;
    memset(err, 0, sizeof *err);
    return ddn_frozen_check(&f, 3, 5, h->table, table_size, h->pool, pool_size, err);
}

static void set_list(hostile *h, int bucket, int row, uint32_t list)
{
    size_t at = (size_t)bucket * DDN_BUCKET + 2 * (size_t)ddn_frozen_rows(3) + 4 * (size_t)row;
    memcpy(h->table + at, &list, sizeof list);
}

static uint32_t pair(uint16_t class, uint16_t weight)
{
    return (uint32_t)weight << 16 | class;
}

/* An empty list, one of a chunk, one of two chunks, one of a chunk; there are five classes. */
static hostile sound_table(void)
{
    hostile h = { .pool = { 0 } };
    h.pool[4] = pair(4, 9);
    h.pool[5] = pair(1, 1);
    h.pool[8] = pair(3 | DDN_CHUNK_MORE, 7);
    h.pool[12] = pair(2, 5);
    h.pool[16] = pair(0, 2);
    set_list(&h, 2, 4, 1);
    set_list(&h, 0, 0, 2);
    set_list(&h, 1, 3, 4);
    return h;
}

static void refused(const hostile *h)
{
    dodona_error err;
    assert_int_equal(check(h, sizeof h->table, sizeof h->pool, &err), DODONA_E_MODEL);
    assert_true(err.message[0] != '\0');
}

static void hostile_tables_are_refused(void **state)
{
    (void)state;
    dodona_error err;
    hostile h = sound_table();
    assert_int_equal(check(&h, sizeof h.table, sizeof h.pool, &err), 0);
    assert_int_equal(check(&h, 0, sizeof h.pool, &err), DODONA_E_MODEL);
    assert_int_equal(check(&h, sizeof h.table - 1, sizeof h.pool, &err), DODONA_E_MODEL);
    assert_int_equal(check(&h, 10, sizeof h.pool, &err), DODONA_E_MODEL);
    assert_int_equal(check(&h, sizeof h.table, 0, &err), DODONA_E_MODEL);
    assert_int_equal(check(&h, sizeof h.table, 3, &err), DODONA_E_MODEL);
    assert_int_equal(check(&h, sizeof h.table, 2 * DDN_CHUNK, &err), DODONA_E_MODEL); /* cut off */
    h.pool[0] = pair(1, 0); /* the empty list is not */
    refused(&h);
    static const uint32_t outside[] = { CHUNKS, CHUNKS + 1, 1u << 28, 0x10000001, UINT32_MAX };
    for (int i = 0; i < 5; i++) {
        h = sound_table();
        set_list(&h, 3, 2, outside[i]);
        refused(&h);
    }
    h = sound_table();
    h.pool[16] = pair(0 | DDN_CHUNK_MORE, 2); /* goes on after the pool */
    refused(&h);
    h = sound_table();
    h.pool[12] = pair(2 | DDN_CHUNK_MORE, 5); /* three chunks, but five classes fit into two */
    refused(&h);
    static const uint16_t class[] = { 5, 0x7fff, 0xffff };
    for (int i = 0; i < 3; i++) {
        h = sound_table();
        h.pool[6] = pair(class[i], 1);
        refused(&h);
    }
    h = sound_table();
    for (int b = 0; b < BUCKETS; b++) /* every bucket goes on in the next */
        h.table[b * DDN_BUCKET + DDN_BUCKET - 1] = 1;
    refused(&h);
    h.table[DDN_BUCKET - 1] = 0;
    assert_int_equal(check(&h, sizeof h.table, sizeof h.pool, &err), 0);
}

/* Altered bytes are refused, or give a table in which look-ups stay inside and end. */
static void altered_tables_are_safe(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_rng_init(&r, 8);
    learn(&w, 3, 120, false, 20, 9);
    build(&w, NO_LIMIT);
    for (int i = 0; i < 4000; i++) {
        ddn_output *o = i % 2 ? &w.table : &w.pool;
        size_t at = ddn_rng_below(&r, o->size);
        char old = o->data[at];
        o->data[at] = (char)ddn_rng_next(&r);
        ddn_frozen f;
        int32_t sum[3] = { 0 }, class[CLASSES] = { 0 };
        uint32_t list[120];
        if (ddn_frozen_check(&f, 3, CLASSES, w.table.data, w.table.size, w.pool.data, w.pool.size,
                             NULL) >= 0) {
            ddn_frozen_kinds(&f, w.key, w.keys, sum, list);
            ddn_frozen_classes(&f, list, w.keys, class);
        }
        o->data[at] = old;
    }
    done(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(look_ups_give_averages),
        cmocka_unit_test(overflow_wraps_around),
        cmocka_unit_test(large_weights_are_scaled_down),
        cmocka_unit_test(pruning_keeps_the_largest),
        cmocka_unit_test(the_same_weights_give_the_same_bytes),
        cmocka_unit_test(hostile_tables_are_refused),
        cmocka_unit_test(altered_tables_are_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
