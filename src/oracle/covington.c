/* SPDX-License-Identifier: MIT */
/* covington.c - exact costs for Covington's system, monotonic, and any gold tree.
 *
 * Covington's system is not arc-decomposable: gold arcs that can each be reached may close a cycle
 * together with arcs already made, and then one of them is lost.  Let f(y) be the head that y has
 * or will have if nothing more goes wrong: its head in A; if it has none, its gold head, provided
 * that the two words still meet; otherwise none.  Every word has one f at most, so the cycles of f
 * share no word, and loss = words whose f is not the gold head + cycles of f.  Each cycle costs one
 * arc and no more.  (A word with gold head 0 is wrong if it has a head.)
 *
 * A move changes f at the focus words i and j and, for a shift, at the gold children of j, so its
 * cost is found at these words:
 *     NA          a gold arc between i and j is lost, unless it was on a cycle of f: then the cycle
 *                 goes with it and the loss is the same
 *     SH          the same for all gold arcs between j and 1..i; all are arcs of j, so at most one
 *                 cycle goes with them, the one through j
 *     LA (j -> i) if it is not gold: f(i) is lost if it was right, the cycle through i goes, one
 *                 comes if i is above j; and i -> j is lost if it was still to be made
 *     RA          the mirror image
 *
 * Time: a few walks along f, and a look at the gold children of j for a shift; for the loss, a walk
 * for each word.
 *
 * Traps: arcs from 0 take no part in A, neither in meeting nor in cycles (the paper's lines 6 and 7
 * must not be applied to them).  Its test for weak connection changes nothing: an arc that it would
 * count as lost is counted by its cycle here.  A walk may run into a cycle that it did not start
 * from, so it is bounded.
 *
 * Fernandez-Gonzalez and Gomez-Rodriguez 2017, Algorithm 1. */
#include "oracle/covington.h"

#include "system/kinds.h"

#include <string.h>

/* The head that y has or will have; 0: none. */
static int32_t prospect(const ddn_state *s, const ddn_gold *g, int32_t y)
{
    int32_t head = s->node[y].head;
    if (head > 0)
        return head;
    head = g->head[y];
    return head > 0 && ddn_meets(s->left, s->next, head, y) ? head : 0;
}

/* Walks up f from below until it comes to top; returns the word before top on that walk, or 0 when
 * it does not come there.  A walk from a word to itself goes round a cycle. */
static int32_t climb(const ddn_state *s, const ddn_gold *g, int32_t below, int32_t top)
{
    for (int32_t steps = 0; below && steps <= s->n; steps++) {
        int32_t head = prospect(s, g, below);
        if (head == top)
            return below;
        below = head;
    }
    return 0;
}

static bool on_cycle(const ddn_state *s, const ddn_gold *g, int32_t y)
{
    return climb(s, g, y, y) != 0;
}

/* Whether the gold arc from h to y is still to be made. */
static bool is_due(const ddn_state *s, const ddn_gold *g, int32_t h, int32_t y)
{
    return h > 0 && g->head[y] == h && s->node[y].head < 0;
}

static int32_t cost_of_none(const ddn_state *s, const ddn_gold *g)
{
    int32_t i = s->left, j = s->next;
    if (is_due(s, g, j, i))
        return !on_cycle(s, g, i);
    return is_due(s, g, i, j) && !on_cycle(s, g, j);
}

static int32_t cost_of_shift(const ddn_state *s, const ddn_gold *g)
{
    int32_t i = s->left, j = s->next, lost = 0;
    for (int32_t c = g->first[j]; c < g->first[j + 1] && g->child[c] <= i; c++)
        lost += s->node[g->child[c]].head < 0;
    bool head_lost = is_due(s, g, g->head[j], j) && g->head[j] <= i;
    lost += head_lost;
    int32_t last = lost ? climb(s, g, j, j) : 0; /* j -> last is on the cycle, too */
    bool broken = last && (head_lost || (last <= i && is_due(s, g, j, last)));
    return lost - broken;
}

static int32_t cost_of_arc(const ddn_state *s, const ddn_gold *g, int32_t h, int32_t y)
{
    if (g->head[y] == h)
        return 0;
    bool reverse = is_due(s, g, y, h);
    int32_t before = prospect(s, g, y);
    int32_t cost = (before == g->head[y]) + reverse;
    cost -= before && on_cycle(s, g, y);
    if (!reverse) /* otherwise h has no head from here on */
        cost += climb(s, g, h, y) != 0;
    return cost;
}

/* The least number of wrong heads in a tree that can be reached.  mark[n + 1] is scratch. */
static int32_t loss_of(const ddn_state *s, const ddn_gold *g, int32_t *mark)
{
    int32_t lost = 0, cycles = 0;
    memset(mark, 0, ((size_t)s->n + 1) * sizeof *mark);
    for (int32_t y = 1; y <= s->n; y++) {
        int32_t up = y;
        lost += prospect(s, g, y) != g->head[y];
        for (; up && !mark[up]; up = prospect(s, g, up))
            mark[up] = y;
        cycles += up && mark[up] == y; /* back at a word of this very walk */
    }
    return lost + cycles;
}

/* ---- The oracle ---- */

typedef struct space {
    ddn_oracle_space base;
    int32_t *mark; /* [n + 1] scratch */
} space;

static bool serves(const ddn_system *system)
{
    return system->family == DDN_FAMILY_COVINGTON && !system->nonmonotonic;
}

static int begin(void *sp, dodona_error *err)
{
    space *w = sp;
    w->mark = ddn_arena_take(&w->base.arena, (size_t)w->base.gold->n + 1, sizeof *w->mark);
    return w->mark ? DODONA_OK : ddn_fail_memory(err);
}

static void costs(void *sp, const ddn_state *s, const ddn_move *moves, int32_t m, int32_t *cost)
{
    const ddn_gold *g = ((const ddn_oracle_space *)sp)->gold;
    for (int32_t k = 0; k < m; k++)
        switch (moves[k].kind) {
        case DDN_COVINGTON_LEFT:
            cost[k] = cost_of_arc(s, g, s->next, s->left);
            break;
        case DDN_COVINGTON_RIGHT:
            cost[k] = cost_of_arc(s, g, s->left, s->next);
            break;
        case DDN_COVINGTON_SHIFT:
            cost[k] = cost_of_shift(s, g);
            break;
        default:
            cost[k] = cost_of_none(s, g);
        }
}

static int32_t value(void *sp, const ddn_state *s)
{
    const space *w = sp;
    return s->n - loss_of(s, w->base.gold, w->mark);
}

const ddn_oracle ddn_oracle_covington = {
    .name = "exact",
    .summary = "counts the gold arcs out of reach, and the cycles of the others",
    .everywhere = true,
    .any_tree = true,
    .size = sizeof(space),
    .serves = serves,
    .begin = begin,
    .costs = costs,
    .value = value,
};
