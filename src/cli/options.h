/* SPDX-License-Identifier: MIT */
/* options.h - what a command accepts, declared once: reading, checking, --help, the completions and
 * the lists in the manual follow from it.  Options of the library are declared there
 * (dodona_option) and added.
 *
 *     const char *model = NULL;
 *     int threads = 1;
 *     const ddn_option options[] = {
 *         { .name = "model", .type = DDN_FILE, .argument = "M", .to = &model, .required = true,
 *           .help = "..." },
 *         { .letter = 'j', .type = DDN_INT, .argument = "N", .to = &threads, .least = 1,
 *           .most = 256, .help = "..." },
 *         { 0 },
 *     };
 *     int code = ddn_options_read(&page, options, argc, argv, &operands);
 *     if (code >= 0)
 *         return code;
 *
 * The value that a variable has before is the default, which --help prints. */
#ifndef DDN_CLI_OPTIONS_H
#define DDN_CLI_OPTIONS_H

#include "dodona.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As the library keeps its own; a flag becomes 1 and takes no argument, strings are borrowed from
 * argv, and lines are malloced. */
typedef enum ddn_option_type {
    DDN_STRING = DODONA_OPTION_STRING,
    DDN_FILE = DODONA_OPTION_FILE,
    DDN_LINES = DODONA_OPTION_LINES,
    DDN_CHOICE = DODONA_OPTION_CHOICE,
    DDN_INDEX = DODONA_OPTION_INDEX,
    DDN_FLAG = DODONA_OPTION_FLAG,
    DDN_INT = DODONA_OPTION_INT,
    DDN_COUNT = DODONA_OPTION_COUNT,
    DDN_REAL = DODONA_OPTION_REAL,
} ddn_option_type;

typedef struct ddn_option {
    const char *name; /* without the dashes; NULL with no letter either: the end of the list */
    char letter;      /* '\0': none */
    const char *argument;
    ddn_option_type type;
    void *to;
    double least, most;
    bool required;
    bool alone;                  /* what is required need not be there when this flag is */
    const char *otherwise;       /* what is the default where the variable has none */
    const char *(*names)(int i); /* what completion offers for a string or file; NULL: nothing */
    const char *help;
    const char *hint; /* added to the message when a choice is not one of the words */
} ddn_option;

/* --roots of the commands that speak of the papers' systems: *to becomes 0 for one, 1 for many. */
#define DDN_ROOTS_OPTION(variable)                                                                 \
    {                                                                                              \
        .name = "roots", .type = DDN_INDEX, .argument = "one|many", .to = variable,                \
        .help = "words below the root: exactly one, or any number"                                 \
    }

/* A list that ddn_options_add may add to. */
enum { DDN_MAX_OPTIONS = 48 };

/* What --help says about a command, besides its options. */
typedef struct ddn_page {
    const char *command;
    const char *operands; /* in the line of usage */
    const char *about;
    const char *example; /* lines, each indented by two spaces */
    int least, most;     /* operands; most -1: any number */
} ddn_page;

typedef struct ddn_operands {
    char **of;
    int count;
    bool quiet; /* --quiet, which every command takes */
} ddn_operands;

/* -1: go on.  Otherwise all is said and this is the exit code. */
int ddn_options_read(const ddn_page *page, const ddn_option *options, int argc, char **argv,
                     ddn_operands *operands);

/* Adds the options of a struct of the library, which has its defaults, to a list with room for
 * DDN_MAX_OPTIONS. */
void ddn_options_add(ddn_option *list, const dodona_option *(*option)(int i), void *options);

/* Prints the page, or all that it says in a line an option, for programs (help.c). */
void ddn_options_help(const ddn_page *page, const ddn_option *options);
void ddn_options_table(const ddn_page *page, const ddn_option *options);

/* For the two files that share them: the options that every command has, --quiet and --help, and
 * an option as messages show it, "--name" or "-x"; returns buf. */
extern const ddn_option ddn_common_options[];
const char *ddn_option_shown(const ddn_option *o, char *buf, size_t size);

static inline bool ddn_option_is_end(const ddn_option *o)
{
    return !o->name && !o->letter;
}

#endif
