/* SPDX-License-Identifier: MIT */
/* optimiser.c - AdamW: Adam (Kingma and Ba 2015) whose weight decay is apart from the gradient
 * (Loshchilov and Hutter 2019).  With m and s the means of gradients and of their squares,
 * corrected for their beginning at 0,
 *
 *     value -= rate (m / (sqrt(s) + epsilon) + decay value)
 *
 * The average of values forgets less and less, (1 + step) / (10 + step), until it forgets by the
 * factor that was asked for: so the first values soon have no share in it. */
#include "net/optimiser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ddn_optimiser_options ddn_optimiser_defaults(uint64_t total)
{
    return (ddn_optimiser_options){ .rate = 2e-3,
                                    .floor = 0.01,
                                    .warm = total / 20,
                                    .total = total,
                                    .beta1 = 0.9,
                                    .beta2 = 0.98,
                                    .epsilon = 1e-8,
                                    .decay = 1e-3,
                                    .norm = 5 };
}

double ddn_optimiser_rate(const ddn_optimiser_options *o, uint64_t step)
{
    if (step <= o->warm)
        return o->rate * (double)step / (double)o->warm;
    if (step >= o->total)
        return o->rate * o->floor;
    double done = (double)(step - o->warm) / (double)(o->total - o->warm);
    return o->rate * (1 - (1 - o->floor) * done);
}

int ddn_optimiser_init(ddn_optimiser *o, const ddn_optimiser_options *options, const ddn_params *p,
                       dodona_error *err)
{
    *o = (ddn_optimiser){ .options = *options, .size = p->size };
    o->first = ddn_params_block(p);
    o->second = ddn_params_block(p);
    o->average = options->averaging > 0 ? ddn_params_block(p) : NULL;
    if (!o->first || !o->second || (options->averaging > 0 && !o->average)) {
        ddn_optimiser_fini(o);
        return ddn_fail_memory(err);
    }
    return DODONA_OK;
}

void ddn_optimiser_fini(ddn_optimiser *o)
{
    free(o->first);
    free(o->second);
    free(o->average);
    memset(o, 0, sizeof *o);
}

/* In eight sums, so that the additions need not wait for one another. */
static double length(const float *x, size_t n)
{
    double sum[8] = { 0 };
    for (size_t i = 0; i < n; i += 8)
        for (size_t l = 0; l < 8; l++)
            sum[l] += (double)x[i + l] * x[i + l];
    return sqrt(((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7])));
}

static void adam(ddn_optimiser *o, float *value, const float *gradient, double shorten)
{
    const ddn_optimiser_options *p = &o->options;
    double step = (double)o->step, rate = ddn_optimiser_rate(p, o->step);
    const float shrink = (float)shorten, b1 = (float)p->beta1, b2 = (float)p->beta2;
    const float scale = (float)(rate / (1 - pow(p->beta1, step)));
    const float per_square = (float)(1 / (1 - pow(p->beta2, step))), epsilon = (float)p->epsilon;
    const float keep = (float)(1 - rate * p->decay);
    float *first = o->first, *second = o->second;
    for (size_t i = 0; i < o->size; i++) {
        float g = gradient[i] * shrink;
        first[i] = b1 * first[i] + (1 - b1) * g;
        second[i] = b2 * second[i] + (1 - b2) * g * g;
        value[i] = keep * value[i] - scale * first[i] / (sqrtf(second[i] * per_square) + epsilon);
    }
}

static void average(ddn_optimiser *o, const float *value)
{
    double growing = (1 + (double)o->step) / (10 + (double)o->step);
    const float keep = (float)fmin(o->options.averaging, o->step == 1 ? 0 : growing);
    for (size_t i = 0; i < o->size; i++)
        o->average[i] = keep * o->average[i] + (1 - keep) * value[i];
}

double ddn_optimiser_step(ddn_optimiser *o, float *value, const float *gradient)
{
    double norm = length(gradient, o->size);
    if (!isfinite(norm))
        return norm;
    o->step++;
    adam(o, value, gradient, norm > o->options.norm ? o->options.norm / norm : 1);
    if (o->average)
        average(o, value);
    return norm;
}

void ddn_gradient_sum(float *to, float *const *part, size_t parts, size_t size)
{
    if (to != part[0])
        memcpy(to, part[0], size * sizeof *to);
    for (size_t k = 1; k < parts; k++)
        for (size_t i = 0; i < size; i++)
            to[i] += part[k][i];
}
