/* SPDX-License-Identifier: MIT */
/* search.c - the table of searches, and what they share. */
#include "search/search.h"

#include "core/array.h"
#include "core/names.h"

#include <stdlib.h>
#include <string.h>

#define SEARCH(name) extern const ddn_search ddn_search_##name;
#include "search/searches.def"
#undef SEARCH

const ddn_search *const ddn_searches[] = {
#define SEARCH(name) &ddn_search_##name,
#include "search/searches.def"
#undef SEARCH
    NULL,
};

const ddn_search *ddn_search_find(const char *name)
{
    for (int i = 0; ddn_searches[i]; i++)
        if (strcmp(ddn_searches[i]->name, name) == 0)
            return ddn_searches[i];
    return NULL;
}

int ddn_search_get(const char *name, const ddn_search **out, dodona_error *err)
{
    ddn_names names = { .guess.wanted = name };
    *out = ddn_search_find(name);
    if (*out)
        return DODONA_OK;
    for (int i = 0; ddn_searches[i]; i++)
        ddn_names_add(&names, ddn_searches[i]->name);
    return ddn_fail_unknown(err, "search", &names);
}

int ddn_search_open(const char *name, const ddn_system *system, ddn_scoring *scoring,
                    const ddn_search_options *options, ddn_searching **out, dodona_error *err)
{
    const ddn_search *search;
    int status = ddn_search_get(name, &search, err);
    if (status < 0)
        return status;
    unsigned missing = search->facets & ~scoring->scorer->facets;
    if (missing)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "%s search needs scores of %s, and a model of the kind '%s' gives none%s",
                        name, missing & DDN_FACET_STATES ? "moves" : "arcs", scoring->scorer->name,
                        missing & DDN_FACET_STATES ? "" : ": it has no templates below [arcs]");
    ddn_constraint *constraint = NULL;
    if (options->keep)
        status = ddn_constraint_open(system, options->roots, &constraint, err);
    if (status >= 0)
        status = search->open(system, scoring, options, out, err);
    if (status < 0) {
        ddn_constraint_close(constraint);
        return status;
    }
    (*out)->search = search;
    (*out)->constraint = constraint;
    return status;
}

int ddn_searching_note(ddn_searching *w, ddn_move m, dodona_error *err)
{
    if (!w->keeps_moves)
        return DODONA_OK;
    if (!ddn_reserve(&w->move, &w->move_cap, w->moves + 1, sizeof *w->move))
        return ddn_fail_memory(err);
    w->move[w->moves++] = m;
    return DODONA_OK;
}

int ddn_searching_leave(ddn_searching *w, ddn_searching *to, const ddn_sentence *s,
                        dodona_error *err)
{
    to->constraint = w->constraint;
    int status = to->search->run(to, s, err);
    to->constraint = NULL; /* it is w's to close */
    if (status >= 0)
        status = ddn_state_copy(&w->state, &to->state, err);
    if (status >= 0 && !ddn_reserve(&w->move, &w->move_cap, to->moves, sizeof *w->move))
        status = ddn_fail_memory(err);
    if (status < 0)
        return status;
    memcpy(w->move, to->move, to->moves * sizeof *w->move);
    w->moves = to->moves;
    w->score = to->score;
    w->fallback = to->search->name;
    return DODONA_OK;
}

void ddn_searching_fini(ddn_searching *w)
{
    ddn_state_fini(&w->state);
    ddn_constraint_close(w->constraint);
    free(w->move);
}
