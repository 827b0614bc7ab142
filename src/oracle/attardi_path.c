/* SPDX-License-Identifier: MIT */
/* attardi_path.c - the oracle 'path' of the Attardi family: which moves keep the gold tree within
 * reach, on the gold path.
 *
 *   m<h     keeps it iff h(m) = h and m has all its children
 *   shift   keeps it iff the canonical moves after it end in the gold tree
 *
 * The first holds because reducing early is never wrong.  It makes the canonical derivation that of
 * the static oracle: reductions stand before shift in the table, and the first that keeps the tree
 * is taken.  Where no reduction keeps it, shift does.  Where one does, a question about shift is
 * linear, and is answered in sentences of up to DDN_REREAD_WORDS words; in longer ones shift counts
 * as wrong there.  All else is constant.  Proofs: system/attardi_reach.c. */
#include "oracle/oracle.h"
#include "system/attardi_reach.h"

#include <string.h>

typedef struct space {
    ddn_oracle_space base;
    int32_t *scratch; /* [2(n+1)] */
} space;

static bool serves(const ddn_system *system)
{
    return system->rules != 0;
}

static int begin(void *sp, dodona_error *err)
{
    space *w = sp;
    const ddn_gold *gold = w->base.gold;
    w->scratch = ddn_arena_take(&w->base.arena, 2 * ((size_t)gold->n + 1), sizeof *w->scratch);
    if (!w->scratch)
        return ddn_fail_memory(err);
    if (!ddn_system_reaches(w->base.system, gold->head, gold->n, w->scratch))
        return ddn_fail(err, DODONA_E_INPUT, "%s does not reach this tree", w->base.system->name);
    return DODONA_OK;
}

/* Sets up the canonical moves from the configuration. */
static void follow(const space *w, const ddn_state *s, ddn_attardi_path *p)
{
    ddn_attardi_path_start(p, w->base.system->rules, w->base.gold->head, s->n, w->scratch);
    memcpy(p->stack, s->stack, (size_t)s->depth * sizeof *s->stack);
    p->depth = s->depth;
    p->next = s->next;
    for (int32_t d = 1; d <= s->n; d++)
        if (s->node[d].head >= 0)
            p->missing[s->node[d].head]--;
}

/* Where a reduction keeps it, too. */
static bool shift_keeps(const space *w, const ddn_state *s)
{
    ddn_attardi_path p;
    if (s->n > DDN_REREAD_WORDS)
        return false;
    follow(w, s, &p);
    p.stack[p.depth++] = p.next++;
    return ddn_attardi_path_ends(&p);
}

static void costs(void *sp, const ddn_state *s, const ddn_move *moves, int32_t m, int32_t *cost)
{
    const space *w = sp;
    const ddn_gold *g = w->base.gold;
    int32_t shift = -1;
    bool reduces = false;
    for (int32_t i = 0; i < m; i++) {
        if (!w->base.system->kind[moves[i].kind].makes_arc) {
            shift = i;
            continue;
        }
        ddn_arc arc = w->base.system->arc(s, moves[i].kind, moves[i].pos);
        const ddn_node *node = &s->node[arc.child];
        int32_t children = g->first[arc.child + 1] - g->first[arc.child];
        cost[i] = g->head[arc.child] != arc.head ||
                  node->valency[DDN_LEFT] + node->valency[DDN_RIGHT] != children;
        reduces |= cost[i] == 0;
    }
    if (shift >= 0)
        cost[shift] = reduces && !shift_keeps(w, s);
}

const ddn_oracle ddn_oracle_attardi_path = {
    .name = "path",
    .summary = "says which moves keep the gold tree within reach, on the gold path",
    .size = sizeof(space),
    .serves = serves,
    .begin = begin,
    .costs = costs,
};
