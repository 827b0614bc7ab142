/* SPDX-License-Identifier: MIT */
/* Given heads and labels against all computations there are.  A search that keeps to what is given
 * may take just those that end in a tree that has it: of every system they are counted twice, by
 * walking the moves that the constraint leaves, and by walking all legal moves and looking at the
 * ends.  LR-spine and the non-monotonic systems may leave some out, but no
 * tree. */
#include "chart/kbest.h"
#include "core/array.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/naive.h"
#include "lib/parsing.h"
#include "lib/scorers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5, LONG = 40, LABELS = 3, GIVEN_LABEL = 1 };

static const char *const systems[] = { "arc-standard", "arc-eager", "arc-eager-nm", "arc-hybrid",
                                       "lr-spine",     "covington", "covington-nm" };
enum { SYSTEMS = sizeof systems / sizeof *systems };
/* test_constraint_rules.c looks at these more closely. */
static const char *const rule_systems[] = { "attardi", "attardi:4", "all", "alls0s1",
                                            "s1<s0+s0<s1+s1<b0" };
enum { RULE_SYSTEMS = sizeof rule_systems / sizeof *rule_systems };

/* Whether it leaves every computation that ends with what is given. */
static bool is_exact(const ddn_system *system)
{
    return !strstr(system->name, "-nm") && strcmp(system->name, "lr-spine") != 0;
}

/* ---- All ends of all computations ---- */

typedef struct ends {
    const ddn_system *system;
    int8_t (*head)[N + 1]; /* [count] an end for each computation */
    size_t count, cap;
} ends;

static void heads_of(const ddn_system *system, const ddn_state *s, int8_t *head)
{
    head[0] = -1;
    for (int32_t d = 1; d <= s->n; d++)
        head[d] = (int8_t)ddn_system_head(system, s, d);
}

static void walk_all(ends *e, ddn_state *s)
{
    ddn_move move[3 * (N + 2)];
    int32_t scratch[N + 2];
    if (e->system->final(s)) {
        assert_true(ddn_reserve(&e->head, &e->cap, e->count + 1, sizeof *e->head));
        heads_of(e->system, s, e->head[e->count++]);
        return;
    }
    int32_t m = ddn_system_moves(e->system, s, move, scratch);
    for (int32_t i = 0; i < m; i++) {
        ddn_undo undo;
        e->system->apply(s, move[i], &undo);
        walk_all(e, s);
        ddn_state_revert(s, &undo);
    }
}

static void ends_init(ends *e, const ddn_system *system, int32_t n, ddn_roots roots)
{
    ddn_state s;
    *e = (ends){ .system = system };
    ddn_state_init(&s);
    assert_int_equal(ddn_state_start(&s, n, roots, NULL), DODONA_OK);
    walk_all(e, &s);
    ddn_state_fini(&s);
}

static bool has_given(const int8_t *head, const int32_t *given, int32_t n)
{
    for (int32_t d = 1; d <= n; d++)
        if (given[d] == DDN_HEAD_WORD ? head[d] == 0 : given[d] >= 0 && head[d] != given[d])
            return false;
    return true;
}

/* ---- The computations that are left ---- */

enum { TREES = 6 * 6 * 6 * 6 * 6 };

typedef struct left {
    const ddn_system *system;
    ddn_constraint *c;
    const int32_t *given;
    bool reached[TREES];
    size_t count;
} left;

static int32_t number_of(const int8_t *head, int32_t n)
{
    int32_t number = 0;
    for (int32_t d = 1; d <= n; d++)
        number = number * (n + 1) + head[d];
    return number;
}

static void walk_left(left *w, ddn_state *s)
{
    ddn_move move[3 * (N + 2)];
    int32_t scratch[N + 2];
    if (w->system->final(s)) {
        int8_t head[N + 1];
        heads_of(w->system, s, head);
        assert_true(has_given(head, w->given, s->n));
        w->reached[number_of(head, s->n)] = true;
        w->count++;
        return;
    }
    int32_t m = ddn_system_moves(w->system, s, move, scratch);
    m = ddn_constraint_filter(w->c, s, move, m);
    assert_true(m > 0);
    for (int32_t i = 0; i < m; i++) {
        ddn_undo undo;
        w->system->apply(s, move[i], &undo);
        walk_left(w, s);
        ddn_state_revert(s, &undo);
    }
}

static void check_given(const ends *e, ddn_constraint *c, const int32_t *given, int32_t n)
{
    static left w;
    int32_t open[N + 1], word;
    size_t fit = 0;
    dodona_error err = { 0 };
    for (int32_t d = 1; d <= n; d++)
        open[d] = DDN_LABEL_OPEN;
    for (size_t i = 0; i < e->count; i++)
        fit += has_given(e->head[i], given, n);
    int status = ddn_constraint_begin(c, given, open, n, &word, &err);
    if (fit == 0) {
        assert_int_equal(status, DODONA_E_INPUT);
        assert_in_range(word, 1, n);
        assert_true(err.message[0]);
        return;
    }
    assert_int_equal(status, DODONA_OK);
    w = (left){ .system = e->system, .c = c, .given = given };
    ddn_state s;
    ddn_state_init(&s);
    assert_int_equal(ddn_state_start(&s, n, c->roots, NULL), DODONA_OK);
    walk_left(&w, &s);
    ddn_state_fini(&s);
    for (size_t i = 0; i < e->count; i++)
        if (has_given(e->head[i], given, n))
            assert_true(w.reached[number_of(e->head[i], n)]);
    if (is_exact(e->system))
        assert_int_equal(w.count, fit);
    else
        assert_true(w.count <= fit);
}

/* Every word's head is open, any word, or one of 0..n, also itself: all combinations, or some. */
static void check_all(const ddn_system *system, ddn_roots roots, int32_t n, int32_t every)
{
    ends e;
    ddn_constraint *c;
    int32_t given[N + 1], all = 1;
    ends_init(&e, system, n, roots);
    assert_int_equal(ddn_constraint_open(system, roots, &c, NULL), DODONA_OK);
    for (int32_t d = 1; d <= n; d++)
        all *= n + 3;
    for (int32_t k = 0; k < all; k += every) {
        int32_t rest = k;
        for (int32_t d = 1; d <= n; d++, rest /= n + 3)
            given[d] = rest % (n + 3) + DDN_HEAD_WORD;
        check_given(&e, c, given, n);
    }
    ddn_constraint_close(c);
    free(e.head);
}

static void leaves_what_leads_to_the_given_heads(void **state)
{
    (void)state;
    for (int i = 0; i < SYSTEMS; i++)
        for (int roots = DDN_ROOTS_ONE; roots <= DDN_ROOTS_MANY; roots++) {
            const ddn_system *system = ddn_system_find(systems[i]);
            for (int32_t n = 1; n <= 3; n++)
                check_all(system, (ddn_roots)roots, n, 1);
            check_all(system, (ddn_roots)roots, 4, 1);
            check_all(system, (ddn_roots)roots, 5, system->projective ? 3 : 101);
        }
}

/* Heads of a tree, some of them taken away: the cases that have a solution, and longer buffers. */
static void keeps_parts_of_trees(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_rng_init(&r, 5);
    for (int i = 0; i < SYSTEMS; i++) {
        const ddn_system *system = ddn_system_find(systems[i]);
        ends e;
        ddn_constraint *c;
        ends_init(&e, system, N, DDN_ROOTS_ONE);
        assert_int_equal(ddn_constraint_open(system, DDN_ROOTS_ONE, &c, NULL), DODONA_OK);
        for (int round = 0; round < 150; round++) {
            int32_t given[N + 1];
            test_random_tree(&r, N, TEST_ONE_ROOT | (system->projective ? TEST_PROJECTIVE : 0),
                             given);
            uint64_t keep = ddn_rng_below(&r, 4);
            for (int32_t d = 1; d <= N; d++)
                if (ddn_rng_below(&r, 4) > keep)
                    given[d] = DDN_HEAD_OPEN;
            check_given(&e, c, given, N);
        }
        ddn_constraint_close(c);
        free(e.head);
    }
}

/* ---- Searches ---- */

/* A toy for all searches of a system. */
static void toy_open(test_toy *toy, const ddn_system *system)
{
    if (system->joining)
        test_toy_init_few(toy, system, LABELS);
    else
        test_toy_init(toy, TEST_TOY_MOVES, system, LABELS);
}

/* The best score of a computation that ends with all that is given.  Label 2 stands for one that
 * words of which something is given may not have, so that 0 and 1 are left to them. */
typedef struct best {
    const ddn_system *system;
    const int32_t *given, *label;
    const test_toy *toy;
    uint32_t context;
    ddn_score score;
    bool any;
} best;

/* The score of the best label that the move may have, which it gets. */
static ddn_score label_of_state(const best *b, const ddn_state *s, ddn_move *m)
{
    ddn_arc arc = ddn_system_arc(b->system, s, *m);
    ddn_score top = -INFINITY;
    if (arc.head < 0)
        return 0;
    bool is_open = b->given[arc.child] == DDN_HEAD_OPEN && b->label[arc.child] == DDN_LABEL_OPEN;
    for (int32_t l = 0; l < (is_open ? LABELS : LABELS - 1); l++) {
        ddn_score of = test_score_of_label(b->toy, b->context, s, *m, l);
        if (b->label[arc.child] < 0 ? of > top : b->label[arc.child] == l) {
            top = of;
            m->label = (uint16_t)l;
        }
    }
    return top;
}

static void walk_best(best *b, ddn_state *s, ddn_score score)
{
    ddn_move move[3 * (N + 2)];
    int32_t scratch[N + 2];
    if (b->system->final(s)) {
        int8_t head[N + 1];
        heads_of(b->system, s, head);
        if (has_given(head, b->given, s->n) && (!b->any || score > b->score)) {
            b->any = true;
            b->score = score;
        }
        return;
    }
    int32_t m = ddn_system_moves(b->system, s, move, scratch);
    for (int32_t i = 0; i < m; i++) {
        ddn_undo undo;
        ddn_score more = test_score_of_move(b->toy, b->context, s, move[i]);
        more += label_of_state(b, s, &move[i]);
        b->system->apply(s, move[i], &undo);
        walk_best(b, s, score + more);
        ddn_state_revert(s, &undo);
    }
}

/* A tree that the system reaches. */
static void draw_tree(ddn_rng *r, const ddn_system *system, int32_t n, int32_t *head)
{
    int32_t scratch[2 * (LONG + 1)];
    do
        test_random_tree(r, n, TEST_ONE_ROOT | (system->projective ? TEST_PROJECTIVE : 0), head);
    while (system->rules && !ddn_system_reaches(system, head, n, scratch));
}

static void draw_given(ddn_rng *r, const ddn_system *system, int32_t n, int32_t *given,
                       int32_t *labels)
{
    draw_tree(r, system, n, given);
    for (int32_t d = 1; d <= n; d++) {
        if (ddn_rng_below(r, 2))
            given[d] = DDN_HEAD_OPEN;
        labels[d] =
            ddn_rng_below(r, 3) ? DDN_LABEL_OPEN : GIVEN_LABEL - 3 * (int)ddn_rng_below(r, 2);
    }
}

/* Heads and labels of the result, which labels say so too. */
static void check_result(const ddn_searching *w, const int32_t *given, const int32_t *labels)
{
    int8_t head[N + 1];
    int32_t tree[N + 1];
    heads_of(w->system, &w->state, head);
    for (int32_t d = 0; d <= w->state.n; d++)
        tree[d] = head[d];
    assert_true(test_is_tree(tree, w->state.n, true));
    assert_true(has_given(head, given, w->state.n));
    for (int32_t d = 1; d <= w->state.n; d++) {
        if (w->state.node[d].head < 0)
            continue; /* left to the root: no label yet */
        if (labels[d] >= 0)
            assert_int_equal(w->state.node[d].label, labels[d]);
        else if (labels[d] == DDN_LABEL_UNKNOWN || given[d] >= 0)
            assert_true(w->state.node[d].label < LABELS - 1);
    }
}

static void searches_find_the_best(void **state)
{
    (void)state;
    static const uint8_t uses[LABELS] = { 3, 3, 0 };
    static const char *const names[] = { "greedy", "beam", "dp" };
    ddn_rng r;
    ddn_rng_init(&r, 8);
    for (int i = 0; i < SYSTEMS + RULE_SYSTEMS; i++) {
        const ddn_system *system =
            ddn_system_find(i < SYSTEMS ? systems[i] : rule_systems[i - SYSTEMS]);
        int32_t n = system->projective ? N : 4;
        int searches = system->joining ? 3 : 2;
        ddn_search_options options = { .roots = DDN_ROOTS_ONE, .beam = 20000, .keep = true };
        test_toy g;
        ddn_parser parser[3];
        ddn_searching *w[3];
        toy_open(&g, system);
        for (int k = 0; k < searches; k++) {
            w[k] = test_parser_open(&parser[k], &g.base, names[k], options);
            w[k]->constraint->uses = uses;
            w[k]->constraint->labels = LABELS;
        }
        for (int round = 0; round < 40; round++) {
            int32_t given[N + 1], labels[N + 1], word;
            ddn_sentence sentence = { .n = n };
            draw_given(&r, system, n, given, labels);
            g.seed = ddn_rng_next(&r);
            for (int k = 0; k < searches; k++) {
                assert_int_equal(
                    ddn_constraint_begin(w[k]->constraint, given, labels, n, &word, NULL),
                    DODONA_OK);
                test_parse(&parser[k], &sentence);
                check_result(w[k], given, labels);
            }
            best b = { system, given, labels, &g, test_context(&sentence), 0, false };
            assert_int_equal(ddn_state_start(&w[0]->state, n, DDN_ROOTS_ONE, NULL), DODONA_OK);
            walk_best(&b, &w[0]->state, 0);
            if (is_exact(system))
                assert_true(b.any && w[1]->score == b.score);
            else
                assert_true(b.any && w[1]->score <= b.score);
            if (searches > 2)
                assert_true(w[2]->score == b.score && strcmp(w[2]->fallback, "beam") == 0);
        }
        for (int k = 0; k < searches; k++)
            ddn_parser_close(&parser[k]);
        test_toy_fini(&g);
    }
}

/* Long sentences: nothing is stuck, and all heads of a tree give that tree. */
static void gives_a_whole_tree_back(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_rng_init(&r, 9);
    for (int i = 0; i < SYSTEMS + RULE_SYSTEMS; i++) {
        const ddn_system *system =
            ddn_system_find(i < SYSTEMS ? systems[i] : rule_systems[i - SYSTEMS]);
        ddn_search_options options = { .roots = DDN_ROOTS_ONE, .beam = 3, .keep = true };
        test_toy g;
        ddn_parser parser;
        test_toy_init(&g, TEST_TOY_MOVES, system, LABELS);
        ddn_searching *w = test_parser_open(&parser, &g.base, "beam", options);
        for (uint64_t open = 0; open < 4; open++) {
            int32_t head[LONG + 1], given[LONG + 1], labels[LONG + 1], word;
            int32_t n = 10;
            ddn_sentence sentence = { .n = LONG };
            draw_tree(&r, system, n, head);
            for (int32_t d = n + 1; d <= LONG;
                 d++) { /* the same again, each below the one before */
                int32_t as = (d - 1) % n + 1;
                head[d] = head[as] ? head[as] + d - as : d - n;
            }
            for (int32_t d = 1; d <= LONG; d++) {
                given[d] = ddn_rng_below(&r, 4) < open ? DDN_HEAD_OPEN : head[d];
                labels[d] = DDN_LABEL_OPEN;
            }
            assert_int_equal(ddn_constraint_begin(w->constraint, given, labels, LONG, &word, NULL),
                             DODONA_OK);
            test_parse(&parser, &sentence);
            for (int32_t d = 1; d <= LONG; d++)
                if (given[d] >= 0)
                    assert_int_equal(ddn_system_head(system, &w->state, d), given[d]);
        }
        ddn_parser_close(&parser);
        test_toy_fini(&g);
    }
}

/* ---- Words ---- */

typedef struct fault {
    const char *system;
    int32_t head[4], word;
    const char *says;
} fault;

static void says_what_is_wrong(void **state)
{
    (void)state;
    static const fault faults[] = {
        { "covington", { 0, -1, 2, -1 }, 2, "own head" },
        { "covington", { 0, -1, 4, -1 }, 2, "expected 0 to 3" },
        { "covington", { 0, 2, 3, 1 }, 1, "cycle" },
        { "arc-eager", { 0, 0, -1, 0 }, 3, "second root" },
        /* 1 <- 3 <- 2 leaves 2 no head that does not cross: 0 and 1 are on the other side. */
        { "arc-hybrid", { 0, 3, -1, 2 }, 3, "covington does" },
        { "lr-spine", { 0, 3, 0, -1 }, 2, "no projective tree" },
        { "arc-standard", { 0, -2, -2, -2 }, 3, "not the root" },
        { "covington-nm", { 0, -2, -2, -2 }, 3, "not the root" },
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const int32_t open[4] = { -1, -1, -1, -1 };
        ddn_constraint *c;
        dodona_error err = { 0 };
        int32_t word;
        assert_int_equal(
            ddn_constraint_open(ddn_system_find(faults[i].system), DDN_ROOTS_ONE, &c, NULL),
            DODONA_OK);
        assert_int_equal(ddn_constraint_begin(c, faults[i].head, open, 3, &word, &err),
                         DODONA_E_INPUT);
        assert_non_null(strstr(err.message, faults[i].says));
        assert_int_equal(word, faults[i].word);
        ddn_constraint_close(c);
    }
}

/* The beam that dp leaves a sentence to has a forest, in which the best tree is that of the
 * search; and where nothing is given dp does as it always does. */
static void dp_has_the_forest_of_the_beam(void **state)
{
    (void)state;
    const ddn_system *system = ddn_system_find("arc-standard");
    ddn_search_options options = {
        .roots = DDN_ROOTS_ONE, .beam = 8, .forest = true, .keep = true
    };
    ddn_rng r;
    ddn_forest f;
    ddn_kbest list;
    ddn_parser parser[3];
    ddn_searching *w[3];
    test_toy g;
    test_toy_init_few(&g, system, LABELS);
    ddn_rng_init(&r, 10);
    ddn_forest_init(&f);
    ddn_kbest_init(&list);
    for (int k = 0; k < 3; k++) {
        options.keep = k < 2;
        w[k] = test_parser_open(&parser[k], &g.base, k == 1 ? "beam" : "dp", options);
    }
    for (int round = 0; round < 60; round++) {
        int32_t given[N + 1], labels[N + 1], head[N + 1], label[N + 1], word, trees = 0;
        int32_t n = round % 3 ? N : 0; /* 0: nothing is given */
        ddn_searching *as = w[n ? 1 : 2];
        ddn_sentence sentence = { .n = N };
        double score;
        draw_given(&r, system, N, given, labels);
        given[1] = round % 3 == 1 ? DDN_HEAD_OPEN : given[1];
        g.seed = ddn_rng_next(&r);
        for (int k = 0; k < 3; k++) {
            if (w[k]->constraint)
                assert_int_equal(
                    ddn_constraint_begin(w[k]->constraint, given, labels, n, &word, NULL), 0);
            test_parse(&parser[k], &sentence);
        }
        assert_true(n ? w[0]->fallback != NULL : !w[0]->fallback);
        assert_true(w[0]->score == as->score && w[0]->moves == as->moves);
        for (size_t i = 0; i < as->moves; i++)
            assert_true(w[0]->move[i].kind == as->move[i].kind &&
                        w[0]->move[i].label == as->move[i].label);
        assert_int_equal(w[0]->search->forest(w[0], &f, NULL), DODONA_OK);
        assert_int_equal(ddn_kbest_begin(&list, &f, NULL), DODONA_OK);
        while (ddn_kbest_next(&list, &score, head, label, NULL) > 0) {
            int8_t as_bytes[N + 1];
            for (int32_t d = 1; d <= N; d++) {
                as_bytes[d] = (int8_t)head[d];
                if (trees == 0)
                    assert_int_equal(head[d], ddn_system_head(system, &w[0]->state, d));
            }
            assert_true(n == 0 || has_given(as_bytes, given, N));
            assert_true(trees++ > 0 || score == w[0]->score);
        }
        assert_true(trees > 0);
    }
    for (int k = 0; k < 3; k++)
        ddn_parser_close(&parser[k]);
    ddn_kbest_fini(&list);
    ddn_forest_fini(&f);
    test_toy_fini(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_what_leads_to_the_given_heads),
        cmocka_unit_test(keeps_parts_of_trees),
        cmocka_unit_test(searches_find_the_best),
        cmocka_unit_test(gives_a_whole_tree_back),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(dp_has_the_forest_of_the_beam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
