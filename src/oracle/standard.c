/* SPDX-License-Identifier: MIT */
/* standard.c - moves, strategies and tables for the arc-standard oracles.
 *
 * Why a component's rightmost critical word does not depend on b: say x in the buffer is critical
 * and its head h is in the buffer too.  Then x has a descendant d < b.  Were h < x, it would lie
 * between d and x, within the subtree of x, which it is not part of.  So h > x, and h is critical
 * as well.  The climb ends at a critical word whose head is not in the buffer, so to its left. Thus
 * it can be made once for all b: climb as long as the head is to the right.
 *
 * Trap: the paper restricts a word by its index before the move; here it is the index after it.
 * Nederhof 2019, sections 4 to 6. */
#include "oracle/standard.h"

#include "system/kinds.h"

#include <string.h>

enum { SH = DDN_STANDARD_SHIFT, LA = DDN_STANDARD_LEFT, RA = DDN_STANDARD_RIGHT };

bool ddn_standard_serves(const ddn_system *system)
{
    return system->family == DDN_FAMILY_STANDARD;
}

/* ---- Moves ---- */

/* Which elements the strategy stops, by their indices after the move. */
static void restrict_children(ddn_after *c, ddn_strategy strategy, int kind)
{
    c->no_left = c->no_left_end = 0;
    c->no_right = -1;
    if (strategy == DDN_STRATEGY_LBR && kind == SH) {
        c->no_left = c->top - 1;
        c->no_left_end = c->top;
    } else if (strategy == DDN_STRATEGY_STRICT_LBR) {
        c->no_left_end = c->top + (kind == RA); /* the top too, if it took a right child */
    } else if (strategy == DDN_STRATEGY_RBL && kind == LA) {
        c->no_right = c->top;
    }
}

/* The score of a move that is legal where the root may have several children. */
static int32_t score(ddn_standard *w, const ddn_state *s, int kind)
{
    int32_t k = s->depth - 1, *stack = w->stack;
    const int32_t *head = w->base.gold->head;
    ddn_after c = { .stack = stack, .roots = s->node[0].valency[DDN_RIGHT] };
    int32_t arc = 0;
    memcpy(stack, s->stack, (size_t)s->depth * sizeof *stack);
    if (kind == SH) {
        stack[k + 1] = s->next;
        c.top = k + 1;
        c.next = s->next + 1;
    } else {
        arc = kind == LA ? head[stack[k - 1]] == stack[k] : head[stack[k]] == stack[k - 1];
        c.roots += kind == RA && k == 1;
        stack[k - 1] = stack[kind == LA ? k : k - 1];
        c.top = k - 1;
        c.next = s->next;
    }
    restrict_children(&c, w->base.options.strategy, kind);
    int32_t rest = w->best(w, &c);
    return rest < 0 ? -1 : arc + rest;
}

void ddn_standard_costs(void *space, const ddn_state *s, const ddn_move *moves, int32_t m,
                        int32_t *cost)
{
    for (int32_t i = 0; i < m; i++)
        cost[i] = score(space, s, moves[i].kind);
    ddn_oracle_rank(cost, m);
}

int32_t ddn_standard_value(void *space, const ddn_state *s)
{
    extern const ddn_system ddn_system_arc_standard;
    ddn_standard *w = space;
    uint32_t legal = ddn_system_arc_standard.legal(s);
    int32_t made = ddn_oracle_made(w->base.gold, s), top = legal ? -1 : 0;
    for (int kind = 0; kind < ddn_system_arc_standard.kinds; kind++)
        if (legal >> kind & 1) {
            int32_t v = score(w, s, kind);
            top = v > top ? v : top;
        }
    return top < 0 ? -1 : made + top;
}

/* ---- Critical words ---- */

int32_t ddn_standard_critical(const ddn_gold *gold, int32_t next, bool *mark, int32_t *critical)
{
    int32_t m = 0;
    for (int32_t x = next; x <= gold->n; x++) {
        int32_t h = gold->head[x], first = gold->first[x];
        bool reaches_out = first < gold->first[x + 1] && gold->child[first] < next;
        if (h >= next && !reaches_out && !mark[x])
            continue;
        critical[m++] = x;
        mark[x] = false;
        if (h >= next)
            mark[h] = true; /* and h > x */
    }
    return m;
}

/* ---- Tables ---- */

bool ddn_standard_tree_set(ddn_standard_tree *t, const ddn_gold *gold, ddn_arena *arena)
{
    int32_t n = gold->n;
    t->summit = ddn_arena_zeros(arena, (size_t)n + 1, sizeof *t->summit);
    t->inside = ddn_arena_zeros(arena, (size_t)n + 2, sizeof *t->inside);
    if (arena->failed)
        return false;
    for (int32_t x = n; x >= 1; x--) {
        int32_t h = gold->head[x];
        t->summit[x] = h > x ? t->summit[h] : x;
        t->inside[h < x ? h : x]++; /* the arc is within buffers that start there or before */
    }
    for (int32_t b = n; b >= 1; b--)
        t->inside[b] += t->inside[b + 1];
    return true;
}

bool ddn_standard_begin(ddn_standard *w, int32_t (*best)(ddn_standard *w, const ddn_after *c))
{
    ddn_arena *a = &w->base.arena;
    size_t need = (size_t)w->base.gold->n + 2;
    w->best = best;
    w->stack = ddn_arena_take(a, need, sizeof *w->stack);
    if (w->base.oracle->any_tree)
        return !a->failed;
    w->spot = ddn_arena_take(a, need, sizeof *w->spot);
    w->place = ddn_arena_take(a, need, sizeof *w->place);
    w->reach = ddn_arena_take(a, need, sizeof *w->reach);
    if (!ddn_standard_tree_set(&w->tree, w->base.gold, a))
        return false;
    memset(w->place, -1, need * sizeof *w->place);
    return true;
}

static void lower(ddn_spot *spot, int32_t i)
{
    spot->low = i < spot->low ? i : spot->low;
}

void ddn_standard_fill(ddn_standard *t, const ddn_after *c)
{
    const ddn_gold *gold = t->base.gold;
    int32_t waits = 0;
    for (int32_t i = 0; i <= c->top; i++) {
        t->spot[i].low = DDN_NOWHERE;
        t->place[c->stack[i]] = i;
    }
    for (int32_t i = c->top; i >= 0; i--) {
        ddn_spot *s = &t->spot[i];
        int32_t w = c->stack[i], h = gold->head[w], first = gold->first[w + 1];
        while (first > gold->first[w] && gold->child[first - 1] >= c->next)
            t->reach[gold->child[--first]] = i; /* no lower one: it lies between i and the child */
        s->word = w;
        s->children = gold->first[w + 1] - first;
        s->child = s->children ? gold->child[first] : 0;
        s->head = h >= c->next ? h : 0;
        s->part = t->tree.summit[s->head];
        s->waits = waits = s->head ? s->head : waits;
        s->waits_part = t->tree.summit[waits];
        if (s->head) {
            t->reach[s->part] = i; /* from the top down, so that the lowest stays */
        } else if (h >= 0 && t->place[h] >= 0) {
            int32_t l = t->place[h];
            lower(l < i ? s : &t->spot[l], l < i ? l : i);
        }
    }
    for (int32_t i = 0; i <= c->top; i++) {
        t->spot[i].reach = t->spot[i].head ? t->reach[t->spot[i].part] : DDN_NOWHERE;
        t->place[c->stack[i]] = -1;
    }
    if (c->no_right >= 0)
        t->spot[c->no_right].children = 0;
}
