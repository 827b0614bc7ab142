/* SPDX-License-Identifier: MIT */
/* encoder.c - embeddings, the recurrence over the characters of types, and the stack of layers. */
#include "net/encoder.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- One layer ---- */

static ddn_encoder_layer layer_add(ddn_params *p, const char *name, size_t in, size_t width,
                                   bool first)
{
    ddn_encoder_layer l = { .recurrent = { width, first } };
    if (!first)
        l.norm = ddn_params_norm(p, name, in);
    l.product = ddn_params_linear(p, name, in, ddn_recurrent_blocks(&l.recurrent), first ? 4 : 3);
    return l;
}

/* f begins near 0.73: the recurrence remembers from the start. */
static void layer_begin(const ddn_encoder_layer *l, const ddn_params *p, float *value)
{
    float *f = value + p->tensor[l->product.b].at + 2 * l->recurrent.width;
    for (size_t j = 0; j < 2 * l->recurrent.width; j++)
        f[j] = 1;
}

static bool layer_forward(const ddn_net *n, const ddn_encoder_layer *l, const ddn_sequences *s,
                          float *input, ddn_learning *learning, ddn_tape *tape,
                          ddn_layer_pass *pass)
{
    size_t rows = s->words, in = l->product.in, two = 2 * l->recurrent.width;
    bool first = l->recurrent.first;
    *pass = (ddn_layer_pass){
        .input = input,
        .normal = first ? input : ddn_tape_take(tape, rows * in),
        .stat = ddn_tape_take(tape, 2 * rows),
        .mask = learning ? ddn_tape_take(tape, rows * in) : NULL,
        .blocks = ddn_tape_take(tape, rows * l->product.out),
        .cell = ddn_tape_take(tape, rows * two),
        .squashed = ddn_tape_take(tape, rows * two),
        .y = ddn_tape_take(tape, rows * two),
    };
    if (!pass->normal || !pass->stat || (learning && !pass->mask) || !pass->blocks || !pass->cell ||
        !pass->squashed || !pass->y)
        return false;
    if (!first)
        ddn_norm_forward(n, &l->norm, input, rows, pass->normal, pass->stat);
    if (learning)
        ddn_dropout_forward(learning, pass->normal, rows * in, pass->mask);
    ddn_linear_forward(n, &l->product, pass->normal, rows, pass->blocks);
    ddn_recurrent_forward(n->kernels, &l->recurrent, s, pass->blocks, input, pass->cell,
                          pass->squashed, pass->y);
    return true;
}

/* Sets *dinput to the adjoint of the input. */
static bool layer_backward(const ddn_net *n, const ddn_encoder_layer *l, const ddn_sequences *s,
                           const ddn_layer_pass *pass, const float *dy, ddn_tape *tape,
                           float **dinput)
{
    size_t rows = s->words, in = l->product.in;
    bool first = l->recurrent.first;
    float *dblocks = ddn_tape_take(tape, rows * l->product.out);
    float *carry = ddn_tape_take(tape, l->recurrent.width);
    float *dnormal = ddn_tape_zeros(tape, rows * in);
    *dinput = first ? dnormal : ddn_tape_zeros(tape, rows * in);
    if (!dblocks || !carry || !dnormal || !*dinput)
        return false;
    ddn_recurrent_backward(&l->recurrent, s, pass->blocks, pass->cell, pass->squashed, dy, dblocks,
                           *dinput, carry);
    ddn_linear_backward(n, &l->product, pass->normal, dblocks, rows, dnormal);
    if (pass->mask)
        ddn_dropout_backward(pass->mask, rows * in, dnormal);
    if (!first)
        ddn_norm_backward(n, &l->norm, pass->input, pass->stat, dnormal, rows, *dinput);
    return true;
}

/* ---- Types: the last state to the right and the last to the left ---- */

static bool types_forward(const ddn_net *n, const ddn_encoder *e, const ddn_sequences *types,
                          const uint32_t *characters, ddn_learning *learning, ddn_tape *tape,
                          ddn_layer_pass *pass, float *vectors)
{
    size_t width = e->shape.char_hidden;
    float *input = ddn_tape_take(tape, types->words * e->character.width);
    if (!input)
        return false;
    ddn_embedding_forward(n, &e->character, (ddn_lookup){ characters, NULL }, types->words, input,
                          e->character.width);
    if (!layer_forward(n, &e->spelling, types, input, learning, tape, pass))
        return false;
    for (size_t i = 0, start = 0; i < types->count; start += types->length[i++]) {
        float *to = vectors + i * 2 * width;
        assert(types->length[i] > 0);
        memcpy(to, pass->y + (start + types->length[i] - 1) * 2 * width, width * sizeof *to);
        memcpy(to + width, pass->y + start * 2 * width + width, width * sizeof *to);
    }
    return true;
}

static bool types_backward(const ddn_net *n, const ddn_encoder *e, const ddn_encoder_pass *pass,
                           const float *dvectors, ddn_tape *tape)
{
    const ddn_sequences *types = &pass->batch.types;
    size_t width = e->shape.char_hidden;
    float *dy = ddn_tape_zeros(tape, types->words * 2 * width), *dinput;
    if (!dy)
        return false;
    for (size_t i = 0, start = 0; i < types->count; start += types->length[i++]) {
        const float *from = dvectors + i * 2 * width;
        memcpy(dy + (start + types->length[i] - 1) * 2 * width, from, width * sizeof *dy);
        memcpy(dy + start * 2 * width + width, from + width, width * sizeof *dy);
    }
    if (!layer_backward(n, &e->spelling, types, &pass->spelling, dy, tape, &dinput))
        return false;
    ddn_embedding_backward(n, &e->character, (ddn_lookup){ pass->batch.characters, NULL },
                           types->words, dinput, e->character.width);
    return true;
}

bool ddn_encoder_types(const ddn_net *n, const ddn_encoder *e, const ddn_sequences *types,
                       const uint32_t *characters, ddn_tape *tape, float *vectors)
{
    ddn_layer_pass pass;
    return types_forward(n, e, types, characters, NULL, tape, &pass, vectors);
}

/* ---- The whole ---- */

void ddn_encoder_init(ddn_encoder *e, const ddn_encoder_shape *shape, ddn_params *p)
{
    assert(shape->layers >= 1 && shape->layers <= DDN_ENCODER_LAYERS);
    e->shape = *shape;
    e->word = ddn_params_embedding(p, "word", shape->words, shape->word_width);
    e->upos = ddn_params_embedding(p, "upos", shape->upos, shape->upos_width);
    e->feats = ddn_params_embedding(p, "feats", shape->feats, shape->feats_width);
    e->character = ddn_params_embedding(p, "character", shape->chars, shape->char_width);
    e->spelling = layer_add(p, "spelling", shape->char_width, shape->char_hidden, true);
    e->in = shape->word_width + 2 * shape->char_hidden + shape->upos_width + shape->feats_width;
    e->out = 2 * shape->hidden;
    for (size_t i = 0; i < shape->layers; i++) {
        char name[DDN_TENSOR_NAME];
        snprintf(name, sizeof name, "layer%zu", i + 1);
        e->layer[i] = layer_add(p, name, i ? e->out : e->in, shape->hidden, i == 0);
    }
}

void ddn_encoder_begin(const ddn_encoder *e, const ddn_params *p, float *value)
{
    layer_begin(&e->spelling, p, value);
    for (size_t i = 0; i < e->shape.layers; i++)
        layer_begin(&e->layer[i], p, value);
}

/* The rows of the words, some of them replaced by that of unknown ones. */
static uint32_t *drop_words(const ddn_encoder_batch *b, ddn_learning *l, ddn_tape *tape)
{
    uint32_t *word = (uint32_t *)ddn_tape_take(tape, b->sentences.words);
    for (size_t i = 0; word && i < b->sentences.words; i++)
        word[i] = l && ddn_rng_unit(&l->rng) < l->word_rate ? 0 : b->word[i];
    return word;
}

static void gather(const ddn_net *n, const ddn_encoder *e, const ddn_encoder_pass *pass,
                   const float *types, float *input)
{
    const ddn_encoder_batch *b = &pass->batch;
    size_t words = b->sentences.words, wide = 2 * e->shape.char_hidden;
    float *at = input;
    ddn_embedding_forward(n, &e->word, (ddn_lookup){ pass->word, NULL }, words, at, e->in);
    at += e->word.width;
    for (size_t i = 0; i < words; i++)
        memcpy(at + i * e->in, types + b->type[i] * wide, wide * sizeof *at);
    at += wide;
    ddn_embedding_forward(n, &e->upos, (ddn_lookup){ b->upos, NULL }, words, at, e->in);
    at += e->upos.width;
    ddn_embedding_forward(n, &e->feats, b->feats, words, at, e->in);
}

bool ddn_encoder_forward(const ddn_net *n, const ddn_encoder *e, const ddn_encoder_batch *batch,
                         ddn_learning *learning, ddn_tape *tape, ddn_encoder_pass *pass)
{
    size_t words = batch->sentences.words;
    *pass = (ddn_encoder_pass){ .batch = *batch, .word = drop_words(batch, learning, tape) };
    float *at = ddn_tape_take(tape, words * e->in);
    if (!pass->word || !at)
        return false;
    const float *types = batch->vectors;
    if (!types) {
        float *made = ddn_tape_take(tape, batch->types.count * 2 * e->shape.char_hidden);
        if (!made || !types_forward(n, e, &batch->types, batch->characters, learning, tape,
                                    &pass->spelling, made))
            return false;
        types = made;
    }
    gather(n, e, pass, types, at);
    for (size_t i = 0; i < e->shape.layers; i++) {
        if (!layer_forward(n, &e->layer[i], &batch->sentences, at, learning, tape, &pass->layer[i]))
            return false;
        at = pass->layer[i].y;
    }
    pass->out = at;
    if (learning) {
        if (!(pass->mask = ddn_tape_take(tape, words * e->out)))
            return false;
        ddn_dropout_forward(learning, pass->out, words * e->out, pass->mask);
    }
    return true;
}

static bool scatter(const ddn_net *n, const ddn_encoder *e, const ddn_encoder_pass *pass,
                    const float *dinput, ddn_tape *tape)
{
    const ddn_encoder_batch *b = &pass->batch;
    size_t words = b->sentences.words, wide = 2 * e->shape.char_hidden;
    const float *at = dinput;
    float *dtypes = ddn_tape_zeros(tape, b->types.count * wide);
    if (!dtypes)
        return false;
    ddn_embedding_backward(n, &e->word, (ddn_lookup){ pass->word, NULL }, words, at, e->in);
    at += e->word.width;
    for (size_t i = 0; i < words; i++)
        for (size_t j = 0; j < wide; j++)
            dtypes[b->type[i] * wide + j] += at[i * e->in + j];
    at += wide;
    ddn_embedding_backward(n, &e->upos, (ddn_lookup){ b->upos, NULL }, words, at, e->in);
    at += e->upos.width;
    ddn_embedding_backward(n, &e->feats, b->feats, words, at, e->in);
    return types_backward(n, e, pass, dtypes, tape);
}

bool ddn_encoder_backward(const ddn_net *n, const ddn_encoder *e, const ddn_encoder_pass *pass,
                          float *dout, ddn_tape *tape)
{
    const ddn_sequences *s = &pass->batch.sentences;
    assert(!pass->batch.vectors);
    if (pass->mask)
        ddn_dropout_backward(pass->mask, s->words * e->out, dout);
    for (size_t i = e->shape.layers; i-- > 0;)
        if (!layer_backward(n, &e->layer[i], s, &pass->layer[i], dout, tape, &dout))
            return false;
    return scatter(n, e, pass, dout, tape);
}
