/* SPDX-License-Identifier: MIT */
/* The tabular oracle of arc-standard: against the values of lib/enumerate.h on every configuration,
 * and against the oracles of Nederhof, which come from another analysis of the same system, on
 * longer trees. */
#include "lib/check.h"
#include "lib/enumerate.h"

#include <string.h>

enum { N = 5, KINDS = 3, LONG = 40 };

static const ddn_oracle *named(const char *name)
{
    const ddn_oracle *o;
    assert_int_equal(ddn_oracle_find(ddn_systems[0], name, true, &o, NULL), DODONA_OK);
    return o;
}

static ddn_oracle_space *open_space(const ddn_oracle *o)
{
    ddn_oracle_space *space;
    assert_int_equal(ddn_oracle_open(o, ddn_systems[0], (ddn_oracle_options){ 0 }, &space, NULL),
                     DODONA_OK);
    return space;
}

/* ---- Brute force ---- */

typedef struct exhaustion {
    const ddn_oracle *oracle;
    ddn_oracle_space *space;
    test_golds golds;
    test_values values;
    int64_t compared;
} exhaustion;

static void compare(exhaustion *e, const ddn_state *s, int32_t id, int32_t g, const test_step *step,
                    int32_t m)
{
    ddn_move moves[KINDS];
    int32_t cost[KINDS], here = test_value(&e->values, id, g);
    assert_int_equal(ddn_oracle_begin(e->space, &e->golds.gold[g], NULL), DODONA_OK);
    assert_int_equal(e->oracle->value(e->space, s), here);
    for (int32_t i = 0; i < m; i++)
        moves[i] = step[i].move;
    e->oracle->costs(e->space, s, moves, m, cost);
    for (int32_t i = 0; i < m; i++)
        assert_int_equal(cost[i], here - test_value(&e->values, step[i].to, g));
    e->compared += m;
}

static void visit(void *ctx, ddn_state *s, int32_t id, const test_step *step, int32_t m)
{
    exhaustion *e = ctx;
    test_values_add(&e->values, ddn_systems[0], s, id, step, m);
    for (int32_t g = 0; g < e->golds.count; g++)
        compare(e, s, id, g, step, m);
}

static void equals_brute_force(void **state)
{
    (void)state;
    for (int32_t n = 1; n <= N; n++) {
        exhaustion e = { .oracle = named("tabular") };
        e.space = open_space(e.oracle);
        test_golds_init(&e.golds, n, TEST_PROJECTIVE);
        test_values_init(&e.values, &e.golds);
        test_each_configuration(ddn_systems[0], n, DDN_ROOTS_MANY, NULL, visit, &e);
        assert_true(e.compared > 0);
        test_values_fini(&e.values);
        test_golds_fini(&e.golds);
        ddn_oracle_close(e.space);
    }
}

/* ---- The oracles of Nederhof ---- */

enum { RIVALS = 4 };

typedef struct contest {
    const ddn_oracle *of[RIVALS];
    ddn_oracle_space *space[RIVALS];
    ddn_state state;
} contest;

static void agree(contest *c, const ddn_move *moves, int32_t m, int32_t *cost)
{
    int32_t value = c->of[0]->value(c->space[0], &c->state);
    c->of[0]->costs(c->space[0], &c->state, moves, m, cost);
    for (int i = 1; i < RIVALS; i++) {
        int32_t other[KINDS];
        assert_int_equal(c->of[i]->value(c->space[i], &c->state), value);
        c->of[i]->costs(c->space[i], &c->state, moves, m, other);
        for (int32_t k = 0; k < m; k++)
            if (cost[k] != other[k])
                fail_msg("%s costs %d, %s says %d", ddn_systems[0]->kind[moves[k].kind].name,
                         (int)cost[k], c->of[i]->name, (int)other[k]);
    }
}

/* Moves drawn at random: with probability errors / 100 any, otherwise one that costs nothing. */
static void random_line(contest *c, const ddn_gold *g, ddn_rng *rng, uint64_t errors)
{
    for (int i = 0; i < RIVALS; i++)
        assert_int_equal(ddn_oracle_begin(c->space[i], g, NULL), DODONA_OK);
    assert_int_equal(ddn_state_start(&c->state, g->n, DDN_ROOTS_MANY, NULL), DODONA_OK);
    while (!ddn_systems[0]->final(&c->state)) {
        ddn_move moves[KINDS];
        int32_t scratch[1], cost[KINDS], pick;
        int32_t m = ddn_system_moves(ddn_systems[0], &c->state, moves, scratch);
        bool wrong = ddn_rng_below(rng, 100) < errors;
        agree(c, moves, m, cost);
        do
            pick = (int32_t)ddn_rng_below(rng, (uint64_t)m);
        while (!wrong && cost[pick] > 0);
        ddn_systems[0]->apply(&c->state, moves[pick], NULL);
    }
}

static void equals_the_others(void **state)
{
    (void)state;
    static const char *const names[RIVALS] = { "tabular", "linear", "incremental", "cubic" };
    static const uint64_t errors[] = { 0, 3, 10, 30, 100 };
    contest c = { .of = { NULL } };
    ddn_rng rng;
    ddn_gold gold;
    ddn_rng_init(&rng, 23);
    ddn_gold_init(&gold);
    ddn_state_init(&c.state);
    for (int i = 0; i < RIVALS; i++) {
        c.of[i] = named(names[i]);
        c.space[i] = open_space(c.of[i]);
    }
    for (int tree = 0; tree < 1000; tree++) {
        int32_t head[LONG + 1], n = 1 + (int32_t)ddn_rng_below(&rng, LONG);
        test_random_tree(&rng, n, TEST_PROJECTIVE, head);
        assert_int_equal(ddn_gold_set(&gold, head, NULL, n, NULL), DODONA_OK);
        random_line(&c, &gold, &rng, errors[tree % 5]);
    }
    for (int i = 0; i < RIVALS; i++)
        ddn_oracle_close(c.space[i]);
    ddn_state_fini(&c.state);
    ddn_gold_fini(&gold);
}

/* ---- Refusals ---- */

static void refuses_in_its_name(dodona_error *err, int status, int code, const char *why)
{
    assert_int_equal(status, code);
    assert_non_null(strstr(err->message, "tabular"));
    assert_non_null(strstr(err->message, why));
    memset(err, 0, sizeof *err);
}

static void refuses_other_options(void **state)
{
    (void)state;
    const ddn_oracle *o = named("tabular");
    dodona_error err = { 0 };
    ddn_oracle_space *space = NULL;
    ddn_oracle_options one = { .one_root = true }, lbr = { .strategy = DDN_STRATEGY_LBR };
    refuses_in_its_name(&err, ddn_oracle_open(o, ddn_systems[0], one, &space, &err),
                        DODONA_E_ARGUMENT, "root");
    refuses_in_its_name(&err, ddn_oracle_open(o, ddn_systems[0], lbr, &space, &err),
                        DODONA_E_ARGUMENT, "strategy");
    assert_null(space);
}

static void refuses_other_trees(void **state)
{
    (void)state;
    enum { TOO_LONG = 4001 };
    static int32_t chain[TOO_LONG + 1];
    const ddn_oracle *o = named("tabular");
    dodona_error err = { 0 };
    ddn_oracle_space *space = open_space(o);
    ddn_gold gold;
    ddn_gold_init(&gold);
    const int32_t crossing[] = { -1, 3, 4, 0, 3 };
    assert_int_equal(ddn_gold_set(&gold, crossing, NULL, 4, NULL), DODONA_OK);
    refuses_in_its_name(&err, ddn_oracle_begin(space, &gold, &err), DODONA_E_INPUT,
                        "not projective");
    for (int32_t d = 1; d <= TOO_LONG; d++)
        chain[d] = d - 1;
    assert_int_equal(ddn_gold_set(&gold, chain, NULL, TOO_LONG, NULL), DODONA_OK);
    refuses_in_its_name(&err, ddn_oracle_begin(space, &gold, &err), DODONA_E_LIMIT, "4001");
    assert_int_equal(ddn_gold_set(&gold, chain, NULL, TOO_LONG - 1, NULL), DODONA_OK);
    assert_int_equal(ddn_oracle_begin(space, &gold, &err), DODONA_OK);
    ddn_oracle_close(space);
    ddn_gold_fini(&gold);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_brute_force),
        cmocka_unit_test(equals_the_others),
        cmocka_unit_test(refuses_other_options),
        cmocka_unit_test(refuses_other_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
