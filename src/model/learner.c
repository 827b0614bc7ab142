/* SPDX-License-Identifier: MIT */
/* learner.c - scoring with weights that change.
 *
 * kinds keeps the keys and rows of its views, so that an update finds them without hashing again.
 * Of the views of one configuration, the first looks up the templates that do not see p; the others
 * only those that do, and copy the rest. */
#include "model/perceptron.h"

#include "core/array.h"
#include "model/arcs.h"

#include <stdlib.h>
#include <string.h>

struct ddn_learner {
    ddn_scoring base;
    const ddn_schema *schema;
    ddn_weights weights;
    ddn_scoring *arcs; /* where templates see arcs: the scoring in place of base */
    ddn_encoded encoded;
    uint64_t *key; /* [views][templates] of the last call */
    uint32_t *row;
    struct shared {
        bool placed;                  /* templates that see p count */
        ddn_score sum[DDN_MAX_KINDS]; /* of those that do not see p */
    } * shared;                       /* [views] */
    int32_t *sum;                     /* [classes] of view summed; -1: of none */
    int summed;
    size_t key_cap, row_cap, shared_cap, sum_cap;
};

static int reserve(ddn_scoring *g, int views, dodona_error *err)
{
    ddn_learner *l = (ddn_learner *)g;
    size_t room = (size_t)views * (size_t)l->schema->templates.templates;
    if (!ddn_reserve(&l->key, &l->key_cap, room, sizeof *l->key) ||
        !ddn_reserve(&l->row, &l->row_cap, room, sizeof *l->row) ||
        !ddn_reserve(&l->shared, &l->shared_cap, (size_t)views, sizeof *l->shared) ||
        !ddn_reserve(&l->sum, &l->sum_cap, ddn_schema_classes(l->schema), sizeof *l->sum))
        return ddn_fail_memory(err);
    return DODONA_OK;
}

static int begin(ddn_scoring *g, const ddn_sentence *const *s, int m, dodona_error *err)
{
    ddn_learner *l = (ddn_learner *)g;
    (void)m; /* training reads one sentence at a time */
    return ddn_encode(&l->encoded, &l->schema->templates, s[0], err);
}

/* Keys and rows of templates from..to-1 of view v. */
static void find_rows(ddn_learner *l, int v, const uint32_t *atom, int from, int to)
{
    const ddn_weights *weights = &l->weights;
    const ddn_templates *t = &l->schema->templates;
    uint64_t *key = l->key + (size_t)v * (size_t)t->templates;
    uint32_t *row = l->row + (size_t)v * (size_t)t->templates;
    for (int i = from; i < to; i++) {
        key[i] = ddn_feature_key(t, &l->schema->hashing, atom, i);
        ddn_weights_prefetch(weights, key[i]);
    }
    for (int i = from; i < to; i++) {
        row[i] = ddn_weights_find(weights, key[i]);
        __builtin_prefetch(weights->w + (size_t)row[i] * (size_t)weights->kinds);
    }
}

static void no_rows(ddn_learner *l, int v, int from, int to)
{
    size_t first = (size_t)v * (size_t)l->schema->templates.templates + (size_t)from;
    memset(l->row + first, 0, (size_t)(to - from) * sizeof *l->row);
}

/* Sums are of integers, and exact. */
static void add_rows(const ddn_learner *l, int v, int from, int to, ddn_score *sum)
{
    const ddn_weights *weights = &l->weights;
    const uint32_t *row = l->row + (size_t)v * (size_t)l->schema->templates.templates;
    int kinds = weights->kinds;
    for (int i = from; i < to; i++)
        for (int k = 0; k < kinds; k++)
            sum[k] += weights->w[(size_t)row[i] * (size_t)kinds + (size_t)k];
}

static void copy_rows(ddn_learner *l, int v, int back)
{
    size_t templates = (size_t)l->schema->templates.templates;
    size_t to = (size_t)v * templates, from = (size_t)(v - back) * templates;
    memcpy(l->key + to, l->key + from, templates * sizeof *l->key);
    memcpy(l->row + to, l->row + from, templates * sizeof *l->row);
    l->shared[v] = l->shared[v - back];
    l->shared[v].placed = true;
}

static void find_first(ddn_learner *l, int v, const uint32_t *atom)
{
    const ddn_templates *t = &l->schema->templates;
    find_rows(l, v, atom, 0, t->from);
    no_rows(l, v, t->from, t->to);
    find_rows(l, v, atom, t->to, t->moves);
    no_rows(l, v, t->moves, t->labels);
    find_rows(l, v, atom, t->labels, t->templates);
    l->shared[v] = (struct shared){ 0 };
    add_rows(l, v, 0, t->from, l->shared[v].sum);
    add_rows(l, v, t->to, t->moves, l->shared[v].sum);
}

static void kinds(ddn_scoring *g, int which, const ddn_view *views, int m, ddn_score *score)
{
    ddn_learner *l = (ddn_learner *)g;
    const ddn_templates *t = &l->schema->templates;
    uint32_t atom[DDN_MAX_ATOMS];
    (void)which;
    l->summed = -1;
    for (int v = 0; v < m; v++) {
        if (views[v].back) {
            ddn_read_atoms_of_p(t, &l->encoded, &views[v], atom);
            copy_rows(l, v, views[v].back);
            find_rows(l, v, atom, t->from, t->to);
            find_rows(l, v, atom, t->moves, t->labels);
        } else {
            ddn_read_atoms(t, &l->encoded, &views[v], atom);
            find_first(l, v, atom);
        }
        ddn_score *sum = score + v * DDN_MAX_KINDS;
        memcpy(sum, l->shared[v].sum, sizeof l->shared[v].sum);
        add_rows(l, v, t->from, t->to, sum);
    }
}

static void add_lists(const ddn_weights *weights, const uint32_t *row, int n, int32_t *sum)
{
    for (int i = 0; i < n; i++)
        __builtin_prefetch(&weights->list[row[i]]);
    for (int i = 0; i < n; i++)
        __builtin_prefetch(&weights->class[weights->list[row[i]].at]);
    for (int i = 0; i < n; i++) {
        struct ddn_list list = weights->list[row[i]];
        for (unsigned j = 0; j < list.count; j++)
            sum[weights->class[list.at + j].class] += weights->class[list.at + j].w;
    }
}

static void sum_classes(ddn_learner *l, int v)
{
    const ddn_templates *t = &l->schema->templates;
    const uint32_t *row = l->row + (size_t)v * (size_t)t->templates;
    if (l->summed == v)
        return;
    memset(l->sum, 0, ddn_schema_classes(l->schema) * sizeof *l->sum);
    add_lists(&l->weights, row, t->both, l->sum);
    add_lists(&l->weights, row + t->moves, t->templates - t->moves, l->sum);
    l->summed = v;
}

static uint16_t label(ddn_scoring *g, int v, int kind, ddn_arc arc, ddn_score *score)
{
    ddn_learner *l = (ddn_learner *)g;
    sum_classes(l, v);
    uint16_t best = ddn_schema_best_label(l->schema, kind, arc.head == 0, l->sum);
    *score = l->sum[ddn_schema_class(l->schema, kind, best)];
    return best;
}

static ddn_score label_score(ddn_scoring *g, int v, int kind, uint16_t label_id)
{
    ddn_learner *l = (ddn_learner *)g;
    sum_classes(l, v);
    return l->sum[ddn_schema_class(l->schema, kind, label_id)];
}

static void close_learner(ddn_scoring *g)
{
    ddn_learner_free((ddn_learner *)g);
}

static const ddn_encoded *encoded(const ddn_scoring *g, int which)
{
    (void)which;
    return &((const ddn_learner *)g)->encoded;
}

static const ddn_scorer learner = {
    .name = "perceptron",
    .facets = DDN_FACET_STATES,
    .close = close_learner,
    .reserve = reserve,
    .begin = begin,
    .encoded = encoded,
    .kinds = kinds,
    .label = label,
    .label_score = label_score,
};

int ddn_learner_new(const ddn_schema *schema, ddn_learner **out, dodona_error *err)
{
    ddn_learner *l = calloc(1, sizeof *l);
    if (!l)
        return ddn_fail_memory(err);
    int status = ddn_weights_init(&l->weights, schema->columns, err);
    if (status >= 0 && schema->by_arc)
        status = ddn_arc_scoring_new(schema, NULL, &l->weights, &l->arcs, err);
    if (status < 0) {
        ddn_weights_fini(&l->weights);
        free(l);
        return status;
    }
    l->base.scorer = &learner;
    l->base.layout = &schema->templates.layout;
    l->base.templates = &schema->templates;
    l->schema = schema;
    ddn_encoded_init(&l->encoded);
    *out = l;
    return DODONA_OK;
}

void ddn_learner_free(ddn_learner *l)
{
    if (!l)
        return;
    if (l->arcs)
        l->arcs->scorer->close(l->arcs);
    ddn_weights_fini(&l->weights);
    ddn_encoded_fini(&l->encoded);
    free(l->key);
    free(l->row);
    free(l->shared);
    free(l->sum);
    free(l);
}

ddn_scoring *ddn_learner_scoring(ddn_learner *l)
{
    return l->arcs ? l->arcs : &l->base;
}

ddn_weights *ddn_learner_weights(ddn_learner *l)
{
    return &l->weights;
}

int ddn_learner_move(ddn_learner *l, int v, int kind, int32_t delta, dodona_error *err)
{
    const ddn_templates *t = &l->schema->templates;
    if (l->arcs)
        return ddn_arc_scoring_move(l->arcs, v, kind, delta, err);
    for (int i = 0; i < t->moves; i++) {
        if (t->line[i].sees_p && !l->shared[v].placed)
            continue;
        uint64_t key = l->key[(size_t)v * (size_t)t->templates + (size_t)i];
        int status = ddn_weights_add_kind(&l->weights, key, kind, delta, err);
        if (status < 0)
            return status;
    }
    return DODONA_OK;
}

int ddn_learner_label(ddn_learner *l, int v, int kind, uint16_t label_id, int32_t delta,
                      dodona_error *err)
{
    const ddn_templates *t = &l->schema->templates;
    if (l->arcs)
        return ddn_arc_scoring_label(l->arcs, v, label_id, delta, err);
    uint16_t class = ddn_schema_class(l->schema, kind, label_id);
    l->summed = -1;
    for (int i = 0; i < t->templates; i++) {
        if (!(t->line[i].use & DDN_FOR_LABELS) || (t->line[i].sees_p && !l->shared[v].placed))
            continue;
        uint64_t key = l->key[(size_t)v * (size_t)t->templates + (size_t)i];
        int status = ddn_weights_add_class(&l->weights, key, class, delta, err);
        if (status < 0)
            return status;
    }
    return DODONA_OK;
}
