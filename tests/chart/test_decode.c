/* SPDX-License-Identifier: MIT */
/* Decoders against all trees there are: the best, the k best in their order, and shares in the sum
 * over all trees.  Then what is refused. */
#include "chart/decode.h"
#include "core/rng.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/naive.h"
#include "lib/reach.h"
#include "system/attardi_rules.h"
#include "system/kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 6, CELLS = (MOST + 1) * (MOST + 1), TREES = TEST_REACH_TREES };

static ddn_decoding decoding;

/* ---- All trees of a decoder ---- */

typedef struct trees {
    int32_t n, count;
    int32_t head[TREES][MOST + 1];
    double score[TREES];
} trees;

static trees all;

static void add_tree(void *ctx, const int32_t *head)
{
    trees *t = ctx;
    memcpy(t->head[t->count], head, ((size_t)t->n + 1) * sizeof *head);
    t->head[t->count++][0] = -1;
}

static void list_trees(const ddn_decoder *decoder, int32_t n, bool one_root)
{
    static test_reach reach;
    const char *name[DDN_ATTARDI_RULES];
    int rules = 0;
    all.n = n;
    all.count = 0;
    for (int r = 0; r < DDN_ATTARDI_RULES; r++)
        if (decoder->rules >> r & 1)
            name[rules++] = ddn_attardi_rules[r].name;
    if (rules == 0) {
        unsigned class = strcmp(decoder->name, "mst") == 0 ? TEST_ALL : TEST_PROJECTIVE;
        test_each_tree(n, class + (one_root ? TEST_ONE_ROOT : 0), add_tree, &all);
        return;
    }
    test_reach_walk(&reach, n, name, rules, one_root);
    for (int32_t t = 0; t < reach.count; t++) {
        int32_t head[MOST + 1];
        for (int32_t d = 0; d <= n; d++)
            head[d] = reach.head[t][d];
        add_tree(&all, head);
    }
}

static void draw_scores(ddn_rng *r, int32_t n, int forbidden, double *w)
{
    for (int32_t x = 0; x < (n + 1) * (n + 1); x++)
        w[x] = (int)ddn_rng_below(r, 100) < forbidden ? -INFINITY : (double)ddn_rng_below(r, 9) - 4;
}

/* Gives all trees their scores and puts those that are allowed first, in their order. */
static int by_score(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    if (all.score[x] != all.score[y])
        return all.score[x] > all.score[y] ? -1 : 1;
    for (int32_t d = 1; d <= all.n; d++)
        if (all.head[x][d] != all.head[y][d])
            return all.head[x][d] < all.head[y][d] ? -1 : 1;
    return 0;
}

static int32_t sort_trees(const double *w, int32_t *order)
{
    int32_t allowed = 0;
    for (int32_t t = 0; t < all.count; t++) {
        all.score[t] = 0;
        for (int32_t d = 1; d <= all.n; d++)
            all.score[t] += w[all.head[t][d] * (all.n + 1) + d];
        if (all.score[t] > -INFINITY)
            order[allowed++] = t;
    }
    qsort(order, (size_t)allowed, sizeof *order, by_score);
    return allowed;
}

/* ---- The best ---- */

static bool is_listed(const int32_t *head)
{
    for (int32_t t = 0; t < all.count; t++)
        if (memcmp(all.head[t] + 1, head + 1, (size_t)all.n * sizeof *head) == 0)
            return true;
    return false;
}

static void best_is_largest(void **state)
{
    (void)state;
    static const int forbidden[] = { 0, 30, 60 };
    static int32_t order[TREES];
    ddn_rng r;
    ddn_rng_init(&r, 1);
    for (int i = 0; ddn_decoders[i]; i++)
        for (int32_t n = 1; n <= MOST; n++)
            for (int one_root = 0; one_root < 2 && !ddn_decoders[i]->rules; one_root++) {
                double w[CELLS];
                int32_t head[MOST + 1];
                ddn_decode_input in = { n, one_root, w };
                list_trees(ddn_decoders[i], n, one_root);
                for (int time = 0; time < (n < MOST ? 300 : 12); time++) {
                    draw_scores(&r, n, forbidden[time % 3], w);
                    int32_t allowed = sort_trees(w, order);
                    int found = ddn_decode_best(&decoding, ddn_decoders[i], &in, head, NULL, NULL);
                    assert_int_equal(found, allowed > 0);
                    assert_true(!found || ddn_decode_score(&in, head) == all.score[order[0]]);
                    assert_true(!found || is_listed(head));
                }
            }
}

/* Longer sentences.  No tree is better than mst's, whose value a potential proves: heads raised or
 * lowered word by word change all trees alike.  Here the tree is planted under such a change. */
static void planted_trees(void **state)
{
    (void)state;
    enum { LONG = 40, ROW = LONG + 1 };
    static double w[ROW * ROW];
    int32_t tree[ROW], head[ROW];
    ddn_rng r;
    ddn_rng_init(&r, 5);
    for (int i = 0; ddn_decoders[i]; i++)
        for (int time = 0; time < (ddn_decoders[i]->rules ? 1 : 40); time++) {
            int32_t n = ddn_decoders[i]->rules ? 14 : LONG;
            ddn_decode_input in = { n, time % 2, w };
            test_random_tree(&r, n, TEST_PROJECTIVE + (time % 2 ? TEST_ONE_ROOT : 0), tree);
            for (int32_t d = 1; d <= n; d++) {
                double raise = (double)ddn_rng_below(&r, 2000);
                for (int32_t h = 0; h <= n; h++)
                    w[h * (n + 1) + d] = raise - 1 - (double)ddn_rng_below(&r, 50);
                w[tree[d] * (n + 1) + d] = raise;
            }
            assert_int_equal(ddn_decode_best(&decoding, ddn_decoders[i], &in, head, NULL, NULL), 1);
            assert_memory_equal(head + 1, tree + 1, (size_t)n * sizeof *head);
        }
}

/* One root must not cost digits: two trees with one root that differ in the last place, where trees
 * with more roots are far better. */
static void one_root_is_exact(void **state)
{
    (void)state;
    double w[9] = { 0, 1e15, 1e15, 0, 0, 0.25, 0, 0.5, 0 };
    int32_t head[3];
    ddn_decode_input in = { 2, true, w };
    for (int i = 0; ddn_decoders[i]; i++) {
        assert_int_equal(ddn_decode_best(&decoding, ddn_decoders[i], &in, head, NULL, NULL), 1);
        assert_int_equal(head[1], 2);
        assert_int_equal(head[2], 0);
    }
}

/* Arc-hybrid's moves make its tree. */
static void hybrid_moves(void **state)
{
    (void)state;
    const ddn_system *system = ddn_system_find("arc-hybrid");
    ddn_decoder decoder;
    ddn_state s;
    ddn_rng r;
    ddn_rng_init(&r, 6);
    ddn_state_init(&s);
    assert_int_equal(ddn_decoder_find("arc-hybrid", &decoder, NULL), 0);
    for (int time = 0; time < 200; time++) {
        double w[CELLS];
        int32_t head[MOST + 1], made[MOST + 1];
        uint8_t move[2 * MOST];
        ddn_decode_input in = { MOST, time % 2, w };
        draw_scores(&r, MOST, 0, w);
        assert_int_equal(ddn_decode_best(&decoding, &decoder, &in, head, move, NULL), 1);
        assert_int_equal(ddn_state_start(&s, MOST, time % 2 ? DDN_ROOTS_ONE : DDN_ROOTS_MANY, NULL),
                         0);
        for (int i = 0; i < 2 * MOST; i++) {
            assert_true(system->legal(&s) >> move[i] & 1);
            system->apply(&s, (ddn_move){ .kind = move[i], .pos = -1 }, NULL);
        }
        assert_true(system->final(&s));
        test_heads(&s, made);
        assert_memory_equal(made + 1, head + 1, MOST * sizeof *head);
    }
    ddn_state_fini(&s);
}

/* ---- The k best ---- */

static void kbest_are_sorted(void **state)
{
    (void)state;
    enum { K = 9, N = 4, EVERY = 200 };
    static int32_t order[TREES], head[EVERY * (N + 1)];
    static double score[EVERY];
    ddn_rng r;
    ddn_rng_init(&r, 2);
    for (int i = 0; ddn_decoders[i]; i++)
        for (int time = 0; time < 24; time++) {
            double w[CELLS];
            int32_t n = 1 + time % N, k = time % 6 == 5 ? EVERY : K;
            ddn_decode_input in = { n, time / 2 % 2, w };
            list_trees(ddn_decoders[i], n, in.one_root);
            draw_scores(&r, n, time % 3 ? 0 : 40, w);
            for (int32_t x = 0; x < CELLS; x++) /* no ties, so that the order is known */
                w[x] =
                    x < (n + 1) * (n + 1) && time % 2 ? ldexp(w[x], 20) + ldexp(1, x % 19) : w[x];
            int32_t allowed = sort_trees(w, order);
            int32_t found = ddn_decode_kbest(&decoding, ddn_decoders[i], &in, k, head, score, NULL);
            assert_int_equal(found, allowed < k ? allowed : k);
            for (int32_t t = 0; t < found; t++) {
                assert_true(score[t] == all.score[order[t]]);
                assert_true(is_listed(head + t * (n + 1)));
                for (int32_t u = 0; u < t; u++)
                    assert_true(memcmp(head + t * (n + 1), head + u * (n + 1),
                                       ((size_t)n + 1) * sizeof *head) != 0);
                if (k == EVERY)
                    assert_memory_equal(head + t * (n + 1) + 1, all.head[order[t]] + 1,
                                        (size_t)n * sizeof *head);
            }
        }
}

/* ---- Sums ---- */

static void check_shares(const ddn_decoder *decoder, const ddn_decode_input *in)
{
    static int32_t order[TREES];
    double p[CELLS], wanted[CELLS] = { 0 }, total = 0, given, best;
    int32_t allowed = sort_trees(in->w, order), m = in->n + 1;
    int found = ddn_decode_sum(&decoding, decoder, in, p, &given, NULL);
    assert_int_equal(found, allowed > 0);
    if (!found)
        return;
    best = all.score[order[0]];
    for (int32_t t = 0; t < allowed; t++)
        total += exp(all.score[order[t]] - best);
    for (int32_t t = 0; t < allowed; t++)
        for (int32_t d = 1; d <= in->n; d++)
            wanted[all.head[order[t]][d] * m + d] += exp(all.score[order[t]] - best) / total;
    assert_true(fabs(given - (best + log(total))) <= 1e-12 * (10 + fabs(best)));
    for (int32_t x = 0; x < m * m; x++)
        assert_true(fabs(p[x] - wanted[x]) <= 1e-11);
}

static void shares_are_sums(void **state)
{
    (void)state;
    static const double size[] = { 0, 1, 10, 400 };
    ddn_rng r;
    ddn_rng_init(&r, 3);
    for (int i = 0; ddn_decoders[i]; i++)
        for (int32_t n = 1; n <= 5 && ddn_decoders[i]->sum; n++)
            for (int time = 0; time < (n < 5 ? 400 : 40); time++) {
                double w[CELLS];
                ddn_decode_input in = { n, time % 2, w };
                list_trees(ddn_decoders[i], n, in.one_root);
                draw_scores(&r, n, time % 3 ? 25 * (time % 3) : 0, w);
                for (int32_t x = 0; x < (n + 1) * (n + 1); x++)
                    if (w[x] > -INFINITY)
                        w[x] = size[time / 2 % 4] * (w[x] + ddn_rng_unit(&r));
                check_shares(ddn_decoders[i], &in);
            }
}

/* ---- What is refused ---- */

static void refused(void **state)
{
    (void)state;
    double w[CELLS] = { 0 }, p[CELLS], total;
    int32_t head[MOST + 1];
    ddn_decode_input in = { 3, false, w };
    ddn_decoder d;
    dodona_error err;
    assert_int_equal(ddn_decoder_find("attardi:3", &d, &err), DODONA_E_ARGUMENT);
    assert_string_equal(err.message,
                        "there is exact search for attardi up to degree 2, not for degree 3");
    assert_int_equal(ddn_decoder_find("attardi:x", &d, &err), DODONA_E_ARGUMENT);
    assert_int_equal(ddn_decoder_find("attardi:", &d, &err), DODONA_E_ARGUMENT);
    assert_int_equal(ddn_decoder_find("covington", &d, &err), DODONA_E_ARGUMENT);
    assert_int_equal(ddn_decoder_find("s1<s0,s3<s0", &d, &err), DODONA_E_ARGUMENT);
    assert_int_equal(ddn_decoder_find("s1<s0,", &d, &err), DODONA_E_ARGUMENT);
    assert_int_equal(ddn_decoder_find("attardi:2", &d, &err), 0);
    assert_int_equal(d.rules, DDN_RULES_ATTARDI2);
    assert_int_equal(ddn_decode_sum(&decoding, &d, &in, p, &total, &err), DODONA_E_ARGUMENT);
    for (int i = 0; ddn_decoders[i]; i++) { /* before anything of that size is allocated or read */
        in = (ddn_decode_input){ 100000, false, NULL };
        assert_int_equal(ddn_decode_best(&decoding, ddn_decoders[i], &in, head, NULL, &err),
                         DODONA_E_LIMIT);
        assert_non_null(strstr(err.message, "100000 words with '"));
        assert_non_null(strstr(err.message, "the limit is 4000.0 MB"));
    }
}

static int prepare(void **state)
{
    (void)state;
    ddn_decoding_init(&decoding, DDN_DECODE_MEMORY);
    return 0;
}

static int tidy(void **state)
{
    (void)state;
    ddn_decoding_fini(&decoding);
    return 0;
}

/* ---- The decoders of systems ---- */

typedef struct reached {
    const ddn_system *system;
    int32_t count;
} reached;

static void find_reached(void *ctx, const int32_t *head)
{
    int32_t scratch[2 * (MOST + 1)];
    reached *r = ctx;
    bool reaches = ddn_system_reaches(r->system, head, all.n, scratch);
    assert_int_equal(is_listed(head), reaches);
    r->count += reaches;
}

/* A system's decoder chooses among just those trees that the system reaches. */
static void systems_have_their_decoders(void **state)
{
    (void)state;
    static const char *const names[] = { "arc-standard", "arc-eager",        "arc-hybrid",
                                         "lr-spine",     "attardi",          "alldeg1",
                                         "all",          "alls0s1",          "attardi:1",
                                         "attardi:2",    "s1<s0+s0<s1+s1<b0" };
    static const char *const none[] = { "arc-eager-nm", "covington", "covington-nm", "attardi:3",
                                        "attardi:7" };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(ddn_system_find(none[i])->decoder);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ddn_decoder decoder;
        reached r = { .system = ddn_system_find(names[i]) };
        assert_int_equal(ddn_decoder_find(r.system->decoder, &decoder, NULL), DODONA_OK);
        for (int32_t n = 1; n <= 5; n++) {
            list_trees(&decoder, n, false);
            r.count = 0;
            test_each_tree(n, TEST_ALL, find_reached, &r);
            assert_int_equal(r.count, all.count);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_is_largest),   cmocka_unit_test(planted_trees),
        cmocka_unit_test(one_root_is_exact), cmocka_unit_test(hybrid_moves),
        cmocka_unit_test(kbest_are_sorted),  cmocka_unit_test(shares_are_sums),
        cmocka_unit_test(refused),           cmocka_unit_test(systems_have_their_decoders),
    };
    return cmocka_run_group_tests(tests, prepare, tidy);
}
