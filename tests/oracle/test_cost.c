/* SPDX-License-Identifier: MIT */
/* The oracle 'cost' on every configuration of arc-eager, arc-eager-nm and arc-hybrid and for every
 * projective gold tree, against two others: the walk of lib/enumerate.h, which finds the best end
 * from all configurations at once, and the oracle 'search', which tries every derivation from one.
 *
 * Costs are those of the plain systems, so there they must be exact.  Under a parser's legality
 * they rank the legal moves: on the way to the gold tree, a move costs nothing if and only if it
 * keeps that tree within reach. */
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/naive.h"

#include <string.h>

enum { N = 6, SEARCHED_IN_FULL = 4, MAX_MOVES = DDN_MAX_KINDS };

typedef struct comparison {
    const ddn_system *system;
    const ddn_oracle *cost, *search;
    ddn_oracle_space *cost_space, *search_space;
    test_golds golds;
    test_values values;
    ddn_rng rng; /* picks a gold tree where search can't take all */
    int64_t compared;
} comparison;

static void open_comparison(comparison *c, const char *system, int32_t n, unsigned filter)
{
    memset(c, 0, sizeof *c);
    c->system = ddn_system_find(system);
    assert_non_null(c->system);
    assert_int_equal(ddn_oracle_find(c->system, "cost", true, &c->cost, NULL), DODONA_OK);
    assert_int_equal(ddn_oracle_find(c->system, "search", true, &c->search, NULL), DODONA_OK);
    assert_int_equal(
        ddn_oracle_open(c->cost, c->system, (ddn_oracle_options){ 0 }, &c->cost_space, NULL),
        DODONA_OK);
    assert_int_equal(
        ddn_oracle_open(c->search, c->system, (ddn_oracle_options){ 0 }, &c->search_space, NULL),
        DODONA_OK);
    test_golds_init(&c->golds, n, filter);
    test_values_init(&c->values, &c->golds);
    ddn_rng_init(&c->rng, 5);
}

static void close_comparison(comparison *c)
{
    ddn_oracle_close(c->cost_space);
    ddn_oracle_close(c->search_space);
    test_values_fini(&c->values);
    test_golds_fini(&c->golds);
}

static void split(const test_step *step, int32_t m, ddn_move *moves)
{
    assert_true(m <= MAX_MOVES);
    for (int32_t i = 0; i < m; i++)
        moves[i] = step[i].move;
}

static void compare_with_search(comparison *c, const ddn_state *s, int32_t gold,
                                const ddn_move *moves, int32_t m, const int32_t *cost)
{
    int32_t other[MAX_MOVES];
    assert_int_equal(ddn_oracle_begin(c->search_space, &c->golds.gold[gold], NULL), DODONA_OK);
    c->search->costs(c->search_space, s, moves, m, other);
    for (int32_t i = 0; i < m; i++)
        assert_int_equal(cost[i], other[i]);
    assert_int_equal(c->cost->value(c->cost_space, s), c->search->value(c->search_space, s));
}

static void compare_gold(comparison *c, ddn_state *s, int32_t id, const test_step *step, int32_t m,
                         int32_t gold, bool search)
{
    int32_t cost[MAX_MOVES], value = test_value(&c->values, id, gold);
    ddn_move moves[MAX_MOVES];
    split(step, m, moves);
    assert_int_equal(ddn_oracle_begin(c->cost_space, &c->golds.gold[gold], NULL), DODONA_OK);
    assert_int_equal(c->cost->value(c->cost_space, s), value);
    c->cost->costs(c->cost_space, s, moves, m, cost);
    if (search)
        compare_with_search(c, s, gold, moves, m, cost);
    for (int32_t i = 0; i < m; i++) {
        ddn_undo undo;
        assert_int_equal(cost[i], value - test_value(&c->values, step[i].to, gold));
        c->system->apply(s, moves[i], &undo);
        assert_int_equal(c->cost->value(c->cost_space, s), value - cost[i]);
        ddn_state_revert(s, &undo);
        c->compared++;
    }
}

static void compare_exactly(void *ctx, ddn_state *s, int32_t id, const test_step *step, int32_t m)
{
    comparison *c = ctx;
    test_values_add(&c->values, c->system, s, id, step, m);
    int32_t one = (int32_t)ddn_rng_below(&c->rng, (uint64_t)c->golds.count);
    for (int32_t g = 0; g < c->golds.count; g++)
        compare_gold(c, s, id, step, m, g, s->n <= SEARCHED_IN_FULL || g == one);
}

static void costs_are_exact(const char *system, ddn_roots roots)
{
    for (int32_t n = 1; n <= N; n++) {
        comparison c;
        open_comparison(&c, system, n, TEST_PROJECTIVE);
        test_each_configuration(c.system, n, roots, NULL, compare_exactly, &c);
        assert_true(c.compared > 0);
        close_comparison(&c);
    }
}

static void eager_is_exact(void **state)
{
    (void)state;
    costs_are_exact("arc-eager", DDN_ROOTS_PLAIN);
}

static void eager_nm_is_exact(void **state)
{
    (void)state;
    costs_are_exact("arc-eager-nm", DDN_ROOTS_PLAIN);
}

static void hybrid_is_exact(void **state)
{
    (void)state;
    costs_are_exact("arc-hybrid", DDN_ROOTS_MANY);
}

static void rank(void *ctx, ddn_state *s, int32_t id, const test_step *step, int32_t m)
{
    comparison *c = ctx;
    int32_t cost[MAX_MOVES];
    ddn_move moves[MAX_MOVES];
    split(step, m, moves);
    test_values_add(&c->values, c->system, s, id, step, m);
    for (int32_t g = 0; g < c->golds.count; g++) {
        if (test_value(&c->values, id, g) < s->n || c->system->final(s))
            continue;
        int32_t free_moves = 0;
        assert_int_equal(ddn_oracle_begin(c->cost_space, &c->golds.gold[g], NULL), DODONA_OK);
        c->cost->costs(c->cost_space, s, moves, m, cost);
        for (int32_t i = 0; i < m; i++) {
            assert_int_equal(cost[i] == 0, test_value(&c->values, step[i].to, g) == s->n);
            free_moves += cost[i] == 0;
        }
        assert_true(free_moves > 0);
        c->compared++;
    }
}

static void costs_rank(const char *system, ddn_roots roots, unsigned filter)
{
    for (int32_t n = 1; n <= N; n++) {
        comparison c;
        open_comparison(&c, system, n, filter);
        test_each_configuration(c.system, n, roots, NULL, rank, &c);
        assert_true(c.compared > 0);
        close_comparison(&c);
    }
}

static void a_parser_finds_the_way(void **state)
{
    (void)state;
    costs_rank("arc-eager", DDN_ROOTS_ONE, TEST_PROJECTIVE | TEST_ONE_ROOT);
    costs_rank("arc-eager", DDN_ROOTS_MANY, TEST_PROJECTIVE);
    costs_rank("arc-eager-nm", DDN_ROOTS_ONE, TEST_PROJECTIVE | TEST_ONE_ROOT);
    costs_rank("arc-eager-nm", DDN_ROOTS_MANY, TEST_PROJECTIVE);
    costs_rank("arc-hybrid", DDN_ROOTS_ONE, TEST_PROJECTIVE | TEST_ONE_ROOT);
}

static void crossing_trees_are_refused(void **state)
{
    (void)state;
    comparison c;
    open_comparison(&c, "arc-eager", 4, TEST_ALL);
    int32_t refused = 0;
    for (int32_t g = 0; g < c.golds.count; g++) {
        dodona_error err = { 0 };
        int status = ddn_oracle_begin(c.cost_space, &c.golds.gold[g], &err);
        if (test_is_projective(c.golds.gold[g].head, 4)) {
            assert_int_equal(status, DODONA_OK);
            continue;
        }
        assert_int_equal(status, DODONA_E_INPUT);
        assert_int_equal(err.code, DODONA_E_INPUT);
        assert_non_null(strstr(err.message, "not projective"));
        refused++;
    }
    assert_int_equal(refused, 125 - 55);
    close_comparison(&c);
}

static void other_systems_are_refused(void **state)
{
    (void)state;
    const ddn_oracle *oracle = NULL;
    dodona_error err = { 0 };
    const ddn_system *standard = ddn_system_find("arc-standard");
    assert_int_equal(ddn_oracle_find(standard, "cost", false, &oracle, &err), DODONA_E_ARGUMENT);
    assert_null(oracle);
    assert_non_null(strstr(err.message, "arc-standard"));
    assert_int_equal(ddn_oracle_find(standard, "delphi", false, &oracle, &err), DODONA_E_ARGUMENT);
    assert_non_null(strstr(err.message, "delphi"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eager_is_exact),
        cmocka_unit_test(eager_nm_is_exact),
        cmocka_unit_test(hybrid_is_exact),
        cmocka_unit_test(a_parser_finds_the_way),
        cmocka_unit_test(crossing_trees_are_refused),
        cmocka_unit_test(other_systems_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
