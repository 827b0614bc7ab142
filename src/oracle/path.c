/* SPDX-License-Identifier: MIT */
/* path.c - which moves keep the gold tree within reach, on the gold path.
 *
 * On the gold path every arc made is gold, so a word is complete when it has as many children as in
 * the gold tree.
 * Arc-standard:
 *   LA (s0 -> s1)   keeps it iff h(s1) = s0 and s1 is complete
 *   RA (s1 -> s0)   keeps it iff h(s0) = s1 and s0 is complete
 *   SH              keeps it iff s0 still waits for a word of the buffer: a child lies there, or
 *                   its head does and s0 is complete.  Otherwise an arc between s0 and s1 must come
 *                   first: a word on top of s0 can only get an arc with s0 itself, and if it is the
 *                   head, s0 is removed and takes no more left children.  The root may always wait.
 * Both LA and SH may be right: a word may take its right children before its left ones.
 * LR-spine, where p is a node on a spine:
 *   LA (p -> s1)    keeps it iff h(s1) = p.  Nothing need be complete: s1 still takes children on
 *   RA (p -> s0)    its left and p on its left; a gold child that only a node inside could take
 *                   would cross the arc or lie beyond its own head's head.  RA is symmetric.
 *   SH              keeps it iff s0's head or a child of a node on its right spine lies in the
 *                   buffer; left children can wait, since the left spine outlives both arcs.
 * Arc-eager-nm, as in arc-eager:
 *   LA (b -> s0)    keeps it iff h(s0) = b
 *   RA (s0 -> b)    keeps it iff h(b) = s0
 *   RE              keeps it iff s0 has its head, and no child in the buffer
 *   SH              keeps it iff h(b) lies in the buffer and b has all its left children
 * Covington's systems, where any tree is gold:
 *   LA (j -> i)     keeps it iff h(i) = j
 *   RA (i -> j)     keeps it iff h(j) = i
 *   NA              keeps it iff neither
 *   SH              keeps it iff neither head nor child of j is among 1..i
 * Non-monotonic systems have other derivations of the gold tree, with arcs that are not in it and
 * are replaced later.  These do not count as the gold path.  Each answer is constant time, but for
 * walking a spine.
 * Nivre 2004, 2008; Sartorio, Satta and Nivre 2013; Goldberg, Sartorio and Satta 2014, section 3.
 */
#include "oracle/oracle.h"
#include "system/kinds.h"

static bool complete(const ddn_gold *g, const ddn_state *s, int32_t w)
{
    const ddn_node *node = &s->node[w];
    return node->valency[DDN_LEFT] + node->valency[DDN_RIGHT] == g->first[w + 1] - g->first[w];
}

static bool child_ahead(const ddn_gold *g, const ddn_state *s, int32_t w)
{
    return g->first[w] < g->first[w + 1] && g->child[g->first[w + 1] - 1] >= s->next;
}

static bool keeps_standard(const ddn_gold *g, const ddn_state *s, ddn_move m)
{
    int32_t s0 = ddn_state_top(s, 0), s1 = ddn_state_top(s, 1);
    if (m.kind == DDN_STANDARD_LEFT)
        return g->head[s1] == s0 && complete(g, s, s1);
    if (m.kind == DDN_STANDARD_RIGHT)
        return g->head[s0] == s1 && complete(g, s, s0);
    return s0 == 0 || child_ahead(g, s, s0) || (g->head[s0] >= s->next && complete(g, s, s0));
}

static bool keeps_spine(const ddn_gold *g, const ddn_state *s, ddn_move m)
{
    int32_t p = ddn_state_top(s, 0);
    if (m.kind != DDN_SPINE_SHIFT)
        return g->head[ddn_state_top(s, m.kind == DDN_SPINE_LEFT ? 1 : 0)] == m.pos;
    if (p == 0 || g->head[p] >= s->next)
        return true;
    do
        if (child_ahead(g, s, p))
            return true;
    while ((p = s->node[p].far[DDN_RIGHT]));
    return false;
}

/* The outermost gold child on the left of w, or w itself. */
static int32_t first_child(const ddn_gold *g, int32_t w)
{
    int32_t child = g->first[w] < g->first[w + 1] ? g->child[g->first[w]] : w;
    return child < w ? child : w;
}

static bool keeps_eager(const ddn_gold *g, const ddn_state *s, ddn_move m)
{
    int32_t s0 = ddn_state_top(s, 0), b = s->next;
    if (m.kind == DDN_EAGER_LEFT)
        return g->head[s0] == b;
    if (m.kind == DDN_EAGER_RIGHT)
        return g->head[b] == s0;
    if (m.kind == DDN_EAGER_REDUCE)
        return s->node[s0].head >= 0 && !child_ahead(g, s, s0);
    int32_t child = first_child(g, b);
    return g->head[b] > b && (child == b || s->node[child].head == b);
}

static bool keeps_covington(const ddn_gold *g, const ddn_state *s, ddn_move m)
{
    int32_t i = s->left, j = s->next;
    bool left = g->head[i] == j, right = g->head[j] == i;
    if (m.kind == DDN_COVINGTON_LEFT)
        return left;
    if (m.kind == DDN_COVINGTON_RIGHT)
        return right;
    if (m.kind == DDN_COVINGTON_NONE)
        return !left && !right;
    return (g->head[j] == 0 || g->head[j] > i) && first_child(g, j) > i;
}

/* ---- The oracle ---- */

typedef bool (*keeping)(const ddn_gold *g, const ddn_state *s, ddn_move m);

static keeping find(const ddn_system *system)
{
    switch (system->family) {
    case DDN_FAMILY_STANDARD:
        return keeps_standard;
    case DDN_FAMILY_SPINE:
        return keeps_spine;
    case DDN_FAMILY_EAGER: /* the monotonic system has `cost` */
        return system->nonmonotonic ? keeps_eager : NULL;
    case DDN_FAMILY_COVINGTON:
        return keeps_covington;
    default:
        return NULL;
    }
}

static bool serves(const ddn_system *system)
{
    return find(system) != NULL;
}

static void costs(void *sp, const ddn_state *s, const ddn_move *moves, int32_t m, int32_t *cost)
{
    const ddn_oracle_space *w = sp;
    keeping keeps = find(w->system);
    for (int32_t i = 0; i < m; i++)
        cost[i] = !keeps(w->gold, s, moves[i]);
}

const ddn_oracle ddn_oracle_path = {
    .name = "path",
    .summary = "says which moves keep the gold tree within reach, on the gold path",
    .size = sizeof(ddn_oracle_space),
    .serves = serves,
    .costs = costs,
};
