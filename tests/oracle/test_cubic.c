/* SPDX-License-Identifier: MIT */
/* The oracle 'cubic' works from a grammar as data, in a chart that knows nothing of arc-standard.
 * Here the same equations stand written out for this one grammar, in the plainest way, and both
 * answer for longer trees, most of them not projective, in configurations drawn at random. */
#include "lib/check.h"
#include "lib/enumerate.h"
#include "oracle/standard.h"
#include "system/kinds.h"

#include <string.h>

enum { LONGEST = 30, ITEMS = LONGEST + 2, NEVER = -10000, TREES = 400, QUESTIONS = 20 };

/* Stack and buffer after a move, and which of them may not take children. */
typedef struct input {
    const ddn_gold *gold;
    int32_t item[ITEMS], size, top;
    bool no_left[ITEMS], no_right[ITEMS];
} input;

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t arc(const input *in, int32_t i, int32_t j)
{
    if (j < i ? in->no_left[i] : in->no_right[i])
        return NEVER;
    return in->gold->head[in->item[j]] == in->item[i];
}

/* P is what stands below the top and has no children yet, S all else.  A table at [P] has values on
 * the diagonal only. */
enum { P, S };

typedef struct chart {
    int32_t left[2][ITEMS][ITEMS], right[2][ITEMS][ITEMS];
    int32_t left_arc[2][2][ITEMS][ITEMS], right_arc[2][2][ITEMS][ITEMS];
} chart;

static void fill(chart *c, const input *in, int32_t i, int32_t j)
{
    int32_t l = NEVER, r = NEVER;
    for (int b = P; b <= S; b++)
        for (int d = P; d <= S; d++) {
            int32_t meet = NEVER;
            for (int32_t k = i; k < j; k++)
                meet = larger(meet, c->right[b][i][k] + c->left[d][k + 1][j]);
            c->left_arc[b][d][i][j] = larger(NEVER, meet + arc(in, j, i));
            c->right_arc[b][d][i][j] = larger(NEVER, meet + arc(in, i, j));
        }
    for (int32_t k = i; k < j; k++) {
        l = larger(l, c->left[P][i][k] + c->left_arc[P][S][k][j]);
        l = larger(l, c->left[P][i][k] + c->left_arc[S][S][k][j]);
        l = larger(l, c->left[S][i][k] + c->left_arc[S][S][k][j]);
        l = larger(l, c->left[P][i][k] + c->left_arc[P][P][k][j]);
    }
    for (int32_t k = i + 1; k <= j; k++)
        for (int b = P; b <= S; b++)
            for (int d = P; d <= S; d++)
                r = larger(r, c->right_arc[b][d][i][k] + c->right[S][k][j]);
    c->left[P][i][j] = c->right[P][i][j] = NEVER;
    c->left[S][i][j] = larger(NEVER, l);
    c->right[S][i][j] = larger(NEVER, r);
}

/* The only child of 0 has all to its left and right. */
static int32_t with_one_root(const chart *c, const input *in)
{
    int32_t best = NEVER;
    for (int32_t k = 1; k < in->size; k++)
        best = larger(best, larger(c->left[P][1][k], c->left[S][1][k]) + arc(in, 0, k) +
                                c->right[S][k][in->size - 1]);
    return best;
}

static int32_t value(const input *in, bool one_root)
{
    static chart c;
    for (int32_t i = 0; i < in->size; i++) {
        bool below = i < in->top;
        c.left[P][i][i] = c.right[P][i][i] = below ? 0 : NEVER;
        c.left[S][i][i] = c.right[S][i][i] = below ? NEVER : 0;
        for (int b = P; b <= S; b++)
            for (int d = P; d <= S; d++)
                c.left_arc[b][d][i][i] = c.right_arc[b][d][i][i] = NEVER;
    }
    for (int32_t j = 1; j < in->size; j++)
        for (int32_t i = j - 1; i >= 0; i--)
            fill(&c, in, i, j);
    return one_root ? with_one_root(&c, in) : c.right[S][0][in->size - 1];
}

/* The configuration after a move, with what the strategy forbids there. */
static void after(input *in, const ddn_gold *g, const ddn_state *s, int kind, ddn_strategy strategy)
{
    int32_t k = s->depth - 1, next = s->next;
    memset(in, 0, sizeof *in);
    in->gold = g;
    for (int32_t i = 0; i <= k; i++)
        in->item[i] = s->stack[i];
    if (kind == DDN_STANDARD_SHIFT) {
        in->top = k + 1;
        in->item[k + 1] = next++;
        in->no_left[k] = strategy == DDN_STRATEGY_LBR;
    } else if (kind == DDN_STANDARD_RIGHT) {
        in->top = k - 1;
        in->no_left[k - 1] = strategy == DDN_STRATEGY_STRICT_LBR;
    } else {
        in->top = k - 1;
        in->item[k - 1] = s->stack[k];
        in->no_right[k - 1] = strategy == DDN_STRATEGY_RBL;
    }
    for (int32_t i = 0; i < in->top && strategy == DDN_STRATEGY_STRICT_LBR; i++)
        in->no_left[i] = true;
    in->size = in->top + 1;
    for (; next <= s->n; next++)
        in->item[in->size++] = next;
}

static int32_t score(const ddn_gold *g, const ddn_state *s, int kind, ddn_oracle_options o)
{
    input in;
    int32_t s0 = ddn_state_top(s, 0), s1 = ddn_state_top(s, 1), made = 0;
    after(&in, g, s, kind, o.strategy);
    if (kind != DDN_STANDARD_SHIFT)
        made = kind == DDN_STANDARD_LEFT ? g->head[s1] == s0 : g->head[s0] == s1;
    int32_t rest = in.size == 1 ? 0 : value(&in, o.one_root);
    return rest < 0 ? -1 : made + rest;
}

/* Words below next stay on the stack with a chance of three in four, the last one always. */
static void draw(ddn_state *s, ddn_rng *rng, int32_t n, ddn_roots roots)
{
    int32_t next = 2 + (int32_t)ddn_rng_below(rng, (uint64_t)n);
    assert_int_equal(ddn_state_start(s, n, roots, NULL), DODONA_OK);
    while (s->next < next) {
        ddn_state_push(s);
        if (s->next == next || ddn_rng_below(rng, 4))
            continue;
        ddn_state_attach(s, s->next, s->next - 1, 0, NULL);
        ddn_state_remove(s, 0, NULL);
    }
}

static void compare(const ddn_oracle *o, ddn_oracle_space *space, const ddn_gold *g,
                    const ddn_state *s, ddn_oracle_options options)
{
    ddn_move moves[DDN_MAX_KINDS];
    int32_t scratch[1], cost[DDN_MAX_KINDS], best = -1;
    int32_t m = ddn_system_moves(ddn_systems[0], s, moves, scratch);
    o->costs(space, s, moves, m, cost);
    for (int32_t i = 0; i < m; i++)
        best = larger(best, score(g, s, moves[i].kind, options));
    for (int32_t i = 0; i < m; i++) {
        int32_t v = score(g, s, moves[i].kind, options);
        assert_int_equal(cost[i], v < 0 ? DDN_COST_DEAD : best - v);
    }
}

static void compare_with_equations(const ddn_oracle *o, bool one_root, unsigned filter)
{
    ddn_rng rng;
    ddn_gold gold;
    ddn_state s;
    ddn_rng_init(&rng, 23);
    ddn_gold_init(&gold);
    ddn_state_init(&s);
    for (int tree = 0; tree < TREES; tree++) {
        ddn_oracle_options options = { .strategy = (ddn_strategy)(tree % 4), .one_root = one_root };
        int32_t head[LONGEST + 1], n = 1 + (int32_t)ddn_rng_below(&rng, LONGEST);
        ddn_oracle_space *space;
        test_random_tree(&rng, n, filter, head);
        assert_int_equal(ddn_gold_set(&gold, head, NULL, n, NULL), DODONA_OK);
        assert_int_equal(ddn_oracle_open(o, ddn_systems[0], options, &space, NULL), DODONA_OK);
        assert_int_equal(ddn_oracle_begin(space, &gold, NULL), DODONA_OK);
        for (int i = 0; i < QUESTIONS; i++) {
            draw(&s, &rng, n, one_root ? DDN_ROOTS_ONE : DDN_ROOTS_MANY);
            compare(o, space, &gold, &s, options);
        }
        ddn_oracle_close(space);
    }
    ddn_state_fini(&s);
    ddn_gold_fini(&gold);
}

static const ddn_oracle *cubic(void)
{
    const ddn_oracle *o;
    assert_int_equal(ddn_oracle_find(ddn_systems[0], "cubic", true, &o, NULL), DODONA_OK);
    return o;
}

static void any_tree(void **state)
{
    (void)state;
    compare_with_equations(cubic(), false, TEST_ALL);
    compare_with_equations(cubic(), true, TEST_ALL);
}

static void critical_words_suffice(void **state)
{
    (void)state;
    compare_with_equations(cubic(), false, TEST_PROJECTIVE);
    compare_with_equations(cubic(), true, TEST_PROJECTIVE);
    compare_with_equations(&ddn_oracle_cubic_full, false, TEST_PROJECTIVE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_tree),
        cmocka_unit_test(critical_words_suffice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
