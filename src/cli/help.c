/* SPDX-License-Identifier: MIT */
/* help.c - a command's page, laid out in 80 columns from the declarations of its options. */
#include "cli/options.h"

#include "core/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { INDENT = 26, WIDTH = 80, DESCRIPTION = 600 };

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

/* The default of an option, or NULL where there is none to speak of. */
static const char *default_of(const ddn_option *o, char *buf, size_t size)
{
    size_t length = 0;
    const char *text = NULL;
    switch (o->type) {
    case DDN_INDEX:
        text = ddn_words_at(o->argument, *(int *)o->to, &length);
        snprintf(buf, size, "%.*s", (int)length, text ? text : "");
        return text ? buf : o->otherwise;
    case DDN_INT:
        snprintf(buf, size, "%d", *(int *)o->to);
        return *(int *)o->to >= o->least ? buf : o->otherwise;
    case DDN_COUNT:
        snprintf(buf, size, "%" PRId64, *(int64_t *)o->to);
        return (double)*(int64_t *)o->to >= o->least ? buf : o->otherwise;
    case DDN_REAL:
        snprintf(buf, size, "%g", *(double *)o->to);
        return buf;
    case DDN_CHOICE:
    case DDN_STRING:
    case DDN_FILE:
        return *(const char **)o->to ? *(const char **)o->to : o->otherwise;
    default:
        return NULL;
    }
}

/* The help of an option, and behind it, in brackets, its range and its default. */
static void describe(const ddn_option *o, char *buf, size_t size)
{
    char range[60] = "", standard[80];
    bool number = o->type == DDN_INT || o->type == DDN_COUNT || o->type == DDN_REAL;
    const char *usual = default_of(o, standard, sizeof standard);
    if (number && isfinite(o->most))
        snprintf(range, sizeof range, "%.15g to %.15g", o->least, o->most);
    bool both = range[0] && usual;
    snprintf(buf, size, "%s%s%s%s%s%s%s", o->help, range[0] || usual ? " (" : "", range,
             both ? "; " : "", usual ? "default " : "", usual ? usual : "",
             range[0] || usual ? ")" : "");
}

static void print_options(const ddn_option *o)
{
    for (; !ddn_option_is_end(o); o++) {
        char left[120], text[DESCRIPTION];
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
        describe(o, text, sizeof text);
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

/* ---- For programs ---- */

static const char *kind_of(const ddn_option *o)
{
    switch (o->type) {
    case DDN_FLAG:
        return "flag";
    case DDN_INT:
    case DDN_COUNT:
    case DDN_REAL:
        return "number";
    case DDN_FILE:
        return "file";
    case DDN_LINES:
        return "line";
    default:
        return strstr(o->argument, ",...") ? "list" : "word";
    }
}

static void print_rows(const ddn_page *page, const ddn_option *o)
{
    for (; !ddn_option_is_end(o); o++) {
        char name[40], text[DESCRIPTION];
        bool words = o->type == DDN_CHOICE || o->type == DDN_INDEX;
        describe(o, text, sizeof text);
        printf("%s\t%s\t%s\t%s\t%s", page->command, ddn_option_shown(o, name, sizeof name),
               o->argument ? o->argument : "", kind_of(o), words ? o->argument : "");
        for (int i = 0; o->names && o->names(i); i++)
            printf("%s%s", i ? "|" : "", o->names(i));
        printf("\t%s\n", text);
    }
}

/* Tabs between the command, the option, its argument, the kind of that, the values that are known,
 * with bars between them, and the description. */
void ddn_options_table(const ddn_page *page, const ddn_option *options)
{
    print_rows(page, options);
    print_rows(page, ddn_common_options);
}
