/* SPDX-License-Identifier: MIT */
/* inspect.c - dodona inspect: what a model is, as it says itself. */
#include "cli/cli.h"
#include "cli/embedded.h"
#include "cli/options.h"

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

static void json_string(dodona_text t)
{
    putchar('"');
    for (size_t i = 0; i < t.size; i++) {
        unsigned char c = (unsigned char)t.data[i];
        if (c < 0x20)
            printf("\\u%04x", c);
        else if (c == '"' || c == '\\')
            printf("\\%c", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void json_metadata(const dodona_model *m)
{
    dodona_text rest = dodona_model_metadata(m), line;
    const char *comma = "";
    fputs("{\"metadata\":{", stdout);
    while (next_line(&rest, &line)) {
        const char *colon = memchr(line.data, ':', line.size);
        if (!colon)
            continue;
        const char *value = colon + 1, *end = line.data + line.size;
        value += value < end && *value == ' ';
        fputs(comma, stdout);
        json_string((dodona_text){ line.data, (size_t)(colon - line.data) });
        putchar(':');
        json_string((dodona_text){ value, (size_t)(end - value) });
        comma = ",";
    }
    putchar('}');
}

static void json_parts(const dodona_model *m)
{
    const char *name;
    uint64_t size;
    fputs(",\"parts\":{", stdout);
    for (int i = 0; dodona_model_section(m, i, &name, &size) >= 0; i++) {
        fputs(i ? "," : "", stdout);
        json_string((dodona_text){ name, strlen(name) });
        printf(":%" PRIu64, size);
    }
    putchar('}');
}

static void json_lists(const dodona_model *m, bool templates, bool labels)
{
    dodona_text rest = dodona_model_templates(m), line;
    if (templates) {
        fputs(",\"templates\":", stdout);
        json_string(rest);
    }
    if (!labels)
        return;
    fputs(",\"labels\":[", stdout);
    for (int i = 0; dodona_model_label(m, i, &line) >= 0; i++) {
        fputs(i ? "," : "", stdout);
        json_string(line);
    }
    putchar(']');
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
    if (json) {
        json_metadata(model);
        json_parts(model);
        json_lists(model, templates, labels);
        puts("}");
    } else if (templates || labels) {
        if (templates)
            print_text(dodona_model_templates(model));
        if (labels)
            print_labels(model);
    } else {
        print_summary(model);
    }
    dodona_model_free(model);
    return DDN_DONE;
}
