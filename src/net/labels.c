/* SPDX-License-Identifier: MIT */
/* labels.c - scores of the labels of given arcs (Dozat and Manning 2017).
 *
 * For an arc with the modifier's vector m and the head's h, B = m W + u is [width + 1][labels], and
 * score = (h 1) B.  labels * width^2 products an arc: dear, so only for arcs that are made. */
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
    w->dmodifier = learning ? ddn_tape_zeros(tape, words * h->width) : NULL;
    w->dhead = learning ? ddn_tape_zeros(tape, words * h->width) : NULL;
    if (learning && (!w->dmodifier || !w->dhead))
        return false;
    return ddn_mlp_forward(n, &h->modifier, x, words, learning, tape, &w->modifier) &&
           ddn_mlp_forward(n, &h->head, x, words, learning, tape, &w->head);
}

void ddn_labels_words_backward(const ddn_net *n, const ddn_labels_head *h, const float *x,
                               size_t words, const ddn_labels_words *w, float *dx)
{
    ddn_mlp_backward(n, &h->modifier, x, words, &w->modifier, w->dmodifier, dx);
    ddn_mlp_backward(n, &h->head, x, words, &w->head, w->dhead, dx);
}

bool ddn_labels_forward(const ddn_net *n, const ddn_labels_head *h, const ddn_labels_words *w,
                        const uint32_t *modifier, const uint32_t *head, size_t count,
                        ddn_tape *tape, ddn_labels_pass *pass)
{
    size_t width = h->width;
    *pass = (ddn_labels_pass){
        .count = count,
        .modifier = modifier,
        .head = head,
        .from = ddn_tape_take(tape, count * width),
        .between = ddn_tape_take(tape, count * h->between.out),
        .score = ddn_tape_take(tape, count * h->labels),
    };
    float *one = ddn_tape_take(tape, width + 1); /* a head's vector and 1 */
    if (!pass->from || !pass->between || !pass->score || !one)
        return false;
    for (size_t i = 0; i < count; i++)
        memcpy(pass->from + i * width, w->modifier.y + modifier[i] * width, width * sizeof(float));
    ddn_linear_forward(n, &h->between, pass->from, count, pass->between);
    one[width] = 1;
    for (size_t i = 0; i < count; i++) {
        memcpy(one, w->head.y + head[i] * width, width * sizeof *one);
        n->kernels->multiply(one, 1, width + 1, pass->between + i * h->between.out, h->labels,
                             pass->score + i * h->labels);
    }
    return true;
}

bool ddn_labels_backward(const ddn_net *n, const ddn_labels_head *h, const ddn_labels_words *w,
                         const ddn_labels_pass *pass, const float *dscore, ddn_tape *tape)
{
    size_t width = h->width, labels = h->labels;
    float *dbetween = ddn_tape_take(tape, pass->count * h->between.out);
    float *dfrom = ddn_tape_zeros(tape, pass->count * width);
    if (!dbetween || !dfrom)
        return false;
    for (size_t i = 0; i < pass->count; i++) {
        const float *head = w->head.y + pass->head[i] * width, *d = dscore + i * labels;
        float *dhead = w->dhead + pass->head[i] * width;
        for (size_t k = 0; k <= width; k++) {
            const float *b = pass->between + i * h->between.out + k * labels;
            float *db = dbetween + i * h->between.out + k * labels, sum = 0;
            for (size_t l = 0; l < labels; l++) {
                db[l] = d[l] * (k < width ? head[k] : 1);
                sum += d[l] * b[l];
            }
            if (k < width)
                dhead[k] += sum;
        }
    }
    ddn_linear_backward(n, &h->between, pass->from, dbetween, pass->count, dfrom);
    for (size_t i = 0; i < pass->count; i++)
        for (size_t k = 0; k < width; k++)
            w->dmodifier[pass->modifier[i] * width + k] += dfrom[i * width + k];
    return true;
}
