/* SPDX-License-Identifier: MIT */
/* options.c - declared options into variables, over getopt_long.
 *
 * getopt_long's val is the index of the option, counted from FIRST so that it is not a letter; a
 * letter maps back to its option by looking it up.  A long option may be cut short as long as it is
 * clear which is meant, as everywhere. */
#include "cli/options.h"

#include "cli/cli.h"
#include "core/words.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 1000 };

/* A command's options and the common ones as getopt_long wants them. */
typedef struct table {
    const ddn_page *page;
    const ddn_option *option[DDN_MAX_OPTIONS];
    int count;
    struct option longs[DDN_MAX_OPTIONS + 1];
    char letters[2 * DDN_MAX_OPTIONS + 4];
    bool given[DDN_MAX_OPTIONS];
} table;

const ddn_option ddn_common_options[] = {
    { .name = "quiet", .type = DDN_FLAG, .help = "no progress on standard error" },
    { .name = "help", .letter = 'h', .type = DDN_FLAG, .help = "this page" },
    { 0 },
};

void ddn_options_add(ddn_option *list, const dodona_option *(*option)(int i), void *options)
{
    const dodona_option *o;
    int count = 0;
    while (!ddn_option_is_end(&list[count]))
        count++;
    for (int i = 0; (o = option(i)) && count < DDN_MAX_OPTIONS - 1; i++)
        list[count++] = (ddn_option){ .name = o->name[1] ? o->name : NULL,
                                      .letter = o->name[1] ? '\0' : o->name[0],
                                      .argument = o->argument,
                                      .type = (ddn_option_type)o->type,
                                      .to = (char *)options + o->offset,
                                      .least = o->least,
                                      .most = o->most,
                                      .otherwise = o->otherwise,
                                      .names = o->names,
                                      .help = o->help };
}

static void add(table *t, const ddn_option *list)
{
    size_t longs = 0, letters = strlen(t->letters);
    while (t->longs[longs].name)
        longs++;
    for (; !ddn_option_is_end(list) && t->count < DDN_MAX_OPTIONS; list++) {
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

const char *ddn_option_shown(const ddn_option *o, char *buf, size_t size)
{
    if (o->name)
        snprintf(buf, size, "--%s", o->name);
    else
        snprintf(buf, size, "-%c", o->letter);
    return buf;
}

/* ---- Values ---- */

static int set_choice(const table *t, const ddn_option *o, const char *value)
{
    char name[40], words[200];
    int found = ddn_words_find(o->argument, value);
    if (found < 0)
        return ddn_misuse(t->page->command, "%s is '%s'; expected %s%s%s",
                          ddn_option_shown(o, name, sizeof name), value,
                          ddn_words_list(o->argument, words, sizeof words), o->hint ? "; " : "",
                          o->hint ? o->hint : "");
    if (o->type == DDN_INDEX)
        *(int *)o->to = found;
    else
        *(const char **)o->to = value;
    return -1;
}

/* The number must be all of the value, so "3x", " 3" and "" are refused. */
static bool read_number(const ddn_option *o, const char *value)
{
    char *end;
    bool ok, starts = *value >= '0' && *value <= '9';
    errno = 0;
    if (o->type != DDN_REAL) {
        long long n = strtoll(value, &end, 10);
        ok = starts && !*end && errno == 0 && (double)n >= o->least && (double)n <= o->most;
        if (ok && o->type == DDN_INT)
            *(int *)o->to = (int)n;
        else if (ok)
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
    if (read_number(o, value))
        return -1;
    ddn_range_text(o->type != DDN_REAL, o->least, o->most, range, sizeof range);
    return ddn_misuse(t->page->command, "%s is '%s'; expected %s",
                      ddn_option_shown(o, name, sizeof name), value, range);
}

static int add_line(const ddn_option *o, const char *value)
{
    const char **lines = o->to;
    size_t had = *lines ? strlen(*lines) : 0, more = strlen(value);
    char *grown = realloc((char *)*lines, had + more + 2);
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
    case DDN_INDEX:
    case DDN_CHOICE:
        return set_choice(t, o, value);
    case DDN_INT:
    case DDN_COUNT:
    case DDN_REAL:
        return set_number(t, o, value);
    case DDN_LINES:
        return add_line(o, value);
    case DDN_STRING:
    case DDN_FILE:
        *(const char **)o->to = value;
    }
    return -1;
}

/* ---- Complaints ---- */

/* A long option that does not exist, or an abbreviation of several. */
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
                          ddn_option_shown(t->option[known], name, sizeof name),
                          t->option[known]->argument);
    if (known >= 0 && optopt >= FIRST)
        return ddn_misuse(t->page->command, "%s takes no value",
                          ddn_option_shown(t->option[known], name, sizeof name));
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
                              ddn_option_shown(t->option[i], name, sizeof name),
                              t->option[i]->argument, t->option[i]->help);
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
    if (argc == 2 && strcmp(argv[1], "--table") == 0) {
        ddn_options_table(page, options);
        return DDN_DONE;
    }
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
