/* SPDX-License-Identifier: MIT */
/* oracle.c - the table of oracles, what they share, and gold trees. */
#include "oracle/oracle.h"

#include "core/names.h"
#include "tree/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ORACLE(name) extern const ddn_oracle ddn_oracle_##name;
#include "oracle/oracles.def"
#undef ORACLE

const ddn_oracle *const ddn_oracles[] = {
#define ORACLE(name) &ddn_oracle_##name,
#include "oracle/oracles.def"
#undef ORACLE
    NULL,
};

static bool answers(const ddn_oracle *o, const ddn_system *system, bool everywhere)
{
    return o->serves(system) && (o->everywhere || !everywhere);
}

/* Why none of that name was found, and which there are. */
static int refuse(const ddn_system *system, const char *name, bool known, bool everywhere,
                  dodona_error *err)
{
    ddn_names names = { .guess.wanted = name };
    for (int i = 0; ddn_oracles[i]; i++)
        if (answers(ddn_oracles[i], system, everywhere))
            ddn_names_add(&names, ddn_oracles[i]->name);
    const char *where = everywhere ? " off the gold path" : "";
    if (!known && names.guess.best)
        return ddn_fail_unknown(err, "oracle algorithm", &names);
    if (!known)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "there is no oracle algorithm '%s'; those that serve %s%s are %s", name,
                        system->name, where, ddn_names_text(&names));
    return ddn_fail(err, DODONA_E_ARGUMENT,
                    "the oracle '%s' does not serve %s%s; those that do are %s", name, system->name,
                    where, ddn_names_text(&names));
}

int ddn_oracle_find(const ddn_system *system, const char *name, bool everywhere,
                    const ddn_oracle **out, dodona_error *err)
{
    bool known = false;
    for (int i = 0; ddn_oracles[i]; i++) {
        const ddn_oracle *o = ddn_oracles[i];
        if (name ? strcmp(o->name, name) != 0 : o->reference)
            continue;
        known = true;
        if (!answers(o, system, everywhere))
            continue;
        *out = o;
        return DODONA_OK;
    }
    if (name)
        return refuse(system, name, known, everywhere, err);
    return ddn_fail(err, DODONA_E_ARGUMENT,
                    "there is no oracle for %s that answers off the gold path; train with the "
                    "static or the nondet oracle, or with another system",
                    system->name);
}

/* ---- Spaces ---- */

/* What ends a refusal: another oracle for the system, with one root or for any tree, does it. */
static void name_another(const ddn_system *system, bool one_root, const char *what, char hint[64])
{
    hint[0] = '\0';
    for (int i = 0; ddn_oracles[i] && !hint[0]; i++) {
        const ddn_oracle *o = ddn_oracles[i];
        if (!o->reference && o->serves(system) && (one_root ? o->one_root : o->any_tree))
            snprintf(hint, 64, "; '%s' %s", o->name, what);
    }
}

int ddn_oracle_open(const ddn_oracle *o, const ddn_system *system, ddn_oracle_options options,
                    ddn_oracle_space **out, dodona_error *err)
{
    *out = NULL;
    if (options.one_root && !o->one_root) {
        char hint[64];
        name_another(system, true, "is for both", hint);
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "the oracle '%s' is for trees with any number of roots, not for those with "
                        "one%s",
                        o->name, hint);
    }
    if (options.strategy != DDN_STRATEGY_FREE && !o->strategies)
        return ddn_fail(err, DODONA_E_ARGUMENT, "the oracle '%s' has no strategy but free",
                        o->name);
    ddn_oracle_space *w = calloc(1, o->size);
    if (!w)
        return ddn_fail_memory(err);
    w->oracle = o;
    w->system = system;
    w->options = options;
    ddn_state_init(&w->after);
    *out = w;
    return DODONA_OK;
}

void ddn_oracle_close(ddn_oracle_space *w)
{
    if (!w)
        return;
    if (w->oracle->fini)
        w->oracle->fini(w);
    ddn_state_fini(&w->after);
    ddn_arena_fini(&w->arena);
    free(w);
}

int ddn_oracle_begin(ddn_oracle_space *w, const ddn_gold *gold, dodona_error *err)
{
    const ddn_oracle *o = w->oracle;
    if (!gold->projective && w->system->projective && !o->any_tree) {
        char hint[64];
        name_another(w->system, false, "takes any tree", hint);
        return ddn_fail(err, DODONA_E_INPUT,
                        "the oracle '%s' is exact for projective trees only, and this tree is not "
                        "projective%s",
                        o->name, hint);
    }
    if (o->max_words && gold->n > o->max_words)
        return ddn_fail(err, DODONA_E_LIMIT,
                        "the oracle '%s' takes sentences of at most %d words; this one has %d",
                        o->name, (int)o->max_words, (int)gold->n);
    ddn_arena_reset(&w->arena);
    w->gold = gold;
    w->gave_up = false;
    int status = o->tries ? ddn_state_start(&w->after, gold->n, DDN_ROOTS_MANY, err) : DODONA_OK;
    return status >= 0 && o->begin ? o->begin(w, err) : status;
}

/* ---- For oracles ---- */

void ddn_oracle_rank(int32_t *value, int32_t m)
{
    int32_t top = -1;
    for (int32_t i = 0; i < m; i++)
        top = value[i] > top ? value[i] : top;
    for (int32_t i = 0; i < m; i++)
        value[i] = value[i] < 0 ? DDN_COST_DEAD : top - value[i];
}

void ddn_oracle_rank_losses(int32_t *loss, int32_t m)
{
    int32_t least = INT32_MAX;
    for (int32_t i = 0; i < m; i++)
        least = loss[i] < least ? loss[i] : least;
    for (int32_t i = 0; i < m; i++)
        loss[i] -= least;
}

void ddn_oracle_try(void *space, const ddn_state *s, const ddn_move *moves, int32_t m,
                    int32_t *cost)
{
    ddn_oracle_space *w = space;
    ddn_state_copy(&w->after, s, NULL); /* begin made room */
    w->gave_up = false;
    for (int32_t i = 0; i < m && !w->gave_up; i++) {
        ddn_undo undo;
        w->system->apply(&w->after, moves[i], &undo);
        cost[i] = w->oracle->value(w, &w->after);
        ddn_state_revert(&w->after, &undo);
    }
    if (!w->gave_up)
        ddn_oracle_rank(cost, m);
}

int32_t ddn_oracle_made(const ddn_gold *gold, const ddn_state *s)
{
    int32_t made = 0;
    for (int32_t d = 1; d <= s->n; d++)
        made += s->node[d].head == gold->head[d];
    return made;
}

/* ---- Gold trees ---- */

void ddn_gold_init(ddn_gold *g)
{
    memset(g, 0, sizeof *g);
}

void ddn_gold_fini(ddn_gold *g)
{
    ddn_arena_fini(&g->arena);
    ddn_gold_init(g);
}

/* Children by counting sort: first[h] is where h's children begin. */
static void sort_children(ddn_gold *g)
{
    int32_t n = g->n;
    memset(g->first, 0, ((size_t)n + 2) * sizeof *g->first);
    for (int32_t d = 1; d <= n; d++)
        g->first[g->head[d] + 1]++;
    for (int32_t h = 0; h <= n; h++)
        g->first[h + 1] += g->first[h];
    for (int32_t d = n; d >= 1; d--)
        g->child[--g->first[g->head[d] + 1]] = d;
    memmove(g->first, g->first + 1, ((size_t)n + 1) * sizeof *g->first);
    g->first[n + 1] = n;
}

int ddn_gold_set(ddn_gold *g, const int32_t *head, const uint16_t *label, int32_t n,
                 dodona_error *err)
{
    size_t need = (size_t)n + 2;
    ddn_arena_reset(&g->arena);
    g->head = ddn_arena_take(&g->arena, need, sizeof *g->head);
    g->label = ddn_arena_take(&g->arena, need, sizeof *g->label);
    g->first = ddn_arena_take(&g->arena, need, sizeof *g->first);
    g->child = ddn_arena_take(&g->arena, 2 * need, sizeof *g->child); /* twice: as scratch */
    if (g->arena.failed)
        return ddn_fail_memory(err);
    g->n = n;
    g->head[0] = -1;
    g->label[0] = 0;
    for (int32_t d = 1; d <= n; d++) {
        g->head[d] = head[d];
        g->label[d] = label ? label[d] : 0;
    }
    g->projective = ddn_tree_is_projective(g->head, n, g->child);
    sort_children(g);
    return DODONA_OK;
}
