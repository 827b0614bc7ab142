/* SPDX-License-Identifier: MIT */
/* recurrent.c - the recurrence of the encoder: it is element-wise, so that all products with
 * matrices are over whole batches, before it.
 *
 * With f and o after their sigmoids, for each direction and element, from c_0 = 0 in every
 * sentence:
 *
 *     c_t = f_t c_{t-1} + (1 - f_t) x_t
 *     y_t = o_t tanh(c_t) + skip_t
 *
 * Backward goes through the words the other way round, with s = tanh(c) and dc carried along:
 *
 *     do = dy s o (1 - o)              dc = dc' f_{t+1} + dy o (1 - s^2)
 *     df = dc (c_{t-1} - x) f (1 - f)    dx = dc (1 - f)
 *
 * Related: Lei, Zhang, Wang, Dai and Artzi 2018; Bradbury, Merity, Xiong and Socher 2017. */
#include "net/layers.h"

#include <string.h>

/* One direction (0 to the right, 1 to the left) of a sentence whose first word is row start. */
static void run(const ddn_kernels *k, const ddn_recurrent *l, size_t direction, size_t start,
                size_t words, float *blocks, const float *skip, float *cell, float *squashed,
                float *y)
{
    size_t two = 2 * l->width, row = ddn_recurrent_blocks(l), offset = direction * l->width;
    size_t from = direction ? start + words - 1 : start;
    ptrdiff_t way = direction ? -1 : 1;
    float *x = blocks + from * row + offset;
    ddn_recurrence r = { .words = words,
                         .width = l->width,
                         .x = x,
                         .f = x + two,
                         .o = x + 2 * two,
                         .skip = l->first ? x + 3 * two : skip + from * two + offset,
                         .cell = cell + from * two + offset,
                         .squashed = squashed + from * two + offset,
                         .y = y + from * two + offset,
                         .step = way * (ptrdiff_t)row,
                         .skip_step = way * (ptrdiff_t)(l->first ? row : two),
                         .out_step = way * (ptrdiff_t)two };
    k->recur(&r);
}

void ddn_recurrent_forward(const ddn_kernels *k, const ddn_recurrent *l, const ddn_sequences *s,
                           float *blocks, const float *skip, float *cell, float *squashed, float *y)
{
    for (size_t i = 0, start = 0; i < s->count; start += s->length[i++])
        for (size_t direction = 0; direction < 2 && s->length[i]; direction++)
            run(k, l, direction, start, s->length[i], blocks, skip, cell, squashed, y);
}

/* One word of one direction; before is the cell of the word read before it, or NULL. */
static void word_backward(size_t width, const float *x, const float *before, const float *squashed,
                          const float *dy, float *dx, float *carry)
{
    const float *f = x + 2 * width, *o = x + 4 * width;
    float *df = dx + 2 * width, *dout = dx + 4 * width;
    for (size_t j = 0; j < width; j++) {
        float s = squashed[j], old = before ? before[j] : 0;
        float dc = carry[j] + dy[j] * o[j] * (1 - s * s);
        dout[j] = dy[j] * s * o[j] * (1 - o[j]);
        df[j] = dc * (old - x[j]) * f[j] * (1 - f[j]);
        dx[j] = dc * (1 - f[j]);
        carry[j] = dc * f[j];
    }
}

void ddn_recurrent_backward(const ddn_recurrent *l, const ddn_sequences *s, const float *blocks,
                            const float *cell, const float *squashed, const float *dy,
                            float *dblocks, float *dskip, float *carry)
{
    size_t width = l->width, two = 2 * width, row = ddn_recurrent_blocks(l);
    for (size_t i = 0, start = 0; i < s->count; start += s->length[i++])
        for (size_t direction = 0; direction < 2; direction++) {
            memset(carry, 0, width * sizeof *carry);
            for (size_t t = s->length[i]; t-- > 0;) { /* t words are read before this one */
                size_t at = direction ? start + s->length[i] - 1 - t : start + t;
                size_t offset = direction * width, here = at * two + offset;
                const float *before = t == 0      ? NULL
                                      : direction ? cell + here + two
                                                  : cell + here - two;
                word_backward(width, blocks + at * row + offset, before, squashed + here, dy + here,
                              dblocks + at * row + offset, carry);
            }
        }
    for (size_t at = 0; at < s->words; at++)
        for (size_t j = 0; j < two; j++)
            if (l->first)
                dblocks[at * row + 3 * two + j] = dy[at * two + j];
            else
                dskip[at * two + j] += dy[at * two + j];
}
