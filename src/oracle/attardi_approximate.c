/* SPDX-License-Identifier: MIT */
/* attardi_approximate.c - the oracle 'approximate' of the Attardi family: a bound on the value of
 * any configuration, for any gold tree, in linear time.
 *
 * It completes the configuration greedily and counts the gold arcs of the tree at the end.  A gold
 * arc is alive while neither of its words has left the stack without it.  In each configuration,
 * the first of these moves that is possible is made:
 *
 *   1. a reduction that makes a gold arc, of a word that waits for no child: it loses nothing, and
 *      reducing early is never wrong (attardi_reach.c)
 *   2. a reduction of a word that waits for no child and whose own gold arc is dead: it loses
 *      nothing
 *   3. shift
 *   4. when the buffer is empty: the reduction that kills the fewest living arcs
 *
 * So the value is that of a tree that can be reached: never too high, and exact where the gold tree
 * itself can be.  Elsewhere it may be too low, since an early loss can save more later.  The cost
 * of a move is the difference of the value after it to the largest after any; it may be too high or
 * too low.
 * bench/attardi_oracles counts how often. */
#include "oracle/oracle.h"
#include "system/attardi_rules.h"

#include <string.h>

typedef struct space {
    ddn_oracle_space base;
    /* The configuration in the present completion. */
    int32_t depth, next;
    int32_t *stack;   /* [n+1] */
    int32_t *waiting; /* [n+1] living arcs to children */
    bool *dead;       /* [n+1] the arc from the gold head */
} space;

static bool serves(const ddn_system *system)
{
    return system->rules != 0;
}

static int begin(void *sp, dodona_error *err)
{
    space *w = sp;
    ddn_arena *a = &w->base.arena;
    size_t need = (size_t)w->base.gold->n + 1;
    w->stack = ddn_arena_take(a, need, sizeof *w->stack);
    w->waiting = ddn_arena_take(a, need, sizeof *w->waiting);
    w->dead = ddn_arena_take(a, need, sizeof *w->dead);
    return a->failed ? ddn_fail_memory(err) : DODONA_OK;
}

/* The start of a completion; returns the number of gold arcs that there are. */
static int32_t take(space *w, const ddn_state *s)
{
    const int32_t *head = w->base.gold->head;
    int32_t made = 0;
    w->depth = s->depth;
    w->next = s->next;
    memcpy(w->stack, s->stack, (size_t)s->depth * sizeof *s->stack);
    memset(w->waiting, 0, ((size_t)s->n + 1) * sizeof *w->waiting);
    for (int32_t d = 1; d <= s->n; d++) {
        int32_t h = head[d];
        bool gone = s->node[d].head >= 0;
        made += s->node[d].head == h;
        w->dead[d] = gone || (h < s->next && !s->node[h].stacked);
        w->waiting[h] += !w->dead[d];
    }
    return made;
}

static int32_t node_at(const space *w, uint8_t place)
{
    if (place == DDN_AT_B0)
        return w->next <= w->base.gold->n ? w->next : -1;
    int depth = ddn_place_depth(place);
    return depth < w->depth ? w->stack[w->depth - 1 - depth] : -1;
}

/* The best reduction there is, or -1.  *loss becomes the number of living arcs that it kills, its
 * own left out if that is gold; with as many, one that makes a gold arc is better. */
static int choose(const space *w, int32_t *loss)
{
    int best = -1;
    int32_t least = INT32_MAX;
    for (uint32_t left = w->base.system->rules; left && least > 0; left &= left - 1) {
        int r = __builtin_ctz(left);
        int32_t m = node_at(w, ddn_attardi_rules[r].modifier);
        int32_t h = node_at(w, ddn_attardi_rules[r].head);
        if (m <= 0 || h < 0)
            continue;
        bool gold = w->base.gold->head[m] == h;
        int32_t lost = 2 * (w->waiting[m] + (!gold && !w->dead[m])) + !gold;
        if (lost < least) {
            least = lost;
            best = r;
        }
    }
    *loss = least / 2;
    return best;
}

/* Returns whether it makes a gold arc. */
static bool reduce(space *w, int rule)
{
    const ddn_gold *g = w->base.gold;
    int32_t at = w->depth - 1 - ddn_place_depth(ddn_attardi_rules[rule].modifier);
    int32_t m = w->stack[at], h = node_at(w, ddn_attardi_rules[rule].head);
    if (!w->dead[m])
        w->waiting[g->head[m]]--;
    w->dead[m] = true;
    for (int32_t c = g->first[m]; c < g->first[m + 1]; c++)
        w->dead[g->child[c]] = true;
    w->waiting[m] = 0;
    w->depth--;
    for (; at < w->depth; at++)
        w->stack[at] = w->stack[at + 1];
    return g->head[m] == h;
}

static int32_t value(void *sp, const ddn_state *s)
{
    space *w = sp;
    int32_t made = take(w, s);
    while (w->next <= w->base.gold->n || w->depth > 1) {
        int32_t loss;
        int rule = choose(w, &loss);
        if (rule >= 0 && (loss == 0 || w->next > w->base.gold->n))
            made += reduce(w, rule);
        else
            w->stack[w->depth++] = w->next++;
    }
    return made;
}

/* Where a reduction loses nothing and makes a gold arc, it is preferred to other moves that lose
 * nothing, which only postpone it. */
static void prefer_reducing(space *w, const ddn_state *s, const ddn_move *moves, int32_t m,
                            int32_t *cost)
{
    int32_t first = -1;
    take(w, s);
    for (int32_t i = 0; i < m && first < 0; i++) {
        if (!w->base.system->kind[moves[i].kind].makes_arc || cost[i] > 0)
            continue;
        ddn_arc arc = w->base.system->arc(s, moves[i].kind, moves[i].pos);
        if (w->base.gold->head[arc.child] == arc.head && w->waiting[arc.child] == 0)
            first = i;
    }
    for (int32_t i = 0; i < m && first >= 0; i++)
        cost[i] += i != first && cost[i] == 0;
}

static void costs(void *sp, const ddn_state *s, const ddn_move *moves, int32_t m, int32_t *cost)
{
    ddn_oracle_try(sp, s, moves, m, cost);
    prefer_reducing(sp, s, moves, m, cost);
}

const ddn_oracle ddn_oracle_attardi_approximate = {
    .name = "approximate",
    .summary = "counts the gold arcs of a greedy completion: a lower bound, in linear time",
    .everywhere = true,
    .approximate = true,
    .any_tree = true,
    .rereads = true,
    .tries = true,
    .size = sizeof(space),
    .serves = serves,
    .begin = begin,
    .costs = costs,
    .value = value,
};
