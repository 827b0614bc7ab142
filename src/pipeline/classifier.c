/* SPDX-License-Identifier: MIT */
/* classifier.c - the parser's weights, put to use for plain classification.
 *
 * With few classes, class i is kind i of a row and no row has a list.  With many, a row has one
 * kind, which is always 0, and the classes are in the list.
 *
 * Frozen: a header of 64 bytes, then the table, then the pool:
 *     classes (u32)  0 (u32)  bytes of the table (u64)  bytes of the pool (u64)  zeros */
#include "pipeline/classifier.h"

#include <string.h>

enum { HEADER = 64 };

typedef struct header {
    uint32_t classes, unused;
    uint64_t table, pool;
    uint64_t zero[5];
} header;

_Static_assert(sizeof(header) == HEADER, "the header is as long as it says");

static bool few(int classes)
{
    return classes <= DDN_FEW_CLASSES;
}

static int kinds_for(int classes)
{
    return few(classes) ? classes : 1;
}

/* ---- Learning ---- */

int ddn_learning_init(ddn_learning *l, int classes, dodona_error *err)
{
    *l = (ddn_learning){ .classes = classes };
    int status = ddn_weights_init(&l->weights, kinds_for(classes), err);
    if (status >= 0)
        status = ddn_weights_init(&l->mean, kinds_for(classes), err);
    if (status < 0)
        ddn_learning_fini(l);
    return status;
}

void ddn_learning_fini(ddn_learning *l)
{
    ddn_weights_fini(&l->weights);
    ddn_weights_fini(&l->mean);
}

void ddn_learning_scores(const ddn_learning *l, const uint64_t *key, int n, int32_t *sum)
{
    const ddn_weights *m = &l->weights;
    memset(sum, 0, (size_t)l->classes * sizeof *sum);
    for (int i = 0; i < n; i++)
        ddn_weights_prefetch(m, key[i]);
    for (int i = 0; i < n; i++) {
        uint32_t row = ddn_weights_find(m, key[i]);
        if (!row)
            continue;
        if (few(l->classes)) {
            for (int k = 0; k < l->classes; k++)
                sum[k] += m->w[(size_t)row * (size_t)l->classes + (size_t)k];
            continue;
        }
        const ddn_class_weight *c = m->class + m->list[row].at;
        for (unsigned k = 0; k < m->list[row].count; k++)
            sum[c[k].class] += c[k].w;
    }
}

int ddn_learning_add(ddn_learning *l, const uint64_t *key, int n, int class, int32_t delta,
                     dodona_error *err)
{
    int status = DODONA_OK;
    for (int i = 0; i < n && status >= 0; i++)
        status = few(l->classes)
                     ? ddn_weights_add_kind(&l->weights, key[i], class, delta, err)
                     : ddn_weights_add_class(&l->weights, key[i], (uint16_t) class, delta, err);
    return status;
}

int ddn_learning_update(ddn_learning *l, const uint64_t *key, int n, int right, int wrong,
                        dodona_error *err)
{
    int status = ddn_learning_add(l, key, n, right, 1, err);
    return status < 0 ? status : ddn_learning_add(l, key, n, wrong, -1, err);
}

int ddn_learning_end(ddn_learning *l, dodona_error *err)
{
    int status = ddn_weights_include(&l->mean, &l->weights, err);
    return status < 0 ? status : ddn_weights_clear(&l->weights, err);
}

int ddn_learning_freeze(const ddn_learning *l, uint64_t limit, ddn_output *to, dodona_error *err)
{
    ddn_output table, pool;
    ddn_frozen_size size;
    ddn_output_memory(&table);
    ddn_output_memory(&pool);
    int status =
        ddn_frozen_build(l->mean.steps ? &l->mean : &l->weights, limit, &table, &pool, &size, err);
    if (status >= 0) {
        header h = { .classes = (uint32_t)l->classes, .table = table.size, .pool = pool.size };
        ddn_put(to, (const char *)&h, sizeof h);
        ddn_put(to, table.data, table.size);
        ddn_put(to, pool.data, pool.size);
        status = to->error.code ? ddn_fail_memory(err) : DODONA_OK;
    }
    ddn_output_abandon(&table);
    ddn_output_abandon(&pool);
    return status;
}

/* ---- Classifying ---- */

int ddn_classifier_open(ddn_classifier *c, const void *data, size_t size, dodona_error *err)
{
    header h;
    if (size < sizeof h)
        return ddn_fail(err, DODONA_E_MODEL, "the weights of a classifier are cut short");
    memcpy(&h, data, sizeof h);
    size -= sizeof h;
    if (h.classes < 2 || h.classes > DDN_MOST_CLASSES || h.table > size || h.pool != size - h.table)
        return ddn_fail(err, DODONA_E_MODEL, "the header of a classifier makes no sense");
    const char *table = (const char *)data + sizeof h;
    c->classes = (int)h.classes;
    return ddn_frozen_check(&c->frozen, kinds_for(c->classes), h.classes, table, h.table,
                            table + h.table, h.pool, err);
}

void ddn_classifier_scores(const ddn_classifier *c, const uint64_t *key, int n, int32_t *sum)
{
    uint32_t list[DDN_MAX_KEYS];
    int32_t none[1] = { 0 };
    memset(sum, 0, (size_t)c->classes * sizeof *sum);
    if (few(c->classes)) {
        ddn_frozen_kinds(&c->frozen, key, n, sum, list);
        return;
    }
    ddn_frozen_kinds(&c->frozen, key, n, none, list);
    ddn_frozen_classes(&c->frozen, list, n, sum);
}
