/* SPDX-License-Identifier: MIT */
/* search.c - the reference: the value of a configuration by following every derivation from it.
 *
 * Serves every system and every gold tree, uses nothing but the system's table, and takes time
 * exponential in the number of words left; sentences over MAX_WORDS words are refused.  The faster
 * oracles are compared with it.  A dead end (no legal move, not final) is worth nothing. */
#include "oracle/oracle.h"

enum { MAX_WORDS = 10 };

typedef struct space {
    ddn_oracle_space base;
    ddn_state state; /* the present derivation */
} space;

static bool serves(const ddn_system *system)
{
    (void)system;
    return true;
}

static void fini(void *sp)
{
    ddn_state_fini(&((space *)sp)->state);
}

static int begin(void *sp, dodona_error *err)
{
    space *w = sp;
    return ddn_state_start(&w->state, w->base.gold->n, DDN_ROOTS_MANY, err); /* room, once */
}

static int32_t gold_arcs(const space *w, const ddn_state *s)
{
    int32_t count = 0;
    for (int32_t d = 1; d <= s->n; d++)
        count += ddn_system_head(w->base.system, s, d) == w->base.gold->head[d];
    return count;
}

/* The most gold arcs of any final configuration that can be reached from s; -1: none. */
static int32_t best(const space *w, ddn_state *s)
{
    ddn_move moves[DDN_MAX_KINDS * (MAX_WORDS + 1)];
    int32_t scratch[MAX_WORDS + 1], top = -1;
    if (w->base.system->final(s))
        return gold_arcs(w, s);
    int32_t m = ddn_system_moves(w->base.system, s, moves, scratch);
    for (int32_t i = 0; i < m; i++) {
        ddn_undo undo;
        w->base.system->apply(s, moves[i], &undo);
        int32_t v = best(w, s);
        ddn_state_revert(s, &undo);
        top = v > top ? v : top;
    }
    return top;
}

static int32_t value(void *sp, const ddn_state *s)
{
    space *w = sp;
    ddn_state_copy(&w->state, s, NULL); /* begin made room */
    return best(w, &w->state);
}

const ddn_oracle ddn_oracle_search = {
    .name = "search",
    .summary = "tries every derivation; the reference for short sentences",
    .everywhere = true,
    .reference = true,
    .any_tree = true,
    .one_root = true, /* legality ensures it */
    .tries = true,
    .max_words = MAX_WORDS,
    .size = sizeof(space),
    .serves = serves,
    .begin = begin,
    .fini = fini,
    .costs = ddn_oracle_try,
    .value = value,
};
