/* SPDX-License-Identifier: MIT */
/* Backward of every layer and head against central differences of forward.
 *
 * A case has all its numbers in one block of parameters, the input of the layer too.  The loss is a
 * weighted sum of the outputs, so that the adjoints are the weights.  Rectifiers are kept away from
 * 0, where they have no derivative, by biases of 3 and -3. */
#include "lib/check.h"
#include "net/encoder.h"
#include "net/heads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 7, SENTENCES = 3, IN = 6, MOST_OUT = 1000 };

static const uint32_t lengths[SENTENCES] = { 4, 1, 2 };
static const ddn_sequences sentences = { SENTENCES, WORDS, lengths };

typedef struct example example;
struct example {
    ddn_params params;
    size_t x; /* [WORDS][IN] the input */
    float *value, *gradient;
    ddn_net net;
    ddn_tape tape;
    ddn_learning learning;
    float weight[MOST_OUT];
    double (*run)(example *e, bool backward); /* the loss */
};

static const float *input(example *e)
{
    return ddn_net_value(&e->net, e->x);
}

static float *dinput(example *e)
{
    return ddn_net_gradient(&e->net, e->x);
}

static double weigh(const example *e, const float *y, size_t n)
{
    double sum = 0;
    assert_true(n <= MOST_OUT);
    for (size_t i = 0; i < n; i++)
        sum += (double)e->weight[i] * y[i];
    return sum;
}

static float *taken(example *e, size_t n)
{
    float *p = ddn_tape_take(&e->tape, n);
    assert_non_null(p);
    return p;
}

static void example_init(example *e, double (*run)(example *e, bool backward))
{
    memset(e, 0, sizeof *e);
    e->run = run;
    ddn_params_init(&e->params);
    ddn_tape_init(&e->tape);
    e->x = ddn_params_add(&e->params, "x", WORDS, IN, 0, 1);
}

/* After the layer has added its tensors. */
static void example_begin(example *e)
{
    ddn_rng rng;
    ddn_rng_init(&rng, 5);
    e->value = ddn_params_block(&e->params);
    e->gradient = ddn_params_block(&e->params);
    assert_true(e->value && e->gradient);
    ddn_params_begin(&e->params, 3, e->value);
    for (size_t t = 0; t < e->params.count; t++) { /* biases and gains other than 0 and 1 */
        const ddn_tensor *tensor = &e->params.tensor[t];
        for (size_t i = 0; tensor->spread == 0 && i < tensor->rows * tensor->cols; i++)
            e->value[tensor->at + i] += (float)(ddn_rng_unit(&rng) - 0.5);
    }
    for (size_t i = 0; i < MOST_OUT; i++)
        e->weight[i] = (float)(2 * ddn_rng_unit(&rng) - 1);
    e->net = (ddn_net){ &e->params, ddn_kernels_best(), e->value, NULL, e->gradient };
}

static void away_from_zero(example *e, const ddn_linear *l)
{
    float *b = e->value + e->params.tensor[l->b].at, *w = e->value + e->params.tensor[l->w].at;
    for (size_t j = 0; j < l->out; j++)
        b[j] = j % 2 ? 3 : -3;
    for (size_t i = 0; i < l->in * l->out; i++)
        w[i] *= 0.5f;
}

static double evaluate(example *e, bool backward)
{
    ddn_tape_clear(&e->tape);
    ddn_rng_init(&e->learning.rng, 9);
    e->learning.rate = 0.25f;
    return e->run(e, backward);
}

static void compare_and_free(example *e)
{
    const float step = 1e-2f;
    evaluate(e, true);
    for (size_t t = 0; t < e->params.count; t++) {
        const ddn_tensor *tensor = &e->params.tensor[t];
        for (size_t i = 0; i < tensor->rows * tensor->cols; i++) {
            float *v = e->value + tensor->at + i, old = *v;
            *v = old + step;
            double up = evaluate(e, false);
            *v = old - step;
            double down = evaluate(e, false);
            *v = old;
            double slope = (up - down) / (2 * (double)step), g = e->gradient[tensor->at + i];
            if (!(fabs(slope - g) <= 2e-3 * (1 + fabs(slope))))
                fail_msg("%s[%zu]: %g by backward, %g by differences", tensor->name, i, g, slope);
        }
    }
    free(e->value);
    free(e->gradient);
    ddn_params_fini(&e->params);
    ddn_tape_fini(&e->tape);
}

/* ---- Layers ---- */

static ddn_linear linear;

static double run_linear(example *e, bool backward)
{
    float *y = taken(e, WORDS * linear.out);
    ddn_linear_forward(&e->net, &linear, input(e), WORDS, y);
    if (backward)
        ddn_linear_backward(&e->net, &linear, input(e), e->weight, WORDS, dinput(e));
    return weigh(e, y, WORDS * linear.out);
}

static void linear_layer(void **state)
{
    (void)state;
    example e;
    example_init(&e, run_linear);
    linear = ddn_params_linear(&e.params, "linear", IN, 5, 1);
    example_begin(&e);
    compare_and_free(&e);
}

static ddn_embedding embedding;

/* Bags with a row twice, none, and one. */
static double run_embedding(example *e, bool backward)
{
    static const uint32_t id[] = { 2, 2, 0, 3, 1 }, begin[] = { 0, 2, 2, 5 };
    const ddn_lookup bags = { id, begin }, rows = { id, NULL };
    float *y = taken(e, 8 * 5);
    memset(y, 0, 8 * 5 * sizeof *y);
    ddn_embedding_forward(&e->net, &embedding, bags, 3, y, 5);
    ddn_embedding_forward(&e->net, &embedding, rows, 5, y + 15, 5);
    if (backward) {
        ddn_embedding_backward(&e->net, &embedding, bags, 3, e->weight, 5);
        ddn_embedding_backward(&e->net, &embedding, rows, 5, e->weight + 15, 5);
    }
    return weigh(e, y, 8 * 5);
}

static void embeddings(void **state)
{
    (void)state;
    example e;
    example_init(&e, run_embedding);
    embedding = ddn_params_embedding(&e.params, "table", 5, 4);
    example_begin(&e);
    compare_and_free(&e);
}

static ddn_norm norm;

static double run_norm(example *e, bool backward)
{
    float *y = taken(e, WORDS * IN), *stat = taken(e, WORDS * 2);
    ddn_norm_forward(&e->net, &norm, input(e), WORDS, y, stat);
    if (backward)
        ddn_norm_backward(&e->net, &norm, input(e), stat, e->weight, WORDS, dinput(e));
    return weigh(e, y, WORDS * IN);
}

static void layer_norm(void **state)
{
    (void)state;
    example e;
    example_init(&e, run_norm);
    norm = ddn_params_norm(&e.params, "norm", IN);
    example_begin(&e);
    for (size_t i = 0; i < WORDS * IN; i++) /* deviations well above the step */
        e.value[e.params.tensor[e.x].at + i] *= 3;
    compare_and_free(&e);
}

static double run_dropout(example *e, bool backward)
{
    float *y = taken(e, WORDS * IN), *mask = taken(e, WORDS * IN);
    memcpy(y, input(e), WORDS * IN * sizeof *y);
    ddn_dropout_forward(&e->learning, y, WORDS * IN, mask);
    if (backward) {
        memcpy(dinput(e), e->weight, WORDS * IN * sizeof *y);
        ddn_dropout_backward(mask, WORDS * IN, dinput(e));
    }
    return weigh(e, y, WORDS * IN);
}

static void dropout(void **state)
{
    (void)state;
    example e;
    example_init(&e, run_dropout);
    example_begin(&e);
    compare_and_free(&e);
}

static double run_leaky(example *e, bool backward)
{
    float *y = taken(e, WORDS * IN);
    memcpy(y, input(e), WORDS * IN * sizeof *y);
    ddn_leaky_forward(y, WORDS * IN);
    if (backward) {
        memcpy(dinput(e), e->weight, WORDS * IN * sizeof *y);
        ddn_leaky_backward(y, WORDS * IN, dinput(e));
    }
    return weigh(e, y, WORDS * IN);
}

static void leaky_rectifier(void **state)
{
    (void)state;
    example e;
    example_init(&e, run_leaky);
    example_begin(&e);
    float *x = e.value + e.params.tensor[e.x].at;
    for (size_t i = 0; i < WORDS * IN; i++)
        x[i] += x[i] < 0 ? -1 : 1;
    compare_and_free(&e);
}

static double run_loss(example *e, bool backward)
{
    float *d = taken(e, WORDS * IN);
    double loss = 0;
    for (size_t r = 0; r < WORDS; r++)
        loss += ddn_cross_entropy(e->net.kernels, input(e) + r * IN, IN, r % IN, d + r * IN);
    if (backward)
        memcpy(dinput(e), d, WORDS * IN * sizeof *d);
    return loss;
}

static void cross_entropy(void **state)
{
    (void)state;
    example e;
    example_init(&e, run_loss);
    example_begin(&e);
    compare_and_free(&e);
}

/* ---- The encoder: layers of both kinds, characters, dropout, several sentences ---- */

static ddn_encoder encoder;

static const uint32_t words[WORDS] = { 1, 2, 0, 2, 1, 3, 1 }, upos[WORDS] = { 0, 1, 1, 0, 2, 1, 0 };
static const uint32_t feats[] = { 1, 0, 2 }, feats_begin[WORDS + 1] = { 0, 1, 1, 3, 3, 3, 3, 3 };
static const uint32_t types[WORDS] = { 0, 1, 2, 1, 0, 2, 2 }, type_lengths[3] = { 3, 1, 2 };
static const uint32_t characters[] = { 1, 0, 2, 2, 3, 1 };

static const ddn_encoder_batch batch = { .sentences = { SENTENCES, WORDS, lengths },
                                         .word = words,
                                         .upos = upos,
                                         .feats = { feats, feats_begin },
                                         .type = types,
                                         .types = { 3, 6, type_lengths },
                                         .characters = characters };

static double run_encoder(example *e, bool backward)
{
    ddn_encoder_pass pass;
    size_t n = WORDS * encoder.out;
    e->learning.word_rate = 0.3f;
    assert_true(ddn_encoder_forward(&e->net, &encoder, &batch, &e->learning, &e->tape, &pass));
    if (backward) {
        float *dout = taken(e, n);
        memcpy(dout, e->weight, n * sizeof *dout);
        assert_true(ddn_encoder_backward(&e->net, &encoder, &pass, dout, &e->tape));
    }
    return weigh(e, pass.out, n);
}

static const ddn_encoder_shape shape = { .words = 4,
                                         .word_width = 5,
                                         .upos = 3,
                                         .upos_width = 2,
                                         .feats = 3,
                                         .feats_width = 3,
                                         .chars = 4,
                                         .char_width = 3,
                                         .char_hidden = 4,
                                         .hidden = 5,
                                         .layers = 3 };

static void whole_encoder(void **state)
{
    (void)state;
    example e;
    example_init(&e, run_encoder);
    ddn_encoder_init(&encoder, &shape, &e.params);
    example_begin(&e);
    for (size_t t = 0; t < e.params.count; t++) /* deviations well above the step */
        for (size_t i = 0; e.params.tensor[t].spread == 0.3f &&
                           i < e.params.tensor[t].rows * e.params.tensor[t].cols;
             i++)
            e.value[e.params.tensor[t].at + i] *= 5;
    compare_and_free(&e);
}

/* ---- Heads ---- */

static ddn_arcs_head arcs;

static double run_arcs(example *e, bool backward)
{
    ddn_arcs_pass pass;
    assert_true(
        ddn_arcs_forward(&e->net, &arcs, &sentences, input(e), &e->learning, &e->tape, &pass));
    assert_int_equal(pass.scores, 4 * 4 + 1 + 2 * 2);
    if (backward)
        assert_true(ddn_arcs_backward(&e->net, &arcs, &sentences, input(e), &pass, e->weight,
                                      &e->tape, dinput(e)));
    return weigh(e, pass.score, pass.scores);
}

static void arcs_head(void **state)
{
    (void)state;
    example e;
    example_init(&e, run_arcs);
    arcs = ddn_arcs_head_add(&e.params, "arcs", IN, 4);
    example_begin(&e);
    away_from_zero(&e, &arcs.modifier);
    away_from_zero(&e, &arcs.head);
    compare_and_free(&e);
}

static ddn_labels_head labels;

/* Words are modifiers and heads several times. */
static double run_labels(example *e, bool backward)
{
    static const uint32_t modifier[] = { 1, 2, 3, 6, 1 }, head[] = { 0, 1, 1, 5, 6 };
    ddn_labels_words w;
    float score[5 * 4];
    assert_true(
        ddn_labels_words_forward(&e->net, &labels, input(e), WORDS, &e->learning, &e->tape, &w));
    for (size_t i = 0; i < 5; i++)
        ddn_labels_forward(&e->net, &labels, &w, modifier[i], head[i], score + 4 * i);
    for (size_t i = 0; backward && i < 5; i++)
        ddn_labels_backward(&labels, &w, modifier[i], head[i], e->weight + 4 * i);
    if (backward)
        assert_true(
            ddn_labels_words_backward(&e->net, &labels, input(e), WORDS, &w, &e->tape, dinput(e)));
    return weigh(e, score, 5 * 4);
}

static void labels_head(void **state)
{
    (void)state;
    example e;
    example_init(&e, run_labels);
    labels = ddn_labels_head_add(&e.params, "labels", IN, 3, 4);
    example_begin(&e);
    away_from_zero(&e, &labels.modifier);
    away_from_zero(&e, &labels.head);
    compare_and_free(&e);
}

static ddn_slots_head slots;

static double run_slots(example *e, bool backward)
{
    static const int32_t at[] = { -1, -1, 0, -1, 0, 1, 0, 1, 2, 3, 6, -1 };
    ddn_slots_words w;
    ddn_slots_pass one, two;
    assert_true(ddn_slots_words_forward(&e->net, &slots, input(e), WORDS, true, &e->tape, &w));
    assert_true(ddn_slots_forward(&e->net, &slots, &w, at, 3, &e->tape, &one));
    assert_true(ddn_slots_forward(&e->net, &slots, &w, at + 9, 1, &e->tape, &two));
    if (backward) {
        assert_true(ddn_slots_backward(&e->net, &slots, &w, &one, e->weight, &e->tape));
        assert_true(ddn_slots_backward(&e->net, &slots, &w, &two, e->weight, &e->tape));
        ddn_slots_words_backward(&e->net, &slots, input(e), WORDS, &w, dinput(e));
    }
    return weigh(e, one.score, 3 * 5) + weigh(e, two.score, 5);
}

static void slots_head(void **state)
{
    (void)state;
    example e;
    example_init(&e, run_slots);
    slots = ddn_slots_head_add(&e.params, "slots", IN, 3, 4, 5);
    example_begin(&e);
    away_from_zero(&e, &slots.place);
    float *b = e.value + e.params.tensor[slots.place.b].at;
    for (size_t s = 0; s < 3; s++) /* the same signs in all slots, and where there is no word */
        for (size_t k = 0; k < 4; k++) {
            b[s * 4 + k] = k % 2 ? 3 : -3;
            e.value[e.params.tensor[slots.none].at + s * 4 + k] += k % 2 ? 3 : -3;
        }
    compare_and_free(&e);
}

static ddn_pairs_head pairs;

enum { PAIRS = 2, CLASSES = 3 };

static const int32_t places[] = { 0, 1, -1, 2, 3, -2, 5, 5, -1, -2, 0, 6 };

static double run_pairs(example *e, bool backward)
{
    ddn_pairs_words w;
    ddn_pairs_pass pass;
    assert_true(ddn_pairs_words_forward(&e->net, &pairs, input(e), WORDS, true, &e->tape, &w));
    assert_true(ddn_pairs_forward(&e->net, &pairs, &w, places, 3, &e->tape, &pass));
    if (backward) {
        assert_true(ddn_pairs_backward(&e->net, &pairs, &w, &pass, e->weight, &e->tape));
        ddn_pairs_words_backward(&e->net, &pairs, input(e), WORDS, &w, dinput(e));
    }
    return weigh(e, pass.score, 3 * CLASSES);
}

static void pairs_head(void **state)
{
    (void)state;
    example e;
    example_init(&e, run_pairs);
    pairs = ddn_pairs_head_add(&e.params, "pairs", IN, PAIRS, 3, CLASSES);
    example_begin(&e);
    compare_and_free(&e);
}

/* Tables add up to what a query gets, for all words of a sentence and for none. */
static void tables_of_pairs_add_up_to_scores(void **state)
{
    (void)state;
    enum { FROM = 0, LENGTH = 4, SIDE = LENGTH + 2 };
    example e;
    float table[PAIRS][SIDE][SIDE];
    int32_t at[PAIRS * 2];
    ddn_pairs_words w;
    example_init(&e, run_pairs);
    pairs = ddn_pairs_head_add(&e.params, "pairs", IN, PAIRS, 3, CLASSES);
    example_begin(&e);
    assert_true(ddn_pairs_words_forward(&e.net, &pairs, input(&e), WORDS, false, &e.tape, &w));
    for (size_t c = 0; c < CLASSES; c++) {
        for (size_t p = 0; p < PAIRS; p++)
            assert_true(
                ddn_pairs_table(&e.net, &pairs, &w, FROM, LENGTH, p, c, &e.tape, &table[p][0][0]));
        for (int i = 0; i < SIDE * SIDE * SIDE * SIDE; i++) {
            int row[4] = { i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE % SIDE,
                           i / SIDE / SIDE / SIDE };
            ddn_pairs_pass pass;
            for (int k = 0; k < 4; k++)
                at[k] = row[k] == 0 ? -1 : row[k] == SIDE - 1 ? -2 : FROM + row[k] - 1;
            assert_true(ddn_pairs_forward(&e.net, &pairs, &w, at, 1, &e.tape, &pass));
            float bias = ddn_net_value(&e.net, pairs.out.b)[c];
            float sum = bias + table[0][row[0]][row[1]] + table[1][row[2]][row[3]];
            assert_true(fabsf(sum - pass.score[c]) <= 1e-5f);
        }
    }
    free(e.value);
    free(e.gradient);
    ddn_params_fini(&e.params);
    ddn_tape_fini(&e.tape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_layer),    cmocka_unit_test(embeddings),
        cmocka_unit_test(layer_norm),      cmocka_unit_test(dropout),
        cmocka_unit_test(leaky_rectifier), cmocka_unit_test(cross_entropy),
        cmocka_unit_test(whole_encoder),   cmocka_unit_test(arcs_head),
        cmocka_unit_test(labels_head),     cmocka_unit_test(slots_head),
        cmocka_unit_test(pairs_head),      cmocka_unit_test(tables_of_pairs_add_up_to_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
