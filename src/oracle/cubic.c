/* SPDX-License-Identifier: MIT */
/* cubic.c - the optimal step of arc-standard for any gold tree, by parsing stack and buffer.
 *
 * The trees that arc-standard can still build from a configuration are those of a split grammar
 * over the elements of the stack and the words of the buffer (Nederhof 2019, section 4 and Table
 * 4): those below the top may take children only once the top is among their descendants.  An arc
 * weighs 1 if it is gold, and is forbidden where the strategy says so; the best tree's weight is V.
 * O(n^3), by the chart of chart/split.h.
 *
 * For a projective gold tree only critical words matter: all others can get their gold heads in the
 * best tree too, so their arcs are counted beforehand and the words left out.  That does not depend
 * on the number of roots: a word that is not critical has its head in the buffer.
 *
 * One root: 0 takes one child, so a configuration in which it has one already is a dead end unless
 * it is final. */
#include "chart/split.h"
#include "oracle/standard.h"

#include <string.h>

enum { MAX_WORDS = 2000 }; /* so that the tables take 150 megabytes at most */

typedef struct space {
    ddn_standard standard;
    ddn_split_plan plan;
    ddn_split_max chart;
    int32_t *item;   /* [N + 1] stack and buffer */
    uint8_t *kind;   /* [N + 1] */
    int32_t *weight; /* [N + 1][N + 1] */
    int32_t *place;  /* [n + 1] index of each item's word */
    bool *mark;      /* [n + 1] */
} space;

/* The items: the stack, and the words of the buffer that matter; returns how many. */
static int32_t list_items(space *w, const ddn_after *c)
{
    const ddn_gold *g = w->standard.base.gold;
    int32_t m = c->top + 1;
    memcpy(w->item, c->stack, (size_t)m * sizeof *w->item);
    if (g->projective && w->standard.base.oracle != &ddn_oracle_cubic_full)
        return m + ddn_standard_critical(g, c->next, w->mark, w->item + m);
    for (int32_t x = c->next; x <= g->n; x++)
        w->item[m++] = x;
    return m;
}

static void forbid(int32_t *weight, int32_t from, int32_t to)
{
    for (int32_t j = from; j < to; j++)
        weight[j] = DDN_SPLIT_MAX_NONE;
}

static void weigh(space *w, const ddn_after *c, int32_t size)
{
    const int32_t *head = w->standard.base.gold->head;
    size_t row = (size_t)size;
    memset(w->weight, 0, row * row * sizeof *w->weight);
    for (int32_t i = 0; i < size; i++) {
        w->kind[i] = i < c->top ? DDN_SPLIT_BELOW : DDN_SPLIT_AHEAD;
        w->place[w->item[i]] = i;
    }
    for (int32_t j = 1; j < size; j++) {
        int32_t h = w->place[head[w->item[j]]];
        if (h >= 0)
            w->weight[(size_t)h * row + (size_t)j] = 1;
    }
    for (int32_t i = 0; i < size; i++)
        w->place[w->item[i]] = -1;
    for (int32_t i = c->no_left; i < c->no_left_end; i++)
        forbid(w->weight + (size_t)i * row, 0, i);
    if (c->no_right >= 0)
        forbid(w->weight + (size_t)c->no_right * row, c->no_right + 1, size);
}

static int32_t best(ddn_standard *standard, const ddn_after *c)
{
    space *w = (space *)standard;
    bool one_root = standard->base.options.one_root;
    int32_t size = list_items(w, c), rest = standard->base.gold->n + c->top + 2 - c->next - size;
    if (size == 1)
        return !one_root || c->roots == 1 ? rest : -1;
    if (one_root && c->roots)
        return -1;
    weigh(w, c, size);
    ddn_split_input in = { &w->plan, w->kind, size - 1, one_root };
    int32_t v = ddn_split_max_value(&w->chart, &in, w->weight);
    return v < 0 ? -1 : v + rest;
}

static void fini(void *sp)
{
    ddn_split_max_fini(&((space *)sp)->chart);
}

static int begin(void *sp, dodona_error *err)
{
    space *w = sp;
    ddn_arena *a = &w->standard.base.arena;
    int32_t n = w->standard.base.gold->n;
    size_t items = (size_t)n + 2;
    w->item = ddn_arena_take(a, items, sizeof *w->item);
    w->kind = ddn_arena_take(a, items, sizeof *w->kind);
    w->place = ddn_arena_take(a, items, sizeof *w->place);
    w->mark = ddn_arena_zeros(a, items, sizeof *w->mark);
    w->weight = ddn_arena_take(a, items * items, sizeof *w->weight);
    ddn_split_plan_make(&w->plan, &ddn_split_stack);
    if (!ddn_standard_begin(&w->standard, best) ||
        !ddn_split_max_reserve(&w->chart, &w->plan, n + 1))
        return ddn_fail_memory(err);
    memset(w->place, -1, items * sizeof *w->place);
    return DODONA_OK;
}

#define CUBIC(symbol, title, about)                                                                \
    const ddn_oracle ddn_oracle_##symbol = {                                                       \
        .name = title,                                                                             \
        .summary = about,                                                                          \
        .everywhere = true,                                                                        \
        .any_tree = true,                                                                          \
        .one_root = true,                                                                          \
        .strategies = true,                                                                        \
        .max_words = MAX_WORDS,                                                                    \
        .size = sizeof(space),                                                                     \
        .serves = ddn_standard_serves,                                                             \
        .begin = begin,                                                                            \
        .fini = fini,                                                                              \
        .costs = ddn_standard_costs,                                                               \
        .value = ddn_standard_value,                                                               \
    }

CUBIC(cubic, "cubic", "parses stack and buffer, for any gold tree");
CUBIC(cubic_full, "cubic-full",
      "as cubic, with the whole buffer also where the gold tree is projective");
