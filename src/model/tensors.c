/* SPDX-License-Identifier: MIT */
/* tensors.c - numbers from a file are bounded so that no sum overflows: |float| <= 100, scales from
 * 0 to 1, and the sums of columns as the weights have them. */
#include "model/tensors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REFUSED = 20 };
#define GREATEST 100.0f

void ddn_tensors_init(ddn_tensors *t)
{
    *t = (ddn_tensors){ .kernels = ddn_kernels_best() };
    ddn_params_init(&t->params);
}

void ddn_tensors_fini(ddn_tensors *t)
{
    ddn_params_fini(&t->params);
    ddn_params_fini(&t->slim);
    ddn_packed_fini(&t->packed);
    ddn_optimiser_fini(&t->optimiser);
    free(t->value);
    free(t->gradient);
    free(t->aligned[0]);
    free(t->aligned[1]);
}

/* ---- Learning ---- */

int ddn_tensors_start(ddn_tensors *t, uint64_t seed, const ddn_optimiser_options *o,
                      dodona_error *err)
{
    t->learns = true;
    if (t->params.large)
        return ddn_fail(err, DODONA_E_LIMIT, "the network would have more than %d numbers",
                        DDN_PARAMS_MOST);
    t->value = ddn_params_block(&t->params);
    t->gradient = ddn_params_block(&t->params);
    if (!t->value || !t->gradient)
        return ddn_fail_memory(err);
    ddn_params_begin(&t->params, seed, t->value);
    return ddn_optimiser_init(&t->optimiser, o, &t->params, err);
}

ddn_net ddn_tensors_net(const ddn_tensors *t, float *gradient)
{
    return t->learns ? (ddn_net){ &t->params, t->kernels, t->value, NULL, gradient }
                     : (ddn_net){ &t->slim, t->kernels, t->floats, &t->packed, NULL };
}

static int leave_out(ddn_tensors *t, ddn_model *m, dodona_error *err)
{
    m->left_out++;
    if (++t->refused < MOST_REFUSED)
        return DODONA_OK;
    if (t->optimiser.step == 0)
        return ddn_fail(err, DODONA_E_LIMIT,
                        "training diverges: no gradient of the first %d batches is finite; try "
                        "another --seed",
                        MOST_REFUSED);
    memcpy(t->value, t->optimiser.average, t->params.size * sizeof *t->value);
    m->diverged = true;
    return DODONA_OK;
}

int ddn_tensors_step(ddn_tensors *t, ddn_model *m, ddn_pass *const *pass, int n,
                     ddn_gradient_of gradient, dodona_error *err)
{
    size_t words = 0, size = t->params.size;
    memset(t->gradient, 0, size * sizeof *t->gradient);
    for (int i = 0; i < n; i++) {
        size_t more;
        float *both[] = { t->gradient, gradient(pass[i], &more) };
        ddn_gradient_sum(t->gradient, both, 2, size);
        words += more;
    }
    if (words == 0 || m->diverged)
        return DODONA_OK;
    for (size_t i = 0; i < size; i++)
        t->gradient[i] /= (float)words;
    if (!isfinite(ddn_optimiser_step(&t->optimiser, t->value, t->gradient)))
        return leave_out(t, m, err);
    t->refused = 0;
    m->updates++;
    return DODONA_OK;
}

/* ---- Checkpoints ---- */

typedef struct progress {
    uint64_t size, step, refused, left_out, diverged;
} progress;

void ddn_tensors_put(const ddn_tensors *t, const ddn_model *m, ddn_output *o)
{
    const ddn_optimiser *a = &t->optimiser;
    const float *block[] = { t->value, a->first, a->second, a->average };
    progress p = { t->params.size, a->step, t->refused, m->left_out, m->diverged };
    ddn_put(o, (const char *)&p, sizeof p);
    for (size_t i = 0; i < sizeof block / sizeof *block; i++)
        ddn_put(o, (const char *)block[i], t->params.size * sizeof *block[i]);
}

int ddn_tensors_take(ddn_tensors *t, ddn_model *m, const ddn_section *s, dodona_error *err)
{
    ddn_optimiser *a = &t->optimiser;
    float *block[] = { t->value, a->first, a->second, a->average };
    size_t bytes = t->params.size * sizeof *t->value, blocks = sizeof block / sizeof *block;
    const char *at = s->data;
    progress p;
    if (s->size != sizeof p + blocks * bytes)
        return ddn_fail(err, DODONA_E_INPUT, "the network does not have the expected size");
    memcpy(&p, at, sizeof p);
    if (p.size != t->params.size || p.diverged > 1 || (p.refused >= MOST_REFUSED && !p.diverged))
        return ddn_fail(err, DODONA_E_INPUT, "the state of the network makes no sense");
    at += sizeof p;
    for (size_t i = 0; i < blocks; i++, at += bytes)
        memcpy(block[i], at, bytes);
    a->step = p.step;
    t->refused = p.refused;
    m->left_out = p.left_out;
    m->diverged = p.diverged;
    return DODONA_OK;
}

/* ---- Saving ---- */

ddn_output *ddn_part_add(ddn_sections *to, const char *part, const char *name)
{
    char whole[2 * DDN_MAX_SECTION_NAME];
    snprintf(whole, sizeof whole, "%s.%s", part, name);
    return ddn_sections_add(to, whole);
}

int ddn_tensors_save(const ddn_tensors *t, const char *part, uint64_t limit, ddn_sections *to,
                     dodona_error *err)
{
    const ddn_params *p = &t->params;
    const float *value = t->optimiser.step ? t->optimiser.average : t->value;
    ddn_params slim = { 0 };
    ddn_packed packed = { 0 };
    float *thin = NULL;
    int status = ddn_params_slim(&slim, p, err);
    if (status >= 0)
        status = (thin = ddn_params_block(&slim)) ? DODONA_OK : ddn_fail_memory(err);
    if (status >= 0)
        status = ddn_packed_init(&packed, p, value, err);
    uint64_t bytes = ddn_packed_bytes(p) + slim.size * sizeof *thin;
    if (status >= 0 && bytes > limit)
        status = ddn_fail(err, DODONA_E_LIMIT,
                          "the network takes %.2f megabytes, and --model-size allows %.2f",
                          (double)bytes / 1e6, (double)limit / 1e6);
    if (status >= 0) {
        ddn_params_thin(&slim, p, value, thin);
        ddn_put(ddn_part_add(to, part, "int8"), packed.block, ddn_packed_bytes(p));
        ddn_put(ddn_part_add(to, part, "floats"), (const char *)thin, slim.size * sizeof *thin);
    }
    ddn_params_fini(&slim);
    ddn_packed_fini(&packed);
    free(thin);
    return status;
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
        const ddn_int8_table *table = &packed->table[i];
        size_t columns = w->blocks * DDN_INT8_BLOCK;
        if (w->weight && (!integers_are_sound(w) || !are_sound(w->scale, columns, 0, 1) ||
                          !are_sound(w->bias, columns, -GREATEST, GREATEST)))
            return ddn_fail(err, DODONA_E_MODEL, "the weights of the product '%s' make no sense",
                            p->tensor[i].name);
        if (table->weight && !are_sound(table->scale, table->rows, 0, 1))
            return ddn_fail(err, DODONA_E_MODEL, "the scales of the table '%s' make no sense",
                            p->tensor[i].name);
    }
    return DODONA_OK;
}

/* ---- Opening ---- */

int ddn_part_find(const ddn_model_file *f, const char *part, const char *name,
                  const ddn_section **out, dodona_error *err)
{
    char whole[2 * DDN_MAX_SECTION_NAME];
    snprintf(whole, sizeof whole, "%s.%s", part, name);
    return ddn_model_file_find(f, whole, out, err);
}

/* The bytes of a section of the expected size, aligned; *copy is to be freed. */
static int find_values(const ddn_model_file *f, const char *part, const char *name, uint64_t size,
                       const void **out, void **copy, dodona_error *err)
{
    const ddn_section *s;
    int status = ddn_part_find(f, part, name, &s, err);
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

int ddn_tensors_open(ddn_tensors *t, const ddn_model_file *f, const char *part, dodona_error *err)
{
    const ddn_params *p = &t->params;
    const void *floats, *block;
    if (p->failed)
        return p->large ? ddn_fail(err, DODONA_E_MODEL, "the network is too large")
                        : ddn_fail_memory(err);
    int status = ddn_params_slim(&t->slim, p, err);
    if (status >= 0)
        status = find_values(f, part, "floats", t->slim.size * sizeof *t->floats, &floats,
                             &t->aligned[0], err);
    if (status >= 0)
        status = find_values(f, part, "int8", ddn_packed_bytes(p), &block, &t->aligned[1], err);
    if (status >= 0)
        status = ddn_packed_view(&t->packed, p, block, err);
    if (status < 0)
        return status;
    t->floats = floats;
    if (!are_sound(t->floats, t->slim.size, -GREATEST, GREATEST))
        return ddn_fail(err, DODONA_E_MODEL, "the network has values that make no sense");
    return check_packed(p, &t->packed, err);
}
