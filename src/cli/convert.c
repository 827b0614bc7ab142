/* SPDX-License-Identifier: MIT */
/* convert.c - dodona convert: the same sentences in another format. */
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/options.h"

static const ddn_page page = {
    .command = "convert",
    .operands = "[FILE...]",
    .about = "Writes what it reads in another format, without a model.",
    .example = "  dodona convert --output tree some.conllu.gz | less\n"
               "  dodona convert --output svg one.conllu >one.svg\n"
               "  dodona convert --input conllx --output conllu old.conll >new.conllu\n",
    .most = -1,
};

static int run(const ddn_operands *operands, dodona_format from, const char *to, dodona_error *err)
{
    dodona_reader_options reading;
    dodona_writer *writer;
    int status = ddn_writer_open(to, "-", &writer, err);
    if (status < 0)
        return status;
    dodona_reader_options_init(&reading);
    reading.format = from;
    status = ddn_files_each(operands, &reading, dodona_writer_push, writer, err);
    return ddn_writer_end(writer, status, err);
}

int ddn_command_convert(int argc, char **argv)
{
    const char *input = "conllu", *output = NULL;
    const ddn_option options[] = {
        { .name = "input",
          .type = DDN_CHOICE,
          .argument = DDN_INPUTS,
          .to = &input,
          .help = "what is read; tokens: a sentence a line with spaces between its tokens",
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
