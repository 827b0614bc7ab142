/* SPDX-License-Identifier: MIT */
/* perceptron.c - scoring with frozen weights.
 *
 * A step hashes each feature and asks for its cache line, and only then reads the lines, so that
 * they travel while other features are hashed.  The lists of class weights that the rows point to
 * are kept and read when a label is wanted: the best move is known by then, and half of them need
 * none.  Templates that are for labels alone are looked up only then.
 *
 * Of the views of one configuration, the first looks up all templates and the others only those
 * that see p.  All views are hashed before the first is looked up.
 *
 * Where words come back, sums are kept: memo.h does it for a beam, recall.h for two focus words. */
#include "model/perceptron.h"

#include "core/array.h"
#include "model/arcs.h"
#include "model/memo.h"
#include "model/recall.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parts that are not as they must be are the model's fault, and the message names its file. */
static int blame(const ddn_model_file *f, int status, dodona_error *err)
{
    if (status == DODONA_E_MEMORY)
        return status;
    if (err) {
        err->code = DODONA_E_MODEL;
        snprintf(err->file, sizeof err->file, "%s", f->path);
    }
    return DODONA_E_MODEL;
}

int ddn_perceptron_open(ddn_perceptron *p, const ddn_model_file *f, dodona_error *err)
{
    const ddn_section *templates, *labels, *rows, *lists;
    ddn_schema_init(&p->schema);
    int status = ddn_model_file_find(f, "parser.templates", &templates, err);
    if (status >= 0)
        status = ddn_model_file_find(f, "parser.labels", &labels, err);
    if (status >= 0)
        status = ddn_model_file_find(f, "parser.rows", &rows, err);
    if (status >= 0)
        status = ddn_model_file_find(f, "parser.lists", &lists, err);
    if (status < 0)
        return status;
    dodona_text name = ddn_model_file_meta(f, "system");
    char buf[64];
    snprintf(buf, sizeof buf, "%.*s", name.data ? (int)name.size : 0, name.data ? name.data : "");
    const ddn_system *system = ddn_system_find(buf);
    if (!system)
        return ddn_fail_at(err, DODONA_E_MODEL, f->path, 0,
                           "the model is for the transition system '%s', which this program does "
                           "not have",
                           buf);
    status = ddn_schema_set(&p->schema, system, templates->data, templates->size, f->path, err);
    p->schema.pseudo = ddn_model_file_meta(f, "pseudo").data != NULL;
    if (status >= 0)
        status = ddn_schema_take_labels(&p->schema, labels->data, labels->size, err);
    if (status >= 0)
        status = ddn_frozen_check(&p->frozen, p->schema.columns, ddn_schema_classes(&p->schema),
                                  rows->data, rows->size, lists->data, lists->size, err);
    if (status < 0) {
        ddn_perceptron_close(p);
        return blame(f, status, err);
    }
    return DODONA_OK;
}

void ddn_perceptron_close(ddn_perceptron *p)
{
    ddn_schema_fini(&p->schema);
}

static ddn_section section(const char *name, const void *data, uint64_t size)
{
    ddn_section s = { .data = data, .size = size };
    snprintf(s.name, sizeof s.name, "%s", name);
    return s;
}

void ddn_perceptron_sections(const ddn_section *templates, const ddn_output *labels,
                             const ddn_output *table, const ddn_output *pool, ddn_section *out)
{
    out[0] = section("parser.templates", templates->data, templates->size);
    out[1] = section("parser.labels", labels->data, labels->size);
    out[2] = section("parser.rows", table->data, table->size);
    out[3] = section("parser.lists", pool->data, pool->size);
}

typedef struct reading {
    ddn_scoring base;
    const ddn_schema *schema;
    const ddn_frozen *frozen;
    ddn_encodings encoded;
    uint32_t *atom; /* [views][atoms] of the last call */
    uint64_t *key;  /* [views][templates] of the last call, where they were needed */
    uint32_t *list; /* [views][templates] */
    struct shared {
        int view;                   /* where the lists of the templates that do not see p are */
        int32_t sum[DDN_MAX_KINDS]; /* of those templates */
    } * shared;                     /* [views] */
    size_t atom_cap, key_cap, list_cap, shared_cap;
    /* Configurations at a time, so that it pays to keep sums in memo instead of all this.  Not
     * where moves have positions: only the first view of a configuration is whole then. */
    bool many;
    ddn_memo memo;
    /* Or one at a time, with two focus words, so that it pays to keep what depends on either. */
    bool recalls;
    ddn_recall recall;
    int32_t *sum; /* [classes] of view summed; -1: of none */
    int summed;
    size_t sum_cap;
} reading;

static void close_reading(ddn_scoring *g)
{
    reading *w = (reading *)g;
    ddn_encodings_fini(&w->encoded);
    ddn_memo_fini(&w->memo);
    ddn_recall_fini(&w->recall);
    free(w->atom);
    free(w->key);
    free(w->list);
    free(w->shared);
    free(w->sum);
    free(w);
}

static int reserve(ddn_scoring *g, int views, dodona_error *err)
{
    reading *w = (reading *)g;
    const ddn_templates *t = &w->schema->templates;
    size_t m = (size_t)views;
    w->many |= views > 1 && t->plain == t->atoms && !w->schema->system->positions;
    if (w->many)
        return ddn_memo_reserve(&w->memo, views, err);
    if (w->recalls)
        return ddn_recall_reserve(&w->recall, err);
    if (!ddn_reserve(&w->atom, &w->atom_cap, m * (size_t)t->atoms, sizeof *w->atom) ||
        !ddn_reserve(&w->key, &w->key_cap, m * (size_t)t->templates, sizeof *w->key) ||
        !ddn_reserve(&w->list, &w->list_cap, m * (size_t)t->templates, sizeof *w->list) ||
        !ddn_reserve(&w->shared, &w->shared_cap, m, sizeof *w->shared) ||
        !ddn_reserve(&w->sum, &w->sum_cap, ddn_schema_classes(w->schema), sizeof *w->sum))
        return ddn_fail_memory(err);
    return DODONA_OK;
}

static int begin(ddn_scoring *g, const ddn_sentence *const *s, int m, dodona_error *err)
{
    reading *w = (reading *)g;
    if (w->many)
        ddn_memo_begin(&w->memo);
    return ddn_encode_all(&w->encoded, &w->schema->templates, s, m, err);
}

static size_t at(const reading *w, int v)
{
    return (size_t)v * (size_t)w->schema->templates.templates;
}

/* The keys of templates from..to-1 of view v, with their buckets on the way. */
static void find_keys(reading *w, int v, int from, int to)
{
    const ddn_templates *t = &w->schema->templates;
    const uint32_t *atom = w->atom + (size_t)v * (size_t)t->atoms;
    uint64_t *key = w->key + at(w, v);
    for (int i = from; i < to; i++) {
        key[i] = ddn_feature_key(t, &w->schema->hashing, atom, i);
        ddn_frozen_prefetch(w->frozen, key[i]);
    }
}

static void hash_view(reading *w, int which, const ddn_view *view, int v)
{
    const ddn_templates *t = &w->schema->templates;
    size_t atoms = (size_t)t->atoms;
    uint32_t *atom = w->atom + (size_t)v * atoms;
    if (view->back) {
        memcpy(atom, w->atom + (size_t)(v - view->back) * atoms, atoms * sizeof *atom);
        ddn_read_atoms_of_p(t, &w->encoded.of[which], view, atom);
        find_keys(w, v, t->from, t->to);
    } else {
        ddn_read_atoms(t, &w->encoded.of[which], view, atom);
        find_keys(w, v, 0, t->from);
        find_keys(w, v, t->to, t->moves);
    }
}

/* Adds the weights of templates from..to-1 of view v, and notes their lists. */
static void look_up(const reading *w, int v, int from, int to, int32_t *sum)
{
    size_t first = at(w, v) + (size_t)from;
    ddn_frozen_kinds(w->frozen, w->key + first, to - from, sum, w->list + first);
}

static void score_view(reading *w, int v, int back, ddn_score *score)
{
    const ddn_templates *t = &w->schema->templates;
    int32_t sum[DDN_MAX_KINDS];
    struct shared *shared = &w->shared[v];
    if (back) {
        *shared = w->shared[v - back];
    } else {
        *shared = (struct shared){ .view = v };
        look_up(w, v, 0, t->from, shared->sum);
        look_up(w, v, t->to, t->moves, shared->sum);
    }
    memcpy(sum, shared->sum, sizeof sum);
    if (back)
        look_up(w, v, t->from, t->to, sum);
    for (int k = 0; k < w->frozen->kinds; k++)
        score[k] = sum[k];
}

static void kinds(ddn_scoring *g, int which, const ddn_view *views, int m, ddn_score *score)
{
    reading *w = (reading *)g;
    if (w->many) {
        ddn_memo_score(&w->memo, &w->encoded.of[which], views, m);
        for (int v = 0; v < m; v++)
            for (int k = 0; k < w->frozen->kinds; k++)
                score[v * DDN_MAX_KINDS + k] = ddn_memo_total(&w->memo, v)[k];
        return;
    }
    if (w->recalls) {
        int32_t sum[DDN_MAX_KINDS];
        ddn_recall_score(&w->recall, &w->encoded.of[which], views, sum);
        for (int k = 0; k < w->frozen->kinds; k++)
            score[k] = sum[k];
        return;
    }
    w->summed = -1;
    for (int v = 0; v < m; v++)
        hash_view(w, which, &views[v], v);
    for (int v = 0; v < m; v++)
        score_view(w, v, views[v].back, score + v * DDN_MAX_KINDS);
}

/* The sums of all classes in view v: those of one kind cost as much as those of all. */
static const int32_t *sum_classes(reading *w, int v)
{
    if (w->many)
        return ddn_memo_total(&w->memo, v) + w->frozen->kinds;
    if (w->recalls)
        return ddn_recall_classes(&w->recall);
    const ddn_templates *t = &w->schema->templates;
    uint32_t list[DDN_MAX_TEMPLATES];
    int32_t unused[DDN_MAX_KINDS] = { 0 };
    bool placed = w->shared[v].view != v;
    int count = t->from, seeing = placed ? t->both - t->from : 0;
    int first = placed ? t->moves : t->labels, own = t->templates - first;
    if (w->summed == v)
        return w->sum;
    memset(w->sum, 0, ddn_schema_classes(w->schema) * sizeof *w->sum);
    find_keys(w, v, first, t->templates);
    memcpy(list, w->list + at(w, w->shared[v].view), (size_t)count * sizeof *list);
    memcpy(list + count, w->list + at(w, v) + t->from, (size_t)seeing * sizeof *list);
    count += seeing;
    ddn_frozen_kinds(w->frozen, w->key + at(w, v) + first, own, unused, list + count);
    ddn_frozen_classes(w->frozen, list, count + own, w->sum);
    w->summed = v;
    return w->sum;
}

static uint16_t label(ddn_scoring *g, int v, int kind, ddn_arc arc, ddn_score *score)
{
    reading *w = (reading *)g;
    const int32_t *sum = sum_classes(w, v);
    uint16_t best = ddn_schema_best_label(w->schema, kind, arc.head == 0, sum);
    *score = sum[ddn_schema_class(w->schema, kind, best)];
    return best;
}

static ddn_score label_score(ddn_scoring *g, int v, int kind, uint16_t label_id)
{
    reading *w = (reading *)g;
    return sum_classes(w, v)[ddn_schema_class(w->schema, kind, label_id)];
}

static const ddn_encoded *encoded(const ddn_scoring *g, int which)
{
    return &((const reading *)g)->encoded.of[which];
}

static const ddn_scorer perceptron = {
    .name = "perceptron",
    .facets = DDN_FACET_STATES,
    .close = close_reading,
    .reserve = reserve,
    .begin = begin,
    .encoded = encoded,
    .kinds = kinds,
    .label = label,
    .label_score = label_score,
};

int ddn_perceptron_scoring(const ddn_schema *schema, const ddn_frozen *frozen, ddn_scoring **out,
                           dodona_error *err)
{
    if (schema->by_arc)
        return ddn_arc_scoring_new(schema, frozen, NULL, out, err);
    reading *w = calloc(1, sizeof *w);
    if (!w)
        return ddn_fail_memory(err);
    w->base.scorer = &perceptron;
    w->base.layout = &schema->templates.layout;
    w->base.templates = &schema->templates;
    w->schema = schema;
    w->frozen = frozen;
    ddn_memo_init(&w->memo, schema, frozen);
    w->recalls = ddn_recall_helps(schema);
    ddn_recall_init(&w->recall, schema, frozen);
    *out = &w->base;
    return DODONA_OK;
}
