/* SPDX-License-Identifier: MIT */
/* complain.c - messages on standard error, and guesses at what was meant. */
#include "cli/cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int ddn_complain(const dodona_error *err)
{
    char text[sizeof err->file + sizeof err->message + 32];
    fprintf(stderr, "dodona: %s\n", dodona_error_text(err, text, sizeof text));
    return err->code == DODONA_E_ARGUMENT ? DDN_MISUSE : DDN_BAD;
}

static void say(const char *format, va_list args)
{
    fputs("dodona: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

int ddn_misuse(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
    fprintf(stderr, "Try 'dodona %s%s--help'.\n", command ? command : "", command ? " " : "");
    return DDN_MISUSE;
}

void ddn_warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
}

/* Letters to insert, delete or replace (Levenshtein 1966); names longer than the table are far from
 * everything. */
static int distance(const char *a, const char *b)
{
    enum { MOST = 40 };
    int row[MOST + 1], m = (int)strlen(a), n = (int)strlen(b);
    if (m > MOST || n > MOST)
        return MOST;
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 1; i <= m; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[n];
}

void ddn_guess_try(ddn_guess *g, const char *name)
{
    size_t size = strlen(g->wanted);
    int d = distance(g->wanted, name);
    if (d > (size < 5 ? 1 : 2) || (g->best && d >= g->distance))
        return;
    g->best = name;
    g->distance = d;
}
