/* SPDX-License-Identifier: MIT */
/* udpipe.c - the interface of UDPipe's REST service: models and process. */
#include "core/json.h"
#include "server/request.h"

#include <string.h>

static void put_steps(ddn_json *j, const dodona_model *m)
{
    int steps = dodona_model_steps(m);
    ddn_json_begin(j, '[');
    if (steps & DODONA_STEP_TOKENIZE)
        ddn_json_string(j, "tokenizer");
    if (steps & DODONA_STEP_TAG)
        ddn_json_string(j, "tagger");
    if (steps & DODONA_STEP_PARSE)
        ddn_json_string(j, "parser");
    ddn_json_end(j, ']');
}

void ddn_list_models(ddn_request *r)
{
    const ddn_serve_options *o = r->server->options;
    ddn_json j = { .out = &r->text };
    ddn_json_begin(&j, '{');
    ddn_json_begin(ddn_json_key(&j, "models"), '{');
    for (int i = 0; i < o->models; i++)
        put_steps(ddn_json_key(&j, o->model[i].name), o->model[i].model);
    ddn_json_end(&j, '}');
    ddn_json_string(ddn_json_key(&j, "default_model"), o->model[0].name);
    ddn_json_end(&j, '}');
    ddn_put(&r->text, "\n", 1);
    r->type = "application/json; charset=utf-8";
    r->status = MHD_HTTP_OK;
}

/* Whether a list of options, "ranges;presegmented", has this one. */
static bool has_option(const char *list, const char *option)
{
    size_t size = strlen(option);
    for (const char *at = list; *at; at += strcspn(at, ";") ? strcspn(at, ";") : 1)
        if (strncmp(at, option, size) == 0 && (!at[size] || at[size] == ';' || at[size] == '='))
            return true;
    return false;
}

static bool find_input(ddn_request *r, dodona_format *format)
{
    const char *tokenizer = ddn_request_get(r, "tokenizer"), *input = ddn_request_get(r, "input");
    if (tokenizer) {
        *format = has_option(tokenizer, "presegmented") ? DODONA_PRESEGMENTED : DODONA_TEXT;
        return true;
    }
    static const struct {
        const char *name;
        dodona_format format;
    } inputs[] = { { "conllu", DODONA_CONLLU },
                   { "horizontal", DODONA_TOKENS },
                   { "vertical", DODONA_VERTICAL },
                   { "generic_tokenizer", DODONA_TEXT } };
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        size_t size = strlen(inputs[i].name);
        if (!input || !*input ||
            (strncmp(input, inputs[i].name, size) == 0 &&
             (!input[size] || input[size] == '=' || input[size] == ';'))) {
            *format = inputs[i].format;
            return true;
        }
    }
    ddn_request_refuse(r, MHD_HTTP_BAD_REQUEST,
                       "the input format '%s' is not known; there are conllu, horizontal, vertical "
                       "and generic_tokenizer",
                       input);
    return false;
}

static bool find_output(ddn_request *r, dodona_format *format)
{
    const char *output = ddn_request_get(r, "output");
    static const struct {
        const char *name;
        dodona_format format;
    } outputs[] = { { "conllu", DODONA_CONLLU },
                    { "horizontal", DODONA_TOKENS },
                    { "plaintext", DODONA_TEXT } };
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        if (!output || !*output || strncmp(output, outputs[i].name, strlen(outputs[i].name)) == 0) {
            *format = outputs[i].format;
            return true;
        }
    ddn_request_refuse(r, MHD_HTTP_BAD_REQUEST,
                       "the output format '%s' is not known; there are conllu, horizontal and "
                       "plaintext",
                       output);
    return false;
}

static void wrap(ddn_job *j)
{
    static const char licence[] = "licence: ";
    dodona_text meta = dodona_model_metadata(j->served->model);
    ddn_json json = { .out = &j->head };
    ddn_json_begin(&json, '{');
    ddn_json_string(ddn_json_key(&json, "model"), j->served->name);
    ddn_json_begin(ddn_json_key(&json, "acknowledgements"), '[');
    for (size_t at = 0; at < meta.size;) {
        const char *line = meta.data + at, *end = memchr(line, '\n', meta.size - at);
        size_t size = end ? (size_t)(end - line) : meta.size - at;
        if (size > sizeof licence && memcmp(line, licence, sizeof licence - 1) == 0)
            ddn_json_text(&json,
                          (dodona_text){ line + sizeof licence - 1, size - (sizeof licence - 1) });
        at += size + 1;
    }
    ddn_json_end(&json, ']');
    ddn_put(&j->head, ",\"result\":\"", 11);
    ddn_put(&j->tail, "\"}\n", 3);
    j->wrapping = DDN_WRAP_STRING;
    j->type = "application/json; charset=utf-8";
}

void ddn_process(ddn_request *r)
{
    const ddn_parameter *data = ddn_request_find(r, "data");
    dodona_format input, output;
    if (!data) {
        ddn_request_refuse(r, MHD_HTTP_BAD_REQUEST, "the parameter 'data' is missing");
        return;
    }
    const ddn_served *served = ddn_request_model(r, ddn_request_get(r, "model"));
    if (!served || !find_input(r, &input) || !find_output(r, &output))
        return;
    ddn_job *j = ddn_request_job(r, served, data->value.data, data->value.size - 1);
    if (!j)
        return;
    j->input = input;
    j->output = output;
    j->options.steps = DODONA_STEP_TOKENIZE |
                       (ddn_request_find(r, "tagger") ? DODONA_STEP_TAG : 0) |
                       (ddn_request_find(r, "parser") ? DODONA_STEP_PARSE : 0);
    wrap(j);
    r->job = j;
}
