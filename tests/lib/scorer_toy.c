/* SPDX-License-Identifier: MIT */
/* scorer_toy.c - scores are sums of weights that features and outputs are hashed to together.
 *
 * Features are forms and tags of the two topmost words of the stack and the next word of the
 * buffer.  It learns the log-loss by plain gradient descent, a step for each batch of sentences.
 * Outputs are transition types, and labels by transition type. */
#include "lib/scorer_toy.h"

#include "core/array.h"
#include "pipeline/keys.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { S0, S1, Q0, SLOTS };
enum { FEATURES = 12, BATCH = 4 };

typedef struct toy {
    ddn_model base; /* first */
    ddn_layout layout;
    char part[DDN_MAX_SECTION_NAME];
    double w[TEST_TOY_WEIGHTS];
} toy;

typedef struct toy_pass {
    ddn_pass base; /* first */
    const toy *model;
    struct toy_word {
        uint64_t form, tag;
    } * word;                  /* of all sentences of the batch, the root and nothing before each */
    size_t first[BATCH];       /* by sentence */
    uint64_t (*key)[FEATURES]; /* [queries] of the last call */
    struct toy_change {
        uint32_t weight;
        double d;
    } * change;
    size_t changes, word_cap, key_cap, change_cap;
} toy_pass;

/* ---- The model ---- */

static int new_model(const ddn_spec *spec, ddn_model **out, dodona_error *err)
{
    static const ddn_address address[SLOTS] = { { .link = DDN_LINK_STACK, .index = 0, .from = -1 },
                                                { .link = DDN_LINK_STACK, .index = 1, .from = -1 },
                                                { .link = DDN_LINK_BUFFER, .from = -1 } };
    *out = NULL;
    if (!spec->schema)
        return ddn_fail(err, DODONA_E_ARGUMENT, "models of the learner 'toy' are parsers");
    toy *m = calloc(1, sizeof *m);
    if (!m)
        return ddn_fail_memory(err);
    for (int i = 0; i < SLOTS; i++)
        ddn_layout_add(&m->layout, address[i]);
    m->base = (ddn_model){ .scorer = &ddn_scorer_toy,
                           .schema = spec->schema,
                           .heads = DDN_HEAD_MOVES,
                           .layout = &m->layout };
    memcpy(m->part, spec->part, strlen(spec->part));
    *out = &m->base;
    return DODONA_OK;
}

static void close_model(ddn_model *m)
{
    free(m);
}

static void section_name(const toy *m, const char *name, char whole[2 * DDN_MAX_SECTION_NAME])
{
    memcpy(whole, m->part, sizeof m->part);
    strcat(strcat(whole, "."), name);
}

static void put(const ddn_model *m, ddn_output *o)
{
    ddn_put(o, (const char *)((const toy *)m)->w, sizeof((const toy *)m)->w);
}

static int take(ddn_model *base, const ddn_section *s, dodona_error *err)
{
    toy *m = (toy *)base;
    if (s->size != sizeof m->w)
        return ddn_fail(err, DODONA_E_INPUT, "the weights do not have the expected size");
    memcpy(m->w, s->data, sizeof m->w);
    return DODONA_OK;
}

static int open_model(const ddn_model_file *f, const ddn_spec *spec, ddn_model **out,
                      dodona_error *err)
{
    char name[2 * DDN_MAX_SECTION_NAME];
    const ddn_section *s;
    int status = new_model(spec, out, err);
    if (status < 0)
        return status;
    section_name((toy *)*out, "weights", name);
    status = ddn_model_file_find(f, name, &s, err);
    if (status >= 0)
        status = take(*out, s, err);
    if (status < 0) {
        close_model(*out);
        *out = NULL;
    }
    return status;
}

static int save(ddn_model *base, uint64_t limit, ddn_sections *to, dodona_error *err)
{
    const toy *m = (const toy *)base;
    char name[2 * DDN_MAX_SECTION_NAME];
    if (limit < sizeof m->w)
        return ddn_fail(err, DODONA_E_LIMIT, "the weights of the learner 'toy' take %zu bytes",
                        sizeof m->w);
    section_name(m, "labels", name);
    ddn_schema_put_labels(base->schema, ddn_sections_add(to, name));
    section_name(m, "weights", name);
    put(base, ddn_sections_add(to, name));
    return ddn_sections_check(to, err);
}

static int step(ddn_model *base, ddn_pass *const *pass, int n, dodona_error *err)
{
    toy *m = (toy *)base;
    (void)err;
    for (int i = 0; i < n; i++) {
        toy_pass *p = (toy_pass *)pass[i];
        for (size_t k = 0; k < p->changes; k++)
            m->w[p->change[k].weight] -= TEST_TOY_RATE * p->change[k].d;
        p->changes = 0;
    }
    return DODONA_OK;
}

/* ---- A pass ---- */

static int open_pass(const ddn_model *m, ddn_breadth breadth, ddn_pass **out, dodona_error *err)
{
    toy_pass *p = calloc(1, sizeof *p);
    (void)breadth;
    *out = NULL;
    if (!p)
        return ddn_fail_memory(err);
    p->base.model = m;
    p->model = (const toy *)m;
    *out = &p->base;
    return DODONA_OK;
}

static void end_pass(ddn_pass *base)
{
    toy_pass *p = (toy_pass *)base;
    free(p->word);
    free(p->key);
    free(p->change);
    free(p);
}

static uint64_t hash_column(const ddn_sentence *s, int32_t word, int column)
{
    dodona_text text = ddn_sentence_column(s, word, column);
    return XXH3_64bits(text.data, text.size);
}

static int encode(ddn_pass *base, const ddn_sentence *const *s, int m, dodona_error *err)
{
    toy_pass *p = (toy_pass *)base;
    size_t words = 0;
    for (int i = 0; i < m; i++) {
        p->first[i] = words + 1;
        words += (size_t)s[i]->n + 2;
    }
    if (!ddn_reserve(&p->word, &p->word_cap, words, sizeof *p->word))
        return ddn_fail_memory(err);
    for (int i = 0; i < m; i++) {
        struct toy_word *word = p->word + p->first[i];
        word[-1] = (struct toy_word){ 1, 1 };
        word[0] = (struct toy_word){ 2, 2 };
        for (int32_t w = 1; w <= s[i]->n; w++)
            word[w] =
                (struct toy_word){ hash_column(s[i], w, DDN_FORM), hash_column(s[i], w, DDN_UPOS) };
    }
    return DODONA_OK;
}

static void find_keys(const toy_pass *p, const ddn_query *q, uint64_t key[FEATURES])
{
    const struct toy_word *word = p->word + p->first[q->sentence];
    struct toy_word s0 = word[q->view->slot[S0].word], s1 = word[q->view->slot[S1].word],
                    q0 = word[q->view->slot[Q0].word];
    uint64_t pair = ddn_key(s1.tag, s0.tag);
    const uint64_t value[FEATURES] = { 0,
                                       s0.tag,
                                       s1.tag,
                                       q0.tag,
                                       s0.form,
                                       s1.form,
                                       q0.form,
                                       pair,
                                       ddn_key(s0.tag, q0.tag),
                                       ddn_key(pair, q0.tag),
                                       ddn_key(s1.form, s0.tag),
                                       ddn_key(s1.tag, s0.form) };
    for (uint64_t i = 0; i < FEATURES; i++)
        key[i] = ddn_key(i, value[i]);
}

static uint32_t weight_of(uint64_t key, uint32_t output)
{
    return (uint32_t)ddn_key(key, output) % TEST_TOY_WEIGHTS;
}

static ddn_score sum(const toy_pass *p, int32_t query, uint32_t output)
{
    ddn_score total = 0;
    for (int i = 0; i < FEATURES; i++)
        total += p->model->w[weight_of(p->key[query][i], output)];
    return total;
}

static int moves(ddn_pass *base, const ddn_query *query, int m, ddn_score *score, dodona_error *err)
{
    toy_pass *p = (toy_pass *)base;
    if (!ddn_reserve(&p->key, &p->key_cap, (size_t)m, sizeof *p->key))
        return ddn_fail_memory(err);
    for (int32_t q = 0; q < m; q++) {
        find_keys(p, &query[q], p->key[q]);
        for (int k = 0; k < base->model->schema->system->kinds; k++)
            score[q * DDN_MAX_KINDS + k] = sum(p, q, (uint32_t)k);
    }
    return DODONA_OK;
}

static uint32_t output_of(const ddn_model *m, const ddn_arc_query *q, uint32_t label)
{
    return DDN_MAX_KINDS + (uint32_t)q->kind * m->schema->labels.count + label;
}

static void labels(ddn_pass *base, const ddn_arc_query *q, ddn_score *score)
{
    const toy_pass *p = (const toy_pass *)base;
    for (uint32_t l = 0; l < base->model->schema->labels.count; l++)
        score[l] = sum(p, q->query, output_of(base->model, q, l));
}

static uint16_t label(ddn_pass *base, const ddn_arc_query *q, ddn_score *score)
{
    const toy_pass *p = (const toy_pass *)base;
    const ddn_schema *schema = base->model->schema;
    uint8_t use = q->arc.head == 0 ? DDN_LABEL_OF_ROOT : DDN_LABEL_OF_WORD;
    int best = -1;
    *score = 0;
    for (uint32_t l = 0; l < schema->labels.count; l++) {
        ddn_score s = schema->uses[l] & use ? sum(p, q->query, output_of(base->model, q, l)) : 0;
        if (schema->uses[l] & use && (best < 0 || s > *score)) {
            best = (int)l;
            *score = s;
        }
    }
    return (uint16_t)(best < 0 ? 0 : best);
}

/* ---- Learning ---- */

static int learn(toy_pass *p, int32_t query, uint32_t output, double d, dodona_error *err)
{
    if (!ddn_reserve(&p->change, &p->change_cap, p->changes + FEATURES, sizeof *p->change))
        return ddn_fail_memory(err);
    for (int i = 0; i < FEATURES; i++)
        p->change[p->changes++] = (struct toy_change){ weight_of(p->key[query][i], output), d };
    return DODONA_OK;
}

static int learn_move(ddn_pass *p, int32_t query, const ddn_adjoint *d, int m, dodona_error *err)
{
    int status = DODONA_OK;
    for (int i = 0; i < m && status >= 0; i++)
        status = learn((toy_pass *)p, query, (uint32_t)d[i].output, d[i].d, err);
    return status;
}

static int learn_label(ddn_pass *p, const ddn_arc_query *q, const ddn_adjoint *d, int m,
                       dodona_error *err)
{
    int status = DODONA_OK;
    for (int i = 0; i < m && status >= 0; i++)
        status = learn((toy_pass *)p, q->query, output_of(p->model, q, (uint32_t)d[i].output),
                       d[i].d, err);
    return status;
}

double *test_toy_weights(ddn_model *m)
{
    return ((toy *)m)->w;
}

const ddn_scorer ddn_scorer_toy = {
    .name = "toy",
    .summary = "log-linear model over a few hashed features",
    .batch = BATCH,
    .loss = &ddn_loss_softmax,
    .create = new_model,
    .open = open_model,
    .close = close_model,
    .save = save,
    .put = put,
    .take = take,
    .step = step,
    .pass = open_pass,
    .end = end_pass,
    .encode = encode,
    .moves = moves,
    .label = label,
    .labels = labels,
    .learn_move = learn_move,
    .learn_label = learn_label,
};
