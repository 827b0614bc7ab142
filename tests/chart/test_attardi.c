/* SPDX-License-Identifier: MIT */
/* The charts of the Attardi family against two other ways: all trees that walking the
 * configurations finds, for short sentences, and the deduction rules written out plainly, for
 * longer ones, where blocks of rows and columns are full. */
#include "chart/decode.h"
#include "core/rng.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/reach.h"
#include "system/attardi_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = TEST_REACH_WORDS, SYSTEMS = 7, LONG = 19, SIZE = LONG + 2 };

static const char *const systems[SYSTEMS] = { "attardi",
                                              "alldeg1",
                                              "all",
                                              "alls0s1",
                                              "attardi:1",
                                              "s1<s0,s0<s1,s1<b0",
                                              "s0<s1,s1<b0,s0<b0,s2<s1" };

static test_reach reach;
static ddn_decoding decoding;

static int names_of(uint32_t rules, const char **name)
{
    int count = 0;
    for (int r = 0; r < DDN_ATTARDI_RULES; r++)
        if (rules >> r & 1)
            name[count++] = ddn_attardi_rules[r].name;
    return count;
}

static ddn_decoder find(const char *name)
{
    ddn_decoder decoder;
    assert_int_equal(ddn_decoder_find(name, &decoder, NULL), DODONA_OK);
    return decoder;
}

static void walk(uint32_t rules, int32_t n, bool one_root)
{
    const char *name[DDN_ATTARDI_RULES];
    int count = names_of(rules, name);
    test_reach_walk(&reach, n, name, count, one_root);
}

/* ---- Scores ---- */

/* Whole numbers of which many are equal, with some arcs forbidden; then sums are exact. */
static void draw_scores(ddn_rng *r, int32_t n, int forbidden, double *w)
{
    for (int32_t x = 0; x < (n + 1) * (n + 1); x++)
        w[x] = (int)ddn_rng_below(r, 100) < forbidden ? -INFINITY : (double)ddn_rng_below(r, 9) - 4;
}

static double best_reached(const double *w)
{
    double best = -INFINITY;
    for (int32_t t = 0; t < reach.count; t++) {
        double sum = 0;
        for (int32_t d = 1; d <= reach.n; d++)
            sum += w[reach.head[t][d] * (reach.n + 1) + d];
        best = sum > best ? sum : best;
    }
    return best;
}

static bool is_reached(const int32_t *head)
{
    for (int32_t t = 0; t < reach.count; t++) {
        int32_t d = 1;
        while (d <= reach.n && reach.head[t][d] == head[d])
            d++;
        if (d > reach.n)
            return true;
    }
    return false;
}

/* The moves are of the system and make the tree. */
static void check_moves(const ddn_decode_input *in, uint32_t rules, const uint8_t *move,
                        const int32_t *head)
{
    const char *name[2 * SIZE];
    int32_t made[SIZE];
    for (int32_t i = 0; i < 2 * in->n; i++) {
        assert_true(move[i] == DDN_DECODE_SHIFT || (rules >> move[i] & 1));
        name[i] = move[i] == DDN_DECODE_SHIFT ? NULL : ddn_attardi_rules[move[i]].name;
    }
    assert_true(test_replay(in->n, name, 2 * in->n, in->one_root, made));
    assert_memory_equal(made + 1, head + 1, (size_t)in->n * sizeof *head);
}

static double decode(const ddn_decoder *decoder, const ddn_decode_input *in, int32_t *head)
{
    uint8_t move[2 * SIZE];
    int found = ddn_decode_best(&decoding, decoder, in, head, move, NULL);
    assert_true(found >= 0);
    if (!found)
        return -INFINITY;
    check_moves(in, decoder->rules, move, head);
    return ddn_decode_score(in, head);
}

/* The walk was made. */
static void compare(const ddn_decoder *decoder, bool one_root, ddn_rng *r, int times)
{
    static const int forbidden[] = { 0, 20, 50, 75 };
    double w[(MOST + 1) * (MOST + 1)];
    int32_t head[MOST + 1];
    ddn_decode_input in = { reach.n, one_root, w };
    for (int i = 0; i < times; i++) {
        draw_scores(r, reach.n, forbidden[i % 4], w);
        double best = best_reached(w);
        assert_true(decode(decoder, &in, head) == best);
        assert_true(best == -INFINITY || is_reached(head));
    }
}

static void best_is_largest(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_rng_init(&r, 1);
    for (int s = 0; s < SYSTEMS; s++) {
        ddn_decoder decoder = find(systems[s]);
        for (int32_t n = 1; n <= MOST; n++)
            for (int one_root = 0; one_root < 2; one_root++) {
                walk(decoder.rules, n, one_root);
                compare(&decoder, one_root, &r, n < MOST ? 400 : 100);
            }
    }
}

static void every_set_of_rules(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_rng_init(&r, 2);
    ddn_decoder decoder = find("attardi");
    for (decoder.rules = 0; decoder.rules < DDN_RULE_BIT(DDN_ATTARDI_RULES); decoder.rules++)
        for (int one_root = 0; one_root < 2; one_root++) {
            walk(decoder.rules, 5, one_root);
            compare(&decoder, one_root, &r, 12);
        }
}

/* ---- Coverage ---- */

typedef struct covered {
    const ddn_decoder *decoder;
    int32_t n, derived;
} covered;

/* With its own arcs only, a tree is found if and only if the system reaches it. */
static void take_tree(void *ctx, const int32_t *tree)
{
    covered *c = ctx;
    double w[(MOST + 1) * (MOST + 1)];
    int32_t head[MOST + 1];
    ddn_decode_input in = { c->n, false, w };
    for (int32_t x = 0; x < (c->n + 1) * (c->n + 1); x++)
        w[x] = -INFINITY;
    for (int32_t d = 1; d <= c->n; d++)
        w[tree[d] * (c->n + 1) + d] = 0;
    c->derived += decode(c->decoder, &in, head) == 0;
}

static void coverage_is_known(void **state)
{
    (void)state;
    /* attardi, alldeg1, all, alls0s1 for n = 4, 5, 6, and with one root for n = 5 */
    static const int32_t many[3][4] = { { 117, 119, 122, 119 },
                                        { 1011, 1067, 1177, 1069 },
                                        { 9597, 10673, 13263, 10733 } };
    static const int32_t one[4] = { 475, 501, 559, 500 };
    for (int s = 0; s < 4; s++) {
        ddn_decoder decoder = find(systems[s]);
        for (int32_t n = 4; n <= MOST; n++) {
            covered c = { &decoder, n, 0 };
            walk(decoder.rules, n, false);
            assert_int_equal(reach.count, many[n - 4][s]);
            test_each_tree(n, TEST_ALL, take_tree, &c);
            assert_int_equal(c.derived, many[n - 4][s]);
        }
        walk(decoder.rules, 5, true);
        assert_int_equal(reach.count, one[s]);
    }
}

/* ---- The deduction rules, plainly ---- */

typedef double table[SIZE][SIZE][SIZE][SIZE][SIZE]; /* [h1][i][h2][h3][j]; h1 = n+1 is eps */

typedef struct plain {
    table *item;
    int32_t n;
    uint32_t rules;
    bool one_root;
    const double *w;
} plain;

static void improve(double *to, double value)
{
    if (value > *to)
        *to = value;
}

/* What is left when the rule has been applied to s2 s1 s0 | b0; eps is n+1 and no place. */
static void apply(plain *p, int r, double sum, int32_t h1, int32_t i, int32_t s2, int32_t s1,
                  int32_t s0, int32_t j)
{
    int32_t at[] = { s0, s1, s2, j };
    int32_t eps = p->n + 1, head = at[ddn_attardi_rules[r].head];
    int32_t modifier = at[ddn_attardi_rules[r].modifier];
    bool is_last = h1 == eps && s1 == 0 && j == eps;
    if (modifier == 0 || modifier == eps || head == eps || (p->one_root && head == 0 && !is_last))
        return;
    sum += p->w[head * (p->n + 1) + modifier];
    switch (ddn_attardi_rules[r].modifier) {
    case DDN_AT_S0:
        improve(&(*p->item)[h1][i][s2][s1][j], sum);
        break;
    case DDN_AT_S1:
        improve(&(*p->item)[h1][i][s2][s0][j], sum);
        break;
    default:
        improve(&(*p->item)[h1][i][s1][s0][j], sum);
    }
}

static void join(plain *p, int32_t h1, int32_t i, int32_t k, int32_t j)
{
    int32_t eps = p->n + 1;
    for (int32_t h2 = 0; h2 <= eps; h2++)
        for (int32_t h3 = 0; h3 < k; h3++)
            for (int32_t h4 = h3; h4 < j; h4++)
                for (int32_t h5 = k; h5 < j; h5++) {
                    double sum = (*p->item)[h1][i][h2][h3][k] + (*p->item)[h3][k][h4][h5][j];
                    for (int r = 0; r < DDN_ATTARDI_RULES && sum > -INFINITY; r++)
                        if (p->rules >> r & 1)
                            apply(p, r, sum, h1, i, h2, h4, h5, j);
                }
}

static double plain_best(plain *p)
{
    int32_t eps = p->n + 1;
    for (size_t x = 0; x < sizeof *p->item / sizeof(double); x++)
        ((double *)p->item)[x] = -INFINITY;
    (*p->item)[eps][0][eps][0][1] = 0;
    for (int32_t j = 2; j <= p->n + 1; j++) {
        for (int32_t h = 0; h < j - 1; h++)
            (*p->item)[h][j - 1][h][j - 1][j] = 0;
        for (int32_t k = j - 1; k >= 1; k--) {
            for (int32_t i = 1; i < k; i++)
                for (int32_t h1 = 0; h1 < i; h1++)
                    join(p, h1, i, k, j);
            join(p, eps, 0, k, j);
        }
    }
    return (*p->item)[eps][0][eps][0][eps];
}

static void long_sentences(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_rng_init(&r, 3);
    double w[SIZE * SIZE];
    int32_t head[SIZE];
    plain p = { .item = malloc(sizeof(table)), .w = w };
    assert_non_null(p.item);
    for (int s = 0; s < SYSTEMS; s++) {
        ddn_decoder decoder = find(systems[s]);
        for (p.n = 7; p.n <= LONG; p.n += s < 4 ? 4 : 12) {
            p.rules = decoder.rules;
            p.one_root = p.n % 8 == 3;
            ddn_decode_input in = { p.n, p.one_root, w };
            draw_scores(&r, p.n, p.n == 15 ? 60 : 0, w);
            for (int32_t x = 0; x < (p.n + 1) * (p.n + 1); x++)
                w[x] *= 1 + (double)ddn_rng_below(&r, 50);
            assert_true(decode(&decoder, &in, head) == plain_best(&p));
        }
    }
    free(p.item);
}

/* Sums that are rounded: the way back is found, and the tree is the best but for rounding. */
static void rounded_sums(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_rng_init(&r, 4);
    double w[SIZE * SIZE];
    int32_t head[SIZE];
    plain p = { .item = malloc(sizeof(table)), .n = 10, .w = w };
    assert_non_null(p.item);
    for (int s = 0; s < SYSTEMS; s++)
        for (int i = 0; i < 4; i++) {
            ddn_decoder decoder = find(systems[s]);
            ddn_decode_input in = { p.n, i % 2, w };
            p.rules = decoder.rules;
            p.one_root = i % 2;
            for (int32_t x = 0; x < (p.n + 1) * (p.n + 1); x++)
                w[x] = ldexp(ddn_rng_unit(&r) - 0.5, (int)ddn_rng_below(&r, 20));
            double best = plain_best(&p);
            assert_true(fabs(decode(&decoder, &in, head) - best) <= 1e-9 * (1 + fabs(best)));
        }
    free(p.item);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_is_largest),   cmocka_unit_test(every_set_of_rules),
        cmocka_unit_test(coverage_is_known), cmocka_unit_test(long_sentences),
        cmocka_unit_test(rounded_sums),
    };
    return cmocka_run_group_tests(tests, prepare, tidy);
}
