/* SPDX-License-Identifier: MIT */
/* embedding.c - rows of a table, or sums of them.  Only rows that are looked up get a gradient. */
#include "net/layers.h"

#include <assert.h>
#include <string.h>

/* Begins with the variance of a vector of unit length, give or take. */
ddn_embedding ddn_params_embedding(ddn_params *p, const char *name, size_t rows, size_t width)
{
    ddn_embedding e = { ddn_params_add(p, name, rows, width, 0, 0.3f), rows, width };
    if (!p->failed)
        p->tensor[e.table].looked_up = true;
    return e;
}

static uint32_t begin(ddn_lookup from, size_t word)
{
    return from.begin ? from.begin[word] : (uint32_t)word;
}

static void add_row(const ddn_net *n, const ddn_embedding *e, uint32_t id, float *y)
{
    assert(id < e->rows);
    if (n->packed) {
        const ddn_int8_table *t = &n->packed->table[e->table];
        const int8_t *row = t->weight + id * e->width;
        for (size_t j = 0; j < e->width; j++)
            y[j] += t->scale[id] * (float)row[j];
    } else {
        const float *row = ddn_net_value(n, e->table) + id * e->width;
        for (size_t j = 0; j < e->width; j++)
            y[j] += row[j];
    }
}

void ddn_embedding_forward(const ddn_net *n, const ddn_embedding *e, ddn_lookup from, size_t words,
                           float *y, size_t stride)
{
    for (size_t i = 0; i < words; i++, y += stride) {
        memset(y, 0, e->width * sizeof *y);
        for (uint32_t k = begin(from, i); k < begin(from, i + 1); k++)
            add_row(n, e, from.id[k], y);
    }
}

void ddn_embedding_backward(const ddn_net *n, const ddn_embedding *e, ddn_lookup from, size_t words,
                            const float *dy, size_t stride)
{
    float *table = ddn_net_gradient(n, e->table);
    for (size_t i = 0; i < words; i++, dy += stride)
        for (uint32_t k = begin(from, i); k < begin(from, i + 1); k++) {
            float *row = table + from.id[k] * e->width;
            for (size_t j = 0; j < e->width; j++)
                row[j] += dy[j];
        }
}
