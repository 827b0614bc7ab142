/* SPDX-License-Identifier: MIT */
/* stats.c - dodona stats: a treebank in figures, for each file and, when there are several, for all
 * of them together. */
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/options.h"

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

static int out_of_memory(dodona_error *err)
{
    *err = (dodona_error){ .code = DODONA_E_MEMORY, .message = "out of memory" };
    return DODONA_E_MEMORY;
}

static int print(dodona_stats *stats, const char *name, int json, dodona_error *err)
{
    dodona_text text;
    int status = dodona_stats_print(stats, name, json ? DODONA_JSON : DODONA_TEXT, &text, err);
    if (status >= 0)
        fwrite(text.data, 1, text.size, stdout);
    return status;
}

static int count(dodona_reader *reader, dodona_sentence *s, dodona_stats *stats,
                 dodona_stats *total, dodona_error *err)
{
    int status;
    while ((status = dodona_reader_next(reader, s, err)) > 0) {
        status = dodona_stats_add(stats, s, err);
        if (status >= 0)
            status = dodona_stats_add(total, s, err);
        if (status < 0)
            break;
    }
    return status;
}

static int one_file(const char *path, dodona_sentence *s, dodona_stats *total, int json,
                    dodona_error *err)
{
    dodona_stats *stats = dodona_stats_new();
    if (!stats)
        return out_of_memory(err);
    dodona_reader *reader;
    int status = dodona_reader_open(path, NULL, &reader, err);
    if (status >= 0) {
        status = count(reader, s, stats, total, err);
        dodona_reader_close(reader);
    }
    if (status >= 0)
        status = print(stats, ddn_path_name(path), json, err);
    dodona_stats_free(stats);
    return status;
}

static int all_files(char *const *path, int files, int json, dodona_error *err)
{
    dodona_stats *total = dodona_stats_new();
    dodona_sentence *s = dodona_sentence_new();
    int status = total && s ? 0 : out_of_memory(err);
    for (int i = 0; i < files && status >= 0; i++) {
        if (i && !json)
            putchar('\n');
        status = one_file(path[i], s, total, json, err);
    }
    if (status >= 0 && files > 1) {
        if (!json)
            putchar('\n');
        status = print(total, "total", json, err);
    }
    dodona_sentence_free(s);
    dodona_stats_free(total);
    return status;
}

int ddn_command_stats(int argc, char **argv)
{
    int json = 0;
    const ddn_option options[] = {
        { .name = "json",
          .type = DDN_FLAG,
          .to = &json,
          .help = "print the figures as JSON, an object a line for each file" },
        { 0 },
    };
    ddn_operands files = { 0 };
    dodona_error err;
    int code = ddn_options_read(&page, options, argc, argv, &files);
    if (code >= 0)
        return code;
    files = ddn_files_or_input(&files);
    int status = all_files(files.of, files.count, json, &err);
    return status < 0 ? ddn_complain(&err) : DDN_DONE;
}
