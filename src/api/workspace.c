/* SPDX-License-Identifier: MIT */
/* workspace.c - what parses sentences on one thread.
 *
 * Sentences are parsed in batches of the size that the model's scorer prefers: they are tagged one
 * by one, encoded together, and searched together in as many lanes as the parser has.  A sentence
 * gets the same tree in any batch, and one that can't be parsed does not concern the others. */
#include "api/api.h"
#include "api/extras.h"
#include "api/keep.h"
#include "api/options.h"
#include "dodona_research.h"

#include "search/parser.h"
#include "search/result.h"
#include "search/trace.h"

#include <stdio.h>
#include <stdlib.h>

enum { BATCH_WORDS = 2000 }; /* no sentence is added to a batch that has more words */

struct dodona_workspace {
    const dodona_model *model;
    ddn_parser parser;
    bool keep_deps, skip_bad;
    bool parses;    /* it is one of the steps */
    ddn_keep *keep; /* [parser.lanes] NULL: heads that are given are not kept */
    ddn_result result;
    dodona_trace trace; /* NULL: none */
    void *trace_ctx;
    int64_t traced; /* sentences so far */
    ddn_tracer tracer;
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

static int open_keep(dodona_workspace *ws, dodona_error *err)
{
    ws->keep = calloc((size_t)ws->parser.lanes, sizeof *ws->keep);
    int status = ws->keep ? DODONA_OK : ddn_fail_memory(err);
    for (int i = 0; i < ws->parser.lanes && status >= 0; i++)
        status = ddn_keep_init(&ws->keep[i], &ws->model->schema,
                               ws->parser.searching[i]->constraint, err);
    return status;
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
                                   .forest = ddn_extras_need_forest(&ws->extras),
                                   .root_label = ddn_schema_root_label(&m->schema),
                                   .decoder = decoder_for(m, o),
                                   .exact_limit = o->exact_limit,
                                   .keep = o->keep };
    if (status >= 0)
        status = ddn_parser_open(&ws->parser, m->parser, search, &options, m->parser->scorer->batch,
                                 err);
    if (status < 0)
        return status;
    for (int i = 0; i < ws->parser.lanes; i++)
        ws->parser.searching[i]->keeps_moves = o->trace || o->confidence;
    ddn_extras_open(&ws->extras, ws->parser.pass);
    if (o->trace && ws->parser.searching[0]->by_tree)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "%s search with the decoder '%s' finds trees and makes no moves, so there "
                        "is nothing to trace",
                        search, options.decoder);
    return o->keep ? open_keep(ws, err) : DODONA_OK;
}

/* What needs a parser is refused where there is none. */
static int check_no_parser(const dodona_parse_options *o, dodona_error *err)
{
    if (o->steps & DODONA_STEP_PARSE || o->search || o->decoder || o->kbest || o->confidence ||
        o->forest || o->keep || o->trace)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "the model has no parser; dodona train --steps parse --into it adds one");
    return DODONA_OK;
}

int dodona_workspace_new(const dodona_model *m, const dodona_parse_options *o,
                         dodona_workspace **out, dodona_error *err)
{
    if (!m || !out)
        return ddn_fail_null(err, "model or the place for the workspace");
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
    ws->parses = all.steps ? all.steps & DODONA_STEP_PARSE : m->parser != NULL;
    ws->skip_bad = all.skip_bad == 1;
    ws->trace = all.trace;
    ws->trace_ctx = all.trace_ctx;
    ddn_tracer_init(&ws->tracer);
    status = open_annotator(ws, err);
    if (status >= 0)
        status = m->parser ? open_search(ws, &all, err) : check_no_parser(&all, err);
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
    for (int i = 0; ws->keep && i < ws->parser.lanes; i++)
        ddn_keep_fini(&ws->keep[i]);
    free(ws->keep);
    ddn_parser_close(&ws->parser);
    ddn_result_fini(&ws->result);
    ddn_tracer_fini(&ws->tracer);
    ddn_extras_fini(&ws->extras);
    if (ws->tags)
        ddn_annotator_fini(&ws->annotator);
    free(ws);
}

/* ---- What a parse leaves in a sentence ---- */

/* Clears what an earlier parse left, and puts in tags where they are wanted. */
static int prepare(dodona_workspace *ws, dodona_sentence *sentence, dodona_error *err)
{
    ddn_sentence *s = &sentence->s;
    sentence->fallback = NULL;
    s->trees.count = 0;
    s->confident = 0;
    ddn_output_clear(&sentence->forest);
    ddn_output_clear(&sentence->trace);
    sentence->fault.code = DODONA_OK;
    return ws->tags && s->n ? ddn_annotate(&ws->annotator, s, ws->steps != 0, err) : DODONA_OK;
}

/* The sentence has no tree: returns the failure, or notes it where such sentences are skipped. */
static int fail(const dodona_workspace *ws, dodona_sentence *sentence, dodona_error *fault,
                dodona_error *err)
{
    bool is_of_sentence = fault->code == DODONA_E_INPUT || fault->code == DODONA_E_LIMIT;
    if (is_of_sentence && !fault->line) {
        const char *file = sentence->s.file;
        snprintf(fault->file, sizeof fault->file, "%s", file ? file : "");
        fault->line = sentence->s.line;
    }
    if (is_of_sentence && ws->skip_bad) {
        sentence->fault = *fault;
        return DODONA_OK;
    }
    if (err)
        *err = *fault;
    return fault->code;
}

static int mark_fallback(dodona_sentence *sentence, dodona_error *err)
{
    static const char prefix[] = "# search = ";
    char line[64];
    int size = snprintf(line, sizeof line, "%s%s\n", prefix, sentence->fallback);
    return ddn_sentence_set_comments(&sentence->s, prefix, line, (size_t)size, err);
}

/* What the search in that lane has found. */
static int take(dodona_workspace *ws, int lane, dodona_sentence *sentence, dodona_error *err)
{
    ddn_searching *w = ws->parser.searching[lane];
    const ddn_schema *schema = &ws->model->schema;
    ddn_sentence *s = &sentence->s;
    if (ws->parser.failure[lane].code != DODONA_OK)
        return fail(ws, sentence, &ws->parser.failure[lane], err);
    ws->result.given = ws->extras.result.given = ws->keep ? ws->keep[lane].text : NULL;
    int status = ddn_result_read(&ws->result, schema, &w->state, err);
    if (status >= 0 && ws->trace) {
        status = ddn_trace_put(&ws->tracer, &sentence->trace, schema, w, s, sentence->number, err);
        if (status >= 0)
            status = ddn_output_check(&sentence->trace, err);
    }
    if (status < 0)
        return status;
    sentence->fallback = w->fallback;
    status = ddn_sentence_set_tree(s, ws->result.head, ws->result.label, ws->keep_deps, err);
    if (status >= 0 && sentence->fallback)
        status = mark_fallback(sentence, err);
    if (status < 0 || !ddn_extras_wanted(&ws->extras))
        return status;
    return ddn_extras_take(&ws->extras, schema, w, sentence, err);
}

/* ---- Batches ---- */

/* Sentences with words, by their numbers among those that were handed over. */
typedef struct batch {
    dodona_sentence *of[DDN_MAX_BATCH];
    const ddn_sentence *s[DDN_MAX_BATCH];
    size_t number[DDN_MAX_BATCH];
    int count;
} batch;

/* Searches m sentences, which have been encoded and of which *done is the first, together; goes
 * past each that is complete.  Where heads are given that no tree can have, those before go first.
 */
static int search(dodona_workspace *ws, const batch *b, int first, int m, int *done,
                  dodona_error *err)
{
    dodona_error fault = { 0 };
    int ready = 0, status = DODONA_OK;
    while (ready < m &&
           (!ws->keep || ddn_keep_begin(&ws->keep[ready], b->s[*done + ready], &fault) >= 0))
        ready++;
    /* What fails is asked for lane by lane. */
    ddn_parser_search(&ws->parser, b->s + first, *done - first, ready, NULL);
    for (int lane = 0; lane < ready && status >= 0; lane++) {
        status = take(ws, lane, b->of[*done], err);
        *done += status >= 0;
    }
    if (status >= 0 && ready < m) {
        status = fail(ws, b->of[*done], &fault, err);
        *done += status >= 0;
    }
    return status;
}

/* Parses m sentences, of which *done is the first; goes past each that is complete.  Those that
 * can't be encoded together are parsed one by one. */
static int parse_together(dodona_workspace *ws, const batch *b, int m, int *done, dodona_error *err)
{
    dodona_error fault = { 0 };
    int first = *done, lanes = ws->parser.lanes;
    int status = ddn_parser_encode(&ws->parser, b->s + first, m, &fault);
    if (status < 0 && m > 1) {
        for (status = DODONA_OK; *done < first + m && status >= 0;)
            status = parse_together(ws, b, 1, done, err);
        return status;
    }
    if (status < 0) {
        status = fail(ws, b->of[first], &fault, err);
        *done += status >= 0;
        return status;
    }
    while (*done < first + m && status >= 0) {
        int left = first + m - *done;
        status = search(ws, b, first, left < lanes ? left : lanes, done, err);
    }
    return status;
}

/* Parses the first of the sentences as a batch; where one can't be tagged, those before it. */
static int parse_some(dodona_workspace *ws, dodona_sentence *const *sentence, size_t count,
                      size_t *parsed, dodona_error *err)
{
    batch b;
    dodona_error late = { 0 };
    int32_t words = 0;
    int tagged = DODONA_OK, status = DODONA_OK, done = 0;
    size_t taken = 0;
    b.count = 0;
    for (; taken < count && words <= BATCH_WORDS; taken++) {
        if (ws->parses && b.count == ws->parser.room)
            break;
        dodona_sentence *s = sentence[taken];
        tagged = prepare(ws, s, &late);
        if (tagged < 0)
            break;
        if (!ws->parses || s->s.n == 0)
            continue;
        b.of[b.count] = s;
        b.s[b.count] = &s->s;
        b.number[b.count++] = taken;
        words += s->s.n;
    }
    if (b.count)
        status = parse_together(ws, &b, b.count, &done, err);
    *parsed += status < 0 ? b.number[done] : taken;
    if (status >= 0 && tagged < 0 && err)
        *err = late;
    return status < 0 ? status : tagged;
}

int ddn_workspace_parse(dodona_workspace *ws, dodona_sentence *const *sentence, size_t count,
                        size_t *parsed, dodona_error *err)
{
    int status = DODONA_OK;
    *parsed = 0;
    while (*parsed < count && status >= 0)
        status = parse_some(ws, sentence + *parsed, count - *parsed, parsed, err);
    return status;
}

int dodona_parse_sentences(dodona_workspace *ws, dodona_sentence *const *s, int count, int *parsed,
                           dodona_error *err)
{
    if (!ws || !parsed || (count > 0 && !s))
        return ddn_fail_null(err, "workspace, the sentences or the place for their number");
    if (count < 0)
        return ddn_fail(err, DODONA_E_ARGUMENT, "%d sentences; expected 0 or more", count);
    size_t before = 0;
    int64_t number = ws->traced;
    *parsed = 0;
    for (int i = 0; i < count; i++)
        if (!s[i])
            return ddn_fail_null(err, "sentence");
    for (int i = 0; i < count; i++)
        s[i]->number = number += s[i]->s.n > 0;
    int failed = ddn_workspace_parse(ws, s, (size_t)count, &before, err);
    for (; *parsed < (int)before; ++*parsed) {
        dodona_text line = { s[*parsed]->trace.data, s[*parsed]->trace.size };
        if (line.size == 0)
            continue;
        int status = ws->trace(ws->trace_ctx, line, err);
        ws->traced++;
        if (status < 0)
            return status;
    }
    return failed;
}

int dodona_parse(dodona_workspace *ws, dodona_sentence *s, dodona_error *err)
{
    int parsed;
    return dodona_parse_sentences(ws, &s, 1, &parsed, err);
}
