/* SPDX-License-Identifier: MIT */
/* cost.c - exact costs for arc-eager, its non-monotonic form and arc-hybrid, which are
 * arc-decomposable: gold arcs that can each be reached from a configuration can all be reached
 * together, if the gold tree is projective.  So the cost of a move is the number of gold arcs that
 * it puts out of reach, and these are arcs of the top s or of the next word b.  sigma is the stack
 * below the top, beta the buffer after b.  Each move loses the gold arcs from or to:
 *
 *   arc-hybrid   LA (b -> s)    head of s in s1 or beta; children of s in b beta
 *                RA (s1 -> s)   head of s in b beta;     children of s in b beta
 *                SH             head of b in sigma;      children of b on the stack
 *   arc-eager    LA (b -> s)    head of s in beta;       children of s in b beta
 *                RA (s -> b)    head of b in sigma or beta; headless children of b on the stack
 *                RE             children of s in b beta
 *                SH             head of b on the stack;  headless children of b on the stack
 *   arc-eager-nm LA (b -> s)    head of s in beta, or the one that s has or would get by RE;
 *                               children of s in b beta
 *                RA, SH         head of b in sigma;      children of b on the stack
 *                RE             head of s in b beta;     children of s in b beta
 * In arc-eager-nm every word on the stack can still become a child of a word in the buffer, and a
 * headless one becomes a child of the element below it when it is reduced.  A parser makes the last
 * word a right child only when no word is headless; so there SH of b also costs an arc if the head
 * of b is s and the last word is a descendant of b in the gold tree.
 *
 * The value counts the gold arcs that are made or within reach.  The costs take as long as there
 * are children to count; the value takes linear time.
 * Trap: in arc-eager, s may already have the wrong head.  LA is then illegal and its gold head is
 * lost already, so RE does not count it.
 * Goldberg and Nivre 2012, 2013; Honnibal, Goldberg and Johnson 2013. */
#include "oracle/oracle.h"
#include "system/kinds.h"

enum { EAGER, EAGER_NM, HYBRID, NONE };

static int kind_of(const ddn_system *system)
{
    if (system->family == DDN_FAMILY_EAGER)
        return system->nonmonotonic ? EAGER_NM : EAGER;
    return system->family == DDN_FAMILY_HYBRID ? HYBRID : NONE;
}

static bool serves(const ddn_system *system)
{
    return kind_of(system) != NONE;
}

/* Gold children of h in the buffer. */
static int32_t children_ahead(const ddn_gold *g, const ddn_state *s, int32_t h)
{
    int32_t count = 0;
    for (int32_t c = g->first[h + 1]; c > g->first[h] && g->child[c - 1] >= s->next; c--)
        count++;
    return count;
}

/* Gold children of b on the stack; headless: only those without a head.  In arc-hybrid no word on
 * the stack has one. */
static int32_t children_behind(const ddn_gold *g, const ddn_state *s, int32_t b, bool headless)
{
    int32_t count = 0;
    for (int32_t c = g->first[b]; c < g->first[b + 1] && g->child[c] < b; c++) {
        const ddn_node *child = &s->node[g->child[c]];
        count += child->stacked && !(headless && child->head >= 0);
    }
    return count;
}

static int32_t hybrid_cost(const ddn_gold *g, const ddn_state *s, int kind)
{
    int32_t s0 = ddn_state_top(s, 0), s1 = ddn_state_top(s, 1), b = s->next;
    if (kind == DDN_HYBRID_SHIFT) {
        int32_t h = g->head[b];
        return (h < b && h != s0 && s->node[h].stacked) + children_behind(g, s, b, true);
    }
    int32_t h = g->head[s0];
    bool lost = kind == DDN_HYBRID_LEFT ? h == s1 || h > b : h >= b;
    return lost + children_ahead(g, s, s0);
}

static int32_t eager_cost(const ddn_gold *g, const ddn_state *s, int kind)
{
    int32_t s0 = ddn_state_top(s, 0), b = s->next;
    if (kind == DDN_EAGER_REDUCE)
        return children_ahead(g, s, s0);
    if (kind == DDN_EAGER_LEFT)
        return (g->head[s0] > b) + children_ahead(g, s, s0);
    int32_t h = g->head[b];
    bool lost = h < b && s->node[h].stacked;
    if (kind == DDN_EAGER_RIGHT)
        lost = h != s0 && (lost || h > b);
    return lost + children_behind(g, s, b, true);
}

/* The head of the element at depth k, or the one that it gets by RE. */
static int32_t head_or_below(const ddn_state *s, int32_t k)
{
    int32_t word = s->stack[k];
    return s->node[word].head >= 0 ? s->node[word].head : s->stack[k - 1];
}

static bool last_is_below(const ddn_gold *g, int32_t h)
{
    int32_t word = g->n;
    while (word > h)
        word = g->head[word];
    return word == h;
}

static int32_t eager_nm_cost(const ddn_gold *g, const ddn_state *s, int kind)
{
    int32_t s0 = ddn_state_top(s, 0), b = s->next;
    if (kind == DDN_EAGER_REDUCE)
        return (g->head[s0] >= b) + children_ahead(g, s, s0);
    if (kind == DDN_EAGER_LEFT)
        return (g->head[s0] > b || g->head[s0] == head_or_below(s, s->depth - 1)) +
               children_ahead(g, s, s0);
    int32_t h = g->head[b];
    bool lost = h < b && h != s0 && s->node[h].stacked;
    if (kind == DDN_EAGER_SHIFT && s->roots != DDN_ROOTS_PLAIN)
        lost |= h == s0 && last_is_below(g, b);
    return lost + children_behind(g, s, b, false);
}

static void costs(void *sp, const ddn_state *s, const ddn_move *moves, int32_t m, int32_t *cost)
{
    static int32_t (*const of[])(const ddn_gold *, const ddn_state *, int) = {
        [EAGER] = eager_cost, [EAGER_NM] = eager_nm_cost, [HYBRID] = hybrid_cost
    };
    const ddn_oracle_space *w = sp;
    int system = kind_of(w->system);
    for (int32_t i = 0; i < m; i++)
        cost[i] = of[system](w->gold, s, moves[i].kind);
}

/* Whether d, on the stack, can still become a child of h, on the stack. */
static bool within_stack(const ddn_state *s, int system, int32_t h, int32_t d)
{
    if (system == EAGER)
        return false;
    for (int32_t i = 1; i < s->depth; i++)
        if (s->stack[i] == d)
            return head_or_below(s, i) == h;
    return false;
}

/* Whether h -> d, not yet made or in arc-eager-nm not yet final, can be an arc of a final tree. */
static bool within_reach(const ddn_state *s, int system, int32_t h, int32_t d)
{
    bool h_ahead = h >= s->next, d_ahead = d >= s->next;
    if ((s->node[d].head >= 0 && system != EAGER_NM) || !(h_ahead || s->node[h].stacked) ||
        !(d_ahead || s->node[d].stacked))
        return false;
    return h_ahead || d_ahead || within_stack(s, system, h, d);
}

static int32_t value(void *sp, const ddn_state *s)
{
    const ddn_oracle_space *w = sp;
    int system = kind_of(w->system);
    int32_t count = 0;
    for (int32_t d = 1; d <= s->n; d++) {
        int32_t h = w->gold->head[d];
        count += s->node[d].head == h || within_reach(s, system, h, d);
    }
    return count;
}

const ddn_oracle ddn_oracle_cost = {
    .name = "cost",
    .summary = "counts the gold arcs that a move puts out of reach",
    .everywhere = true,
    .size = sizeof(ddn_oracle_space),
    .serves = serves,
    .costs = costs,
    .value = value,
};
