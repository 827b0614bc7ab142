/* SPDX-License-Identifier: MIT */
/* cli.h - what all commands share: their table, exit codes and how they complain.
 *
 * A command is one file with one function of the shape ddn_command_run, and a line in
 * commands.def.  It returns its exit code. */
#ifndef DDN_CLI_CLI_H
#define DDN_CLI_CLI_H

#include "core/names.h"
#include "dodona.h"

enum {
    DDN_DONE = 0,
    DDN_BAD = 1,      /* the input, a file or a model */
    DDN_MISUSE = 2,   /* of the command */
    DDN_UNREAD = 141, /* nobody reads standard output any more; what shells give after SIGPIPE */
};

/* argv[0] is the command's name. */
typedef int ddn_command_run(int argc, char **argv);

typedef struct ddn_command {
    const char *name;
    const char *summary; /* a line in the list of commands */
    ddn_command_run *run;
} ddn_command;

extern const ddn_command ddn_commands[]; /* the last one's name is NULL */

/* Prints to standard output, by stdio. */
int ddn_print(dodona_text text, dodona_error *err);
/* Whether all that was printed there so far could be written; to be asked after printing. */
int ddn_print_check(dodona_error *err);

/* Prints "dodona: file:line: message"; returns the exit code that fits.  Says nothing where
 * standard output is a pipe that was closed at its other end. */
int ddn_complain(const dodona_error *err);

/* Prints "dodona: message" and where there is help; returns DDN_MISUSE.  command NULL: none was
 * given yet. */
int ddn_misuse(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints "dodona: message" on standard error: what is not progress and no failure either. */
void ddn_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
