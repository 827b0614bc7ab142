/* SPDX-License-Identifier: MIT */
/* slots.c - a hidden layer over the words at some places, as a sum of rows that are made once a
 * batch: a query costs slots * hidden additions and the output layer. */
#include "net/heads.h"

#include <stdio.h>
#include <string.h>

ddn_slots_head ddn_slots_head_add(ddn_params *p, const char *name, size_t in, size_t slots,
                                  size_t hidden, size_t classes)
{
    char full[DDN_TENSOR_NAME];
    ddn_slots_head h = { .slots = slots, .hidden = hidden };
    snprintf(full, sizeof full, "%s.place", name);
    h.place = ddn_params_linear(p, full, in, slots * hidden, slots);
    snprintf(full, sizeof full, "%s.none", name);
    h.none = ddn_params_add(p, full, slots, hidden, 0, 0.1f);
    snprintf(full, sizeof full, "%s.out", name);
    h.out = ddn_params_linear(p, full, hidden, classes, 1);
    return h;
}

bool ddn_slots_words_forward(const ddn_net *n, const ddn_slots_head *h, const float *x,
                             size_t words, bool learning, ddn_tape *tape, ddn_slots_words *w)
{
    w->place = ddn_tape_take(tape, words * h->place.out);
    w->dplace = learning ? ddn_tape_zeros(tape, words * h->place.out) : NULL;
    if (!w->place || (learning && !w->dplace))
        return false;
    ddn_linear_forward(n, &h->place, x, words, w->place);
    return true;
}

void ddn_slots_words_backward(const ddn_net *n, const ddn_slots_head *h, const float *x,
                              size_t words, const ddn_slots_words *w, float *dx)
{
    ddn_linear_backward(n, &h->place, x, w->dplace, words, dx);
}

/* The row of what stands at a slot, in place and none as they are or in their adjoints. */
static const float *row(const ddn_slots_head *h, const float *place, const float *none, int32_t at,
                        size_t slot)
{
    return at < 0 ? none + slot * h->hidden : place + (size_t)at * h->place.out + slot * h->hidden;
}

bool ddn_slots_forward(const ddn_net *n, const ddn_slots_head *h, const ddn_slots_words *w,
                       const int32_t *at, size_t count, ddn_tape *tape, ddn_slots_pass *pass)
{
    const float *none = ddn_net_value(n, h->none);
    *pass = (ddn_slots_pass){ .count = count,
                              .at = at,
                              .hidden = ddn_tape_zeros(tape, count * h->hidden),
                              .score = ddn_tape_take(tape, count * h->out.out) };
    if (!pass->hidden || !pass->score)
        return false;
    for (size_t i = 0; i < count; i++)
        for (size_t s = 0; s < h->slots; s++) {
            const float *from = row(h, w->place, none, at[i * h->slots + s], s);
            for (size_t k = 0; k < h->hidden; k++)
                pass->hidden[i * h->hidden + k] += from[k];
        }
    ddn_leaky_forward(pass->hidden, count * h->hidden);
    ddn_linear_forward(n, &h->out, pass->hidden, count, pass->score);
    return true;
}

bool ddn_slots_backward(const ddn_net *n, const ddn_slots_head *h, const ddn_slots_words *w,
                        const ddn_slots_pass *pass, const float *dscore, ddn_tape *tape)
{
    const float *none = ddn_net_gradient(n, h->none);
    float *dhidden = ddn_tape_zeros(tape, pass->count * h->hidden);
    if (!dhidden)
        return false;
    ddn_linear_backward(n, &h->out, pass->hidden, dscore, pass->count, dhidden);
    ddn_leaky_backward(pass->hidden, pass->count * h->hidden, dhidden);
    for (size_t i = 0; i < pass->count; i++)
        for (size_t s = 0; s < h->slots; s++) {
            float *to = (float *)row(h, w->dplace, none, pass->at[i * h->slots + s], s);
            for (size_t k = 0; k < h->hidden; k++)
                to[k] += dhidden[i * h->hidden + k];
        }
    return true;
}
