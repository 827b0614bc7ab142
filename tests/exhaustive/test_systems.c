/* SPDX-License-Identifier: MIT */
/* Every system that is listed, walked through every configuration of short sentences.
 *
 * From each a legal move exists until the end; the end is a tree, with one root where that is
 * asked; the trees at the ends are exactly the system's class; no computation is longer than
 * promised; the shift and no other move reads a word without an arc; a move does what its arc says,
 * can be taken back without a trace, and leaves links, valencies and sets of labels as they would
 * be if computed afresh. */
#include "core/array.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/naive.h"
#include "tree/tree.h"

#include <stdlib.h>
#include <string.h>

enum { N = 5 };

/* How many trees of 1..N words a system reaches.  A new system brings its line. */
static const struct {
    const char *name;
    int32_t one[N], many[N];
} class_of[] = {
    { "arc-standard", { 1, 2, 7, 30, 143 }, { 1, 3, 12, 55, 273 } },
    { "arc-eager", { 1, 2, 7, 30, 143 }, { 1, 3, 12, 55, 273 } },
    { "arc-hybrid", { 1, 2, 7, 30, 143 }, { 1, 3, 12, 55, 273 } },
    { "lr-spine", { 1, 2, 7, 30, 143 }, { 1, 3, 12, 55, 273 } },
    { "arc-eager-nm", { 1, 2, 7, 30, 143 }, { 1, 3, 12, 55, 273 } },
    { "covington", { 1, 2, 9, 64, 625 }, { 1, 3, 16, 125, 1296 } },
    { "covington-nm", { 1, 2, 9, 64, 625 }, { 1, 3, 16, 125, 1296 } },
    { "attardi", { 1, 2, 9, 59, 475 }, { 1, 3, 16, 117, 1011 } },
    { "alldeg1", { 1, 2, 9, 60, 501 }, { 1, 3, 16, 119, 1067 } },
    { "all", { 1, 2, 9, 62, 559 }, { 1, 3, 16, 122, 1177 } },
    { "alls0s1", { 1, 2, 9, 60, 500 }, { 1, 3, 16, 119, 1069 } },
    { "attardi:1", { 1, 2, 7, 30, 143 }, { 1, 3, 12, 55, 273 } },
    { "attardi:2", { 1, 2, 9, 59, 475 }, { 1, 3, 16, 117, 1011 } },
    { "attardi:3", { 1, 2, 9, 62, 563 }, { 1, 3, 16, 123, 1218 } },
    { "attardi:4", { 1, 2, 9, 62, 569 }, { 1, 3, 16, 123, 1230 } },
    { "attardi:7", { 1, 2, 9, 62, 569 }, { 1, 3, 16, 123, 1230 } },
    { "s1<s0+s0<s1+s1<b0", { 1, 2, 8, 44, 288 }, { 1, 3, 14, 82, 552 } },
};

static int32_t class_size(const ddn_system *system, ddn_roots roots, int32_t n)
{
    for (size_t i = 0; i < sizeof class_of / sizeof *class_of; i++)
        if (strcmp(class_of[i].name, system->name) == 0)
            return (roots == DDN_ROOTS_ONE ? class_of[i].one : class_of[i].many)[n - 1];
    fail_msg("%s is listed in systems.def but class_of does not say how many trees it reaches",
             system->name);
    return 0;
}

typedef struct census {
    const ddn_system *system;
    ddn_roots roots;
    bool *reached;    /* [(n+1)^n] by the number of a tree */
    int64_t *longest; /* [id] moves from here to the last end */
    size_t longest_cap;
    ddn_state before;
} census;

static int32_t number_of(const int32_t *head, int32_t n)
{
    int32_t number = 0;
    for (int32_t d = 1; d <= n; d++)
        number = number * (n + 1) + head[d];
    return number;
}

static void check_end(census *c, const ddn_state *s)
{
    if (s->roots == DDN_ROOTS_PLAIN)
        return;
    int32_t head[N + 1], mark[N + 1];
    bool one = s->roots == DDN_ROOTS_ONE;
    for (int32_t d = 1; d <= s->n; d++)
        head[d] = ddn_system_head(c->system, s, d);
    assert_true(test_is_tree(head, s->n, one));
    assert_int_equal(ddn_tree_check(head, s->n, one, mark, NULL), DDN_TREE_OK);
    c->reached[number_of(head, s->n)] = true;
}

static void check_move(census *c, ddn_state *s, ddn_move m)
{
    ddn_undo undo;
    ddn_arc arc = { -1, -1 };
    if (c->system->kind[m.kind].makes_arc)
        arc = c->system->arc(s, m.kind, m.pos);
    assert_int_equal(ddn_state_copy(&c->before, s, NULL), DODONA_OK);
    c->system->apply(s, m, &undo);
    test_state_sound(s);
    bool reads = s->next > c->before.next;
    assert_int_equal(m.kind == c->system->shift, reads && arc.head < 0);
    if (arc.head >= 0) {
        assert_int_equal(s->node[arc.child].head, arc.head);
        assert_int_equal(s->node[arc.child].label, m.label);
    }
    ddn_state_revert(s, &undo);
    test_states_equal(s, &c->before);
}

static void inspect(void *ctx, ddn_state *s, int32_t id, const test_step *step, int32_t m)
{
    census *c = ctx;
    test_state_sound(s);
    assert_true(ddn_reserve(&c->longest, &c->longest_cap, (size_t)id + 1, sizeof *c->longest));
    c->longest[id] = 0;
    if (c->system->final(s)) {
        check_end(c, s);
        return;
    }
    if (m == 0)
        fail_msg("%s has a dead end, %d words", c->system->name, (int)s->n);
    for (int32_t i = 0; i < m; i++) {
        check_move(c, s, step[i].move);
        if (c->longest[step[i].to] + 1 > c->longest[id])
            c->longest[id] = c->longest[step[i].to] + 1;
    }
}

typedef struct comparison {
    const census *census;
    int32_t n, count;
} comparison;

static void compare(void *ctx, const int32_t *head)
{
    comparison *c = ctx;
    int32_t scratch[2 * (N + 1)];
    bool reached = c->census->reached[number_of(head, c->n)];
    c->count += reached;
    if (c->census->system->projective)
        assert_int_equal(reached, test_is_projective(head, c->n));
    assert_int_equal(reached, ddn_system_reaches(c->census->system, head, c->n, scratch));
}

static void walk_system(const ddn_system *system, ddn_roots roots, int32_t n)
{
    size_t trees = 1;
    for (int32_t d = 0; d < n; d++)
        trees *= (size_t)n + 1;
    census c = { .system = system, .roots = roots };
    c.reached = calloc(trees, sizeof *c.reached);
    assert_non_null(c.reached);
    ddn_state_init(&c.before);
    ddn_rng labels;
    ddn_rng_init(&labels, 11);
    int32_t configurations = test_each_configuration(system, n, roots, &labels, inspect, &c);
    assert_true(c.longest[configurations - 1] <= system->max_moves(n));
    if (roots != DDN_ROOTS_PLAIN) {
        comparison k = { .census = &c, .n = n };
        test_each_tree(n, roots == DDN_ROOTS_ONE ? TEST_ONE_ROOT : TEST_ALL, compare, &k);
        assert_int_equal(k.count, class_size(system, roots, n));
    }
    free(c.reached);
    free(c.longest);
    ddn_state_fini(&c.before);
}

static void walk_all(ddn_roots roots)
{
    for (int i = 0; ddn_systems[i]; i++)
        for (int32_t n = 1; n <= N; n++)
            walk_system(ddn_systems[i], roots, n);
}

/* Those that are found by name but not listed. */
static void variants(void **state)
{
    (void)state;
    static const char *const names[] = { "attardi:1", "attardi:2", "attardi:3",
                                         "attardi:4", "attardi:7", "s1<s0+s0<s1+s1<b0" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int32_t n = 1; n <= N; n++) {
            walk_system(ddn_system_find(names[i]), DDN_ROOTS_ONE, n);
            walk_system(ddn_system_find(names[i]), DDN_ROOTS_MANY, n);
        }
}

static void with_one_root(void **state)
{
    (void)state;
    walk_all(DDN_ROOTS_ONE);
}

static void with_many_roots(void **state)
{
    (void)state;
    walk_all(DDN_ROOTS_MANY);
}

/* No demand on the end, but moves must work there too: oracles walk the plain systems. */
static void as_the_papers_have_them(void **state)
{
    (void)state;
    walk_all(DDN_ROOTS_PLAIN);
}

static void names_find_systems(void **state)
{
    (void)state;
    for (int i = 0; ddn_systems[i]; i++) {
        assert_ptr_equal(ddn_system_find(ddn_systems[i]->name), ddn_systems[i]);
        assert_in_range(ddn_systems[i]->kinds, 1, DDN_MAX_KINDS);
        for (int k = 0; k < ddn_systems[i]->kinds; k++)
            assert_non_null(ddn_systems[i]->kind[k].name);
    }
    assert_null(ddn_system_find("no-such-system"));
    static const char *const none[] = { "attardi:", "attardi:0", "attardi:8", "s1<s9",
                                        "s1<s0+s2<s1" };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(ddn_system_find(none[i]));
    const ddn_system *one = ddn_system_find("attardi:1"),
                     *near = ddn_system_find("s1<b0,s0<s1,s1<s0");
    assert_ptr_equal(ddn_system_find("s0<s1+s1<s0"), one);
    assert_non_null(near);
    assert_ptr_equal(ddn_system_find(near->name), near);
}

/* The enumeration itself, by Cayley's formulas. */
static void count(void *ctx, const int32_t *head)
{
    (void)head;
    ++*(int *)ctx;
}

static void trees_are_counted(void **state)
{
    (void)state;
    static const int all[] = { 1, 3, 16, 125, 1296 }, one[] = { 1, 2, 9, 64, 625 };
    for (int n = 1; n <= N; n++) {
        int found = 0;
        test_each_tree(n, TEST_ALL, count, &found);
        assert_int_equal(found, all[n - 1]);
        found = 0;
        test_each_tree(n, TEST_ONE_ROOT, count, &found);
        assert_int_equal(found, one[n - 1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_counted),       cmocka_unit_test(names_find_systems),
        cmocka_unit_test(with_one_root),           cmocka_unit_test(with_many_roots),
        cmocka_unit_test(as_the_papers_have_them), cmocka_unit_test(variants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
