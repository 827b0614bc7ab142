/* SPDX-License-Identifier: MIT */
#include "lib/enumerate.h"

#include "core/array.h"
#include "lib/check.h"
#include "lib/naive.h"

#include <stdlib.h>
#include <string.h>

/* ---- Trees ---- */

static bool wanted(const int32_t *head, int32_t n, unsigned filter)
{
    return test_is_tree(head, n, filter & TEST_ONE_ROOT) &&
           (!(filter & TEST_PROJECTIVE) || test_is_projective(head, n));
}

void test_each_tree(int32_t n, unsigned filter, void (*visit)(void *ctx, const int32_t *head),
                    void *ctx)
{
    int32_t head[TEST_MAX_WORDS + 1] = { -1 }; /* counts up, head[n] the fastest digit */
    assert_true(n <= TEST_MAX_WORDS);
    for (;;) {
        if (wanted(head, n, filter))
            visit(ctx, head);
        int32_t d = n;
        while (d >= 1 && head[d] == n)
            head[d--] = 0;
        if (d < 1)
            return;
        head[d]++;
    }
}

static void hang_pieces(ddn_rng *r, int32_t from, int32_t to, int32_t parent, int32_t *head);

/* One projective tree over from..to, under parent. */
static void hang(ddn_rng *r, int32_t from, int32_t to, int32_t parent, int32_t *head)
{
    int32_t top = from + (int32_t)ddn_rng_below(r, (uint64_t)(to - from + 1));
    head[top] = parent;
    hang_pieces(r, from, top - 1, top, head);
    hang_pieces(r, top + 1, to, top, head);
}

static void hang_pieces(ddn_rng *r, int32_t from, int32_t to, int32_t parent, int32_t *head)
{
    while (from <= to) {
        int32_t end = from + (int32_t)ddn_rng_below(r, (uint64_t)(to - from + 1));
        hang(r, from, end, parent, head);
        from = end + 1;
    }
}

void test_random_tree(ddn_rng *r, int32_t n, unsigned filter, int32_t *head)
{
    head[0] = -1;
    if (filter & TEST_PROJECTIVE) {
        if (filter & TEST_ONE_ROOT)
            hang(r, 1, n, 0, head);
        else
            hang_pieces(r, 1, n, 0, head);
        return;
    }
    uint32_t *order = malloc((size_t)n * sizeof *order);
    assert_non_null(order);
    for (int32_t i = 0; i < n; i++)
        order[i] = (uint32_t)i + 1;
    ddn_rng_shuffle(r, order, (uint64_t)n);
    for (int32_t i = 0; i < n; i++) { /* each under one that is there already, or under 0 */
        uint64_t pick = filter & TEST_ONE_ROOT ? (i ? 1 + ddn_rng_below(r, (uint64_t)i) : 0)
                                               : ddn_rng_below(r, (uint64_t)i + 1);
        head[order[i]] = pick ? (int32_t)order[pick - 1] : 0;
    }
    free(order);
}

typedef struct collecting {
    test_golds *golds;
    int32_t n;
} collecting;

static void collect(void *ctx, const int32_t *head)
{
    collecting *c = ctx;
    test_golds *g = c->golds;
    assert_true(ddn_reserve(&g->gold, &g->cap, (size_t)g->count + 1, sizeof *g->gold));
    ddn_gold_init(&g->gold[g->count]);
    assert_int_equal(ddn_gold_set(&g->gold[g->count], head, NULL, c->n, NULL), DODONA_OK);
    g->count++;
}

void test_golds_init(test_golds *g, int32_t n, unsigned filter)
{
    memset(g, 0, sizeof *g);
    collecting c = { g, n };
    test_each_tree(n, filter, collect, &c);
}

void test_golds_fini(test_golds *g)
{
    for (int32_t i = 0; i < g->count; i++)
        ddn_gold_fini(&g->gold[i]);
    free(g->gold);
}

/* ---- Configurations ---- */

enum { MAX_MOVES = DDN_MAX_KINDS * (TEST_MAX_WORDS + 1) };
enum { KEY = 3 + 2 * (TEST_MAX_WORDS + 1), UNSEEN = 0, OPEN = 1, FIRST_ID = 2 };

typedef struct seen {
    uint8_t key[KEY];
    int32_t mark; /* UNSEEN, OPEN: on the way to here, or FIRST_ID + id */
} seen;

typedef struct walk {
    const ddn_system *system;
    ddn_state state;
    ddn_rng *labels;
    test_visit visit;
    void *ctx;
    seen *table; /* open addressing; size is a power of two */
    size_t size, used;
    int32_t ids;
} walk;

static void key_of(const ddn_state *s, uint8_t *key)
{
    memset(key, 0, KEY);
    *key++ = (uint8_t)s->depth;
    *key++ = (uint8_t)s->next;
    *key++ = (uint8_t)s->left;
    for (int32_t i = 0; i < s->depth; i++)
        *key++ = (uint8_t)s->stack[i];
    for (int32_t d = 1; d <= s->n; d++)
        *key++ = (uint8_t)(s->node[d].head + 1);
}

static seen *look_up(const walk *w, const uint8_t *key)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int i = 0; i < KEY; i++)
        hash = (hash ^ key[i]) * UINT64_C(1099511628211);
    size_t at = (size_t)(hash ^ hash >> 32) & (w->size - 1);
    while (w->table[at].mark != UNSEEN && memcmp(w->table[at].key, key, KEY) != 0)
        at = (at + 1) & (w->size - 1);
    return &w->table[at];
}

static void grow(walk *w)
{
    seen *old = w->table;
    size_t size = w->size;
    w->size = size ? 2 * size : 1024;
    w->table = calloc(w->size, sizeof *w->table);
    assert_non_null(w->table);
    for (size_t i = 0; i < size; i++)
        if (old[i].mark != UNSEEN)
            *look_up(w, old[i].key) = old[i];
    free(old);
}

/* The id of the configuration that w->state is in, once all beyond it has been seen. */
static int32_t enter(walk *w)
{
    uint8_t key[KEY];
    key_of(&w->state, key);
    if (2 * w->used >= w->size)
        grow(w);
    seen *slot = look_up(w, key);
    if (slot->mark == OPEN)
        fail_msg("%s goes round in a circle", w->system->name);
    if (slot->mark != UNSEEN)
        return slot->mark - FIRST_ID;
    memcpy(slot->key, key, KEY);
    slot->mark = OPEN;
    w->used++;

    ddn_move moves[MAX_MOVES];
    test_step step[MAX_MOVES];
    int32_t scratch[TEST_MAX_WORDS + 1], m = 0;
    if (!w->system->final(&w->state))
        m = ddn_system_moves(w->system, &w->state, moves, scratch);
    for (int32_t i = 0; i < m; i++) {
        ddn_undo undo;
        moves[i].label = w->labels ? (uint16_t)ddn_rng_below(w->labels, 200) : 0;
        step[i].move = moves[i];
        w->system->apply(&w->state, moves[i], &undo);
        step[i].to = enter(w);
        ddn_state_revert(&w->state, &undo);
    }
    w->visit(w->ctx, &w->state, w->ids, step, m);
    look_up(w, key)->mark = FIRST_ID + w->ids; /* the table may have grown */
    return w->ids++;
}

int32_t test_each_configuration(const ddn_system *system, int32_t n, ddn_roots roots,
                                ddn_rng *labels, test_visit visit, void *ctx)
{
    walk w = { .system = system, .labels = labels, .visit = visit, .ctx = ctx };
    assert_true(n <= TEST_MAX_WORDS);
    ddn_state_init(&w.state);
    assert_int_equal(ddn_state_start(&w.state, n, roots, NULL), DODONA_OK);
    enter(&w);
    ddn_state_fini(&w.state);
    free(w.table);
    return w.ids;
}

/* ---- Values ---- */

void test_values_init(test_values *v, const test_golds *golds)
{
    *v = (test_values){ .golds = golds };
}

void test_values_fini(test_values *v)
{
    free(v->best);
}

void test_values_add(test_values *v, const ddn_system *system, const ddn_state *s, int32_t id,
                     const test_step *step, int32_t m)
{
    size_t golds = (size_t)v->golds->count;
    assert_true(ddn_reserve(&v->best, &v->cap, ((size_t)id + 1) * golds, sizeof *v->best));
    int8_t *best = v->best + (size_t)id * golds;
    memset(best, -1, golds);
    if (system->final(s))
        for (size_t g = 0; g < golds; g++) {
            best[g] = 0;
            for (int32_t d = 1; d <= s->n; d++)
                best[g] += ddn_system_head(system, s, d) == v->golds->gold[g].head[d];
        }
    for (int32_t i = 0; i < m; i++) {
        const int8_t *after = v->best + (size_t)step[i].to * golds;
        for (size_t g = 0; g < golds; g++)
            best[g] = after[g] > best[g] ? after[g] : best[g];
    }
}

typedef struct comparison {
    const ddn_system *system;
    const ddn_oracle *search;
    ddn_oracle_space *space;
    test_golds golds;
    test_values values;
} comparison;

static void compare(void *ctx, ddn_state *s, int32_t id, const test_step *step, int32_t m)
{
    comparison *c = ctx;
    ddn_move moves[MAX_MOVES];
    int32_t cost[MAX_MOVES];
    for (int32_t i = 0; i < m; i++)
        moves[i] = step[i].move;
    test_values_add(&c->values, c->system, s, id, step, m);
    for (int32_t g = 0; g < c->golds.count; g++) {
        int32_t value = test_value(&c->values, id, g);
        assert_int_equal(ddn_oracle_begin(c->space, &c->golds.gold[g], NULL), DODONA_OK);
        assert_int_equal(c->search->value(c->space, s), value);
        c->search->costs(c->space, s, moves, m, cost);
        for (int32_t i = 0; i < m; i++) {
            int32_t after = test_value(&c->values, step[i].to, g);
            assert_int_equal(cost[i], after < 0 ? DDN_COST_DEAD : value - after);
        }
    }
}

void test_search_agrees(const ddn_system *system, int32_t n, ddn_roots roots)
{
    comparison c = { .system = system };
    assert_int_equal(ddn_oracle_find(system, "search", true, &c.search, NULL), DODONA_OK);
    assert_int_equal(ddn_oracle_open(c.search, system, (ddn_oracle_options){ 0 }, &c.space, NULL),
                     DODONA_OK);
    test_golds_init(&c.golds, n, TEST_ALL);
    test_values_init(&c.values, &c.golds);
    test_each_configuration(system, n, roots, NULL, compare, &c);
    test_values_fini(&c.values);
    test_golds_fini(&c.golds);
    ddn_oracle_close(c.space);
}
