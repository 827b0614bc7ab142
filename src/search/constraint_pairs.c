/* SPDX-License-Identifier: MIT */
/* constraint_pairs.c - given heads in Covington's systems: can a tree with all of them be reached?
 *
 * From (i, j) the monotonic system can build every tree that has the arcs made so far and, besides,
 * only arcs between words that are still to meet: those of which one stands after j, and j with the
 * words up to i.  So each word has an arc that it must have, made or given, or it may have any of
 * those or be a child of 0.  There is a tree, with a root from which all words can be reached by
 * such arcs, if and only if there is a word from which they can be reached at all and that may be
 * the root.
 *
 * That word is found by searches from one word after the other that may be the root, each leaving
 * out what was reached before.  If there is such a word, the one that the last search began with is
 * one (what it did not reach itself was reached before it; and if that had not been from a word
 * that reaches everything, a word that does would have begun a later search).  A second search from
 * there decides.
 *
 * A word after j of which nothing is given can have all others below it and go below any, so where
 * there is one only cycles matter, and these take linear time.  Otherwise O(nr) a move, where r is
 * the number of words whose head is neither made nor given.
 *
 * covington-nm goes by the same rule: all trees with the given heads can be reached, and an arc is
 * replaced wherever such a tree can follow without replacing another. */
#include "search/constraint.h"

#include <string.h>

static bool will_meet(const ddn_state *s, int32_t a, int32_t b)
{
    int32_t left = a < b ? a : b, right = a < b ? b : a;
    return right > s->next || (right == s->next && left <= s->left);
}

/* The arc that a word must have, made or given; -1: it may choose. */
static int32_t fixed(const ddn_constraint *c, const ddn_state *s, int32_t d)
{
    return s->node[d].head >= 0 ? s->node[d].head : c->head[d] >= 0 ? c->head[d] : -1;
}

/* The root of every word's tree under made and given arcs.  false: there is a cycle, or a given
 * head that is not there and can't be any more. */
static bool find_roots(ddn_constraint *c, const ddn_state *s)
{
    memset(c->place, 0, ((size_t)s->n + 1) * sizeof *c->place);
    for (int32_t d = 1; d <= s->n; d++) {
        int32_t made = s->node[d].head, given = c->head[d], x = d, root = d;
        if (made > 0 ? !ddn_constraint_allows(c, made, d) : given > 0 && !will_meet(s, given, d))
            return false;
        for (; x > 0 && !c->place[x]; x = fixed(c, s, x)) {
            c->place[x] = d;
            root = x;
        }
        if (x > 0 && c->place[x] == d)
            return false;
        root = x > 0 ? c->root[x] : root;
        for (int32_t y = d; y != x; y = fixed(c, s, y))
            c->root[y] = root;
    }
    return true;
}

static bool is_free_ahead(const ddn_constraint *c, const ddn_state *s)
{
    int32_t y = s->n;
    while (y > s->next && c->head[y] != DDN_HEAD_OPEN)
        y--;
    return y > s->next;
}

static bool may_be_root(const ddn_constraint *c, const ddn_state *s, int32_t d)
{
    return s->node[d].head < 0 && (c->head[d] == 0 || c->head[d] == DDN_HEAD_OPEN);
}

/* A tree that was reached, into the queue. */
static int32_t put_tree(ddn_constraint *c, int32_t root, int32_t count)
{
    c->place[root] = 1;
    for (int32_t x = 1; x <= c->n; x++)
        if (c->root[x] == root)
            c->item[count++] = x;
    return count;
}

/* Marks the roots that can be reached from a root and are not marked yet; returns how many words
 * they have below them. */
static int32_t reach(ddn_constraint *c, const ddn_state *s, int32_t from, int32_t loose)
{
    int32_t count = put_tree(c, from, 0);
    for (int32_t k = 0; k < count; k++)
        for (int32_t i = 0; i < loose; i++)
            if (!c->place[c->loose[i]] && will_meet(s, c->item[k], c->loose[i]))
                count = put_tree(c, c->loose[i], count);
    return count;
}

bool ddn_constraint_pairs_alive(ddn_constraint *c, const ddn_state *s)
{
    if (!find_roots(c, s))
        return false;
    if (is_free_ahead(c, s))
        return true;
    size_t size = ((size_t)s->n + 1) * sizeof *c->place;
    int32_t reached = 0, last = 0, loose = 0;
    for (int32_t d = 1; d <= s->n; d++)
        if (c->root[d] == d && c->head[d] != 0)
            c->loose[loose++] = d;
    memset(c->place, 0, size);
    for (int32_t d = 1; d <= s->n; d++)
        if (!c->place[d] && may_be_root(c, s, d)) {
            reached += reach(c, s, d, loose);
            last = d;
        }
    if (s->roots != DDN_ROOTS_ONE)
        return reached == s->n;
    memset(c->place, 0, size);
    return last && reach(c, s, last, loose) == s->n;
}
