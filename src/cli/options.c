/* SPDX-License-Identifier: MIT */
/* options.c - declared options into variables, over getopt_long.
 *
 * getopt_long's val is the index of the option, counted from FIRST so that it is no character; a
 * letter maps back to its option by looking it up.  A long option may be cut short as long as it is
 * clear which is meant, as everywhere. */
#include "cli/options.h"

#include "cli/cli.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTIONS = 48, FIRST = 1000 };

/* A command's options and the common ones as getopt_long wants them. */
typedef struct table {
    const ddn_page *page;
    const ddn_option *option[MAX_OPTIONS];
    int count;
    struct option longs[MAX_OPTIONS + 1];
    char letters[2 * MAX_OPTIONS + 4];
    bool given[MAX_OPTIONS];
} table;

const ddn_option ddn_common_options[] = {
    { .name = "quiet", .type = DDN_FLAG, .help = "no progress on standard error" },
    { .name = "help", .letter = 'h', .type = DDN_FLAG, .help = "this page" },
    { 0 },
};

static void add(table *t, const ddn_option *list)
{
    size_t longs = 0, letters = strlen(t->letters);
    while (t->longs[longs].name)
        longs++;
    for (; !ddn_option_is_end(list) && t->count < MAX_OPTIONS; list++) {
        bool takes = list->type != DDN_FLAG;
        if (list->name)
            t->longs[longs++] =
                (struct option){ list->name, takes ? required_argument : no_argument, NULL,
                                 FIRST + t->count };
        if (list->letter)
            t->letters[letters++] = list->letter;
        if (list->letter && takes)
            t->letters[letters++] = ':';
        t->option[t->count++] = list;
    }
}

static int find(const table *t, int value)
{
    for (int i = 0; i < t->count; i++)
        if (value == FIRST + i || (value && value == t->option[i]->letter))
            return i;
    return -1;
}

/* "--name" or "-x", as messages show it. */
static const char *shown(const ddn_option *o, char *buf, size_t size)
{
    if (o->name)
        snprintf(buf, size, "--%s", o->name);
    else
        snprintf(buf, size, "-%c", o->letter);
    return buf;
}

/* ---- Values ---- */

const char *ddn_option_words(const char *(*name)(int i), char *buf, size_t size)
{
    size_t used = 0;
    buf[0] = '\0';
    for (int i = 0; name(i) && used < size; i++)
        used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? "|" : "", name(i));
    return buf;
}

/* True when a choice has the value among its words. */
static bool is_word_of(const char *words, const char *value)
{
    size_t size = strlen(value);
    for (const char *at = words; at; at = strchr(at, '|')) {
        at += *at == '|';
        if (strncmp(at, value, size) == 0 && (at[size] == '|' || !at[size]))
            return size > 0;
    }
    return false;
}

/* "a|b|c" as "a, b or c". */
static void list_words(const char *words, char *buf, size_t size)
{
    size_t used = 0;
    for (const char *at = words; *at && used + 8 < size; at++) {
        bool last = *at == '|' && !strchr(at + 1, '|');
        if (*at == '|')
            used += (size_t)snprintf(buf + used, size - used, last ? " or " : ", ");
        else
            buf[used++] = *at;
    }
    buf[used] = '\0';
}

static int set_choice(const table *t, const ddn_option *o, const char *value)
{
    char name[40], words[200];
    if (is_word_of(o->argument, value)) {
        *(const char **)o->to = value;
        return -1;
    }
    list_words(o->argument, words, sizeof words);
    return ddn_misuse(t->page->command, "%s is '%s'; expected %s%s%s", shown(o, name, sizeof name),
                      value, words, o->hint ? "; " : "", o->hint ? o->hint : "");
}

/* The number must be all of the value, so "3x", " 3" and "" are none. */
static bool read_number(const ddn_option *o, const char *value)
{
    char *end;
    bool ok, starts = *value >= '0' && *value <= '9';
    errno = 0;
    if (o->type == DDN_COUNT) {
        long long n = strtoll(value, &end, 10);
        ok = starts && !*end && errno == 0 && (double)n >= o->least && (double)n <= o->most;
        if (ok)
            *(int64_t *)o->to = n;
    } else {
        double x = strtod(value, &end);
        ok = (starts || *value == '.') && !*end && errno == 0 && isfinite(x) && x >= o->least &&
             x <= o->most;
        if (ok)
            *(double *)o->to = x;
    }
    return ok;
}

static int set_number(const table *t, const ddn_option *o, const char *value)
{
    char name[40], range[80];
    bool whole = o->type == DDN_COUNT;
    if (read_number(o, value))
        return -1;
    snprintf(range, sizeof range, isinf(o->most) ? "of %.15g or more" : "from %.15g to %.15g",
             o->least, o->most);
    return ddn_misuse(t->page->command, "%s is '%s'; expected a %snumber %s",
                      shown(o, name, sizeof name), value, whole ? "whole " : "", range);
}

static int add_line(const ddn_option *o, const char *value)
{
    char **lines = o->to;
    size_t had = *lines ? strlen(*lines) : 0, more = strlen(value);
    char *grown = realloc(*lines, had + more + 2);
    if (!grown) {
        ddn_warn("out of memory");
        return DDN_BAD;
    }
    memcpy(grown + had, value, more);
    memcpy(grown + had + more, "\n", 2);
    *lines = grown;
    return -1;
}

static int set(table *t, int i, const char *value)
{
    const ddn_option *o = t->option[i];
    t->given[i] = true;
    switch (o->type) {
    case DDN_FLAG:
        if (o->to)
            *(int *)o->to = 1;
        return -1;
    case DDN_CHOICE:
        return set_choice(t, o, value);
    case DDN_COUNT:
    case DDN_REAL:
        return set_number(t, o, value);
    case DDN_LINES:
        return add_line(o, value);
    case DDN_STRING:
        *(const char **)o->to = value;
    }
    return -1;
}

/* ---- Complaints ---- */

/* A long option that is none, or that could be several. */
static int unknown_long(const table *t, const char *given)
{
    const char *command = t->page->command;
    char name[40];
    ddn_guess guess = { .wanted = name };
    const char *could[2] = { NULL, NULL };
    snprintf(name, sizeof name, "%.*s", (int)strcspn(given, "="), given);
    for (int i = 0; i < t->count; i++) {
        const char *known = t->option[i]->name;
        if (!known)
            continue;
        ddn_guess_try(&guess, known);
        if (strncmp(known, name, strlen(name)) == 0)
            could[could[0] != NULL] = known;
    }
    if (could[0] && could[1])
        return ddn_misuse(command, "the option '--%s' could be '--%s' or '--%s'", name, could[0],
                          could[1]);
    if (guess.best)
        return ddn_misuse(command, "there is no option '--%s'; did you mean '--%s'?", name,
                          guess.best);
    return ddn_misuse(command, "there is no option '--%s'", name);
}

/* What getopt_long refused; its own messages don't name the command. */
static int refused(const table *t, int c, char **argv)
{
    const char *given = argv[optind - 1];
    char name[40];
    int known = find(t, optopt);
    if (c == ':' && known >= 0)
        return ddn_misuse(t->page->command, "%s needs a value: %s",
                          shown(t->option[known], name, sizeof name), t->option[known]->argument);
    if (known >= 0 && optopt >= FIRST)
        return ddn_misuse(t->page->command, "%s takes no value",
                          shown(t->option[known], name, sizeof name));
    if (optopt)
        return ddn_misuse(t->page->command, "there is no option '-%c'", optopt);
    return unknown_long(t, given + 2);
}

static int check(const table *t, const ddn_operands *operands)
{
    char name[40];
    for (int i = 0; i < t->count; i++)
        if (t->given[i] && t->option[i]->alone)
            return -1;
    for (int i = 0; i < t->count; i++)
        if (t->option[i]->required && !t->given[i])
            return ddn_misuse(t->page->command, "%s %s is missing: %s",
                              shown(t->option[i], name, sizeof name), t->option[i]->argument,
                              t->option[i]->help);
    const ddn_page *page = t->page;
    if (operands->count < page->least)
        return ddn_misuse(page->command, "expected %s", page->operands);
    if (page->most >= 0 && operands->count > page->most)
        return ddn_misuse(page->command, "'%s' is one too many; expected %s",
                          operands->of[page->most], *page->operands ? page->operands : "options");
    return -1;
}

int ddn_options_read(const ddn_page *page, const ddn_option *options, int argc, char **argv,
                     ddn_operands *operands)
{
    table t = { .page = page, .letters = ":" };
    add(&t, options);
    add(&t, ddn_common_options);
    opterr = 0;
    optind = 1;
    for (int c, code; (c = getopt_long(argc, argv, t.letters, t.longs, NULL)) != -1;) {
        int i = find(&t, c);
        if (i < 0)
            return refused(&t, c, argv);
        if (t.option[i] == &ddn_common_options[1]) {
            ddn_options_help(page, options);
            return DDN_DONE;
        }
        operands->quiet = operands->quiet || t.option[i] == &ddn_common_options[0];
        code = set(&t, i, optarg);
        if (code >= 0)
            return code;
    }
    operands->of = argv + optind;
    operands->count = argc - optind;
    return check(&t, operands);
}
