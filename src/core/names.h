/* SPDX-License-Identifier: MIT */
/* names.h - names in messages: what a misspelt one may have meant, and which ones there are.
 *
 *     ddn_names names = { .guess.wanted = "baem" };
 *     for (...)
 *         ddn_names_add(&names, table[i]->name);      (which must live as long as the list)
 *     return ddn_fail_unknown(err, "search", &names);
 *
 * says: there is no search 'baem'; did you mean 'beam'? */
#ifndef DDN_CORE_NAMES_H
#define DDN_CORE_NAMES_H

#include "core/error.h"
#include <stddef.h>

/* Of all names tried, the nearest that is near enough to the wanted one. */
typedef struct ddn_guess {
    const char *wanted;
    const char *best; /* NULL: none */
    int distance;
} ddn_guess;

void ddn_guess_try(ddn_guess *g, const char *name);

/* "a, b and c"; what is longer than the room is cut. */
typedef struct ddn_names {
    char text[400];
    size_t size;      /* of text */
    const char *last; /* not yet in text; NULL: the list is empty */
    ddn_guess guess;  /* where its wanted is set */
} ddn_names;

void ddn_names_add(ddn_names *names, const char *name);
/* Ends the list; "none" when it is empty. */
const char *ddn_names_text(ddn_names *names);

/* There is no WHAT of the name wanted: suggests one that is near it, or lists them all.  Returns
 * DODONA_E_ARGUMENT. */
int ddn_fail_unknown(dodona_error *err, const char *what, ddn_names *names);

#endif
