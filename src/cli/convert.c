/* SPDX-License-Identifier: MIT */
/* convert.c - dodona convert: the same sentences in another format. */
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/options.h"
#include "cli/progress.h"

static const ddn_page page = {
    .command = "convert",
    .operands = "[FILE...]",
    .about = "Writes what it reads in another format, without a model.",
    .example = "  dodona convert --output tree some.conllu.gz | less\n"
               "  dodona convert --output svg one.conllu >one.svg\n"
               "  dodona convert --input conllx --output conllu old.conll >new.conllu\n",
    .most = -1,
};

static int copy(ddn_files *files, dodona_writer *writer, ddn_progress *progress, dodona_error *err)
{
    dodona_progress now = { .phase = "convert" };
    dodona_sentence *s = dodona_sentence_new();
    if (!s) {
        *err = (dodona_error){ .code = DODONA_E_MEMORY, .message = "out of memory" };
        return DODONA_E_MEMORY;
    }
    int status;
    while ((status = ddn_files_pull(files, s, err)) > 0) {
        now.done++;
        now.tokens += dodona_sentence_length(s);
        status = dodona_writer_put(writer, s, err);
        if (status < 0)
            break;
        ddn_progress_parse(progress, &now);
    }
    dodona_sentence_free(s);
    return status;
}

static int run(const ddn_operands *operands, dodona_format from, const char *to, dodona_error *err)
{
    dodona_reader_options reading;
    dodona_writer *writer;
    dodona_error late;
    ddn_progress progress;
    ddn_files files;
    int status = ddn_writer_open(to, &writer, err);
    if (status < 0)
        return status;
    dodona_reader_options_init(&reading);
    reading.format = from;
    ddn_files_init(&files, operands, &reading);
    ddn_progress_init(&progress, operands->quiet, true);
    status = copy(&files, writer, &progress, err);
    ddn_files_fini(&files);
    int closed = dodona_writer_close(writer, &late);
    ddn_progress_end(&progress);
    if (status >= 0 && closed < 0)
        *err = late;
    return status < 0 ? status : closed;
}

int ddn_command_convert(int argc, char **argv)
{
    const char *input = "conllu", *output = NULL;
    const ddn_option options[] = {
        { .name = "input",
          .type = DDN_CHOICE,
          .argument = DDN_INPUTS,
          .to = &input,
          .help = "what is read; tokens: a sentence a line with blanks between its tokens",
          .hint = DDN_INPUTS_HINT },
        { .name = "output",
          .type = DDN_CHOICE,
          .argument = DDN_OUTPUTS,
          .to = &output,
          .required = true,
          .help = DDN_OUTPUTS_HELP },
        { 0 },
    };
    ddn_operands files = { 0 };
    dodona_error err;
    int code = ddn_options_read(&page, options, argc, argv, &files);
    if (code >= 0)
        return code;
    int from = dodona_format_find(input, &err);
    if (from < 0 || run(&files, (dodona_format)from, output, &err) < 0)
        return ddn_complain(&err);
    return DDN_DONE;
}
