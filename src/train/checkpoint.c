/* SPDX-License-Identifier: MIT */
/* A checkpoint is a model file (file.h) with other sections, so damage is found the same way. */
#include "train/checkpoint.h"

#include "model/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { META, POINT, ORDER, WEIGHTS, SUM, TABLE, POOL, GUIDE_TABLE, GUIDE_POOL, SECTIONS };

static const char *const names[SECTIONS] = {
    "meta",        "train.point", "train.order",       "train.weights",    "train.sum",
    "train.table", "train.pool",  "train.guide.table", "train.guide.pool",
};

static const char meta[] = "kind: checkpoint of a training run\n";

int ddn_checkpoint_write(const char *path, const ddn_checkpoint *c, dodona_error *err)
{
    ddn_output bytes, sum, file;
    int status = ddn_output_open(&file, path, err);
    if (status < 0)
        return status;
    ddn_output_memory(&bytes);
    ddn_output_memory(&sum);
    ddn_weights_put(c->weights, &bytes);
    ddn_weights_put(c->sum, &sum);
    ddn_section section[SECTIONS] = {
        [META] = { .data = meta, .size = sizeof meta - 1 },
        [POINT] = { .data = c->point, .size = sizeof *c->point },
        [ORDER] = { .data = c->order, .size = c->count * sizeof *c->order },
        [WEIGHTS] = { .data = bytes.data, .size = bytes.size },
        [SUM] = { .data = sum.data, .size = sum.size },
        [TABLE] = { .data = c->best->table.data, .size = c->best->table.size },
        [POOL] = { .data = c->best->pool.data, .size = c->best->pool.size },
        [GUIDE_TABLE] = { .data = c->guide->table.data, .size = c->guide->table.size },
        [GUIDE_POOL] = { .data = c->guide->pool.data, .size = c->guide->pool.size },
    };
    for (int i = 0; i < SECTIONS; i++)
        snprintf(section[i].name, sizeof section[i].name, "%s", names[i]);
    ddn_model_file_put(&file, section, SECTIONS);
    if (bytes.error.code || sum.error.code)
        file.error = bytes.error.code ? bytes.error : sum.error;
    ddn_output_abandon(&bytes);
    ddn_output_abandon(&sum);
    return ddn_output_close(&file, err);
}

static int take_output(ddn_output *o, const ddn_section *s, dodona_error *err)
{
    o->size = 0;
    ddn_put(o, s->data, s->size);
    return o->error.code ? ddn_fail_memory(err) : DODONA_OK;
}

static int compare(const void *a, const void *b)
{
    uint32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

static bool order_is_sound(const ddn_section *s, const uint32_t *order, size_t count)
{
    const char *at = s->data;
    if (s->size != count * sizeof *order)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!bsearch(at + i * sizeof *order, order, count, sizeof *order, compare))
            return false;
    return true;
}

static int take_frozen(ddn_frozen_bytes *b, const ddn_section *table, const ddn_section *pool,
                       dodona_error *err)
{
    int status = take_output(&b->table, table, err);
    return status < 0 ? status : take_output(&b->pool, pool, err);
}

static int take_weights(ddn_weights *w, const ddn_section *s, uint32_t classes, dodona_error *err)
{
    const char *at = s->data;
    return ddn_weights_take(w, classes, &at, at + s->size, err);
}

static int take(const ddn_section *const *s, ddn_checkpoint_limits limits, ddn_checkpoint *c,
                dodona_error *err)
{
    ddn_progress_point point;
    if (s[POINT]->size != sizeof point || !order_is_sound(s[ORDER], c->order, c->count))
        return 0;
    memcpy(&point, s[POINT]->data, sizeof point);
    if (point.fingerprint != c->point->fingerprint || point.iteration > limits.iterations)
        return 0;
    int status = take_frozen(c->best, s[TABLE], s[POOL], err);
    if (status >= 0)
        status = take_frozen(c->guide, s[GUIDE_TABLE], s[GUIDE_POOL], err);
    if (status >= 0)
        status = take_weights(c->sum, s[SUM], limits.classes, err);
    if (status >= 0)
        status = take_weights(c->weights, s[WEIGHTS], limits.classes, err);
    if (status == DODONA_E_INPUT) {
        c->best->table.size = c->best->pool.size = 0;
        c->guide->table.size = c->guide->pool.size = 0;
        return ddn_weights_clear(c->sum, err);
    }
    if (status < 0)
        return status;
    memcpy(c->order, s[ORDER]->data, s[ORDER]->size);
    *c->point = point;
    return 1;
}

int ddn_checkpoint_read(const char *path, ddn_checkpoint_limits limits, ddn_checkpoint *c,
                        dodona_error *err)
{
    ddn_model_file file;
    const ddn_section *section[SECTIONS];
    int status = ddn_model_file_open(&file, path, err);
    if (status < 0)
        return status == DODONA_E_MEMORY ? status : 0;
    status = 1;
    for (int i = 0; i < SECTIONS && status > 0; i++)
        status = ddn_model_file_find(&file, names[i], &section[i], NULL) >= 0;
    if (status > 0)
        status = take(section, limits, c, err);
    ddn_model_file_close(&file);
    return status;
}
