/* SPDX-License-Identifier: MIT */
/* The reference itself: the oracle 'search' goes down every computation from one configuration, the
 * walk of lib/enumerate.h comes up from the ends of all.  They agree for every listed system, every
 * kind of end and every gold tree, projective or not. */
#include "lib/check.h"
#include "lib/enumerate.h"

#include <string.h>

enum { N = 4, MAX_MOVES = DDN_MAX_KINDS * (N + 1) };

typedef struct comparison {
    const ddn_system *system;
    const ddn_oracle *search;
    void *space;
    test_golds golds;
    test_values values;
} comparison;

static void compare(void *ctx, ddn_state *s, int32_t id, const test_step *step, int32_t m)
{
    comparison *c = ctx;
    ddn_move moves[MAX_MOVES];
    int32_t cost[MAX_MOVES];
    for (int32_t i = 0; i < m; i++)
        moves[i] = step[i].move;
    test_values_add(&c->values, c->system, s, id, step, m);
    for (int32_t g = 0; g < c->golds.count; g++) {
        int32_t value = test_value(&c->values, id, g);
        assert_int_equal(c->search->begin(c->space, &c->golds.gold[g], NULL), DODONA_OK);
        assert_int_equal(c->search->value(c->space, s), value);
        c->search->costs(c->space, s, moves, m, cost);
        for (int32_t i = 0; i < m; i++) {
            int32_t after = test_value(&c->values, step[i].to, g);
            assert_int_equal(cost[i], after < 0 ? DDN_COST_DEAD : value - after);
        }
    }
}

static void compare_all(ddn_roots roots)
{
    for (int i = 0; ddn_systems[i]; i++)
        for (int32_t n = 1; n <= N; n++) {
            comparison c = { .system = ddn_systems[i] };
            assert_int_equal(ddn_oracle_find(c.system, "search", true, &c.search, NULL), DODONA_OK);
            assert_int_equal(c.search->open(c.system, &c.space, NULL), DODONA_OK);
            test_golds_init(&c.golds, n, TEST_ALL);
            test_values_init(&c.values, &c.golds);
            test_each_configuration(c.system, n, roots, NULL, compare, &c);
            test_values_fini(&c.values);
            test_golds_fini(&c.golds);
            c.search->close(c.space);
        }
}

static void with_one_root(void **state)
{
    (void)state;
    compare_all(DDN_ROOTS_ONE);
}

static void with_many_roots(void **state)
{
    (void)state;
    compare_all(DDN_ROOTS_MANY);
}

static void as_the_papers_have_them(void **state)
{
    (void)state;
    compare_all(DDN_ROOTS_PLAIN);
}

static void long_sentences_are_refused(void **state)
{
    (void)state;
    comparison c = { .system = ddn_systems[0] };
    int32_t head[12] = { -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
    ddn_gold gold;
    ddn_gold_init(&gold);
    assert_int_equal(ddn_oracle_find(c.system, "search", true, &c.search, NULL), DODONA_OK);
    assert_int_equal(c.search->open(c.system, &c.space, NULL), DODONA_OK);
    dodona_error err = { 0 };
    assert_int_equal(ddn_gold_set(&gold, head, NULL, 11, NULL), DODONA_OK);
    assert_int_equal(c.search->begin(c.space, &gold, &err), DODONA_E_LIMIT);
    assert_non_null(strstr(err.message, "11"));
    assert_int_equal(ddn_gold_set(&gold, head, NULL, 10, NULL), DODONA_OK);
    assert_int_equal(c.search->begin(c.space, &gold, &err), DODONA_OK);
    c.search->close(c.space);
    ddn_gold_fini(&gold);
}

/* A gold tree's children, by hand: heads 2 0 2 5 2. */
static void gold_children_are_in_order(void **state)
{
    (void)state;
    const int32_t head[] = { -1, 2, 0, 2, 5, 2 };
    const int32_t first[] = { 0, 1, 1, 4, 4, 4, 5 }, child[] = { 2, 1, 3, 5, 4 };
    ddn_gold gold;
    ddn_gold_init(&gold);
    assert_int_equal(ddn_gold_set(&gold, head, NULL, 5, NULL), DODONA_OK);
    for (int i = 0; i <= 6; i++)
        assert_int_equal(gold.first[i], first[i]);
    for (int i = 0; i < 5; i++)
        assert_int_equal(gold.child[i], child[i]);
    assert_true(gold.projective);
    ddn_gold_fini(&gold);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gold_children_are_in_order),
        cmocka_unit_test(long_sentences_are_refused),
        cmocka_unit_test(with_one_root),
        cmocka_unit_test(with_many_roots),
        cmocka_unit_test(as_the_papers_have_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
