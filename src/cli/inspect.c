/* SPDX-License-Identifier: MIT */
/* inspect.c - dodona inspect: what a model is, as it says itself. */
#include "cli/cli.h"
#include "cli/embedded.h"
#include "cli/options.h"
#include "core/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const ddn_page page = {
    .command = "inspect",
    .operands = "[MODEL]",
    .about = "Prints what a model is: its system and options, the data it was trained on, its\n"
             "scores, the parts of its file and their sizes in bytes.  Without a name: of the\n"
             "English model that is built in.",
    .example = "  dodona inspect my.model\n"
               "  dodona inspect --templates my.model >my.templates\n",
    .most = 1,
};

/* The next line of *rest without its line end, or false when there is none. */
static bool next_line(dodona_text *rest, dodona_text *line)
{
    if (rest->size == 0)
        return false;
    const char *newline = memchr(rest->data, '\n', rest->size);
    line->data = rest->data;
    line->size = newline ? (size_t)(newline - rest->data) : rest->size;
    size_t used = line->size + (newline != NULL);
    rest->data += used;
    rest->size -= used;
    return true;
}

static void print_text(dodona_text t)
{
    fwrite(t.data, 1, t.size, stdout);
}

static void print_labels(const dodona_model *m)
{
    dodona_text label;
    for (int i = 0; dodona_model_label(m, i, &label) >= 0; i++) {
        print_text(label);
        putchar('\n');
    }
}

static void print_summary(const dodona_model *m)
{
    const char *name;
    uint64_t size;
    print_text(dodona_model_metadata(m));
    puts("\nparts:");
    for (int i = 0; dodona_model_section(m, i, &name, &size) >= 0; i++)
        printf("  %-24s%12" PRIu64 "\n", name, size);
}

/* ---- JSON ---- */

static void put_metadata(ddn_json *j, const dodona_model *m)
{
    dodona_text rest = dodona_model_metadata(m), line;
    ddn_json_begin(ddn_json_key(j, "metadata"), '{');
    while (next_line(&rest, &line)) {
        const char *colon = memchr(line.data, ':', line.size);
        if (!colon)
            continue;
        const char *value = colon + 1, *end = line.data + line.size;
        value += value < end && *value == ' ';
        ddn_json_key_text(j, (dodona_text){ line.data, (size_t)(colon - line.data) });
        ddn_json_text(j, (dodona_text){ value, (size_t)(end - value) });
    }
    ddn_json_end(j, '}');
}

static void put_parts(ddn_json *j, const dodona_model *m)
{
    const char *name;
    uint64_t size;
    ddn_json_begin(ddn_json_key(j, "parts"), '{');
    for (int i = 0; dodona_model_section(m, i, &name, &size) >= 0; i++)
        ddn_json_printf(ddn_json_key(j, name), "%" PRIu64, size);
    ddn_json_end(j, '}');
}

static void put_labels(ddn_json *j, const dodona_model *m)
{
    dodona_text label;
    ddn_json_begin(ddn_json_key(j, "labels"), '[');
    for (int i = 0; dodona_model_label(m, i, &label) >= 0; i++)
        ddn_json_text(j, label);
    ddn_json_end(j, ']');
}

static int print_json(const dodona_model *m, bool templates, bool labels, dodona_error *err)
{
    ddn_output o;
    ddn_json j = { .out = &o };
    int status = ddn_output_open(&o, "-", err);
    if (status < 0)
        return status;
    ddn_json_begin(&j, '{');
    put_metadata(&j, m);
    put_parts(&j, m);
    if (templates)
        ddn_json_text(ddn_json_key(&j, "templates"), dodona_model_templates(m));
    if (labels)
        put_labels(&j, m);
    ddn_json_end(&j, '}');
    ddn_puts(&o, "\n");
    return ddn_output_close(&o, err);
}

int ddn_command_inspect(int argc, char **argv)
{
    int json = 0, templates = 0, labels = 0;
    const ddn_option options[] = {
        { .name = "templates",
          .type = DDN_FLAG,
          .to = &templates,
          .help = "print its feature templates instead, as their file had them" },
        { .name = "labels",
          .type = DDN_FLAG,
          .to = &labels,
          .help = "print the relations that it can give instead, the most frequent first" },
        { .name = "json",
          .type = DDN_FLAG,
          .to = &json,
          .help = "print all that as JSON; with --templates and --labels, these too" },
        { 0 },
    };
    ddn_operands operands = { 0 };
    dodona_error err;
    dodona_model *model;
    int code = ddn_options_read(&page, options, argc, argv, &operands);
    if (code >= 0)
        return code;
    if (ddn_model_open(operands.count ? operands.of[0] : NULL, &model, &err) < 0)
        return ddn_complain(&err);
    int status = DODONA_OK;
    if (json) {
        status = print_json(model, templates, labels, &err);
    } else if (templates || labels) {
        if (templates)
            print_text(dodona_model_templates(model));
        if (labels)
            print_labels(model);
    } else {
        print_summary(model);
    }
    dodona_model_free(model);
    return status < 0 ? ddn_complain(&err) : DDN_DONE;
}
