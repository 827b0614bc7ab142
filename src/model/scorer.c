/* SPDX-License-Identifier: MIT */
/* scorer.c - the table of scorers, and opening models by it. */
#include "model/scorer.h"

#include "core/names.h"

#include <stdio.h>
#include <string.h>

#define SCORER(name) extern const ddn_scorer ddn_scorer_##name;
#include "model/scorers.def"
#undef SCORER

const ddn_scorer *const ddn_scorers[] = {
#define SCORER(name) &ddn_scorer_##name,
#include "model/scorers.def"
#undef SCORER
    NULL,
};

const ddn_scorer *ddn_scorer_find(const char *name)
{
    for (int i = 0; ddn_scorers[i]; i++)
        if (strcmp(ddn_scorers[i]->name, name) == 0)
            return ddn_scorers[i];
    return NULL;
}

int ddn_scorer_get(const char *name, const ddn_scorer **out, dodona_error *err)
{
    ddn_names names = { .guess.wanted = name };
    *out = ddn_scorer_find(name);
    if (*out)
        return DODONA_OK;
    for (int i = 0; ddn_scorers[i]; i++)
        ddn_names_add(&names, ddn_scorers[i]->name);
    return ddn_fail_unknown(err, "learner", &names);
}

const ddn_scorer *ddn_scorer_of_words(void)
{
    int i = 0;
    while (!ddn_scorers[i]->words)
        i++;
    return ddn_scorers[i];
}

/* The value of a key of the metadata as a string; "" where there is none. */
static void read_name(const ddn_model_file *f, const char *key, char *buf, size_t size)
{
    dodona_text text = ddn_model_file_meta(f, key);
    snprintf(buf, size, "%.*s", text.data ? (int)text.size : 0, text.data ? text.data : "");
}

static int read_schema(const ddn_model_file *f, ddn_schema *schema, dodona_error *err)
{
    const ddn_section *labels;
    char name[64];
    read_name(f, "system", name, sizeof name);
    schema->system = ddn_system_find(name);
    if (!schema->system)
        return ddn_fail_at(err, DODONA_E_MODEL, f->path, 0,
                           "the model is for the transition system '%s', which this program does "
                           "not have",
                           name);
    schema->pseudo = ddn_model_file_meta(f, "pseudo").data != NULL;
    int status = ddn_model_file_find(f, "parser.labels", &labels, err);
    return status < 0 ? status : ddn_schema_take_labels(schema, labels->data, labels->size, err);
}

/* Turns an error about the contents into one about the model file, and names the file. */
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

int ddn_model_open_file(const ddn_model_file *f, ddn_schema *schema, ddn_model **out,
                        dodona_error *err)
{
    char name[64];
    *out = NULL;
    read_name(f, "learner", name, sizeof name);
    const ddn_scorer *scorer = ddn_scorer_find(name);
    if (!name[0])
        return ddn_fail_at(err, DODONA_E_MODEL, f->path, 0,
                           "the metadata has no line 'learner:'; this is no model of a parser");
    if (!scorer)
        return ddn_fail_at(err, DODONA_E_MODEL, f->path, 0,
                           "the model was trained with the learner '%s', which this program does "
                           "not have; use a newer dodona",
                           name);
    int status = read_schema(f, schema, err);
    ddn_spec spec = { .part = "parser", .schema = schema };
    if (status >= 0)
        status = scorer->open(f, &spec, out, err);
    return status < 0 ? blame(f, status, err) : DODONA_OK;
}

void ddn_model_close(ddn_model *m)
{
    if (m)
        m->scorer->close(m);
}

void ddn_pass_end(ddn_pass *p)
{
    if (p)
        p->model->scorer->end(p);
}

int ddn_model_needs(const ddn_model *m, unsigned heads, const char *who, dodona_error *err)
{
    static const char *const names[] = { "moves", "arcs", "pairs of words", "words" };
    unsigned missing = heads & ~m->heads;
    int head = 0;
    if (!missing)
        return DODONA_OK;
    while (!(missing >> head & 1))
        head++;
    if (m->scorer->lacks && m->scorer->lacks(m, 1u << head, err) < 0)
        return DODONA_E_ARGUMENT;
    return ddn_fail(err, DODONA_E_ARGUMENT,
                    "%s needs scores of %s, and models of the learner '%s' have none", who,
                    names[head], m->scorer->name);
}
