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
#include "core/array.h"
#include "oracle/standard.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 2000 }; /* so that the tables take 150 megabytes at most */

typedef struct space {
    ddn_standard standard;
    bool reduce; /* to critical words, where that is right */
    ddn_split_plan plan;
    ddn_split_max chart;
    int32_t *item;   /* [N + 1] stack and buffer */
    uint8_t *kind;   /* [N + 1] */
    int32_t *weight; /* [N + 1][N + 1] */
    int32_t *place;  /* [n + 1] index of each item's word */
    bool *mark;      /* [n + 1] */
    size_t item_cap, kind_cap, weight_cap, place_cap, mark_cap;
} space;

/* The items: the stack, and the words of the buffer that matter; returns how many. */
static int32_t list_items(space *w, const ddn_after *c)
{
    const ddn_gold *g = w->standard.gold;
    int32_t m = c->top + 1;
    memcpy(w->item, c->stack, (size_t)m * sizeof *w->item);
    if (w->reduce && g->projective)
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
    const int32_t *head = w->standard.gold->head;
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
    bool one_root = standard->options.one_root;
    int32_t size = list_items(w, c), rest = standard->gold->n + c->top + 2 - c->next - size;
    if (size == 1)
        return !one_root || c->roots == 1 ? rest : -1;
    if (one_root && c->roots)
        return -1;
    weigh(w, c, size);
    ddn_split_input in = { &w->plan, w->kind, size - 1, one_root };
    int32_t v = ddn_split_max_value(&w->chart, &in, w->weight);
    return v < 0 ? -1 : v + rest;
}

static int open_space(ddn_oracle_options options, bool reduce, void **out, dodona_error *err)
{
    space *w = calloc(1, sizeof *w);
    if (!w)
        return ddn_fail_memory(err);
    w->standard.options = options;
    w->standard.best = best;
    w->reduce = reduce;
    ddn_split_plan_make(&w->plan, &ddn_split_stack);
    ddn_split_max_init(&w->chart);
    *out = w;
    return DODONA_OK;
}

static int open_reduced(const ddn_system *system, ddn_oracle_options options, void **out,
                        dodona_error *err)
{
    (void)system;
    return open_space(options, true, out, err);
}

static int open_full(const ddn_system *system, ddn_oracle_options options, void **out,
                     dodona_error *err)
{
    (void)system;
    return open_space(options, false, out, err);
}

static void close_space(void *sp)
{
    space *w = sp;
    ddn_standard_fini(&w->standard);
    ddn_split_max_fini(&w->chart);
    free(w->item);
    free(w->kind);
    free(w->weight);
    free(w->place);
    free(w->mark);
    free(w);
}

static int begin(void *sp, const ddn_gold *gold, dodona_error *err)
{
    space *w = sp;
    size_t items = (size_t)gold->n + 2;
    if (gold->n > MAX_WORDS)
        return ddn_fail(err, DODONA_E_LIMIT,
                        "the oracle 'cubic' takes sentences of at most %d words; this one has %d",
                        MAX_WORDS, (int)gold->n);
    if (!ddn_reserve(&w->item, &w->item_cap, items, sizeof *w->item) ||
        !ddn_reserve(&w->kind, &w->kind_cap, items, sizeof *w->kind) ||
        !ddn_reserve(&w->place, &w->place_cap, items, sizeof *w->place) ||
        !ddn_reserve(&w->mark, &w->mark_cap, items, sizeof *w->mark) ||
        !ddn_reserve(&w->weight, &w->weight_cap, items * items, sizeof *w->weight) ||
        !ddn_split_max_reserve(&w->chart, &w->plan, gold->n + 1))
        return ddn_fail_memory(err);
    memset(w->mark, 0, items * sizeof *w->mark);
    for (size_t i = 0; i < items; i++)
        w->place[i] = -1;
    return ddn_standard_begin(&w->standard, gold, err);
}

const ddn_oracle ddn_oracle_cubic = {
    .name = "cubic",
    .summary = "parses stack and buffer, for any gold tree",
    .everywhere = true,
    .any_tree = true,
    .serves = ddn_standard_serves,
    .open = open_reduced,
    .close = close_space,
    .begin = begin,
    .costs = ddn_standard_costs,
    .value = ddn_standard_value,
};

const ddn_oracle ddn_oracle_cubic_full = {
    .name = "cubic-full",
    .summary = "as cubic, with the whole buffer also where the gold tree is projective",
    .everywhere = true,
    .any_tree = true,
    .serves = ddn_standard_serves,
    .open = open_full,
    .close = close_space,
    .begin = begin,
    .costs = ddn_standard_costs,
    .value = ddn_standard_value,
};
