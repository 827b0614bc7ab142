/* SPDX-License-Identifier: MIT */
/* oracle.c - dodona oracle: how good each move is, a line of JSON in and a line out. */
#include "cli/cli.h"
#include "cli/lines.h"
#include "cli/options.h"
#include "dodona_research.h"

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

static int answer(void *oracle, dodona_text line, dodona_text *out, dodona_error *err)
{
    return dodona_oracle_answer(oracle, line, out, err);
}

int ddn_command_oracle(int argc, char **argv)
{
    dodona_oracle_options o;
    int roots_many = 1;
    dodona_oracle_options_init(&o);
    o.system = NULL;
    const ddn_option options[] = {
        { .name = "system",
          .argument = "S",
          .to = &o.system,
          .required = true,
          .names = dodona_system_name,
          .help = "the transition system; see dodona train --list" },
        { .name = "strategy",
          .type = DDN_CHOICE,
          .argument = "free|lbr|strict-lbr|rbl",
          .to = &o.strategy,
          .help = "arc-standard: the order in which words take their children from here on; "
                  "lbr: left before right, strict-lbr: and words below the top take no left ones, "
                  "rbl: right before left" },
        { .name = "algorithm",
          .argument = "A",
          .to = &o.algorithm,
          .otherwise = "the fastest that takes the gold tree",
          .names = dodona_algorithm_name,
          .help = "the oracle's algorithm; see dodona train --list" },
        { .name = "roots",
          .type = DDN_INDEX,
          .argument = "one|many",
          .to = &roots_many,
          .help =
              "words below the root: exactly one, which only cubic, chart and search know, or any "
              "number" },
        { .name = "limit",
          .type = DDN_COUNT,
          .argument = "N",
          .to = &o.limit,
          .least = 1,
          .most = 1e9,
          .help = "covington-nm: configurations that the search for a loss takes on; what it has "
                  "not found by then is null" },
        { 0 },
    };
    ddn_operands files = { 0 };
    dodona_oracle *oracle;
    dodona_error err;
    int code = ddn_options_read(&page, options, argc, argv, &files);
    if (code >= 0)
        return code;
    o.one_root = !roots_many;
    int status = dodona_oracle_open(&o, &oracle, &err);
    if (status < 0)
        return ddn_complain(&err);
    status = ddn_answer_lines(&files, answer, oracle, &err);
    dodona_oracle_close(oracle);
    return status < 0 ? ddn_complain(&err) : DDN_DONE;
}
