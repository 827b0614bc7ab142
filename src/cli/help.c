/* SPDX-License-Identifier: MIT */
/* help.c - a command's page, laid out in 80 columns from the declarations of its options. */
#include "cli/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { INDENT = 26, WIDTH = 80 };

/* Prints words from column `column` on, continued at INDENT. */
static void wrap(const char *text, int column)
{
    while (*text) {
        int size = (int)strcspn(text, " ");
        if (column > INDENT && column + 1 + size > WIDTH) {
            printf("\n%*s", INDENT, "");
            column = INDENT;
        }
        if (column > INDENT)
            putchar(' ');
        printf("%.*s", size, text);
        column += size + 1;
        text += size + (text[size] == ' ');
    }
    putchar('\n');
}

/* The default of an option, or "" where there is none to speak of. */
static void write_default(const ddn_option *o, char *buf, size_t size)
{
    buf[0] = '\0';
    if (o->type == DDN_COUNT && (double)*(int64_t *)o->to >= o->least)
        snprintf(buf, size, " (default %" PRId64 ")", *(int64_t *)o->to);
    else if (o->type == DDN_REAL)
        snprintf(buf, size, " (default %g)", *(double *)o->to);
    else if ((o->type == DDN_CHOICE || o->type == DDN_STRING) && *(const char **)o->to)
        snprintf(buf, size, " (default %s)", *(const char **)o->to);
}

static void print_options(const ddn_option *o)
{
    for (; !ddn_option_is_end(o); o++) {
        char left[120], text[400], standard[80];
        int column = snprintf(
            left, sizeof left, "  %s%s%s%s%s", o->letter ? (char[]){ '-', o->letter, '\0' } : "",
            o->letter && o->name ? ", --"
            : o->name            ? "--"
                                 : "",
            o->name ? o->name : "", o->argument ? " " : "", o->argument ? o->argument : "");
        fputs(left, stdout);
        if (column + 2 > INDENT) {
            putchar('\n');
            column = 0;
        }
        printf("%*s", INDENT - column, "");
        write_default(o, standard, sizeof standard);
        snprintf(text, sizeof text, "%s%s", o->help, standard);
        wrap(text, INDENT);
    }
}

void ddn_options_help(const ddn_page *page, const ddn_option *options)
{
    printf("usage: dodona %s", page->command);
    for (const ddn_option *o = options; !ddn_option_is_end(o); o++)
        if (o->required)
            printf(" --%s %s", o->name, o->type == DDN_CHOICE ? "X" : o->argument);
    printf(" [OPTIONS]%s%s\n%s\n\n", *page->operands ? " " : "", page->operands, page->about);
    print_options(options);
    print_options(ddn_common_options);
    printf("\nExample:\n%s", page->example);
}
