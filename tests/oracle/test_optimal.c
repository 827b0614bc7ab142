/* SPDX-License-Identifier: MIT */
/* The optimal step of arc-standard against brute force: every configuration that can be reached,
 * every gold tree that an algorithm takes, every strategy, with one root and with many.
 *
 * The other side is written from the definitions.  From a configuration it walks every computation
 * that obeys the strategy, told by what each word took since then, and gathers the trees at the
 * ends, by the first move.  The score of a move is then the best match among its trees. */
#include "core/array.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include "oracle/standard.h"
#include "system/kinds.h"

#include <stdlib.h>
#include <string.h>

enum { N = 5, KINDS = 3, MAX_TREES = 1000 };

/* ---- Brute force ---- */

/* A computation in progress.  Words are bits. */
typedef struct walk {
    int32_t n, depth, next;
    int32_t stack[N + 2];
    int8_t head[N + 1]; /* arcs made since the start of the walk; -1: none */
    unsigned took_left, took_right;
    unsigned ordered; /* the words that the order of children is prescribed for */
    unsigned below;   /* the words below the top at the start */
    ddn_strategy strategy;
    bool one_root;
} walk;

typedef struct trees {
    int32_t count;
    int8_t head[MAX_TREES][N + 1];
} trees;

static bool obeys(const walk *w, int kind, int32_t parent)
{
    unsigned bit = 1u << parent;
    switch (w->strategy) {
    case DDN_STRATEGY_LBR:
        return kind != DDN_STANDARD_LEFT || !(w->ordered & w->took_right & bit);
    case DDN_STRATEGY_STRICT_LBR:
        return kind != DDN_STANDARD_LEFT ||
               (!(w->ordered & w->took_right & bit) && !(w->below & bit));
    case DDN_STRATEGY_RBL:
        return kind != DDN_STANDARD_RIGHT || !(w->ordered & w->took_left & bit);
    default:
        return true;
    }
}

/* False: not possible or not allowed. */
static bool make(walk *w, int kind)
{
    if (kind == DDN_STANDARD_SHIFT) {
        if (w->next > w->n)
            return false;
        w->stack[w->depth++] = w->next++;
        return true;
    }
    if (w->depth < (kind == DDN_STANDARD_LEFT ? 3 : 2))
        return false;
    int32_t s0 = w->stack[w->depth - 1], s1 = w->stack[w->depth - 2];
    int32_t parent = kind == DDN_STANDARD_LEFT ? s0 : s1, child = s0 + s1 - parent;
    if (!obeys(w, kind, parent))
        return false;
    *(kind == DDN_STANDARD_LEFT ? &w->took_left : &w->took_right) |= 1u << parent;
    w->head[child] = (int8_t)parent;
    w->depth--;
    w->stack[w->depth - 1] = parent;
    return true;
}

static void gather(const walk *w, trees *t)
{
    if (w->depth == 1 && w->next > w->n) {
        int roots = 0;
        for (int32_t d = 1; d <= w->n; d++)
            roots += w->head[d] == 0;
        if (w->one_root && roots != 1)
            return;
        for (int32_t i = 0; i < t->count; i++)
            if (memcmp(t->head[i], w->head, sizeof w->head) == 0)
                return;
        assert_true(t->count < MAX_TREES);
        memcpy(t->head[t->count++], w->head, sizeof w->head);
        return;
    }
    for (int kind = 0; kind < KINDS; kind++) {
        walk after = *w;
        if (make(&after, kind))
            gather(&after, t);
    }
}

static walk walk_from(const ddn_state *s, ddn_oracle_options o)
{
    walk w = { .n = s->n, .depth = s->depth, .next = s->next };
    memset(w.head, -1, sizeof w.head);
    for (int32_t i = 0; i < s->depth; i++) {
        w.stack[i] = s->stack[i];
        *(i + 1 < s->depth ? &w.below : &w.ordered) |= 1u << s->stack[i];
    }
    for (int32_t x = s->next; x <= s->n; x++)
        w.ordered |= 1u << x;
    w.strategy = o.strategy;
    w.one_root = o.one_root;
    return w;
}

/* -1: no tree. */
static int32_t best_match(const trees *t, const ddn_gold *g)
{
    int32_t best = -1;
    for (int32_t i = 0; i < t->count; i++) {
        int32_t match = 0;
        for (int32_t d = 1; d <= g->n; d++)
            match += t->head[i][d] == g->head[d];
        best = match > best ? match : best;
    }
    return best;
}

/* ---- All configurations ---- */

/* A stack, by the words on it, and where the buffer starts.  Words that are gone hang from the word
 * before them; word 1 from word 2, or from 0 where it is alone. */
static void configure(ddn_state *s, int32_t n, unsigned stack, int32_t next, ddn_roots roots)
{
    assert_int_equal(ddn_state_start(s, n, roots, NULL), DODONA_OK);
    for (int32_t x = 1; x < next; x++) {
        ddn_state_push(s);
        if (stack >> x & 1)
            continue;
        ddn_state_attach(s, x > 1 ? x - 1 : n > 1 ? 2 : 0, x, 0, NULL);
        ddn_state_remove(s, 0, NULL);
    }
}

typedef struct rival {
    const ddn_oracle *oracle;
    ddn_oracle_space *space;
} rival;

static void compare(const rival *r, const ddn_state *s, const ddn_gold *g, const trees *after)
{
    ddn_move moves[KINDS];
    int32_t score[KINDS], cost[KINDS], m = 0, best = -1;
    extern const ddn_system ddn_system_arc_standard;
    uint32_t legal = ddn_system_arc_standard.legal(s);
    for (int kind = 0; kind < KINDS; kind++)
        if (legal >> kind & 1) {
            moves[m] = (ddn_move){ .kind = (uint8_t)kind, .pos = -1 };
            score[m] = best_match(&after[kind], g);
            best = score[m] > best ? score[m] : best;
            m++;
        }
    r->oracle->costs(r->space, s, moves, m, cost);
    int32_t made = 0;
    for (int32_t d = 1; d <= s->n; d++)
        made += s->node[d].head == g->head[d];
    if (m > 0)
        assert_int_equal(r->oracle->value(r->space, s), best < 0 ? -1 : made + best);
    for (int32_t i = 0; i < m; i++)
        if (cost[i] != (score[i] < 0 ? DDN_COST_DEAD : best - score[i]))
            fail_msg("%s: move %s, cost %d, expected %d", r->oracle->name,
                     ddn_system_arc_standard.kind[moves[i].kind].name, (int)cost[i],
                     (int)(best - score[i]));
}

/* Every configuration of n words against every gold tree. */
static void compare_all(const ddn_oracle *o, ddn_oracle_options options, int32_t n, unsigned filter)
{
    rival r = { o, NULL };
    test_golds golds;
    ddn_state s;
    trees *after = calloc(KINDS, sizeof *after);
    assert_non_null(after);
    ddn_state_init(&s);
    test_golds_init(&golds, n, filter);
    assert_int_equal(ddn_oracle_open(o, ddn_systems[0], options, &r.space, NULL), DODONA_OK);
    for (int32_t next = 1; next <= n + 1; next++)
        for (unsigned stack = 0; stack < 1u << next; stack += 2) {
            if (options.one_root && stack == 0 && next > 1)
                continue; /* then 0 has a child */
            configure(&s, n, stack, next, options.one_root ? DDN_ROOTS_ONE : DDN_ROOTS_MANY);
            for (int kind = 0; kind < KINDS; kind++) {
                walk w = walk_from(&s, options);
                after[kind].count = 0;
                if (make(&w, kind))
                    gather(&w, &after[kind]);
            }
            for (int32_t g = 0; g < golds.count; g++) {
                assert_int_equal(ddn_oracle_begin(r.space, &golds.gold[g], NULL), DODONA_OK);
                compare(&r, &s, &golds.gold[g], after);
            }
        }
    ddn_oracle_close(r.space);
    test_golds_fini(&golds);
    ddn_state_fini(&s);
    free(after);
}

static const ddn_oracle *named(const char *name)
{
    const ddn_oracle *o;
    assert_int_equal(ddn_oracle_find(ddn_systems[0], name, true, &o, NULL), DODONA_OK);
    return o;
}

static void compare_strategies(const ddn_oracle *o, bool one_root, unsigned filter)
{
    for (int strategy = DDN_STRATEGY_FREE; strategy <= DDN_STRATEGY_RBL; strategy++) {
        ddn_oracle_options options = { .strategy = (ddn_strategy)strategy, .one_root = one_root };
        for (int32_t n = 1; n <= N; n++)
            compare_all(o, options, n, filter);
    }
}

static void cubic_is_exact(void **state)
{
    (void)state;
    compare_strategies(named("cubic"), false, TEST_ALL);
    compare_strategies(&ddn_oracle_cubic_full, false, TEST_PROJECTIVE);
}

static void cubic_knows_one_root(void **state)
{
    (void)state;
    compare_strategies(named("cubic"), true, TEST_ALL);
    compare_strategies(&ddn_oracle_cubic_full, true, TEST_PROJECTIVE);
}

static void quadratic_is_exact(void **state)
{
    (void)state;
    compare_strategies(named("quadratic"), false, TEST_PROJECTIVE);
}

static void linear_is_exact(void **state)
{
    (void)state;
    compare_strategies(named("linear"), false, TEST_PROJECTIVE);
}

static void incremental_is_exact(void **state)
{
    (void)state;
    compare_strategies(named("incremental"), false, TEST_PROJECTIVE);
}

/* ---- Along computations, the algorithms against each other ---- */

enum { RIVALS = 5, LONG = 200 };

typedef struct contest {
    rival of[RIVALS];
    int count;
    ddn_state state;
} contest;

static void open_contest(contest *c, const char *const *names, ddn_strategy strategy)
{
    ddn_oracle_options options = { .strategy = strategy };
    memset(c, 0, sizeof *c);
    ddn_state_init(&c->state);
    for (; names[c->count]; c->count++) {
        rival *r = &c->of[c->count];
        r->oracle = named(names[c->count]);
        assert_int_equal(ddn_oracle_open(r->oracle, ddn_systems[0], options, &r->space, NULL),
                         DODONA_OK);
    }
}

static void close_contest(contest *c)
{
    for (int i = 0; i < c->count; i++)
        ddn_oracle_close(c->of[i].space);
    ddn_state_fini(&c->state);
}

static void start_contest(contest *c, const ddn_gold *g)
{
    for (int i = 0; i < c->count; i++)
        assert_int_equal(ddn_oracle_begin(c->of[i].space, g, NULL), DODONA_OK);
    assert_int_equal(ddn_state_start(&c->state, g->n, DDN_ROOTS_MANY, NULL), DODONA_OK);
}

/* All agree on the present configuration.  Returns the number of moves, with their costs. */
static int32_t agree(contest *c, ddn_move *moves, int32_t *cost)
{
    int32_t scratch[1], other[KINDS];
    int32_t m = ddn_system_moves(ddn_systems[0], &c->state, moves, scratch);
    for (int i = 0; i < c->count; i++) {
        const rival *r = &c->of[i];
        r->oracle->costs(r->space, &c->state, moves, m, i ? other : cost);
        for (int32_t k = 0; i && k < m; k++)
            if (cost[k] != other[k])
                fail_msg("%s says %d, %s says %d: %s with %d on the stack, at %d of %d",
                         c->of[0].oracle->name, (int)cost[k], r->oracle->name, (int)other[k],
                         ddn_systems[0]->kind[moves[k].kind].name, (int)c->state.depth,
                         (int)c->state.next, (int)c->state.n);
    }
    return m;
}

/* From the start, the moves of line[0..length), and then all ways on, each walked from the start:
 * what is carried from one configuration to the next must not depend on which way was asked before.
 */
static void every_line(contest *c, const ddn_gold *g, int32_t *line, int32_t length)
{
    ddn_move moves[KINDS];
    int32_t cost[KINDS], m;
    start_contest(c, g);
    for (int32_t i = 0; i < length; i++) {
        agree(c, moves, cost);
        ddn_systems[0]->apply(&c->state, (ddn_move){ .kind = (uint8_t)line[i], .pos = -1 }, NULL);
    }
    m = agree(c, moves, cost);
    if (length + 1 >= 2 * g->n)
        return;
    for (int32_t i = 0; i < m; i++) {
        line[length] = moves[i].kind;
        every_line(c, g, line, length + 1);
    }
}

static void incremental_follows_every_line(void **state)
{
    (void)state;
    static const char *const names[] = { "linear", "incremental", NULL };
    int32_t line[2 * N];
    for (int strategy = DDN_STRATEGY_FREE; strategy <= DDN_STRATEGY_RBL; strategy++)
        for (int32_t n = 1; n <= N; n++) {
            contest c;
            test_golds golds;
            test_golds_init(&golds, n, TEST_PROJECTIVE);
            open_contest(&c, names, (ddn_strategy)strategy);
            for (int32_t g = 0; g < golds.count; g++)
                every_line(&c, &golds.gold[g], line, 0);
            close_contest(&c);
            test_golds_fini(&golds);
        }
}

/* Moves drawn at random: with probability errors / 100 any, otherwise one that costs nothing. */
static void random_line(contest *c, const ddn_gold *g, ddn_rng *rng, uint64_t errors)
{
    start_contest(c, g);
    while (!ddn_systems[0]->final(&c->state)) {
        ddn_move moves[KINDS];
        int32_t cost[KINDS], m = agree(c, moves, cost), pick;
        bool wrong = ddn_rng_below(rng, 100) < errors;
        do
            pick = (int32_t)ddn_rng_below(rng, (uint64_t)m);
        while (!wrong && cost[pick] > 0);
        ddn_systems[0]->apply(&c->state, moves[pick], NULL);
        if (ddn_rng_below(rng, 50) == 0) { /* a question about another configuration between two */
            ddn_state copy = c->state;
            ddn_state_init(&c->state);
            configure(&c->state, g->n, (unsigned)ddn_rng_next(rng) & 0x7ffffffe,
                      1 + (int32_t)ddn_rng_below(rng, (uint64_t)(g->n < 30 ? g->n : 30)),
                      DDN_ROOTS_MANY);
            agree(c, moves, cost);
            ddn_state_fini(&c->state);
            c->state = copy;
        }
    }
}

static void random_lines(const char *const *names, int32_t longest, int lines)
{
    ddn_rng rng;
    ddn_gold gold;
    ddn_rng_init(&rng, 17);
    ddn_gold_init(&gold);
    for (int strategy = DDN_STRATEGY_FREE; strategy <= DDN_STRATEGY_RBL; strategy++) {
        contest c;
        open_contest(&c, names, (ddn_strategy)strategy);
        for (int tree = 0; tree < lines; tree++) {
            static const uint64_t errors[] = { 0, 3, 10, 30, 100 };
            int32_t head[LONG + 1], n = 1 + (int32_t)ddn_rng_below(&rng, (uint64_t)longest);
            test_random_tree(&rng, n, TEST_PROJECTIVE, head);
            assert_int_equal(ddn_gold_set(&gold, head, NULL, n, NULL), DODONA_OK);
            random_line(&c, &gold, &rng, errors[tree % 5]);
        }
        close_contest(&c);
    }
    ddn_gold_fini(&gold);
}

static void all_agree_on_longer_trees(void **state)
{
    (void)state;
    static const char *const names[] = { "linear", "incremental", "quadratic", "cubic", NULL };
    random_lines(names, 25, 100);
}

static void fast_ones_agree_on_long_trees(void **state)
{
    (void)state;
    static const char *const names[] = { "linear", "incremental", "quadratic", NULL };
    random_lines(names, LONG, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubic_is_exact),
        cmocka_unit_test(cubic_knows_one_root),
        cmocka_unit_test(quadratic_is_exact),
        cmocka_unit_test(linear_is_exact),
        cmocka_unit_test(incremental_is_exact),
        cmocka_unit_test(incremental_follows_every_line),
        cmocka_unit_test(all_agree_on_longer_trees),
        cmocka_unit_test(fast_ones_agree_on_long_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
