/* SPDX-License-Identifier: MIT */
/* projectivize.c - dodona projectivize: the nearest projective trees, how many there are, and
 * pseudo-projective trees there and back. */
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "dodona_research.h"

#include <stdio.h>
#include <string.h>

static const ddn_page page = {
    .command = "projectivize",
    .operands = "[FILE...]",
    .about = "Writes every tree of CoNLL-U files as a projective one that keeps the most\n"
             "heads, with its labels; or counts how many such trees there are; or encodes\n"
             "what is not projective in the labels, and decodes it again.",
    .example = "  dodona projectivize train.conllu >projective.conllu\n"
               "  dodona projectivize --count --json train.conllu\n"
               "  dodona projectivize --pseudo head train.conllu | dodona projectivize --undo\n",
    .most = -1,
};

typedef struct task {
    int count, json, undo;
    const char *pseudo; /* NULL: none */
    int one_root;
} task;

static int count(dodona_projectivizer *p, const dodona_sentence *s, const task *t,
                 dodona_error *err)
{
    int kept;
    const char *number;
    int status = dodona_projectivize_count(p, s, t->one_root, &kept, &number, err);
    if (status >= 0 && t->json)
        printf("{\"best\":%d,\"count\":%s}\n", kept, number);
    else if (status >= 0)
        printf("%s\n", number);
    return status;
}

static int change(dodona_projectivizer *p, dodona_sentence *s, const task *t, dodona_error *err)
{
    if (t->undo)
        return dodona_pseudo_decode(p, s, err);
    return t->pseudo ? dodona_pseudo_encode(p, s, t->pseudo, err)
                     : dodona_projectivize(p, s, t->one_root, err);
}

/* writer NULL: count. */
static int each_sentence(ddn_files *files, dodona_projectivizer *p, dodona_sentence *s,
                         const task *t, dodona_writer *writer, ddn_progress *progress,
                         dodona_error *err)
{
    dodona_progress now = { .phase = "projectivize" };
    int status;
    while ((status = ddn_files_pull(files, s, err)) > 0) {
        int words = dodona_sentence_length(s);
        now.done++;
        now.tokens += words;
        if (!writer)
            status = words > 0 ? count(p, s, t, err) : 0; /* comments after the last sentence */
        else if ((status = change(p, s, t, err)) >= 0)
            status = dodona_writer_put(writer, s, err);
        if (status < 0) {
            if (err->line && !err->file[0])
                snprintf(err->file, sizeof err->file, "%s",
                         ddn_path_name(files->path[files->at - 1]));
            break;
        }
        ddn_progress_parse(progress, &now);
    }
    return status;
}

static int run(const ddn_operands *operands, const task *t, dodona_writer *writer,
               dodona_error *err)
{
    dodona_reader_options reading;
    ddn_progress progress;
    ddn_files files;
    dodona_projectivizer *p = dodona_projectivizer_new();
    dodona_sentence *s = dodona_sentence_new();
    int status = DODONA_E_MEMORY;
    dodona_reader_options_init(&reading);
    reading.check = DODONA_CHECK_TREE;
    ddn_files_init(&files, operands, &reading);
    ddn_progress_init(&progress, operands->quiet, true);
    if (p && s)
        status = each_sentence(&files, p, s, t, writer, &progress, err);
    else
        *err = (dodona_error){ .code = DODONA_E_MEMORY, .message = "out of memory" };
    ddn_files_fini(&files);
    dodona_projectivizer_free(p);
    dodona_sentence_free(s);
    ddn_progress_end(&progress);
    return status;
}

static int run_with_writer(const ddn_operands *operands, const task *t, dodona_error *err)
{
    dodona_writer *writer;
    dodona_error late;
    int status = dodona_writer_open("-", DODONA_CONLLU, &writer, err);
    if (status < 0)
        return status;
    status = run(operands, t, writer, err);
    int closed = dodona_writer_close(writer, &late);
    if (status >= 0 && closed < 0)
        *err = late;
    return status < 0 ? status : closed;
}

int ddn_command_projectivize(int argc, char **argv)
{
    task t = { 0 };
    const char *roots = "many";
    const ddn_option options[] = {
        { .name = "count",
          .type = DDN_FLAG,
          .to = &t.count,
          .help = "print how many projective trees keep the most heads, a line a sentence" },
        { .name = "json",
          .type = DDN_FLAG,
          .to = &t.json,
          .help = "with --count: a JSON object a line, with the number of heads kept" },
        { .name = "roots",
          .type = DDN_CHOICE,
          .argument = "one|many",
          .to = &roots,
          .help = "words below the root: exactly one, or any number" },
        { .name = "pseudo",
          .type = DDN_CHOICE,
          .argument = "head|path|head+path",
          .to = &t.pseudo,
          .help = "lift arcs instead, and mark in the labels where they came from" },
        { .name = "undo",
          .type = DDN_FLAG,
          .to = &t.undo,
          .help = "put back what --pseudo lifted, by the marks, and remove these" },
        { 0 },
    };
    ddn_operands files = { 0 };
    dodona_error err;
    int code = ddn_options_read(&page, options, argc, argv, &files);
    if (code >= 0)
        return code;
    t.one_root = strcmp(roots, "one") == 0;
    if (t.json && !t.count)
        return ddn_misuse(page.command, "--json is the form of --count, which is not there");
    if (t.count && (t.pseudo || t.undo))
        return ddn_misuse(page.command, "--count is about the nearest projective trees; "
                                        "it does not go with --pseudo and --undo");
    if (t.pseudo && t.undo)
        return ddn_misuse(page.command, "--undo takes back what --pseudo did; give one of them");
    if (t.one_root && (t.pseudo || t.undo))
        return ddn_misuse(page.command, "--roots one does not go with --pseudo and --undo, "
                                        "which lift as far as it takes");
    int status = t.count ? run(&files, &t, NULL, &err) : run_with_writer(&files, &t, &err);
    return status < 0 ? ddn_complain(&err) : DDN_DONE;
}
