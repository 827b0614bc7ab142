/* SPDX-License-Identifier: MIT */
/* constraint_rules.c - given heads in the Attardi family: can a tree with all of them be reached?
 *
 * A word is complete when it has all children that are given as its own, and free when its own head
 * is not given.  The canonical derivation reduces whatever is complete as soon as a rule allows it,
 * a word with a given head to that head and a free one to any; it shifts when nothing can be
 * reduced.  There is a tree with all given heads if and only if it ends with the root alone.
 *
 * It misses no tree.  Take any derivation D to such a tree and a configuration in it where m is
 * complete and could be reduced.  D' reduces m now and is otherwise like D, with the stacks of D
 * without m.  As in system/attardi_reach.c, every arc that D makes between other words can be made
 * in D', at places that are no further from each other.  What D puts below m later is free.  In D'
 * it goes to a neighbour instead, by s0<s1 or s1<s0, which all sets have; and where it has no
 * neighbour but 0, it stays and takes the place that m has in D, which is empty in D'.
 *
 * With s1<b0 but not s0<b0, a free word on top can hold s1 in its place until it has gone to b0. So
 * where such a word has gone, it is remembered that it could still be there, and used so before
 * anything else.  It is given up when something near it is reduced in another way, which can't be
 * done with it there.
 *
 * Words that must not be the root (DDN_HEAD_WORD) are free, but one of them must not be what is
 * left over 0 in the end.  So where there are such words, one that may hang from 0 is chosen to be
 * the last to go.  While it waits, all others find a neighbour, at the latest after the next shift
 * and before anything else is done; so it makes no difference that the canonical derivation may
 * take one of them off over 0.  Each word is tried as the last.  Where the one root is given it is
 * the last anyway.
 *
 * O(n) a move for a fixed set of rules; O(n^2) where a last word must be chosen. */
#include "search/constraint.h"

#include "system/attardi_rules.h"

#include <string.h>

enum { ANY = -1 }; /* no word is chosen to be the last, and every free word may be */

typedef struct path {
    const ddn_constraint *c;
    ddn_roots roots;
    int32_t n, depth, next, last;
    int32_t *stack;   /* [n+1] */
    int32_t *missing; /* [n+1] given children that a word does not have yet */
    int32_t *held;    /* [n+1] whether a free word could still stand above this one */
} path;

static void start(path *p, ddn_constraint *c, const ddn_state *s, int32_t last)
{
    size_t nodes = (size_t)s->n + 1;
    *p = (path){ c, s->roots, s->n, s->depth, s->next, last, c->item, c->place, c->root };
    memcpy(p->stack, s->stack, (size_t)s->depth * sizeof *p->stack);
    memset(p->missing, 0, nodes * sizeof *p->missing);
    memset(p->held, 0, nodes * sizeof *p->held);
    for (int32_t d = 1; d <= s->n; d++)
        if (s->node[d].head < 0 && c->head[d] > 0)
            p->missing[c->head[d]]++;
}

static int32_t node_at(const path *p, uint8_t place)
{
    if (place == DDN_AT_B0)
        return p->next <= p->n ? p->next : -1;
    int depth = ddn_place_depth(place);
    return depth < p->depth ? p->stack[p->depth - 1 - depth] : -1;
}

static bool is_free(const path *p, int32_t m)
{
    return p->c->head[m] < 0 && m != p->last;
}

static bool may_reduce(const path *p, int32_t m, int32_t h)
{
    bool is_end = p->next > p->n && p->depth == 2;
    if (m <= 0 || h < 0 || p->missing[m] > 0)
        return false;
    if (!is_end && (m == p->last || (h == 0 && p->roots == DDN_ROOTS_ONE)))
        return false;
    return p->c->head[m] < 0 || p->c->head[m] == h;
}

/* Takes the word that is so far below the top off the stack. */
static void reduce(path *p, int depth, int32_t h)
{
    int32_t at = p->depth - 1 - depth, m = p->stack[at];
    if (p->c->head[m] > 0)
        p->missing[h]--;
    p->depth--;
    memmove(&p->stack[at], &p->stack[at + 1], (size_t)(p->depth - at) * sizeof *p->stack);
    if (is_free(p, m))
        p->held[p->stack[at - 1]] = true;
    else
        p->held[p->stack[p->depth - 1]] = false;
}

/* s0 as if it were s1, held in its place by what stands there still. */
static bool reduce_held(path *p)
{
    int32_t m = node_at(p, DDN_AT_S0), h = node_at(p, DDN_AT_B0);
    if (!(p->c->system->rules >> DDN_S1_BELOW_B0 & 1) || !p->held[m] || !may_reduce(p, m, h))
        return false;
    reduce(p, 0, h);
    p->held[node_at(p, DDN_AT_S0)] = true;
    return true;
}

/* Whether something was reduced. */
static bool reduce_any(path *p)
{
    if (reduce_held(p))
        return true;
    for (uint32_t left = p->c->system->rules; left; left &= left - 1) {
        const ddn_attardi_rule *r = &ddn_attardi_rules[__builtin_ctz(left)];
        int32_t h = node_at(p, r->head);
        if (may_reduce(p, node_at(p, r->modifier), h)) {
            reduce(p, ddn_place_depth(r->modifier), h);
            return true;
        }
    }
    return false;
}

static bool ends(ddn_constraint *c, const ddn_state *s, int32_t last)
{
    path p;
    start(&p, c, s, last);
    for (;;) {
        if (reduce_any(&p))
            continue;
        if (p.next > p.n)
            return p.depth == 1;
        p.stack[p.depth++] = p.next++;
    }
}

/* Whether a word that must not be the root could be what is left in the end. */
static bool needs_last(const ddn_constraint *c, const ddn_state *s)
{
    bool any = false;
    for (int32_t d = 1; d <= s->n; d++) {
        if (s->node[d].head >= 0)
            continue;
        if (c->head[d] == 0 && s->roots == DDN_ROOTS_ONE)
            return false;
        any |= c->head[d] == DDN_HEAD_WORD;
    }
    return any;
}

bool ddn_constraint_rules_alive(ddn_constraint *c, const ddn_state *s)
{
    if (!ends(c, s, ANY))
        return false;
    bool found = !needs_last(c, s);
    for (int32_t d = 1; d <= s->n && !found; d++)
        found = s->node[d].head < 0 && ddn_constraint_allows(c, 0, d) && ends(c, s, d);
    return found;
}
