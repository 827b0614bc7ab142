/* SPDX-License-Identifier: MIT */
/* parse.c - dodona parse: sentences in, the same sentences with heads and relations out. */
#include "cli/cli.h"
#include "cli/embedded.h"
#include "cli/files.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "core/output.h"

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
    const char *model, *input, *encoding, *output, *steps, *trace, *forest;
    dodona_parse_options o;
    int flush;
    bool replace; /* --on-error */
    ddn_operands files;
} arguments;

static const struct {
    const char *name;
    int step;
} steps[] = { { "tokenize", DODONA_STEP_TOKENIZE },
              { "tag", DODONA_STEP_TAG },
              { "parse", DODONA_STEP_PARSE },
              { NULL, 0 } };

static const char *step_name(int i)
{
    return steps[i].name;
}

static int read_arguments(arguments *a, int argc, char **argv)
{
    ddn_option options[DDN_MAX_OPTIONS] = {
        { .name = "model",
          .type = DDN_FILE,
          .argument = "M",
          .to = &a->model,
          .otherwise = "the English one that is built in",
          .help = "the model, made by dodona train" },
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
        { .name = "steps",
          .argument = "S,...",
          .to = &a->steps,
          .otherwise = "all that the model can do, but tags and lemmas that are there are kept",
          .names = step_name,
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

static int report(void *ctx, const dodona_progress *now)
{
    ddn_progress_parse(ctx, now);
    return 0;
}

/* Where parsed sentences go, and what files stand beside them: moves and forests. */
typedef struct sink {
    dodona_writer *writer;
    ddn_output moves, forest;
    int64_t fallbacks; /* sentences that another search parsed */
    int64_t unparsed;
    dodona_error first; /* why */
} sink;

static int put(ddn_output *o, dodona_text line, dodona_error *err)
{
    ddn_put(o, line.data, line.size);
    if (o->error.code < 0)
        *err = o->error;
    return o->error.code;
}

static int put_moves(void *ctx, dodona_text line, dodona_error *err)
{
    return put(&((sink *)ctx)->moves, line, err);
}

static int push(void *ctx, dodona_sentence *s, dodona_error *err)
{
    sink *to = ctx;
    const dodona_error *fault = dodona_sentence_fault(s);
    if (fault && to->unparsed++ == 0)
        to->first = *fault;
    int status = dodona_writer_push(to->writer, s, err);
    to->fallbacks += dodona_sentence_fallback(s) != NULL;
    dodona_text forest = dodona_sentence_forest(s);
    return status < 0 || forest.size == 0 ? status : put(&to->forest, forest, err);
}

static int open_sink(sink *to, const arguments *a, dodona_error *err)
{
    int status = 0;
    *to = (sink){ 0 };
    if (a->trace)
        status = ddn_output_open(&to->moves, a->trace, err);
    if (status >= 0 && a->forest)
        status = ddn_output_open(&to->forest, a->forest, err);
    if (status >= 0)
        status = ddn_writer_open(a->output, &to->writer, err);
    if (status >= 0 && a->flush)
        dodona_writer_flush(to->writer, 1);
    if (status < 0) {
        ddn_output_abandon(&to->moves);
        ddn_output_abandon(&to->forest);
    }
    return status;
}

/* What was parsed before a failure is still written: a stream can't be taken back.  The files
 * beside it are there only when all went well. */
static int close_sink(sink *to, const arguments *a, int status, dodona_error *err)
{
    dodona_error late;
    int closed = dodona_writer_close(to->writer, &late);
    if (closed >= 0 && status >= 0 && a->trace)
        closed = ddn_output_close(&to->moves, &late);
    else
        ddn_output_abandon(&to->moves);
    if (closed >= 0 && status >= 0 && a->forest)
        closed = ddn_output_close(&to->forest, &late);
    else
        ddn_output_abandon(&to->forest);
    if (status >= 0 && closed < 0)
        *err = late;
    return status < 0 ? status : closed;
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
static void count_unparsed(const sink *to, ddn_files *files)
{
    if (to->unparsed && (!files->bad || is_before(&to->first, &files->first, files)))
        files->first = to->first;
    files->bad += to->unparsed;
}

static int run(const arguments *a, const dodona_model *model, ddn_files *files, dodona_error *err)
{
    sink to;
    ddn_progress progress;
    int status = open_sink(&to, a, err);
    if (status < 0)
        return status;
    ddn_progress_init(&progress, a->files.quiet, true);
    dodona_parse_options o = a->o;
    o.forest = a->forest != NULL;
    o.trace = a->trace ? put_moves : NULL;
    o.trace_ctx = &to;
    o.report = report;
    o.report_ctx = &progress;
    status = dodona_parse_stream(model, &o, ddn_files_pull, files, push, &to, err);
    status = close_sink(&to, a, status, err);
    count_unparsed(&to, files);
    ddn_progress_end(&progress);
    if (to.fallbacks && a->o.keep)
        ddn_warn("%lld sentence%s parsed by beam: too long for exact search, or something was "
                 "given and the search is dp",
                 (long long)to.fallbacks, to.fallbacks == 1 ? " was" : "s were");
    else if (to.fallbacks)
        ddn_warn("%lld sentence%s too long for exact search, parsed by beam",
                 (long long)to.fallbacks, to.fallbacks == 1 ? " was" : "s were");
    return status;
}

/* The words of --steps; -1: all is well; else the exit code. */
static int read_steps(arguments *a)
{
    for (const char *at = a->steps; at;) {
        size_t size = strcspn(at, ","), i = 0, known = sizeof steps / sizeof *steps - 1;
        while (i < known && (strlen(steps[i].name) != size || memcmp(steps[i].name, at, size) != 0))
            i++;
        if (i == known)
            return ddn_misuse(page.command,
                              "--steps is '%s'; expected tokenize, tag and parse, or some of "
                              "them, with commas between them",
                              a->steps);
        a->o.steps |= steps[i].step;
        at = at[size] ? at + size + 1 : NULL;
    }
    return -1;
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

int ddn_command_parse(int argc, char **argv)
{
    arguments a = { .output = "conllu" };
    int code = read_arguments(&a, argc, argv);
    a.replace = a.o.skip_bad == REPLACE;
    if (a.replace)
        a.o.skip_bad = 0;
    if (code < 0)
        code = read_steps(&a);
    if (code < 0)
        code = check(&a);
    if (code >= 0)
        return code;
    dodona_error err;
    dodona_model *model;
    dodona_reader_options reading;
    dodona_reader_options_init(&reading);
    int format = find_format(&a, &err);
    if (format < 0 || ddn_model_open(a.model, &model, &err) < 0)
        return ddn_complain(&err);
    reading.format = (dodona_format)format;
    reading.model = model;
    reading.skip_bad = a.o.skip_bad;
    reading.replace = a.replace;
    reading.encoding = a.encoding;
    a.flush = a.flush || is_watched(&a);
    reading.flush = a.flush;
    reading.pieces = a.o.threads > 1 && !a.flush;
    ddn_files files;
    ddn_files_init(&files, &a.files, &reading);
    greet(&a, reading.format);
    int status = run(&a, model, &files, &err);
    ddn_files_fini(&files);
    dodona_model_free(model);
    ddn_files_warn(&files);
    return status < 0 ? ddn_complain(&err) : DDN_DONE;
}
