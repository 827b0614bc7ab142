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
 * before them, or from the one after where that is 0. */
static void configure(ddn_state *s, int32_t n, unsigned stack, int32_t next, ddn_roots roots)
{
    assert_int_equal(ddn_state_start(s, n, roots, NULL), DODONA_OK);
    for (int32_t x = 1; x < next; x++) {
        ddn_state_push(s);
        if (stack >> x & 1)
            continue;
        ddn_state_attach(s, x > 1 ? x - 1 : x + 1, x, 0, NULL);
        ddn_state_remove(s, 0, NULL);
    }
}

typedef struct rival {
    const ddn_oracle *oracle;
    void *space;
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
    assert_int_equal(o->open(ddn_systems[0], options, &r.space, NULL), DODONA_OK);
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
                assert_int_equal(o->begin(r.space, &golds.gold[g], NULL), DODONA_OK);
                compare(&r, &s, &golds.gold[g], after);
            }
        }
    o->close(r.space);
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
    for (int strategy = DDN_STRATEGY_FREE; strategy <= DDN_STRATEGY_RBL; strategy++)
        for (int32_t n = 1; n <= N; n++)
            compare_all(o, (ddn_oracle_options){ (ddn_strategy)strategy, one_root }, n, filter);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubic_is_exact),
        cmocka_unit_test(cubic_knows_one_root),
        cmocka_unit_test(quadratic_is_exact),
        cmocka_unit_test(linear_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
