/* SPDX-License-Identifier: MIT */
/* feed_forward_pass.c - a pass of the scorer 'feed-forward'.
 *
 * The distinct values of a batch are its items, numbered in each field; fields of the state have
 * all their rows as items.  What an item is multiplied by for each atom makes up rows of one array,
 *
 *     place[first of the field + item * uses + use][hidden]
 *
 * and a configuration is a list of such rows, its terms.  A view that differs from the first of its
 * configuration has that view's sum and terms of its own.
 *
 * When the model learns, all that was asked stays on the tape until backward; when it parses, the
 * arrays of one question are free again before the next.  Scores are what a softmax takes; those of
 * labels are logarithms of probabilities when parsing, among the labels that the arc may have. */
#include "model/feed_forward.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

/* A call of moves and what is learnt of it. */
typedef struct asked {
    size_t count;
    int32_t *back;   /* [count] as in views */
    uint32_t *begin; /* [count + 1] of terms */
    float *hidden;   /* [count][hidden] */
    float *mask;     /* of dropout; NULL: it parses */
    float *d;        /* [count][types] */
    float *dhidden;  /* as hidden */
} asked;

/* An arc whose labels have adjoints. */
typedef struct labelled {
    size_t question;
    int32_t query;
    int kind;
} labelled;

typedef struct feed_forward_pass {
    ddn_pass base; /* first */
    const ddn_feed_forward *model;
    ddn_net net;
    ddn_learning learning;
    float *gradient;                     /* NULL: it parses */
    ddn_tape tape;                       /* of the batch, */
    ddn_tape now;                        /* and of one question when parsing */
    ddn_encoded sentence[DDN_MAX_BATCH]; /* items, on the tape */
    size_t words;                        /* of the batch, without roots */
    uint32_t *known;                     /* [rows of all sources] item + 1, or 0 */
    size_t known_at[DDN_MAX_SOURCES];    /* where those of a source begin */
    uint32_t *item[DDN_MAX_FIELDS];      /* [items] their rows, on the tape */
    size_t items[DDN_MAX_FIELDS];
    size_t first[DDN_MAX_FIELDS]; /* row of place */
    float *x[DDN_MAX_FIELDS];     /* [items][width] embeddings */
    float *place, *dplace;
    uint32_t *term;         /* [terms] */
    float *score, *allowed; /* [labels] the former of an arc: */
    int32_t scored_query;   /* -1: none */
    int scored_kind;
    asked last;      /* of moves */
    asked *question; /* [questions] */
    labelled *arc;   /* [arcs] */
    float *darc;     /* [arcs][labels] */
    size_t terms, questions, arcs;
    size_t term_cap, question_cap, arc_cap, darc_cap;
} feed_forward_pass;

/* ---- Opening ---- */

void ddn_feed_forward_pass_end(ddn_pass *base)
{
    feed_forward_pass *p = (feed_forward_pass *)base;
    ddn_tape_fini(&p->tape);
    ddn_tape_fini(&p->now);
    free(p->gradient), free(p->known), free(p->term), free(p->score), free(p->allowed);
    free(p->question), free(p->arc), free(p->darc);
    free(p);
}

int ddn_feed_forward_pass_open(const ddn_model *base, ddn_breadth breadth, ddn_pass **out,
                               dodona_error *err)
{
    const ddn_feed_forward *m = (const ddn_feed_forward *)base;
    feed_forward_pass *p = calloc(1, sizeof *p);
    bool learns = m->tensors.learns;
    size_t rows = 0, labels = base->schema->labels.count + 1;
    (void)breadth;
    *out = NULL;
    if (!p)
        return ddn_fail_memory(err);
    p->base.model = base;
    p->model = m;
    ddn_tape_init(&p->tape);
    ddn_tape_init(&p->now);
    for (int i = 0; i < m->templates.sources; i++) {
        p->known_at[i] = rows;
        rows += m->field[i].rows;
    }
    p->known = calloc(rows + 1, sizeof *p->known);
    p->score = malloc(labels * sizeof *p->score);
    p->allowed = malloc(labels * sizeof *p->allowed);
    p->gradient = learns ? ddn_params_block(&m->tensors.params) : NULL;
    if (!p->known || !p->score || !p->allowed || (learns && !p->gradient)) {
        ddn_feed_forward_pass_end(&p->base);
        return ddn_fail_memory(err);
    }
    p->net = ddn_tensors_net(&m->tensors, p->gradient);
    *out = &p->base;
    return DODONA_OK;
}

/* ---- Encoding ---- */

static uint32_t item_of(feed_forward_pass *p, int source, uint32_t row)
{
    uint32_t *known = &p->known[p->known_at[source] + row];
    if (!*known) {
        p->item[source][p->items[source]++] = row;
        *known = (uint32_t)p->items[source];
    }
    return *known - 1;
}

/* The items of a source: in the sentences, and their list. */
static void read_source(feed_forward_pass *p, int source, const ddn_sentence *const *s, int m)
{
    const ddn_feed_forward *model = p->model;
    p->items[source] = 0;
    for (int k = 0; k < m; k++) {
        uint32_t *column = p->sentence[k].value + (size_t)source * ((size_t)s[k]->n + 2);
        column[0] = item_of(p, source, DDN_VALUE_NOTHING);
        column[1] = item_of(p, source, DDN_VALUE_ROOT);
        for (int32_t word = 1; word <= s[k]->n; word++) {
            dodona_text t = ddn_source_text(&model->templates.source[source], s[k], word);
            uint32_t id = ddn_intern_find(&model->value[source], t.data, t.size);
            column[word + 1] = item_of(
                p, source, id == DDN_INTERN_NONE ? DDN_VALUE_UNKNOWN : id + DDN_VALUE_FIRST);
        }
    }
    for (size_t i = 0; i < p->items[source]; i++)
        p->known[p->known_at[source] + p->item[source][i]] = 0;
}

static bool read_words(feed_forward_pass *p, const ddn_sentence *const *s, int m)
{
    const ddn_feed_forward *model = p->model;
    size_t sources = (size_t)model->templates.sources, most = 2;
    p->words = 0;
    for (int k = 0; k < m; k++) {
        size_t size = sources * ((size_t)s[k]->n + 2);
        p->sentence[k] =
            (ddn_encoded){ .n = s[k]->n, .value = (uint32_t *)ddn_tape_take(&p->tape, size) };
        if (!p->sentence[k].value)
            return false;
        p->words += (size_t)s[k]->n;
    }
    most += p->words;
    for (int f = 0; f < model->fields; f++) {
        bool of_words = f < model->templates.sources;
        p->items[f] = model->field[f].uses ? model->field[f].rows : 0;
        p->item[f] = (uint32_t *)ddn_tape_take(&p->tape, of_words ? most : p->items[f]);
        if (!p->item[f])
            return false;
        if (of_words)
            read_source(p, f, s, m);
        for (uint32_t i = 0; !of_words && i < p->items[f]; i++)
            p->item[f][i] = i;
    }
    return true;
}

/* What items are multiplied by. */
static bool fill_places(feed_forward_pass *p)
{
    const ddn_feed_forward *m = p->model;
    size_t rows = 0, hidden = (size_t)m->hidden;
    for (int f = 0; f < m->fields; f++) {
        p->first[f] = rows;
        rows += p->items[f] * m->field[f].uses;
    }
    p->place = ddn_tape_take(&p->tape, rows * hidden);
    p->dplace = p->gradient ? ddn_tape_zeros(&p->tape, rows * hidden) : NULL;
    if (rows > UINT32_MAX || !p->place || (p->gradient && !p->dplace))
        return false;
    for (int f = 0; f < m->fields; f++) {
        const ddn_field *field = &m->field[f];
        if (!field->uses)
            continue;
        p->x[f] = ddn_tape_take(&p->tape, p->items[f] * field->width);
        if (!p->x[f])
            return false;
        ddn_embedding_forward(&p->net, &field->table, (ddn_lookup){ .id = p->item[f] }, p->items[f],
                              p->x[f], field->width);
        ddn_linear_forward(&p->net, &field->place, p->x[f], p->items[f],
                           p->place + p->first[f] * hidden);
    }
    return true;
}

int ddn_feed_forward_encode(ddn_pass *base, const ddn_sentence *const *s, int m, dodona_error *err)
{
    feed_forward_pass *p = (feed_forward_pass *)base;
    ddn_tape_clear(&p->tape);
    p->questions = p->arcs = p->terms = 0;
    if (p->gradient) {
        p->learning = (ddn_learning){ .rate = p->model->dropout };
        ddn_rng_init(&p->learning.rng, base->seed);
    }
    return read_words(p, s, m) && fill_places(p) ? DODONA_OK : ddn_fail_memory(err);
}

/* ---- Moves ---- */

/* Appends the rows of a view's atoms from..to-1. */
static void list_terms(feed_forward_pass *p, const ddn_view *v, const uint32_t *value, int from,
                       int to)
{
    const ddn_feed_forward *m = p->model;
    for (int i = from; i < to; i++) {
        const ddn_atom *a = &m->templates.atom[i];
        size_t uses = m->field[m->field_of[i]].uses;
        size_t row = p->first[m->field_of[i]] + m->use_of[i];
        if (a->kind != DDN_ATOM_SET) {
            p->term[p->terms++] = (uint32_t)(row + value[i] * uses);
            continue;
        }
        for (uint64_t set = v->slot[a->slot].set[a->detail]; set; set &= set - 1)
            p->term[p->terms++] = (uint32_t)(row + (size_t)__builtin_ctzll(set) * uses);
    }
}

static void add_terms(const feed_forward_pass *p, const asked *a, size_t q)
{
    size_t hidden = (size_t)p->model->hidden;
    float *to = a->hidden + q * hidden;
    if (a->back[q])
        memcpy(to, to - (size_t)a->back[q] * hidden, hidden * sizeof *to);
    else
        memset(to, 0, hidden * sizeof *to);
    for (uint32_t t = a->begin[q]; t < a->begin[q + 1]; t++) {
        const float *from = p->place + p->term[t] * hidden;
        for (size_t k = 0; k < hidden; k++)
            to[k] += from[k];
    }
}

static bool reserve_question(feed_forward_pass *p, size_t count, ddn_tape *tape, asked *a)
{
    size_t hidden = (size_t)p->model->hidden, kinds = p->model->move.out;
    *a = (asked){ .count = count,
                  .back = (int32_t *)ddn_tape_take(tape, count),
                  .begin = (uint32_t *)ddn_tape_take(tape, count + 1),
                  .hidden = ddn_tape_take(tape, count * hidden),
                  .mask = p->gradient ? ddn_tape_take(tape, count * hidden) : NULL,
                  .d = p->gradient ? ddn_tape_zeros(tape, count * kinds) : NULL };
    return a->back && a->begin && a->hidden && (!p->gradient || (a->mask && a->d)) &&
           p->terms + count * p->model->most_terms < UINT32_MAX &&
           ddn_reserve(&p->term, &p->term_cap, p->terms + count * p->model->most_terms,
                       sizeof *p->term) &&
           ddn_reserve(&p->question, &p->question_cap, p->questions + 1, sizeof *p->question);
}

/* The hidden layer of every query. */
static void fill_hidden(feed_forward_pass *p, const ddn_query *query, asked *a)
{
    const ddn_templates *t = &p->model->templates;
    size_t size = a->count * (size_t)p->model->hidden;
    uint32_t value[DDN_MAX_ATOMS];
    for (size_t q = 0; q < a->count; q++) {
        const ddn_view *v = query[q].view;
        const ddn_encoded *e = &p->sentence[query[q].sentence];
        a->back[q] = v->back;
        a->begin[q] = (uint32_t)p->terms;
        if (v->back) {
            ddn_read_atoms_of_p(t, e, v, value);
            list_terms(p, v, value, t->plain, t->atoms);
        } else {
            ddn_read_atoms(t, e, v, value);
            list_terms(p, v, value, 0, t->plain);
        }
        a->begin[q + 1] = (uint32_t)p->terms;
        add_terms(p, a, q);
    }
    ddn_leaky_forward(a->hidden, size);
    if (a->mask)
        ddn_dropout_forward(&p->learning, a->hidden, size, a->mask);
}

int ddn_feed_forward_moves(ddn_pass *base, const ddn_query *query, int m, ddn_score *score,
                           dodona_error *err)
{
    feed_forward_pass *p = (feed_forward_pass *)base;
    const ddn_feed_forward *model = p->model;
    ddn_tape *tape = p->gradient ? &p->tape : &p->now;
    size_t kinds = model->move.out;
    ddn_tape_clear(&p->now);
    p->scored_query = -1;
    if (!p->gradient)
        p->terms = 0;
    float *raw = ddn_tape_take(tape, (size_t)m * kinds);
    if (!raw || !reserve_question(p, (size_t)m, tape, &p->last))
        return ddn_fail_memory(err);
    fill_hidden(p, query, &p->last);
    ddn_linear_forward(&p->net, &model->move, p->last.hidden, (size_t)m, raw);
    for (size_t q = 0; q < (size_t)m; q++)
        for (size_t k = 0; k < kinds; k++)
            score[q * DDN_MAX_KINDS + k] = raw[q * kinds + k];
    if (p->gradient)
        p->question[p->questions++] = p->last;
    return DODONA_OK;
}

/* ---- Labels ---- */

static uint8_t use_of(const ddn_arc_query *q)
{
    return q->arc.head == 0 ? DDN_LABEL_OF_ROOT : DDN_LABEL_OF_WORD;
}

/* *total is what turns the scores into logarithms of probabilities when parsing.  A parser that
 * learns asks for the best label and then for all. */
static void score_labels(feed_forward_pass *p, const ddn_arc_query *q, double *total)
{
    const ddn_schema *schema = p->base.model->schema;
    size_t labels = schema->labels.count, count = 0;
    uint8_t use = use_of(q);
    if (p->scored_query != q->query || p->scored_kind != q->kind)
        ddn_linear_forward(&p->net, &p->model->label[q->kind],
                           p->last.hidden + (size_t)q->query * (size_t)p->model->hidden, 1,
                           p->score);
    p->scored_query = q->query;
    p->scored_kind = q->kind;
    *total = 0;
    if (p->gradient)
        return;
    for (size_t l = 0; l < labels; l++)
        if (schema->uses[l] & use)
            p->allowed[count++] = p->score[l];
    *total = count ? p->net.kernels->softmax(p->allowed, count, p->allowed) : 0;
}

uint16_t ddn_feed_forward_label(ddn_pass *base, const ddn_arc_query *q, ddn_score *score)
{
    feed_forward_pass *p = (feed_forward_pass *)base;
    const ddn_schema *schema = base->model->schema;
    size_t labels = schema->labels.count, best = labels;
    uint8_t use = use_of(q);
    double total;
    score_labels(p, q, &total);
    for (size_t l = 0; l < labels; l++)
        if ((schema->uses[l] & use) && (best == labels || p->score[l] > p->score[best]))
            best = l;
    best = best == labels ? 0 : best;
    *score = p->score[best] - total;
    return (uint16_t)best;
}

void ddn_feed_forward_labels(ddn_pass *base, const ddn_arc_query *q, ddn_score *score)
{
    feed_forward_pass *p = (feed_forward_pass *)base;
    double total;
    score_labels(p, q, &total);
    for (size_t l = 0; l < base->model->schema->labels.count; l++)
        score[l] = p->score[l] - total;
}

/* ---- Adjoints ---- */

int ddn_feed_forward_learn_move(ddn_pass *base, int32_t query, const ddn_adjoint *d, int m,
                                dodona_error *err)
{
    feed_forward_pass *p = (feed_forward_pass *)base;
    float *to = p->last.d + (size_t)query * p->model->move.out;
    (void)err;
    for (int i = 0; i < m; i++)
        to[d[i].output] += (float)d[i].d;
    return DODONA_OK;
}

int ddn_feed_forward_learn_label(ddn_pass *base, const ddn_arc_query *q, const ddn_adjoint *d,
                                 int m, dodona_error *err)
{
    feed_forward_pass *p = (feed_forward_pass *)base;
    size_t labels = base->model->schema->labels.count;
    if (!ddn_reserve(&p->arc, &p->arc_cap, p->arcs + 1, sizeof *p->arc) ||
        !ddn_reserve(&p->darc, &p->darc_cap, (p->arcs + 1) * labels, sizeof *p->darc))
        return ddn_fail_memory(err);
    float *to = p->darc + p->arcs * labels;
    memset(to, 0, labels * sizeof *to);
    for (int i = 0; i < m; i++)
        to[d[i].output] += (float)d[i].d;
    p->arc[p->arcs++] = (labelled){ p->questions - 1, q->query, q->kind };
    return DODONA_OK;
}

/* ---- Backward ---- */

/* From the adjoint of the hidden layer to those of its terms. */
static void terms_backward(feed_forward_pass *p, const asked *a)
{
    size_t hidden = (size_t)p->model->hidden;
    float *dhidden = a->dhidden;
    ddn_dropout_backward(a->mask, a->count * hidden, dhidden);
    ddn_leaky_backward(a->hidden, a->count * hidden, dhidden);
    for (size_t q = a->count; q-- > 0;) {
        const float *d = dhidden + q * hidden;
        float *first = dhidden + (q - (size_t)a->back[q]) * hidden;
        for (size_t k = 0; a->back[q] && k < hidden; k++)
            first[k] += d[k];
        for (uint32_t t = a->begin[q]; t < a->begin[q + 1]; t++) {
            float *to = p->dplace + p->term[t] * hidden;
            for (size_t k = 0; k < hidden; k++)
                to[k] += d[k];
        }
    }
}

/* The labels of all arcs that a type made, gathered into one product. */
static bool labels_backward(feed_forward_pass *p, int kind)
{
    const ddn_feed_forward *m = p->model;
    size_t hidden = (size_t)m->hidden, labels = m->base.schema->labels.count, count = 0, at = 0;
    for (size_t i = 0; i < p->arcs; i++)
        count += p->arc[i].kind == kind;
    float *x = ddn_tape_take(&p->tape, count * hidden),
          *d = ddn_tape_take(&p->tape, count * labels);
    float *dx = ddn_tape_zeros(&p->tape, count * hidden);
    if (!x || !d || !dx)
        return false;
    for (size_t i = 0; i < p->arcs; i++) {
        if (p->arc[i].kind != kind)
            continue;
        const asked *a = &p->question[p->arc[i].question];
        memcpy(x + at * hidden, a->hidden + (size_t)p->arc[i].query * hidden, hidden * sizeof *x);
        memcpy(d + at++ * labels, p->darc + i * labels, labels * sizeof *d);
    }
    if (count)
        ddn_linear_backward(&p->net, &m->label[kind], x, d, count, dx);
    for (size_t i = 0; i < p->arcs; i++) {
        if (p->arc[i].kind != kind)
            continue;
        float *to = p->question[p->arc[i].question].dhidden + (size_t)p->arc[i].query * hidden;
        for (size_t k = 0; k < hidden; k++)
            to[k] += *dx++;
    }
    return true;
}

static bool questions_backward(feed_forward_pass *p)
{
    const ddn_feed_forward *m = p->model;
    const ddn_system *system = m->base.schema->system;
    bool good = true;
    for (size_t i = 0; i < p->questions; i++) {
        asked *a = &p->question[i];
        a->dhidden = ddn_tape_zeros(&p->tape, a->count * (size_t)m->hidden);
        if (!a->dhidden)
            return false;
        ddn_linear_backward(&p->net, &m->move, a->hidden, a->d, a->count, a->dhidden);
    }
    for (int k = 0; k < system->kinds && good; k++)
        good = !system->kind[k].makes_arc || labels_backward(p, k);
    for (size_t i = 0; i < p->questions && good; i++)
        terms_backward(p, &p->question[i]);
    return good;
}

static bool fields_backward(feed_forward_pass *p)
{
    const ddn_feed_forward *m = p->model;
    for (int f = 0; f < m->fields; f++) {
        const ddn_field *field = &m->field[f];
        if (!field->uses)
            continue;
        float *dx = ddn_tape_zeros(&p->tape, p->items[f] * field->width);
        if (!dx)
            return false;
        ddn_linear_backward(&p->net, &field->place, p->x[f],
                            p->dplace + p->first[f] * (size_t)m->hidden, p->items[f], dx);
        ddn_embedding_backward(&p->net, &field->table, (ddn_lookup){ .id = p->item[f] },
                               p->items[f], dx, field->width);
    }
    return true;
}

int ddn_feed_forward_backward(ddn_pass *base, dodona_error *err)
{
    feed_forward_pass *p = (feed_forward_pass *)base;
    memset(p->gradient, 0, p->model->tensors.params.size * sizeof *p->gradient);
    return questions_backward(p) && fields_backward(p) ? DODONA_OK : ddn_fail_memory(err);
}

float *ddn_feed_forward_pass_gradient(ddn_pass *base, size_t *words)
{
    feed_forward_pass *p = (feed_forward_pass *)base;
    *words = p->words;
    return p->gradient;
}
