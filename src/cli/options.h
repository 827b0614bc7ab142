/* SPDX-License-Identifier: MIT */
/* options.h - what a command accepts, declared once: reading, checking and --help follow from it.
 *
 *     const char *model = NULL;
 *     int64_t threads = 1;
 *     const ddn_option options[] = {
 *         { .name = "model", .argument = "M", .to = &model, .required = true, .help = "..." },
 *         { .letter = 'j', .argument = "N", .type = DDN_COUNT, .to = &threads, .least = 1,
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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ddn_option_type {
    DDN_STRING, /* const char *, borrowed from argv */
    DDN_FLAG,   /* int: becomes 1; takes no argument */
    DDN_CHOICE, /* const char *: one of the words of argument, which has '|' between them */
    DDN_COUNT,  /* int64_t, a whole number from least to most */
    DDN_REAL,   /* double from least to most */
    DDN_LINES,  /* char *, malloced: every use of the option adds a line */
} ddn_option_type;

typedef struct ddn_option {
    const char *name; /* without the dashes; NULL with no letter either: the end of the list */
    char letter;      /* '\0': none */
    const char *argument;
    ddn_option_type type;
    void *to;
    double least, most;
    bool required;
    bool alone; /* what is required need not be there when this flag is */
    const char *help;
    const char *hint; /* added to the message when a choice is not one of the words */
} ddn_option;

/* What --help says about a command, besides its options. */
typedef struct ddn_page {
    const char *command;
    const char *operands; /* in the line of usage */
    const char *about;
    const char *example; /* lines, each indented by two blanks */
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

/* The names of a table with '|' between them, for the argument of a choice; returns buf. */
const char *ddn_option_words(const char *(*name)(int i), char *buf, size_t size);

/* Prints the page. */
void ddn_options_help(const ddn_page *page, const ddn_option *options);

/* Every command's own: --quiet and --help; for the two files that share them. */
extern const ddn_option ddn_common_options[];

static inline bool ddn_option_is_end(const ddn_option *o)
{
    return !o->name && !o->letter;
}

#endif
