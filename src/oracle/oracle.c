/* SPDX-License-Identifier: MIT */
/* oracle.c - the table of oracles, what they share, and gold trees. */
#include "oracle/oracle.h"

#include "core/array.h"
#include "core/names.h"
#include "tree/tree.h"

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

int ddn_oracle_space(const ddn_oracle *o, ddn_oracle_options options, size_t size, void **out,
                     dodona_error *err)
{
    if (options.one_root)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "the oracle '%s' is for trees with any number of roots, not for those with "
                        "one",
                        o->name);
    if (options.strategy != DDN_STRATEGY_FREE)
        return ddn_fail(err, DODONA_E_ARGUMENT, "the oracle '%s' has no strategy but free",
                        o->name);
    void *space = calloc(1, size);
    if (!space)
        return ddn_fail_memory(err);
    *out = space;
    return DODONA_OK;
}

void ddn_oracle_rank(int32_t *value, int32_t m)
{
    int32_t top = -1;
    for (int32_t i = 0; i < m; i++)
        top = value[i] > top ? value[i] : top;
    for (int32_t i = 0; i < m; i++)
        value[i] = value[i] < 0 ? DDN_COST_DEAD : top - value[i];
}

void ddn_gold_init(ddn_gold *g)
{
    memset(g, 0, sizeof *g);
}

void ddn_gold_fini(ddn_gold *g)
{
    free(g->head);
    free(g->label);
    free(g->first);
    free(g->child);
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
    if (!ddn_reserve(&g->head, &g->head_cap, need, sizeof *g->head) ||
        !ddn_reserve(&g->label, &g->label_cap, need, sizeof *g->label) ||
        !ddn_reserve(&g->first, &g->first_cap, need, sizeof *g->first) ||
        !ddn_reserve(&g->child, &g->child_cap, 2 * need, sizeof *g->child)) /* twice: as scratch */
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
