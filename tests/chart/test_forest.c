/* SPDX-License-Identifier: MIT */
/* Forests against the lists of all their derivations: counts, oracles, the k best, marginals. */
#include "chart/forest.h"
#include "chart/kbest.h"
#include "chart/marginals.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/forests.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = TEST_FOREST_WORDS + 1, MOST = 3000 };

static void assert_near(double got, double expected)
{
    assert_true(fabs(got - expected) <= 1e-9 * (1 + fabs(expected)));
}

typedef struct space {
    ddn_rng rng;
    ddn_forest f;
    ddn_kbest k;
    ddn_marginals m;
    ddn_big_pool pool;
    test_derivations d;
} space;

static int make_space(void **state)
{
    space *s = calloc(1, sizeof *s);
    assert_non_null(s);
    ddn_rng_init(&s->rng, 11);
    ddn_forest_init(&s->f);
    ddn_kbest_init(&s->k);
    ddn_marginals_init(&s->m);
    ddn_big_pool_init(&s->pool);
    *state = s;
    return 0;
}

static int free_space(void **state)
{
    space *s = *state;
    ddn_forest_fini(&s->f);
    ddn_kbest_fini(&s->k);
    ddn_marginals_fini(&s->m);
    ddn_big_pool_fini(&s->pool);
    test_derivations_fini(&s->d);
    free(s);
    return 0;
}

/* Random plans; visit gets a forest that passes the check, and all its derivations, sorted. */
static void each_forest(space *s, double twice, int rounds, void (*visit)(space *s))
{
    for (int i = 0; i < rounds; i++) {
        test_forest_plan plan = {
            .n = 1 + (int32_t)ddn_rng_below(&s->rng, 6),
            .keep = 0.2 + 0.8 * ddn_rng_unit(&s->rng),
            .copies = 1 + (int32_t)ddn_rng_below(&s->rng, 3),
            .labels = 1 + (int32_t)ddn_rng_below(&s->rng, 3),
            .twice = twice,
            .whole = i % 2 ? 1 + (int32_t)ddn_rng_below(&s->rng, 9) : 0,
        };
        test_forest_make(&s->f, &plan, &s->rng);
        assert_int_equal(ddn_forest_check(&s->f, NULL), 0);
        test_derivations_fini(&s->d);
        if (!test_forest_list(&s->f, MOST, &s->d))
            continue;
        test_derivations_sort(&s->d);
        visit(s);
    }
}

static void check_count(space *s)
{
    uint32_t count;
    assert_int_equal(ddn_forest_count(&s->f, &s->pool, &count, NULL), 0);
    char text[32], *got = ddn_big_text(&s->pool.big[count]);
    snprintf(text, sizeof text, "%zu", s->d.count);
    assert_string_equal(got, text);
    free(got);
}

static void count_equals_enumeration(void **state)
{
    each_forest(*state, 0.2, 400, check_count);
}

static void count_tree(void *count, const int32_t *head)
{
    (void)head;
    ++*(int *)count;
}

/* With every edge once, the forest holds each projective tree once, whatever finds them. */
static void whole_forest_is_all_projective_trees(void **state)
{
    space *s = *state;
    for (int32_t n = 1; n <= 6; n++) {
        int trees = 0;
        test_each_tree(n, TEST_PROJECTIVE, count_tree, &trees);
        test_forest_plan plan = { .n = n, .keep = 1, .copies = 1, .labels = 1 };
        test_forest_make(&s->f, &plan, &s->rng);
        test_derivations_fini(&s->d);
        assert_true(test_forest_list(&s->f, 100000, &s->d));
        assert_int_equal(s->d.count, trees);
        check_count(s);
    }
}

/* A chain of 1000 words, each under the root or under the word before it, all choices free: the
 * count is 2 to the 999th.  By hand, the first and last digits of that number. */
static void counts_are_exact_beyond_64_bits(void **state)
{
    space *s = *state;
    enum { N = 1000 };
    int32_t before, leaf, node;
    uint32_t count;
    ddn_forest_clear(&s->f, N);
    assert_int_equal(ddn_forest_add_node(&s->f, &before, NULL), 0);
    for (int32_t i = 1; i <= N; i++) {
        assert_int_equal(ddn_forest_add_node(&s->f, &leaf, NULL), 0);
        assert_int_equal(ddn_forest_add_node(&s->f, &node, NULL), 0);
        for (int32_t head = i - 1; head >= 0; head = head ? 0 : -1) {
            ddn_forest_edge e = { 0, before, leaf, head, i, 0 };
            assert_int_equal(ddn_forest_add_edge(&s->f, &e, NULL), 0);
        }
        before = node;
    }
    assert_int_equal(ddn_forest_check(&s->f, NULL), 0);
    assert_int_equal(ddn_forest_count(&s->f, &s->pool, &count, NULL), 0);
    char *text = ddn_big_text(&s->pool.big[count]);
    assert_int_equal(strlen(text), 301); /* 999 log10(2) = 300.7 */
    assert_memory_equal(text, "53575", 5);
    assert_string_equal(text + 296, "34688"); /* 2^999 mod 10^5 */
    free(text);
}

/* ---- Oracle ---- */

static int32_t right_arcs(const test_derivation *d, int32_t n, const int32_t *gold,
                          const int32_t *gold_label)
{
    int32_t right = 0;
    for (int32_t i = 1; i <= n; i++)
        right += d->head[i] == gold[i] && (!gold_label || d->label[i] == gold_label[i]);
    return right;
}

/* The best count, with the best score among those that have it; and the tree has both. */
static void check_oracle_of(space *s, const int32_t *gold, const int32_t *gold_label)
{
    test_derivation got = { 0 };
    ddn_forest_oracle o;
    int32_t most = -1;
    double score = 0;
    for (size_t i = 0; i < s->d.count; i++) { /* by falling score */
        int32_t right = right_arcs(&s->d.of[i], s->f.n, gold, gold_label);
        if (right > most) {
            most = right;
            score = s->d.of[i].score;
        }
    }
    assert_int_equal(ddn_forest_find_oracle(&s->f, gold, gold_label, got.head, got.label, &o, NULL),
                     0);
    assert_int_equal(o.correct, most);
    assert_near(o.score, score);
    assert_int_equal(right_arcs(&got, s->f.n, gold, gold_label), most);
    size_t i = 0;
    while (i < s->d.count && (memcmp(got.head, s->d.of[i].head, sizeof got.head) != 0 ||
                              memcmp(got.label, s->d.of[i].label, sizeof got.label) != 0))
        i++;
    assert_true(i < s->d.count); /* sorted: the best of this tree comes first */
    assert_near(s->d.of[i].score, score);
}

static void check_oracle(space *s)
{
    int32_t gold[SIDE], label[SIDE];
    test_random_tree(&s->rng, s->f.n, TEST_ALL, gold);
    for (int32_t i = 1; i <= s->f.n; i++)
        label[i] = (int32_t)ddn_rng_below(&s->rng, 3) - 1;
    check_oracle_of(s, gold, NULL);
    check_oracle_of(s, gold, label);
}

static void oracle_equals_enumeration(void **state)
{
    each_forest(*state, 0.2, 400, check_oracle);
}

/* ---- The k best ---- */

static bool same(const test_derivation *a, const test_derivation *b)
{
    return memcmp(a->head, b->head, sizeof a->head) == 0 &&
           memcmp(a->label, b->label, sizeof a->label) == 0;
}

/* The whole list: scores as enumerated, and among equal scores the same set of trees. */
static void check_kbest(space *s)
{
    test_derivations_unite(&s->d);
    test_derivations got = { calloc(s->d.count + 1, sizeof *got.of), 0, 0 };
    assert_non_null(got.of);
    assert_int_equal(ddn_kbest_begin(&s->k, &s->f, NULL), 0);
    int status;
    for (;;) {
        test_derivation one = { 0 };
        status = ddn_kbest_next(&s->k, &one.score, one.head, one.label, NULL);
        if (status <= 0)
            break;
        assert_true(got.count < s->d.count);
        assert_near(one.score, s->d.of[got.count].score);
        if (got.count)
            assert_true(one.score <= got.of[got.count - 1].score);
        one.head[0] = 0;
        size_t i = 0;
        while (i < s->d.count && !same(&one, &s->d.of[i]))
            i++;
        assert_true(i < s->d.count);
        assert_near(one.score, s->d.of[i].score);
        for (size_t j = 0; j < got.count; j++)
            assert_false(same(&one, &got.of[j]));
        got.of[got.count++] = one;
    }
    assert_int_equal(status, 0);
    assert_int_equal(got.count, s->d.count);
    free(got.of);
}

static void kbest_equals_sorted_enumeration(void **state)
{
    each_forest(*state, 0, 150, check_kbest);
}

static void kbest_names_a_tree_once(void **state)
{
    each_forest(*state, 0.5, 150, check_kbest);
}

/* Every tree of every whole forest to 5 words. */
static void kbest_lists_all_small_forests(void **state)
{
    space *s = *state;
    for (int32_t n = 1; n <= 5; n++)
        for (int32_t whole = 0; whole <= 3; whole++) {
            test_forest_plan plan = { n, 1, 1, 1, 0, whole };
            test_forest_make(&s->f, &plan, &s->rng);
            test_derivations_fini(&s->d);
            assert_true(test_forest_list(&s->f, MOST, &s->d));
            test_derivations_sort(&s->d);
            check_kbest(s);
        }
}

/* The same list from a fresh start and from memory that was used before. */
static void kbest_repeats_itself(void **state)
{
    space *s = *state;
    ddn_kbest fresh;
    test_forest_plan plan = { .n = 7, .keep = 0.7, .copies = 2, .labels = 2, .whole = 2 };
    test_forest_make(&s->f, &plan, &s->rng);
    ddn_kbest_init(&fresh);
    assert_int_equal(ddn_kbest_begin(&fresh, &s->f, NULL), 0);
    assert_int_equal(ddn_kbest_begin(&s->k, &s->f, NULL), 0);
    for (int i = 0; i < 500; i++) {
        test_derivation a = { 0 }, b = { 0 };
        assert_int_equal(ddn_kbest_next(&fresh, &a.score, a.head, a.label, NULL), 1);
        assert_int_equal(ddn_kbest_next(&s->k, &b.score, b.head, b.label, NULL), 1);
        assert_true(same(&a, &b) && a.score == b.score);
    }
    ddn_kbest_fini(&fresh);
}

/* The best of the first k by gold heads never falls with k, and ends at the forest's own. */
static void check_oracle_of_kbest(space *s)
{
    test_derivation one = { 0 };
    ddn_forest_oracle o;
    int32_t gold[SIDE], most = 0;
    double score;
    test_random_tree(&s->rng, s->f.n, TEST_ALL, gold);
    assert_int_equal(ddn_forest_find_oracle(&s->f, gold, NULL, one.head, one.label, &o, NULL), 0);
    assert_int_equal(ddn_kbest_begin(&s->k, &s->f, NULL), 0);
    while (ddn_kbest_next(&s->k, &score, one.head, one.label, NULL) > 0) {
        int32_t right = right_arcs(&one, s->f.n, gold, NULL);
        assert_true(right <= o.correct);
        most = right > most ? right : most;
    }
    assert_int_equal(most, o.correct);
}

static void oracle_of_kbest_reaches_the_forest(void **state)
{
    each_forest(*state, 0.1, 150, check_oracle_of_kbest);
}

/* ---- Marginals ---- */

/* Sums over the list, for each arc and label. */
static void sum_arcs(const space *s, double temperature, double p[SIDE][SIDE][4], double *log_sum)
{
    double total = 0, high = s->d.of[0].score / temperature;
    memset(p, 0, sizeof(double[SIDE][SIDE][4]));
    for (size_t i = 0; i < s->d.count; i++)
        total += exp(s->d.of[i].score / temperature - high);
    *log_sum = high + log(total);
    for (size_t i = 0; i < s->d.count; i++)
        for (int32_t c = 1; c <= s->f.n; c++)
            p[s->d.of[i].head[c]][c][s->d.of[i].label[c]] +=
                exp(s->d.of[i].score / temperature - high) / total;
}

static void check_marginals_at(space *s, double temperature)
{
    double p[SIDE][SIDE][4], log_sum;
    sum_arcs(s, temperature, p, &log_sum);
    assert_int_equal(ddn_marginals_compute(&s->m, &s->f, temperature, NULL), 0);
    assert_near(s->m.log_sum, log_sum);
    for (int32_t c = 1; c <= s->f.n; c++)
        for (int32_t h = 0; h <= s->f.n; h++) {
            const ddn_marginal *got = ddn_marginals_find(&s->m, h, c);
            double sum = p[h][c][0] + p[h][c][1] + p[h][c][2], most = 0;
            for (int32_t l = 0; l < 3; l++)
                most = fmax(most, p[h][c][l]);
            assert_near(got ? got->p : 0, sum);
            assert_near(got ? got->labelled : 0, most);
            if (got)
                assert_near(p[h][c][got->label], most);
        }
}

static void check_marginals(space *s)
{
    check_marginals_at(s, 1);
    check_marginals_at(s, 0.3);
    check_marginals_at(s, 50);
}

static void marginals_equal_enumeration(void **state)
{
    each_forest(*state, 0.2, 300, check_marginals);
}

/* Scores as large as a perceptron's, where exp() of them would be no number. */
static void marginals_bear_large_scores(void **state)
{
    space *s = *state;
    test_forest_plan plan = { .n = 5, .keep = 0.6, .copies = 2, .labels = 2, .whole = 7 };
    test_forest_make(&s->f, &plan, &s->rng);
    for (uint32_t e = 0; e < ddn_forest_edges(&s->f); e++)
        s->f.edge[e].score = 1e6 + 1e3 * s->f.edge[e].score;
    test_derivations_fini(&s->d);
    assert_true(test_forest_list(&s->f, 1000000, &s->d));
    test_derivations_sort(&s->d);
    check_marginals_at(s, 1000);
    check_marginals_at(s, 1);
}

/* ---- What is no forest ---- */

/* root, leaf 1, leaf 2; 3: 0 -> 1; the goal 4: 0 -> 2. */
static void small(ddn_forest *f)
{
    ddn_forest_clear(f, 2);
    for (int i = 0; i < 4; i++)
        assert_int_equal(ddn_forest_add_node(f, NULL, NULL), 0);
    ddn_forest_edge e = { 1, 0, 1, 0, 1, 0 }, g = { 2, 3, 2, 0, 2, 0 };
    assert_int_equal(ddn_forest_add_edge(f, &e, NULL), 0);
    assert_int_equal(ddn_forest_add_node(f, NULL, NULL), 0);
    assert_int_equal(ddn_forest_add_edge(f, &g, NULL), 0);
}

static void check_refuses(void **state)
{
    space *s = *state;
    ddn_forest *f = &s->f;
    static const struct {
        ddn_forest_edge edge; /* in place of the last */
        const char *why;      /* NULL: it is fine */
    } cases[] = {
        { { 2, 3, 2, 0, 2, 0 }, NULL },          { { 2, 3, 2, 1, 2, 5 }, NULL },
        { { 2, 4, 2, 0, 2, 0 }, "earlier" },     { { 2, 3, 4, 0, 2, 0 }, "earlier" },
        { { 2, -1, 2, 0, 2, 0 }, "earlier" },    { { 2, 3, -2, 0, 2, 0 }, "earlier" },
        { { NAN, 3, 2, 0, 2, 0 }, "score" },     { { INFINITY, 3, 2, 0, 2, 0 }, "score" },
        { { -1e101, 3, 2, 0, 2, 0 }, "score" },  { { 2, 3, 2, 0, 3, 0 }, "arc" },
        { { 2, 3, 2, 3, 2, 0 }, "arc" },         { { 2, 3, 2, -1, 2, 0 }, "arc" },
        { { 2, 3, 2, 2, 2, 0 }, "arc" },         { { 2, 3, 2, 0, 2, -1 }, "arc" },
        { { 2, 3, 2, 0, 0, 1 }, "arc" },         { { 2, 3, -1, 0, 2, 0 }, "not used" },
        { { 2, 3, 2, 0, 1, 0 }, "second head" }, { { 2, 3, 3, 0, 2, 0 }, "not used" },
        { { 2, 3, 2, 0, 0, 0 }, "no head" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dodona_error err = { 0 };
        small(f);
        f->edge[1] = cases[i].edge;
        int status = ddn_forest_check(f, &err);
        assert_int_equal(status, cases[i].why ? DODONA_E_INPUT : 0);
        if (cases[i].why)
            assert_non_null(strstr(err.message, cases[i].why));
    }
    small(f);
    ddn_forest_edge other = { 2, 0, 3, 0, 0, 0 };
    assert_int_equal(ddn_forest_add_edge(f, &other, NULL), 0);
    dodona_error err;
    assert_int_equal(ddn_forest_check(f, &err), DODONA_E_INPUT);
    assert_non_null(strstr(err.message, "different words"));
    small(f); /* both tails give the first word its head */
    f->edge[1] = (ddn_forest_edge){ 2, 3, 3, 0, 0, 0 };
    ddn_forest_edge second = { 1, 3, 2, 0, 2, 0 };
    assert_int_equal(ddn_forest_add_edge(f, &second, NULL), 0);
    assert_int_equal(ddn_forest_check(f, &err), DODONA_E_INPUT);
    assert_non_null(strstr(err.message, "second head"));
    ddn_forest_clear(f, 2);
    assert_int_equal(ddn_forest_check(f, &err), DODONA_E_INPUT);
}

/* Each node is made of the one before it twice: 2^60 steps from 61 nodes. */
static void check_refuses_derivations_without_end(void **state)
{
    space *s = *state;
    dodona_error err;
    ddn_forest_clear(&s->f, 0);
    for (int32_t v = 0; v < 61; v++) {
        ddn_forest_edge e = { 0, v - 1, v - 1, 0, 0, 0 };
        assert_int_equal(ddn_forest_add_node(&s->f, NULL, NULL), 0);
        if (v > 0)
            assert_int_equal(ddn_forest_add_edge(&s->f, &e, NULL), 0);
    }
    assert_int_equal(ddn_forest_check(&s->f, &err), DODONA_E_LIMIT);
}

/* 1 -> 2 and 2 -> 1: one head a word, and no tree. */
static void cycles_are_refused(void **state)
{
    space *s = *state;
    dodona_error err;
    double score;
    int32_t head[3], label[3];
    small(&s->f);
    s->f.edge[0].head = 2;
    s->f.edge[1].head = 1;
    assert_int_equal(ddn_forest_check(&s->f, &err), 0);
    assert_int_equal(ddn_kbest_begin(&s->k, &s->f, NULL), 0);
    assert_int_equal(ddn_kbest_next(&s->k, &score, head, label, &err), DODONA_E_INPUT);
    assert_non_null(strstr(err.message, "no word hangs from the root"));
    static const int32_t gold[] = { -1, 0, 1 };
    ddn_forest_oracle best;
    assert_int_equal(ddn_forest_find_oracle(&s->f, gold, NULL, head, label, &best, &err),
                     DODONA_E_INPUT);
}

/* What is not used goes, what is used stays as it was. */
static void trim_drops_what_is_not_used(void **state)
{
    space *s = *state;
    small(&s->f);
    ddn_forest_edge stray = { 9, 0, 2, 0, 2, 0 }, last = { 2, 3, 2, 1, 2, 4 };
    s->f.nodes = 4; /* without the goal, then a node that nothing uses, then the goal again */
    s->f.first[4] = 1;
    assert_int_equal(ddn_forest_add_node(&s->f, NULL, NULL), 0);
    assert_int_equal(ddn_forest_add_edge(&s->f, &stray, NULL), 0);
    assert_int_equal(ddn_forest_add_node(&s->f, NULL, NULL), 0);
    assert_int_equal(ddn_forest_add_edge(&s->f, &last, NULL), 0);
    assert_int_equal(ddn_forest_check(&s->f, NULL), DODONA_E_INPUT);
    assert_int_equal(ddn_forest_trim(&s->f, NULL), 0);
    assert_int_equal(s->f.nodes, 5);
    assert_int_equal(ddn_forest_edges(&s->f), 2);
    assert_int_equal(s->f.edge[1].label, 4);
    assert_int_equal(ddn_forest_check(&s->f, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(count_equals_enumeration),
        cmocka_unit_test(whole_forest_is_all_projective_trees),
        cmocka_unit_test(counts_are_exact_beyond_64_bits),
        cmocka_unit_test(oracle_equals_enumeration),
        cmocka_unit_test(kbest_equals_sorted_enumeration),
        cmocka_unit_test(kbest_names_a_tree_once),
        cmocka_unit_test(kbest_lists_all_small_forests),
        cmocka_unit_test(kbest_repeats_itself),
        cmocka_unit_test(oracle_of_kbest_reaches_the_forest),
        cmocka_unit_test(marginals_equal_enumeration),
        cmocka_unit_test(marginals_bear_large_scores),
        cmocka_unit_test(check_refuses),
        cmocka_unit_test(check_refuses_derivations_without_end),
        cmocka_unit_test(cycles_are_refused),
        cmocka_unit_test(trim_drops_what_is_not_used),
    };
    return cmocka_run_group_tests(tests, make_space, free_space);
}
