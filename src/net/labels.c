/* SPDX-License-Identifier: MIT */
/* labels.c - scores of the labels of given arcs (Dozat and Manning 2017).
 *
 * For an arc with the modifier's vector m and the head's h, B = m W + u is [width + 1][labels], and
 * score = (h 1) B.  B takes labels * width^2 products and depends on the modifier alone, so it is
 * made once for all words, together; an arc then takes labels * width. */
#include "net/heads.h"

#include <stdio.h>
#include <string.h>

ddn_labels_head ddn_labels_head_add(ddn_params *p, const char *name, size_t in, size_t width,
                                    size_t labels)
{
    char full[DDN_TENSOR_NAME];
    ddn_labels_head h = { .labels = labels, .width = width };
    snprintf(full, sizeof full, "%s.modifier", name);
    h.modifier = ddn_params_linear(p, full, in, width, 1);
    snprintf(full, sizeof full, "%s.head", name);
    h.head = ddn_params_linear(p, full, in, width, 1);
    snprintf(full, sizeof full, "%s.between", name);
    h.between = ddn_params_linear(p, full, width, labels * (width + 1), 0);
    return h;
}

bool ddn_labels_words_forward(const ddn_net *n, const ddn_labels_head *h, const float *x,
                              size_t words, ddn_learning *learning, ddn_tape *tape,
                              ddn_labels_words *w)
{
    size_t floats = words * h->between.out;
    w->between = ddn_tape_take(tape, floats);
    w->dbetween = learning ? ddn_tape_zeros(tape, floats) : NULL;
    w->dhead = learning ? ddn_tape_zeros(tape, words * h->width) : NULL;
    if (!w->between || (learning && (!w->dbetween || !w->dhead)) ||
        !ddn_mlp_forward(n, &h->modifier, x, words, learning, tape, &w->modifier) ||
        !ddn_mlp_forward(n, &h->head, x, words, learning, tape, &w->head))
        return false;
    ddn_linear_forward(n, &h->between, w->modifier.y, words, w->between);
    return true;
}

bool ddn_labels_words_backward(const ddn_net *n, const ddn_labels_head *h, const float *x,
                               size_t words, const ddn_labels_words *w, ddn_tape *tape, float *dx)
{
    float *dmodifier = ddn_tape_zeros(tape, words * h->width);
    if (!dmodifier)
        return false;
    ddn_linear_backward(n, &h->between, w->modifier.y, w->dbetween, words, dmodifier);
    ddn_mlp_backward(n, &h->modifier, x, words, &w->modifier, dmodifier, dx);
    ddn_mlp_backward(n, &h->head, x, words, &w->head, w->dhead, dx);
    return true;
}

void ddn_labels_forward(const ddn_net *n, const ddn_labels_head *h, const ddn_labels_words *w,
                        uint32_t modifier, uint32_t head, float *score)
{
    const float *between = w->between + modifier * h->between.out, *one = between;
    n->kernels->multiply(w->head.y + head * h->width, 1, h->width, between, h->labels, score);
    one += h->width * h->labels;
    for (size_t l = 0; l < h->labels; l++)
        score[l] += one[l];
}

void ddn_labels_backward(const ddn_labels_head *h, const ddn_labels_words *w, uint32_t modifier,
                         uint32_t head, const float *dscore)
{
    const float *y = w->head.y + head * h->width, *b = w->between + modifier * h->between.out;
    float *dhead = w->dhead + head * h->width, *db = w->dbetween + modifier * h->between.out;
    for (size_t k = 0; k <= h->width; k++, b += h->labels, db += h->labels) {
        float sum = 0;
        for (size_t l = 0; l < h->labels; l++) {
            db[l] += dscore[l] * (k < h->width ? y[k] : 1);
            sum += dscore[l] * b[l];
        }
        if (k < h->width)
            dhead[k] += sum;
    }
}
