/* SPDX-License-Identifier: MIT */
/* perceptron.c - the averaged perceptron: its model, and its head for words.
 *
 * A parser's sections are the text of the templates, the labels, the table of rows and the pool of
 * lists (model/frozen.h).  A model for words is one section: a header of 64 bytes, then table and
 * pool,
 *     classes (u32)  0 (u32)  bytes of the table (u64)  bytes of the pool (u64)  zeros
 * Up to FEW_CLASSES classes are the columns of a row and no row has a list; with more, a row has
 * one column, which is always 0, and the classes are in the list. */
#include "model/perceptron.h"

#include "chart/targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_CLASSES = 4, MOST_CLASSES = DDN_CHUNK_MORE };

typedef struct header {
    uint32_t classes, unused;
    uint64_t table, pool;
    uint64_t zero[5];
} header;

_Static_assert(sizeof(header) == 64, "sections are aligned to 64 bytes, and so is what follows");

extern const ddn_scorer ddn_scorer_perceptron;

/* ---- Models ---- */

static bool has_few(int classes)
{
    return classes <= FEW_CLASSES;
}

static int columns_for(int classes)
{
    return has_few(classes) ? classes : 1;
}

static void close_model(ddn_model *base)
{
    ddn_perceptron *m = (ddn_perceptron *)base;
    ddn_linear_fini(&m->linear);
    free(m);
}

static int new_model(const ddn_spec *spec, ddn_perceptron **out, dodona_error *err)
{
    ddn_perceptron *m = calloc(1, sizeof *m);
    if (!m)
        return ddn_fail_memory(err);
    m->base.scorer = &ddn_scorer_perceptron;
    m->base.schema = spec->schema;
    snprintf(m->part, sizeof m->part, "%s", spec->part);
    *out = m;
    return DODONA_OK;
}

/* What follows from the templates of a parser. */
static int read_templates(ddn_perceptron *m, const char *text, size_t size, const char *name,
                          dodona_error *err)
{
    m->text = text;
    m->text_size = size;
    int status = ddn_features_init(&m->features, m->base.schema, text, size, name, err);
    if (status < 0)
        return status;
    m->reads = ddn_templates_reads(&m->features.templates);
    m->base.layout = &m->features.templates.layout;
    m->base.reads = &m->reads;
    m->base.heads = DDN_HEAD_MOVES;
    m->base.templates = m->features.templates.templates;
    if (m->features.by_arc)
        ddn_perceptron_plan_arcs(m);
    return DODONA_OK;
}

static void set_classes(ddn_perceptron *m, int classes)
{
    m->base.heads = DDN_HEAD_WORDS;
    m->base.classes = classes;
}

static int create(const ddn_spec *spec, ddn_model **out, dodona_error *err)
{
    ddn_perceptron *m = NULL;
    *out = NULL;
    int status = new_model(spec, &m, err), columns = columns_for(spec->classes);
    if (status < 0)
        return status;
    if (spec->schema) {
        status =
            read_templates(m, spec->templates, spec->templates_size, spec->templates_name, err);
        columns = m->features.columns;
    } else {
        set_classes(m, spec->classes);
    }
    if (status >= 0)
        status = ddn_linear_init(&m->linear, columns, err);
    if (status < 0)
        close_model(&m->base);
    else
        *out = &m->base;
    return status;
}

/* ---- Sections ---- */

static int find_part(const ddn_model_file *f, const ddn_perceptron *m, const char *name,
                     const ddn_section **out, dodona_error *err)
{
    char whole[2 * DDN_MAX_SECTION_NAME];
    snprintf(whole, sizeof whole, "%s.%s", m->part, name);
    return ddn_model_file_find(f, whole, out, err);
}

static int open_parser(ddn_perceptron *m, const ddn_model_file *f, dodona_error *err)
{
    const ddn_section *templates, *rows, *lists;
    int status = find_part(f, m, "templates", &templates, err);
    if (status >= 0)
        status = find_part(f, m, "rows", &rows, err);
    if (status >= 0)
        status = find_part(f, m, "lists", &lists, err);
    if (status >= 0)
        status = read_templates(m, templates->data, templates->size, f->path, err);
    if (status < 0)
        return status;
    return ddn_frozen_check(&m->linear.frozen, m->features.columns,
                            ddn_features_classes(&m->features), rows->data, rows->size, lists->data,
                            lists->size, err);
}

static int open_words(ddn_perceptron *m, const ddn_model_file *f, dodona_error *err)
{
    const ddn_section *s;
    header h;
    int status = ddn_model_file_find(f, m->part, &s, err);
    if (status < 0)
        return status;
    if (s->size < sizeof h)
        return ddn_fail(err, DODONA_E_MODEL, "the weights of a classifier are cut short");
    memcpy(&h, s->data, sizeof h);
    uint64_t size = s->size - sizeof h;
    if (h.classes < 2 || h.classes > MOST_CLASSES || h.table > size || h.pool != size - h.table)
        return ddn_fail(err, DODONA_E_MODEL, "the header of a classifier is invalid");
    const char *table = (const char *)s->data + sizeof h;
    set_classes(m, (int)h.classes);
    return ddn_frozen_check(&m->linear.frozen, columns_for((int)h.classes), h.classes, table,
                            h.table, table + h.table, h.pool, err);
}

static int open_model(const ddn_model_file *f, const ddn_spec *spec, ddn_model **out,
                      dodona_error *err)
{
    ddn_perceptron *m = NULL;
    *out = NULL;
    int status = new_model(spec, &m, err);
    if (status < 0)
        return status;
    status = spec->schema ? open_parser(m, f, err) : open_words(m, f, err);
    m->linear.columns = m->linear.frozen.kinds;
    if (status < 0)
        close_model(&m->base);
    else
        *out = &m->base;
    return status;
}

static ddn_output *add_part(ddn_sections *to, const ddn_perceptron *m, const char *name)
{
    char whole[2 * DDN_MAX_SECTION_NAME];
    snprintf(whole, sizeof whole, "%s.%s", m->part, name);
    return ddn_sections_add(to, whole);
}

static int save_parser(ddn_perceptron *m, uint64_t limit, ddn_sections *to, dodona_error *err)
{
    ddn_put(add_part(to, m, "templates"), m->text, m->text_size);
    ddn_schema_put_labels(m->base.schema, add_part(to, m, "labels"));
    ddn_output *rows = add_part(to, m, "rows"), *lists = add_part(to, m, "lists");
    return ddn_linear_freeze(&m->linear, limit, rows, lists, err);
}

static int save_words(ddn_perceptron *m, uint64_t limit, ddn_sections *to, dodona_error *err)
{
    ddn_output table, pool, *section = ddn_sections_add(to, m->part);
    ddn_output_memory(&table);
    ddn_output_memory(&pool);
    int status = ddn_linear_freeze(&m->linear, limit, &table, &pool, err);
    if (status >= 0) {
        header h = { .classes = (uint32_t)m->base.classes, .table = table.size, .pool = pool.size };
        ddn_put(section, (const char *)&h, sizeof h);
        ddn_put(section, table.data, table.size);
        ddn_put(section, pool.data, pool.size);
    }
    ddn_output_abandon(&table);
    ddn_output_abandon(&pool);
    return status;
}

static int save(ddn_model *base, uint64_t limit, ddn_sections *to, dodona_error *err)
{
    ddn_perceptron *m = (ddn_perceptron *)base;
    int status = base->schema ? save_parser(m, limit, to, err) : save_words(m, limit, to, err);
    return status < 0 ? status : ddn_sections_check(to, err);
}

/* ---- Learning ---- */

static int restart(ddn_model *base, dodona_error *err)
{
    return ddn_linear_restart(&((ddn_perceptron *)base)->linear, err);
}

static void put(const ddn_model *base, ddn_output *o)
{
    ddn_linear_put(&((const ddn_perceptron *)base)->linear, o);
}

static int take(ddn_model *base, const ddn_section *s, dodona_error *err)
{
    ddn_perceptron *m = (ddn_perceptron *)base;
    uint32_t classes = base->schema ? ddn_features_classes(&m->features) : (uint32_t)base->classes;
    return ddn_linear_take(&m->linear, classes, s, err);
}

/* The average of a parser's weights is over those after each step, that of a model for words over
 * those before it; model files depend on it. */
static int step(ddn_model *base, ddn_pass *const *pass, int n, dodona_error *err)
{
    ddn_linear *l = &((ddn_perceptron *)base)->linear;
    int status = DODONA_OK;
    bool changes = false;
    l->weights.steps += !base->schema;
    for (int i = 0; i < n && status >= 0; i++) {
        ddn_perceptron_pass *p = (ddn_perceptron_pass *)pass[i];
        p->summed = DDN_SUMMED_NONE;
        changes = changes || p->updates.changes;
        status = ddn_linear_apply(l, &p->updates, err);
    }
    l->weights.steps += base->schema != NULL;
    base->updates += changes;
    return status;
}

static int lacks(const ddn_model *base, unsigned head, dodona_error *err)
{
    const ddn_perceptron *m = (const ddn_perceptron *)base;
    if (head == DDN_HEAD_ARCS)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "exact search needs scores of arcs, and this model has none: train it with "
                        "a set of templates that has some below [arcs], as with --search exact");
    if (head == DDN_HEAD_PAIRS && m->why)
        return ddn_fail(
            err, DODONA_E_ARGUMENT,
            "exact search can't use the template in line %d of the model's templates: %s",
            m->bad_template, m->why);
    return DODONA_OK;
}

/* ---- Passes ---- */

static void end_pass(ddn_pass *base)
{
    ddn_perceptron_pass *p = (ddn_perceptron_pass *)base;
    ddn_arena_fini(&p->queries);
    ddn_arena_fini(&p->cache);
    ddn_encodings_fini(&p->encoded);
    ddn_updates_fini(&p->updates);
    free(p->sum);
    free(p);
}

static int open_pass(const ddn_model *base, ddn_breadth breadth, ddn_pass **out, dodona_error *err)
{
    const ddn_perceptron *m = (const ddn_perceptron *)base;
    const ddn_pass_table *table = !base->schema        ? NULL
                                  : m->features.by_arc ? &ddn_pass_by_arcs
                                                       : &ddn_pass_by_moves;
    size_t classes = table ? ddn_features_classes(&m->features) : (size_t)base->classes;
    ddn_perceptron_pass *p = calloc(1, table ? table->size : sizeof *p);
    *out = NULL;
    if (!p)
        return ddn_fail_memory(err);
    p->base.model = base;
    p->model = m;
    p->table = table;
    p->summed = DDN_SUMMED_NONE;
    p->sum = calloc(classes + DDN_SUM_LANES, sizeof *p->sum);
    if (!p->sum) {
        end_pass(&p->base);
        return ddn_fail_memory(err);
    }
    if (table && table->init)
        table->init(p, breadth);
    *out = &p->base;
    return DODONA_OK;
}

static int encode(ddn_pass *base, const ddn_sentence *const *s, int m, dodona_error *err)
{
    ddn_perceptron_pass *p = (ddn_perceptron_pass *)base;
    p->summed = DDN_SUMMED_NONE;
    return ddn_encode_all(&p->encoded, &p->model->features.templates, s, m, err);
}

static const uint32_t *values(const ddn_pass *base, int sentence)
{
    return ((const ddn_perceptron_pass *)base)->encoded.of[sentence].value;
}

static int moves(ddn_pass *base, const ddn_query *query, int m, ddn_score *score, dodona_error *err)
{
    ddn_perceptron_pass *p = (ddn_perceptron_pass *)base;
    if (m > p->room) {
        ddn_arena_reset(&p->queries);
        p->table->reserve(p, (size_t)m);
        p->room = p->queries.failed || p->cache.failed ? 0 : m;
        if (!p->room)
            return ddn_fail_memory(err);
    }
    p->table->moves(p, query, m, score);
    return DODONA_OK;
}

static uint16_t label(ddn_pass *base, const ddn_arc_query *q, ddn_score *score)
{
    ddn_perceptron_pass *p = (ddn_perceptron_pass *)base;
    const int32_t *sum = p->table->labels(p, q);
    uint16_t best = ddn_schema_best_label(base->model->schema, q->arc.head == 0, sum);
    *score = sum[best];
    return best;
}

static void labels(ddn_pass *base, const ddn_arc_query *q, ddn_score *score)
{
    ddn_perceptron_pass *p = (ddn_perceptron_pass *)base;
    const int32_t *sum = p->table->labels(p, q);
    for (uint32_t l = 0; l < base->model->schema->labels.count; l++)
        score[l] = sum[l];
}

static int learn_move(ddn_pass *base, int32_t query, const ddn_adjoint *d, int m, dodona_error *err)
{
    ddn_perceptron_pass *p = (ddn_perceptron_pass *)base;
    return p->table->learn_move(p, query, d, m, err);
}

static int learn_label(ddn_pass *base, const ddn_arc_query *q, const ddn_adjoint *d, int m,
                       dodona_error *err)
{
    ddn_perceptron_pass *p = (ddn_perceptron_pass *)base;
    return p->table->learn_label(p, q, d, m, err);
}

/* ---- Words ---- */

DDN_TARGETS
static void to_scores(const int32_t *restrict sum, ddn_score *restrict score, size_t classes)
{
    for (size_t c = 0; c < classes; c++)
        score[c] = sum[c];
}

static void words(ddn_pass *base, const uint64_t *key, int n, ddn_score *score)
{
    ddn_perceptron_pass *p = (ddn_perceptron_pass *)base;
    const ddn_linear *l = &p->model->linear;
    uint32_t list[DDN_MAX_KEYS];
    int32_t none[1] = { 0 };
    int classes = base->model->classes;
    memset(p->sum, 0, (size_t)classes * sizeof *p->sum);
    ddn_linear_prefetch(l, key, n);
    if (has_few(classes)) {
        ddn_linear_rows(l, key, n, p->sum, list);
    } else {
        ddn_linear_rows(l, key, n, none, list);
        ddn_linear_lists(l, list, n, p->sum);
    }
    to_scores(p->sum, score, (size_t)classes);
}

static int learn_word(ddn_pass *base, const uint64_t *key, int n, const ddn_adjoint *d, int m,
                      dodona_error *err)
{
    ddn_perceptron_pass *p = (ddn_perceptron_pass *)base;
    bool is_class = !has_few(base->model->classes);
    int status = ddn_updates_keys(&p->updates, key, n, err);
    for (int i = 0; i < m && status >= 0; i++)
        status =
            ddn_updates_change(&p->updates, (uint16_t)d[i].output, is_class, -(int32_t)d[i].d, err);
    return status;
}

const ddn_scorer ddn_scorer_perceptron = {
    .name = "perceptron",
    .summary = "averaged perceptron over feature templates",
    .temperature = 2048,
    .templates = true,
    .online = true,
    .batch = 1,
    .loss = &ddn_loss_perceptron,
    .create = create,
    .open = open_model,
    .close = close_model,
    .save = save,
    .restart = restart,
    .put = put,
    .take = take,
    .step = step,
    .lacks = lacks,
    .pass = open_pass,
    .end = end_pass,
    .encode = encode,
    .moves = moves,
    .label = label,
    .labels = labels,
    .arcs = ddn_perceptron_arcs,
    .pairs = ddn_perceptron_pairs,
    .words = words,
    .values = values,
    .learn_move = learn_move,
    .learn_label = learn_label,
    .learn_word = learn_word,
};
