/* SPDX-License-Identifier: MIT */
/* lines.h - a line in, a line out: for the commands that answer questions in JSON. */
#ifndef DDN_CLI_LINES_H
#define DDN_CLI_LINES_H

#include "cli/options.h"
#include "dodona.h"

/* The answer to a line, both without line ends. */
typedef int ddn_answer(void *ctx, dodona_text line, dodona_text *out, dodona_error *err);

/* Prints the answers to all lines of the files, or of standard input when none is named.  Errors of
 * input name file and line. */
int ddn_answer_lines(const ddn_operands *files, ddn_answer *answer, void *ctx, dodona_error *err);

#endif
