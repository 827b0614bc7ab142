/* SPDX-License-Identifier: MIT */
/* oracle.c - dodona oracle: how good each move is, a line of JSON in and a line out. */
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/options.h"
#include "core/buffer.h"
#include "core/error.h"
#include "dodona_research.h"

#include <stdio.h>
#include <string.h>

static const ddn_page page = {
    .command = "oracle",
    .operands = "[FILE...]",
    .about = "Reads configurations with their gold trees, a JSON object a line, and prints how\n"
             "many gold arcs the best tree has that can be reached after each move, arcs\n"
             "already made included; null where there is no such move or no such tree.",
    .example = "  echo '{\"heads\":[2,0,2],\"stack\":[0,2],\"buffer\":3,\"arcs\":[2,-1,-1]}' |\n"
               "      dodona oracle --system arc-standard\n",
    .most = -1,
};

static int answer_lines(dodona_oracle *o, ddn_buffer *b, int64_t *number, dodona_error *err)
{
    for (;; ++*number) {
        dodona_text answer;
        size_t size;
        int status = ddn_buffer_line(b, &size, err);
        if (status < 0 || size == 0)
            return status;
        const char *text = b->data + b->at;
        dodona_text line = { text, size - (text[size - 1] == '\n') };
        status = dodona_oracle_answer(o, line, &answer, err);
        if (status < 0)
            return status;
        fwrite(answer.data, 1, answer.size, stdout);
        putchar('\n');
        b->at += size;
    }
}

static int answer_file(dodona_oracle *o, const char *path, dodona_error *err)
{
    ddn_input *in;
    ddn_buffer buffer;
    dodona_error why;
    int64_t line = 1;
    int status = ddn_input_open(&in, path, err);
    if (status >= 0)
        status = ddn_buffer_init(&buffer, in, err);
    if (status < 0)
        return status;
    status = answer_lines(o, &buffer, &line, &why);
    ddn_buffer_fini(&buffer);
    if (status < 0 && (status == DODONA_E_INPUT || status == DODONA_E_LIMIT) && !why.line)
        ddn_fail_at(err, (dodona_code)status, ddn_path_name(path), line, "%s", why.message);
    else if (status < 0)
        *err = why;
    return status;
}

int ddn_command_oracle(int argc, char **argv)
{
    static char *const standard_input[] = { "-" };
    dodona_oracle_options o;
    const char *roots = "many";
    dodona_oracle_options_init(&o);
    o.system = NULL;
    const ddn_option options[] = {
        { .name = "system",
          .argument = "S",
          .to = &o.system,
          .required = true,
          .help = "the transition system" },
        { .name = "strategy",
          .type = DDN_CHOICE,
          .argument = "free|lbr|strict-lbr|rbl",
          .to = &o.strategy,
          .help = "arc-standard: the order in which words take their children from here on; "
                  "lbr: left before right, rbl: right before left" },
        { .name = "algorithm",
          .argument = "A",
          .to = &o.algorithm,
          .help = "the oracle's algorithm, in place of the fastest that takes the tree" },
        { .name = "roots",
          .type = DDN_CHOICE,
          .argument = "one|many",
          .to = &roots,
          .help = "words below the root: exactly one, or any number" },
        { 0 },
    };
    ddn_operands files = { 0 };
    dodona_oracle *oracle;
    dodona_error err;
    int code = ddn_options_read(&page, options, argc, argv, &files);
    if (code >= 0)
        return code;
    o.one_root = strcmp(roots, "one") == 0;
    int status = dodona_oracle_open(&o, &oracle, &err);
    if (status < 0)
        return ddn_complain(&err);
    char *const *path = files.count ? files.of : standard_input;
    for (int i = 0; i < (files.count ? files.count : 1) && status >= 0; i++)
        status = answer_file(oracle, path[i], &err);
    dodona_oracle_close(oracle);
    return status < 0 ? ddn_complain(&err) : DDN_DONE;
}
