/* SPDX-License-Identifier: MIT */
/* The dynamic oracle of LR-spine.  It agrees with enumeration on every configuration that can be
 * reached in sentences of up to five words, for every projective gold tree, and with the oracle
 * 'search' on random configurations of longer ones; where only roots of spines were ever chosen and
 * only they may be, its system is arc-standard.  Beyond its limits it says so. */
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/naive.h"
#include "system/kinds.h"

#include <stdlib.h>
#include <string.h>

enum { N = 5, RANDOM = 8, LONG = 300, MAX_MOVES = 3 * (LONG + 1) };

typedef struct asked {
    const ddn_system *system;
    const ddn_oracle *oracle;
    void *space;
} asked;

static asked ask(const char *system, const char *oracle)
{
    asked a = { .system = ddn_system_find(system) };
    assert_non_null(a.system);
    assert_int_equal(ddn_oracle_find(a.system, oracle, true, &a.oracle, NULL), DODONA_OK);
    assert_int_equal(a.oracle->open(a.system, (ddn_oracle_options){ 0 }, &a.space, NULL),
                     DODONA_OK);
    return a;
}

typedef struct comparison {
    asked tabular;
    test_golds golds;
    test_values values;
    int64_t compared;
} comparison;

static void compare(void *ctx, ddn_state *s, int32_t id, const test_step *step, int32_t m)
{
    comparison *c = ctx;
    const asked *t = &c->tabular;
    ddn_move moves[MAX_MOVES];
    int32_t cost[MAX_MOVES];
    for (int32_t i = 0; i < m; i++)
        moves[i] = step[i].move;
    test_values_add(&c->values, t->system, s, id, step, m);
    for (int32_t g = 0; g < c->golds.count; g++) {
        int32_t best = test_value(&c->values, id, g);
        assert_int_equal(t->oracle->begin(t->space, &c->golds.gold[g], NULL), DODONA_OK);
        assert_int_equal(t->oracle->value(t->space, s), best);
        t->oracle->costs(t->space, s, moves, m, cost);
        assert_false(t->oracle->gave_up(t->space));
        for (int32_t i = 0; i < m; i++)
            assert_int_equal(cost[i], best - test_value(&c->values, step[i].to, g));
        c->compared += m;
    }
}

static void equals_enumeration(void **state)
{
    (void)state;
    comparison c = { .tabular = ask("lr-spine", "tabular") };
    for (int32_t n = 1; n <= N; n++) {
        test_golds_init(&c.golds, n, TEST_PROJECTIVE);
        test_values_init(&c.values, &c.golds);
        test_each_configuration(c.tabular.system, n, DDN_ROOTS_MANY, NULL, compare, &c);
        test_values_fini(&c.values);
        test_golds_fini(&c.golds);
    }
    assert_true(c.compared > 100000);
    c.tabular.oracle->close(c.tabular.space);
}

/* A configuration that random moves lead to. */
static void wander(ddn_rng *rng, const ddn_system *system, ddn_state *s, int32_t n)
{
    ddn_move moves[MAX_MOVES];
    int32_t scratch[LONG + 1];
    assert_int_equal(ddn_state_start(s, n, DDN_ROOTS_MANY, NULL), DODONA_OK);
    for (uint64_t left = ddn_rng_below(rng, 2 * (uint64_t)n); left; left--) {
        int32_t m = ddn_system_moves(system, s, moves, scratch);
        system->apply(s, moves[ddn_rng_below(rng, (uint64_t)m)], NULL);
    }
}

static void equals_search_on_longer_sentences(void **state)
{
    (void)state;
    asked tabular = ask("lr-spine", "tabular"), search = ask("lr-spine", "search");
    ddn_move moves[MAX_MOVES];
    int32_t head[RANDOM + 1], scratch[RANDOM + 1], cost[MAX_MOVES], other[MAX_MOVES];
    ddn_rng rng;
    ddn_state s;
    ddn_gold gold;
    ddn_rng_init(&rng, 5);
    ddn_state_init(&s);
    ddn_gold_init(&gold);
    for (int trial = 0; trial < 1000; trial++) {
        int32_t n = 6 + (int32_t)ddn_rng_below(&rng, RANDOM - 5);
        test_random_tree(&rng, n, TEST_PROJECTIVE, head);
        assert_int_equal(ddn_gold_set(&gold, head, NULL, n, NULL), DODONA_OK);
        wander(&rng, tabular.system, &s, n);
        if (s.n - s.next + s.depth > 7) /* 'search' would take too long */
            continue;
        int32_t m = ddn_system_moves(tabular.system, &s, moves, scratch);
        assert_int_equal(tabular.oracle->begin(tabular.space, &gold, NULL), DODONA_OK);
        assert_int_equal(search.oracle->begin(search.space, &gold, NULL), DODONA_OK);
        tabular.oracle->costs(tabular.space, &s, moves, m, cost);
        search.oracle->costs(search.space, &s, moves, m, other);
        assert_memory_equal(cost, other, (size_t)m * sizeof *cost);
        assert_int_equal(tabular.oracle->value(tabular.space, &s),
                         search.oracle->value(search.space, &s));
    }
    ddn_state_fini(&s);
    ddn_gold_fini(&gold);
    tabular.oracle->close(tabular.space);
    search.oracle->close(search.space);
}

/* Costs come from tables that share work; values each from a table of its own. */
static void costs_and_values_agree(void **state)
{
    (void)state;
    enum { MIDDLE = 60 };
    asked t = ask("lr-spine", "tabular");
    ddn_move moves[MAX_MOVES];
    int32_t head[MIDDLE + 1], scratch[MIDDLE + 1], cost[MAX_MOVES];
    ddn_rng rng;
    ddn_state s;
    ddn_gold gold;
    ddn_rng_init(&rng, 6);
    ddn_state_init(&s);
    ddn_gold_init(&gold);
    for (int trial = 0; trial < 300; trial++) {
        test_random_tree(&rng, MIDDLE, TEST_PROJECTIVE, head);
        assert_int_equal(ddn_gold_set(&gold, head, NULL, MIDDLE, NULL), DODONA_OK);
        assert_int_equal(t.oracle->begin(t.space, &gold, NULL), DODONA_OK);
        wander(&rng, t.system, &s, MIDDLE);
        int32_t m = ddn_system_moves(t.system, &s, moves, scratch);
        int32_t best = t.oracle->value(t.space, &s);
        t.oracle->costs(t.space, &s, moves, m, cost);
        assert_false(t.oracle->gave_up(t.space));
        for (int32_t i = 0; i < m; i++) {
            ddn_undo undo;
            t.system->apply(&s, moves[i], &undo);
            assert_int_equal(t.oracle->value(t.space, &s), best - cost[i]);
            ddn_state_revert(&s, &undo);
        }
    }
    ddn_state_fini(&s);
    ddn_gold_fini(&gold);
    t.oracle->close(t.space);
}

/* ---- Arc-standard is the case k = 1 ---- */

static int32_t root_only(const ddn_state *s, int kind, int32_t *pos)
{
    *pos = kind == DDN_SPINE_SHIFT ? -1 : ddn_state_top(s, kind == DDN_SPINE_LEFT ? 0 : 1);
    return 1;
}

typedef struct restriction {
    asked standard;
    test_golds golds;
    test_values values;
    int64_t compared;
} restriction;

/* Values of the restricted system by enumeration, scores of arc-standard by its own oracle. */
static void compare_restricted(void *ctx, ddn_state *s, int32_t id, const test_step *step,
                               int32_t m)
{
    restriction *r = ctx;
    const asked *t = &r->standard;
    ddn_move moves[DDN_MAX_KINDS];
    int32_t cost[DDN_MAX_KINDS], scratch;
    test_values_add(&r->values, t->system, s, id, step, m);
    int32_t legal = t->system->final(s) ? 0 : ddn_system_moves(t->system, s, moves, &scratch);
    assert_int_equal(m, legal);
    for (int32_t g = 0; g < r->golds.count; g++) {
        int32_t best = test_value(&r->values, id, g);
        assert_int_equal(t->oracle->begin(t->space, &r->golds.gold[g], NULL), DODONA_OK);
        assert_int_equal(t->oracle->value(t->space, s), best);
        t->oracle->costs(t->space, s, moves, m, cost);
        for (int32_t i = 0; i < m; i++) {
            assert_int_equal(moves[i].kind, step[i].move.kind);
            assert_int_equal(best - cost[i], test_value(&r->values, step[i].to, g));
        }
        r->compared += m;
    }
}

static void roots_alone_are_arc_standard(void **state)
{
    (void)state;
    restriction r = { .standard = ask("arc-standard", "quadratic") };
    ddn_system restricted = *ddn_system_find("lr-spine");
    restricted.positions = root_only;
    for (int32_t n = 1; n <= N; n++) {
        test_golds_init(&r.golds, n, TEST_PROJECTIVE);
        test_values_init(&r.values, &r.golds);
        test_each_configuration(&restricted, n, DDN_ROOTS_MANY, NULL, compare_restricted, &r);
        test_values_fini(&r.values);
        test_golds_fini(&r.golds);
    }
    assert_true(r.compared > 10000);
    r.standard.oracle->close(r.standard.space);
}

/* ---- Limits ---- */

static void says_when_it_gives_up(void **state)
{
    (void)state;
    asked t = ask("lr-spine", "tabular");
    ddn_move moves[MAX_MOVES];
    int32_t head[LONG + 1], scratch[LONG + 1], cost[MAX_MOVES];
    ddn_state s;
    ddn_gold gold;
    ddn_state_init(&s);
    ddn_gold_init(&gold);
    for (int32_t d = 1; d <= LONG; d++)
        head[d] = d - 1;
    assert_int_equal(ddn_gold_set(&gold, head, NULL, LONG, NULL), DODONA_OK);
    assert_int_equal(t.oracle->begin(t.space, &gold, NULL), DODONA_OK);
    assert_int_equal(ddn_state_start(&s, LONG, DDN_ROOTS_MANY, NULL), DODONA_OK);
    for (bool gave_up = false; s.depth <= 70; t.system->apply(&s, moves[0], NULL)) {
        int32_t m = ddn_system_moves(t.system, &s, moves, scratch);
        moves[0] = moves[m - 1];
        assert_int_equal(moves[0].kind, DDN_SPINE_SHIFT);
        t.oracle->costs(t.space, &s, moves, 1, cost);
        assert_true(t.oracle->gave_up(t.space) >= gave_up);
        gave_up = t.oracle->gave_up(t.space);
        assert_int_equal(gave_up, s.depth >= 64);
    }
    assert_int_equal(ddn_state_start(&s, LONG, DDN_ROOTS_MANY, NULL), DODONA_OK);
    assert_int_equal(t.oracle->value(t.space, &s), LONG);
    assert_false(t.oracle->gave_up(t.space));
    ddn_state_fini(&s);
    ddn_gold_fini(&gold);
    t.oracle->close(t.space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_enumeration),
        cmocka_unit_test(equals_search_on_longer_sentences),
        cmocka_unit_test(costs_and_values_agree),
        cmocka_unit_test(roots_alone_are_arc_standard),
        cmocka_unit_test(says_when_it_gives_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
