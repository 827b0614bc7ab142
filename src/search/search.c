/* SPDX-License-Identifier: MIT */
/* search.c - the table of searches, and what they share. */
#include "search/search.h"

#include "core/array.h"
#include "core/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The search of that name.  DODONA_E_ARGUMENT: there is none; the message suggests a similar name
 * or lists all. */
static int get(const char *name, const ddn_search **out, dodona_error *err)
{
    ddn_names names = { .guess.wanted = name };
    *out = ddn_search_find(name);
    if (*out)
        return DODONA_OK;
    for (int i = 0; ddn_searches[i]; i++)
        ddn_names_add(&names, ddn_searches[i]->name);
    return ddn_fail_unknown(err, "search", &names);
}

/* The constraint is for the trees that the search chooses from: with a decoder of another system,
 * that system's trees. */
static int open_constraint(ddn_searching *w, dodona_error *err)
{
    const ddn_system *system = w->by_tree ? ddn_system_reaching(w->reach) : w->system;
    if (!system)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "given heads can't be kept with a decoder for a set of rules that is no "
                        "system's; name the decoder of a system, or mst");
    return ddn_constraint_open(system, w->roots, &w->constraint, err);
}

int ddn_search_takes(const ddn_search *search, const ddn_scorer *scorer, dodona_error *err)
{
    if (!search->ordered || !scorer->local)
        return DODONA_OK;
    return ddn_fail(err, DODONA_E_ARGUMENT,
                    "%s search builds each tree in one order, and the learner '%s' learns moves in "
                    "any order that leads to a tree; use --search %s",
                    search->name, scorer->name, ddn_search_beam.name);
}

int ddn_search_open(const char *name, ddn_pass *pass, const ddn_search_options *options,
                    ddn_searching **out, dodona_error *err)
{
    const ddn_search *search;
    char who[64];
    *out = NULL;
    int status = get(name, &search, err);
    if (status < 0)
        return status;
    snprintf(who, sizeof who, "%s search", name);
    status = ddn_model_needs(pass->model, search->heads, who, err);
    if (status >= 0)
        status = ddn_search_takes(search, pass->model->scorer, err);
    if (status >= 0 && options->decoder && !search->exact)
        status = ddn_fail(err, DODONA_E_ARGUMENT,
                          "a decoder needs exact search, and this is %s search", name);
    if (status >= 0)
        status = search->open(pass, options, out, err);
    if (status < 0)
        return status;
    (*out)->search = search;
    if (options->keep)
        status = open_constraint(*out, err);
    if (status < 0) {
        ddn_search_close(*out);
        *out = NULL;
    }
    return status;
}

void ddn_search_close(ddn_searching *w)
{
    if (w)
        w->search->close(w);
}

/* ---- Running ---- */

int ddn_searching_begin(ddn_searching *w, int sentence, int32_t n, dodona_error *err)
{
    w->sentence = sentence;
    w->n = n;
    w->moves = 0;
    w->score = 0;
    w->fallback = NULL;
    w->instead = NULL;
    w->beaten = false;
    ddn_arena_reset(&w->arena);
    return w->search->begin(w, err);
}

/* Copies the result of the search that did the work. */
static int take_over(ddn_searching *w, dodona_error *err)
{
    const ddn_searching *from = w->instead;
    int status = ddn_state_copy(&w->state, &from->state, err);
    if (status >= 0 && !ddn_reserve(&w->move, &w->move_cap, from->moves, sizeof *w->move))
        status = ddn_fail_memory(err);
    if (status < 0)
        return status;
    if (from->moves)
        memcpy(w->move, from->move, from->moves * sizeof *w->move);
    w->moves = from->moves;
    w->score = from->score;
    w->beaten = from->beaten;
    w->prefix = from->prefix;
    w->fallback = from->search->name;
    return DODONA_OK;
}

int ddn_searching_ask(ddn_searching *w, ddn_batch *b, dodona_error *err)
{
    if (!w->instead)
        return w->search->ask(w, b, err);
    int status = w->instead->search->ask(w->instead, b, err);
    return status == 0 ? take_over(w, err) : status;
}

int ddn_searching_tell(ddn_searching *w, const ddn_batch *b, dodona_error *err)
{
    ddn_searching *of = w->instead ? w->instead : w;
    return of->search->tell(of, b, err);
}

int ddn_searching_leave(ddn_searching *w, ddn_searching *to, dodona_error *err)
{
    const ddn_constraint *given = w->constraint;
    int32_t unused;
    int status = DODONA_OK;
    w->instead = to;
    to->goal = w->goal;
    to->keeps_moves = w->keeps_moves;
    if (given) {
        to->constraint->uses = given->uses;
        to->constraint->labels = given->labels;
        status =
            ddn_constraint_begin(to->constraint, given->head, given->label, given->n, &unused, err);
    }
    return status < 0 ? status : ddn_searching_begin(to, w->sentence, w->n, err);
}

/* ---- What searches share ---- */

void ddn_searching_init(ddn_searching *w, ddn_pass *pass, const ddn_search_options *options)
{
    w->pass = pass;
    w->system = pass->model->schema->system;
    w->reach = ddn_system_reach(w->system);
    w->roots = options->roots;
    ddn_state_init(&w->state);
}

void ddn_searching_fini(ddn_searching *w)
{
    ddn_state_fini(&w->state);
    ddn_constraint_close(w->constraint);
    ddn_arena_fini(&w->arena);
    free(w->move);
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

int ddn_batch_reserve(ddn_batch *b, size_t count, dodona_error *err)
{
    if (!ddn_reserve(&b->query, &b->query_cap, b->count + count, sizeof *b->query) ||
        !ddn_reserve(&b->score, &b->score_cap, (b->count + count) * DDN_MAX_KINDS,
                     sizeof *b->score))
        return ddn_fail_memory(err);
    return DODONA_OK;
}

void ddn_batch_fini(ddn_batch *b)
{
    free(b->query);
    free(b->score);
    *b = (ddn_batch){ 0 };
}
