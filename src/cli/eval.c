/* SPDX-License-Identifier: MIT */
/* eval.c - dodona eval: parsed files against the gold one. */
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/options.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

static const ddn_page page = {
    .command = "eval",
    .operands = "GOLD SYSTEM...",
    .about = "Scores SYSTEM against GOLD as the CoNLL 2018 shared task does, also when the\n"
             "text is tokenised differently.  With several systems, scores them all and tests\n"
             "how each differs from the first by paired randomisation over sentences.",
    .example = "  dodona eval test.conllu parsed.conllu\n"
               "  dodona eval --json --trials 100000 test.conllu one.conllu other.conllu\n",
    .least = 2,
    .most = -1,
};

static int print(dodona_scores *scores, int json, dodona_error *err)
{
    dodona_text text;
    int status = dodona_scores_print(scores, json ? DODONA_JSON : DODONA_TEXT, &text, err);
    return status < 0 ? status : ddn_print(text, err);
}

static int evaluate(const dodona_eval_options *o, const dodona_source *source, int systems,
                    int json, dodona_error *err)
{
    dodona_scores *scores;
    int status = dodona_evaluate_systems(o, &source[0], &source[1], systems, &scores, err);
    if (status >= 0)
        status = print(scores, json, err);
    dodona_scores_free(scores);
    return status;
}

/* Files are opened when they are read, so that there may be many. */
static int run(const dodona_eval_options *o, const ddn_operands *files, int json, dodona_error *err)
{
    size_t count = (size_t)files->count;
    ddn_files *reading = malloc(count * sizeof *reading);
    dodona_source *source = malloc(count * sizeof *source);
    dodona_reader_options options;
    dodona_reader_options_init(&options);
    options.check = DODONA_CHECK_ONE_ROOT;
    if (!reading || !source) {
        free(reading);
        free(source);
        return ddn_fail_memory(err);
    }
    for (size_t i = 0; i < count; i++) {
        ddn_files_init(&reading[i], &(ddn_operands){ .of = &files->of[i], .count = 1 }, &options);
        source[i] = (dodona_source){ ddn_files_pull, &reading[i], ddn_path_name(files->of[i]) };
    }
    int status = evaluate(o, source, (int)count - 1, json, err);
    for (size_t i = 0; i < count; i++)
        ddn_files_fini(&reading[i]);
    free(reading);
    free(source);
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
