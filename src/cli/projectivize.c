/* SPDX-License-Identifier: MIT */
/* projectivize.c - dodona projectivize: the nearest projective trees, how many there are, and
 * pseudo-projective trees there and back. */
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/options.h"
#include "core/error.h"
#include "core/json.h"
#include "dodona_research.h"

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
    dodona_projectivizer *projectivizer;
    dodona_writer *writer; /* NULL: count */
    ddn_output out;        /* of the counts */
} task;

static void put_count(task *t, int kept, const char *number)
{
    ddn_json j = { .out = &t->out };
    if (t->json) {
        ddn_json_begin(&j, '{');
        ddn_json_int(ddn_json_key(&j, "best"), kept);
        ddn_json_raw(ddn_json_key(&j, "count"), number);
        ddn_json_end(&j, '}');
    } else {
        ddn_puts(&t->out, number);
    }
    ddn_puts(&t->out, "\n");
}

static int count(task *t, const dodona_sentence *s, dodona_error *err)
{
    int kept;
    const char *number;
    if (dodona_sentence_length(s) == 0) /* comments after the last sentence */
        return DODONA_OK;
    int status = dodona_projectivize_count(t->projectivizer, s, t->one_root, &kept, &number, err);
    if (status >= 0)
        put_count(t, kept, number);
    return status < 0 ? status : ddn_output_check(&t->out, err);
}

static int change(const task *t, dodona_sentence *s, dodona_error *err)
{
    if (t->undo)
        return dodona_pseudo_decode(t->projectivizer, s, err);
    return t->pseudo ? dodona_pseudo_encode(t->projectivizer, s, t->pseudo, err)
                     : dodona_projectivize(t->projectivizer, s, t->one_root, err);
}

static int take(void *ctx, dodona_sentence *s, dodona_error *err)
{
    task *t = ctx;
    if (!t->writer)
        return count(t, s, err);
    int status = change(t, s, err);
    return status < 0 ? status : dodona_writer_put(t->writer, s, err);
}

static int run(const ddn_operands *operands, task *t, dodona_error *err)
{
    dodona_reader_options reading;
    int status = t->count ? ddn_output_open(&t->out, "-", err)
                          : dodona_writer_open("-", DODONA_CONLLU, &t->writer, err);
    if (status < 0)
        return status;
    dodona_reader_options_init(&reading);
    reading.check = DODONA_CHECK_TREE;
    t->projectivizer = dodona_projectivizer_new();
    status =
        t->projectivizer ? ddn_files_each(operands, &reading, take, t, err) : ddn_fail_memory(err);
    dodona_projectivizer_free(t->projectivizer);
    if (t->writer)
        return ddn_writer_end(t->writer, status, err);
    int closed = ddn_output_close(&t->out, status < 0 ? NULL : err);
    return status < 0 ? status : closed;
}

int ddn_command_projectivize(int argc, char **argv)
{
    task t = { 0 };
    int roots_many = 1;
    const ddn_option options[] = {
        { .name = "count",
          .type = DDN_FLAG,
          .to = &t.count,
          .help = "print how many projective trees keep the most heads, a line a sentence" },
        { .name = "json",
          .type = DDN_FLAG,
          .to = &t.json,
          .help = "with --count: a JSON object a line, with the number of heads kept" },
        DDN_ROOTS_OPTION(&roots_many),
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
    t.one_root = !roots_many;
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
    return run(&files, &t, &err) < 0 ? ddn_complain(&err) : DDN_DONE;
}
