/* SPDX-License-Identifier: MIT */
/* spine.c - the tabular dynamic oracle of LR-spine (projective gold trees).
 *
 * L[1..lL] are the trees on the stack from the top, so that L[lL] has the root 0; R[2..lR] are the
 * roots of the largest gold fragments that the buffer can build whatever the stack looks like:
 * words whose head is not in the buffer, and words with a gold child among the roots on the stack
 * or among the R before them.  R[1] stands for L[1].  T[i,j] holds the trees over L[i..1] R[2..j]
 * that are worth keeping, with the number of wrong arcs that were needed to build them.  A tree of
 * T[i,j] grows by L[i+1] or by R[j+1]; either is taken as a child or takes the tree as one, at the
 * gold position of the spine if that has one, else at its end, where it costs one.  The loss is
 * that of the tree in T[lL,lR] with the root 0.
 *
 * All that matters about a spine is which gold arcs its nodes can still make.  So a left spine is
 * kept as the set of those i whose L[i] has its gold head on it, a right spine as the set of those
 * j whose R[j] has.  The nodes below the position of a gold arc then need not be dropped: an arc to
 * what they could still take would cross that arc.
 *
 * The spines of a tree that becomes a child need not be kept.  Say L[m] takes it, and y on its
 * right spine has the gold child R[k].  What lies between y and R[k] descends from y in the gold
 * tree and has no gold arc with anything outside, so y's tree may as well be connected with that
 * and with R[k] first, for no more loss.  The same holds for R[m] and left spines.  So a right set
 * is given by the root: that of L[m] is its own, that of R[m] is empty.  A left set is not, since
 * whatever L is hung on a left spine makes it longer.
 *
 * Both restrictions of section 6.3 become set operations: nodes without gold children among what is
 * left are not in the sets, and a tree is dropped for another with the same root, no more loss, and
 * a left set that includes its own.  (Without the last condition trees are lost that would have
 * won: the tests have the smallest case known, of 14 words.)
 *
 * Elements whose gold head is on no spine that could ever take them are lost: each costs 1 whatever
 * is done.  The table counts only further losses, and leaves out trees that lose more than a bound,
 * which is raised from 0 until a tree is found.
 *
 * The moves of a configuration share these tables.  After left-arc or right-arc the table starts
 * with the joined tree in T[2,1], over the R that the remaining roots give, and positions that
 * leave the same sets have the same loss; so there are a few tables a configuration, each with a
 * few entries a cell: O(lL lR) in practice.  No bound of that kind is proved, so there are limits:
 * elements on either side, and trees in a cell.  A configuration beyond them is given up, and
 * gave_up says so.
 * Goldberg, Sartorio and Satta 2014, sections 6.2 and 6.3, with the corrected indices there: the
 * left spine keeps nodes for L[k], k > i. */
#include "oracle/spine.h"

#include "system/kinds.h"

#include <string.h>

enum {
    MOST_ELEMENTS = DDN_SPINE_ELEMENTS, /* on either side: bits of a set */
    MOST_TREES = 256,                   /* in a cell */
    UNKNOWN = -1,
};

/* Bit i of a set stands for L[i + 1] or R[i + 1]. */
typedef uint64_t set;

typedef struct tree {
    set left, right; /* gold arcs that the spines can still make */
    int32_t root;
    int32_t loss; /* other than that of lost elements */
} tree;

typedef struct cell {
    int count;
    tree of[MOST_TREES];
} cell;

typedef struct element {
    int32_t root;
    set left, right; /* of an R, right is empty: its gold children there are in its fragment */
} element;

typedef struct space {
    ddn_oracle_space base;
    bool roots_only;      /* a spine is its root alone */
    ddn_spine_size *size; /* where tables are measured; NULL: they are not */
    /* The configuration in question, and one table's right side. */
    int l, r; /* lL, lR */
    element L[MOST_ELEMENTS + 1], R[MOST_ELEMENTS + 1];
    int32_t next; /* first word of the buffer */
    /* The element on whose left or right spine a node is, in 1..lL; 0: on none. */
    int32_t *left_of, *right_of; /* [n+1] */
    int32_t *place;              /* [n+1] of a word of the buffer among the R; 0: it is none */
    bool *lost;                  /* [n+1] whether a root is lost */
    /* Losses to come after each move: shift, and the arcs from each node of a spine. */
    int32_t after_shift;
    int32_t *after[2]; /* [n+1] by kind */
    cell row[2][MOST_ELEMENTS + 1];
} space;

static bool serves(const ddn_system *system)
{
    return system->family == DDN_FAMILY_SPINE;
}

static int begin(void *sp, dodona_error *err)
{
    space *w = sp;
    ddn_arena *a = &w->base.arena;
    size_t need = (size_t)w->base.gold->n + 1;
    w->left_of = ddn_arena_zeros(a, need, sizeof *w->left_of);
    w->right_of = ddn_arena_zeros(a, need, sizeof *w->right_of);
    w->place = ddn_arena_zeros(a, need, sizeof *w->place);
    w->lost = ddn_arena_zeros(a, need, sizeof *w->lost);
    w->after[DDN_SPINE_LEFT] = ddn_arena_take(a, need, sizeof(int32_t));
    w->after[DDN_SPINE_RIGHT] = ddn_arena_take(a, need, sizeof(int32_t));
    return a->failed ? ddn_fail_memory(err) : DODONA_OK;
}

/* ---- The two sides ---- */

static set bit(int i)
{
    return (set)1 << (i - 1);
}

/* Writes an element's number on the nodes of its spine on one side, or 0 to wipe it off. */
static void mark_spine(const space *w, const ddn_state *s, int32_t root, int side, int32_t number,
                       int32_t *of)
{
    int32_t p = root;
    do
        of[p] = number;
    while (!w->roots_only && (p = s->node[p].far[side]));
}

static void mark(space *w, const ddn_state *s, bool wipe)
{
    for (int i = 1; i <= w->l; i++) {
        mark_spine(w, s, w->L[i].root, DDN_LEFT, wipe ? 0 : i, w->left_of);
        mark_spine(w, s, w->L[i].root, DDN_RIGHT, wipe ? 0 : i, w->right_of);
    }
}

/* The left side: the stack, with the buffer's first word on top if shifted. */
static bool set_left(space *w, const ddn_state *s, bool shifted)
{
    w->next = s->next + shifted;
    w->l = 0;
    if (s->depth + shifted > MOST_ELEMENTS)
        return false;
    if (shifted)
        w->L[++w->l] = (element){ .root = s->next };
    for (int32_t i = s->depth - 1; i >= 0; i--)
        w->L[++w->l] = (element){ .root = s->stack[i] };
    mark(w, s, false);
    for (int i = 1; i < w->l; i++) {
        int32_t root = w->L[i].root, head = w->base.gold->head[root], on = w->left_of[head];
        bool left = on && on < i;
        if (left)
            w->L[on].left |= bit(i);
        w->lost[root] = !left && head < w->next && w->right_of[head] <= i;
    }
    return true;
}

/* The right side, for the stack without L[gone] (0: with all of it). */
static bool set_right(space *w, int gone)
{
    const int32_t *head = w->base.gold->head;
    int32_t n = w->base.gold->n, b = w->next, *place = w->place;
    memset(place + b, 0, (size_t)(n + 1 - b) * sizeof *place);
    for (int i = 1; i <= w->l; i++) {
        w->L[i].right = 0;
        if (i != gone)
            for (int32_t x = head[w->L[i].root]; x >= b && !place[x]; x = head[x])
                place[x] = 1;
    }
    w->r = 1;
    for (int32_t x = b; x <= n; x++) {
        if (head[x] >= b && !place[x])
            continue;
        if (w->r == MOST_ELEMENTS)
            return false;
        w->R[++w->r] = (element){ .root = x };
        place[x] = w->r;
        int32_t on = head[x] < b ? w->right_of[head[x]] : 0;
        if (on)
            w->L[on].right |= bit(w->r);
        w->lost[x] = head[x] < b && !on;
    }
    for (int i = 1; i < w->l; i++)
        if (i != gone && head[w->L[i].root] >= b)
            w->R[place[head[w->L[i].root]]].left |= bit(i);
    return true;
}

/* ---- The table ---- */

static bool covers(const tree *a, const tree *b)
{
    return a->root == b->root && a->loss <= b->loss && !(b->left & ~a->left);
}

/* Adds a tree to a cell, unless it loses more than `most` or another one dominates it, and removes
 * those that it dominates. */
static bool enter(cell *c, int32_t most, tree t)
{
    int kept = 0;
    if (t.loss > most)
        return true;
    for (int i = 0; i < c->count; i++)
        if (covers(&c->of[i], &t))
            return true;
    for (int i = 0; i < c->count; i++)
        if (!covers(&t, &c->of[i]))
            c->of[kept++] = c->of[i];
    c->count = kept;
    if (c->count == MOST_TREES)
        return false;
    c->of[c->count++] = t;
    return true;
}

/* Joins t, of T[i,j], with b = L[i+1]. */
static bool grow_left(const space *w, cell *to, int32_t most, const tree *t, int i, int j)
{
    const element *b = &w->L[i + 1];
    set left = ~(set)0 << i << 1, right = ~(set)0 << (j - 1) << 1; /* what is left to come */
    bool takes = t->left & bit(i + 1) || w->lost[b->root];
    bool taken = w->right_of[w->base.gold->head[t->root]] == i + 1 || w->lost[t->root];
    tree head = { (t->left | (w->roots_only ? 0 : b->left)) & left, t->right, t->root,
                  t->loss + !takes };
    tree child = { b->left & left, b->right & right, b->root, t->loss + !taken };
    return (b->root == 0 || enter(to, most, head)) && enter(to, most, child);
}

/* Joins t, of T[i,j], with b = R[j+1]. */
static bool grow_right(const space *w, cell *to, int32_t most, const tree *t, int i, int j)
{
    const element *b = &w->R[j + 1];
    set left = ~(set)0 << (i - 1) << 1, right = ~(set)0 << j << 1;
    bool takes = t->right & bit(j + 1) || w->lost[b->root];
    bool taken = w->base.gold->head[t->root] == b->root || w->lost[t->root];
    tree head = { t->left, t->right & right, t->root, t->loss + !takes };
    tree child = { b->left & left, 0, b->root, t->loss + !taken };
    return enter(to, most, head) && (t->root == 0 || enter(to, most, child));
}

static void measure_row(const space *w, const cell *row, int i)
{
    for (int j = 1; j <= w->r; j++) {
        int32_t *widest = &w->size->widest[i + j - 1];
        w->size->trees += row[j].count;
        *widest = row[j].count > *widest ? row[j].count : *widest;
    }
}

enum { NONE = -1, FULL = -2 };

/* The least loss of a tree with the root 0 built from start, over L[i..1]; NONE where it is more
 * than `most`, FULL where a cell is full. */
static int32_t fill_table(space *w, tree start, int i, int32_t most)
{
    cell *now = w->row[0], *then = w->row[1];
    for (int j = 1; j <= w->r; j++)
        now[j].count = 0;
    now[1].of[now[1].count++] = start;
    for (;; i++) {
        for (int j = 1; j <= w->r; j++)
            then[j].count = 0;
        for (int j = 1; j <= w->r; j++)
            for (int k = 0; k < now[j].count; k++) {
                const tree *t = &now[j].of[k];
                if ((i < w->l && !grow_left(w, &then[j], most, t, i, j)) ||
                    (j < w->r && !grow_right(w, &now[j + 1], most, t, i, j)))
                    return FULL;
            }
        if (w->size)
            measure_row(w, now, i);
        if (i == w->l)
            break;
        cell *swap = now;
        now = then;
        then = swap;
    }
    for (int k = 0; k < now[w->r].count; k++)
        if (now[w->r].of[k].root == 0)
            return now[w->r].of[k].loss;
    return NONE;
}

/* The further loss from a tree over L[i..1], or UNKNOWN.  Near the gold path it is little more than
 * that of the lost elements, so small tables are tried first. */
static int32_t loss_from(space *w, tree start, int i)
{
    int32_t lost = w->lost[start.root], found = NONE;
    for (int k = i + 1; k < w->l; k++)
        lost += w->lost[w->L[k].root];
    for (int k = 2; k <= w->r; k++)
        lost += w->lost[w->R[k].root];
    for (int32_t most = 0; found == NONE; most = 2 * most + 1)
        found = fill_table(w, start, i, most);
    return found == FULL ? UNKNOWN : lost + found;
}

/* ---- The moves ---- */

/* The gold arcs that p can still make to the roots on the stack below the two topmost. */
static set arcs_left(const space *w, int32_t p)
{
    set all = w->L[1].left & ~(bit(1) | bit(2)), of_p = 0;
    for (; all; all &= all - 1) {
        int i = __builtin_ctzll(all) + 1;
        if (w->base.gold->head[w->L[i].root] == p)
            of_p |= bit(i);
    }
    return of_p;
}

/* The same to the right side; gold children in the buffer of what is not there are all on it. */
static set arcs_right(const space *w, int32_t p)
{
    const ddn_gold *g = w->base.gold;
    set of_p = 0;
    for (int32_t c = g->first[p + 1]; c > g->first[p] && g->child[c - 1] >= w->next; c--)
        of_p |= bit(w->place[g->child[c - 1]]);
    return of_p;
}

/* The losses after an arc from each node of a spine, from its root on.  A node without a gold arc
 * to make changes nothing, so most nodes share the table of the one above. */
static bool try_arcs(space *w, const ddn_state *s, int kind)
{
    bool left = kind == DDN_SPINE_LEFT;
    const element *top = &w->L[1], *below = &w->L[2];
    int32_t child = left ? below->root : top->root, p = left ? top->root : below->root;
    if (!set_right(w, left ? 2 : 1))
        return false;
    tree start = { below->left & ~bit(2), top->right, p, 0 };
    int32_t to_come = UNKNOWN;
    do {
        set more = left ? arcs_left(w, p) : arcs_right(w, p);
        if (to_come < 0 || more) {
            *(left ? &start.left : &start.right) |= more;
            to_come = loss_from(w, start, 2);
        }
        if (to_come < 0)
            return false;
        w->after[kind][p] = to_come + (w->base.gold->head[child] != p);
    } while ((p = s->node[p].far[left ? DDN_LEFT : DDN_RIGHT]));
    return true;
}

static bool try_shift(space *w, const ddn_state *s)
{
    bool fits = set_left(w, s, true) && set_right(w, 0);
    if (fits)
        w->after_shift = loss_from(w, (tree){ w->L[1].left, w->L[1].right, w->L[1].root, 0 }, 1);
    mark(w, s, true);
    return fits && w->after_shift >= 0;
}

static bool try_all(space *w, const ddn_state *s)
{
    if (s->next <= s->n && !try_shift(w, s))
        return false;
    bool fits = set_left(w, s, false) && (s->depth < 2 || try_arcs(w, s, DDN_SPINE_RIGHT)) &&
                (s->depth < 3 || try_arcs(w, s, DDN_SPINE_LEFT));
    mark(w, s, true);
    return fits;
}

static int32_t after(const space *w, ddn_move m)
{
    return m.kind == DDN_SPINE_SHIFT ? w->after_shift : w->after[m.kind][m.pos];
}

static void costs(void *sp, const ddn_state *s, const ddn_move *moves, int32_t m, int32_t *cost)
{
    space *w = sp;
    w->base.gave_up = !try_all(w, s);
    for (int32_t i = 0; i < m; i++)
        cost[i] = w->base.gave_up ? 0 : after(w, moves[i]);
    ddn_oracle_rank_losses(cost, m);
}

static int32_t value(void *sp, const ddn_state *s)
{
    space *w = sp;
    int32_t right = 0, loss = UNKNOWN;
    for (int32_t d = 1; d <= s->n; d++)
        right += s->node[d].head < 0 || s->node[d].head == w->base.gold->head[d];
    if (set_left(w, s, false) && set_right(w, 0))
        loss = loss_from(w, (tree){ w->L[1].left, w->L[1].right, w->L[1].root, 0 }, 1);
    mark(w, s, true);
    w->base.gave_up = loss < 0;
    return w->base.gave_up ? UNKNOWN : right - loss;
}

bool ddn_spine_measure(void *sp, const ddn_state *s, ddn_spine_size *size)
{
    space *w = sp;
    *size = (ddn_spine_size){ 0 };
    w->size = size;
    bool fits = set_left(w, s, false) && set_right(w, 0);
    if (fits) {
        tree start = { w->L[1].left, w->L[1].right, w->L[1].root, 0 };
        fits = fill_table(w, start, 1, INT32_MAX) != FULL;
    }
    mark(w, s, true);
    w->size = NULL;
    return fits;
}

void ddn_spine_roots_only(void *sp)
{
    ((space *)sp)->roots_only = true;
}

const ddn_oracle ddn_oracle_spine = {
    .name = "tabular",
    .summary = "tabulates the trees over the stack and the buffer's gold fragments",
    .everywhere = true,
    .gives_up = true,
    .size = sizeof(space),
    .serves = serves,
    .begin = begin,
    .costs = costs,
    .value = value,
};
