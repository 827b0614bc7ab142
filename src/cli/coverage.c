/* SPDX-License-Identifier: MIT */
/* coverage.c - dodona coverage: how many trees each system can reach, for each file and, in the
 * table, for several of them together. */
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/options.h"
#include "dodona_research.h"

#include <stdio.h>

static const ddn_page page = {
    .command = "coverage",
    .operands = "[FILE...]",
    .about = "Counts how many trees of a treebank each transition system can reach, how many\n"
             "of these are not projective, and how many trees are planar, 2-planar,\n"
             "1-endpoint-crossing, or well-nested with at most one gap a subtree.",
    .example = "  dodona coverage --system attardi,alldeg1,all,alls0s1 train.conllu\n"
               "  dodona coverage --system 's1<s0+s0<s1+s1<b0' --json train.conllu\n",
    .most = -1,
};

typedef struct task {
    const char *systems; /* NULL: all */
    int one_root, json;
    dodona_coverage *file, *total;
} task;

static int print(dodona_coverage *c, const char *name, int json, dodona_error *err)
{
    dodona_text text;
    int status = dodona_coverage_print(c, name, json ? DODONA_JSON : DODONA_TEXT, &text, err);
    return status < 0 ? status : ddn_print(text, err);
}

static int add(void *ctx, dodona_sentence *s, dodona_error *err)
{
    const task *t = ctx;
    int status = dodona_coverage_add(t->file, s, err);
    return status < 0 ? status : dodona_coverage_add(t->total, s, err);
}

static int one_file(task *t, char *path, dodona_error *err)
{
    dodona_reader_options reading;
    dodona_reader_options_init(&reading);
    reading.check = DODONA_CHECK_TREE;
    int status = dodona_coverage_open(t->systems, t->one_root, &t->file, err);
    if (status < 0)
        return status;
    status = ddn_files_each(&DDN_ONE_FILE(path), &reading, add, t, err);
    if (status >= 0)
        status = print(t->file, ddn_path_name(path), t->json, err);
    dodona_coverage_close(t->file);
    return status;
}

static int all_files(task *t, char *const *path, int files, dodona_error *err)
{
    int status = dodona_coverage_open(t->systems, t->one_root, &t->total, err);
    if (status < 0)
        return status;
    for (int i = 0; i < files && status >= 0; i++) {
        if (i && !t->json)
            putchar('\n');
        status = one_file(t, path[i], err);
    }
    if (status >= 0 && files > 1 && !t->json) {
        putchar('\n');
        status = print(t->total, "total", 0, err);
    }
    dodona_coverage_close(t->total);
    return status;
}

int ddn_command_coverage(int argc, char **argv)
{
    task t = { 0 };
    int roots_many = 1;
    const ddn_option options[] = {
        { .name = "system",
          .argument = "S,...",
          .to = &t.systems,
          .otherwise = "all that there are",
          .names = dodona_system_name,
          .help = "which systems; the Attardi family also by its reduce transitions, with + "
                  "between them" },
        DDN_ROOTS_OPTION(&roots_many),
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
    t.one_root = !roots_many;
    files = ddn_files_or_input(&files);
    int status = all_files(&t, files.of, files.count, &err);
    return status < 0 ? ddn_complain(&err) : DDN_DONE;
}
