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

#include "core/array.h"
#include "system/kinds.h"

#include <stdlib.h>
#include <string.h>

enum { SH = DDN_STANDARD_SHIFT, LA = DDN_STANDARD_LEFT, RA = DDN_STANDARD_RIGHT };

bool ddn_standard_serves(const ddn_system *system)
{
    return system->family == DDN_FAMILY_STANDARD;
}

int ddn_standard_projective(const char *oracle, const ddn_gold *gold, dodona_error *err)
{
    if (gold->projective)
        return DODONA_OK;
    return ddn_fail(err, DODONA_E_INPUT,
                    "the oracle '%s' is exact for projective trees only, and this tree is not "
                    "projective; 'cubic' takes any tree",
                    oracle);
}

int ddn_standard_many_roots(const char *oracle, ddn_oracle_options options, dodona_error *err)
{
    if (!options.one_root)
        return DODONA_OK;
    return ddn_fail(
        err, DODONA_E_ARGUMENT,
        "the oracle '%s' is for trees with any number of roots, not for those with one; "
        "'cubic' is for both",
        oracle);
}

int ddn_standard_begin(ddn_standard *w, const ddn_gold *gold, dodona_error *err)
{
    if (!ddn_reserve(&w->stack, &w->stack_cap, (size_t)gold->n + 2, sizeof *w->stack))
        return ddn_fail_memory(err);
    w->gold = gold;
    return DODONA_OK;
}

void ddn_standard_fini(ddn_standard *w)
{
    free(w->stack);
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
    const int32_t *head = w->gold->head;
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
    restrict_children(&c, w->options.strategy, kind);
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

int32_t ddn_standard_made(const ddn_gold *gold, const ddn_state *s)
{
    int32_t made = 0;
    for (int32_t d = 1; d < s->next; d++)
        made += s->node[d].head == gold->head[d];
    return made;
}

int32_t ddn_standard_value(void *space, const ddn_state *s)
{
    extern const ddn_system ddn_system_arc_standard;
    ddn_standard *w = space;
    uint32_t legal = ddn_system_arc_standard.legal(s);
    int32_t made = ddn_standard_made(w->gold, s), top = legal ? -1 : 0;
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

int ddn_standard_tree_set(ddn_standard_tree *t, const ddn_gold *gold, dodona_error *err)
{
    int32_t n = gold->n;
    if (!ddn_reserve(&t->summit, &t->summit_cap, (size_t)n + 1, sizeof *t->summit) ||
        !ddn_reserve(&t->inside, &t->inside_cap, (size_t)n + 2, sizeof *t->inside))
        return ddn_fail_memory(err);
    memset(t->inside, 0, ((size_t)n + 2) * sizeof *t->inside);
    for (int32_t x = n; x >= 1; x--) {
        int32_t h = gold->head[x];
        t->summit[x] = h > x ? t->summit[h] : x;
        t->inside[h < x ? h : x]++; /* the arc is within buffers that start there or before */
    }
    for (int32_t b = n; b >= 1; b--)
        t->inside[b] += t->inside[b + 1];
    t->summit[0] = 0;
    return DODONA_OK;
}

void ddn_standard_tree_fini(ddn_standard_tree *t)
{
    free(t->summit);
    free(t->inside);
}

int ddn_standard_tables_room(ddn_standard_tables *t, int32_t n, dodona_error *err)
{
    size_t need = (size_t)n + 2;
    if (!ddn_reserve(&t->spot, &t->spot_cap, need, sizeof *t->spot) ||
        !ddn_reserve(&t->place, &t->place_cap, need, sizeof *t->place) ||
        !ddn_reserve(&t->reach, &t->reach_cap, need, sizeof *t->reach))
        return ddn_fail_memory(err);
    for (size_t i = 0; i < need; i++)
        t->place[i] = -1;
    return DODONA_OK;
}

void ddn_standard_tables_fini(ddn_standard_tables *t)
{
    free(t->spot);
    free(t->place);
    free(t->reach);
}

static void lower(ddn_spot *spot, int32_t i)
{
    spot->low = i < spot->low ? i : spot->low;
}

void ddn_standard_tables_fill(ddn_standard_tables *t, const ddn_gold *gold,
                              const ddn_standard_tree *tree, const ddn_after *c)
{
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
        s->part = tree->summit[s->head];
        s->waits = waits = s->head ? s->head : waits;
        s->waits_part = tree->summit[waits];
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
