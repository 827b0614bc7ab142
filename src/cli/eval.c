/* SPDX-License-Identifier: MIT */
/* eval.c - dodona eval: parsed files against the gold one. */
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

static const ddn_page page = {
    .command = "eval",
    .operands = "GOLD SYSTEM [SYSTEM2]",
    .about = "Scores SYSTEM against GOLD as the CoNLL 2018 shared task does, also when the\n"
             "text is tokenised differently.  With SYSTEM2, scores that too and tests the\n"
             "difference by paired randomisation over sentences.",
    .example = "  dodona eval test.conllu parsed.conllu\n"
               "  dodona eval --json --trials 100000 test.conllu one.conllu other.conllu\n",
    .least = 2,
    .most = 3,
};

static int print(dodona_scores *scores, int json, dodona_error *err)
{
    dodona_text text;
    int status = dodona_scores_print(scores, json ? DODONA_JSON : DODONA_TEXT, &text, err);
    if (status >= 0)
        fwrite(text.data, 1, text.size, stdout);
    return status;
}

static int run(const dodona_eval_options *o, const ddn_operands *files, int json, dodona_error *err)
{
    enum { MOST = 3 };
    dodona_reader *reader[MOST] = { NULL };
    dodona_source source[MOST];
    dodona_reader_options reading;
    dodona_scores *scores = NULL;
    int status = 0;
    dodona_reader_options_init(&reading);
    reading.check = DODONA_CHECK_ONE_ROOT;
    for (int i = 0; i < files->count && status >= 0; i++) {
        status = dodona_reader_open(files->of[i], &reading, &reader[i], err);
        source[i] = (dodona_source){ dodona_reader_pull, reader[i], ddn_path_name(files->of[i]) };
    }
    if (status >= 0)
        status = dodona_evaluate(o, &source[0], &source[1], files->count == 3 ? &source[2] : NULL,
                                 &scores, err);
    if (status >= 0)
        status = print(scores, json, err);
    dodona_scores_free(scores);
    for (int i = 0; i < MOST; i++)
        dodona_reader_close(reader[i]);
    return status;
}

int ddn_command_eval(int argc, char **argv)
{
    dodona_eval_options o;
    dodona_eval_options_init(&o);
    int json = 0, standard = 0;
    ddn_option options[DDN_MAX_OPTIONS] = {
        { .name = "json", .type = DDN_FLAG, .to = &json, .help = "print the figures as JSON" },
    };
    ddn_options_add(options, dodona_eval_option, &o);
    ddn_operands files = { 0 };
    dodona_error err;
    int code = ddn_options_read(&page, options, argc, argv, &files);
    if (code >= 0)
        return code;
    for (int i = 0; i < files.count; i++)
        standard += strcmp(files.of[i], "-") == 0;
    standard += o.trace && strcmp(o.trace, "-") == 0;
    if (standard > 1)
        return ddn_misuse("eval", "only one of the files can be standard input");
    if (o.trace && !o.analysis)
        return ddn_misuse("eval", "--trace goes with --analysis");
    return run(&o, &files, json, &err) < 0 ? ddn_complain(&err) : DDN_DONE;
}
