/* SPDX-License-Identifier: MIT */
/* params.c - the plan of tensors, and blocks of it. */
#include "net/params.h"

#include "core/array.h"
#include "core/rng.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = DDN_TENSOR_ALIGN * sizeof(float) };

void ddn_params_init(ddn_params *p)
{
    memset(p, 0, sizeof *p);
}

void ddn_params_fini(ddn_params *p)
{
    free(p->tensor);
    memset(p, 0, sizeof *p);
}

size_t ddn_params_find(const ddn_params *p, const char *name)
{
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->tensor[i].name, name) == 0)
            return i;
    return DDN_NO_TENSOR;
}

size_t ddn_params_add(ddn_params *p, const char *name, size_t rows, size_t cols, float centre,
                      float spread)
{
    assert(strlen(name) < DDN_TENSOR_NAME && ddn_params_find(p, name) == DDN_NO_TENSOR);
    bool fits = p->count < DDN_TENSORS_MOST && (rows == 0 || cols <= DDN_PARAMS_MOST / rows) &&
                rows * cols <= DDN_PARAMS_MOST - p->size;
    if (!fits || !ddn_reserve(&p->tensor, &p->cap, p->count + 1, sizeof *p->tensor)) {
        p->failed = true;
        p->large |= !fits;
        return 0;
    }
    ddn_tensor *t = &p->tensor[p->count];
    *t = (ddn_tensor){ .rows = rows,
                       .cols = cols,
                       .at = p->size,
                       .centre = centre,
                       .spread = spread,
                       .bias = DDN_NO_TENSOR };
    snprintf(t->name, sizeof t->name, "%s", name);
    p->size += (rows * cols + DDN_TENSOR_ALIGN - 1) / DDN_TENSOR_ALIGN * DDN_TENSOR_ALIGN;
    return p->count++;
}

ddn_linear ddn_params_linear(ddn_params *p, const char *name, size_t in, size_t out, size_t blocks)
{
    char full[DDN_TENSOR_NAME];
    ddn_linear l = { .in = in, .out = out };
    float spread = blocks ? sqrtf(6 / (float)(in + out / blocks)) : 0;
    snprintf(full, sizeof full, "%s.w", name);
    l.w = ddn_params_add(p, full, in, out, 0, spread);
    snprintf(full, sizeof full, "%s.b", name);
    l.b = ddn_params_add(p, full, 1, out, 0, 0);
    if (!p->failed) {
        p->tensor[l.w].multiplies = true;
        p->tensor[l.w].bias = l.b;
    }
    return l;
}

void ddn_params_keep_floats(ddn_params *p, const ddn_linear *l)
{
    if (!p->failed)
        p->tensor[l->w].multiplies = false;
}

float *ddn_params_block(const ddn_params *p)
{
    if (p->failed)
        return NULL;
    size_t bytes = (p->size ? p->size : DDN_TENSOR_ALIGN) * sizeof(float);
    float *block = aligned_alloc(ALIGN, bytes);
    if (block)
        memset(block, 0, bytes);
    return block;
}

/* FNV-1a. */
static uint64_t hash(const char *name)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 0x100000001b3u;
    return h;
}

void ddn_params_begin(const ddn_params *p, uint64_t seed, float *value)
{
    for (size_t i = 0; i < p->count; i++) {
        const ddn_tensor *t = &p->tensor[i];
        ddn_rng rng;
        ddn_rng_init(&rng, seed ^ hash(t->name));
        for (size_t k = 0; k < t->rows * t->cols; k++) {
            double u = t->spread > 0 ? 2 * ddn_rng_unit(&rng) - 1 : 0;
            value[t->at + k] = t->centre + t->spread * (float)u;
        }
    }
}

/* ---- For parsing ---- */

static bool is_packed(const ddn_tensor *t)
{
    return t->multiplies || t->looked_up;
}

static size_t tensor_bytes(const ddn_tensor *t)
{
    return t->multiplies  ? ddn_int8_bytes(t->rows, t->cols)
           : t->looked_up ? ddn_int8_table_bytes(t->rows, t->cols)
                          : 0;
}

size_t ddn_packed_bytes(const ddn_params *p)
{
    size_t bytes = 0;
    for (size_t i = 0; i < p->count; i++)
        bytes += tensor_bytes(&p->tensor[i]);
    return bytes;
}

int ddn_packed_view(ddn_packed *q, const ddn_params *p, const void *block, dodona_error *err)
{
    const char *at = block;
    *q = (ddn_packed){ .matrix = calloc(p->count + 1, sizeof *q->matrix),
                       .table = calloc(p->count + 1, sizeof *q->table) };
    if (!q->matrix || !q->table) {
        ddn_packed_fini(q);
        return ddn_fail_memory(err);
    }
    for (size_t i = 0; i < p->count; i++) {
        const ddn_tensor *t = &p->tensor[i];
        if (t->multiplies)
            q->matrix[i] = ddn_int8_view(t->rows, t->cols, at);
        if (t->looked_up)
            q->table[i] = ddn_int8_table_view(t->rows, t->cols, at);
        at += tensor_bytes(t);
    }
    return DODONA_OK;
}

int ddn_packed_init(ddn_packed *q, const ddn_params *p, const float *value, dodona_error *err)
{
    char *block = aligned_alloc(DDN_INT8_ALIGN, ddn_packed_bytes(p) + DDN_INT8_ALIGN), *at = block;
    if (!block || ddn_packed_view(q, p, block, err) < 0) {
        free(block);
        memset(q, 0, sizeof *q);
        return ddn_fail_memory(err);
    }
    q->block = block;
    for (size_t i = 0; i < p->count; at += tensor_bytes(&p->tensor[i++])) {
        const ddn_tensor *t = &p->tensor[i];
        if (t->multiplies)
            ddn_int8_pack(t->rows, t->cols, value + t->at, value + p->tensor[t->bias].at, at);
        if (t->looked_up)
            ddn_int8_table_pack(t->rows, t->cols, value + t->at, at);
    }
    return DODONA_OK;
}

void ddn_packed_fini(ddn_packed *q)
{
    free(q->matrix);
    free(q->table);
    free(q->block);
    memset(q, 0, sizeof *q);
}

int ddn_params_slim(ddn_params *slim, const ddn_params *p, dodona_error *err)
{
    ddn_params_init(slim);
    for (size_t i = 0; i < p->count; i++) {
        const ddn_tensor *t = &p->tensor[i];
        size_t id = ddn_params_add(slim, t->name, is_packed(t) ? 0 : t->rows, t->cols, 0, 0);
        if (!slim->failed) {
            slim->tensor[id].multiplies = t->multiplies;
            slim->tensor[id].looked_up = t->looked_up;
            slim->tensor[id].rows = t->rows;
        }
    }
    return slim->failed ? ddn_fail_memory(err) : DODONA_OK;
}

void ddn_params_thin(const ddn_params *slim, const ddn_params *p, const float *value, float *thin)
{
    for (size_t i = 0; i < p->count; i++) {
        const ddn_tensor *t = &p->tensor[i];
        if (!is_packed(t))
            memcpy(thin + slim->tensor[i].at, value + t->at, t->rows * t->cols * sizeof *thin);
    }
}
