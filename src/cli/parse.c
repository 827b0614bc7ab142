/* SPDX-License-Identifier: MIT */
/* parse.c - dodona parse: sentences in, the same sentences with heads and relations out. */
#include "cli/cli.h"
#include "cli/embedded.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/sink.h"
#include "cli/steps.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REPLACE = 2 }; /* of --on-error stop|skip|replace */

static const ddn_page page = {
    .command = "parse",
    .operands = "[FILE...]",
    .about = "Sets HEAD and DEPREL of every word and writes all else as it came.  A model\n"
             "that was trained as a pipeline also gives tags and lemmas to words that have\n"
             "none.",
    .example = "  echo 'I saw Al with Joe.' | dodona parse --output tree\n"
               "  dodona parse --model my.model -j 4 test.conllu >parsed.conllu\n"
               "  dodona parse --model my.model letter.txt\n"
               "  echo 'the oak speaks' |\n"
               "      dodona parse --model my.model --input tokens --output tree\n",
    .most = -1,
};

typedef struct arguments {
    const char *model, *input, *encoding, *output, *out, *steps, *trace, *forest;
    dodona_parse_options o;
    int flush;
    bool replace; /* --on-error */
    ddn_operands files;
} arguments;

static int read_arguments(arguments *a, int argc, char **argv)
{
    ddn_option options[DDN_MAX_OPTIONS] = {
        { .name = "model",
          .type = DDN_FILE,
          .argument = "M",
          .to = &a->model,
          .otherwise = "the English one that is built in",
          .help = "the model: a file, made by dodona train, or the name of an installed one" },
        { .name = "input",
          .type = DDN_CHOICE,
          .argument = "text|presegmented|" DDN_INPUTS,
          .to = &a->input,
          .otherwise = "conllu for a file that is called .conllu or begins so; else text, if the "
                       "model has a tokenizer",
          .help = "what is read; text: any text, for a model with a tokenizer; presegmented: such "
                  "text with a sentence a line; tokens (or horizontal): a sentence a line with "
                  "spaces between its tokens; vertical: a token a line with a blank line between "
                  "sentences" },
        { .name = "encoding",
          .type = DDN_CHOICE,
          .argument = "utf-8|latin1|cp1252|utf-16",
          .to = &a->encoding,
          .otherwise = "utf-8",
          .help = "what the input is encoded in; the output is UTF-8" },
        { .name = "output",
          .type = DDN_CHOICE,
          .argument = DDN_OUTPUTS,
          .to = &a->output,
          .help = DDN_OUTPUTS_HELP },
        { .letter = 'o',
          .type = DDN_FILE,
          .argument = "FILE",
          .to = &a->out,
          .otherwise = "standard output",
          .help =
              "write to this file, which appears when it is complete; .gz and .zst compress it; "
              "with {} in its name, a file for each input, the name of which stands for {}, but "
              "for inputs whose file is there already" },
        { .name = "steps",
          .argument = "S,...",
          .to = &a->steps,
          .otherwise = "all that the model can do, but tags and lemmas that are there are kept",
          .names = ddn_step_name,
          .help = "what is done, of tokenize, tag and parse, replacing what the columns have" },
        { .name = "forest",
          .type = DDN_FILE,
          .argument = "F",
          .to = &a->forest,
          .help = "write all trees that the search kept to this file, for dodona forest" },
        { .name = "trace",
          .type = DDN_FILE,
          .argument = "F",
          .to = &a->trace,
          .help = "write the moves to F, a JSON object a line for each sentence" },
        { .name = "flush",
          .type = DDN_FLAG,
          .to = &a->flush,
          .help = "write each sentence as soon as it is certain; in text, a blank line ends the "
                  "sentence before it; by itself when standard input is read and it or standard "
                  "output is a terminal" },
    };
    dodona_parse_options_init(&a->o);
    a->o.roots_many = 0;
    ddn_options_add(options, dodona_parse_option, &a->o);
    return ddn_options_read(&page, options, argc, argv, &a->files);
}

static bool is_before(const dodona_error *a, const dodona_error *b, const ddn_files *files)
{
    for (int i = 0; i < files->count; i++) {
        const char *name = ddn_path_name(files->path[i]);
        bool in_a = strcmp(a->file, name) == 0, in_b = strcmp(b->file, name) == 0;
        if (in_a || in_b)
            return in_a && !(in_b && b->line < a->line);
    }
    return false;
}

/* Sentences that contradict themselves count among the bad ones of their files. */
static void count_unparsed(const ddn_sink *to, ddn_files *files)
{
    if (to->unparsed && (!files->bad || is_before(&to->first, &files->first, files)))
        files->first = to->first;
    files->bad += to->unparsed;
}

/* ---- Parsing ---- */

/* All that is to be parsed. */
typedef struct job {
    const arguments *a;
    const dodona_model *model;
    dodona_reader_options reading;
    ddn_progress progress;
    int64_t total, before; /* bytes of the inputs, 0: not known; and of those before the present */
    ddn_files files;       /* at present */
} job;

static int report(void *ctx, const dodona_progress *now)
{
    job *j = ctx;
    double read = (double)(j->before + ddn_files_bytes(&j->files));
    ddn_progress_parse(&j->progress, now, j->total ? read / (double)j->total : -1);
    return ddn_interrupted();
}

static void warn_of_fallbacks(const job *j, const ddn_sink *to)
{
    long long count = (long long)to->fallbacks;
    const char *were = count == 1 ? " was" : "s were";
    if (count && j->a->o.keep)
        ddn_warn("%lld sentence%s parsed by %s: too long for exact search, or something was "
                 "given and the search is dp",
                 count, were, to->fallback);
    else if (count)
        ddn_warn("%lld sentence%s too long for exact search, parsed by %s", count, were,
                 to->fallback);
}

/* Some files into one output. */
static int parse_files(job *j, const ddn_operands *inputs, const char *path, dodona_error *err)
{
    const arguments *a = j->a;
    ddn_sink_options out = {
        .format = a->output, .path = path, .trace = a->trace, .forest = a->forest, .flush = a->flush
    };
    ddn_sink to;
    int status = ddn_sink_open(&to, &out, err);
    if (status < 0)
        return status;
    dodona_parse_options o = a->o;
    o.forest = a->forest != NULL;
    o.trace = a->trace ? ddn_sink_moves : NULL;
    o.trace_ctx = &to;
    o.report = report;
    o.report_ctx = j;
    ddn_files_init(&j->files, inputs, &j->reading);
    ddn_progress_next(&j->progress);
    status = dodona_parse_stream(j->model, &o, ddn_files_pull, &j->files, ddn_sink_push, &to, err);
    if (status >= 0 && ddn_interrupted()) /* the input may have ended by the same signal */
        status = ddn_fail(err, DODONA_E_CANCELLED, "interrupted");
    status = ddn_sink_close(&to, status, err);
    ddn_files_fini(&j->files);
    j->before += ddn_files_bytes(&j->files);
    ddn_progress_clear(&j->progress);
    count_unparsed(&to, &j->files);
    warn_of_fallbacks(j, &to);
    ddn_files_warn(&j->files);
    return status;
}

/* Each file into an output of its own, but for those whose output is there. */
static int parse_each(job *j, const ddn_operands *inputs, dodona_error *err)
{
    char **names;
    int there = 0, status = ddn_outputs_make(j->a->out, inputs, &names, err);
    if (status < 0)
        return status;
    for (int i = 0; i < inputs->count && status >= 0; i++) {
        ddn_operands one = { .of = inputs->of + i, .count = 1 };
        if (access(names[i], F_OK) == 0) {
            there++;
            j->total -= j->total ? ddn_files_size(&one) : 0;
        } else {
            status = parse_files(j, &one, names[i], err);
        }
    }
    ddn_outputs_free(names, inputs->count);
    if (there && !j->a->files.quiet)
        ddn_warn("%d of %d outputs were there already, and were left as they are", there,
                 inputs->count);
    return status;
}

static int run(job *j, dodona_error *err)
{
    const arguments *a = j->a;
    ddn_operands inputs = ddn_files_or_input(&a->files);
    ddn_interrupt_catch();
    ddn_progress_init(&j->progress, a->files.quiet, strcmp(a->out, "-") == 0);
    j->total = ddn_files_size(&inputs);
    int status =
        ddn_is_pattern(a->out) ? parse_each(j, &inputs, err) : parse_files(j, &inputs, a->out, err);
    ddn_progress_end(&j->progress);
    return status;
}

/* -1: what was asked for goes together; else the exit code. */
static int check(const arguments *a)
{
    bool parses = !a->o.steps || a->o.steps & DODONA_STEP_PARSE;
    if (!parses && (a->o.kbest || a->o.confidence || a->forest || a->trace))
        return ddn_misuse(page.command, "--kbest, --confidence, --forest and --trace need the step "
                                        "parse");
    bool text = !a->input || strcmp(a->input, "text") == 0 || strcmp(a->input, "presegmented") == 0;
    if (a->o.steps & DODONA_STEP_TOKENIZE && !text)
        return ddn_misuse(page.command, "--steps tokenize needs --input text or presegmented");
    bool shows = strcmp(a->output, "conllu") == 0 || strcmp(a->output, "json") == 0;
    if ((a->o.kbest || a->o.confidence) && !shows)
        return ddn_misuse(page.command,
                          "--kbest and --confidence show in conllu and json; "
                          "--output %s has no place for them",
                          a->output);
    if (a->o.confidence && a->input && strcmp(a->input, "conllx") == 0)
        return ddn_misuse(page.command, "--confidence stands in the column MISC, which sentences "
                                        "from CoNLL-X don't have; convert them to conllu first");
    if ((a->forest && strcmp(a->forest, "-") == 0) || (a->trace && strcmp(a->trace, "-") == 0))
        return ddn_misuse(page.command, "--%s needs a file; standard output has the sentences",
                          a->forest && strcmp(a->forest, "-") == 0 ? "forest" : "trace");
    if (ddn_is_pattern(a->out) && (a->forest || a->trace))
        return ddn_misuse(page.command, "--forest and --trace go with one output, not with {}");
    return -1;
}

/* Where no format is named: the name of the first file may tell. */
static int find_format(const arguments *a, dodona_error *err)
{
    const char *name = a->files.count > 0 ? a->files.of[0] : "";
    if (a->input)
        return dodona_format_find(a->input, err);
    if (a->o.steps & DODONA_STEP_TOKENIZE)
        return DODONA_TEXT;
    return strstr(name, ".conllu") ? DODONA_CONLLU : DODONA_GUESS;
}

static bool reads_standard_input(const arguments *a)
{
    for (int i = 0; i < a->files.count; i++)
        if (strcmp(a->files.of[i], "-") == 0)
            return true;
    return a->files.count == 0;
}

/* Whether somebody sits at a terminal and waits for what comes, by and by. */
static bool is_watched(const arguments *a)
{
    struct stat input;
    if (!reads_standard_input(a) || fstat(STDIN_FILENO, &input) != 0 || S_ISREG(input.st_mode))
        return false;
    return isatty(STDIN_FILENO) || isatty(STDOUT_FILENO);
}

/* Who waits for a tree after a line would wait for long: what comes next may change it. */
static void greet(const arguments *a, dodona_format format)
{
    bool lines = format == DODONA_TOKENS || format == DODONA_PRESEGMENTED;
    const char *certain = lines ? "" : "A blank line shows what came before it; ";
    if (a->files.count == 0 && !a->files.quiet && isatty(STDIN_FILENO))
        fprintf(stderr, "Reading from the terminal.  %sCtrl-D in a line of its own ends.\n",
                certain);
}

/* After an interrupt: the exit code that shells give, too. */
static int stopped(const arguments *a)
{
    if (strcmp(a->out, "-") == 0)
        ddn_warn("interrupted");
    else if (ddn_is_pattern(a->out))
        ddn_warn("interrupted; give the same command again to go on");
    else
        ddn_warn("interrupted; %s was not written", a->out);
    return 128 + ddn_interrupted();
}

int ddn_command_parse(int argc, char **argv)
{
    arguments a = { .output = "conllu", .out = "-" };
    int code = read_arguments(&a, argc, argv);
    a.replace = a.o.skip_bad == REPLACE;
    if (a.replace)
        a.o.skip_bad = 0;
    if (code < 0)
        code = ddn_steps_read(page.command, a.steps, &a.o.steps);
    if (code < 0)
        code = check(&a);
    if (code >= 0)
        return code;
    dodona_error err;
    dodona_model *model;
    int format = find_format(&a, &err);
    if (format < 0 || ddn_model_open(a.model, &model, &err) < 0)
        return ddn_complain(&err);
    a.flush = a.flush || is_watched(&a);
    job j = { .a = &a, .model = model };
    dodona_reader_options_init(&j.reading);
    j.reading.format = (dodona_format)format;
    j.reading.model = model;
    j.reading.skip_bad = a.o.skip_bad;
    j.reading.replace = a.replace;
    j.reading.encoding = a.encoding;
    j.reading.flush = a.flush;
    j.reading.signals = 1;
    j.reading.pieces = a.o.threads > 1 && !a.flush;
    greet(&a, j.reading.format);
    int status = run(&j, &err);
    dodona_model_free(model);
    if (status == DODONA_E_CANCELLED && ddn_interrupted())
        return stopped(&a);
    return status < 0 ? ddn_complain(&err) : DDN_DONE;
}
