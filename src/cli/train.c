/* SPDX-License-Identifier: MIT */
/* train.c - dodona train: from a treebank to a model file.
 *
 * An interrupt (SIGINT, SIGTERM) asks the library to stop at its next report, so that nothing half
 * written is left; a second one ends the program at once. */
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/log.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const ddn_page page = {
    .command = "train",
    .operands = "",
    .about = "Trains a parser, or other parts of a model.  The same seed and data give the\n"
             "same model, byte for byte.  A run that was interrupted goes on from its\n"
             "checkpoint, OUT.checkpoint, when the same command is given again.",
    .example = "  dodona train --train train.conllu --dev dev.conllu --model my.model\n"
               "  dodona train --train train.conllu --model small.model --system arc-eager \\\n"
               "      --model-size 6 --note 'corpus: UD English EWT 2.16, CC BY-SA 4.0'\n"
               "  dodona train --train letters.conllu --steps tokenize --into my.model \\\n"
               "      --model my.model\n",
};

typedef struct arguments {
    const char *train, *dev, *model, *steps, *log;
    int list;
    dodona_train_options o;
    ddn_operands none;
} arguments;

static int read_arguments(arguments *a, int argc, char **argv)
{
    ddn_option options[DDN_MAX_OPTIONS] = {
        { .name = "train",
          .type = DDN_FILE,
          .argument = "F",
          .to = &a->train,
          .required = true,
          .help = "the treebank to learn from" },
        { .name = "dev",
          .type = DDN_FILE,
          .argument = "F",
          .to = &a->dev,
          .help = "the treebank that is scored after each iteration; without it the last model is "
                  "kept" },
        { .name = "model",
          .type = DDN_FILE,
          .argument = "OUT",
          .to = &a->model,
          .required = true,
          .help = "the file to write" },
        { .name = "steps",
          .argument = "S,...",
          .to = &a->steps,
          .otherwise = "parse; with --pipeline, all",
          .names = ddn_step_name,
          .help = "the parts to train: tokenize, a tokenizer; tag, a tagger and a lemmatizer; "
                  "parse, a parser" },
        { .name = "log",
          .type = DDN_FILE,
          .argument = "F",
          .to = &a->log,
          .help = "add a line of JSON to this file for each iteration" },
        { .name = "list",
          .type = DDN_FLAG,
          .to = &a->list,
          .alone = true,
          .help = "print the systems, algorithms, searches and template sets that there are, and "
                  "which algorithms serve which system, and do nothing else" },
    };
    dodona_train_options_init(&a->o);
    ddn_options_add(options, dodona_train_option, &a->o);
    return ddn_options_read(&page, options, argc, argv, &a->none);
}

static void list_one(const char *title, const char *(*name)(int i), const char *(*about)(int i))
{
    printf("%s:\n", title);
    for (int i = 0; name(i); i++)
        printf(about ? "  %-14s %s\n" : "  %s%s\n", name(i), about ? about(i) : "");
}

static void list_serving(void)
{
    puts("algorithms by system:");
    for (int k = 0; dodona_system_name(k); k++) {
        const char *between = "";
        printf("  %-14s ", dodona_system_name(k));
        for (int i = 0; dodona_algorithm_name(i); i++) {
            if (!dodona_algorithm_serves(i, k))
                continue;
            printf("%s%s", between, dodona_algorithm_name(i));
            between = ", ";
        }
        putchar('\n');
    }
}

static void list(void)
{
    list_one("systems", dodona_system_name, dodona_system_about);
    list_one("algorithms", dodona_algorithm_name, dodona_algorithm_about);
    list_serving();
    list_one("searches", dodona_search_name, dodona_search_about);
    list_one("learners", dodona_learner_name, dodona_learner_about);
    list_one("templates", dodona_templates_name, NULL);
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int check_files(const arguments *a)
{
    const char *dev = a->dev ? a->dev : "";
    if (strcmp(a->train, "-") == 0 && strcmp(dev, "-") == 0)
        return ddn_misuse("train", "only one of --train and --dev can be standard input");
    if (strcmp(a->model, "-") == 0)
        return ddn_misuse("train",
                          "a model can't be written to standard output; --model names a file");
    if (is_same_file(a->model, a->train) || is_same_file(a->model, dev))
        return ddn_misuse("train", "the model would take the place of the treebank %s", a->model);
    if (a->log && (is_same_file(a->log, a->train) || is_same_file(a->log, dev) ||
                   strcmp(a->log, a->model) == 0))
        return ddn_misuse("train", "the log would be added to %s", a->log);
    return -1;
}

/* Every note must read "key: value", or the metadata could not be read back. */
static int check_notes(const char *notes)
{
    for (const char *at = notes, *end; at && *at; at = end + 1) {
        end = strchr(at, '\n');
        const char *colon = strstr(at, ": ");
        if (!colon || colon == at || colon + 2 >= end)
            return ddn_misuse("train", "--note is '%.*s'; expected 'key: value'", (int)(end - at),
                              at);
    }
    return -1;
}

/* ---- Interrupts ---- */

typedef struct watch {
    ddn_progress progress;
    ddn_log log;
} watch;

static int report(void *ctx, const dodona_progress *now)
{
    watch *w = ctx;
    ddn_progress_train(&w->progress, now);
    ddn_log_progress(&w->log, now);
    return ddn_interrupted() != 0;
}

static int stopped(const char *model)
{
    char checkpoint[4096], parts[4096];
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", model);
    snprintf(parts, sizeof parts, "%s.parts", model);
    if (access(checkpoint, F_OK) == 0)
        ddn_warn("stopped; %s keeps the iterations that have ended: give the same command again to "
                 "go on from there",
                 checkpoint);
    else if (access(parts, F_OK) == 0)
        ddn_warn("stopped; %s keeps what comes before the parser: give the same command again to "
                 "go on from there",
                 parts);
    else
        ddn_warn("stopped before the first iteration ended; nothing is kept");
    return DDN_BAD;
}

/* ---- The run ---- */

static int open_source(const char *path, const arguments *a, dodona_reader **reader,
                       dodona_source *source, dodona_error *err)
{
    dodona_reader_options o;
    dodona_reader_options_init(&o);
    o.check = a->o.roots_many ? DODONA_CHECK_TREE : DODONA_CHECK_ONE_ROOT;
    int status = dodona_reader_open(path, &o, reader, err);
    *source = (dodona_source){ dodona_reader_pull, *reader, ddn_path_name(path) };
    return status;
}

static void say_result(const arguments *a, const dodona_train_result *r)
{
    if (r->skipped)
        ddn_warn("%lld training sentence%s skipped: %s can't build trees that are not projective",
                 (long long)r->skipped, r->skipped == 1 ? "" : "s", a->o.system);
    if (r->too_long)
        ddn_warn("%lld training sentence%s left out: too long for exact search with %s",
                 (long long)r->too_long, r->too_long == 1 ? "" : "s", a->o.system);
    if (r->given_up)
        ddn_warn("%lld time%s a training sentence was beyond the limits of the oracle and was "
                 "learnt along the gold moves instead",
                 (long long)r->given_up, r->given_up == 1 ? "" : "s");
    if (r->tied)
        ddn_warn(
            "%lld time%s there were too many cycles to count, and the oracle ranked the moves by "
            "those that it had counted",
            (long long)r->tied, r->tied == 1 ? "" : "s");
    if (r->left_out)
        ddn_warn("%lld step%s of training left out: gradients were not finite numbers",
                 (long long)r->left_out, r->left_out == 1 ? "" : "s");
    if (r->diverged)
        ddn_warn("training diverged in iteration %d and ended there; the model is from before; try "
                 "another --seed",
                 r->diverged);
    if (a->none.quiet)
        return;
    if (r->crossing > r->skipped)
        fprintf(stderr, "%lld training trees are out of reach; learnt by --nonprojective %s\n",
                (long long)r->crossing, a->o.nonprojective);
    if (r->best == 0)
        return;
    fprintf(stderr, "%s: the model of iteration %d", a->model, r->best);
    if (a->dev)
        fprintf(stderr, ", UAS %.2f LAS %.2f on dev\n", r->uas, r->las);
    else
        fputs(", the last one, since there is no --dev\n", stderr);
}

/* A word as a shell reads it back. */
static void put_word(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "./_-+=:,%@";
    if (word[0] && word[0] != '-' && word[strspn(word, plain)] == '\0') {
        fputs(word, stderr);
        return;
    }
    fputc('\'', stderr);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[2]){ *word }, stderr);
    fputc('\'', stderr);
}

/* The last line: what to do with the model.  Dev is parsed as it was measured, with the tags of the
 * model's own tagger, where it has one. */
static void say_next(const arguments *a)
{
    dodona_model *m;
    if (a->none.quiet || dodona_model_open(a->model, &m, NULL) < 0)
        return;
    int parts = dodona_model_steps(m);
    dodona_model_free(m);
    bool scores = a->dev && strcmp(a->dev, "-") != 0 && parts & DODONA_STEP_PARSE;
    fputs("next: dodona parse --model ", stderr);
    put_word(a->model);
    if (scores && parts & DODONA_STEP_TAG)
        fputs(" --steps tag,parse", stderr);
    fputc(' ', stderr);
    if (scores) {
        put_word(a->dev);
        fputs(" | dodona eval ", stderr);
        put_word(a->dev);
        fputs(" -\n", stderr);
    } else {
        fputs(parts & DODONA_STEP_TOKENIZE ? "TEXT\n" : "FILE\n", stderr);
    }
}

static int train(arguments *a, watch *w, dodona_train_result *result, dodona_error *err)
{
    dodona_reader *train = NULL, *dev = NULL;
    dodona_source from, measured;
    int status = open_source(a->train, a, &train, &from, err);
    if (status >= 0 && a->dev)
        status = open_source(a->dev, a, &dev, &measured, err);
    ddn_interrupt_catch();
    if (status >= 0) {
        ddn_log_start(&w->log, a->model, from.name, a->dev ? measured.name : NULL);
        status = dodona_train(&a->o, &from, a->dev ? &measured : NULL, a->model, result, err);
    }
    dodona_reader_close(train);
    dodona_reader_close(dev);
    return status;
}

static int run(arguments *a, dodona_error *err)
{
    dodona_train_result result;
    watch w;
    ddn_progress_init(&w.progress, a->none.quiet, false);
    w.progress.dev = a->dev != NULL;
    a->o.report = report;
    a->o.report_ctx = &w;
    int status = ddn_log_open(&w.log, a->log, err);
    if (status < 0)
        return status;
    status = train(a, &w, &result, err);
    ddn_progress_clear(&w.progress);
    if (status >= 0)
        ddn_log_end(&w.log, a->model, &result);
    int closed = ddn_log_close(&w.log, status < 0 ? NULL : err);
    if (status < 0)
        return status;
    say_result(a, &result);
    say_next(a);
    return closed;
}

int ddn_command_train(int argc, char **argv)
{
    arguments a = { 0 };
    dodona_error err;
    int code = read_arguments(&a, argc, argv);
    if (code < 0 && a.list) {
        list();
        code = DDN_DONE;
    }
    if (code < 0)
        code = check_files(&a);
    if (code < 0)
        code = check_notes(a.o.notes);
    if (code < 0)
        code = ddn_steps_read(page.command, a.steps, &a.o.steps);
    if (code < 0) {
        int status = run(&a, &err);
        if (status == DODONA_E_CANCELLED)
            code = stopped(a.model);
        else
            code = status < 0 ? ddn_complain(&err) : DDN_DONE;
    }
    free((char *)a.o.notes);
    return code;
}
