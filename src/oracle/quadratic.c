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
#include "core/array.h"
#include "oracle/standard.h"

#include <stdlib.h>
#include <string.h>

typedef struct space {
    ddn_standard standard;
    ddn_standard_tree tree;
    ddn_standard_tables tables;
    int32_t (*row)[3];  /* [k + 1] score(i, j, s) at [j][s] */
    int32_t *other_row; /* [k + 1] score'(i, head of a_j) at [j] */
    size_t row_cap, other_cap;
} space;

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* score'(i, x) for the head x of every a_j above. */
static void raise_other_row(space *w, int32_t i, int32_t k)
{
    const ddn_spot *at = w->tables.spot, *here = &at[i];
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
    const ddn_spot *at = w->tables.spot, *here = &at[i];
    const int32_t *head = w->standard.gold->head;
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
    ddn_standard_tables_fill(&w->tables, standard->gold, &w->tree, c);
    memset(w->row, 0, size * sizeof *w->row);
    memset(w->other_row, 0, size * sizeof *w->other_row);
    for (int32_t i = 0; i < c->top; i++) {
        raise_other_row(w, i, c->top);
        raise_row(w, i, c);
    }
    return w->tree.inside[c->next] + w->row[c->top][DDN_NONE] + w->tables.spot[c->top].children;
}

static int open_space(const ddn_system *system, ddn_oracle_options options, void **out,
                      dodona_error *err)
{
    (void)system;
    int status = ddn_standard_many_roots("quadratic", options, err);
    if (status < 0)
        return status;
    space *w = calloc(1, sizeof *w);
    if (!w)
        return ddn_fail_memory(err);
    w->standard.options = options;
    w->standard.best = best;
    *out = w;
    return DODONA_OK;
}

static void close_space(void *sp)
{
    space *w = sp;
    ddn_standard_fini(&w->standard);
    ddn_standard_tree_fini(&w->tree);
    ddn_standard_tables_fini(&w->tables);
    free(w->row);
    free(w->other_row);
    free(w);
}

static int begin(void *sp, const ddn_gold *gold, dodona_error *err)
{
    space *w = sp;
    size_t need = (size_t)gold->n + 2;
    int status = ddn_standard_projective("quadratic", gold, err);
    if (status >= 0)
        status = ddn_standard_begin(&w->standard, gold, err);
    if (status >= 0)
        status = ddn_standard_tree_set(&w->tree, gold, err);
    if (status >= 0)
        status = ddn_standard_tables_room(&w->tables, gold->n, err);
    if (status >= 0 && (!ddn_reserve(&w->row, &w->row_cap, need, sizeof *w->row) ||
                        !ddn_reserve(&w->other_row, &w->other_cap, need, sizeof *w->other_row)))
        status = ddn_fail_memory(err);
    return status;
}

const ddn_oracle ddn_oracle_quadratic = {
    .name = "quadratic",
    .summary = "scores every pair of stack elements, for projective trees",
    .everywhere = true,
    .serves = ddn_standard_serves,
    .open = open_space,
    .close = close_space,
    .begin = begin,
    .costs = ddn_standard_costs,
    .value = ddn_standard_value,
};
