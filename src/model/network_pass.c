/* SPDX-License-Identifier: MIT */
/* network_pass.c - a pass of the scorer 'network'.
 *
 * A batch is encoded once, and its words are multiplied for the heads.  When the model learns, all
 * that was asked stays on the tape with the adjoints of its scores until backward; when it parses,
 * the arrays of one question are free again before the next.
 *
 * Scores are what a softmax takes.  Those of labels are, when parsing, logarithms of probabilities
 * among the labels that the arc may have, so that a beam can add them; it knows by itself which
 * moves are legal and makes their scores probabilities.
 *
 * The vectors of types, which come from characters alone, are kept from batch to batch when
 * parsing: they depend on nothing else, so it makes no difference which sentences came before. */
#include "model/network.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

/* A call of moves and what is learnt of it. */
typedef struct asked {
    ddn_slots_pass slots;
    float *d; /* [count][kinds] */
} asked;

/* The arcs of a sentence and what is learnt of them. */
typedef struct arcs_asked {
    int sentence;
    ddn_arcs_pass arcs;
    float *d; /* as arcs.score */
} arcs_asked;

typedef struct labelled {
    uint32_t modifier, head; /* rows of the batch */
} labelled;

typedef struct network_pass {
    ddn_pass base; /* first */
    const ddn_network *model;
    ddn_net net;
    ddn_learning learning;
    float *gradient; /* NULL: it parses */
    ddn_tape tape;   /* of the batch, */
    ddn_tape now;    /* and of one question when parsing */
    ddn_reading reading;
    bool broken; /* what is kept of types is not whole */
    float *type; /* [types] their vectors when parsing */
    uint32_t start[DDN_MAX_BATCH];
    ddn_encoder_batch batch;
    ddn_encoder_pass encoded;
    ddn_labels_words label;
    ddn_slots_words move;
    float *score, *allowed; /* [labels] */
    asked *question;        /* [questions] */
    arcs_asked *tree;       /* [trees] */
    labelled *arc;          /* [arcs] with adjoints: */
    float *darc;            /* [arcs][labels] */
    size_t questions, trees, arcs;
    size_t type_cap, question_cap, tree_cap, arc_cap, darc_cap;
} network_pass;

/* ---- Opening ---- */

void ddn_network_pass_end(ddn_pass *base)
{
    network_pass *p = (network_pass *)base;
    ddn_tape_fini(&p->tape);
    ddn_tape_fini(&p->now);
    ddn_reading_fini(&p->reading);
    free(p->gradient), free(p->type), free(p->score), free(p->allowed);
    free(p->question), free(p->tree), free(p->arc), free(p->darc);
    free(p);
}

int ddn_network_pass_open(const ddn_model *base, ddn_breadth breadth, ddn_pass **out,
                          dodona_error *err)
{
    const ddn_network *m = (const ddn_network *)base;
    network_pass *p = calloc(1, sizeof *p);
    (void)breadth;
    *out = NULL;
    if (!p)
        return ddn_fail_memory(err);
    p->base.model = base;
    p->model = m;
    ddn_tape_init(&p->tape);
    ddn_tape_init(&p->now);
    ddn_reading_init(&p->reading, &m->vocabulary);
    p->score = malloc((base->schema->labels.count + 1) * sizeof *p->score);
    p->allowed = malloc((base->schema->labels.count + 1) * sizeof *p->allowed);
    p->gradient = m->tensors.learns ? ddn_params_block(&m->tensors.params) : NULL;
    if (!p->score || !p->allowed || (m->tensors.learns && !p->gradient)) {
        ddn_network_pass_end(&p->base);
        return ddn_fail_memory(err);
    }
    p->net = ddn_tensors_net(&m->tensors, p->gradient);
    *out = &p->base;
    return DODONA_OK;
}

/* ---- Encoding ---- */

/* The vectors of the types that are new. */
static bool encode_types(network_pass *p)
{
    const ddn_encoder *e = &p->model->encoder;
    ddn_reading *r = &p->reading;
    size_t width = 2 * e->shape.char_hidden;
    ddn_sequences types = { r->types.count - r->known, r->type_characters, r->type_length };
    if (!ddn_reserve(&p->type, &p->type_cap, r->types.count * width, sizeof *p->type))
        return false;
    return types.count == 0 || ddn_encoder_types(&p->net, e, &types, r->characters, &p->tape,
                                                 p->type + r->known * width);
}

static bool encode_words(network_pass *p)
{
    const ddn_network *m = p->model;
    ddn_learning *learning = p->gradient ? &p->learning : NULL;
    size_t words = p->reading.words;
    const float *x;
    if (!ddn_encoder_forward(&p->net, &m->encoder, &p->batch, learning, &p->tape, &p->encoded))
        return false;
    x = p->encoded.out;
    return ddn_labels_words_forward(&p->net, &m->label, x, words, learning, &p->tape, &p->label) &&
           (!(m->base.heads & DDN_HEAD_MOVES) ||
            ddn_slots_words_forward(&p->net, &m->move, x, words, learning, &p->tape, &p->move));
}

int ddn_network_encode(ddn_pass *base, const ddn_sentence *const *s, int m, dodona_error *err)
{
    network_pass *p = (network_pass *)base;
    ddn_reading *r = &p->reading;
    bool learns = p->gradient;
    ddn_tape_clear(&p->tape);
    p->questions = p->trees = p->arcs = 0;
    int status = ddn_reading_take(r, s, m, learns || p->broken, err);
    p->broken = true; /* until all is done */
    if (status < 0)
        return status;
    uint32_t start = 0;
    for (int i = 0; i < m; i++) {
        p->start[i] = start;
        start += r->length[i];
    }
    if (learns) {
        p->learning = (ddn_learning){ .rate = p->model->dropout, .word_rate = p->model->word_rate };
        ddn_rng_init(&p->learning.rng, base->seed);
    } else if (!encode_types(p)) {
        return ddn_fail_memory(err);
    }
    p->batch = (ddn_encoder_batch){ .sentences = { (size_t)m, r->words, r->length },
                                    .word = r->word,
                                    .upos = r->upos,
                                    .feats = { r->feats, r->feats_begin },
                                    .type = r->type,
                                    .types = { r->types.count, r->type_characters, r->type_length },
                                    .characters = r->characters,
                                    .vectors = learns ? NULL : p->type };
    if (!encode_words(p))
        return ddn_fail_memory(err);
    p->broken = false;
    return DODONA_OK;
}

/* ---- Moves ---- */

static int32_t *find_places(const network_pass *p, const ddn_query *query, int m, ddn_tape *tape)
{
    const ddn_layout *l = &p->model->layout;
    int32_t *at = (int32_t *)ddn_tape_take(tape, (size_t)m * (size_t)l->slots), *to = at;
    for (int q = 0; at && q < m; q++) {
        const ddn_view *view = query[q].view, *first = query[q - view->back].view;
        for (int i = 0; i < l->slots; i++) {
            bool placed = ddn_layout_placed(l, i);
            int32_t word = placed && !view->back ? -1 : (placed ? view : first)->slot[i].word;
            *to++ = word < 0 ? -1 : (int32_t)p->start[query[q].sentence] + word;
        }
    }
    return at;
}

int ddn_network_moves(ddn_pass *base, const ddn_query *query, int m, ddn_score *score,
                      dodona_error *err)
{
    network_pass *p = (network_pass *)base;
    const ddn_network *model = p->model;
    ddn_tape *tape = p->gradient ? &p->tape : &p->now;
    size_t kinds = (size_t)model->base.schema->system->kinds;
    asked a = { .d = NULL };
    ddn_tape_clear(&p->now);
    if (!ddn_reserve(&p->question, &p->question_cap, p->questions + 1, sizeof *p->question))
        return ddn_fail_memory(err);
    const int32_t *at = find_places(p, query, m, tape);
    if (p->gradient)
        a.d = ddn_tape_zeros(tape, (size_t)m * kinds);
    if (!at || (p->gradient && !a.d) ||
        !ddn_slots_forward(&p->net, &model->move, &p->move, at, (size_t)m, tape, &a.slots))
        return ddn_fail_memory(err);
    for (size_t q = 0; q < (size_t)m; q++)
        for (size_t k = 0; k < kinds; k++)
            score[q * DDN_MAX_KINDS + k] = a.slots.score[q * kinds + k];
    if (p->gradient)
        p->question[p->questions++] = a;
    return DODONA_OK;
}

/* ---- Labels and arcs ---- */

static uint8_t use_of(const ddn_arc_query *q)
{
    return q->arc.head == 0 ? DDN_LABEL_OF_ROOT : DDN_LABEL_OF_WORD;
}

static labelled rows_of(const network_pass *p, const ddn_arc_query *q)
{
    uint32_t start = p->start[q->sentence];
    return (labelled){ start + (uint32_t)q->arc.child, start + (uint32_t)q->arc.head };
}

/* *total is what turns the scores into logarithms of probabilities when parsing. */
static const float *score_labels(network_pass *p, const ddn_arc_query *q, double *total)
{
    const ddn_schema *schema = p->base.model->schema;
    size_t labels = schema->labels.count, count = 0;
    uint8_t use = use_of(q);
    labelled a = rows_of(p, q);
    ddn_labels_forward(&p->net, &p->model->label, &p->label, a.modifier, a.head, p->score);
    *total = 0;
    if (p->gradient)
        return p->score;
    for (size_t l = 0; l < labels; l++)
        if (schema->uses[l] & use)
            p->allowed[count++] = p->score[l];
    *total = count ? p->net.kernels->softmax(p->allowed, count, p->allowed) : 0;
    return p->score;
}

void ddn_network_labels(ddn_pass *base, const ddn_arc_query *q, ddn_score *score)
{
    double total;
    const float *of = score_labels((network_pass *)base, q, &total);
    for (uint32_t l = 0; l < base->model->schema->labels.count; l++)
        score[l] = of[l] - total;
}

uint16_t ddn_network_label(ddn_pass *base, const ddn_arc_query *q, ddn_score *score)
{
    const ddn_schema *schema = base->model->schema;
    double total;
    const float *of = score_labels((network_pass *)base, q, &total);
    uint8_t use = use_of(q);
    int best = -1;
    for (int l = 0; l < (int)schema->labels.count; l++)
        if (schema->uses[l] & use && (best < 0 || of[l] > of[best]))
            best = l;
    best = best < 0 ? 0 : best;
    *score = of[best] - total;
    return (uint16_t)best;
}

int ddn_network_arcs(ddn_pass *base, int sentence, ddn_score *w, uint16_t *label, dodona_error *err)
{
    network_pass *p = (network_pass *)base;
    const ddn_network *m = p->model;
    size_t n = p->reading.length[sentence];
    ddn_sequences one = { 1, n, &p->reading.length[sentence] };
    const float *x = p->encoded.out + p->start[sentence] * m->encoder.out;
    arcs_asked a = { .sentence = sentence };
    (void)label;
    ddn_tape_clear(&p->now);
    if (!ddn_reserve(&p->tree, &p->tree_cap, p->trees + 1, sizeof *p->tree) ||
        !ddn_arcs_forward(&p->net, &m->arc, &one, x, p->gradient ? &p->learning : NULL,
                          p->gradient ? &p->tape : &p->now, &a.arcs))
        return ddn_fail_memory(err);
    for (size_t h = 0; h < n; h++)
        for (size_t d = 1; d < n; d++)
            w[h * n + d] = a.arcs.score[d * n + h];
    if (p->gradient)
        p->tree[p->trees++] = a;
    return DODONA_OK;
}

/* ---- Adjoints ---- */

int ddn_network_learn_move(ddn_pass *base, int32_t query, const ddn_adjoint *d, int m,
                           dodona_error *err)
{
    network_pass *p = (network_pass *)base;
    size_t kinds = (size_t)base->model->schema->system->kinds;
    float *to = p->question[p->questions - 1].d + (size_t)query * kinds;
    (void)err;
    for (int i = 0; i < m; i++)
        to[d[i].output] += (float)d[i].d;
    return DODONA_OK;
}

int ddn_network_learn_label(ddn_pass *base, const ddn_arc_query *q, const ddn_adjoint *d, int m,
                            dodona_error *err)
{
    network_pass *p = (network_pass *)base;
    size_t labels = base->model->schema->labels.count;
    if (!ddn_reserve(&p->arc, &p->arc_cap, p->arcs + 1, sizeof *p->arc) ||
        !ddn_reserve(&p->darc, &p->darc_cap, (p->arcs + 1) * labels, sizeof *p->darc))
        return ddn_fail_memory(err);
    float *to = p->darc + p->arcs * labels;
    memset(to, 0, labels * sizeof *to);
    for (int i = 0; i < m; i++)
        to[d[i].output] += (float)d[i].d;
    p->arc[p->arcs++] = rows_of(p, q);
    return DODONA_OK;
}

int ddn_network_learn_arcs(ddn_pass *base, int sentence, const ddn_score *d, dodona_error *err)
{
    network_pass *p = (network_pass *)base;
    arcs_asked *a = &p->tree[p->trees - 1];
    size_t n = p->reading.length[sentence];
    a->d = ddn_tape_zeros(&p->tape, n * n);
    if (!a->d)
        return ddn_fail_memory(err);
    for (size_t h = 0; h < n; h++)
        for (size_t m = 1; m < n; m++)
            a->d[m * n + h] = (float)d[h * n + m];
    return DODONA_OK;
}

/* ---- Backward ---- */

static bool moves_backward(network_pass *p, float *dx)
{
    const ddn_network *m = p->model;
    if (!p->questions)
        return true;
    for (size_t i = 0; i < p->questions; i++) {
        asked *a = &p->question[i];
        if (!ddn_slots_backward(&p->net, &m->move, &p->move, &a->slots, a->d, &p->tape))
            return false;
    }
    ddn_slots_words_backward(&p->net, &m->move, p->encoded.out, p->reading.words, &p->move, dx);
    return true;
}

static bool arcs_backward(network_pass *p, float *dx)
{
    const ddn_network *m = p->model;
    for (size_t i = 0; i < p->trees; i++) {
        const arcs_asked *a = &p->tree[i];
        size_t at = p->start[a->sentence] * m->encoder.out;
        ddn_sequences one = { 1, p->reading.length[a->sentence], &p->reading.length[a->sentence] };
        if (a->d && !ddn_arcs_backward(&p->net, &m->arc, &one, p->encoded.out + at, &a->arcs, a->d,
                                       &p->tape, dx + at))
            return false;
    }
    return true;
}

static bool labels_backward(network_pass *p, float *dx)
{
    const ddn_labels_head *h = &p->model->label;
    for (size_t i = 0; i < p->arcs; i++)
        ddn_labels_backward(h, &p->label, p->arc[i].modifier, p->arc[i].head,
                            p->darc + i * h->labels);
    return ddn_labels_words_backward(&p->net, h, p->encoded.out, p->reading.words, &p->label,
                                     &p->tape, dx);
}

int ddn_network_backward(ddn_pass *base, dodona_error *err)
{
    network_pass *p = (network_pass *)base;
    const ddn_network *m = p->model;
    float *dx = ddn_tape_zeros(&p->tape, p->reading.words * m->encoder.out);
    memset(p->gradient, 0, m->tensors.params.size * sizeof *p->gradient);
    if (!dx || !moves_backward(p, dx) || !arcs_backward(p, dx) || !labels_backward(p, dx) ||
        !ddn_encoder_backward(&p->net, &m->encoder, &p->encoded, dx, &p->tape))
        return ddn_fail_memory(err);
    return DODONA_OK;
}

float *ddn_network_pass_gradient(ddn_pass *base, size_t *words)
{
    network_pass *p = (network_pass *)base;
    *words = p->reading.words - p->batch.sentences.count;
    return p->gradient;
}
