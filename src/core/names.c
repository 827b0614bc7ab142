/* SPDX-License-Identifier: MIT */
/* names.c - edit distance between names, and lists of names. */
#include "core/names.h"

#include <stdio.h>
#include <string.h>

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

/* ---- Lists: the last name waits, as "and" comes before it ---- */

static void append(ddn_names *names, const char *before, const char *name)
{
    size_t room = sizeof names->text - names->size;
    snprintf(names->text + names->size, room, "%s%s", names->size ? before : "", name);
    names->size += strlen(names->text + names->size);
}

void ddn_names_add(ddn_names *names, const char *name)
{
    if (names->last)
        append(names, ", ", names->last);
    names->last = name;
    if (names->guess.wanted)
        ddn_guess_try(&names->guess, name);
}

const char *ddn_names_text(ddn_names *names)
{
    append(names, " and ", names->last ? names->last : "none");
    names->last = NULL;
    return names->text;
}

int ddn_fail_unknown(dodona_error *err, const char *what, ddn_names *names)
{
    const ddn_guess *g = &names->guess;
    if (g->best)
        return ddn_fail(err, DODONA_E_ARGUMENT, "there is no %s '%s'; did you mean '%s'?", what,
                        g->wanted, g->best);
    return ddn_fail(err, DODONA_E_ARGUMENT, "there is no %s '%s'; there are %s", what, g->wanted,
                    ddn_names_text(names));
}
