/* SPDX-License-Identifier: MIT */
/* constraint_stack.c - given heads in the projective systems: can a tree with all of them be
 * reached?
 *
 * The trees within reach of a configuration are projective trees over its items, the elements of
 * the stack and the words of the buffer.  Each item may take some of the others as its child:
 *   arc-standard  all; but elements below the top take children only once the top is among their
 *                 descendants, which is a split grammar (Nederhof 2019, Table 4);
 *   lr-spine      the same, where an element stands for all words on the spine that faces the
 *                 child;
 *   arc-hybrid    a buffer word is a child of any item, a stack element of the one just below it
 *                 or of a buffer word;
 *   arc-eager     the same, but a stack element with a head keeps it, which is the one just below
 *                 it, and one without finds it in the buffer.
 * The last two are arc-decomposable (Goldberg and Nivre 2013), so that every projective tree with
 * such arcs alone can be built.  The arcs that the given heads allow are left in, and the chart of
 * chart/split.h says whether there is a tree.
 *
 * arc-eager-nm goes by the rule for arc-eager, and so of its own moves those are left after which
 * such a tree can follow without another of them.  Of lr-spine's, those are left after which one
 * can follow by taking children bottom-up.  In both all trees with the given heads can be reached,
 * though not by every derivation.
 *
 * Neighbours in the buffer of which nothing is given, and which are no word's given head, are
 * merged into one item: of two such words in a tree, the one that is not below the other can take
 * the place of both, and back again one can be a child of the other.  So the chart grows with what
 * is given, not with the sentence.  O(m^3) a move for m items. */
#include "search/constraint.h"

#include <string.h>

enum { MAX_WORDS = 500 }; /* a cubic chart for every move: O(n^4) */
enum { LEFT = 1 << DDN_LEFT, RIGHT = 1 << DDN_RIGHT };

int ddn_constraint_stack_room(ddn_constraint *c, int32_t n, dodona_error *err)
{
    size_t items = (size_t)n + 2;
    if (n > MAX_WORDS)
        return ddn_fail(err, DODONA_E_LIMIT,
                        "given heads are kept in sentences of at most %d words; this one has %d",
                        MAX_WORDS, (int)n);
    c->sides = ddn_arena_take(&c->arena, items, sizeof *c->sides);
    c->kind = ddn_arena_take(&c->arena, items, sizeof *c->kind);
    c->weight = ddn_arena_take(&c->arena, items * items, sizeof *c->weight);
    if (c->arena.failed || !ddn_split_max_reserve(&c->chart, &c->plan, n + 1))
        return ddn_fail_memory(err);
    return DODONA_OK;
}

static void put(ddn_constraint *c, int32_t word, int32_t item, uint8_t sides)
{
    c->place[word] = item;
    c->sides[word] |= sides;
}

/* The words of a stack element that can take more children on a side. */
static void put_spine(ddn_constraint *c, const ddn_state *s, int32_t item, int side)
{
    int32_t p = c->item[item];
    if (p == 0 && s->roots == DDN_ROOTS_ONE && s->node[0].far[side])
        p = s->node[0].far[side]; /* the root has its child */
    do
        put(c, p, item, (uint8_t)(1 << side));
    while ((p = s->node[p].far[side]));
}

static bool is_plain(const ddn_constraint *c, int32_t word)
{
    return c->head[word] == DDN_HEAD_OPEN && !c->held[word];
}

/* The stack, and of the buffer what matters; returns how many. */
static int32_t list_items(ddn_constraint *c, const ddn_state *s)
{
    int32_t m = s->depth;
    memset(c->sides, 0, ((size_t)s->n + 1) * sizeof *c->sides);
    memcpy(c->item, s->stack, (size_t)m * sizeof *c->item);
    for (int32_t i = 0; i < m; i++) {
        c->kind[i] = c->plan.kinds > 1 && i == m - 1 ? DDN_SPLIT_AHEAD : DDN_SPLIT_BELOW;
        if (c->system->family == DDN_FAMILY_SPINE) {
            put_spine(c, s, i, DDN_LEFT);
            put_spine(c, s, i, DDN_RIGHT);
        } else {
            put(c, c->item[i], i, LEFT | RIGHT);
        }
    }
    for (int32_t x = s->next; x <= s->n; x++) {
        if (x > s->next && is_plain(c, x) && is_plain(c, x - 1))
            continue;
        c->kind[m] = c->plan.kinds > 1 ? DDN_SPLIT_AHEAD : 0;
        put(c, x, m, LEFT | RIGHT);
        c->item[m++] = x;
    }
    return m;
}

/* Whether the system leaves the arc between items i -> j. */
static bool can_be_made(const ddn_constraint *c, const ddn_state *s, int32_t i, int32_t j)
{
    if (c->system->family == DDN_FAMILY_STANDARD || c->system->family == DDN_FAMILY_SPINE ||
        j >= s->depth)
        return true;
    if (c->system->family == DDN_FAMILY_HYBRID)
        return i == j - 1 || i >= s->depth;
    return s->node[c->item[j]].head >= 0 ? i == j - 1 : i >= s->depth;
}

static bool is_allowed(const ddn_constraint *c, const ddn_state *s, int32_t i, int32_t j)
{
    int32_t d = c->item[j], given = c->head[d];
    if (s->node[d].head >= 0 || given == DDN_HEAD_OPEN)
        return true;
    if (given == DDN_HEAD_WORD)
        return i > 0 || (c->system->family == DDN_FAMILY_SPINE && s->node[0].far[DDN_RIGHT]);
    return c->sides[given] & (i < j ? RIGHT : LEFT) && c->place[given] == i;
}

/* Whether something is given that is not there yet. */
static bool is_waiting(const ddn_constraint *c, const ddn_state *s)
{
    for (int32_t x = s->next; x <= s->n; x++)
        if (c->head[x] != DDN_HEAD_OPEN)
            return true;
    for (int32_t i = 1; i < s->depth; i++)
        if (c->head[s->stack[i]] != DDN_HEAD_OPEN && s->node[s->stack[i]].head < 0)
            return true;
    return false;
}

bool ddn_constraint_stack_alive(ddn_constraint *c, const ddn_state *s)
{
    if (!is_waiting(c, s))
        return true;
    int32_t size = list_items(c, s);
    for (int32_t i = 0; i < size; i++)
        for (int32_t j = 1; j < size; j++) {
            bool arc = i != j && can_be_made(c, s, i, j) && is_allowed(c, s, i, j);
            c->weight[(size_t)i * (size_t)size + (size_t)j] = arc ? 0 : DDN_SPLIT_MAX_NONE;
        }
    bool rooted = c->system->family == DDN_FAMILY_SPINE && s->node[0].far[DDN_RIGHT];
    ddn_split_input in = { &c->plan, c->kind, size - 1, s->roots == DDN_ROOTS_ONE && !rooted };
    return ddn_split_max_value(&c->chart, &in, c->weight) >= 0;
}
