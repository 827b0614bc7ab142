/* SPDX-License-Identifier: MIT */
/* Projectivisation against the list of all projective trees, judged one by one by the rules as the
 * header states them: all trees of up to six words, random ones of up to nine; and, for longer
 * ones, against the chart over all words. */
#include "chart/projectivize.h"
#include "core/array.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/naive.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 9, SIDE = MAX + 1 };

typedef struct list {
    int8_t (*head)[SIDE];
    size_t count, cap;
    int32_t n;
} list;

/* ---- All projective trees: stretches of words to be put below a head ---- */

typedef struct stretch {
    int32_t from, to, head;
} stretch;

static void grow(list *l, int8_t *head, const stretch *todo, int32_t count)
{
    if (count == 0) {
        assert_true(ddn_reserve(&l->head, &l->cap, l->count + 1, sizeof *l->head));
        memcpy(l->head[l->count++], head, sizeof *l->head);
        return;
    }
    stretch s = todo[count - 1], more[2 * SIDE + 3];
    memcpy(more, todo, (size_t)count * sizeof *todo);
    if (s.from > s.to) {
        grow(l, head, more, count - 1);
        return;
    }
    for (int32_t end = s.from; end <= s.to; end++)
        for (int32_t root = s.from; root <= end; root++) {
            head[root] = (int8_t)s.head;
            more[count - 1] = (stretch){ end + 1, s.to, s.head };
            more[count] = (stretch){ s.from, root - 1, root };
            more[count + 1] = (stretch){ root + 1, end, root };
            grow(l, head, more, count + 2);
        }
}

static void list_make(list *l, int32_t n)
{
    int8_t head[SIDE] = { -1 };
    stretch all = { 1, n, 0 };
    *l = (list){ .n = n };
    grow(l, head, &all, 1);
}

/* ---- The rules ---- */

typedef struct merit {
    int32_t lost, strangers, levels;
} merit;

static merit judge(const int32_t *gold, const int8_t *head, int32_t n)
{
    merit m = { 0, 0, 0 };
    for (int32_t i = 1; i <= n; i++) {
        int32_t a = gold[i], level = 0;
        for (; a != head[i] && a != 0; a = gold[a])
            level++;
        m.lost += level > 0 || a != head[i];
        if (a == head[i])
            m.levels += level;
        else
            m.strangers++;
    }
    return m;
}

static int compare(merit a, merit b)
{
    if (a.lost != b.lost)
        return a.lost < b.lost ? -1 : 1;
    if (a.strangers != b.strangers)
        return a.strangers < b.strangers ? -1 : 1;
    return a.levels == b.levels ? 0 : a.levels < b.levels ? -1 : 1;
}

static int32_t roots_of(const int8_t *head, int32_t n)
{
    int32_t roots = 0;
    for (int32_t i = 1; i <= n; i++)
        roots += head[i] == 0;
    return roots;
}

typedef struct check {
    const list *trees;
    ddn_projectivizer *p;
    bool one_root;
    int64_t checked;
} check;

static void check_tree(void *ctx, const int32_t *gold)
{
    check *c = ctx;
    const list *l = c->trees;
    const int8_t *best = NULL;
    merit most = { 0, 0, 0 };
    uint64_t count = 0;
    for (size_t x = 0; x < l->count; x++) {
        if (c->one_root && roots_of(l->head[x], l->n) != 1)
            continue;
        merit m = judge(gold, l->head[x], l->n);
        count = !best || m.lost < most.lost ? 1 : count + (m.lost == most.lost);
        int order = best ? compare(m, most) : -1;
        if (order < 0 || (order == 0 && memcmp(l->head[x], best, SIDE) < 0)) {
            best = l->head[x];
            most = m;
        }
    }
    int32_t out[SIDE], kept;
    const ddn_big *number;
    dodona_error err;
    assert_int_equal(ddn_projectivize(c->p, gold, l->n, c->one_root, out, &err), most.lost);
    for (int32_t i = 1; i <= l->n; i++)
        assert_int_equal(out[i], best[i]);
    assert_int_equal(ddn_projectivize_count(c->p, gold, l->n, c->one_root, &kept, &number, &err),
                     0);
    assert_int_equal(kept, l->n - most.lost);
    assert_int_equal(number->size, 1);
    assert_int_equal(number->limb[0], count);
    c->checked++;
}

static void all_trees(void **state)
{
    (void)state;
    ddn_projectivizer p;
    ddn_projectivizer_init(&p);
    for (int32_t n = 1; n <= 6; n++) {
        list l;
        list_make(&l, n);
        for (int one_root = 0; one_root < 2; one_root++) {
            check c = { &l, &p, one_root, 0 };
            test_each_tree(n, TEST_ALL, check_tree, &c);
            assert_true(c.checked > 0);
        }
        free(l.head);
    }
    ddn_projectivizer_fini(&p);
}

static void random_trees(void **state)
{
    (void)state;
    static const int32_t tries[MAX + 1] = { [7] = 400, [8] = 80, [9] = 20 };
    ddn_projectivizer p;
    ddn_rng rng;
    ddn_rng_init(&rng, 11);
    ddn_projectivizer_init(&p);
    for (int32_t n = 7; n <= MAX; n++) {
        list l;
        list_make(&l, n);
        for (int32_t x = 0; x < tries[n]; x++) {
            int32_t gold[SIDE];
            check c = { &l, &p, x % 2, 0 };
            test_random_tree(&rng, n, x % 4 < 2 ? TEST_ALL : TEST_ONE_ROOT, gold);
            check_tree(&c, gold);
        }
        free(l.head);
    }
    ddn_projectivizer_fini(&p);
}

/* ---- Longer trees: the chart over all words, with the rules as weights of this file's own ---- */

enum { LONG = 40 };

typedef struct whole {
    ddn_projectivizer p;
    ddn_split_plan plan;
    ddn_split_best best;
    ddn_arena arena;
    ddn_split_count count;
    int64_t w[(LONG + 1) * (LONG + 1)];
} whole;

static void weigh_all(int64_t *w, const int32_t *gold, int32_t n, int64_t keep, int64_t stranger,
                      int64_t level)
{
    for (int32_t d = 1; d <= n; d++) {
        for (int32_t h = 0; h <= n; h++)
            w[h * (n + 1) + d] = -stranger;
        int64_t steps = 0;
        for (int32_t a = gold[d]; a >= 0; a = a > 0 ? gold[a] : -1, steps++)
            if (level > 0)
                w[a * (n + 1) + d] = -level * steps;
        w[gold[d] * (n + 1) + d] = keep;
    }
}

static void check_long(whole *x, const int32_t *gold, int32_t n, bool one_root)
{
    ddn_split_input in = { &x->plan, NULL, n, one_root };
    int32_t out[LONG + 1], expected[LONG + 1], kept, changed = 0;
    int64_t best;
    const ddn_big *count;
    weigh_all(x->w, gold, n, INT64_C(1) << 40, 1 << 20, 1);
    ddn_arena_reset(&x->arena);
    assert_true(ddn_split_best_take(&x->best, &x->plan, n, &x->arena));
    ddn_split_best_value(&x->best, &in, x->w);
    ddn_split_best_tree(&x->best, &in, x->w, expected);
    for (int32_t i = 1; i <= n; i++)
        changed += expected[i] != gold[i];
    assert_int_equal(ddn_projectivize(&x->p, gold, n, one_root, out, NULL), changed);
    assert_memory_equal(out + 1, expected + 1, (size_t)n * sizeof *out);
    assert_true(test_is_tree(out, n, one_root) && test_is_projective(out, n));
    weigh_all(x->w, gold, n, 1, 0, 0);
    assert_int_equal(ddn_split_count_best(&x->count, &in, x->w, &best, &count, NULL), 0);
    char *slow = ddn_big_text(count);
    assert_int_equal(ddn_projectivize_count(&x->p, gold, n, one_root, &kept, &count, NULL), 0);
    char *fast = ddn_big_text(count);
    assert_int_equal(kept, best);
    assert_string_equal(fast, slow);
    free(fast);
    free(slow);
}

/* A projective tree, built as grow does. */
static void draw_projective(ddn_rng *rng, int32_t *head, int32_t n)
{
    stretch todo[2 * LONG + 3] = { { 1, n, 0 } };
    for (int32_t count = 1; count > 0;) {
        stretch s = todo[--count];
        if (s.from > s.to)
            continue;
        int32_t end = s.from + (int32_t)ddn_rng_below(rng, (uint64_t)(s.to - s.from + 1));
        int32_t root = s.from + (int32_t)ddn_rng_below(rng, (uint64_t)(end - s.from + 1));
        head[root] = s.head;
        todo[count++] = (stretch){ end + 1, s.to, s.head };
        todo[count++] = (stretch){ s.from, root - 1, root };
        todo[count++] = (stretch){ root + 1, end, root };
    }
}

/* Hangs some words elsewhere, where that leaves a tree. */
static void disturb(ddn_rng *rng, int32_t *head, int32_t n, int32_t words)
{
    for (int32_t x = 0; x < words; x++) {
        int32_t d = 1 + (int32_t)ddn_rng_below(rng, (uint64_t)n), before = head[d];
        head[d] = (int32_t)ddn_rng_below(rng, (uint64_t)n + 1);
        if (!test_is_tree(head, n, false))
            head[d] = before;
    }
}

static void longer_trees(void **state)
{
    (void)state;
    ddn_rng rng;
    whole *x = calloc(1, sizeof *x);
    assert_non_null(x);
    ddn_rng_init(&rng, 23);
    ddn_projectivizer_init(&x->p);
    ddn_split_plan_make(&x->plan, &ddn_split_projective);
    ddn_split_count_init(&x->count);
    for (int i = 0; i < 1500; i++) {
        int32_t n = 10 + (int32_t)ddn_rng_below(&rng, LONG - 9), head[LONG + 1] = { -1 };
        draw_projective(&rng, head, n);
        disturb(&rng, head, n, i % 8);
        check_long(x, head, n, i % 2);
    }
    ddn_projectivizer_fini(&x->p);
    ddn_arena_fini(&x->arena);
    ddn_split_count_fini(&x->count);
    free(x);
}

/* Out may be the tree itself; no words are a tree. */
static void in_place(void **state)
{
    (void)state;
    int32_t head[] = { -1, 3, 4, 0, 3 }, kept;
    const ddn_big *count;
    ddn_projectivizer p;
    ddn_projectivizer_init(&p);
    assert_int_equal(ddn_projectivize(&p, head, 4, true, head, NULL), 1);
    assert_int_equal(head[1], 3);
    assert_int_equal(head[2], 3);
    assert_int_equal(head[3], 0);
    assert_int_equal(head[4], 3);
    assert_int_equal(ddn_projectivize(&p, head, 0, false, head, NULL), 0);
    assert_int_equal(ddn_projectivize_count(&p, head, 0, true, &kept, &count, NULL), 0);
    assert_int_equal(kept, 0);
    ddn_projectivizer_fini(&p);
}

/* Every second word hangs from the second next: all of it crosses, and it is too long. */
static void limit(void **state)
{
    (void)state;
    int32_t n = DDN_PROJECTIVIZE_WORDS + 1, *head = malloc(((size_t)n + 1) * sizeof *head);
    dodona_error err;
    ddn_projectivizer p;
    assert_non_null(head);
    ddn_projectivizer_init(&p);
    for (int32_t i = 1; i <= n; i++)
        head[i] = i + 2 <= n ? i + 2 : 0;
    assert_int_equal(ddn_projectivize(&p, head, n, false, head, &err), DODONA_E_LIMIT);
    assert_non_null(strstr(err.message, "2001 words"));
    free(head);
    ddn_projectivizer_fini(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_trees), cmocka_unit_test(random_trees), cmocka_unit_test(longer_trees),
        cmocka_unit_test(in_place),  cmocka_unit_test(limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
