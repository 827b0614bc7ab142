/* SPDX-License-Identifier: MIT */
/* models.c - dodona models: which models a name opens, and what they say of themselves. */
#include "cli/cli.h"
#include "cli/embedded.h"
#include "cli/options.h"
#include "core/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ddn_page page = {
    .command = "models",
    .operands = "",
    .about =
        "Lists the models that --model takes by name: in the folders of DODONA_MODELS (with ':'\n"
        "between them), then those that are installed, and the English one that is built in.\n"
        "Prints the name, the language, the licence, the scores on the data that training was\n"
        "measured on, and the file.",
    .example = "  dodona models\n"
               "  DODONA_MODELS=$HOME/models dodona models --json\n",
};

/* A line of the metadata, and how it is called here. */
static const struct field {
    const char *key, *name;
} field[] = { { "language", "language" },
              { "licence", "licence" },
              { "corpus", "corpus" },
              { "dev", "dev" },
              { "dev-tags", "tags" } };

typedef struct list {
    ddn_output *out;
    bool json;
    bool english; /* a file has the name of the one that is built in */
} list;

/* The next value of a key in the metadata, from *at on; size 0: there is none. */
static dodona_text next_value(dodona_text metadata, const char *key, size_t *at)
{
    size_t length = strlen(key);
    while (*at < metadata.size) {
        const char *line = metadata.data + *at;
        const char *end = memchr(line, '\n', metadata.size - *at);
        size_t size = end ? (size_t)(end - line) : metadata.size - *at;
        *at += size + 1;
        if (size > length + 2 && memcmp(line, key, length) == 0 && line[length] == ':')
            return (dodona_text){ line + length + 2, size - length - 2 };
    }
    return (dodona_text){ "", 0 };
}

static void put_text(list *l, const char *name, const char *path, const dodona_model *m)
{
    ddn_putf(l->out, "%s\n", name);
    for (size_t i = 0; i < sizeof field / sizeof *field; i++) {
        size_t at = 0;
        dodona_text value;
        while ((value = next_value(dodona_model_metadata(m), field[i].key, &at)).size)
            ddn_putf(l->out, "  %-9s %.*s\n", field[i].name, (int)value.size, value.data);
    }
    ddn_putf(l->out, "  %-9s %s\n", "file", path ? path : "built in");
}

static void put_json(list *l, const char *name, const char *path, const dodona_model *m)
{
    ddn_json writer = { .out = l->out }, *j = &writer;
    ddn_json_begin(j, '{');
    ddn_json_text(ddn_json_key(j, "name"), (dodona_text){ name, strlen(name) });
    for (size_t i = 0; i < sizeof field / sizeof *field; i++) {
        size_t at = 0;
        dodona_text value;
        ddn_json_begin(ddn_json_key(j, field[i].name), '[');
        while ((value = next_value(dodona_model_metadata(m), field[i].key, &at)).size)
            ddn_json_text(j, value);
        ddn_json_end(j, ']');
    }
    if (path)
        ddn_json_text(ddn_json_key(j, "file"), (dodona_text){ path, strlen(path) });
    ddn_json_end(j, '}');
    ddn_puts(l->out, "\n");
}

static void put_model(list *l, const char *name, const char *path, const dodona_model *m)
{
    if (l->json)
        put_json(l, name, path, m);
    else
        put_text(l, name, path, m);
}

/* A model that can't be opened is told of, and the others are listed all the same. */
static int found(void *ctx, const char *name, const char *path, dodona_error *err)
{
    list *l = ctx;
    dodona_model *m;
    if (strcmp(name, "english") == 0)
        l->english = true;
    int status = dodona_model_open(path, &m, err);
    if (status == DODONA_E_MEMORY)
        return status;
    if (status < 0) {
        ddn_complain(err);
        return DODONA_OK;
    }
    put_model(l, name, path, m);
    dodona_model_free(m);
    return DODONA_OK;
}

static int put_embedded(list *l, dodona_error *err)
{
    dodona_model *m;
    int status = ddn_model_open(NULL, &m, err);
    if (status < 0)
        return status;
    put_model(l, "english", NULL, m);
    dodona_model_free(m);
    return DODONA_OK;
}

int ddn_command_models(int argc, char **argv)
{
    int json = 0;
    const ddn_option options[] = {
        { .name = "json",
          .type = DDN_FLAG,
          .to = &json,
          .help =
              "print a JSON object a line; what the metadata may have several times is a list" },
        { 0 },
    };
    ddn_operands operands = { 0 };
    dodona_error err;
    ddn_output out;
    int code = ddn_options_read(&page, options, argc, argv, &operands);
    if (code >= 0)
        return code;
    list l = { .out = &out, .json = json };
    if (ddn_output_open(&out, "-", &err) < 0)
        return ddn_complain(&err);
    int status = dodona_models(getenv("DODONA_MODELS"), found, &l, &err);
    if (status >= 0 && !l.english)
        status = put_embedded(&l, &err);
    if (status >= 0)
        status = ddn_output_close(&out, &err);
    else
        ddn_output_abandon(&out);
    return status < 0 ? ddn_complain(&err) : DDN_DONE;
}
