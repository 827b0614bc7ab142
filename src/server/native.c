/* SPDX-License-Identifier: MIT */
/* native.c - our own interface, under /v1: a JSON object, or plain text with parameters in the
 * address. */
#include "core/json.h"
#include "server/request.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ddn_native_models(ddn_request *r)
{
    const ddn_serve_options *o = r->server->options;
    ddn_json j = { .out = &r->text };
    ddn_json_begin(&j, '{');
    ddn_json_begin(ddn_json_key(&j, "models"), '[');
    for (int i = 0; i < o->models; i++) {
        ddn_json_begin(&j, '{');
        ddn_json_string(ddn_json_key(&j, "name"), o->model[i].name);
        ddn_json_text(ddn_json_key(&j, "metadata"), dodona_model_metadata(o->model[i].model));
        ddn_json_end(&j, '}');
    }
    ddn_json_end(&j, ']');
    ddn_json_string(ddn_json_key(&j, "default"), o->model[0].name);
    ddn_json_end(&j, '}');
    ddn_put(&r->text, "\n", 1);
    r->type = "application/json; charset=utf-8";
    r->status = MHD_HTTP_OK;
}

/* ---- What is asked for ---- */

typedef struct asked {
    char model[64], input[16], output[16], search[32], decoder[64], steps[32];
    int beam, kbest, confidence, keep;
    const char *text;
    size_t size;
} asked;

typedef enum kind { WORD, NUMBER, SWITCH } kind;

static const struct field {
    const char *name;
    kind kind;
    size_t offset, room;
    int most; /* of a number */
} fields[] = {
#define WORD_OF(name)                                                                              \
    {                                                                                              \
#name, WORD, offsetof(asked, name), sizeof(((asked *)NULL)->name), 0                       \
    }
    WORD_OF(model),
    WORD_OF(input),
    WORD_OF(output),
    WORD_OF(search),
    WORD_OF(decoder),
    WORD_OF(steps),
    { "beam", NUMBER, offsetof(asked, beam), 0, 1024 },
    { "kbest", NUMBER, offsetof(asked, kbest), 0, 100 },
    { "confidence", SWITCH, offsetof(asked, confidence), 0, 0 },
    { "keep", SWITCH, offsetof(asked, keep), 0, 0 },
#undef WORD_OF
};
enum { FIELDS = sizeof fields / sizeof *fields };

static const struct field *find_field(const char *name)
{
    for (int i = 0; i < FIELDS; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

static bool set_word(ddn_request *r, asked *a, const struct field *f, const char *value)
{
    if (strlen(value) >= f->room) {
        ddn_request_refuse(r, MHD_HTTP_BAD_REQUEST, "'%s' is too long for a name", f->name);
        return false;
    }
    snprintf((char *)a + f->offset, f->room, "%s", value);
    return true;
}

static bool set_number(ddn_request *r, asked *a, const struct field *f, double value)
{
    int most = f->kind == SWITCH ? 1 : f->most;
    if (value < 0 || value > most || value != (int)value) {
        ddn_request_refuse(r, MHD_HTTP_BAD_REQUEST, "'%s' is not a whole number from 0 to %d",
                           f->name, most);
        return false;
    }
    *(int *)((char *)a + f->offset) = (int)value;
    return true;
}

static bool set_json(ddn_request *r, asked *a, const char *name, const json_t *value)
{
    const struct field *f = find_field(name);
    if (strcmp(name, "text") == 0 && json_is_string(value)) {
        a->text = json_string_value(value);
        a->size = json_string_length(value);
        return true;
    }
    if (f && f->kind == WORD && json_is_string(value))
        return set_word(r, a, f, json_string_value(value));
    if (f && f->kind == SWITCH && json_is_boolean(value))
        return set_number(r, a, f, json_is_true(value));
    if (f && f->kind == NUMBER && json_is_number(value))
        return set_number(r, a, f, json_number_value(value));
    ddn_request_refuse(r, MHD_HTTP_BAD_REQUEST,
                       f || strcmp(name, "text") == 0
                           ? "the member '%s' has a value of another type"
                           : "there is no member '%s'",
                       name);
    return false;
}

/* text stays in *object, which is freed by the caller. */
static bool read_json(ddn_request *r, asked *a, json_t **object)
{
    json_error_t error;
    const char *name;
    json_t *value;
    *object = json_loadb(r->body.data, r->body.size, JSON_ALLOW_NUL, &error);
    if (!json_is_object(*object)) {
        ddn_request_refuse(r, MHD_HTTP_BAD_REQUEST, "the body is not a JSON object: %s",
                           *object ? "it is a value of another type" : error.text);
        return false;
    }
    json_object_foreach(*object, name, value)
    {
        if (!set_json(r, a, name, value))
            return false;
    }
    return true;
}

/* Parameters of the address; the body is the text. */
static bool read_plain(ddn_request *r, asked *a)
{
    for (int i = 0; i < r->parameters; i++) {
        const struct field *f = find_field(r->parameter[i].name);
        const char *value = r->parameter[i].value.data;
        char *end;
        if (!f) {
            ddn_request_refuse(r, MHD_HTTP_BAD_REQUEST, "there is no parameter '%s'",
                               r->parameter[i].name);
            return false;
        }
        if (f->kind == WORD) {
            if (!set_word(r, a, f, value))
                return false;
            continue;
        }
        double number = strtod(value, &end);
        if (!set_number(r, a, f, *value && !*end ? number : -1))
            return false;
    }
    a->text = r->body.size ? r->body.data : "";
    a->size = r->body.size;
    return true;
}

/* ---- What is answered ---- */

static const struct output {
    const char *name;
    dodona_format format;
    ddn_wrapping wrapping;
    const char *type;
} outputs[] = {
    { "json", DODONA_JSON, DDN_WRAP_LIST, "application/json; charset=utf-8" },
    { "ndjson", DODONA_JSON, DDN_WRAP_NOT, "application/x-ndjson; charset=utf-8" },
    { "conllu", DODONA_CONLLU, DDN_WRAP_NOT, "text/plain; charset=utf-8" },
    { "displacy", DODONA_DISPLACY, DDN_WRAP_NOT, "application/x-ndjson; charset=utf-8" },
    { "tree", DODONA_TREE, DDN_WRAP_NOT, "text/plain; charset=utf-8" },
    { "svg", DODONA_SVG, DDN_WRAP_NOT, "image/svg+xml" },
};

static const struct output *find_output(ddn_request *r, const char *name)
{
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        if (!*name || strcmp(outputs[i].name, name) == 0)
            return &outputs[i];
    ddn_request_refuse(r, MHD_HTTP_BAD_REQUEST,
                       "there is no output '%s'; there are json, ndjson, conllu, displacy, tree "
                       "and svg",
                       name);
    return NULL;
}

static bool find_steps(ddn_request *r, const char *list, int *steps)
{
    static const struct {
        const char *name;
        int step;
    } known[] = { { "tokenize", DODONA_STEP_TOKENIZE },
                  { "tag", DODONA_STEP_TAG },
                  { "parse", DODONA_STEP_PARSE } };
    while (*list) {
        size_t size = strcspn(list, ","), i = 0;
        while (i < 3 && (strlen(known[i].name) != size || memcmp(known[i].name, list, size) != 0))
            i++;
        if (i == 3) {
            ddn_request_refuse(r, MHD_HTTP_BAD_REQUEST,
                               "'steps' are tokenize, tag and parse, with commas between them");
            return false;
        }
        *steps |= known[i].step;
        list += size + (list[size] == ',');
    }
    return true;
}

static void wrap(ddn_job *j, const struct output *o)
{
    j->output = o->format;
    j->wrapping = o->wrapping;
    j->type = o->type;
    if (o->wrapping != DDN_WRAP_LIST)
        return;
    ddn_json json = { .out = &j->head };
    ddn_json_begin(&json, '{');
    ddn_json_string(ddn_json_key(&json, "model"), j->served->name);
    ddn_puts(&j->head, ",\"sentences\":[");
    ddn_puts(&j->tail, "]}\n");
}

static void make_job(ddn_request *r, const asked *a)
{
    dodona_error err;
    const ddn_served *served = ddn_request_model(r, a->model);
    const struct output *output = served ? find_output(r, a->output) : NULL;
    int steps = 0;
    if (!output || !find_steps(r, a->steps, &steps))
        return;
    int input = *a->input ? dodona_format_find(a->input, &err) : DODONA_TEXT;
    if (input < 0) {
        ddn_request_fail(r, &err);
        return;
    }
    ddn_job *j = ddn_request_job(r, served, a->text, a->size);
    if (!j)
        return;
    j->input = (dodona_format)input;
    j->options.steps = steps;
    j->options.beam = a->beam;
    j->options.kbest = a->kbest;
    j->options.confidence = a->confidence;
    j->options.keep = a->keep;
    memcpy(j->search, a->search, sizeof j->search);
    memcpy(j->decoder, a->decoder, sizeof j->decoder);
    wrap(j, output);
    r->job = j;
}

void ddn_native_parse(ddn_request *r)
{
    const char *type = MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, "Content-Type");
    bool is_json = type && strncmp(type, "application/json", 16) == 0;
    asked a = { .text = NULL };
    json_t *object = NULL;
    if (is_json ? read_json(r, &a, &object) : read_plain(r, &a)) {
        if (a.text)
            make_job(r, &a);
        else
            ddn_request_refuse(r, MHD_HTTP_BAD_REQUEST, "the member 'text' is missing");
    }
    json_decref(object);
}
