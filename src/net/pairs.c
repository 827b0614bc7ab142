/* SPDX-License-Identifier: MIT */
/* pairs.c - sums over pairs of places: with left[a] and right[b] the products of the two words of a
 * pair, both = left[a] right[b] element by element, and score = both V + v.
 *
 *     dleft[a] += dboth right[b]     dright[b] += dboth left[a]
 *
 * The table of a pair and a class is left diag(V_c) right', which exact search reads.  V stays in
 * floats when parsing, so that tables and queries agree. */
#include "net/heads.h"

#include <stdio.h>

ddn_pairs_head ddn_pairs_head_add(ddn_params *p, const char *name, size_t in, size_t pairs,
                                  size_t width, size_t classes)
{
    char full[DDN_TENSOR_NAME];
    ddn_pairs_head h = { .pairs = pairs, .width = width };
    snprintf(full, sizeof full, "%s.left", name);
    h.left = ddn_params_linear(p, full, in, pairs * width, pairs);
    snprintf(full, sizeof full, "%s.right", name);
    h.right = ddn_params_linear(p, full, in, pairs * width, pairs);
    snprintf(full, sizeof full, "%s.left.none", name);
    h.left_none = ddn_params_add(p, full, 2, pairs * width, 0, 0.3f);
    snprintf(full, sizeof full, "%s.right.none", name);
    h.right_none = ddn_params_add(p, full, 2, pairs * width, 0, 0.3f);
    snprintf(full, sizeof full, "%s.out", name);
    h.out = ddn_params_linear(p, full, pairs * width, classes, 1);
    ddn_params_keep_floats(p, &h.out);
    return h;
}

bool ddn_pairs_words_forward(const ddn_net *n, const ddn_pairs_head *h, const float *x,
                             size_t words, bool learning, ddn_tape *tape, ddn_pairs_words *w)
{
    size_t floats = words * h->pairs * h->width;
    *w = (ddn_pairs_words){ .left = ddn_tape_take(tape, floats),
                            .right = ddn_tape_take(tape, floats),
                            .dleft = learning ? ddn_tape_zeros(tape, floats) : NULL,
                            .dright = learning ? ddn_tape_zeros(tape, floats) : NULL };
    if (!w->left || !w->right || (learning && (!w->dleft || !w->dright)))
        return false;
    ddn_linear_forward(n, &h->left, x, words, w->left);
    ddn_linear_forward(n, &h->right, x, words, w->right);
    return true;
}

void ddn_pairs_words_backward(const ddn_net *n, const ddn_pairs_head *h, const float *x,
                              size_t words, const ddn_pairs_words *w, float *dx)
{
    ddn_linear_backward(n, &h->left, x, w->dleft, words, dx);
    ddn_linear_backward(n, &h->right, x, w->dright, words, dx);
}

/* Where the part of a pair begins for a word, or for none. */
static const float *part(const ddn_pairs_head *h, const float *words, const float *none, int32_t at,
                         size_t pair)
{
    size_t stride = h->pairs * h->width, offset = pair * h->width;
    if (at >= 0)
        return words + (size_t)at * stride + offset;
    return none + (at == DDN_PAIR_NO_STACK ? 0 : stride) + offset;
}

bool ddn_pairs_forward(const ddn_net *n, const ddn_pairs_head *h, const ddn_pairs_words *w,
                       const int32_t *at, size_t count, ddn_tape *tape, ddn_pairs_pass *pass)
{
    *pass = (ddn_pairs_pass){ .count = count,
                              .at = at,
                              .both = ddn_tape_take(tape, count * h->out.in),
                              .score = ddn_tape_take(tape, count * h->out.out) };
    if (!pass->both || !pass->score)
        return false;
    for (size_t i = 0; i < count * h->pairs; i++) {
        size_t p = i % h->pairs;
        const float *a = part(h, w->left, ddn_net_value(n, h->left_none), at[2 * i], p);
        const float *b = part(h, w->right, ddn_net_value(n, h->right_none), at[2 * i + 1], p);
        for (size_t k = 0; k < h->width; k++)
            pass->both[i * h->width + k] = a[k] * b[k];
    }
    ddn_linear_forward(n, &h->out, pass->both, count, pass->score);
    return true;
}

bool ddn_pairs_backward(const ddn_net *n, const ddn_pairs_head *h, const ddn_pairs_words *w,
                        const ddn_pairs_pass *pass, const float *dscore, ddn_tape *tape)
{
    const float *none = ddn_net_value(n, h->left_none), *other = ddn_net_value(n, h->right_none);
    const float *dnone = ddn_net_gradient(n, h->left_none);
    const float *dother = ddn_net_gradient(n, h->right_none);
    float *dboth = ddn_tape_zeros(tape, pass->count * h->out.in);
    if (!dboth)
        return false;
    ddn_linear_backward(n, &h->out, pass->both, dscore, pass->count, dboth);
    for (size_t i = 0; i < pass->count * h->pairs; i++) {
        size_t p = i % h->pairs;
        int32_t one = pass->at[2 * i], two = pass->at[2 * i + 1];
        const float *a = part(h, w->left, none, one, p), *b = part(h, w->right, other, two, p);
        float *da = (float *)part(h, w->dleft, dnone, one, p);
        float *db = (float *)part(h, w->dright, dother, two, p);
        for (size_t k = 0; k < h->width; k++) {
            float d = dboth[i * h->width + k];
            da[k] += d * b[k];
            db[k] += d * a[k];
        }
    }
    return true;
}

bool ddn_pairs_table(const ddn_net *n, const ddn_pairs_head *h, const ddn_pairs_words *w,
                     size_t from, size_t length, size_t pair, size_t class, ddn_tape *tape,
                     float *table)
{
    size_t rows = length + 2, width = h->width;
    const float *v = ddn_net_value(n, h->out.w) + pair * width * h->out.out + class;
    float *a = ddn_tape_take(tape, rows * width);
    float *b = ddn_tape_take(tape, rows * width); /* transposed */
    if (!a || !b)
        return false;
    for (size_t r = 0; r < rows; r++) {
        int32_t at = r == 0            ? DDN_PAIR_NO_STACK
                     : r == length + 1 ? DDN_PAIR_NO_BUFFER
                                       : (int32_t)(from + r - 1);
        const float *left = part(h, w->left, ddn_net_value(n, h->left_none), at, pair);
        const float *right = part(h, w->right, ddn_net_value(n, h->right_none), at, pair);
        for (size_t k = 0; k < width; k++) {
            a[r * width + k] = left[k] * v[k * h->out.out];
            b[k * rows + r] = right[k];
        }
    }
    n->kernels->multiply(a, rows, width, b, rows, table);
    return true;
}
