/* SPDX-License-Identifier: MIT */
/* The way to the gold tree.  On every configuration of the systems that the oracle 'path' serves
 * from which a gold tree can be reached, it knows the moves that keep it so; enumeration and the
 * oracle 'search' know them too.  In systems that are not monotonic it knows some of them.  And for
 * every listed system its default oracle leads to every tree of its class: by the first kind that
 * costs nothing (static training) and by any (non-deterministic). */
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/files.h"
#include "lib/naive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5, LED = 6, LONG = 200, MAX_MOVES = DDN_MAX_KINDS * (N + 1) };

typedef struct comparison {
    const ddn_system *system;
    const ddn_oracle *path, *search;
    ddn_oracle_space *path_space, *search_space;
    test_golds golds;
    test_values values;
    int64_t compared;
    bool some; /* a move that keeps the tree within reach may yet be off the path */
} comparison;

static void compare_on_path(comparison *c, const ddn_state *s, int32_t gold, const test_step *step,
                            int32_t m)
{
    int32_t cost[MAX_MOVES], other[MAX_MOVES];
    ddn_move moves[MAX_MOVES];
    assert_true(m <= MAX_MOVES);
    for (int32_t i = 0; i < m; i++)
        moves[i] = step[i].move;
    const ddn_gold *g = &c->golds.gold[gold];
    assert_int_equal(ddn_oracle_begin(c->path_space, g, NULL), DODONA_OK);
    assert_int_equal(ddn_oracle_begin(c->search_space, g, NULL), DODONA_OK);
    c->path->costs(c->path_space, s, moves, m, cost);
    c->search->costs(c->search_space, s, moves, m, other);
    for (int32_t i = 0; i < m; i++) {
        assert_true(cost[i] == 0 || cost[i] == 1);
        bool keeps = test_value(&c->values, step[i].to, gold) == s->n;
        assert_int_equal(keeps, other[i] == 0);
        if (c->some)
            assert_true(cost[i] == 1 || keeps);
        else
            assert_int_equal(cost[i] == 0, keeps);
    }
    c->compared++;
}

static bool arcs_are_gold(const ddn_state *s, const ddn_gold *g)
{
    for (int32_t d = 1; d <= s->n; d++)
        if (s->node[d].head >= 0 && s->node[d].head != g->head[d])
            return false;
    return true;
}

static void visit(void *ctx, ddn_state *s, int32_t id, const test_step *step, int32_t m)
{
    comparison *c = ctx;
    test_values_add(&c->values, c->system, s, id, step, m);
    for (int32_t g = 0; g < c->golds.count; g++)
        if (test_value(&c->values, id, g) == s->n &&
            (!c->some || arcs_are_gold(s, &c->golds.gold[g])))
            compare_on_path(c, s, g, step, m);
}

static void compare_path(const char *system, int32_t n, ddn_roots roots, unsigned filter)
{
    comparison c = { .system = ddn_system_find(system), .some = strstr(system, "-nm") };
    assert_int_equal(ddn_oracle_find(c.system, "path", false, &c.path, NULL), DODONA_OK);
    assert_int_equal(ddn_oracle_find(c.system, "search", false, &c.search, NULL), DODONA_OK);
    assert_int_equal(
        ddn_oracle_open(c.path, c.system, (ddn_oracle_options){ 0 }, &c.path_space, NULL),
        DODONA_OK);
    assert_int_equal(
        ddn_oracle_open(c.search, c.system, (ddn_oracle_options){ 0 }, &c.search_space, NULL),
        DODONA_OK);
    test_golds_init(&c.golds, n, filter);
    test_values_init(&c.values, &c.golds);
    test_each_configuration(c.system, n, roots, NULL, visit, &c);
    assert_true(c.compared >= c.golds.count); /* the start at least */
    test_values_fini(&c.values);
    test_golds_fini(&c.golds);
    ddn_oracle_close(c.path_space);
    ddn_oracle_close(c.search_space);
}

static void path_keeps_gold_within_reach(void **state)
{
    (void)state;
    static const struct {
        const char *system;
        int32_t n;
        unsigned class;
    } served[] = { { "arc-standard", N, TEST_PROJECTIVE },
                   { "lr-spine", N, TEST_PROJECTIVE },
                   { "arc-eager-nm", N, TEST_PROJECTIVE },
                   { "covington", 4, TEST_ALL },
                   { "covington-nm", 4, TEST_ALL } };
    for (size_t i = 0; i < sizeof served / sizeof *served; i++)
        for (int32_t n = 1; n <= served[i].n; n++) {
            unsigned class = served[i].class;
            compare_path(served[i].system, n, DDN_ROOTS_ONE, class | TEST_ONE_ROOT);
            compare_path(served[i].system, n, DDN_ROOTS_MANY, class);
        }
}

static void path_refuses_in_words(void **state)
{
    (void)state;
    const ddn_system *system = ddn_system_find("arc-standard");
    const ddn_oracle *path, *none = NULL;
    ddn_oracle_space *space;
    dodona_error err = { 0 };
    const int32_t head[] = { -1, 3, 4, 0, 3 }; /* 3 -> 1 crosses 4 -> 2 */
    ddn_gold gold;
    ddn_gold_init(&gold);
    assert_int_equal(ddn_gold_set(&gold, head, NULL, 4, NULL), DODONA_OK);
    assert_int_equal(ddn_oracle_find(system, "path", false, &path, NULL), DODONA_OK);
    assert_int_equal(ddn_oracle_open(path, system, (ddn_oracle_options){ 0 }, &space, NULL),
                     DODONA_OK);
    assert_int_equal(ddn_oracle_begin(space, &gold, &err), DODONA_E_INPUT);
    assert_non_null(strstr(err.message, "not projective"));
    ddn_oracle_close(space);
    ddn_gold_fini(&gold);
    assert_int_equal(ddn_oracle_find(system, "path", true, &none, &err), DODONA_E_ARGUMENT);
    assert_non_null(strstr(err.message, "off the gold path"));
    assert_null(none);
}

/* A system and its default oracle on the way to gold trees. */
typedef struct guide {
    const ddn_system *system;
    const ddn_oracle *oracle;
    ddn_oracle_space *space;
    ddn_state state;
    ddn_gold gold;
    ddn_rng rng;
    ddn_move moves[DDN_MAX_KINDS * (LONG + 1)];
    int32_t cost[DDN_MAX_KINDS * (LONG + 1)], scratch[LONG + 1];
} guide;

static guide *open_guide(const ddn_system *system)
{
    guide *g = calloc(1, sizeof *g);
    assert_non_null(g);
    g->system = system;
    assert_int_equal(ddn_oracle_find(system, NULL, false, &g->oracle, NULL), DODONA_OK);
    assert_int_equal(ddn_oracle_open(g->oracle, system, (ddn_oracle_options){ 0 }, &g->space, NULL),
                     DODONA_OK);
    ddn_state_init(&g->state);
    ddn_gold_init(&g->gold);
    ddn_rng_init(&g->rng, 17);
    return g;
}

static void close_guide(guide *g)
{
    ddn_oracle_close(g->space);
    ddn_state_fini(&g->state);
    ddn_gold_fini(&g->gold);
    free(g);
}

/* A move that costs nothing: the first one, or any. */
static ddn_move free_move(guide *g, bool any)
{
    int32_t m = ddn_system_moves(g->system, &g->state, g->moves, g->scratch), found = 0, best = -1;
    g->oracle->costs(g->space, &g->state, g->moves, m, g->cost);
    for (int32_t i = 0; i < m; i++)
        if (g->cost[i] == 0) {
            found++;
            if (best < 0 || (any && ddn_rng_below(&g->rng, (uint64_t)found) == 0))
                best = i;
        }
    assert_true(best >= 0);
    return g->moves[best];
}

static void lead(guide *g, const int32_t *head, int32_t n, ddn_roots roots, bool any)
{
    int64_t moves = 0;
    assert_int_equal(ddn_gold_set(&g->gold, head, NULL, n, NULL), DODONA_OK);
    assert_int_equal(ddn_oracle_begin(g->space, &g->gold, NULL), DODONA_OK);
    assert_int_equal(ddn_state_start(&g->state, n, roots, NULL), DODONA_OK);
    while (!g->system->final(&g->state)) {
        g->system->apply(&g->state, free_move(g, any), NULL);
        assert_true(++moves <= g->system->max_moves(n));
    }
    for (int32_t d = 1; d <= n; d++)
        assert_int_equal(ddn_system_head(g->system, &g->state, d), head[d]);
}

typedef struct leading {
    guide *guide;
    int32_t n;
    ddn_roots roots;
} leading;

static void lead_to_tree(void *ctx, const int32_t *head)
{
    leading *l = ctx;
    int32_t scratch[2 * (LONG + 1)];
    if (!ddn_system_reaches(l->guide->system, head, l->n, scratch))
        return;
    lead(l->guide, head, l->n, l->roots, false);
    lead(l->guide, head, l->n, l->roots, true);
}

static unsigned class_of(const ddn_system *system)
{
    return system->projective ? TEST_PROJECTIVE : TEST_ALL;
}

static void every_short_tree_is_reached(void **state)
{
    (void)state;
    for (int i = 0; ddn_systems[i]; i++) {
        guide *g = open_guide(ddn_systems[i]);
        unsigned class = class_of(ddn_systems[i]);
        for (int32_t n = 1; n <= LED; n++) {
            leading l = { g, n, DDN_ROOTS_ONE };
            test_each_tree(n, class | TEST_ONE_ROOT, lead_to_tree, &l);
            l.roots = DDN_ROOTS_MANY;
            test_each_tree(n, class, lead_to_tree, &l);
        }
        close_guide(g);
    }
}

static void long_trees_are_reached(void **state)
{
    (void)state;
    for (int i = 0; ddn_systems[i]; i++) {
        guide *g = open_guide(ddn_systems[i]);
        for (int tree = 0; tree < 100; tree++) {
            bool one = tree % 2 == 0;
            unsigned class = class_of(ddn_systems[i]) | (one ? TEST_ONE_ROOT : 0);
            int32_t head[LONG + 1], n = tree < 50 ? LONG : 1 + tree % 12;
            test_random_tree(&g->rng, n, class, head);
            assert_true(test_is_tree(head, n, one));
            leading l = { g, n, one ? DDN_ROOTS_ONE : DDN_ROOTS_MANY };
            lead_to_tree(&l, head);
        }
        close_guide(g);
    }
}

/* The heads of the next sentence of a CoNLL-U file; how many, 0 at the end. */
static int32_t read_heads(FILE *f, int32_t *head)
{
    char line[1 << 14];
    int32_t n = 0;
    while (fgets(line, sizeof line, f) && (line[0] != '\n' || n == 0)) {
        int id, h, used = 0;
        if (sscanf(line, "%d\t%*[^\t]\t%*[^\t]\t%*[^\t]\t%*[^\t]\t%*[^\t]\t%d%n", &id, &h, &used) ==
                2 &&
            line[used] == '\t') {
            n++;
            if (n <= LONG)
                head[n] = h;
        }
    }
    return n;
}

static void trees_of_treebanks_are_reached(void **state)
{
    (void)state;
    static const char *const systems[] = { "covington", "covington-nm" };
    const char *path = test_treebank("got_proiel/dev.conllu");
    if (!path) {
        print_message("skipped: no treebanks here\n");
        skip();
    }
    for (int i = 0; i < 2; i++) {
        FILE *f = fopen(path, "r");
        assert_non_null(f);
        guide *g = open_guide(ddn_system_find(systems[i]));
        int32_t head[LONG + 1] = { -1 }, n, crossing = 0;
        while ((n = read_heads(f, head)) > 0) {
            leading l = { g, n, DDN_ROOTS_ONE };
            assert_true(n <= LONG);
            lead_to_tree(&l, head);
            crossing += !test_is_projective(head, n);
        }
        assert_true(crossing > 50);
        close_guide(g);
        fclose(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_keeps_gold_within_reach),   cmocka_unit_test(path_refuses_in_words),
        cmocka_unit_test(every_short_tree_is_reached),    cmocka_unit_test(long_trees_are_reached),
        cmocka_unit_test(trees_of_treebanks_are_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
