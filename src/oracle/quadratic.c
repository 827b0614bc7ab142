/* SPDX-License-Identifier: MIT */
/* quadratic.c - the optimal step of arc-standard in quadratic time, for projective gold trees.
 *
 * Counts gold arcs other than those within the buffer, which can all be made (Nederhof 2019,
 * section 5):
 *   score(i, j, s)   from the stack a_0..a_i a_j, where the component of the buffer that a_j waits
 *                    for is in the state s; the best of
 *       a_i takes a_j, and all its children in the buffer
 *       a_j takes a_i
 *       the head of a_j comes from the buffer and takes a_j
 *   score'(i, x)     from the stack a_0..a_i x, x a critical word; the better of
 *       a_i becomes a child of its head in x's component, or of x
 *       a_i takes x, and all its children in the buffer
 *
 * Both need only the scores for i - 1, so there is one row for each, and i increases.  Every x that
 * is needed is the head of some a_j, and j stands for it.  O(k) for the tables, O(k^2) for the
 * rows; the buffer's length does not matter. */
#include "oracle/standard.h"

#include <string.h>

typedef struct space {
    ddn_standard standard;
    int32_t (*row)[3];  /* [k + 1] score(i, j, s) at [j][s] */
    int32_t *other_row; /* [k + 1] score'(i, head of a_j) at [j] */
} space;

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* score'(i, x) for the head x of every a_j above. */
static void raise_other_row(space *w, int32_t i, int32_t k)
{
    const ddn_spot *at = w->standard.spot, *here = &at[i];
    for (int32_t j = i + 1; j <= k; j++) {
        if (!at[j].head)
            continue;
        int state = ddn_standard_turn(DDN_CONSUMED, here, at[j].head, at[j].part);
        bool gold = here->head && here->part == at[j].part;
        int32_t takes = here->children + w->row[i][state];
        w->other_row[j] = larger(takes, gold ? 1 + w->other_row[i] : w->other_row[j]);
    }
}

static void raise_row(space *w, int32_t i, const ddn_after *c)
{
    const ddn_spot *at = w->standard.spot, *here = &at[i];
    const int32_t *head = w->standard.base.gold->head;
    for (int32_t j = i + 1; j <= c->top; j++)
        for (int state = DDN_NONE; state <= DDN_FRESH; state++) {
            int next = ddn_standard_turn(state, here, at[j].waits, at[j].waits_part);
            bool spent = here->child && here->child == at[j].waits_part && state != DDN_NONE;
            int32_t best =
                here->children - spent + (head[at[j].word] == here->word) + w->row[i][next];
            if (!ddn_after_no_left(c, j))
                best = larger(best, (head[here->word] == at[j].word) + w->row[j][state]);
            if (at[j].head && state != DDN_CONSUMED)
                best = larger(best, (state == DDN_NONE) + w->other_row[j]);
            w->row[j][state] = best;
        }
}

static int32_t best(ddn_standard *standard, const ddn_after *c)
{
    space *w = (space *)standard;
    size_t size = (size_t)c->top + 1;
    ddn_standard_fill(standard, c);
    memset(w->row, 0, size * sizeof *w->row);
    memset(w->other_row, 0, size * sizeof *w->other_row);
    for (int32_t i = 0; i < c->top; i++) {
        raise_other_row(w, i, c->top);
        raise_row(w, i, c);
    }
    return standard->tree.inside[c->next] + w->row[c->top][DDN_NONE] +
           w->standard.spot[c->top].children;
}

static int begin(void *sp, dodona_error *err)
{
    space *w = sp;
    ddn_arena *a = &w->standard.base.arena;
    size_t need = (size_t)w->standard.base.gold->n + 2;
    w->row = ddn_arena_take(a, need, sizeof *w->row);
    w->other_row = ddn_arena_take(a, need, sizeof *w->other_row);
    return ddn_standard_begin(&w->standard, best) ? DODONA_OK : ddn_fail_memory(err);
}

const ddn_oracle ddn_oracle_quadratic = {
    .name = "quadratic",
    .summary = "scores every pair of stack elements, for projective trees",
    .everywhere = true,
    .strategies = true,
    .size = sizeof(space),
    .serves = ddn_standard_serves,
    .begin = begin,
    .costs = ddn_standard_costs,
    .value = ddn_standard_value,
};
