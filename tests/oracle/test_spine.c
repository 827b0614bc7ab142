/* SPDX-License-Identifier: MIT */
/* The dynamic oracle of LR-spine.  It agrees with enumeration on every configuration that can be
 * reached in sentences of up to five words, for every projective gold tree, and with brute force on
 * random configurations of longer ones.  Where spines are their roots alone, its system and its
 * table are arc-standard's.  Beyond its limits it says so. */
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/naive.h"
#include "oracle/spine.h"
#include "system/kinds.h"

#include <stdlib.h>
#include <string.h>

enum { N = 5, RANDOM = 8, CASE = 14, LONG = 300, MAX_MOVES = 3 * (LONG + 1) };

typedef struct asked {
    const ddn_system *system;
    const ddn_oracle *oracle;
    ddn_oracle_space *space;
} asked;

static asked ask(const char *system, const char *oracle)
{
    asked a = { .system = ddn_system_find(system) };
    assert_non_null(a.system);
    assert_int_equal(ddn_oracle_find(a.system, oracle, true, &a.oracle, NULL), DODONA_OK);
    assert_int_equal(ddn_oracle_open(a.oracle, a.system, (ddn_oracle_options){ 0 }, &a.space, NULL),
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
        assert_int_equal(ddn_oracle_begin(t->space, &c->golds.gold[g], NULL), DODONA_OK);
        assert_int_equal(t->oracle->value(t->space, s), best);
        t->oracle->costs(t->space, s, moves, m, cost);
        assert_false(t->space->gave_up);
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
    ddn_oracle_close(c.tabular.space);
}

/* A configuration that fewer than most random moves lead to. */
static void wander(ddn_rng *rng, const ddn_system *system, ddn_state *s, int32_t n, int32_t most)
{
    ddn_move moves[MAX_MOVES];
    int32_t scratch[LONG + 1];
    assert_int_equal(ddn_state_start(s, n, DDN_ROOTS_MANY, NULL), DODONA_OK);
    for (uint64_t left = ddn_rng_below(rng, (uint64_t)most); left; left--) {
        int32_t m = ddn_system_moves(system, s, moves, scratch);
        system->apply(s, moves[ddn_rng_below(rng, (uint64_t)m)], NULL);
    }
}

/* ---- Brute force with a memory ---- */

/* What can be won from a configuration on depends only on its spines, so a few bits a node tell it
 * from others: whether it is a root on the stack, on a left spine, on a right spine. */
enum { MEMORY = 1 << 19 };

typedef struct remembered {
    uint64_t key; /* 0: none */
    int32_t most;
} remembered;

typedef struct brute {
    const ddn_system *system;
    const ddn_gold *gold;
    remembered *memory; /* [MEMORY] for one gold tree */
    int32_t used;
} brute;

static uint64_t key_of(const ddn_state *s)
{
    uint64_t key = (uint64_t)s->next;
    for (int32_t i = 0; i < s->depth; i++) {
        key |= (uint64_t)1 << (4 + 3 * s->stack[i]);
        for (int side = DDN_LEFT; side <= DDN_RIGHT; side++)
            for (int32_t p = s->stack[i]; (p = s->node[p].far[side]);)
                key |= (uint64_t)(side == DDN_LEFT ? 2 : 4) << (4 + 3 * p);
    }
    return key;
}

static int32_t most_to_come(brute *b, ddn_state *s);

/* The most gold arcs that can be made from s on if the first move is m. */
static int32_t most_by(brute *b, ddn_state *s, ddn_move m)
{
    int32_t won = 0;
    ddn_undo undo;
    if (b->system->kind[m.kind].makes_arc) {
        ddn_arc arc = b->system->arc(s, m.kind, m.pos);
        won = b->gold->head[arc.child] == arc.head;
    }
    b->system->apply(s, m, &undo);
    won += most_to_come(b, s);
    ddn_state_revert(s, &undo);
    return won;
}

static int32_t most_to_come(brute *b, ddn_state *s)
{
    ddn_move moves[3 * (CASE + 1)];
    int32_t scratch[CASE + 1], most = 0;
    if (b->system->final(s))
        return 0;
    uint64_t key = key_of(s), at = key * 0x9e3779b97f4a7c15u >> 45;
    for (; b->memory[at].key; at = (at + 1) % MEMORY)
        if (b->memory[at].key == key)
            return b->memory[at].most;
    int32_t m = ddn_system_moves(b->system, s, moves, scratch);
    for (int32_t i = 0; i < m; i++) {
        int32_t by = most_by(b, s, moves[i]);
        most = by > most ? by : most;
    }
    while (b->memory[at].key) /* filled meanwhile */
        at = (at + 1) % MEMORY;
    b->memory[at] = (remembered){ key, most };
    assert_true(++b->used < MEMORY / 2);
    return most;
}

static void compare_with_brute(brute *b, const asked *t, ddn_state *s)
{
    ddn_move moves[3 * (CASE + 1)];
    int32_t scratch[CASE + 1], cost[3 * (CASE + 1)], right = 0;
    int32_t m = ddn_system_moves(t->system, s, moves, scratch), most = most_to_come(b, s);
    for (int32_t d = 1; d <= s->n; d++)
        right += s->node[d].head == b->gold->head[d];
    assert_int_equal(t->oracle->value(t->space, s), right + most);
    t->oracle->costs(t->space, s, moves, m, cost);
    for (int32_t i = 0; i < m; i++)
        assert_int_equal(cost[i], most - most_by(b, s, moves[i]));
}

static void equals_brute_force_up_to_eight_words(void **state)
{
    (void)state;
    asked t = ask("lr-spine", "tabular");
    brute b = { .system = t.system, .memory = malloc(MEMORY * sizeof *b.memory) };
    int32_t head[RANDOM + 1], early = 0;
    ddn_rng rng;
    ddn_state s;
    ddn_gold gold;
    assert_non_null(b.memory);
    ddn_rng_init(&rng, 5);
    ddn_state_init(&s);
    ddn_gold_init(&gold);
    b.gold = &gold;
    for (int trial = 0; trial < 150; trial++) {
        int32_t n = RANDOM - trial % 3;
        test_random_tree(&rng, n, TEST_PROJECTIVE, head);
        assert_int_equal(ddn_gold_set(&gold, head, NULL, n, NULL), DODONA_OK);
        assert_int_equal(ddn_oracle_begin(t.space, &gold, NULL), DODONA_OK);
        memset(b.memory, 0, MEMORY * sizeof *b.memory);
        b.used = 0;
        for (int i = 0; i < 300; i++) {
            wander(&rng, t.system, &s, n, i % 2 ? 2 * n : 6);
            compare_with_brute(&b, &t, &s);
            early += s.n - s.next + s.depth > 7;
        }
    }
    assert_true(early > 4000);
    free(b.memory);
    ddn_state_fini(&s);
    ddn_gold_fini(&gold);
    ddn_oracle_close(t.space);
}

/* Two trees over L[7..1] R[2] with the root 14.  In one, 14 took 13, 11 and 10 as it should, and 7,
 * 6, 5 were lost on the way to 4.  In the other 5 took 6, 6 took 7, and 7 a tree in which 11 and 10
 * were lost: one loss less, but 10 is no longer on the left spine, and 1, 2 and 3 want it. */
static void keeps_the_longer_left_spine(void **state)
{
    (void)state;
    static const int32_t head[CASE + 1] = { -1, 10, 10, 10, 9, 4, 5, 6, 9, 10, 14, 14, 14, 12, 0 };
    static const int32_t heads[] = { 10, 10, 13 }; /* of the arcs made, one after the other */
    static const int32_t before[] = { 10, 0, 3 };  /* shifts before each */
    asked t = ask("lr-spine", "tabular");
    brute b = { .system = t.system, .memory = calloc(MEMORY, sizeof *b.memory) };
    ddn_state s;
    ddn_gold gold;
    assert_non_null(b.memory);
    ddn_state_init(&s);
    ddn_gold_init(&gold);
    b.gold = &gold;
    assert_int_equal(ddn_gold_set(&gold, head, NULL, CASE, NULL), DODONA_OK);
    assert_int_equal(ddn_oracle_begin(t.space, &gold, NULL), DODONA_OK);
    assert_int_equal(ddn_state_start(&s, CASE, DDN_ROOTS_MANY, NULL), DODONA_OK);
    for (int i = 0; i < 3; i++) {
        for (int32_t k = 0; k < before[i]; k++)
            t.system->apply(&s, (ddn_move){ .kind = DDN_SPINE_SHIFT, .pos = -1 }, NULL);
        t.system->apply(&s, (ddn_move){ .kind = DDN_SPINE_LEFT, .pos = heads[i] }, NULL);
    }
    compare_with_brute(&b, &t, &s);
    free(b.memory);
    ddn_state_fini(&s);
    ddn_gold_fini(&gold);
    ddn_oracle_close(t.space);
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
        assert_int_equal(ddn_oracle_begin(t.space, &gold, NULL), DODONA_OK);
        wander(&rng, t.system, &s, MIDDLE, 2 * MIDDLE);
        int32_t m = ddn_system_moves(t.system, &s, moves, scratch);
        int32_t best = t.oracle->value(t.space, &s);
        t.oracle->costs(t.space, &s, moves, m, cost);
        assert_false(t.space->gave_up);
        for (int32_t i = 0; i < m; i++) {
            ddn_undo undo;
            t.system->apply(&s, moves[i], &undo);
            assert_int_equal(t.oracle->value(t.space, &s), best - cost[i]);
            ddn_state_revert(&s, &undo);
        }
    }
    ddn_state_fini(&s);
    ddn_gold_fini(&gold);
    ddn_oracle_close(t.space);
}

/* ---- Arc-standard is the case k = 1 ---- */

static int32_t root_only(const ddn_state *s, int kind, int32_t *pos)
{
    *pos = kind == DDN_SPINE_SHIFT ? -1 : ddn_state_top(s, kind == DDN_SPINE_LEFT ? 0 : 1);
    return 1;
}

typedef struct restriction {
    asked quadratic, tabular; /* of arc-standard */
    asked roots;              /* the oracle of LR-spine, restricted as its system is */
    test_golds golds;
    test_values values;
    int64_t compared;
} restriction;

static void compare_standard(const restriction *r, const asked *t, const ddn_state *s, int32_t id,
                             int32_t g, const test_step *step, int32_t m)
{
    ddn_move moves[DDN_MAX_KINDS];
    int32_t cost[DDN_MAX_KINDS], scratch, best = test_value(&r->values, id, g);
    int32_t legal = t->system->final(s) ? 0 : ddn_system_moves(t->system, s, moves, &scratch);
    assert_int_equal(m, legal);
    assert_int_equal(ddn_oracle_begin(t->space, &r->golds.gold[g], NULL), DODONA_OK);
    assert_int_equal(t->oracle->value(t->space, s), best);
    t->oracle->costs(t->space, s, moves, m, cost);
    for (int32_t i = 0; i < m; i++) {
        assert_int_equal(moves[i].kind, step[i].move.kind);
        assert_int_equal(best - cost[i], test_value(&r->values, step[i].to, g));
    }
}

/* Values of the restricted system by enumeration and by its own table, scores of arc-standard by
 * the oracles of that. */
static void compare_restricted(void *ctx, ddn_state *s, int32_t id, const test_step *step,
                               int32_t m)
{
    restriction *r = ctx;
    const asked *t = &r->roots;
    test_values_add(&r->values, r->quadratic.system, s, id, step, m);
    for (int32_t g = 0; g < r->golds.count; g++) {
        compare_standard(r, &r->quadratic, s, id, g, step, m);
        compare_standard(r, &r->tabular, s, id, g, step, m);
        assert_int_equal(ddn_oracle_begin(t->space, &r->golds.gold[g], NULL), DODONA_OK);
        assert_int_equal(t->oracle->value(t->space, s), test_value(&r->values, id, g));
        r->compared += m;
    }
}

static void roots_alone_are_arc_standard(void **state)
{
    (void)state;
    restriction r = { .quadratic = ask("arc-standard", "quadratic"),
                      .tabular = ask("arc-standard", "tabular"),
                      .roots = ask("lr-spine", "tabular") };
    ddn_system restricted = *ddn_system_find("lr-spine");
    restricted.positions = root_only;
    ddn_spine_roots_only(r.roots.space);
    for (int32_t n = 1; n <= N; n++) {
        test_golds_init(&r.golds, n, TEST_PROJECTIVE);
        test_values_init(&r.values, &r.golds);
        test_each_configuration(&restricted, n, DDN_ROOTS_MANY, NULL, compare_restricted, &r);
        test_values_fini(&r.values);
        test_golds_fini(&r.golds);
    }
    assert_true(r.compared > 10000);
    ddn_oracle_close(r.quadratic.space);
    ddn_oracle_close(r.tabular.space);
    ddn_oracle_close(r.roots.space);
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
    assert_int_equal(ddn_oracle_begin(t.space, &gold, NULL), DODONA_OK);
    assert_int_equal(ddn_state_start(&s, LONG, DDN_ROOTS_MANY, NULL), DODONA_OK);
    for (bool gave_up = false; s.depth <= 70; t.system->apply(&s, moves[0], NULL)) {
        int32_t m = ddn_system_moves(t.system, &s, moves, scratch);
        moves[0] = moves[m - 1];
        assert_int_equal(moves[0].kind, DDN_SPINE_SHIFT);
        t.oracle->costs(t.space, &s, moves, 1, cost);
        assert_true(t.space->gave_up >= gave_up);
        gave_up = t.space->gave_up;
        assert_int_equal(gave_up, s.depth >= 64);
    }
    assert_int_equal(ddn_state_start(&s, LONG, DDN_ROOTS_MANY, NULL), DODONA_OK);
    assert_int_equal(t.oracle->value(t.space, &s), LONG);
    assert_false(t.space->gave_up);
    ddn_state_fini(&s);
    ddn_gold_fini(&gold);
    ddn_oracle_close(t.space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_enumeration),
        cmocka_unit_test(equals_brute_force_up_to_eight_words),
        cmocka_unit_test(keeps_the_longer_left_spine),
        cmocka_unit_test(costs_and_values_agree),
        cmocka_unit_test(roots_alone_are_arc_standard),
        cmocka_unit_test(says_when_it_gives_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
