/* SPDX-License-Identifier: MIT */
/* network_file.c - networks in files.
 *
 * Sections: the sizes as lines of text, the tables of the vocabulary and the labels likewise, the
 * weights of products and the embeddings as 8-bit integers (net/int8.h), and all other values as
 * floats.  The last two
 * are used where they lie in the file.
 *
 * Numbers from a file are bounded so that no sum overflows: |float| <= 100, scales from 0 to 1, and
 * the sums of columns as the weights have them. */
#include "model/network.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GREATEST 100.0f

/* ---- Sizes ---- */

static const struct size_line {
    const char *name;
    size_t offset;
    int most;
} lines[] = {
#define SIZE(name, most)                                                                           \
    {                                                                                              \
#name, offsetof(ddn_network_sizes, name), most                                             \
    }
    SIZE(word, 512),   SIZE(upos, 128), SIZE(feats, 128), SIZE(character, 256), SIZE(spelling, 256),
    SIZE(hidden, 512), SIZE(layers, 8), SIZE(arcs, 1024), SIZE(labels, 256),    SIZE(moves, 1024),
#undef SIZE
};
enum { LINES = sizeof lines / sizeof *lines };

_Static_assert(DDN_ENCODER_LAYERS == 8, "the most layers that a file may ask for");
_Static_assert(512 + 2 * 256 + 128 + 128 <= DDN_INT8_DEPTH && 2 * 512 <= DDN_INT8_DEPTH,
               "inputs of products");

static int *size_at(ddn_network_sizes *z, int line)
{
    return (int *)((char *)z + lines[line].offset);
}

static const char *head_name(unsigned heads)
{
    return heads & DDN_HEAD_ARCS ? "arcs" : "moves";
}

static void put_sizes(ddn_network *m, ddn_output *o)
{
    ddn_putf(o, "head %s\n", head_name(m->base.heads));
    for (int i = 0; i < LINES; i++)
        ddn_putf(o, "%s %d\n", lines[i].name, *size_at(&m->sizes, i));
}

/* Reads what put_sizes writes, line by line, and nothing else. */
static int take_sizes(ddn_network *m, const ddn_section *s, dodona_error *err)
{
    char text[512], head[8];
    int used = 0, got = 0;
    snprintf(text, sizeof text, "%.*s", (int)(s->size < sizeof text ? s->size : sizeof text - 1),
             (const char *)s->data);
    const char *at = text;
    if (sscanf(at, "head %7s\n%n", head, &used) < 1)
        return ddn_fail(err, DODONA_E_MODEL, "the sizes of the network have no line 'head'");
    m->base.heads = strcmp(head, "arcs") == 0 ? DDN_HEAD_ARCS : DDN_HEAD_MOVES;
    if (strcmp(head, head_name(m->base.heads)) != 0)
        return ddn_fail(err, DODONA_E_MODEL,
                        "the network has a head '%s', which this program does "
                        "not have; use a newer dodona",
                        head);
    for (int i = 0; i < LINES; i++) {
        char name[16];
        at += used;
        got = sscanf(at, "%15s %d\n%n", name, size_at(&m->sizes, i), &used);
        int value = got == 2 ? *size_at(&m->sizes, i) : 0;
        if (got < 2 || strcmp(name, lines[i].name) != 0 || value < 1 || value > lines[i].most)
            return ddn_fail(err, DODONA_E_MODEL,
                            "the sizes of the network must have a line '%s' with a number from 1 "
                            "to %d",
                            lines[i].name, lines[i].most);
    }
    return DODONA_OK;
}

/* ---- Checks ---- */

static bool are_sound(const float *x, size_t n, float least, float most)
{
    bool good = true;
    for (size_t i = 0; i < n; i++)
        good &= x[i] >= least && x[i] <= most; /* NaN is not */
    return good;
}

/* Integers are from -127 to 127, and the sums of columns, which the kernels subtract, are those of
 * the integers. */
static bool integers_are_sound(const ddn_int8 *w)
{
    bool low = false;
    for (size_t b = 0; b < w->blocks; b++) {
        int32_t sum[DDN_INT8_BLOCK] = { 0 };
        const int8_t *at = w->weight + b * w->quads * DDN_INT8_BLOCK * DDN_INT8_QUAD;
        for (size_t q = 0; q < w->quads; q++)
            for (size_t i = 0; i < DDN_INT8_BLOCK * DDN_INT8_QUAD; i++) {
                low |= *at == INT8_MIN;
                sum[i / DDN_INT8_QUAD] += *at++;
            }
        for (size_t i = 0; i < DDN_INT8_BLOCK; i++)
            if (w->sum[b * DDN_INT8_BLOCK + i] != 128 * sum[i])
                return false;
    }
    return !low;
}

static int check_packed(const ddn_params *p, const ddn_packed *packed, dodona_error *err)
{
    for (size_t i = 0; i < p->count; i++) {
        const ddn_int8 *w = &packed->matrix[i];
        const ddn_int8_table *t = &packed->table[i];
        size_t columns = w->blocks * DDN_INT8_BLOCK;
        if (w->weight && (!integers_are_sound(w) || !are_sound(w->scale, columns, 0, 1) ||
                          !are_sound(w->bias, columns, -GREATEST, GREATEST)))
            return ddn_fail(err, DODONA_E_MODEL, "the weights of the product '%s' make no sense",
                            p->tensor[i].name);
        if (t->weight && !are_sound(t->scale, t->rows, 0, 1))
            return ddn_fail(err, DODONA_E_MODEL, "the scales of the table '%s' make no sense",
                            p->tensor[i].name);
    }
    return DODONA_OK;
}

/* ---- Saving ---- */

static ddn_output *add_part(ddn_sections *to, const ddn_network *m, const char *name)
{
    char whole[2 * DDN_MAX_SECTION_NAME];
    snprintf(whole, sizeof whole, "%s.%s", m->part, name);
    return ddn_sections_add(to, whole);
}

static int put_values(const ddn_network *m, uint64_t limit, ddn_sections *to, dodona_error *err)
{
    const float *value = m->optimiser.step ? m->optimiser.average : m->value;
    ddn_params slim = { 0 };
    ddn_packed packed = { 0 };
    float *thin = NULL;
    int status = ddn_params_slim(&slim, &m->params, err);
    if (status >= 0)
        status = (thin = ddn_params_block(&slim)) ? DODONA_OK : ddn_fail_memory(err);
    if (status >= 0)
        status = ddn_packed_init(&packed, &m->params, value, err);
    uint64_t bytes = ddn_packed_bytes(&m->params) + slim.size * sizeof *thin;
    if (status >= 0 && bytes > limit)
        status = ddn_fail(err, DODONA_E_LIMIT,
                          "the network takes %.2f megabytes, and --model-size allows %.2f",
                          (double)bytes / 1e6, (double)limit / 1e6);
    if (status >= 0) {
        ddn_params_thin(&slim, &m->params, value, thin);
        ddn_put(add_part(to, m, "int8"), packed.block, ddn_packed_bytes(&m->params));
        ddn_put(add_part(to, m, "floats"), (const char *)thin, slim.size * sizeof *thin);
    }
    ddn_params_fini(&slim);
    ddn_packed_fini(&packed);
    free(thin);
    return status;
}

int ddn_network_save(ddn_model *base, uint64_t limit, ddn_sections *to, dodona_error *err)
{
    ddn_network *m = (ddn_network *)base;
    put_sizes(m, add_part(to, m, "sizes"));
    ddn_schema_put_labels(base->schema, add_part(to, m, "labels"));
    for (int t = 0; t < DDN_TABLES; t++)
        ddn_vocabulary_put(&m->vocabulary, (ddn_table)t, add_part(to, m, ddn_vocabulary_names[t]));
    int status = put_values(m, limit, to, err);
    return status < 0 ? status : ddn_sections_check(to, err);
}

/* ---- Opening ---- */

static int find_part(const ddn_model_file *f, const ddn_network *m, const char *name,
                     const ddn_section **out, dodona_error *err)
{
    char whole[2 * DDN_MAX_SECTION_NAME];
    snprintf(whole, sizeof whole, "%s.%s", m->part, name);
    return ddn_model_file_find(f, whole, out, err);
}

/* The bytes of a section of the expected size, aligned; *copy is to be freed. */
static int find_values(const ddn_model_file *f, const ddn_network *m, const char *name,
                       uint64_t size, const void **out, void **copy, dodona_error *err)
{
    const ddn_section *s;
    int status = find_part(f, m, name, &s, err);
    if (status < 0)
        return status;
    if (s->size != size)
        return ddn_fail(err, DODONA_E_MODEL, "the section %s has %llu bytes instead of %llu",
                        s->name, (unsigned long long)s->size, (unsigned long long)size);
    *out = s->data;
    if ((uintptr_t)s->data % DDN_INT8_ALIGN == 0)
        return DODONA_OK;
    *copy =
        aligned_alloc(DDN_INT8_ALIGN, (size + DDN_INT8_ALIGN) / DDN_INT8_ALIGN * DDN_INT8_ALIGN);
    if (!*copy)
        return ddn_fail_memory(err);
    *out = memcpy(*copy, s->data, size);
    return DODONA_OK;
}

static int take_values(ddn_network *m, const ddn_model_file *f, dodona_error *err)
{
    const void *floats, *block;
    ddn_network_plan(m);
    if (m->params.failed)
        return ddn_fail(err, DODONA_E_MODEL, "the network is too large");
    int status = ddn_params_slim(&m->slim, &m->params, err);
    if (status >= 0)
        status = find_values(f, m, "floats", m->slim.size * sizeof *m->floats, &floats,
                             &m->aligned[0], err);
    if (status >= 0)
        status =
            find_values(f, m, "int8", ddn_packed_bytes(&m->params), &block, &m->aligned[1], err);
    if (status >= 0)
        status = ddn_packed_view(&m->packed, &m->params, block, err);
    if (status < 0)
        return status;
    m->floats = floats;
    if (!are_sound(m->floats, m->slim.size, -GREATEST, GREATEST))
        return ddn_fail(err, DODONA_E_MODEL, "the network has values that make no sense");
    return check_packed(&m->params, &m->packed, err);
}

int ddn_network_open(const ddn_model_file *f, const ddn_spec *spec, ddn_model **out,
                     dodona_error *err)
{
    const ddn_section *s;
    ddn_network *m;
    *out = NULL;
    int status = ddn_network_new(spec, 0, &m, err);
    if (status < 0)
        return status;
    status = find_part(f, m, "sizes", &s, err);
    if (status >= 0)
        status = take_sizes(m, s, err);
    for (int t = 0; t < DDN_TABLES && status >= 0; t++) {
        status = find_part(f, m, ddn_vocabulary_names[t], &s, err);
        if (status >= 0)
            status = ddn_vocabulary_take(&m->vocabulary, (ddn_table)t, s, err);
    }
    if (status >= 0)
        status = take_values(m, f, err);
    if (status < 0)
        ddn_network_close(&m->base);
    else
        *out = &m->base;
    return status;
}
