/* SPDX-License-Identifier: MIT */
/* model.c - models and workspaces: what parses one sentence. */
#include "api/api.h"
#include "api/extras.h"
#include "api/keep.h"
#include "api/options.h"
#include "dodona_research.h"

#include "search/parser.h"
#include "search/result.h"
#include "search/trace.h"

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

/* What was opened is closed by the caller. */
static int open_parts(dodona_model *m, dodona_error *err)
{
    int status = ddn_model_open_file(&m->file, &m->schema, &m->parser, err);
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
    *out = m;
    return DODONA_OK;
}

int dodona_model_open(const char *path, dodona_model **out, dodona_error *err)
{
    *out = NULL;
    dodona_model *m = calloc(1, sizeof *m);
    int status = m ? ddn_model_file_open(&m->file, path, err) : ddn_fail_memory(err);
    if (status >= 0)
        return open_model(m, out, err);
    free(m);
    return status;
}

int dodona_model_open_memory(const void *bytes, size_t size, const char *name, dodona_model **out,
                             dodona_error *err)
{
    *out = NULL;
    dodona_model *m = calloc(1, sizeof *m);
    int status = m ? ddn_model_file_memory(&m->file, bytes, size, name, err) : ddn_fail_memory(err);
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
    if (ddn_model_file_find(&m->file, name, &section, NULL) < 0)
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

int dodona_model_label(const dodona_model *m, int i, dodona_text *out)
{
    if (i < 0 || (uint32_t)i >= m->schema.labels.count)
        return DODONA_E_ARGUMENT;
    *out = ddn_intern_text(&m->schema.labels, (uint32_t)i);
    return DODONA_OK;
}

int dodona_model_section(const dodona_model *m, int i, const char **name, uint64_t *size)
{
    if (i < 0 || i >= m->file.sections)
        return DODONA_E_ARGUMENT;
    *name = m->file.section[i].name;
    *size = m->file.section[i].size;
    return DODONA_OK;
}

struct dodona_workspace {
    const dodona_model *model;
    ddn_parser parser;
    ddn_searching *searching; /* of it */
    bool keep_deps, skip_bad;
    bool parses; /* it is one of the steps */
    ddn_keep keep;
    ddn_result result;
    dodona_trace trace; /* NULL: none */
    void *trace_ctx;
    int64_t traced; /* sentences so far */
    ddn_tracer tracer;
    ddn_output line;
    ddn_extras extras;
    int steps;
    bool tags;
    ddn_annotator annotator; /* where tags */
};

static int open_annotator(dodona_workspace *ws, dodona_error *err)
{
    const dodona_model *m = ws->model;
    if (ws->steps & DODONA_STEP_TAG && !m->has_tagger)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "the model has no tagger; one that is trained with --pipeline has");
    if (!m->has_tagger || (ws->steps && !(ws->steps & DODONA_STEP_TAG)))
        return DODONA_OK;
    int status = ddn_annotator_init(&ws->annotator, &m->tagger, &m->lemmatizer, err);
    ws->tags = status >= 0;
    return status;
}

/* The decoder that was asked for, or the one of training where that was with the same search. */
static const char *decoder_for(const dodona_model *m, const dodona_parse_options *o)
{
    if (o->decoder)
        return o->decoder;
    bool same = !o->search || strcmp(o->search, m->search) == 0;
    return same && m->decoder[0] ? m->decoder : NULL;
}

/* The search, with what is asked of it. */
static int open_search(dodona_workspace *ws, const dodona_parse_options *o, dodona_error *err)
{
    const dodona_model *m = ws->model;
    const char *search = o->search ? o->search : o->decoder ? ddn_search_exact.name : m->search;
    int status = ddn_extras_init(&ws->extras, m, o, search, err);
    bool many = o->roots_many < 0 ? m->roots_many : o->roots_many != 0;
    ddn_search_options options = { .roots = many ? DDN_ROOTS_MANY : DDN_ROOTS_ONE,
                                   .beam = o->beam ? o->beam : m->beam,
                                   .forest = ddn_extras_wanted(&ws->extras),
                                   .root_label = ddn_schema_root_label(&m->schema),
                                   .decoder = decoder_for(m, o),
                                   .exact_limit = o->exact_limit,
                                   .keep = o->keep };
    if (status >= 0)
        status = ddn_parser_open(&ws->parser, m->parser, search, &options, 1, err);
    if (status < 0)
        return status;
    ws->searching = ws->parser.searching[0];
    ws->searching->keeps_moves = o->trace;
    if (o->trace && ws->searching->by_tree)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "%s search with the decoder '%s' finds trees and makes no moves, so there "
                        "is nothing to trace",
                        search, options.decoder);
    return o->keep ? ddn_keep_init(&ws->keep, &m->schema, ws->searching->constraint, err)
                   : DODONA_OK;
}

int dodona_workspace_new(const dodona_model *m, const dodona_parse_options *o,
                         dodona_workspace **out, dodona_error *err)
{
    dodona_parse_options all;
    *out = NULL;
    int status = ddn_parse_options_take(&all, o, err);
    if (status < 0)
        return status;
    dodona_workspace *ws = calloc(1, sizeof *ws);
    if (!ws)
        return ddn_fail_memory(err);
    ws->model = m;
    ws->keep_deps = all.keep_deps;
    ws->steps = all.steps;
    ws->parses = !all.steps || all.steps & DODONA_STEP_PARSE;
    ws->skip_bad = all.skip_bad == 1;
    ws->trace = all.trace;
    ws->trace_ctx = all.trace_ctx;
    ddn_tracer_init(&ws->tracer);
    ddn_output_memory(&ws->line);
    status = open_annotator(ws, err);
    if (status >= 0)
        status = open_search(ws, &all, err);
    if (status < 0)
        dodona_workspace_free(ws);
    else
        *out = ws;
    return status;
}

void dodona_workspace_free(dodona_workspace *ws)
{
    if (!ws)
        return;
    ddn_parser_close(&ws->parser);
    ddn_keep_fini(&ws->keep);
    ddn_result_fini(&ws->result);
    ddn_tracer_fini(&ws->tracer);
    ddn_output_abandon(&ws->line);
    ddn_extras_fini(&ws->extras);
    if (ws->tags)
        ddn_annotator_fini(&ws->annotator);
    free(ws);
}

static int put_trace(dodona_workspace *ws, const ddn_sentence *s, int64_t number, ddn_output *trace,
                     dodona_error *err)
{
    int status =
        ddn_trace_put(&ws->tracer, trace, &ws->model->schema, ws->searching, s, number, err);
    return status < 0 ? status : ddn_output_check(trace, err);
}

static int mark_fallback(dodona_sentence *sentence, dodona_error *err)
{
    static const char prefix[] = "# search = ";
    char line[64];
    int size = snprintf(line, sizeof line, "%s%s\n", prefix, sentence->fallback);
    return ddn_sentence_set_comments(&sentence->s, prefix, line, (size_t)size, err);
}

/* Finds the tree, with what is given, if it is to be kept.  0: there is none with that, or the
 * sentence is too long, and it is left unparsed. */
static int search(dodona_workspace *ws, dodona_sentence *sentence, dodona_error *err)
{
    const ddn_sentence *s = &sentence->s;
    dodona_error fault = { 0 };
    int status = DODONA_OK;
    if (ws->searching->constraint) {
        status = ddn_keep_begin(&ws->keep, s, &fault);
        ws->result.given = ws->extras.result.given = ws->keep.text;
    }
    if (status >= 0)
        status = ddn_parser_run(&ws->parser, &s, 1, &fault);
    if (status >= 0)
        return 1;
    bool is_of_sentence = status == DODONA_E_INPUT || status == DODONA_E_LIMIT;
    if (is_of_sentence && !fault.line) {
        snprintf(fault.file, sizeof fault.file, "%s", s->file ? s->file : "");
        fault.line = s->line;
    }
    if (is_of_sentence && ws->skip_bad) {
        sentence->fault = fault;
        return 0;
    }
    if (err)
        *err = fault;
    return status;
}

int ddn_workspace_parse(dodona_workspace *ws, dodona_sentence *sentence, int64_t number,
                        ddn_output *trace, dodona_error *err)
{
    ddn_sentence *s = &sentence->s;
    sentence->fallback = NULL;
    s->trees.count = 0;
    s->confident = 0;
    sentence->forest.size = 0;
    sentence->forest.error.code = DODONA_OK;
    sentence->fault.code = DODONA_OK;
    if (s->n == 0)
        return DODONA_OK;
    int status = ws->tags ? ddn_annotate(&ws->annotator, s, ws->steps != 0, err) : DODONA_OK;
    if (status < 0 || !ws->parses)
        return status;
    status = search(ws, sentence, err);
    if (status <= 0)
        return status;
    status = ddn_result_read(&ws->result, &ws->model->schema, &ws->searching->state, err);
    if (status >= 0 && ws->trace)
        status = put_trace(ws, s, number, trace, err);
    if (status < 0)
        return status;
    sentence->fallback = ws->searching->fallback;
    status = ddn_sentence_set_tree(s, ws->result.head, ws->result.label, ws->keep_deps, err);
    if (status >= 0 && sentence->fallback)
        status = mark_fallback(sentence, err);
    if (status < 0 || !ddn_extras_wanted(&ws->extras))
        return status;
    return ddn_extras_take(&ws->extras, &ws->model->schema, ws->searching, sentence, err);
}

int dodona_parse(dodona_workspace *ws, dodona_sentence *s, dodona_error *err)
{
    ws->line.size = 0;
    ws->line.error.code = DODONA_OK;
    int status = ddn_workspace_parse(ws, s, ws->traced + 1, &ws->line, err);
    if (status < 0 || ws->line.size == 0)
        return status;
    ws->traced++;
    return ws->trace(ws->trace_ctx, (dodona_text){ ws->line.data, ws->line.size }, err);
}
