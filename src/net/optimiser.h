/* SPDX-License-Identifier: MIT */
/* optimiser.h - steps of training: gradients to new values.
 *
 *     several passes add to gradients of their own       (layers.h)
 *     ddn_gradient_sum(g, parts, g_of_each, size)         in a fixed order, whoever made them
 *     ddn_optimiser_step(&o, value, g)                    clips, AdamW, averages; clears nothing
 *
 * Everything is a function of its arguments: the same gradients give the same bytes. */
#ifndef DDN_NET_OPTIMISER_H
#define DDN_NET_OPTIMISER_H

#include "net/params.h"

typedef struct ddn_optimiser_options {
    double rate;          /* the highest learning rate */
    double floor;         /* the last rate is this share of it */
    uint64_t warm, total; /* steps: the rate rises over warm of them, then falls until total */
    double beta1, beta2;  /* of the means of gradients and of their squares */
    double epsilon;
    double decay;     /* of weights, times the rate */
    double norm;      /* longer gradients are shortened to this length */
    double averaging; /* the averaged values forget by this factor a step; 0: none */
} ddn_optimiser_options;

ddn_optimiser_options ddn_optimiser_defaults(uint64_t total);
/* The learning rate of a step, counted from 1. */
double ddn_optimiser_rate(const ddn_optimiser_options *o, uint64_t step);

typedef struct ddn_optimiser {
    ddn_optimiser_options options;
    size_t size;           /* floats of a block */
    uint64_t step;         /* steps taken */
    float *first, *second; /* means of gradients and of their squares: blocks */
    float *average;        /* averaged values; NULL: none */
} ddn_optimiser;

int ddn_optimiser_init(ddn_optimiser *o, const ddn_optimiser_options *options, const ddn_params *p,
                       dodona_error *err);
void ddn_optimiser_fini(ddn_optimiser *o);

/* One step.  Returns the gradient's length before, which is
 * infinite or NaN when an element is: then nothing has changed and no step was taken. */
double ddn_optimiser_step(ddn_optimiser *o, float *value, const float *gradient);

/* to = the sum of part[0..parts-1], always in this order; to may be part[0]. */
void ddn_gradient_sum(float *to, float *const *part, size_t parts, size_t size);

#endif
