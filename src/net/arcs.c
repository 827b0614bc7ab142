/* SPDX-License-Identifier: MIT */
/* arcs.c - scores of all arcs of a sentence (Dozat and Manning 2017): with M and H the modifiers'
 * and heads' vectors of a sentence and B = M W + u,
 *
 *     S = B H'     dB = dS H     dH += dS' B
 *
 * n^2 products of short vectors a sentence beside three products a word. */
#include "net/heads.h"
#include "net/product.h"

#include <stdio.h>

ddn_arcs_head ddn_arcs_head_add(ddn_params *p, const char *name, size_t in, size_t width)
{
    char full[DDN_TENSOR_NAME];
    ddn_arcs_head h;
    snprintf(full, sizeof full, "%s.modifier", name);
    h.modifier = ddn_params_linear(p, full, in, width, 1);
    snprintf(full, sizeof full, "%s.head", name);
    h.head = ddn_params_linear(p, full, in, width, 1);
    snprintf(full, sizeof full, "%s.between", name);
    h.between = ddn_params_linear(p, full, width, width, 0);
    return h;
}

static size_t count_scores(const ddn_sequences *s)
{
    size_t scores = 0;
    for (size_t i = 0; i < s->count; i++)
        scores += (size_t)s->length[i] * s->length[i];
    return scores;
}

static void transpose(const float *x, size_t rows, size_t columns, float *turned)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            turned[j * rows + i] = x[i * columns + j];
}

static size_t longest(const ddn_sequences *s)
{
    size_t most = 0;
    for (size_t i = 0; i < s->count; i++)
        most = s->length[i] > most ? s->length[i] : most;
    return most;
}

bool ddn_arcs_forward(const ddn_net *n, const ddn_arcs_head *h, const ddn_sequences *s,
                      const float *x, ddn_learning *learning, ddn_tape *tape, ddn_arcs_pass *pass)
{
    size_t width = h->between.out;
    pass->scores = count_scores(s);
    pass->between = ddn_tape_take(tape, s->words * width);
    pass->score = ddn_tape_take(tape, pass->scores);
    float *turned = ddn_tape_take(tape, longest(s) * width);
    if (!pass->between || !pass->score || !turned ||
        !ddn_mlp_forward(n, &h->modifier, x, s->words, learning, tape, &pass->modifier) ||
        !ddn_mlp_forward(n, &h->head, x, s->words, learning, tape, &pass->head))
        return false;
    ddn_linear_forward(n, &h->between, pass->modifier.y, s->words, pass->between);
    float *score = pass->score;
    for (size_t i = 0, at = 0; i < s->count; at += width * s->length[i++]) {
        size_t length = s->length[i];
        transpose(pass->head.y + at, length, width, turned);
        n->kernels->multiply(pass->between + at, length, width, turned, length, score);
        score += length * length;
    }
    return true;
}

bool ddn_arcs_backward(const ddn_net *n, const ddn_arcs_head *h, const ddn_sequences *s,
                       const float *x, const ddn_arcs_pass *pass, const float *dscore,
                       ddn_tape *tape, float *dx)
{
    size_t width = h->between.out, floats = s->words * width;
    float *dbetween = ddn_tape_zeros(tape, floats), *dhead = ddn_tape_zeros(tape, floats);
    float *dmodifier = ddn_tape_zeros(tape, floats);
    if (!dbetween || !dhead || !dmodifier)
        return false;
    for (size_t i = 0, at = 0; i < s->count; at += width * s->length[i++]) {
        size_t length = s->length[i];
        ddn_product(length, width, length, DDN_AS_IS(dscore, length),
                    DDN_AS_IS(pass->head.y + at, width), 0, dbetween + at, width);
        ddn_product(length, width, length, DDN_TURNED(dscore, length),
                    DDN_AS_IS(pass->between + at, width), 0, dhead + at, width);
        dscore += length * length;
    }
    ddn_linear_backward(n, &h->between, pass->modifier.y, dbetween, s->words, dmodifier);
    ddn_mlp_backward(n, &h->modifier, x, s->words, &pass->modifier, dmodifier, dx);
    ddn_mlp_backward(n, &h->head, x, s->words, &pass->head, dhead, dx);
    return true;
}
