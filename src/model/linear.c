/* SPDX-License-Identifier: MIT */
/* linear.c - sums of frozen weights or of weights that learn, and updates of the latter. */
#include "model/linear.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

int ddn_linear_init(ddn_linear *l, int columns, dodona_error *err)
{
    *l = (ddn_linear){ .columns = columns, .learns = true };
    int status = ddn_weights_init(&l->weights, columns, err);
    return status < 0 ? status : ddn_weights_init(&l->mean, columns, err);
}

void ddn_linear_fini(ddn_linear *l)
{
    if (!l->learns)
        return;
    ddn_weights_fini(&l->weights);
    ddn_weights_fini(&l->mean);
}

/* ---- Scores ---- */

void ddn_linear_keys(const ddn_linear *l, const ddn_feature *feature, const uint32_t *atom,
                     int from, int to, uint64_t *key)
{
    if (l->learns) {
        for (int i = from; i < to; i++) {
            key[i] = ddn_feature_key(&feature[i], atom);
            ddn_weights_prefetch(&l->weights, key[i]);
        }
        return;
    }
    for (int i = from; i < to; i++) {
        key[i] = ddn_feature_key(&feature[i], atom);
        ddn_frozen_prefetch(&l->frozen, key[i]);
    }
}

void ddn_linear_prefetch(const ddn_linear *l, const uint64_t *key, int n)
{
    for (int i = 0; i < n && l->learns; i++)
        ddn_weights_prefetch(&l->weights, key[i]);
    for (int i = 0; i < n && !l->learns; i++)
        ddn_frozen_prefetch(&l->frozen, key[i]);
}

void ddn_linear_rows(const ddn_linear *l, const uint64_t *key, int n, int32_t *sum, uint32_t *list)
{
    const ddn_weights *m = &l->weights;
    if (!l->learns) {
        ddn_frozen_kinds(&l->frozen, key, n, sum, list);
        return;
    }
    size_t columns = (size_t)m->kinds;
    for (int i = 0; i < n; i++) {
        list[i] = ddn_weights_find(m, key[i]);
        __builtin_prefetch(m->w + list[i] * columns);
    }
    for (int i = 0; i < n; i++)
        for (size_t k = 0; k < columns; k++)
            sum[k] += m->w[list[i] * columns + k];
}

void ddn_linear_lists(const ddn_linear *l, uint32_t *list, int n, int32_t *sum)
{
    const ddn_weights *m = &l->weights;
    if (!l->learns) {
        ddn_frozen_classes(&l->frozen, list, n, sum);
        return;
    }
    for (int i = 0; i < n; i++)
        __builtin_prefetch(&m->list[list[i]]);
    for (int i = 0; i < n; i++)
        __builtin_prefetch(&m->class[m->list[list[i]].at]);
    for (int i = 0; i < n; i++) {
        struct ddn_list of = m->list[list[i]];
        for (unsigned j = 0; j < of.count; j++)
            sum[m->class[of.at + j].class] += m->class[of.at + j].w;
    }
}

/* ---- Learning ---- */

void ddn_updates_fini(ddn_updates *t)
{
    free(t->key);
    free(t->change);
    *t = (ddn_updates){ 0 };
}

int ddn_updates_keys(ddn_updates *t, const uint64_t *key, int n, dodona_error *err)
{
    if (!ddn_reserve(&t->key, &t->key_cap, t->keys + (size_t)n, sizeof *t->key) ||
        !ddn_reserve(&t->change, &t->change_cap, t->changes + 1, sizeof *t->change))
        return ddn_fail_memory(err);
    if (n > 0)
        memcpy(t->key + t->keys, key, (size_t)n * sizeof *key);
    /* What the next change begins with. */
    t->change[t->changes] = (struct ddn_change){ .first = (uint32_t)t->keys, .count = (uint32_t)n };
    t->keys += (size_t)n;
    return DODONA_OK;
}

int ddn_updates_change(ddn_updates *t, uint16_t output, bool is_class, int32_t delta,
                       dodona_error *err)
{
    if (!ddn_reserve(&t->change, &t->change_cap, t->changes + 2, sizeof *t->change))
        return ddn_fail_memory(err);
    struct ddn_change *c = &t->change[t->changes++];
    c->output = output;
    c->is_class = is_class;
    c->delta = delta;
    c[1] = *c;
    return DODONA_OK;
}

int ddn_linear_apply(ddn_linear *l, ddn_updates *t, dodona_error *err)
{
    ddn_weights *m = &l->weights;
    int status = DODONA_OK;
    for (size_t i = 0; i < t->changes; i++) {
        const struct ddn_change *c = &t->change[i];
        const uint64_t *key = t->key + c->first;
        for (uint32_t k = 0; k < c->count && status >= 0; k++)
            status = c->is_class ? ddn_weights_add_class(m, key[k], c->output, c->delta, err)
                                 : ddn_weights_add_kind(m, key[k], c->output, c->delta, err);
    }
    t->keys = t->changes = 0;
    return status;
}

int ddn_linear_restart(ddn_linear *l, dodona_error *err)
{
    int status = ddn_weights_include(&l->mean, &l->weights, err);
    return status < 0 ? status : ddn_weights_clear(&l->weights, err);
}

int ddn_linear_freeze(ddn_linear *l, uint64_t limit, ddn_output *table, ddn_output *pool,
                      dodona_error *err)
{
    ddn_frozen_size unused;
    if (l->mean.steps == 0)
        return ddn_frozen_build(&l->weights, limit, table, pool, &unused, err);
    bool goes_on = l->weights.steps > 0;
    int status = goes_on ? ddn_weights_include(&l->mean, &l->weights, err) : DODONA_OK;
    if (status >= 0)
        status = ddn_frozen_build(&l->mean, limit, table, pool, &unused, err);
    if (status >= 0 && goes_on)
        status = ddn_weights_exclude(&l->mean, &l->weights, err);
    return status;
}

void ddn_linear_put(const ddn_linear *l, ddn_output *o)
{
    ddn_weights_put(&l->weights, o);
    ddn_weights_put(&l->mean, o);
}

int ddn_linear_take(ddn_linear *l, uint32_t classes, const ddn_section *s, dodona_error *err)
{
    const char *at = s->data, *end = at + s->size;
    ddn_linear taken;
    int status = ddn_linear_init(&taken, l->columns, err);
    if (status >= 0)
        status = ddn_weights_take(&taken.weights, classes, &at, end, err);
    if (status >= 0)
        status = ddn_weights_take(&taken.mean, classes, &at, end, err);
    if (status >= 0 && at != end)
        status = ddn_fail(err, DODONA_E_INPUT, "the weights do not have the expected size");
    ddn_linear old = *l;
    if (status >= 0)
        *l = taken;
    ddn_linear_fini(status >= 0 ? &old : &taken);
    return status;
}
