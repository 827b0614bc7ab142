/* SPDX-License-Identifier: MIT */
/* main.c - finds the command and makes sure that all it printed has arrived.
 *
 * SIGPIPE is ignored, so that training goes on when nobody reads its progress any more.  Writing to
 * a pipe without readers is then an error that ends the command; ddn_complain is silent about it.
 */
#include "cli/cli.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMMAND(name, summary) ddn_command_run ddn_command_##name;
#include "cli/commands.def"
#undef COMMAND

const ddn_command ddn_commands[] = {
#define COMMAND(name, summary) { #name, summary, ddn_command_##name },
#include "cli/commands.def"
#undef COMMAND
    { NULL, NULL, NULL },
};

static int help(void)
{
    printf("usage: dodona COMMAND [OPTIONS] [FILE...]\n"
           "Transition-based dependency parsing.\n\n");
    for (const ddn_command *c = ddn_commands; c->name; c++)
        printf("  %-14s%s\n", c->name, c->summary);
    printf("\n  --help        this list; after a command, that command's options\n"
           "  --version     the version\n\n"
           "Files are CoNLL-U unless an option says otherwise, plain or compressed with gzip\n"
           "or zstd; none, or -, is standard input.  Exit codes: 0 done; 1 the input, a file\n"
           "or a model was bad; 2 the command was misused.\n\n"
           "Example:\n"
           "  dodona train --train train.conllu --dev dev.conllu --model my.model\n"
           "  dodona parse --model my.model test.conllu >parsed.conllu\n"
           "  dodona eval test.conllu parsed.conllu\n");
    return DDN_DONE;
}

static const ddn_command *find(const char *name)
{
    for (const ddn_command *c = ddn_commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

static int unknown(const char *name)
{
    ddn_guess guess = { .wanted = name };
    if (name[0] == '-')
        return ddn_misuse(NULL, "expected a command before the option '%s'", name);
    for (const ddn_command *c = ddn_commands; c->name; c++)
        ddn_guess_try(&guess, c->name);
    if (guess.best)
        return ddn_misuse(NULL, "there is no command '%s'; did you mean '%s'?", name, guess.best);
    return ddn_misuse(NULL, "there is no command '%s'", name);
}

static int run_with(const ddn_command *c, const char *option)
{
    char command[16], only[16];
    snprintf(command, sizeof command, "%s", c->name);
    snprintf(only, sizeof only, "%s", option);
    return c->run(2, (char *[]){ command, only, NULL });
}

/* dodona help --table: all commands and options for programs, a line each (help.c); the completions
 * and the lists of options in the manual are made of it. */
static int help_table(void)
{
    for (const ddn_command *c = ddn_commands; c->name; c++) {
        printf("%s\t\t\t\t\t%s\n", c->name, c->summary);
        run_with(c, "--table");
    }
    return DDN_DONE;
}

/* dodona help COMMAND */
static int help_on(const char *name)
{
    const ddn_command *c = find(name);
    if (strcmp(name, "--table") == 0)
        return help_table();
    return c ? run_with(c, "--help") : unknown(name);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2)
        return ddn_misuse(NULL, "a command is missing");
    if (strcmp(argv[1], "--version") == 0) {
        printf("dodona %s\n", dodona_version());
        return DDN_DONE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help();
    if (strcmp(argv[1], "help") == 0)
        return argc > 2 ? help_on(argv[2]) : help();
    const ddn_command *c = find(argv[1]);
    return c ? c->run(argc - 1, argv + 1) : unknown(argv[1]);
}

/* A closed standard descriptor would be given to the first file that is opened, and what is meant
 * for it would come from or go to that file.  In its place comes one that can only be used the
 * wrong way round, so that using it is an error as before. */
static void hold_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            exit(DDN_BAD);
}

int main(int argc, char **argv)
{
    hold_standard_descriptors();
    signal(SIGPIPE, SIG_IGN);
    int code = dispatch(argc, argv);
    dodona_error err;
    fflush(stdout);
    int status = ddn_print_check(&err);
    return code || status >= 0 ? code : ddn_complain(&err);
}
