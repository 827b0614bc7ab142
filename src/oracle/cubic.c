/* SPDX-License-Identifier: MIT */
#include "core/array.h"
#include "oracle/standard.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 2000, NEVER = -(1 << 20) };

typedef struct space {
    ddn_standard standard;
    bool reduce;         /* to critical words, where that is right */
    int32_t *item;       /* [N + 1] stack and buffer */
    int32_t *left;       /* [i][j] */
    int32_t *right;      /* [i][j] */
    int32_t *meet_left;  /* [i][j] */
    int32_t *meet_right; /* [i][j] */
    bool *mark;          /* [n + 1] */
    size_t item_cap, left_cap, right_cap, meet_left_cap, meet_right_cap, mark_cap;
} space;

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* w(i, j): what an arc from item i to item j is worth. */
static int32_t arc(const space *w, const ddn_after *c, int32_t i, int32_t j)
{
    if (j < i ? ddn_after_no_left(c, i) : i == c->no_right)
        return NEVER;
    return w->standard.gold->head[w->item[j]] == w->item[i];
}

/* Fills the cells of the span i..j, all shorter ones being there.  Items below the top are of kind
 * P, whose processes are there on the diagonal only and worth 0; all else is S. */
static void fill(space *w, const ddn_after *c, int32_t i, int32_t j, int32_t size)
{
#define AT(table, x, y) (w->table[(size_t)(x) * (size_t)size + (size_t)(y)])
    bool p_i = i < c->top, p_j = j < c->top;
    int32_t ss = NEVER, ps = p_i ? AT(left, i + 1, j) : NEVER;
    int32_t sp = p_j ? AT(right, i, j - 1) : NEVER, pp = p_i && p_j && j == i + 1 ? 0 : NEVER;
    for (int32_t k = i; k < j; k++)
        ss = larger(ss, AT(right, i, k) + AT(left, k + 1, j));
    AT(meet_left, i, j) = larger(NEVER, ss + arc(w, c, j, i));
    AT(meet_right, i, j) = larger(NEVER, larger(larger(ss, ps), larger(sp, pp)) + arc(w, c, i, j));
    int32_t l = p_i ? larger(larger(ss, ps), pp) + arc(w, c, j, i) : NEVER, r = NEVER;
    for (int32_t k = i; k < j; k++)
        l = larger(l, AT(left, i, k) + AT(meet_left, k, j));
    for (int32_t k = i + 1; k <= j; k++)
        r = larger(r, AT(meet_right, i, k) + AT(right, k, j));
    AT(left, i, j) = larger(NEVER, l);
    AT(right, i, j) = larger(NEVER, r);
#undef AT
}

/* The root takes one child k, directly: what is left of k belongs to k, and what is right of it. */
static int32_t one_root(const space *w, const ddn_after *c, int32_t last)
{
    int32_t best = NEVER;
    size_t size = (size_t)last + 1;
    if (last == 0)
        return c->roots == 1 ? 0 : NEVER;
    if (c->roots)
        return NEVER;
    for (int32_t k = 1; k <= last; k++) {
        int32_t left = w->left[size + (size_t)k];
        if (k == 1 && k < c->top)
            left = 0;
        best = larger(best, left + arc(w, c, 0, k) + w->right[(size_t)k * size + (size_t)last]);
    }
    return best;
}

static int32_t best(ddn_standard *standard, const ddn_after *c)
{
    space *w = (space *)standard;
    int32_t n = standard->gold->n, *buffer = w->item + c->top + 1, m = 0;
    memcpy(w->item, c->stack, ((size_t)c->top + 1) * sizeof *w->item);
    if (w->reduce && standard->gold->projective)
        m = ddn_standard_critical(standard->gold, c->next, w->mark, buffer);
    else
        for (int32_t x = c->next; x <= n; x++)
            buffer[m++] = x;
    int32_t size = c->top + 1 + m, rest = n + 1 - c->next - m;
    for (int32_t i = 0; i < size; i++) {
        size_t at = (size_t)i * (size_t)(size + 1);
        w->left[at] = w->right[at] = i < c->top ? NEVER : 0;
        w->meet_left[at] = w->meet_right[at] = NEVER;
    }
    for (int32_t j = 1; j < size; j++)
        for (int32_t i = j - 1; i >= 0; i--)
            fill(w, c, i, j, size);
    int32_t v = standard->options.one_root ? one_root(w, c, size - 1) : w->right[size - 1];
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
    free(w->item);
    free(w->left);
    free(w->right);
    free(w->meet_left);
    free(w->meet_right);
    free(w->mark);
    free(w);
}

static int begin(void *sp, const ddn_gold *gold, dodona_error *err)
{
    space *w = sp;
    size_t items = (size_t)gold->n + 2, cells = items * items;
    if (gold->n > MAX_WORDS)
        return ddn_fail(err, DODONA_E_LIMIT,
                        "the oracle 'cubic' takes sentences of at most %d words; this one has %d",
                        MAX_WORDS, (int)gold->n);
    if (!ddn_reserve(&w->item, &w->item_cap, items, sizeof *w->item) ||
        !ddn_reserve(&w->mark, &w->mark_cap, items, sizeof *w->mark) ||
        !ddn_reserve(&w->left, &w->left_cap, cells, sizeof *w->left) ||
        !ddn_reserve(&w->right, &w->right_cap, cells, sizeof *w->right) ||
        !ddn_reserve(&w->meet_left, &w->meet_left_cap, cells, sizeof *w->meet_left) ||
        !ddn_reserve(&w->meet_right, &w->meet_right_cap, cells, sizeof *w->meet_right))
        return ddn_fail_memory(err);
    memset(w->mark, 0, items * sizeof *w->mark);
    return ddn_standard_begin(&w->standard, gold, err);
}

const ddn_oracle ddn_oracle_cubic = {
    .name = "cubic",
    .summary = "parses stack and buffer, for any gold tree",
    .everywhere = true,
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
    .serves = ddn_standard_serves,
    .open = open_full,
    .close = close_space,
    .begin = begin,
    .costs = ddn_standard_costs,
    .value = ddn_standard_value,
};
