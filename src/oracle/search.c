/* SPDX-License-Identifier: MIT */
/* search.c - the reference: the value of a configuration by following every derivation from it.
 *
 * Serves every system and every gold tree, uses nothing but the system's table, and takes time
 * exponential in the number of words left; sentences over MAX_WORDS words are refused.  The faster
 * oracles are compared with it.  A dead end (no legal move, not final) is worth nothing. */
#include "oracle/oracle.h"

#include <stdlib.h>

enum { MAX_WORDS = 10 };

typedef struct space {
    const ddn_system *system;
    const ddn_gold *gold;
    ddn_state state;
} space;

static bool serves(const ddn_system *system)
{
    (void)system;
    return true;
}

static int open_space(const ddn_system *system, ddn_oracle_options options, void **out,
                      dodona_error *err)
{
    extern const ddn_oracle ddn_oracle_search;
    options.one_root = false; /* legality ensures it */
    int status = ddn_oracle_space(&ddn_oracle_search, options, sizeof(space), out, err);
    if (status < 0)
        return status;
    space *sp = *out;
    sp->system = system;
    ddn_state_init(&sp->state);
    return DODONA_OK;
}

static void close_space(void *sp)
{
    ddn_state_fini(&((space *)sp)->state);
    free(sp);
}

static int begin(void *sp, const ddn_gold *gold, dodona_error *err)
{
    space *w = sp;
    if (gold->n > MAX_WORDS)
        return ddn_fail(err, DODONA_E_LIMIT,
                        "the oracle 'search' tries every derivation and takes sentences of at "
                        "most %d words; this one has %d",
                        MAX_WORDS, (int)gold->n);
    w->gold = gold;
    return ddn_state_start(&w->state, gold->n, DDN_ROOTS_MANY, err); /* room, once */
}

static int32_t gold_arcs(const space *w, const ddn_state *s)
{
    int32_t count = 0;
    for (int32_t d = 1; d <= s->n; d++)
        count += ddn_system_head(w->system, s, d) == w->gold->head[d];
    return count;
}

/* The most gold arcs of any final configuration that can be reached from s; -1: none. */
static int32_t best(const space *w, ddn_state *s)
{
    ddn_move moves[DDN_MAX_KINDS * (MAX_WORDS + 1)];
    int32_t scratch[MAX_WORDS + 1], top = -1;
    if (w->system->final(s))
        return gold_arcs(w, s);
    int32_t m = ddn_system_moves(w->system, s, moves, scratch);
    for (int32_t i = 0; i < m; i++) {
        ddn_undo undo;
        w->system->apply(s, moves[i], &undo);
        int32_t v = best(w, s);
        ddn_state_revert(s, &undo);
        top = v > top ? v : top;
    }
    return top;
}

static void costs(void *sp, const ddn_state *s, const ddn_move *moves, int32_t m, int32_t *cost)
{
    space *w = sp;
    ddn_state_copy(&w->state, s, NULL); /* begin made room */
    for (int32_t i = 0; i < m; i++) {
        ddn_undo undo;
        w->system->apply(&w->state, moves[i], &undo);
        cost[i] = best(w, &w->state);
        ddn_state_revert(&w->state, &undo);
    }
    ddn_oracle_rank(cost, m);
}

static int32_t value(void *sp, const ddn_state *s)
{
    space *w = sp;
    ddn_state_copy(&w->state, s, NULL);
    return best(w, &w->state);
}

const ddn_oracle ddn_oracle_search = {
    .name = "search",
    .summary = "tries every derivation; the reference for short sentences",
    .everywhere = true,
    .reference = true,
    .any_tree = true,
    .serves = serves,
    .open = open_space,
    .close = close_space,
    .begin = begin,
    .costs = costs,
    .value = value,
};
