/* SPDX-License-Identifier: MIT */
/* net_kernels.c - how fast are the kernels of networks, and the encoder made of them, on one core?
 *
 *     build/bench/net_kernels
 *
 * Multiply-adds a second of 8-bit products in every variant that this processor runs, and of float
 * products, by rows; nanoseconds of a sigmoid and a tanh; and for the encoders of 4 x 192 and 3 x
 * 128, words a second forward (random words in sentences of 25, spellings from a cache), in 8 bits
 * and in floats, with and without scores of arcs, and of training steps of 1,000 words.  Times are
 * of the processor, the least of several runs. */
#include "lib/bench.h"
#include "net/encoder.h"
#include "net/heads.h"
#include "net/optimiser.h"
#include "net/product.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 7, SENTENCE = 25, TYPES = 400, TYPE = 7, LABELS = 40 };

static const double LEAST = 0.02; /* seconds that a run takes at least */

static ddn_rng rng;

static float *numbers(size_t n)
{
    float *x = bench_need(aligned_alloc(64, (n + 16) / 16 * 16 * sizeof *x));
    for (size_t i = 0; i < n; i++)
        x[i] = (float)(2 * ddn_rng_unit(&rng) - 1);
    return x;
}

static uint32_t *ids(size_t n, uint64_t below)
{
    uint32_t *x = bench_need(malloc((n + 1) * sizeof *x));
    for (size_t i = 0; i < n; i++)
        x[i] = (uint32_t)ddn_rng_below(&rng, below);
    return x;
}

/* Seconds that one call takes, the least of several runs. */
static double measure(void (*f)(void *ctx), void *ctx)
{
    double least = INFINITY;
    f(ctx);
    for (int run = 0; run < RUNS; run++) {
        int times = 0;
        double start = bench_seconds(), took;
        do {
            f(ctx);
            times++;
            took = bench_seconds() - start;
        } while (took < LEAST);
        least = fmin(least, took / times);
    }
    return least;
}

/* ---- Products ---- */

typedef struct shape {
    size_t in, out;
} shape;

typedef struct product {
    const ddn_kernels *kernels; /* NULL: floats */
    bool plain;                 /* of floats */
    size_t rows;
    shape shape;
    float *x, *w, *y, *scale;
    uint8_t *q;
    ddn_int8 packed;
} product;

static void multiply(void *ctx)
{
    product *p = ctx;
    ddn_factor x = DDN_AS_IS(p->x, p->shape.in), w = DDN_AS_IS(p->w, p->shape.out);
    if (p->kernels)
        p->kernels->product(&p->packed, p->q, p->scale, p->rows, p->y);
    else
        (p->plain ? ddn_product_plain : ddn_product)(p->rows, p->shape.out, p->shape.in, x, w, 0,
                                                     p->y, p->shape.out);
}

static void print_products(const char *name, const ddn_kernels *k, bool plain)
{
    static const size_t rows[] = { 1, 8, 25, 64, 256 };
    static const shape shapes[] = { { 384, 1152 }, { 256, 768 } };
    for (size_t s = 0; s < 2; s++) {
        size_t in = shapes[s].in, out = shapes[s].out;
        product p = { .kernels = k, .plain = plain, .shape = shapes[s] };
        void *block = bench_need(aligned_alloc(DDN_INT8_ALIGN, ddn_int8_bytes(in, out)));
        p.x = numbers(256 * in), p.w = numbers(in * out), p.y = numbers(256 * out);
        p.scale = numbers(256), p.q = bench_need(malloc(256 * in));
        ddn_int8_pack(in, out, p.w, NULL, block);
        p.packed = ddn_int8_view(in, out, block);
        for (size_t i = 0; i < 256 * in; i++)
            p.q[i] = (uint8_t)(1 + ddn_rng_below(&rng, 255));
        printf("%-16s %4zu x %-4zu", name, in, out);
        for (size_t r = 0; r < 5; r++) {
            p.rows = rows[r];
            printf(" %7.1f", (double)(p.rows * in * out) / measure(multiply, &p) / 1e9);
        }
        printf("\n");
        free(block), free(p.x), free(p.w), free(p.y), free(p.scale), free(p.q);
    }
}

/* ---- Functions ---- */

enum { ELEMENTS = 4608 };

typedef struct function {
    void (*f)(const float *x, size_t n, float *y);
    float *x, *y;
} function;

static void apply(void *ctx)
{
    function *f = ctx;
    f->f(f->x, ELEMENTS, f->y);
}

static void print_functions(const ddn_kernels *k)
{
    function f = { .x = numbers(ELEMENTS), .y = numbers(ELEMENTS) };
    f.f = k->sigmoid;
    double sigmoid = measure(apply, &f) / ELEMENTS * 1e9;
    f.f = k->tanh;
    printf("%-16s %9.2f %9.2f\n", k->name, sigmoid, measure(apply, &f) / ELEMENTS * 1e9);
    free(f.x), free(f.y);
}

/* ---- The encoder ---- */

typedef struct network {
    ddn_params params;
    ddn_encoder encoder;
    ddn_arcs_head arcs;
    ddn_labels_head labels;
    float *value, *gradient;
    ddn_packed packed;
    ddn_optimiser optimiser;
    ddn_net net;
    ddn_encoder_batch batch;
    ddn_tape tape;
    bool heads; /* arcs too */
} network;

static void network_init(network *n, size_t hidden, size_t layers)
{
    const ddn_encoder_shape widths = { .words = 10000,
                                       .word_width = 64,
                                       .upos = 20,
                                       .upos_width = 32,
                                       .feats = 100,
                                       .feats_width = 32,
                                       .chars = 100,
                                       .char_width = 48,
                                       .char_hidden = 64,
                                       .hidden = hidden,
                                       .layers = layers };
    ddn_optimiser_options options = ddn_optimiser_defaults(1000000);
    dodona_error err;
    memset(n, 0, sizeof *n);
    ddn_tape_init(&n->tape);
    ddn_params_init(&n->params);
    ddn_encoder_init(&n->encoder, &widths, &n->params);
    n->arcs = ddn_arcs_head_add(&n->params, "arcs", n->encoder.out, 128);
    n->labels = ddn_labels_head_add(&n->params, "labels", n->encoder.out, 64, LABELS);
    n->value = bench_need(ddn_params_block(&n->params));
    n->gradient = bench_need(ddn_params_block(&n->params));
    ddn_params_begin(&n->params, 1, n->value);
    ddn_encoder_begin(&n->encoder, &n->params, n->value);
    if (ddn_packed_init(&n->packed, &n->params, n->value, &err) < 0 ||
        ddn_optimiser_init(&n->optimiser, &options, &n->params, &err) < 0)
        bench_stop(&err);
    n->net = (ddn_net){ &n->params, ddn_kernels_best(), n->value, NULL, NULL };
}

/* Sentences of random words; with vectors, their spellings are known. */
static void batch_make(network *n, size_t sentences, bool vectors)
{
    const ddn_encoder_shape *s = &n->encoder.shape;
    size_t words = sentences * SENTENCE;
    uint32_t *length = ids(sentences, 1), *types = ids(TYPES, 1), *begin = ids(words + 1, 1);
    for (size_t i = 0; i < sentences; i++)
        length[i] = SENTENCE;
    for (size_t i = 0; i < TYPES; i++)
        types[i] = TYPE;
    for (size_t i = 0; i <= words; i++)
        begin[i] = (uint32_t)(2 * i);
    n->batch =
        (ddn_encoder_batch){ .sentences = { sentences, words, length },
                             .word = ids(words, s->words),
                             .upos = ids(words, s->upos),
                             .feats = { ids(2 * words, s->feats), begin },
                             .type = ids(words, TYPES),
                             .types = { TYPES, (size_t)TYPES * TYPE, types },
                             .characters = ids((size_t)TYPES * TYPE, s->chars),
                             .vectors = vectors ? numbers(TYPES * 2 * s->char_hidden) : NULL };
}

static void batch_free(ddn_encoder_batch *b)
{
    free((void *)b->sentences.length), free((void *)b->types.length), free((void *)b->word);
    free((void *)b->upos), free((void *)b->feats.id), free((void *)b->feats.begin);
    free((void *)b->type), free((void *)b->characters), free((void *)b->vectors);
}

static void need(bool there)
{
    bench_need(there ? &rng : NULL);
}

static void forward(void *ctx)
{
    network *n = ctx;
    ddn_encoder_pass pass;
    ddn_arcs_pass arcs;
    ddn_tape_clear(&n->tape);
    need(ddn_encoder_forward(&n->net, &n->encoder, &n->batch, NULL, &n->tape, &pass));
    if (n->heads)
        need(ddn_arcs_forward(&n->net, &n->arcs, &n->batch.sentences, pass.out, NULL, &n->tape,
                              &arcs));
}

/* Forward, arcs and labels, backward from their scores as adjoints, and a step. */
static void learn(void *ctx)
{
    network *n = ctx;
    const ddn_sequences *s = &n->batch.sentences;
    ddn_learning learning = { .rate = 0.25f, .word_rate = 0.2f };
    ddn_encoder_pass pass;
    ddn_arcs_pass arcs;
    ddn_labels_words words;
    float *dx, *score;
    ddn_rng_init(&learning.rng, 1);
    ddn_tape_clear(&n->tape);
    memset(n->gradient, 0, n->params.size * sizeof *n->gradient);
    need(ddn_encoder_forward(&n->net, &n->encoder, &n->batch, &learning, &n->tape, &pass));
    need((dx = ddn_tape_zeros(&n->tape, s->words * n->encoder.out)));
    need(ddn_arcs_forward(&n->net, &n->arcs, s, pass.out, &learning, &n->tape, &arcs));
    need(ddn_arcs_backward(&n->net, &n->arcs, s, pass.out, &arcs, arcs.score, &n->tape, dx));
    need(ddn_labels_words_forward(&n->net, &n->labels, pass.out, s->words, &learning, &n->tape,
                                  &words));
    need((score = ddn_tape_take(&n->tape, LABELS)));
    for (size_t i = 0; i < s->words; i++) {
        ddn_labels_forward(&n->net, &n->labels, &words, n->batch.type[i], n->batch.type[i], score);
        ddn_labels_backward(&n->labels, &words, n->batch.type[i], n->batch.type[i], score);
    }
    need(ddn_labels_words_backward(&n->net, &n->labels, pass.out, s->words, &words, &n->tape, dx));
    need(ddn_encoder_backward(&n->net, &n->encoder, &pass, dx, &n->tape));
    ddn_optimiser_step(&n->optimiser, n->value, n->gradient);
}

static void print_encoder(size_t hidden, size_t layers)
{
    static const size_t sentences[] = { 1, 8 };
    network n;
    network_init(&n, hidden, layers);
    for (size_t s = 0; s < 2; s++)
        for (int int8 = 1; int8 >= 0; int8--) {
            double words = (double)(sentences[s] * SENTENCE);
            batch_make(&n, sentences[s], true);
            n.net.packed = int8 ? &n.packed : NULL;
            n.heads = false;
            printf("%zu x %zu  %zu sentence%s, %s  %8.0f words a second", layers, hidden,
                   sentences[s], s ? "s" : " ", int8 ? "8 bits" : "floats",
                   words / measure(forward, &n));
            n.heads = true;
            printf(", with arcs %8.0f\n", words / measure(forward, &n));
            batch_free(&n.batch);
        }
    batch_make(&n, 40, false);
    n.net.packed = NULL;
    n.net.gradient = n.gradient;
    printf("%zu x %zu  training           %8.0f words a second\n", layers, hidden,
           40 * SENTENCE / measure(learn, &n));
    batch_free(&n.batch);
    ddn_optimiser_fini(&n.optimiser);
    ddn_packed_fini(&n.packed);
    ddn_tape_fini(&n.tape);
    ddn_params_fini(&n.params);
    free(n.value), free(n.gradient);
}

int main(void)
{
    ddn_rng_init(&rng, 1);
    printf("G multiply-adds/s, rows           1       8      25      64     256\n");
    for (size_t v = 0; ddn_kernels_all[v]; v++)
        if (ddn_kernels_all[v]->runs())
            print_products(ddn_kernels_all[v]->name, ddn_kernels_all[v], false);
    print_products("floats", NULL, false);
    print_products("floats, plain", NULL, true);
    printf("\nnanoseconds         sigmoid      tanh\n");
    for (size_t v = 0; ddn_kernels_all[v]; v++)
        if (ddn_kernels_all[v]->runs())
            print_functions(ddn_kernels_all[v]);
    printf("\n");
    print_encoder(192, 4);
    print_encoder(128, 3);
    return 0;
}
