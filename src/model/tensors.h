/* SPDX-License-Identifier: MIT */
/* tensors.h - the parameters of a scorer that is a network: how they learn, go on from a
 * checkpoint, and stand in a model file.
 *
 *     ddn_tensors_init(&t);
 *     ddn_params_linear(&t.params, ...)              the plan (net/params.h), then one of
 *     ddn_tensors_start(&t, seed, &options, err)     values to begin with, and an optimiser
 *     ddn_tensors_open(&t, file, part, err)          those of a file
 *
 * They learn in floats.  A file has the weights of products as 8-bit integers (net/int8.h) and all
 * other values as floats, in two sections that are used where they lie. */
#ifndef DDN_MODEL_TENSORS_H
#define DDN_MODEL_TENSORS_H

#include "model/scorer.h"
#include "net/optimiser.h"

typedef struct ddn_tensors {
    ddn_params params;
    const ddn_kernels *kernels;
    /* ---- While they learn ---- */
    bool learns;
    float *value, *gradient;
    ddn_optimiser optimiser;
    uint64_t refused; /* steps in a row whose gradient was not finite */
    /* ---- When they were opened ---- */
    ddn_params slim;
    const float *floats; /* of slim */
    ddn_packed packed;
    void *aligned[2]; /* copies of sections that were not aligned */
} ddn_tensors;

void ddn_tensors_init(ddn_tensors *t); /* allocates nothing */
void ddn_tensors_fini(ddn_tensors *t);

int ddn_tensors_start(ddn_tensors *t, uint64_t seed, const ddn_optimiser_options *o,
                      dodona_error *err);
/* What a pass computes with; gradient: a block of its own where they learn, else NULL. */
ddn_net ddn_tensors_net(const ddn_tensors *t, float *gradient);

/* The gradient that a pass has, of a loss that is summed over so many words. */
typedef float *(*ddn_gradient_of)(ddn_pass *pass, size_t *words);
/* One step of their model along the mean over words of the gradients of n passes, added in their
 * order.  A gradient that is not finite changes nothing.  Where that happens many times in a row,
 * the average of the values takes their place, and nothing is learnt any more (m->diverged); it is
 * an error where there is no average yet. */
int ddn_tensors_step(ddn_tensors *t, ddn_model *m, ddn_pass *const *pass, int n,
                     ddn_gradient_of gradient, dodona_error *err);

/* All that learning goes on from.  Bytes that make no sense are DODONA_E_INPUT and change nothing.
 */
void ddn_tensors_put(const ddn_tensors *t, const ddn_model *m, ddn_output *o);
int ddn_tensors_take(ddn_tensors *t, ddn_model *m, const ddn_section *s, dodona_error *err);

/* ---- Sections of a model file: PART.NAME ---- */

ddn_output *ddn_part_add(ddn_sections *to, const char *part, const char *name);
int ddn_part_find(const ddn_model_file *f, const char *part, const char *name,
                  const ddn_section **out, dodona_error *err);

/* The averaged values, in at most limit bytes. */
int ddn_tensors_save(const ddn_tensors *t, const char *part, uint64_t limit, ddn_sections *to,
                     dodona_error *err);
/* Refuses values that make no sense; those that it takes are so small that no sum overflows. */
int ddn_tensors_open(ddn_tensors *t, const ddn_model_file *f, const char *part, dodona_error *err);

#endif
