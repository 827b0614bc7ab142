/* SPDX-License-Identifier: MIT */
/* best.c - Table 2 over (max, +) in 64 bits, and the best tree.
 *
 * The chart keeps values only; back-pointers are found afterwards, and only where a best tree may
 * pass.  An item is a cell of one of the four kinds of tables.  Its candidates are the products of
 * its lines that are as large as the item itself.
 *
 *     mark     from the goal down, wide items first: the parts of every candidate of a marked item
 *     choose   from the smallest marked item up: one candidate for each
 *
 * All candidates of an item give heads to the same words.  So if each part has its smallest head
 * vector, word by word, then so has the smallest of the candidates made of them; where there is
 * more than one candidate, both are written out and compared.  This is exact, and cheap when ties
 * are few: marking reads the lines of marked items once, and most items have one candidate.
 *
 * Nothing here recurses: a sentence may be long and its tree deep. */
#include "chart/split.h"

#include <assert.h>

static inline int64_t greater(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int64_t dot(int64_t z, const int64_t *a, const int64_t *b, int32_t m)
{
    for (int32_t k = 0; k < m; k++)
        z = greater(z, a[k] + b[k]);
    return z;
}

#define SPLIT_NAME(x)            best_##x
#define SPLIT_VALUE              int64_t
#define SPLIT_WEIGHT             int64_t
#define SPLIT_CONTEXT            void
#define SPLIT_ZERO(c)            DDN_SPLIT_BEST_NONE
#define SPLIT_ONE(c)             0
#define SPLIT_PLUS(c, x, y)      greater(x, y)
#define SPLIT_TIMES(c, x, y)     greater((x) + (y), DDN_SPLIT_BEST_NONE)
#define SPLIT_ARC(c, x, w)       greater((x) + (w), DDN_SPLIT_BEST_NONE)
#define SPLIT_DOT(c, z, a, b, m) dot(z, a, b, m)
#define SPLIT_TARGETS
#include "chart/split.tmpl.h"

/* ---- Items ---- */

typedef enum table { LEFT, RIGHT, LEFT_ARC, RIGHT_ARC } table;

struct ddn_split_item {
    uint8_t table, which; /* which: the state or the group */
    int32_t i, j;
};
typedef struct ddn_split_item item;

enum { LINES = DDN_SPLIT_PAIRS > DDN_SPLIT_GROUPS ? DDN_SPLIT_PAIRS : DDN_SPLIT_GROUPS };

/* What an item is made of: the lines, the group or pair of each, and what a product must be. */
typedef struct recipe {
    int lines;
    ddn_split_line line[LINES];
    uint8_t of[LINES];
    int64_t value;
} recipe;

typedef struct tracer {
    const ddn_split_best *b;
    const ddn_split_shape *s;
    const ddn_split_input *in;
    const int64_t *w;
    int32_t *trace; /* by cell: 0, MARKED, or the candidate chosen, line * stride + k + 1 */
    item *stack;
} tracer;

enum { MARKED = -1 };

static size_t cell_of(const tracer *t, item x)
{
    size_t ij = (size_t)x.i * t->s->stride + (size_t)x.j;
    size_t ji = (size_t)x.j * t->s->stride + (size_t)x.i;
    switch ((table)x.table) {
    case LEFT:
        return t->s->left[x.which] + ij;
    case RIGHT:
        return t->s->right[x.which] + ij;
    case LEFT_ARC:
        return t->s->left_arc[x.which] + ji;
    default:
        return t->s->right_arc[x.which] + ij;
    }
}

static void recipe_add(recipe *r, int of, ddn_split_line line)
{
    r->of[r->lines] = (uint8_t)of;
    r->line[r->lines++] = line;
}

static void recipe_make(recipe *r, const tracer *t, item x)
{
    const ddn_split_plan *plan = t->in->plan;
    bool is_left = x.table == LEFT || x.table == LEFT_ARC;
    const ddn_split_group *group = is_left ? plan->left : plan->right;
    int groups = is_left ? plan->lefts : plan->rights;
    r->lines = 0;
    r->value = t->b->cell[cell_of(t, x)];
    if (x.table == LEFT || x.table == RIGHT) {
        for (int g = 0; g < groups; g++)
            if (group[g].to == x.which)
                recipe_add(r, g,
                           is_left ? ddn_split_leftward(t->s, plan, g, x.i, x.j)
                                   : ddn_split_rightward(t->s, plan, g, x.i, x.j));
        return;
    }
    int32_t head = is_left ? x.j : x.i, child = is_left ? x.i : x.j;
    r->value -= t->w[(size_t)head * t->s->stride + (size_t)child];
    for (int p = 0; p < plan->pairs; p++)
        if (group[x.which].pairs >> p & 1)
            recipe_add(r, p, ddn_split_meet(t->s, plan, p, x.i, x.j));
}

static inline bool is_candidate(const tracer *t, const recipe *r, int line, int32_t k)
{
    return t->b->cell[r->line[line].a + (size_t)k] + t->b->cell[r->line[line].b + (size_t)k] ==
           r->value;
}

/* The two items that product k of a line multiplies. */
static void parts_of(const tracer *t, item x, const recipe *r, int line, int32_t k, item part[2])
{
    const ddn_split_plan *plan = t->in->plan;
    uint8_t of = r->of[line];
    int32_t at; /* where the product divides x, read off the first factor's column */
    if (x.table == LEFT) {
        uint8_t outer = plan->left[of].outer;
        at = (int32_t)(r->line[line].a - t->s->left[outer] - (size_t)x.i * t->s->stride) + k;
        part[0] = (item){ LEFT, outer, x.i, at };
        part[1] = (item){ LEFT_ARC, of, at, x.j };
    } else if (x.table == RIGHT) {
        at = (int32_t)(r->line[line].a - t->s->right_arc[of] - (size_t)x.i * t->s->stride) + k;
        part[0] = (item){ RIGHT_ARC, of, x.i, at };
        part[1] = (item){ RIGHT, plan->right[of].outer, at, x.j };
    } else {
        ddn_split_pair q = plan->pair[of];
        at = (int32_t)(r->line[line].a - t->s->right[q.left] - (size_t)x.i * t->s->stride) + k;
        part[0] = (item){ RIGHT, q.left, x.i, at };
        part[1] = (item){ LEFT, q.right, at + 1, x.j };
    }
}

/* ---- Mark and choose ---- */

static void mark_item(const tracer *t, item x)
{
    if (x.i < x.j)
        t->trace[cell_of(t, x)] = MARKED;
}

static void mark_parts(const tracer *t, item x)
{
    recipe r;
    item part[2];
    if (t->trace[cell_of(t, x)] != MARKED)
        return;
    recipe_make(&r, t, x);
    for (int l = 0; l < r.lines; l++)
        for (int32_t k = 0; k < r.line[l].m; k++)
            if (is_candidate(t, &r, l, k)) {
                parts_of(t, x, &r, l, k, part);
                mark_item(t, part[0]);
                mark_item(t, part[1]);
            }
}

/* Writes the heads that chosen items give; count of them are on the stack. */
static void expand(const tracer *t, int32_t count, int32_t *head)
{
    recipe r;
    while (count > 0) {
        item x = t->stack[--count];
        if (x.i == x.j)
            continue;
        int32_t choice = t->trace[cell_of(t, x)] - 1;
        assert(choice >= 0);
        if (x.table == LEFT_ARC)
            head[x.i] = x.j;
        else if (x.table == RIGHT_ARC)
            head[x.j] = x.i;
        recipe_make(&r, t, x);
        parts_of(t, x, &r, choice / (int32_t)t->s->stride, choice % (int32_t)t->s->stride,
                 t->stack + count);
        count += 2;
    }
}

/* Whether a[from..to] comes before b[from..to]. */
static bool is_smaller(const int32_t *a, const int32_t *b, int32_t from, int32_t to)
{
    while (from < to && a[from] == b[from])
        from++;
    return a[from] < b[from];
}

static void choose(const tracer *t, item x, int32_t *best, int32_t *other)
{
    recipe r;
    size_t cell = cell_of(t, x);
    int32_t stride = (int32_t)t->s->stride, choice = -1;
    bool is_left = x.table == LEFT || x.table == LEFT_ARC;
    int32_t from = is_left ? x.i : x.i + 1, to = is_left ? x.j - 1 : x.j;
    bool written = false; /* best[from..to] holds the chosen one */
    if (t->trace[cell] != MARKED)
        return;
    recipe_make(&r, t, x);
    for (int l = 0; l < r.lines; l++)
        for (int32_t k = 0; k < r.line[l].m; k++) {
            if (!is_candidate(t, &r, l, k))
                continue;
            int32_t before = choice;
            choice = l * stride + k;
            if (before < 0)
                continue;
            if (!written) {
                t->trace[cell] = before + 1;
                t->stack[0] = x;
                expand(t, 1, best);
                written = true;
            }
            t->trace[cell] = choice + 1;
            t->stack[0] = x;
            expand(t, 1, other);
            if (is_smaller(other, best, from, to)) {
                int32_t *swap = best;
                best = other;
                other = swap;
            } else {
                choice = before;
            }
        }
    assert(choice >= 0);
    t->trace[cell] = choice + 1;
}

static void each_item(const tracer *t, int32_t i, int32_t j, bool halves_first, int32_t *scratch)
{
    const ddn_split_plan *plan = t->in->plan;
    int32_t *other = scratch ? scratch + t->s->stride : NULL;
    for (int step = 0; step < 2; step++) {
        bool halves = (step == 0) == halves_first;
        int lefts = halves ? plan->states : plan->lefts;
        int rights = halves ? plan->states : plan->rights;
        for (int x = 0; x < lefts + rights; x++) {
            item it = { 0, (uint8_t)(x < lefts ? x : x - lefts), i, j };
            it.table = x < lefts ? (halves ? LEFT : LEFT_ARC) : (halves ? RIGHT : RIGHT_ARC);
            if (scratch)
                choose(t, it, scratch, other);
            else
                mark_parts(t, it);
        }
    }
}

/* ---- The goal ---- */

/* Calls visit for each best derivation of the goal: one or two items and, with one root, the arc
 * from 0. */
typedef void goal_visit(const tracer *t, const item part[2], int parts, int32_t root, void *ctx);

static void each_goal(const tracer *t, goal_visit *visit, void *ctx)
{
    const ddn_split_plan *plan = t->in->plan;
    const int64_t *cell = t->b->cell;
    int32_t n = t->in->n;
    int64_t total = best_total(NULL, t->s, t->in, t->w, t->b->cell);
    for (int r = 0; r < plan->starts; r++) {
        ddn_split_pair q = plan->start[r];
        item all = { RIGHT, q.right, 0, n };
        if (!t->in->one_root && (n == 0 || plan->right_grows[q.right]) &&
            cell[t->s->left[q.left]] + cell[cell_of(t, all)] == total)
            visit(t, &all, 1, 0, ctx);
        for (int g = 0; g < plan->rights && t->in->one_root; g++)
            for (int p = 0; p < plan->pairs; p++) {
                const ddn_split_group *group = &plan->right[g];
                if (group->to != q.right || !(group->pairs >> p & 1))
                    continue;
                int64_t base = cell[t->s->left[q.left]] + cell[t->s->right[plan->pair[p].left]];
                for (int32_t k = 1; k <= n; k++) {
                    item part[2] = { { LEFT, plan->pair[p].right, 1, k },
                                     { RIGHT, group->outer, k, n } };
                    if ((k == 1 || plan->left_grows[part[0].which]) &&
                        (k == n || plan->right_grows[part[1].which]) &&
                        base + cell[cell_of(t, part[0])] + cell[cell_of(t, part[1])] + t->w[k] ==
                            total)
                        visit(t, part, 2, k, ctx);
                }
            }
    }
}

static void goal_mark(const tracer *t, const item part[2], int parts, int32_t root, void *ctx)
{
    (void)root;
    (void)ctx;
    for (int p = 0; p < parts; p++)
        mark_item(t, part[p]);
}

typedef struct goal_best {
    int32_t *head, *other;
    bool found;
} goal_best;

static void goal_choose(const tracer *t, const item part[2], int parts, int32_t root, void *ctx)
{
    goal_best *best = ctx;
    int32_t *to = best->found ? best->other : best->head;
    for (int p = 0; p < parts; p++)
        t->stack[p] = part[p];
    if (root > 0)
        to[root] = 0;
    expand(t, parts, to);
    if (best->found && is_smaller(best->other, best->head, 1, t->in->n))
        for (int32_t i = 1; i <= t->in->n; i++)
            best->head[i] = best->other[i];
    best->found = true;
}

void ddn_split_best_tree(ddn_split_best *b, const ddn_split_input *in, const int64_t *w,
                         int32_t *head)
{
    ddn_split_shape s;
    ddn_split_shape_make(&s, in->plan, in->n);
    int32_t *scratch = b->trace + s.cells;
    tracer t = { b, &s, in, w, b->trace, b->stack };
    head[0] = -1;
    if (in->n == 0)
        return;
    for (size_t x = 0; x < s.cells; x++)
        b->trace[x] = 0;
    each_goal(&t, goal_mark, NULL);
    for (int32_t j = in->n; j >= 1; j--)
        for (int32_t i = 0; i < j; i++)
            each_item(&t, i, j, true, NULL);
    for (int32_t j = 1; j <= in->n; j++)
        for (int32_t i = j - 1; i >= 0; i--)
            each_item(&t, i, j, false, scratch);
    goal_best best = { head, scratch, false };
    each_goal(&t, goal_choose, &best);
    assert(best.found);
}

/* ---- Values ---- */

bool ddn_split_best_take(ddn_split_best *b, const ddn_split_plan *plan, int32_t n, ddn_arena *arena)
{
    ddn_split_shape s;
    ddn_split_shape_make(&s, plan, n);
    b->cell = ddn_arena_take(arena, s.cells, sizeof *b->cell);
    b->trace = ddn_arena_take(arena, s.cells + 2 * s.stride, sizeof *b->trace);
    b->stack = ddn_arena_take(arena, 2 * s.stride + 2, sizeof *b->stack);
    return !arena->failed;
}

int64_t ddn_split_best_value(ddn_split_best *b, const ddn_split_input *in, const int64_t *w)
{
    ddn_split_shape s;
    ddn_split_shape_make(&s, in->plan, in->n);
    best_inside(NULL, &s, in, w, b->cell);
    int64_t value = best_total(NULL, &s, in, w, b->cell);
    return value <= DDN_SPLIT_BEST_NONE / 2 ? DDN_SPLIT_BEST_NONE : value;
}
