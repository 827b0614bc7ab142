/* SPDX-License-Identifier: MIT */
/* network.c - the model of the scorer 'network': its sizes, and how it learns.
 *
 * Sizes and the length of training follow from the number of words in the treebank, n: a batch has
 * n / 80 of them, but at least 1,000 (n / 20 where that is less) and at most 2,500, and about STEPS
 * batches are learnt in all, each sentence 60 to 240 times.  The values that are saved are a
 * running average of those that learn. */
#include "model/network.h"

#include <stdio.h>
#include <stdlib.h>

enum { TINY = 5000, SMALL = 60000, STEPS = 4800 }; /* words, batches */
#define AVERAGING 0.99
#define WORD_RATE 0.2f

extern const ddn_scorer ddn_scorer_network;

/* ---- Sizes ---- */

static ddn_network_sizes usual_sizes(size_t words)
{
    bool tiny = words < TINY;
    return (ddn_network_sizes){ .word = 64,
                                .upos = 32,
                                .feats = 32,
                                .character = 48,
                                .spelling = 64,
                                .hidden = tiny ? 64 : 192,
                                .layers = tiny ? 2 : 4,
                                .arcs = 128,
                                .labels = 64,
                                .moves = 128 };
}

static size_t clamp(size_t x, size_t least, size_t most)
{
    return x < least ? least : x > most ? most : x;
}

/* Sentences of a batch. */
static size_t batch_for(size_t sentences, size_t words)
{
    size_t of_batch = words < 20000 ? words / 20 : clamp(words / 80, 1000, 2500);
    return clamp(of_batch * sentences / (words ? words : 1), 1, DDN_MAX_BATCH);
}

static int iterations_for(size_t sentences, size_t words)
{
    size_t batch = batch_for(sentences, words), batches = (sentences + batch - 1) / batch;
    return (int)clamp(STEPS / (batches ? batches : 1), 60, 240);
}

/* What the head for moves sees: the ends of the arcs that moves make, and what is next to come. */
static void make_layout(ddn_layout *l, const ddn_system *system)
{
    bool focus = false;
    for (int k = 0; k < system->kinds; k++)
        focus |= system->kind[k].waits;
    for (uint8_t i = 0; i < 3; i++)
        ddn_layout_add(l, (ddn_address){ .link = focus ? DDN_LINK_FOCUS : DDN_LINK_STACK,
                                         .index = i,
                                         .from = -1 });
    for (uint8_t i = 0; i < 2; i++)
        ddn_layout_add(l, (ddn_address){ .link = DDN_LINK_BUFFER, .index = i, .from = -1 });
    if (system->positions)
        ddn_layout_add(l, (ddn_address){ .link = DDN_LINK_POS, .from = -1 });
}

void ddn_network_plan(ddn_network *m)
{
    const ddn_network_sizes *z = &m->sizes;
    const ddn_vocabulary *v = &m->vocabulary;
    const ddn_schema *schema = m->base.schema;
    ddn_encoder_shape shape = { .words = ddn_vocabulary_rows(v, DDN_TABLE_WORDS),
                                .word_width = (size_t)z->word,
                                .upos = ddn_vocabulary_rows(v, DDN_TABLE_UPOS),
                                .upos_width = (size_t)z->upos,
                                .feats = ddn_vocabulary_rows(v, DDN_TABLE_FEATS),
                                .feats_width = (size_t)z->feats,
                                .chars = ddn_vocabulary_rows(v, DDN_TABLE_CHARACTERS),
                                .char_width = (size_t)z->character,
                                .char_hidden = (size_t)z->spelling,
                                .hidden = (size_t)z->hidden,
                                .layers = (size_t)z->layers };
    ddn_encoder_init(&m->encoder, &shape, &m->tensors.params);
    m->label = ddn_labels_head_add(&m->tensors.params, "labels", m->encoder.out, (size_t)z->labels,
                                   schema->labels.count);
    if (m->base.heads & DDN_HEAD_ARCS)
        m->arc = ddn_arcs_head_add(&m->tensors.params, "arcs", m->encoder.out, (size_t)z->arcs);
    if (m->base.heads & DDN_HEAD_MOVES)
        m->move =
            ddn_slots_head_add(&m->tensors.params, "moves", m->encoder.out, (size_t)m->layout.slots,
                               (size_t)z->moves, (size_t)schema->system->kinds);
}

/* ---- Models ---- */

void ddn_network_close(ddn_model *base)
{
    ddn_network *m = (ddn_network *)base;
    ddn_vocabulary_fini(&m->vocabulary);
    ddn_tensors_fini(&m->tensors);
    free(m);
}

int ddn_network_new(const ddn_spec *spec, unsigned heads, ddn_network **out, dodona_error *err)
{
    *out = NULL;
    if (!spec->schema)
        return ddn_fail(err, DODONA_E_ARGUMENT, "models of the learner 'network' are parsers");
    ddn_network *m = calloc(1, sizeof *m);
    if (!m)
        return ddn_fail_memory(err);
    m->base = (ddn_model){ .scorer = &ddn_scorer_network,
                           .schema = spec->schema,
                           .heads = heads,
                           .labels_apart = true,
                           .layout = &m->layout };
    snprintf(m->part, sizeof m->part, "%s", spec->part);
    make_layout(&m->layout, spec->schema->system);
    ddn_vocabulary_init(&m->vocabulary);
    ddn_tensors_init(&m->tensors);
    *out = m;
    return DODONA_OK;
}

static size_t count_words(const ddn_spec *spec)
{
    size_t words = 0;
    for (size_t i = 0; i < spec->sentences; i++)
        words += (size_t)spec->sentence[i]->n;
    return words;
}

/* The rows of words that have a vector. */
static void fill_words(ddn_network *m, const ddn_vectors *v)
{
    const ddn_tensor *table = &m->tensors.params.tensor[m->encoder.word.table];
    ddn_vectors_fill(v, &m->vocabulary.table[DDN_TABLE_WORDS], table->spread,
                     m->tensors.value + table->at + DDN_ROW_FIRST * table->cols);
}

static int start(ddn_network *m, const ddn_spec *spec, dodona_error *err)
{
    size_t words = count_words(spec), batch = batch_for(spec->sentences, words);
    uint64_t batches = (spec->sentences + batch - 1) / batch;
    ddn_optimiser_options o = ddn_optimiser_defaults(batches * (uint64_t)spec->iterations);
    o.averaging = AVERAGING;
    m->base.batch = (int)batch;
    m->dropout = words < SMALL ? 0.33f : 0.25f;
    m->word_rate = WORD_RATE;
    m->sizes = usual_sizes(words);
    int status = ddn_vocabulary_learn(&m->vocabulary, spec->sentence, spec->sentences, err);
    if (status < 0)
        return status;
    if (spec->vectors) {
        m->sizes.word = (int)spec->vectors->width;
        if (!ddn_vectors_name(spec->vectors, &m->vocabulary.table[DDN_TABLE_WORDS],
                              DDN_VOCABULARY_MOST))
            return ddn_fail_memory(err);
    }
    ddn_network_plan(m);
    status = ddn_tensors_start(&m->tensors, spec->seed, &o, err);
    if (status < 0)
        return status;
    ddn_encoder_begin(&m->encoder, &m->tensors.params, m->tensors.value);
    if (spec->vectors)
        fill_words(m, spec->vectors);
    return DODONA_OK;
}

static int create(const ddn_spec *spec, ddn_model **out, dodona_error *err)
{
    ddn_network *m;
    unsigned heads = spec->heads & (DDN_HEAD_MOVES | DDN_HEAD_ARCS);
    *out = NULL;
    int status = ddn_network_new(spec, heads, &m, err);
    if (status < 0)
        return status;
    status = start(m, spec, err);
    if (status < 0)
        ddn_network_close(&m->base);
    else
        *out = &m->base;
    return status;
}

/* ---- Learning ---- */

static int step(ddn_model *base, ddn_pass *const *pass, int n, dodona_error *err)
{
    return ddn_tensors_step(&((ddn_network *)base)->tensors, base, pass, n,
                            ddn_network_pass_gradient, err);
}

static void put(const ddn_model *base, ddn_output *o)
{
    ddn_tensors_put(&((const ddn_network *)base)->tensors, base, o);
}

static int take(ddn_model *base, const ddn_section *s, dodona_error *err)
{
    return ddn_tensors_take(&((ddn_network *)base)->tensors, base, s, err);
}

static int lacks(const ddn_model *base, unsigned head, dodona_error *err)
{
    (void)base;
    if (head == DDN_HEAD_ARCS)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "exact search needs scores of arcs, and this network has learnt moves: "
                        "train it with --search exact");
    if (head == DDN_HEAD_MOVES)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "this search needs scores of moves, and this network has learnt arcs: "
                        "train it with --search greedy, or parse with --search exact");
    return DODONA_OK;
}

const ddn_scorer ddn_scorer_network = {
    .name = "network",
    .summary = "recurrent neural network over words, characters, tags and features",
    .vectors = true,
    .local = true,
    .temperature = 2,
    .scheduled = true,
    .batch = 8,
    .loss = &ddn_loss_softmax,
    .create = create,
    .open = ddn_network_open,
    .close = ddn_network_close,
    .save = ddn_network_save,
    .put = put,
    .take = take,
    .iterations = iterations_for,
    .step = step,
    .lacks = lacks,
    .pass = ddn_network_pass_open,
    .end = ddn_network_pass_end,
    .encode = ddn_network_encode,
    .moves = ddn_network_moves,
    .label = ddn_network_label,
    .labels = ddn_network_labels,
    .arcs = ddn_network_arcs,
    .learn_move = ddn_network_learn_move,
    .learn_label = ddn_network_learn_label,
    .learn_arcs = ddn_network_learn_arcs,
    .backward = ddn_network_backward,
};
