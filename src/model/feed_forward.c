/* SPDX-License-Identifier: MIT */
/* feed_forward.c - the model of the scorer 'feed-forward': its fields, how it learns, and files.
 *
 * Nederhof 2019 has 256 hidden nodes, vectors of 100 numbers for forms, batches of 100
 * configurations and 20 epochs.  Here a batch is of whole sentences, since a dynamic oracle walks
 * along them, and with AdamW half the epochs do.
 *
 * Sections: sizes as lines of text, the templates, the labels, and the values that the sources of
 * the templates had in training, for each source their number on a line and then a line each; and
 * those of tensors.h.  Forms, lemmas and affixes that were seen once are read as unknown, and so
 * teach what to do with a word that was never seen. */
#include "model/feed_forward.h"

#include "core/array.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HIDDEN = 256, WORD_WIDTH = 100, OTHER_WIDTH = 32 };
enum { MOST_SIZE = 1024, MOST_VALUES = 1 << 20 };
enum { EPOCHS = 10, BATCH_WORDS = 200 };
enum { LABELS_IN_A_SET = 64, DISTANCES = 9 };
#define AVERAGING 0.99
#define DROPOUT   0.5f

_Static_assert(MOST_SIZE <= (int)DDN_INT8_DEPTH, "inputs of products");

extern const ddn_scorer ddn_scorer_feed_forward;

/* ---- Fields ---- */

static bool is_rare(const ddn_source *s)
{
    return strchr("wmps", s->attribute) != NULL;
}

static int field_of(const ddn_templates *t, const ddn_atom *a)
{
    switch (a->kind) {
    case DDN_ATOM_WORD:
        return a->detail;
    case DDN_ATOM_LABEL:
        return t->sources + DDN_FIELD_LABEL;
    case DDN_ATOM_VALENCY:
        return t->sources + DDN_FIELD_VALENCY;
    case DDN_ATOM_SET:
        return t->sources + DDN_FIELD_SET;
    default:
        return t->sources + DDN_FIELD_DISTANCE;
    }
}

static void plan_fields(ddn_feed_forward *m)
{
    const ddn_templates *t = &m->templates;
    const size_t rows[] = { [DDN_FIELD_LABEL] = m->base.schema->labels.count + 1,
                            [DDN_FIELD_VALENCY] = DDN_MOST_CHILDREN + 1,
                            [DDN_FIELD_SET] = LABELS_IN_A_SET,
                            [DDN_FIELD_DISTANCE] = DISTANCES };
    m->fields = t->sources + DDN_STATE_FIELDS;
    for (int f = 0; f < m->fields; f++) {
        bool of_words = f < t->sources, word = of_words && strchr("wm", t->source[f].attribute);
        m->field[f] = (ddn_field){ .rows = of_words ? m->value[f].count + DDN_VALUE_FIRST
                                                    : rows[f - t->sources],
                                   .width = (size_t)m->width[!word] };
    }
    m->most_terms = 0;
    for (int i = 0; i < t->atoms; i++) {
        int f = field_of(t, &t->atom[i]);
        m->field_of[i] = (uint8_t)f;
        m->use_of[i] = (uint8_t)m->field[f].uses++;
        m->most_terms += t->atom[i].kind == DDN_ATOM_SET ? LABELS_IN_A_SET : 1;
    }
}

/* The tensors that follow from sizes, templates, values and labels. */
static void plan(ddn_feed_forward *m)
{
    const ddn_system *system = m->base.schema->system;
    ddn_params *p = &m->tensors.params;
    size_t hidden = (size_t)m->hidden;
    char name[DDN_TENSOR_NAME];
    plan_fields(m);
    for (int f = 0; f < m->fields; f++) {
        ddn_field *field = &m->field[f];
        if (!field->uses)
            continue;
        snprintf(name, sizeof name, "table.%d", f);
        field->table = ddn_params_embedding(p, name, field->rows, field->width);
        snprintf(name, sizeof name, "place.%d", f);
        field->place = ddn_params_linear(p, name, field->width, field->uses * hidden, field->uses);
    }
    m->move = ddn_params_linear(p, "moves", hidden, (size_t)system->kinds, 1);
    for (int k = 0; k < system->kinds; k++) {
        snprintf(name, sizeof name, "labels.%d", k);
        if (system->kind[k].makes_arc)
            m->label[k] = ddn_params_linear(p, name, hidden, m->base.schema->labels.count, 1);
    }
}

/* ---- Values ---- */

/* The values of a source that were seen often enough, in the order in which they came. */
static bool learn_values(ddn_intern *to, const ddn_source *source, const ddn_spec *spec)
{
    uint32_t least = is_rare(source) ? 2 : 1, *count = NULL, id;
    size_t cap = 0;
    ddn_intern all;
    bool good = true;
    ddn_intern_init(&all);
    for (size_t k = 0; k < spec->sentences; k++)
        for (int32_t i = 1; i <= spec->sentence[k]->n && good; i++) {
            dodona_text t = ddn_source_text(source, spec->sentence[k], i);
            uint32_t before = all.count;
            good = ddn_intern_add(&all, t.data, t.size, &id) &&
                   ddn_reserve(&count, &cap, all.count, sizeof *count);
            if (good && all.count > before)
                count[id] = 0;
            if (good)
                count[id]++;
        }
    for (uint32_t i = 0; i < all.count && good; i++) {
        dodona_text t = ddn_intern_text(&all, i);
        if (count[i] >= least && !memchr(t.data, '\n', t.size) && to->count < MOST_VALUES)
            good = ddn_intern_add(to, t.data, t.size, &id);
    }
    ddn_intern_fini(&all);
    free(count);
    return good;
}

static void put_values(const ddn_intern *t, ddn_output *o)
{
    ddn_putf(o, "%u\n", t->count);
    for (uint32_t i = 0; i < t->count; i++) {
        dodona_text name = ddn_intern_text(t, i);
        ddn_put(o, name.data, name.size);
        ddn_put(o, "\n", 1);
    }
}

/* The line at *at, without its newline; false: there is none. */
static bool take_line(const char **at, const char *end, dodona_text *line)
{
    const char *newline = *at < end ? memchr(*at, '\n', (size_t)(end - *at)) : NULL;
    if (!newline)
        return false;
    *line = (dodona_text){ *at, (size_t)(newline - *at) };
    *at = newline + 1;
    return true;
}

static int take_values(ddn_intern *t, const char **at, const char *end, dodona_error *err)
{
    dodona_text line;
    uint32_t count = 0, id;
    if (!take_line(at, end, &line) || line.size == 0 || line.size > 7)
        return ddn_fail(err, DODONA_E_MODEL, "the values of a source do not begin with a number");
    for (size_t i = 0; i < line.size; i++) {
        if (line.data[i] < '0' || line.data[i] > '9')
            return ddn_fail(err, DODONA_E_MODEL,
                            "the values of a source do not begin with a number");
        count = count * 10 + (uint32_t)(line.data[i] - '0');
    }
    if (count > MOST_VALUES)
        return ddn_fail(err, DODONA_E_MODEL, "a source has more than %d values", MOST_VALUES);
    for (uint32_t i = 0; i < count; i++) {
        if (!take_line(at, end, &line))
            return ddn_fail(err, DODONA_E_MODEL, "the values of a source are cut short");
        if (!ddn_intern_add(t, line.data, line.size, &id))
            return ddn_fail_memory(err);
        if (id != i)
            return ddn_fail(err, DODONA_E_MODEL, "a value of a source is there twice");
    }
    return DODONA_OK;
}

/* ---- Models ---- */

static void close_model(ddn_model *base)
{
    ddn_feed_forward *m = (ddn_feed_forward *)base;
    for (int i = 0; i < DDN_MAX_SOURCES; i++)
        ddn_intern_fini(&m->value[i]);
    ddn_tensors_fini(&m->tensors);
    free(m);
}

static int new_model(const ddn_spec *spec, ddn_feed_forward **out, dodona_error *err)
{
    *out = NULL;
    if (!spec->schema)
        return ddn_fail(err, DODONA_E_ARGUMENT, "models of the learner 'feed-forward' are parsers");
    ddn_feed_forward *m = calloc(1, sizeof *m);
    if (!m)
        return ddn_fail_memory(err);
    m->base = (ddn_model){ .scorer = &ddn_scorer_feed_forward,
                           .schema = spec->schema,
                           .heads = DDN_HEAD_MOVES };
    snprintf(m->part, sizeof m->part, "%s", spec->part);
    for (int i = 0; i < DDN_MAX_SOURCES; i++)
        ddn_intern_init(&m->value[i]);
    ddn_tensors_init(&m->tensors);
    *out = m;
    return DODONA_OK;
}

/* The text is borrowed. */
static int read_templates(ddn_feed_forward *m, const char *text, size_t size, const char *name,
                          dodona_error *err)
{
    int status = ddn_templates_compile(&m->templates, text, size, name, err);
    if (status < 0)
        return status;
    if (ddn_templates_see_arcs(&m->templates))
        return ddn_fail_at(err, DODONA_E_INPUT, name, 0,
                           "the learner 'feed-forward' scores moves, and these templates score "
                           "arcs: take a set without [arcs]");
    m->text = text;
    m->text_size = size;
    m->base.layout = &m->templates.layout;
    m->base.templates = m->templates.templates;
    return DODONA_OK;
}

static size_t count_words(const ddn_spec *spec)
{
    size_t words = 0;
    for (size_t i = 0; i < spec->sentences; i++)
        words += (size_t)spec->sentence[i]->n;
    return words;
}

/* Forms that have a vector are values, too, however often they were seen. */
static bool add_embedded(ddn_feed_forward *m, const ddn_vectors *v)
{
    bool good = true;
    for (int f = 0; f < m->templates.sources && good; f++)
        if (m->templates.source[f].attribute == 'w')
            good = ddn_vectors_name(v, &m->value[f], MOST_VALUES);
    return good;
}

static void fill_embedded(ddn_feed_forward *m, const ddn_vectors *v)
{
    for (int f = 0; f < m->templates.sources; f++) {
        const ddn_tensor *table = &m->tensors.params.tensor[m->field[f].table.table];
        float *first = m->tensors.value + table->at + DDN_VALUE_FIRST * table->cols;
        if (m->templates.source[f].attribute == 'w')
            ddn_vectors_fill(v, &m->value[f], table->spread, first);
    }
}

static int start(ddn_feed_forward *m, const ddn_spec *spec, dodona_error *err)
{
    size_t words = count_words(spec), batch = BATCH_WORDS * spec->sentences / (words ? words : 1);
    batch = batch < 1 ? 1 : batch > DDN_MAX_BATCH ? DDN_MAX_BATCH : batch;
    uint64_t batches = (spec->sentences + batch - 1) / batch;
    ddn_optimiser_options o = ddn_optimiser_defaults(batches * (uint64_t)spec->iterations);
    o.averaging = AVERAGING;
    m->base.batch = (int)batch;
    m->dropout = DROPOUT;
    m->hidden = HIDDEN;
    m->width[0] = spec->vectors ? (int)spec->vectors->width : WORD_WIDTH;
    m->width[1] = OTHER_WIDTH;
    int status =
        read_templates(m, spec->templates, spec->templates_size, spec->templates_name, err);
    if (status < 0)
        return status;
    for (int i = 0; i < m->templates.sources; i++)
        if (!learn_values(&m->value[i], &m->templates.source[i], spec))
            return ddn_fail_memory(err);
    if (spec->vectors && !add_embedded(m, spec->vectors))
        return ddn_fail_memory(err);
    plan(m);
    status = ddn_tensors_start(&m->tensors, spec->seed, &o, err);
    if (status >= 0 && spec->vectors)
        fill_embedded(m, spec->vectors);
    return status;
}

static int create(const ddn_spec *spec, ddn_model **out, dodona_error *err)
{
    ddn_feed_forward *m;
    *out = NULL;
    if (spec->heads & ~(unsigned)DDN_HEAD_MOVES)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "exact search needs scores of arcs, and models of the learner "
                        "'feed-forward' have none; take another --search or another --learner");
    int status = new_model(spec, &m, err);
    if (status < 0)
        return status;
    status = start(m, spec, err);
    if (status < 0)
        close_model(&m->base);
    else
        *out = &m->base;
    return status;
}

/* ---- Learning ---- */

static int iterations_for(size_t sentences, size_t words)
{
    (void)sentences, (void)words;
    return EPOCHS;
}

static int step(ddn_model *base, ddn_pass *const *pass, int n, dodona_error *err)
{
    return ddn_tensors_step(&((ddn_feed_forward *)base)->tensors, base, pass, n,
                            ddn_feed_forward_pass_gradient, err);
}

static void put(const ddn_model *base, ddn_output *o)
{
    ddn_tensors_put(&((const ddn_feed_forward *)base)->tensors, base, o);
}

static int take(ddn_model *base, const ddn_section *s, dodona_error *err)
{
    return ddn_tensors_take(&((ddn_feed_forward *)base)->tensors, base, s, err);
}

/* ---- Files ---- */

static int save(ddn_model *base, uint64_t limit, ddn_sections *to, dodona_error *err)
{
    ddn_feed_forward *m = (ddn_feed_forward *)base;
    ddn_putf(ddn_part_add(to, m->part, "sizes"), "hidden %d\nwords %d\nothers %d\n", m->hidden,
             m->width[0], m->width[1]);
    ddn_put(ddn_part_add(to, m->part, "templates"), m->text, m->text_size);
    ddn_schema_put_labels(base->schema, ddn_part_add(to, m->part, "labels"));
    ddn_output *values = ddn_part_add(to, m->part, "values");
    for (int i = 0; i < m->templates.sources; i++)
        put_values(&m->value[i], values);
    int status = ddn_tensors_save(&m->tensors, m->part, limit, to, err);
    return status < 0 ? status : ddn_sections_check(to, err);
}

static int take_sizes(ddn_feed_forward *m, const ddn_section *s, dodona_error *err)
{
    char text[64];
    int used = 0;
    snprintf(text, sizeof text, "%.*s", (int)(s->size < sizeof text ? s->size : sizeof text - 1),
             (const char *)s->data);
    int got = sscanf(text, "hidden %4d words %4d others %4d%n", &m->hidden, &m->width[0],
                     &m->width[1], &used);
    if (got < 3 || m->hidden < 1 || m->hidden > MOST_SIZE || m->width[0] < 1 ||
        m->width[0] > MOST_SIZE || m->width[1] < 1 || m->width[1] > MOST_SIZE)
        return ddn_fail(err, DODONA_E_MODEL,
                        "the sizes of the network must be lines 'hidden', 'words' and 'others' "
                        "with numbers from 1 to %d",
                        MOST_SIZE);
    return DODONA_OK;
}

static int take_all(ddn_feed_forward *m, const ddn_model_file *f, dodona_error *err)
{
    const ddn_section *sizes, *templates, *values;
    int status = ddn_part_find(f, m->part, "sizes", &sizes, err);
    if (status >= 0)
        status = ddn_part_find(f, m->part, "templates", &templates, err);
    if (status >= 0)
        status = ddn_part_find(f, m->part, "values", &values, err);
    if (status >= 0)
        status = take_sizes(m, sizes, err);
    if (status >= 0)
        status = read_templates(m, templates->data, templates->size, f->path, err);
    if (status < 0)
        return status;
    const char *at = values->data, *end = at + values->size;
    for (int i = 0; i < m->templates.sources && status >= 0; i++)
        status = take_values(&m->value[i], &at, end, err);
    if (status >= 0 && at != end)
        status = ddn_fail(err, DODONA_E_MODEL, "the section %s is too long", values->name);
    if (status < 0)
        return status;
    plan(m);
    return ddn_tensors_open(&m->tensors, f, m->part, err);
}

static int open_model(const ddn_model_file *f, const ddn_spec *spec, ddn_model **out,
                      dodona_error *err)
{
    ddn_feed_forward *m;
    *out = NULL;
    int status = new_model(spec, &m, err);
    if (status < 0)
        return status;
    status = take_all(m, f, err);
    if (status < 0)
        close_model(&m->base);
    else
        *out = &m->base;
    return status;
}

const ddn_scorer ddn_scorer_feed_forward = {
    .name = "feed-forward",
    .summary = "network with one hidden layer over the atoms of feature templates",
    .templates = true,
    .vectors = true,
    .local = true,
    .temperature = 2,
    .scheduled = true,
    .batch = 8,
    .loss = &ddn_loss_softmax,
    .create = create,
    .open = open_model,
    .close = close_model,
    .save = save,
    .put = put,
    .take = take,
    .iterations = iterations_for,
    .step = step,
    .pass = ddn_feed_forward_pass_open,
    .end = ddn_feed_forward_pass_end,
    .encode = ddn_feed_forward_encode,
    .moves = ddn_feed_forward_moves,
    .label = ddn_feed_forward_label,
    .labels = ddn_feed_forward_labels,
    .learn_move = ddn_feed_forward_learn_move,
    .learn_label = ddn_feed_forward_learn_label,
    .backward = ddn_feed_forward_backward,
};
