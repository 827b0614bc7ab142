/* SPDX-License-Identifier: MIT */
/* The learner's weights against a table that keeps everything, and averages that are computed by
 * adding up every weight after every step. */
#include "core/rng.h"
#include "lib/check.h"
#include "model/weights.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 3, KEYS = 40, CLASSES = 50 };

typedef struct naive {
    uint64_t key[KEYS];
    int64_t steps;
    int64_t kind[KEYS][KINDS], kind_sum[KEYS][KINDS];
    int64_t class[KEYS][CLASSES], class_sum[KEYS][CLASSES];
    bool touched[KEYS], class_touched[KEYS][CLASSES];
} naive;

static void step(naive *n)
{
    n->steps++;
    for (int i = 0; i < KEYS; i++) {
        for (int k = 0; k < KINDS; k++)
            n->kind_sum[i][k] += n->kind[i][k];
        for (int c = 0; c < CLASSES; c++)
            n->class_sum[i][c] += n->class[i][c];
    }
}

static const ddn_class_weight *class_of(const ddn_weights *m, uint32_t row, int class)
{
    const ddn_class_weight *found = NULL;
    for (unsigned j = 0; j < m->list[row].count; j++)
        if (m->class[m->list[row].at + j].class == class) {
            assert_null(found); /* stands there once */
            found = &m->class[m->list[row].at + j];
        }
    return found;
}

static void equal(const ddn_weights *m, const naive *n)
{
    int64_t T = (int64_t)m->steps;
    size_t rows = 1;
    assert_int_equal(T, n->steps);
    for (int i = 0; i < KEYS; i++) {
        uint32_t row = ddn_weights_find(m, n->key[i]);
        assert_int_equal(row != 0, n->touched[i]);
        rows += row != 0;
        if (!row)
            continue;
        for (int k = 0; k < KINDS; k++) {
            size_t at = (size_t)row * KINDS + (size_t)k;
            assert_int_equal(m->w[at], n->kind[i][k]);
            assert_int_equal(m->w[at] * T - m->u[at], n->kind_sum[i][k]);
        }
        for (int c = 0; c < CLASSES; c++) {
            const ddn_class_weight *w = class_of(m, row, c);
            assert_int_equal(w != NULL, n->class_touched[i][c]);
            assert_int_equal(w ? w->w : 0, n->class[i][c]);
            assert_int_equal(w ? w->w * T - w->u : 0, n->class_sum[i][c]);
        }
    }
    assert_int_equal(m->rows, rows);
}

static void change(ddn_weights *m, naive *n, ddn_rng *r)
{
    int i = (int)ddn_rng_below(r, KEYS);
    int32_t delta = (int32_t)ddn_rng_below(r, 7) - 3;
    n->touched[i] = true;
    if (ddn_rng_below(r, 3) == 0) {
        int k = (int)ddn_rng_below(r, KINDS);
        assert_int_equal(ddn_weights_add_kind(m, n->key[i], k, delta, NULL), 0);
        n->kind[i][k] += delta;
    } else {
        int c = (int)ddn_rng_below(r, 1 + ddn_rng_below(r, CLASSES));
        assert_int_equal(ddn_weights_add_class(m, n->key[i], (uint16_t)c, delta, NULL), 0);
        n->class[i][c] += delta;
        n->class_touched[i][c] = true;
    }
}

static void naive_init(naive *n, ddn_rng *r)
{
    memset(n, 0, sizeof *n);
    for (int i = 0; i < KEYS; i++)
        n->key[i] = ddn_rng_next(r);
    for (int i = 0; i < 8; i++) /* neighbours in the table */
        n->key[i + 1] = (n->key[0] & 0xffffffff) | (uint64_t)(i + 1) << 40;
}

static void round_trip(ddn_weights *m)
{
    ddn_output o, again;
    dodona_error err;
    ddn_output_memory(&o);
    ddn_output_memory(&again);
    ddn_weights_put(m, &o);
    ddn_weights_fini(m);
    assert_int_equal(ddn_weights_init(m, KINDS, &err), 0);
    const char *at = o.data;
    assert_int_equal(ddn_weights_take(m, CLASSES, &at, o.data + o.size, &err), 0);
    assert_ptr_equal(at, o.data + o.size);
    ddn_weights_put(m, &again);
    assert_int_equal(again.size, o.size);
    assert_memory_equal(again.data, o.data, o.size);
    ddn_output_abandon(&o);
    ddn_output_abandon(&again);
}

static void weights_equal_a_table(void **state)
{
    (void)state;
    static naive n;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        ddn_rng r;
        ddn_rng_init(&r, seed);
        naive_init(&n, &r);
        ddn_weights m;
        assert_int_equal(ddn_weights_init(&m, KINDS, NULL), 0);
        equal(&m, &n);
        for (int i = 0; i < 4000; i++) {
            if (ddn_rng_below(&r, 3) == 0) {
                step(&n);
                m.steps++;
            }
            change(&m, &n, &r);
            if (i % 500 == 0)
                equal(&m, &n);
            if (i % 1300 == 700 && seed % 2 == 0)
                round_trip(&m);
        }
        equal(&m, &n);
        ddn_weights_fini(&m);
    }
}

static void tables_and_lists_grow(void **state)
{
    (void)state;
    enum { MANY = 20000, LONG = 5000 };
    ddn_weights m;
    ddn_rng r;
    ddn_rng_init(&r, 5);
    assert_int_equal(ddn_weights_init(&m, 1, NULL), 0);
    uint64_t *key = malloc(MANY * sizeof *key);
    assert_non_null(key);
    for (int i = 0; i < MANY; i++) {
        key[i] = ddn_rng_next(&r);
        assert_int_equal(ddn_weights_add_kind(&m, key[i], 0, i + 1, NULL), 0);
    }
    for (int c = 0; c < LONG; c++)
        for (int i = 0; i < 2; i++)
            assert_int_equal(ddn_weights_add_class(&m, key[i], (uint16_t)c, c + i, NULL), 0);
    for (int i = 0; i < MANY; i++) {
        uint32_t row = ddn_weights_find(&m, key[i]);
        assert_int_equal(m.w[row], i + 1);
        assert_int_equal(ddn_weights_find(&m, ddn_rng_next(&r)), 0);
    }
    for (int i = 0; i < 2; i++) {
        const struct ddn_list *l = &m.list[ddn_weights_find(&m, key[i])];
        assert_int_equal(l->count, LONG);
        for (int c = 0; c < LONG; c++)
            assert_int_equal(m.class[l->at + (unsigned)c].w, c + i);
    }
    /* Abandoned lists are used again: what two lists of 8192 have left behind serves others. */
    size_t before = m.classes;
    for (int i = 2; i < 6; i++)
        for (int c = 0; c < 100; c++)
            assert_int_equal(ddn_weights_add_class(&m, key[i], (uint16_t)c, 1, NULL), 0);
    assert_true(m.classes < before + 400);
    free(key);
    ddn_weights_fini(&m);
}

/* Some weights as bytes. */
static void some(ddn_weights *m, naive *n, ddn_output *o)
{
    ddn_rng r;
    ddn_rng_init(&r, 6);
    naive_init(n, &r);
    assert_int_equal(ddn_weights_init(m, KINDS, NULL), 0);
    for (int i = 0; i < 150; i++)
        change(m, n, &r);
    ddn_output_memory(o);
    ddn_weights_put(m, o);
}

static void bad_bytes_change_nothing(void **state)
{
    (void)state;
    static naive n;
    ddn_weights m;
    ddn_output o;
    dodona_error err;
    some(&m, &n, &o);
    for (size_t size = 0; size < o.size; size++) {
        char *cut = malloc(size ? size : 1);
        assert_non_null(cut);
        memcpy(cut, o.data, size);
        const char *at = cut;
        assert_int_equal(ddn_weights_take(&m, CLASSES, &at, cut + size, &err), DODONA_E_INPUT);
        free(cut);
    }
    equal(&m, &n);
    const char *at = o.data; /* another number of kinds, too many classes */
    assert_int_equal(ddn_weights_take(&m, 10, &at, o.data + o.size, &err), DODONA_E_INPUT);
    ++*o.data;
    at = o.data;
    assert_int_equal(ddn_weights_take(&m, CLASSES, &at, o.data + o.size, &err), DODONA_E_INPUT);
    equal(&m, &n);
    /* A list whose room is no power of two; its neighbours lie where they did. */
    uint32_t row = 1;
    while (m.list[row].room < 4)
        row++;
    struct ddn_list old = m.list[row];
    m.list[row].count = m.list[row].room = 3;
    ddn_output_abandon(&o);
    ddn_weights_put(&m, &o);
    m.list[row] = old;
    at = o.data;
    assert_int_equal(ddn_weights_take(&m, CLASSES, &at, o.data + o.size, &err), DODONA_E_INPUT);
    equal(&m, &n);
    ddn_weights_fini(&m);
    ddn_output_abandon(&o);
}

/* Altered bytes are refused, or give weights that may be wrong but can be worked with. */
static void altered_bytes_are_safe(void **state)
{
    (void)state;
    static naive n;
    ddn_weights good, m;
    ddn_output o;
    ddn_rng r;
    ddn_rng_init(&r, 7);
    some(&good, &n, &o);
    assert_int_equal(ddn_weights_init(&m, KINDS, NULL), 0);
    int taken = 0, refused = 0;
    for (int i = 0; i < 3000; i++) {
        size_t where = i < 256 ? (size_t)i / 8 : ddn_rng_below(&r, o.size);
        char old = o.data[where];
        o.data[where] = (char)(i < 256 ? old ^ 1 << i % 8 : (int)ddn_rng_next(&r));
        const char *at = o.data;
        int code = ddn_weights_take(&m, CLASSES, &at, o.data + o.size, NULL);
        o.data[where] = old;
        assert_true(code == DODONA_OK || code == DODONA_E_INPUT);
        taken += code == 0;
        refused += code < 0;
        for (int k = 0; code == 0 && k < KEYS; k++) {
            uint32_t row = ddn_weights_find(&m, n.key[k]);
            for (unsigned j = 0; j < m.list[row].count; j++)
                assert_true(m.class[m.list[row].at + j].class < CLASSES);
            for (int c = 0; i % 16 == 0 && c < CLASSES; c++)
                ddn_weights_add_class(&m, n.key[k], (uint16_t)c, 1, NULL);
        }
    }
    assert_true(taken > 100 && refused > 100);
    ddn_weights_fini(&m);
    ddn_weights_fini(&good);
    ddn_output_abandon(&o);
}

/* The mean over runs of what each would have by itself. */
static void sums_average_runs(void **state)
{
    (void)state;
    enum { RUNS = 3, DELTAS = 400 };
    ddn_rng rng;
    ddn_weights sum, run[RUNS];
    double mean[KEYS][KINDS] = { 0 }, class_mean[KEYS][CLASSES] = { 0 };
    ddn_rng_init(&rng, 7);
    assert_int_equal(ddn_weights_init(&sum, KINDS, NULL), 0);
    for (int r = 0; r < RUNS; r++) {
        static naive n;
        memset(&n, 0, sizeof n);
        assert_int_equal(ddn_weights_init(&run[r], KINDS, NULL), 0);
        for (int i = 0; i < DELTAS; i++) {
            uint64_t key = ddn_rng_below(&rng, KEYS);
            int kind = (int)ddn_rng_below(&rng, KINDS), class = (int)ddn_rng_below(&rng, CLASSES);
            int32_t delta = (int32_t)ddn_rng_below(&rng, 9) - 4;
            assert_int_equal(ddn_weights_add_kind(&run[r], key << 32 | key, kind, delta, NULL), 0);
            assert_int_equal(
                ddn_weights_add_class(&run[r], key << 32 | key, (uint16_t) class, delta, NULL), 0);
            n.kind[key][kind] += delta;
            n.class[key][class] += delta;
            step(&n);
            run[r].steps++;
        }
        for (int i = 0; i < KEYS; i++) {
            for (int k = 0; k < KINDS; k++)
                mean[i][k] += (double)n.kind_sum[i][k] / DELTAS / RUNS;
            for (int c = 0; c < CLASSES; c++)
                class_mean[i][c] += (double)n.class_sum[i][c] / DELTAS / RUNS;
        }
        assert_int_equal(ddn_weights_include(&sum, &run[r], NULL), 0);
    }
    /* What was in it for a while leaves no trace. */
    assert_int_equal(ddn_weights_include(&sum, &run[0], NULL), 0);
    assert_int_equal(ddn_weights_exclude(&sum, &run[0], NULL), 0);
    double T = (double)sum.steps;
    for (int i = 0; i < KEYS; i++) {
        uint32_t row = ddn_weights_find(&sum, (uint64_t)i << 32 | (uint64_t)i);
        assert_true(row > 0);
        for (int k = 0; k < KINDS; k++) {
            size_t at = (size_t)row * KINDS + (size_t)k;
            assert_true(fabs(sum.w[at] - (double)sum.u[at] / T - mean[i][k]) < 1.0 / 256);
        }
        for (int c = 0; c < CLASSES; c++) {
            const ddn_class_weight *w = class_of(&sum, row, c);
            double got = w ? w->w - (double)w->u / T : 0;
            assert_true(fabs(got - class_mean[i][c]) < 1.0 / 256);
        }
    }
    for (int r = 0; r < RUNS; r++)
        ddn_weights_fini(&run[r]);
    ddn_weights_fini(&sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_equal_a_table),  cmocka_unit_test(sums_average_runs),
        cmocka_unit_test(tables_and_lists_grow),  cmocka_unit_test(bad_bytes_change_nothing),
        cmocka_unit_test(altered_bytes_are_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
