/* SPDX-License-Identifier: MIT */
/* linear.c - the optimal step of arc-standard in linear time, for projective gold trees.
 *
 * The same scores as in quadratic.c, but only those that can matter (Nederhof 2019, section 6):
 *   - a_j takes a_i without a gold arc only if a_j has a gold arc with an element further down;
 *     otherwise it is as good to let a_i take a_j;
 *   - if so, and if a_i has a gold arc with an element a_l below it, then a_j takes all elements
 *     down to a_l at once, since a_j has no gold arc with those between.
 * The same holds for a critical word in place of a_j.  For each i there are then few j.
 *
 * Two passes over the stack.  Down: every score that is needed becomes a node in the list of its i,
 * with an edge to each of the at most three scores of which it is the maximum.  Up: the best of
 * each node's edges.  So there is no recursion, and the time is linear in the number of nodes, at
 * most NODES for each element: by the paper's count, four j with three states each and six critical
 * words.  In treebanks it is about two. */
#include "oracle/standard.h"

#include <assert.h>

enum { NODES = 18, CRITICAL = 3 }; /* CRITICAL: the state that stands for score' */

typedef struct edge {
    int32_t gain, node; /* node -1: the bottom, worth nothing */
} edge;

typedef struct node {
    int32_t j;
    int32_t state;
    int32_t below; /* the next node of the same i, or -1 */
    int32_t best;
    int edges;
    edge edge[3];
} node;

typedef struct space {
    ddn_standard standard;
    node *node;
    int32_t *list; /* [k + 1] the first node of each i, or -1 */
    int32_t nodes;
} space;

/* The node for score(i, j, state), or for score'(i, head of a_j) when that is CRITICAL. */
static int32_t wanted(space *w, int32_t i, int32_t j, int state)
{
    if (i < 0)
        return -1;
    for (int32_t at = w->list[i]; at >= 0; at = w->node[at].below)
        if (w->node[at].j == j && w->node[at].state == state)
            return at;
    assert(w->nodes < NODES * (w->standard.base.gold->n + 2));
    w->node[w->nodes] = (node){ .j = j, .state = state, .below = w->list[i] };
    return w->list[i] = w->nodes++;
}

static void join(space *w, int32_t from, int32_t gain, int32_t i, int32_t j, int state)
{
    int32_t to = wanted(w, i, j, state);
    node *n = &w->node[from];
    n->edge[n->edges++] = (edge){ gain, to };
}

/* Down to which element a word goes that takes a_i without a gold arc. */
static int32_t jump(const ddn_spot *a_i, int32_t i)
{
    return a_i->low < i ? a_i->low : i - 1;
}

/* score'(i, head of a_j) */
static void expand_critical(space *w, int32_t at, int32_t i)
{
    int32_t j = w->node[at].j;
    const ddn_spot *here = &w->standard.spot[i], *top = &w->standard.spot[j];
    if (here->head && here->part == top->part)
        join(w, at, 1, i - 1, i, CRITICAL);
    else if (top->reach < i)
        join(w, at, 0, jump(here, i), j, CRITICAL);
    int state = ddn_standard_turn(DDN_CONSUMED, here, top->head, top->part);
    join(w, at, here->children, i - 1, i, state);
}

/* score(i, j, state) */
static void expand(space *w, int32_t at, int32_t i, const ddn_after *c)
{
    int32_t j = w->node[at].j, state = w->node[at].state;
    const ddn_spot *here = &w->standard.spot[i], *top = &w->standard.spot[j];
    const int32_t *head = w->standard.base.gold->head;
    bool spent = here->child && here->child == top->waits_part && state != DDN_NONE;
    join(w, at, here->children - spent + (head[top->word] == here->word), i - 1, i,
         ddn_standard_turn(state, here, top->waits, top->waits_part));
    if (!ddn_after_no_left(c, j)) {
        if (head[here->word] == top->word)
            join(w, at, 1, i - 1, j, state);
        else if (top->low < i)
            join(w, at, 0, jump(here, i), j, state);
    }
    if (top->head && state != DDN_CONSUMED)
        join(w, at, state == DDN_NONE, i, j, CRITICAL);
}

/* The edges of the nodes of one i; score' comes last, since score of the same i needs it. */
static void expand_level(space *w, int32_t i, const ddn_after *c)
{
    for (int32_t at = w->list[i]; at >= 0; at = w->node[at].below)
        if (w->node[at].state != CRITICAL)
            expand(w, at, i, c);
    for (int32_t at = w->list[i]; at >= 0; at = w->node[at].below)
        if (w->node[at].state == CRITICAL)
            expand_critical(w, at, i);
}

static void settle(space *w, node *n)
{
    n->best = -1;
    for (int e = 0; e < n->edges; e++) {
        int32_t to = n->edge[e].node, v = n->edge[e].gain + (to < 0 ? 0 : w->node[to].best);
        n->best = v > n->best ? v : n->best;
    }
}

static void settle_level(space *w, int32_t i)
{
    for (int32_t at = w->list[i]; at >= 0; at = w->node[at].below)
        if (w->node[at].state == CRITICAL)
            settle(w, &w->node[at]);
    for (int32_t at = w->list[i]; at >= 0; at = w->node[at].below)
        if (w->node[at].state != CRITICAL)
            settle(w, &w->node[at]);
}

static int32_t best(ddn_standard *standard, const ddn_after *c)
{
    space *w = (space *)standard;
    ddn_standard_fill(standard, c);
    w->nodes = 0;
    for (int32_t i = 0; i < c->top; i++)
        w->list[i] = -1;
    int32_t goal = wanted(w, c->top - 1, c->top, DDN_NONE);
    for (int32_t i = c->top - 1; i >= 0; i--)
        expand_level(w, i, c);
    for (int32_t i = 0; i < c->top; i++)
        settle_level(w, i);
    int32_t rest = goal < 0 ? 0 : w->node[goal].best;
    return standard->tree.inside[c->next] + rest + w->standard.spot[c->top].children;
}

static int begin(void *sp, dodona_error *err)
{
    space *w = sp;
    ddn_arena *a = &w->standard.base.arena;
    size_t need = (size_t)w->standard.base.gold->n + 2;
    w->node = ddn_arena_take(a, NODES * need, sizeof *w->node);
    w->list = ddn_arena_take(a, need, sizeof *w->list);
    return ddn_standard_begin(&w->standard, best) ? DODONA_OK : ddn_fail_memory(err);
}

const ddn_oracle ddn_oracle_linear = {
    .name = "linear",
    .summary = "scores few pairs of stack elements, for projective trees",
    .everywhere = true,
    .strategies = true,
    .size = sizeof(space),
    .serves = ddn_standard_serves,
    .begin = begin,
    .costs = ddn_standard_costs,
    .value = ddn_standard_value,
};
