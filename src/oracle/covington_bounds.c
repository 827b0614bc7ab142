/* SPDX-License-Identifier: MIT */
/* covington_bounds.c - non-monotonic Covington: three bounds of the loss, and oracles that rank
 * moves by them.
 *
 * No arc is ever forbidden here, so a gold arc between words is out of reach (in U) if and only if
 * it is not in A and its words will not meet again; the others are in I.  There are moves that make
 * every arc of I, but an arc that closes a cycle removes another one.  So, counting words whose
 * gold head is not 0 and the elementary cycles of A and I together,
 *     |U|  <=  least number of wrong heads  <=  |U| + problematic cycles  <=  |U| + cycles
 * The arc of a cycle that comes last, in the order in which pairs are visited, closes it: of those
 * not in A the one with the largest right word, then with the smallest left word.  If it is x -> y,
 * the arc z -> x of the cycle is removed.  The cycle is problematic if z -> x is gold.
 *
 * Words with gold head 0.  They are right without a head, and may lose a wrong head again when a
 * cycle is broken.  With r, the number of those that have a head, |U| + r + cycles bounds the loss
 * of all words from above, but |U| + r does not from below.  Moves are ranked by the bound plus r
 * all the same: without it nothing would tell a parser that the root of the sentence should get no
 * head.
 *
 * |U| and r change at the focus words only (and, for a shift, at the gold children of j), so
 * `lower` takes constant time a move but for a walk up A where an arc may close a cycle.  The other
 * two build a graph a move; it has cycles only if A has an arc that is not gold.  To know which
 * moves are best, cycles are counted further for the move that has the smallest value so far, until
 * all cycles of every move with the smallest value are counted.  The costs of these moves are
 * exact; those of others may be too small, but they are never the smallest.  After DDN_CYCLES_CAP
 * cycles moves are compared by |U| + r, then by the problematic cycles found so far.
 * Fernandez-Gonzalez and Gomez-Rodriguez 2017, Algorithm 2. */
#include "oracle/covington.h"

#include "system/kinds.h"

enum { KINDS = 4 };

/* ---- What a move changes ---- */

typedef struct effect {
    int32_t i, j; /* the focus words after it */
    int arcs;     /* words with a new head: */
    int32_t child[2], head[2];
} effect;

static effect effect_of(const ddn_state *s, int kind)
{
    int32_t i = s->left, j = s->next;
    if (kind == DDN_COVINGTON_SHIFT)
        return (effect){ .i = j, .j = j + 1 };
    effect e = { .i = i - 1, .j = j };
    if (kind == DDN_COVINGTON_NONE)
        return e;
    int32_t head = kind == DDN_COVINGTON_LEFT ? j : i, child = i + j - head;
    e.child[0] = child;
    e.head[0] = head;
    e.arcs = 1;
    if (s->node[head].head >= 0 && ddn_state_leads_to(s, child, head)) {
        e.child[1] = head;
        e.head[1] = -1;
        e.arcs = 2;
    }
    return e;
}

/* How much an arc from h to y adds to |U| + r. */
static int32_t lost_by_arc(const ddn_state *s, const ddn_gold *g, int32_t h, int32_t y)
{
    int32_t of_h = g->head[h], made = s->node[h].head;
    int32_t lost = of_h == y; /* they do not meet again */
    if (g->head[y] != h) {
        int32_t before = s->node[y].head;
        lost += before == g->head[y] || (before < 0 && g->head[y] == 0);
    }
    if (made >= 0 && (made == of_h || of_h == 0) && ddn_state_leads_to(s, y, h))
        lost += of_h == 0 ? -1 : 1;
    return lost;
}

static int32_t lost_by_shift(const ddn_state *s, const ddn_gold *g)
{
    int32_t i = s->left, j = s->next, lost = g->head[j] > 0 && g->head[j] <= i;
    for (int32_t c = g->first[j]; c < g->first[j + 1] && g->child[c] <= i; c++)
        lost++;
    return lost;
}

/* How much a move adds to |U| + r. */
static int32_t lost_by(const ddn_state *s, const ddn_gold *g, int kind)
{
    int32_t i = s->left, j = s->next;
    switch (kind) {
    case DDN_COVINGTON_LEFT:
        return lost_by_arc(s, g, j, i);
    case DDN_COVINGTON_RIGHT:
        return lost_by_arc(s, g, i, j);
    case DDN_COVINGTON_SHIFT:
        return lost_by_shift(s, g);
    default:
        return g->head[i] == j || g->head[j] == i;
    }
}

/* ---- Graphs ---- */

/* Fills in the graph of A and I after a move; false: it certainly has no cycle. */
static bool make_graph(ddn_cycles *c, const ddn_state *s, const ddn_gold *g, const effect *e)
{
    bool wrong = false;
    for (int32_t y = 1; y <= s->n; y++) {
        int32_t made = s->node[y].head, gold = g->head[y];
        made = made < 0 ? 0 : made;
        c->head[y][0] = made;
        c->head[y][1] = gold && gold != made && ddn_meets(e->i, e->j, gold, y) ? gold : 0;
        wrong |= made && made != gold;
    }
    for (int k = 0; k < e->arcs; k++) {
        int32_t y = e->child[k], made = e->head[k] < 0 ? 0 : e->head[k], gold = g->head[y];
        c->head[y][0] = made;
        c->head[y][1] = gold && gold != made && ddn_meets(e->i, e->j, gold, y) ? gold : 0;
        wrong |= made && made != gold;
    }
    ddn_cycles_begin(c);
    return wrong;
}

/* Whether the cycle that c has found is problematic. */
static bool is_problematic(const ddn_cycles *c, const ddn_gold *g)
{
    int32_t closing = -1, right = 0, left = 0;
    for (int32_t k = 0; k < c->length; k++) {
        int32_t y = c->path[k], x = c->path[k + 1 < c->length ? k + 1 : 0];
        int32_t max = x > y ? x : y, min = x > y ? y : x;
        if (c->head[y][0] == x || max < right || (max == right && min > left))
            continue;
        closing = k;
        right = max;
        left = min;
    }
    int32_t x = c->path[(closing + 1) % c->length], z = c->path[(closing + 2) % c->length];
    return g->head[x] == z;
}

/* ---- A configuration ---- */

static void count_cycles(ddn_cycles *c, const ddn_state *s, const ddn_gold *g, ddn_bounds *out)
{
    effect stay = { .i = s->left, .j = s->next };
    if (!make_graph(c, s, g, &stay))
        return;
    while (ddn_cycles_next(c)) {
        if (out->cycles == DDN_CYCLES_CAP) {
            out->cycles = out->problematic = -1;
            return;
        }
        out->cycles++;
        out->problematic += is_problematic(c, g);
    }
}

bool ddn_covington_few_problems(ddn_cycles *c, const ddn_state *s, const ddn_gold *g, int32_t most,
                                int32_t cap)
{
    effect stay = { .i = s->left, .j = s->next };
    int32_t seen = 0, problematic = 0;
    if (!make_graph(c, s, g, &stay))
        return true;
    while (ddn_cycles_next(c)) {
        problematic += is_problematic(c, g);
        if (problematic > most || seen++ == cap)
            return false;
    }
    return true;
}

static bool is_settled(const ddn_state *s, int32_t y)
{
    int32_t i = s->left, j = s->next;
    return j > s->n || (j == s->n && !(y <= i || (y == j && i >= 1)));
}

void ddn_covington_lower(const ddn_state *s, const ddn_gold *g, ddn_bounds *out)
{
    *out = (ddn_bounds){ 0 };
    for (int32_t y = 1; y <= s->n; y++) {
        int32_t gold = g->head[y], head = s->node[y].head;
        if (gold)
            out->lower += head != gold && !ddn_meets(s->left, s->next, gold, y);
        else if (head >= 0) {
            out->roots++;
            out->settled += is_settled(s, y);
        }
    }
}

void ddn_covington_bounds(ddn_cycles *c, const ddn_state *s, const ddn_gold *g, ddn_bounds *out)
{
    ddn_covington_lower(s, g, out);
    count_cycles(c, s, g, out);
}

/* ---- The oracles ---- */

/* The cycles after a move that have been counted so far. */
typedef struct tally {
    int32_t base; /* |U| + r, from that of the configuration */
    int32_t cycles, problematic;
    bool begun, done;
} tally;

typedef struct space {
    ddn_oracle_space base;
    ddn_cycles graph[KINDS]; /* one a move */
} space;

static bool serves(const ddn_system *system)
{
    return system->family == DDN_FAMILY_COVINGTON && system->nonmonotonic;
}

static void fini(void *sp)
{
    space *w = sp;
    for (int k = 0; k < KINDS; k++)
        ddn_cycles_fini(&w->graph[k]);
}

static int begin(void *sp, dodona_error *err)
{
    space *w = sp;
    for (int k = 0; k < KINDS; k++)
        if (!ddn_cycles_reserve(&w->graph[k], w->base.gold->n))
            return ddn_fail_memory(err);
    return DODONA_OK;
}

static int32_t value_so_far(const space *w, const tally *t)
{
    bool upper = w->base.oracle == &ddn_oracle_covington_upper;
    return t->base + (upper ? t->cycles : t->problematic);
}

/* The move whose cycles are counted next: of those with the smallest value the one with the fewest
 * cycles counted; -1 when all cycles of these moves are counted. */
static int32_t next_to_count(const space *w, const tally *t, int32_t m)
{
    int32_t next = -1, least = INT32_MAX;
    for (int32_t k = 0; k < m; k++)
        least = value_so_far(w, &t[k]) < least ? value_so_far(w, &t[k]) : least;
    for (int32_t k = 0; k < m; k++)
        if (!t[k].done && value_so_far(w, &t[k]) == least &&
            (next < 0 || t[k].cycles < t[next].cycles))
            next = k;
    return next;
}

/* Counts until the smallest values are known; false: the cap was reached first. */
static bool count_side_by_side(space *w, const ddn_state *s, const effect *after, tally *t,
                               int32_t m)
{
    int32_t k, seen = 0;
    while ((k = next_to_count(w, t, m)) >= 0) {
        ddn_cycles *c = &w->graph[k];
        if (!t[k].begun) {
            t[k].begun = true;
            t[k].done = !make_graph(c, s, w->base.gold, &after[k]);
        }
        if (!t[k].done)
            t[k].done = !ddn_cycles_next(c);
        if (t[k].done)
            continue;
        if (seen++ == DDN_CYCLES_CAP)
            return false;
        t[k].cycles++;
        t[k].problematic += is_problematic(c, w->base.gold);
    }
    return true;
}

static void costs_by_lower(void *sp, const ddn_state *s, const ddn_move *moves, int32_t m,
                           int32_t *cost)
{
    const ddn_gold *g = ((const ddn_oracle_space *)sp)->gold;
    for (int32_t k = 0; k < m; k++)
        cost[k] = lost_by(s, g, moves[k].kind);
    ddn_oracle_rank_losses(cost, m);
}

static void costs_by_cycles(void *sp, const ddn_state *s, const ddn_move *moves, int32_t m,
                            int32_t *cost)
{
    space *w = sp;
    effect after[KINDS];
    tally t[KINDS] = { 0 };
    for (int32_t k = 0; k < m; k++) {
        after[k] = effect_of(s, moves[k].kind);
        t[k].base = lost_by(s, w->base.gold, moves[k].kind);
    }
    bool capped = !count_side_by_side(w, s, after, t, m);
    w->base.tied += capped;
    for (int32_t k = 0; k < m; k++)
        cost[k] =
            capped ? t[k].base * (DDN_CYCLES_CAP + 1) + t[k].problematic : value_so_far(w, &t[k]);
    ddn_oracle_rank_losses(cost, m);
}

int64_t ddn_covington_steps(const void *sp)
{
    const space *w = sp;
    int64_t steps = 0;
    for (int k = 0; k < KINDS; k++)
        steps += w->graph[k].steps;
    return steps;
}

#define BOUND(symbol, start, asker, title, about)                                                  \
    const ddn_oracle ddn_oracle_covington_##symbol = {                                             \
        .name = title,                                                                             \
        .summary = about,                                                                          \
        .everywhere = true,                                                                        \
        .any_tree = true,                                                                          \
        .rereads = (start) != NULL,                                                                \
        .size = sizeof(space),                                                                     \
        .serves = serves,                                                                          \
        .begin = start,                                                                            \
        .fini = fini,                                                                              \
        .costs = asker,                                                                            \
    }

BOUND(lower, NULL, costs_by_lower, "lower", "counts the gold arcs out of reach");
BOUND(pc, begin, costs_by_cycles, "pc",
      "counts the gold arcs out of reach, and the problematic cycles");
BOUND(upper, begin, costs_by_cycles, "upper", "counts the gold arcs out of reach, and all cycles");
