/* SPDX-License-Identifier: MIT */
/* Losses, bounds and costs of the two Covington systems against the naive ones of
 * covington_naive.h: on every configuration that can be reached, for every gold tree, up to four
 * words, and on random ones of up to seven.  The monotonic loss of early configurations of six and
 * seven words, from which there is too much to search, is the least over all trees: one can be
 * reached if it has the arcs that were made, and any others are between words that still meet. */
#include "covington_naive.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include "oracle/covington.h"
#include "system/kinds.h"

#include <stdlib.h>

enum { ALL = 4, THIRD_WAY = 3, RANDOM = 400, MAX_PAIRS = 9, EARLY = 150 };
enum { LOWER, PC, UPPER, BOUNDS };

/* The library's side. */
typedef struct bench {
    const ddn_system *system;
    bool nm;
    const ddn_oracle *exact, *search, *bound[BOUNDS];
    ddn_oracle_space *exact_space, *search_space, *bound_space[BOUNDS];
    ddn_covington_search *words;
    ddn_cycles cycles;
    ddn_state state;
    ddn_gold gold;
    int64_t compared;
} bench;

static void open_oracle(const ddn_system *system, const char *name, const ddn_oracle **o,
                        ddn_oracle_space **sp)
{
    assert_int_equal(ddn_oracle_find(system, name, true, o, NULL), DODONA_OK);
    assert_int_equal(ddn_oracle_open(*o, system, (ddn_oracle_options){ 0 }, sp, NULL), DODONA_OK);
}

static void open_bench(bench *b, bool nm)
{
    static const char *const names[] = { "lower", "pc", "upper" };
    memset(b, 0, sizeof *b);
    b->nm = nm;
    b->system = ddn_system_find(nm ? "covington-nm" : "covington");
    open_oracle(b->system, "exact", &b->exact, &b->exact_space);
    open_oracle(b->system, "search", &b->search, &b->search_space);
    for (int k = 0; k < BOUNDS && nm; k++)
        open_oracle(b->system, names[k], &b->bound[k], &b->bound_space[k]);
    b->words = ddn_covington_search_new(0);
    assert_non_null(b->words);
    ddn_cycles_init(&b->cycles);
    assert_true(ddn_cycles_reserve(&b->cycles, NAIVE_WORDS));
    ddn_state_init(&b->state);
    ddn_gold_init(&b->gold);
}

static void close_bench(bench *b)
{
    ddn_oracle_close(b->exact_space);
    ddn_oracle_close(b->search_space);
    for (int k = 0; k < BOUNDS && b->nm; k++)
        ddn_oracle_close(b->bound_space[k]);
    ddn_covington_search_free(b->words);
    ddn_cycles_fini(&b->cycles);
    ddn_state_fini(&b->state);
    ddn_gold_fini(&b->gold);
}

static void set_gold(bench *b, const int *gold, int n)
{
    int32_t head[NAIVE_WORDS + 1] = { -1 };
    for (int y = 1; y <= n; y++)
        head[y] = gold[y];
    assert_int_equal(ddn_gold_set(&b->gold, head, NULL, n, NULL), DODONA_OK);
    assert_int_equal(ddn_oracle_begin(b->exact_space, &b->gold, NULL), DODONA_OK);
    assert_int_equal(ddn_oracle_begin(b->search_space, &b->gold, NULL), DODONA_OK);
    for (int k = 0; k < BOUNDS && b->nm; k++)
        assert_int_equal(ddn_oracle_begin(b->bound_space[k], &b->gold, NULL), DODONA_OK);
}

static void set_state(bench *b, const naive *c)
{
    assert_int_equal(ddn_state_start(&b->state, c->n, DDN_ROOTS_MANY, NULL), DODONA_OK);
    for (int y = 1; y <= c->n; y++)
        if (c->head[y])
            ddn_state_attach(&b->state, c->head[y], y, 0, NULL);
    ddn_state_focus(&b->state, c->i, c->j);
}

/* The kind of a naive move. */
static uint8_t kind_of(int move)
{
    static const uint8_t kind[] = { [NAIVE_LEFT] = DDN_COVINGTON_LEFT,
                                    [NAIVE_RIGHT] = DDN_COVINGTON_RIGHT,
                                    [NAIVE_SHIFT] = DDN_COVINGTON_SHIFT,
                                    [NAIVE_NONE] = DDN_COVINGTON_NONE };
    return kind[move];
}

/* The moves that are allowed, as both sides write them; returns how many. */
static int32_t list_moves(const bench *b, const naive *c, ddn_move *moves, naive *after)
{
    int32_t m = 0;
    uint32_t legal = b->system->final(&b->state) ? 0 : b->system->legal(&b->state);
    for (int k = 0; k < NAIVE_MOVES; k++) {
        bool allowed = naive_move(c, k, b->nm, &after[m]);
        assert_int_equal(legal >> kind_of(k) & 1, allowed);
        if (allowed)
            moves[m++] = (ddn_move){ .kind = kind_of(k), .pos = -1 };
    }
    return m;
}

static int32_t least_of(const int32_t *number, int32_t m)
{
    int32_t least = INT32_MAX;
    for (int32_t k = 0; k < m; k++)
        least = number[k] < least ? number[k] : least;
    return least;
}

/* Exact costs: the differences of losses. */
static void compare_exact(bench *b, const naive *c, const int *gold, int loss)
{
    ddn_move moves[NAIVE_MOVES];
    naive after[NAIVE_MOVES + 1];
    int32_t cost[NAIVE_MOVES], m = list_moves(b, c, moves, after);
    assert_int_equal(b->exact->value(b->exact_space, &b->state), c->n - loss);
    b->exact->costs(b->exact_space, &b->state, moves, m, cost);
    for (int32_t k = 0; k < m; k++)
        assert_int_equal(cost[k], naive_loss(&after[k], gold, b->nm, false) - loss);
    if (c->n > THIRD_WAY)
        return;
    int32_t third[NAIVE_MOVES];
    assert_int_equal(b->search->value(b->search_space, &b->state), c->n - loss);
    b->search->costs(b->search_space, &b->state, moves, m, third);
    for (int32_t k = 0; k < m; k++)
        assert_int_equal(cost[k], third[k]);
}

/* Bounds as they are defined, and on the right sides of the losses. */
static void compare_bounds(bench *b, const naive *c, const int *gold, int loss)
{
    ddn_bounds got;
    naive_bounds want = naive_count(c, gold);
    int word_loss = naive_loss(c, gold, true, true);
    int32_t searched;
    ddn_covington_bounds(&b->cycles, &b->state, &b->gold, &got);
    assert_int_equal(got.lower, want.lower);
    assert_int_equal(got.roots, want.roots);
    assert_int_equal(got.settled, want.settled);
    assert_int_equal(got.problematic, want.problematic);
    assert_int_equal(got.cycles, want.cycles);
    assert_true(got.lower <= word_loss);
    assert_true(word_loss <= got.lower + got.problematic);
    assert_true(got.problematic <= got.cycles);
    assert_true(got.lower + got.settled <= loss);
    assert_true(loss <= got.lower + got.roots + got.problematic);
    assert_int_equal(
        ddn_covington_search_loss(b->words, &b->state, &b->gold, false, &searched, NULL),
        DODONA_OK);
    assert_int_equal(searched, word_loss);
}

/* The bound plus r after each move: the oracles must find the smallest, and which moves have it. */
static void compare_ranks(bench *b, const naive *c, const int *gold)
{
    ddn_move moves[NAIVE_MOVES];
    naive after[NAIVE_MOVES + 1];
    int32_t want[BOUNDS][NAIVE_MOVES], cost[NAIVE_MOVES], m = list_moves(b, c, moves, after);
    for (int32_t k = 0; k < m; k++) {
        naive_bounds n = naive_count(&after[k], gold);
        want[LOWER][k] = n.lower + n.roots;
        want[PC][k] = n.lower + n.roots + n.problematic;
        want[UPPER][k] = n.lower + n.roots + n.cycles;
    }
    for (int which = 0; which < BOUNDS; which++) {
        int32_t least = least_of(want[which], m);
        b->bound[which]->costs(b->bound_space[which], &b->state, moves, m, cost);
        for (int32_t k = 0; k < m; k++) {
            assert_int_equal(cost[k] == 0, want[which][k] == least);
            assert_true(cost[k] >= 0 && cost[k] <= want[which][k] - least);
            if (which == LOWER)
                assert_int_equal(cost[k], want[which][k] - least);
        }
        assert_int_equal(b->bound_space[which]->tied, 0);
    }
}

static void compare(bench *b, const naive *c, const int *gold)
{
    int loss = naive_loss(c, gold, b->nm, false);
    set_state(b, c);
    compare_exact(b, c, gold, loss);
    if (b->nm) {
        compare_bounds(b, c, gold, loss);
        compare_ranks(b, c, gold);
    }
    b->compared++;
}

/* ---- All ---- */

typedef struct list {
    naive *of;
    int count, capacity;
} list;

static bool same(const naive *a, const naive *b)
{
    return a->i == b->i && a->j == b->j && memcmp(a->head, b->head, sizeof a->head) == 0;
}

/* Everything that can be reached, once each. */
static void collect(list *l, const naive *c, bool nm)
{
    for (int k = 0; k < l->count; k++)
        if (same(&l->of[k], c))
            return;
    if (l->count == l->capacity) {
        l->capacity = 2 * l->capacity + 64;
        l->of = realloc(l->of, (size_t)l->capacity * sizeof *l->of);
        assert_non_null(l->of);
    }
    l->of[l->count++] = *c;
    for (int m = 0; m < NAIVE_MOVES; m++) {
        naive next;
        if (naive_move(c, m, nm, &next))
            collect(l, &next, nm);
    }
}

typedef struct all {
    bench *b;
    list l;
    int n;
} all;

static void compare_tree(void *ctx, const int32_t *head)
{
    all *a = ctx;
    int gold[NAIVE_WORDS + 1] = { 0 };
    for (int y = 1; y <= a->n; y++)
        gold[y] = head[y];
    set_gold(a->b, gold, a->n);
    for (int k = 0; k < a->l.count; k++)
        compare(a->b, &a->l.of[k], gold);
}

static void compare_all(bool nm)
{
    bench b;
    open_bench(&b, nm);
    for (int n = 1; n <= ALL; n++) {
        all a = { .b = &b, .n = n };
        collect(&a.l, &(naive){ .n = n, .j = 1 }, nm);
        test_each_tree(n, TEST_ALL, compare_tree, &a);
        free(a.l.of);
    }
    assert_true(b.compared > 50000);
    close_bench(&b);
}

static void monotonic_is_exact(void **state)
{
    (void)state;
    compare_all(false);
}

static void non_monotonic_is_bounded(void **state)
{
    (void)state;
    compare_all(true);
}

/* ---- Random ---- */

static int pairs_left(const naive *c)
{
    int count = 0;
    for (int x = 1; x <= c->n; x++)
        for (int y = x + 1; y <= c->n; y++)
            count += naive_meet(c, x, y);
    return count;
}

/* A random move, mostly an arc; sometimes none. */
static void stray(ddn_rng *rng, naive *c, bool nm)
{
    naive next;
    int m = (int)ddn_rng_below(rng, NAIVE_MOVES + 4);
    if (m >= NAIVE_MOVES)
        m = m % 2;
    if (m == NAIVE_SHIFT && c->i > 0 && ddn_rng_below(rng, 4))
        return;
    if (naive_move(c, m, nm, &next))
        *c = next;
}

/* Random moves until what is left can be searched naively; then some more. */
static void walk(ddn_rng *rng, naive *c, bool nm)
{
    int more = (int)ddn_rng_below(rng, MAX_PAIRS);
    while (c->j <= c->n && (pairs_left(c) > MAX_PAIRS || more-- > 0))
        stray(rng, c, nm);
}

static void compare_random(bool nm)
{
    bench b;
    ddn_rng rng;
    ddn_rng_init(&rng, 11);
    open_bench(&b, nm);
    for (int k = 0; k < RANDOM; k++) {
        int n = 5 + k % (NAIVE_WORDS - 4), gold[NAIVE_WORDS + 1] = { 0 };
        int32_t head[NAIVE_WORDS + 1];
        naive c = { .n = n, .j = 1 };
        test_random_tree(&rng, n, TEST_ALL, head);
        for (int y = 1; y <= n; y++)
            gold[y] = head[y];
        walk(&rng, &c, nm);
        set_gold(&b, gold, n);
        compare(&b, &c, gold);
    }
    close_bench(&b);
}

static void longer_ones_too(void **state)
{
    (void)state;
    compare_random(false);
    compare_random(true);
}

/* ---- All trees ---- */

typedef struct question {
    naive c;
    int gold[NAIVE_WORDS + 1];
    bool may[NAIVE_WORDS + 1][NAIVE_WORDS + 1]; /* word y may have head x in the end */
    int loss;                                   /* the least number of wrong heads so far */
} question;

typedef struct questions {
    question of[EARLY * (NAIVE_MOVES + 1)];
    int count;
} questions;

static void try_tree(void *ctx, const int32_t *head)
{
    questions *q = ctx;
    for (int k = 0; k < q->count; k++) {
        question *x = &q->of[k];
        int wrong = 0, y = 1;
        for (; y <= x->c.n && wrong < x->loss; y++) {
            if (!x->may[head[y]][y])
                break;
            wrong += head[y] != x->gold[y];
        }
        if (y > x->c.n && wrong < x->loss)
            x->loss = wrong;
    }
}

static void add_question(questions *q, question x)
{
    for (int y = 1; y <= x.c.n; y++)
        for (int h = 0; h <= x.c.n; h++)
            x.may[h][y] =
                x.c.head[y] ? h == x.c.head[y] : h == 0 || (h != y && naive_meet(&x.c, h, y));
    q->of[q->count++] = x;
}

/* A configuration after any number of random moves, and those after each of its moves. */
static void ask(questions *q, ddn_rng *rng, int n)
{
    question x = { .c = { .n = n, .j = 1 }, .loss = n + 1 };
    int32_t head[NAIVE_WORDS + 1];
    test_random_tree(rng, n, TEST_ALL, head);
    for (int y = 1; y <= n; y++)
        x.gold[y] = head[y];
    for (int left = (int)ddn_rng_below(rng, (uint64_t)(5 * n)); left > 0 && x.c.j < n; left--)
        stray(rng, &x.c, false);
    add_question(q, x);
    for (int m = 0; m < NAIVE_MOVES; m++) {
        question after = x;
        if (naive_move(&x.c, m, false, &after.c))
            add_question(q, after);
    }
}

/* The answers from number k on: of a configuration and of what follows it. */
static int check_answers(bench *b, const questions *q, int k)
{
    const question *x = &q->of[k];
    ddn_move moves[NAIVE_MOVES];
    naive after[NAIVE_MOVES + 1];
    int32_t cost[NAIVE_MOVES];
    set_gold(b, x->gold, x->c.n);
    set_state(b, &x->c);
    int32_t m = list_moves(b, &x->c, moves, after);
    assert_int_equal(b->exact->value(b->exact_space, &b->state), x->c.n - x->loss);
    b->exact->costs(b->exact_space, &b->state, moves, m, cost);
    for (int32_t i = 0; i < m; i++)
        assert_int_equal(cost[i], x[i + 1].loss - x->loss);
    return k + 1 + m;
}

static void early_ones_too(void **state)
{
    (void)state;
    static questions q;
    bench b;
    ddn_rng rng;
    int early = 0;
    ddn_rng_init(&rng, 5);
    open_bench(&b, false);
    for (int n = 6; n <= 7; n++) {
        q.count = 0;
        for (int k = 0; k < EARLY; k++)
            ask(&q, &rng, n);
        test_each_tree(n, TEST_ALL, try_tree, &q);
        for (int k = 0; k < q.count; k = check_answers(&b, &q, k))
            early += pairs_left(&q.of[k].c) > MAX_PAIRS;
    }
    assert_true(early > EARLY / 2);
    close_bench(&b);
}

/* The example of ALGORITHMS: with root arcs, |U| + r is above the loss. */
static void roots_come_free_again(void **state)
{
    (void)state;
    bench b;
    ddn_bounds got;
    const int gold[NAIVE_WORDS + 1] = { 0, 0, 0, 1 };
    const naive c = { .n = 3, .i = 1, .j = 3, .head = { 0, 2, 3, 0 } };
    open_bench(&b, true);
    set_gold(&b, gold, 3);
    set_state(&b, &c);
    ddn_covington_bounds(&b.cycles, &b.state, &b.gold, &got);
    assert_int_equal(got.lower + got.roots, 2);
    assert_int_equal(b.exact->value(b.exact_space, &b.state), 3 - 1);
    close_bench(&b);
}

static void the_limit_is_kept(void **state)
{
    (void)state;
    bench b;
    int32_t loss, unknown = 0;
    ddn_rng rng;
    ddn_covington_search *little = ddn_covington_search_new(1);
    assert_non_null(little);
    ddn_rng_init(&rng, 12);
    open_bench(&b, true);
    for (int k = 0; k < RANDOM; k++) {
        int32_t head[NAIVE_WORDS + 1];
        int gold[NAIVE_WORDS + 1] = { 0 };
        naive c = { .n = 6, .j = 1 };
        test_random_tree(&rng, 6, TEST_ALL, head);
        for (int y = 1; y <= 6; y++)
            gold[y] = head[y];
        walk(&rng, &c, true);
        set_gold(&b, gold, 6);
        set_state(&b, &c);
        assert_int_equal(ddn_covington_search_loss(little, &b.state, &b.gold, true, &loss, NULL),
                         DODONA_OK);
        unknown += loss < 0;
        if (loss >= 0)
            assert_int_equal(loss, naive_loss(&c, gold, true, false));
    }
    assert_in_range(unknown, 1, RANDOM - 1);
    ddn_covington_search_free(little);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(monotonic_is_exact),    cmocka_unit_test(non_monotonic_is_bounded),
        cmocka_unit_test(longer_ones_too),       cmocka_unit_test(early_ones_too),
        cmocka_unit_test(roots_come_free_again), cmocka_unit_test(the_limit_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
