/* SPDX-License-Identifier: MIT */
/* tabular.c - the optimal step of arc-standard by one table, for projective gold trees.
 *
 * The right stack R holds the roots of the largest gold fragments that the buffer can build on its
 * own: words whose head is not in the buffer, and words with a child on the stack or in R.  L is
 * the stack from its top, L[lL] = 0, and R[1] = L[1].  There is then a best tree among those that
 * are built from L[1] by adding, again and again, the next of L or the next of R, either as a child
 * of the root h of the tree so far or as its new root.  Each such arc costs 1 unless it is gold;
 * the fragments themselves cost nothing.
 *
 * The paper's T[i,j](h) is the least cost of a tree over L[1..i], R[1..j] with root h, and each
 * move needs a table of its own.  Here the table goes the other way: C[i,j](h) is the least cost of
 * completing such a tree, so that one table gives the cost of every move:
 *     left-arc    [L[2] is no gold child of L[1]] + C[2,1](L[1])
 *     right-arc   [L[1] is no gold child of L[2]] + C[2,1](L[2])
 *     shift       the least cost of completions that first add R[2]
 * The right stack after a move may differ from the one before it, which needs two additions.
 *   - Left-arc and right-arc take a word from the stack, and its ancestors in the buffer may then
 *     be built by the buffer alone.  If R[j]'s head is in R, it is R[j+1] (a word of R between the
 *     two would have an arc that crosses theirs), and R[j] may be left to it for nothing, without
 *     having met the stack.  That is a way to build a tree before the move too, so it does no harm.
 *     By itself it is no shift.
 *   - Shift takes b, which need not be the root of the first fragment.  If it is not, b can be put
 *     under L[1] at the price of its own arc, and all is as before: such a shift costs 1 at most.
 *     If b is the root, it loses nothing by first taking the rest of its fragment.
 *
 * Layout.  Words of L and R by their position from left to right: L[i] is at lL - i, R[j] at
 * lL + j - 2.  The roots h of C[i,j] are then a stretch from L[i] to R[j], and the inner loop runs
 * over it by whole blocks; what it writes outside the stretch is never read.  C[i,j] takes the
 * place of C[i+1,j], so there is one row of lR cells.
 *
 * Cost: O(lL lR (lL + lR)) a question for all moves together, 8 entries at a time.  Trap: as
 * printed, the algorithm counts the cost of L[1]'s own tree twice; arcs already made have no part
 * in the table here.  0 as a child is a dead end, since it is to be the root in the end.
 * Goldberg, Sartorio and Satta 2014, sections 4 and 5. */
#include "oracle/standard.h"
#include "system/kinds.h"

#include <string.h>

/* A dead end costs FAR or a little more: FAR + 2 MAX_WORDS is within int16_t. */
enum { MAX_WORDS = 4000, FAR = 16000, BLOCK = 8, KINDS = 3 };

typedef struct space {
    ddn_oracle_space base;
    int32_t left, right; /* lL and lR */
    int32_t stride;      /* entries of a cell, whole blocks */
    int16_t *head;       /* [stride] position of the gold head; -1: not in L or R */
    int16_t *place;      /* [n + 1] position of each word; what is not in L or R is not set */
    int32_t *word;       /* [stride] by position */
    bool *held;          /* [n + 1] has a child in L or R, for the words of the buffer */
    int16_t *row;        /* [lR + 1][stride] C[i,j](h), j from 1 */
} space;

static inline int16_t lesser(int16_t a, int16_t b)
{
    return a < b ? a : b;
}

/* ---- Left and right stack ---- */

/* Puts a word at the next position. */
static int32_t put(space *w, int32_t at, int32_t word)
{
    w->word[at] = word;
    w->place[word] = (int16_t)at;
    return at + 1;
}

/* L and R, with the positions of gold heads. */
static void lay_out(space *w, const ddn_state *s)
{
    const int32_t *head = w->base.gold->head;
    int32_t at = 0;
    bool *held = w->held;
    memset(held + s->next, 0, (size_t)(s->n + 1 - s->next) * sizeof *held);
    for (int32_t i = 0; i < s->depth; i++) {
        at = put(w, at, s->stack[i]);
        if (head[s->stack[i]] >= s->next)
            held[head[s->stack[i]]] = true;
    }
    for (int32_t x = s->next; x <= s->n; x++)
        if (head[x] < s->next || held[x]) {
            at = put(w, at, x);
            held[head[x]] = true;
        }
    w->left = s->depth;
    w->right = at - s->depth + 1;
    w->stride = (at + BLOCK - 1) / BLOCK * BLOCK;
    w->head[0] = -1;
    for (int32_t i = 1; i < at; i++) {
        int32_t h = head[w->word[i]];
        bool there = h >= s->next ? held[h] : s->node[h].stacked;
        w->head[i] = there ? w->place[h] : -1;
    }
}

/* ---- The table ---- */

static int16_t *cell(const space *w, int32_t j)
{
    return w->row + (ptrdiff_t)j * w->stride;
}

/* Whether the gold head of the word at a position of R is in R too: then it is the next there. */
static bool waits(const space *w, int32_t at)
{
    return w->head[at] > at;
}

/* A step that adds the next of L or R: its position, that of its gold head or -1, the cost of
 * completing the tree with it as the root, and the cost of making it a child of a root that is not
 * its gold head. */
typedef struct expansion {
    int16_t at, head, as_root, as_child;
} expansion;

/* a: C[i+1,j], becomes C[i,j]; b: C[i,j+1].  lo..hi: the roots of C[i,j]. */
static void settle(int16_t *restrict a, const int16_t *restrict b, const int16_t *restrict head,
                   int32_t lo, int32_t hi, expansion l, expansion r)
{
    int16_t l_gold = l.head < lo ? FAR : a[l.head], r_gold = r.head < lo ? FAR : b[r.head];
    for (int32_t p = lo - lo % BLOCK; p <= hi; p += BLOCK)
        for (int32_t h = p; h < p + BLOCK; h++) {
            int16_t l_child = (int16_t)(a[h] + l.as_child);
            int16_t r_child = (int16_t)(b[h] + r.as_child);
            int16_t l_root = (int16_t)(l.as_root + (head[h] != l.at));
            int16_t r_root = (int16_t)(r.as_root + (head[h] != r.at));
            a[h] = lesser(lesser(l_child, r_child), lesser(l_root, r_root));
        }
    if (l.head >= lo)
        a[l.head] = lesser(a[l.head], l_gold);
    if (r.head >= lo)
        a[r.head] = lesser(a[r.head], r_gold);
}

/* The row of i = lL: only 0 can be the root, and it takes the rest of R.  Beyond the last cell is
 * one of dead ends. */
static void start_row(space *w)
{
    int16_t *end = cell(w, w->right + 1), cost = 0;
    for (int16_t *c = cell(w, 1); c < end + w->stride; c++)
        *c = FAR;
    for (int32_t j = w->right; j >= 1; j--) {
        cell(w, j)[0] = cost;
        cost = (int16_t)(cost + (w->head[w->left + j - 2] != 0 && !waits(w, w->left + j - 2)));
    }
}

/* From C[i+1,.] to C[i,.], down to the cell j = first. */
static void settle_row(space *w, int32_t i, int32_t first)
{
    int32_t lo = w->left - i, hi = w->left + w->right - 2;
    const int16_t *head = w->head;
    expansion l = { (int16_t)(lo - 1), head[lo - 1], FAR, 1 }, r = { -2, -1, FAR, 1 };
    for (int32_t j = w->right; j >= first; j--, hi--) {
        int16_t *a = cell(w, j), *b = cell(w, j + 1);
        l.as_root = a[lo - 1];
        if (j < w->right)
            r = (expansion){ (int16_t)(hi + 1), head[hi + 1], b[hi + 1], !waits(w, hi + 1) };
        settle(a, b, head, lo, hi, l, r);
    }
}

/* The least of C[1,1](L[1]) where the first step is one to the right. */
static int32_t least_to_the_right(const space *w)
{
    const int16_t *head = w->head;
    int32_t top = w->left - 1, least = FAR;
    for (int32_t j = 2; j <= w->right; j++) {
        int32_t y = top + j - 1;
        int32_t child = cell(w, j)[top] + (head[y] != top), root = cell(w, j)[y] + (head[top] != y);
        least = child < least ? child : least;
        least = root < least ? root : least;
        if (!waits(w, y))
            break;
    }
    return least;
}

/* The least cost of the arcs that are still to be made: for each transition type, its own arc
 * included, and from the present configuration. */
typedef struct losses {
    int32_t after[KINDS], best;
} losses;

static losses look(space *w, const ddn_state *s)
{
    losses c = { { FAR, FAR, FAR }, 0 };
    lay_out(w, s);
    start_row(w);
    const int16_t *head = w->head;
    int32_t top = w->left - 1;
    for (int32_t i = top; i >= 2; i--)
        settle_row(w, i, 1);
    if (w->left > 1) {
        c.after[DDN_STANDARD_LEFT] = cell(w, 1)[top] + (head[top - 1] != top);
        c.after[DDN_STANDARD_RIGHT] = cell(w, 1)[top - 1] + (head[top] != top - 1);
        settle_row(w, 1, 2);
    }
    c.after[DDN_STANDARD_SHIFT] = least_to_the_right(w);
    c.best = w->left + w->right > 2 ? FAR : 0;
    for (int kind = 0; kind < KINDS; kind++)
        c.best = c.after[kind] < c.best ? c.after[kind] : c.best;
    if (w->right > 1 && w->word[top + 1] != s->next && c.after[DDN_STANDARD_SHIFT] > c.best)
        c.after[DDN_STANDARD_SHIFT] = c.best + 1;
    return c;
}

/* ---- Questions ---- */

static void costs(void *sp, const ddn_state *s, const ddn_move *moves, int32_t m, int32_t *cost)
{
    losses c = look(sp, s);
    for (int32_t i = 0; i < m; i++)
        cost[i] = FAR - 1 - c.after[moves[i].kind];
    ddn_oracle_rank(cost, m);
}

static int32_t value(void *sp, const ddn_state *s)
{
    space *w = sp;
    losses c = look(w, s);
    int32_t to_come = s->depth - 1 + s->n + 1 - s->next;
    return ddn_oracle_made(w->base.gold, s) + to_come - c.best;
}

static int begin(void *sp, dodona_error *err)
{
    space *w = sp;
    ddn_arena *a = &w->base.arena;
    size_t n = (size_t)w->base.gold->n, need = n + 1 + BLOCK;
    w->head = ddn_arena_take(a, need, sizeof *w->head);
    w->place = ddn_arena_take(a, need, sizeof *w->place);
    w->word = ddn_arena_take(a, need, sizeof *w->word);
    w->held = ddn_arena_take(a, need, sizeof *w->held);
    w->row = ddn_arena_take(a, need * (n + 4), sizeof *w->row);
    if (a->failed)
        return ddn_fail_memory(err);
    memset(w->head, -1, need * sizeof *w->head);
    return DODONA_OK;
}

const ddn_oracle ddn_oracle_tabular = {
    .name = "tabular",
    .summary = "tabulates the trees over the stack and the buffer's gold fragments, for projective "
               "trees",
    .everywhere = true,
    .max_words = MAX_WORDS,
    .size = sizeof(space),
    .serves = ddn_standard_serves,
    .begin = begin,
    .costs = costs,
    .value = value,
};
