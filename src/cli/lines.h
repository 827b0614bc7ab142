/* SPDX-License-Identifier: MIT */
/* lines.h - the files of a command line, line by line: for the commands that read JSON. */
#ifndef DDN_CLI_LINES_H
#define DDN_CLI_LINES_H

#include "cli/options.h"
#include "dodona.h"

/* What is done with a line, which comes without its line end. */
typedef int ddn_take_line(void *ctx, dodona_text line, dodona_error *err);

/* All lines of the files, or of standard input when none is named.  Errors of input name file and
 * line. */
int ddn_take_lines(const ddn_operands *files, ddn_take_line *take, void *ctx, dodona_error *err);

/* The answer to a line, without a line end, too. */
typedef int ddn_answer(void *ctx, dodona_text line, dodona_text *out, dodona_error *err);

/* The same, and prints the answers, a line each. */
int ddn_answer_lines(const ddn_operands *files, ddn_answer *answer, void *ctx, dodona_error *err);

#endif
