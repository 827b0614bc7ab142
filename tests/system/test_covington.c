/* SPDX-License-Identifier: MIT */
/* Covington's systems on every configuration of short sentences: moves do to heads what Figures 1
 * and 2 of Fernandez-Gonzalez and Gomez-Rodriguez 2017 say, and with one root exactly those moves
 * are legal after which a tree with one root can be reached. */
#include "core/array.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/naive.h"
#include "system/kinds.h"

#include <stdlib.h>
#include <string.h>

enum { N = 5 };

/* ---- The figures ---- */

/* Whether a path of any length leads from a to b: a is b, or leads to b's head. */
static bool path(const int32_t *head, int32_t a, int32_t b)
{
    return a == b || (head[b] >= 0 && path(head, a, head[b]));
}

static bool legal_in_figure_1(const int32_t *head, int32_t x, int32_t y)
{
    return head[y] < 0 && !path(head, y, x);
}

/* The arc x -> y takes the place of y's head, and of x's where that closes a cycle. */
static void arc_of_figure_2(int32_t *head, int32_t x, int32_t y)
{
    bool cycle = head[x] >= 0 && path(head, y, head[x]);
    head[y] = x;
    if (cycle)
        head[x] = -1;
}

typedef struct walking {
    const ddn_system *system;
    bool monotonic;
    int64_t replaced, broken; /* heads, by moves of figure 2 */
} walking;

static void check_step(walking *w, ddn_state *s, ddn_move m)
{
    int32_t want[N + 1], got[N + 1], i = s->left, j = s->next;
    ddn_undo undo;
    test_heads(s, want);
    int32_t x = m.kind == DDN_COVINGTON_LEFT ? j : i, y = m.kind == DDN_COVINGTON_LEFT ? i : j;
    bool arc = m.kind == DDN_COVINGTON_LEFT || m.kind == DDN_COVINGTON_RIGHT;
    if (arc) {
        w->replaced += want[y] >= 0;
        arc_of_figure_2(want, x, y);
        w->broken += want[x] != s->node[x].head;
    }
    w->system->apply(s, m, &undo);
    test_heads(s, got);
    assert_memory_equal(got, want, ((size_t)s->n + 1) * sizeof *got);
    assert_int_equal(s->left, m.kind == DDN_COVINGTON_SHIFT ? j : i - 1);
    assert_int_equal(s->next, m.kind == DDN_COVINGTON_SHIFT ? j + 1 : j);
    ddn_state_revert(s, &undo);
}

static void compare_with_figures(void *ctx, ddn_state *s, int32_t id, const test_step *step,
                                 int32_t m)
{
    walking *w = ctx;
    int32_t head[N + 1], i = s->left, j = s->next;
    uint32_t want = 0;
    (void)id;
    test_heads(s, head);
    if (j <= s->n)
        want |= 1u << DDN_COVINGTON_SHIFT;
    if (j <= s->n && i > 0) {
        want |= 1u << DDN_COVINGTON_NONE;
        if (!w->monotonic || legal_in_figure_1(head, j, i))
            want |= 1u << DDN_COVINGTON_LEFT;
        if (!w->monotonic || legal_in_figure_1(head, i, j))
            want |= 1u << DDN_COVINGTON_RIGHT;
    }
    assert_int_equal(w->system->legal(s), want);
    for (int32_t k = 0; k < m; k++)
        check_step(w, s, step[k].move);
}

static void moves_are_those_of_the_figures(void **state)
{
    (void)state;
    static const char *const systems[] = { "covington", "covington-nm" };
    for (int k = 0; k < 2; k++)
        for (int32_t n = 1; n <= N; n++) {
            walking w = { .system = ddn_system_find(systems[k]), .monotonic = k == 0 };
            test_each_configuration(w.system, n, DDN_ROOTS_PLAIN, NULL, compare_with_figures, &w);
            assert_int_equal(w.replaced > 0, k == 1 && n >= 3);
            assert_int_equal(w.broken > 0, k == 1 && n >= 3);
        }
}

/* ---- One root ---- */

typedef struct futures {
    const ddn_system *system;
    bool *one; /* [id] an end with one root can be reached */
    size_t cap;
} futures;

static void compare_with_futures(void *ctx, ddn_state *s, int32_t id, const test_step *step,
                                 int32_t m)
{
    futures *f = ctx;
    assert_true(ddn_reserve(&f->one, &f->cap, (size_t)id + 1, sizeof *f->one));
    int32_t roots = 0;
    uint32_t want = 0;
    for (int32_t d = 1; d <= s->n; d++)
        roots += s->node[d].head < 0;
    for (int32_t k = 0; k < m; k++)
        want |= (uint32_t)f->one[step[k].to] << step[k].move.kind;
    f->one[id] = m ? want != 0 : roots == 1;
    if (!f->one[id])
        return; /* nobody comes here */
    s->roots = DDN_ROOTS_ONE;
    assert_int_equal(f->system->legal(s), want);
    s->roots = DDN_ROOTS_MANY;
}

static void one_root_forbids_dead_ends_alone(void **state)
{
    (void)state;
    static const char *const systems[] = { "covington", "covington-nm" };
    for (int k = 0; k < 2; k++)
        for (int32_t n = 1; n <= N; n++) {
            futures f = { .system = ddn_system_find(systems[k]) };
            test_each_configuration(f.system, n, DDN_ROOTS_MANY, NULL, compare_with_futures, &f);
            free(f.one);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_those_of_the_figures),
        cmocka_unit_test(one_root_forbids_dead_ends_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
