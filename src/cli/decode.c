/* SPDX-License-Identifier: MIT */
/* decode.c - dodona decode: the best tree over arc scores, a line of JSON in and a line out. */
#include "cli/cli.h"
#include "cli/lines.h"
#include "dodona_research.h"

static const ddn_page page = {
    .command = "decode",
    .operands = "[FILE...]",
    .about = "Reads arc scores, a JSON object a line, and prints the best tree and its score,\n"
             "found by exact search; both null when no tree is possible.  Scores are a matrix,\n"
             "row = head, column = modifier, 0 is the root, null forbids an arc.",
    .example = "  echo '{\"scores\":[[null,1,0],[null,null,2.5],[null,-1,null]]}' |\n"
               "      dodona decode --system alls0s1\n",
    .most = -1,
};

static int answer(void *decoder, dodona_text line, dodona_text *out, dodona_error *err)
{
    return dodona_decoder_answer(decoder, line, out, err);
}

int ddn_command_decode(int argc, char **argv)
{
    dodona_decode_options o;
    int roots_many = 1;
    int64_t kbest = 0, memory;
    dodona_decode_options_init(&o);
    o.system = NULL;
    memory = (int64_t)(o.memory / 1e6);
    const ddn_option options[] = {
        { .name = "system",
          .argument = "S",
          .to = &o.system,
          .required = true,
          .names = dodona_decoder_name,
          .help = "what trees to choose from: mst (all), eisner (the projective ones), those that "
                  "arc-standard, arc-eager, arc-hybrid, lr-spine, attardi, attardi:D, alldeg1, all "
                  "or alls0s1 reaches, or reduce transitions as in s1<s0,s0<s1,s1<b0" },
        { .name = "kbest",
          .argument = "K",
          .type = DDN_COUNT,
          .to = &kbest,
          .most = DODONA_MAX_KBEST,
          .help = "also print the K best trees" },
        { .name = "marginals",
          .type = DDN_FLAG,
          .to = &o.marginals,
          .help = "also print the share of each arc in the sum of exp(score) over all trees; mst "
                  "and projective systems" },
        DDN_ROOTS_OPTION(&roots_many),
        { .name = "memory",
          .argument = "MB",
          .type = DDN_COUNT,
          .to = &memory,
          .least = 1,
          .most = 1e9,
          .help = "refuse sentences that need more memory" },
        { 0 },
    };
    ddn_operands files = { 0 };
    dodona_decoder *decoder;
    dodona_error err;
    int code = ddn_options_read(&page, options, argc, argv, &files);
    if (code >= 0)
        return code;
    o.one_root = !roots_many;
    o.kbest = (int)kbest;
    o.memory = 1e6 * (double)memory;
    int status = dodona_decoder_open(&o, &decoder, &err);
    if (status < 0)
        return ddn_complain(&err);
    status = ddn_answer_lines(&files, answer, decoder, &err);
    dodona_decoder_close(decoder);
    return status < 0 ? ddn_complain(&err) : DDN_DONE;
}
