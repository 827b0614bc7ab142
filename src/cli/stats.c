/* SPDX-License-Identifier: MIT */
/* stats.c - dodona stats: a treebank in figures, for each file and, when there are several, for all
 * of them together. */
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/options.h"
#include "core/error.h"

#include <stdio.h>

static const ddn_page page = {
    .command = "stats",
    .operands = "[FILE...]",
    .about = "Prints a treebank in figures: sentences, words, labels, how many trees are\n"
             "projective and how far the others are from it.  Several files are also counted\n"
             "together.",
    .example = "  dodona stats train.conllu dev.conllu\n"
               "  dodona stats --json train.conllu\n",
    .most = -1,
};

typedef struct task {
    dodona_stats *file, *total;
    int json;
} task;

static int print(dodona_stats *stats, const char *name, int json, dodona_error *err)
{
    dodona_text text;
    int status = dodona_stats_print(stats, name, json ? DODONA_JSON : DODONA_TEXT, &text, err);
    return status < 0 ? status : ddn_print(text, err);
}

static int add(void *ctx, dodona_sentence *s, dodona_error *err)
{
    const task *t = ctx;
    int status = dodona_stats_add(t->file, s, err);
    return status < 0 ? status : dodona_stats_add(t->total, s, err);
}

static int one_file(task *t, char *path, dodona_error *err)
{
    dodona_reader_options reading;
    dodona_reader_options_init(&reading);
    t->file = dodona_stats_new();
    int status =
        t->file ? ddn_files_each(&DDN_ONE_FILE(path), &reading, add, t, err) : ddn_fail_memory(err);
    if (status >= 0)
        status = print(t->file, ddn_path_name(path), t->json, err);
    dodona_stats_free(t->file);
    return status;
}

static int all_files(task *t, char *const *path, int files, dodona_error *err)
{
    t->total = dodona_stats_new();
    int status = t->total ? DODONA_OK : ddn_fail_memory(err);
    for (int i = 0; i < files && status >= 0; i++) {
        if (i && !t->json)
            putchar('\n');
        status = one_file(t, path[i], err);
    }
    if (status >= 0 && files > 1) {
        if (!t->json)
            putchar('\n');
        status = print(t->total, "total", t->json, err);
    }
    dodona_stats_free(t->total);
    return status;
}

int ddn_command_stats(int argc, char **argv)
{
    task t = { 0 };
    const ddn_option options[] = {
        { .name = "json",
          .type = DDN_FLAG,
          .to = &t.json,
          .help = "print the figures as JSON, an object a line for each file" },
        { 0 },
    };
    ddn_operands files = { 0 };
    dodona_error err;
    int code = ddn_options_read(&page, options, argc, argv, &files);
    if (code >= 0)
        return code;
    files = ddn_files_or_input(&files);
    int status = all_files(&t, files.of, files.count, &err);
    return status < 0 ? ddn_complain(&err) : DDN_DONE;
}
