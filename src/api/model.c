/* SPDX-License-Identifier: MIT */
/* model.c - models. */
#include "api/api.h"
#include "api/models.h"
#include "dodona_research.h"

#include "search/search.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

const char *dodona_version(void)
{
#define TEXT(x)         #x
#define NUMBER(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)
    return NUMBER(DODONA_VERSION_MAJOR, DODONA_VERSION_MINOR, DODONA_VERSION_PATCH);
}

/* The search that it was trained with.  What makes no sense is refused when a parser is opened;
 * a decoder is read only with an exact search, which alone takes one. */
static void read_search(dodona_model *m)
{
    enum { DEFAULT_BEAM = 8 };
    char digits[16];
    dodona_text search = ddn_model_file_meta(&m->file, "search");
    dodona_text beam = ddn_model_file_meta(&m->file, "beam");
    snprintf(m->search, sizeof m->search, "%.*s", search.data ? (int)search.size : INT_MAX,
             search.data ? search.data : ddn_search_greedy.name);
    snprintf(digits, sizeof digits, "%.*s", beam.data ? (int)beam.size : 0,
             beam.data ? beam.data : "");
    m->beam = beam.data ? (int)strtol(digits, NULL, 10) : DEFAULT_BEAM;
    const ddn_search *known = ddn_search_find(m->search);
    if (!known || !known->exact)
        return;
    dodona_text decoder = ddn_model_file_meta(&m->file, "decoder");
    snprintf(m->decoder, sizeof m->decoder, "%.*s", decoder.data ? (int)decoder.size : 0,
             decoder.data ? decoder.data : "");
}

/* "123.456" in any locale; 0 for whatever is not a number from 0 to most. */
static double read_decimal(dodona_text t, double most)
{
    double value = 0, unit = 1;
    bool after_point = false;
    for (size_t i = 0; t.data && i < t.size; i++) {
        if (t.data[i] == '.' && !after_point) {
            after_point = true;
            continue;
        }
        if (t.data[i] < '0' || t.data[i] > '9')
            return 0;
        value = 10 * value + (t.data[i] - '0');
        unit *= after_point ? 10 : 1;
    }
    value /= unit;
    return value <= most ? value : 0;
}

/* Tagger and lemmatizer, where the file has them. */
static int open_tagger(dodona_model *m, dodona_error *err)
{
    if (!ddn_tagger_is_in(&m->file))
        return DODONA_OK;
    int status = ddn_tagger_open(&m->tagger, &m->file, err);
    if (status < 0)
        return status;
    status = ddn_lemmatizer_open(&m->lemmatizer, &m->file, err);
    if (status < 0)
        ddn_tagger_close(&m->tagger);
    m->has_tagger = status >= 0;
    return status;
}

static int open_tokenizer(dodona_model *m, dodona_error *err)
{
    if (!ddn_tokenizer_is_in(&m->file))
        return DODONA_OK;
    int status = ddn_tokenizer_open(&m->tokenizer, &m->file, err);
    m->has_tokenizer = status >= 0;
    return status;
}

/* A model has a parser or a part beside it.  What was opened is closed by the caller. */
static int open_parts(dodona_model *m, dodona_error *err)
{
    bool has_others = ddn_tokenizer_is_in(&m->file) || ddn_tagger_is_in(&m->file);
    int status = DODONA_OK;
    if (!has_others || ddn_model_file_meta(&m->file, "learner").data)
        status = ddn_model_open_file(&m->file, &m->schema, &m->parser, err);
    if (status >= 0)
        status = open_tokenizer(m, err);
    if (status >= 0)
        status = open_tagger(m, err);
    return status;
}

/* m->file is open; takes m, also when it fails. */
static int open_model(dodona_model *m, dodona_model **out, dodona_error *err)
{
    ddn_schema_init(&m->schema);
    int status = open_parts(m, err);
    if (status < 0) {
        if (err && !err->file[0])
            snprintf(err->file, sizeof err->file, "%s", m->file.path);
        dodona_model_free(m);
        return status;
    }
    m->roots_many = ddn_text_is(ddn_model_file_meta(&m->file, "roots"), "many");
    read_search(m);
    m->temperature =
        read_decimal(ddn_model_file_meta(&m->file, "temperature"), DODONA_MAX_TEMPERATURE);
    m->coverage = read_decimal(ddn_model_file_meta(&m->file, "coverage"), 1);
    m->rival_temperature =
        read_decimal(ddn_model_file_meta(&m->file, "rival-temperature"), DODONA_MAX_TEMPERATURE);
    m->rival_coverage = read_decimal(ddn_model_file_meta(&m->file, "rival-coverage"), 1);
    *out = m;
    return DODONA_OK;
}

static int open_file(const char *path, dodona_model **out, dodona_error *err)
{
    dodona_model *m = calloc(1, sizeof *m);
    int status = m ? ddn_model_file_open(&m->file, path, err) : ddn_fail_memory(err);
    if (status >= 0)
        return open_model(m, out, err);
    free(m);
    return status;
}

int dodona_model_open_from(const char *folders, const char *name, dodona_model **out,
                           dodona_error *err)
{
    char *path;
    if (!out)
        return ddn_fail_null(err, "place for the model");
    *out = NULL;
    int status = ddn_models_find(folders, name ? name : DDN_DEFAULT_MODEL, &path, err);
    if (status < 0)
        return status;
    status = open_file(path, out, err);
    free(path);
    return status;
}

int dodona_model_open(const char *path, dodona_model **out, dodona_error *err)
{
    return dodona_model_open_from(NULL, path, out, err);
}

int dodona_model_open_memory(const void *bytes, size_t size, const char *name, dodona_model **out,
                             dodona_error *err)
{
    if (!bytes || !out)
        return ddn_fail_null(err, "bytes or the place for the model");
    *out = NULL;
    dodona_model *m = calloc(1, sizeof *m);
    int status = m ? ddn_model_file_memory(&m->file, bytes, size, name ? name : "<memory>", err)
                   : ddn_fail_memory(err);
    if (status >= 0)
        return open_model(m, out, err);
    free(m);
    return status;
}

void dodona_model_free(dodona_model *m)
{
    if (!m)
        return;
    if (m->has_tokenizer)
        ddn_tokenizer_close(&m->tokenizer);
    ddn_model_close(m->parser);
    ddn_schema_fini(&m->schema);
    if (m->has_tagger) {
        ddn_tagger_close(&m->tagger);
        ddn_lemmatizer_close(&m->lemmatizer);
    }
    ddn_model_file_close(&m->file);
    free(m);
}

static dodona_text text_of(const dodona_model *m, const char *name)
{
    const ddn_section *section;
    if (!m || ddn_model_file_find(&m->file, name, &section, NULL) < 0)
        return (dodona_text){ "", 0 };
    return (dodona_text){ section->data, section->size };
}

dodona_text dodona_model_metadata(const dodona_model *m)
{
    return text_of(m, "meta");
}

dodona_text dodona_model_templates(const dodona_model *m)
{
    return text_of(m, "parser.templates");
}

int dodona_model_steps(const dodona_model *m)
{
    if (!m)
        return 0;
    return (m->has_tokenizer ? DODONA_STEP_TOKENIZE : 0) | (m->has_tagger ? DODONA_STEP_TAG : 0) |
           (m->parser ? DODONA_STEP_PARSE : 0);
}

int dodona_model_label(const dodona_model *m, int i, dodona_text *out)
{
    if (!m || !out || i < 0 || (uint32_t)i >= m->schema.labels.count)
        return DODONA_E_ARGUMENT;
    *out = ddn_intern_text(&m->schema.labels, (uint32_t)i);
    return DODONA_OK;
}

int dodona_model_section(const dodona_model *m, int i, const char **name, uint64_t *size)
{
    if (!m || !name || !size || i < 0 || i >= m->file.sections)
        return DODONA_E_ARGUMENT;
    *name = m->file.section[i].name;
    *size = m->file.section[i].size;
    return DODONA_OK;
}
