/* SPDX-License-Identifier: MIT */
/* A network with 8-bit weights against the same in floats, and the bytes of its results with every
 * variant of the kernels. */
#include "lib/check.h"
#include "net/encoder.h"
#include "net/heads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 40, SENTENCES = 3, TYPES = 9, SLOTS = 4, PAIRS = 3, MOST = 12000 };

static const ddn_encoder_shape shape = { .words = 20,
                                         .word_width = 24,
                                         .upos = 9,
                                         .upos_width = 7,
                                         .feats = 11,
                                         .feats_width = 9,
                                         .chars = 12,
                                         .char_width = 10,
                                         .char_hidden = 13,
                                         .hidden = 45,
                                         .layers = 4 };

typedef struct network {
    ddn_params params;
    float *value;
    ddn_packed packed;
    ddn_encoder encoder;
    ddn_arcs_head arcs;
    ddn_labels_head labels;
    ddn_slots_head slots;
    ddn_pairs_head pairs;
} network;

typedef struct results {
    size_t encoded, scores, all;
    float y[MOST]; /* of the encoder, then of the heads */
} results;

static network net;
static ddn_rng rng;

static const uint32_t *some(uint32_t *to, size_t n, uint64_t below)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (uint32_t)ddn_rng_below(&rng, below);
    return to;
}

static int make(void **state)
{
    (void)state;
    dodona_error err;
    ddn_params *p = &net.params;
    ddn_params_init(p);
    ddn_encoder_init(&net.encoder, &shape, p);
    net.arcs = ddn_arcs_head_add(p, "arcs", net.encoder.out, 33);
    net.labels = ddn_labels_head_add(p, "labels", net.encoder.out, 15, 7);
    net.slots = ddn_slots_head_add(p, "slots", net.encoder.out, SLOTS, 21, 5);
    net.pairs = ddn_pairs_head_add(p, "pairs", net.encoder.out, PAIRS, 6, 5);
    net.value = ddn_params_block(p);
    assert_non_null(net.value);
    ddn_params_begin(p, 1, net.value);
    ddn_encoder_begin(&net.encoder, p, net.value);
    return ddn_packed_init(&net.packed, p, net.value, &err);
}

static int unmake(void **state)
{
    (void)state;
    free(net.value);
    ddn_packed_fini(&net.packed);
    ddn_params_fini(&net.params);
    return 0;
}

static void keep(results *r, const float *y, size_t n)
{
    assert_true(r->all + n <= MOST);
    memcpy(r->y + r->all, y, n * sizeof *y);
    r->all += n;
}

static void run_heads(const ddn_net *n, const ddn_sequences *s, const float *x, ddn_tape *tape,
                      results *r)
{
    static uint32_t modifier[WORDS], head[WORDS], place[WORDS * SLOTS], pair[WORDS * PAIRS * 2];
    const int32_t *at = (const int32_t *)some(place, WORDS * SLOTS, WORDS);
    const int32_t *both = (const int32_t *)some(pair, WORDS * PAIRS * 2, WORDS);
    ddn_arcs_pass arcs;
    ddn_labels_words words;
    static float labels[WORDS * 7];
    ddn_slots_words places;
    ddn_slots_pass slots;
    ddn_pairs_words sides;
    ddn_pairs_pass pairs;
    some(modifier, WORDS, WORDS);
    some(head, WORDS, WORDS);
    assert_true(ddn_arcs_forward(n, &net.arcs, s, x, NULL, tape, &arcs));
    assert_true(ddn_labels_words_forward(n, &net.labels, x, WORDS, NULL, tape, &words));
    for (size_t i = 0; i < WORDS; i++)
        ddn_labels_forward(n, &net.labels, &words, modifier[i], head[i], labels + 7 * i);
    assert_true(ddn_slots_words_forward(n, &net.slots, x, WORDS, false, tape, &places));
    assert_true(ddn_slots_forward(n, &net.slots, &places, at, WORDS, tape, &slots));
    assert_true(ddn_pairs_words_forward(n, &net.pairs, x, WORDS, false, tape, &sides));
    assert_true(ddn_pairs_forward(n, &net.pairs, &sides, both, WORDS, tape, &pairs));
    keep(r, arcs.score, arcs.scores);
    keep(r, labels, WORDS * 7);
    keep(r, slots.score, WORDS * 5);
    keep(r, pairs.score, WORDS * 5);
}

static ddn_net using(const ddn_kernels *k, bool packed)
{
    return (ddn_net){ &net.params, k, net.value, packed ? &net.packed : NULL, NULL };
}

/* The same random batch and queries every time. */
static void run(const ddn_net *with, bool cached, results *r)
{
    static const uint32_t lengths[SENTENCES] = { 25, 1, 14 };
    static const uint32_t type_lengths[TYPES] = { 1, 2, 3, 4, 5, 6, 7, 8, 20 };
    uint32_t word[WORDS], upos[WORDS], type[WORDS], feats[2 * WORDS], begin[WORDS + 1], chars[56];
    float vectors[TYPES * 26];
    ddn_net n = *with;
    ddn_encoder_pass pass;
    ddn_tape tape;
    ddn_tape_init(&tape);
    ddn_rng_init(&rng, 3);
    for (uint32_t i = 0; i <= WORDS; i++)
        begin[i] = 2 * i;
    ddn_encoder_batch b = { .sentences = { SENTENCES, WORDS, lengths },
                            .word = some(word, WORDS, shape.words),
                            .upos = some(upos, WORDS, shape.upos),
                            .feats = { some(feats, 2 * WORDS, shape.feats), begin },
                            .type = some(type, WORDS, TYPES),
                            .types = { TYPES, 56, type_lengths },
                            .characters = some(chars, 56, shape.chars) };
    if (cached) {
        assert_true(ddn_encoder_types(&n, &net.encoder, &b.types, chars, &tape, vectors));
        b.vectors = vectors;
    }
    assert_true(ddn_encoder_forward(&n, &net.encoder, &b, NULL, &tape, &pass));
    r->all = 0;
    keep(r, pass.out, WORDS * net.encoder.out);
    r->encoded = r->all;
    run_heads(&n, &b.sentences, pass.out, &tape, r);
    ddn_tape_fini(&tape);
}

/* The size of the difference, as a share of the size of what is expected. */
static double difference(const float *y, const float *expected, size_t n)
{
    double d = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        d += ((double)y[i] - expected[i]) * ((double)y[i] - expected[i]);
        size += (double)expected[i] * expected[i];
    }
    return sqrt(d / size);
}

/* Four layers whose weights and inputs are rounded to 1 / 127 of the largest. */
static void eight_bits_are_close_to_floats(void **state)
{
    (void)state;
    static results floats, bytes;
    ddn_net in_floats = using(ddn_kernels_best(), false),
            in_bytes = using(ddn_kernels_best(), true);
    run(&in_floats, false, &floats);
    run(&in_bytes, false, &bytes);
    double encoded = difference(bytes.y, floats.y, floats.encoded);
    double scored = difference(bytes.y + floats.encoded, floats.y + floats.encoded,
                               floats.all - floats.encoded);
    print_message("encoder %.4f, heads %.4f\n", encoded, scored);
    assert_true(encoded < 0.02 && scored < 0.03);
    assert_true(encoded > 0 && scored > 0);
}

static void variants_give_the_same_bytes(void **state)
{
    (void)state;
    static results plain, other;
    ddn_net n = using(ddn_kernels_all[0], true);
    run(&n, false, &plain);
    for (size_t v = 1; ddn_kernels_all[v]; v++) {
        if (!ddn_kernels_all[v]->runs())
            continue;
        n = using(ddn_kernels_all[v], true);
        run(&n, false, &other);
        assert_int_equal(other.all, plain.all);
        assert_memory_equal(other.y, plain.y, plain.all * sizeof *plain.y);
    }
}

static void cached_types_give_the_same_bytes(void **state)
{
    (void)state;
    static results encoded, cached;
    ddn_net n = using(ddn_kernels_best(), true);
    run(&n, false, &encoded);
    run(&n, true, &cached);
    assert_memory_equal(cached.y, encoded.y, encoded.all * sizeof *encoded.y);
}

/* What a model file would hold: the floats that are not packed, and the block of those that are. */
static void what_is_stored_gives_the_same_bytes(void **state)
{
    (void)state;
    static results whole, stored;
    dodona_error err;
    ddn_params slim;
    ddn_packed packed;
    ddn_net n = using(ddn_kernels_best(), true);
    run(&n, false, &whole);
    assert_int_equal(ddn_params_slim(&slim, &net.params, &err), DODONA_OK);
    assert_int_equal(ddn_packed_bytes(&slim), ddn_packed_bytes(&net.params));
    size_t packed_away = 0;
    for (size_t i = 0; i < net.params.count; i++)
        if (net.params.tensor[i].multiplies || net.params.tensor[i].looked_up)
            packed_away += net.params.tensor[i].rows * net.params.tensor[i].cols;
    assert_true(slim.size <= net.params.size - packed_away);
    float *thin = ddn_params_block(&slim);
    void *block = aligned_alloc(DDN_INT8_ALIGN, ddn_packed_bytes(&slim));
    assert_true(thin && block);
    ddn_params_thin(&slim, &net.params, net.value, thin);
    memcpy(block, net.packed.block, ddn_packed_bytes(&slim));
    assert_int_equal(ddn_packed_view(&packed, &slim, block, &err), DODONA_OK);
    n = (ddn_net){ &slim, ddn_kernels_best(), thin, &packed, NULL };
    run(&n, false, &stored);
    assert_memory_equal(stored.y, whole.y, whole.all * sizeof *whole.y);
    ddn_packed_fini(&packed);
    ddn_params_fini(&slim);
    free(thin);
    free(block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_bits_are_close_to_floats),
        cmocka_unit_test(variants_give_the_same_bytes),
        cmocka_unit_test(cached_types_give_the_same_bytes),
        cmocka_unit_test(what_is_stored_gives_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
