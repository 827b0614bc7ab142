/* SPDX-License-Identifier: MIT */
#include "lib/forests.h"

#include "core/array.h"
#include "lib/check.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = TEST_FOREST_WORDS + 1, COPIES = 4 };

/* Nodes for the words from..to below head; [COPIES] of them, none where alive is 0. */
typedef struct items {
    int32_t node[SIDE][SIDE][SIDE][COPIES];
    int32_t alive[SIDE][SIDE][SIDE];
} items;

static double draw_score(const test_forest_plan *plan, ddn_rng *rng)
{
    return plan->whole ? (double)ddn_rng_below(rng, (uint64_t)plan->whole)
                       : 6 * ddn_rng_unit(rng) - 3;
}

static void add_edges(ddn_forest *f, const test_forest_plan *plan, ddn_rng *rng, int32_t left,
                      int32_t right, int32_t head, int32_t child)
{
    for (int32_t label = 0; label < plan->labels; label++) {
        if (ddn_rng_unit(rng) >= plan->keep)
            continue;
        ddn_forest_edge e = { draw_score(plan, rng), left, right, head, child, label };
        assert_int_equal(ddn_forest_add_edge(f, &e, NULL), 0);
        if (ddn_rng_unit(rng) < plan->twice) {
            e.score = draw_score(plan, rng);
            assert_int_equal(ddn_forest_add_edge(f, &e, NULL), 0);
        }
    }
}

/* All edges of the item (i, h, j) from pairs of items that meet after k. */
static void add_pairs(ddn_forest *f, const test_forest_plan *plan, ddn_rng *rng, const items *t,
                      int32_t i, int32_t h, int32_t j)
{
    for (int32_t k = i; k < j; k++)
        for (int32_t other = 0; other <= plan->n; other++) {
            bool takes_left = h == j && other >= i && other <= k && other > 0;
            bool takes_right = h <= k && other > k && other <= j;
            int32_t l = takes_left ? other : h, r = takes_left ? h : other;
            if (!takes_left && !takes_right)
                continue;
            for (int32_t a = 0; a < t->alive[i][l][k]; a++)
                for (int32_t b = 0; b < t->alive[k + 1][r][j]; b++)
                    add_edges(f, plan, rng, t->node[i][l][k][a], t->node[k + 1][r][j][b], h, other);
        }
}

static void add_item(ddn_forest *f, const test_forest_plan *plan, ddn_rng *rng, items *t, int32_t i,
                     int32_t h, int32_t j)
{
    for (int32_t c = 0; c < (i == j ? 1 : plan->copies); c++) {
        int32_t node;
        assert_int_equal(ddn_forest_add_node(f, &node, NULL), 0);
        if (i < j)
            add_pairs(f, plan, rng, t, i, h, j);
        if (i == j || f->first[node] < f->first[node + 1])
            t->node[i][h][j][t->alive[i][h][j]++] = node;
        else
            f->nodes--;
    }
}

/* The goal has an edge for each copy of the last item, without an arc. */
static bool add_goal(ddn_forest *f, const test_forest_plan *plan, ddn_rng *rng, const items *t)
{
    assert_int_equal(ddn_forest_add_node(f, NULL, NULL), 0);
    for (int32_t c = 0; c < t->alive[0][0][plan->n]; c++) {
        ddn_forest_edge e = { draw_score(plan, rng), t->node[0][0][plan->n][c], -1, 0, 0, 0 };
        assert_int_equal(ddn_forest_add_edge(f, &e, NULL), 0);
    }
    return t->alive[0][0][plan->n] > 0;
}

void test_forest_make(ddn_forest *f, const test_forest_plan *plan, ddn_rng *rng)
{
    items *t = malloc(sizeof *t);
    assert_non_null(t);
    assert_true(plan->n <= TEST_FOREST_WORDS && plan->copies <= COPIES);
    do {
        memset(t, 0, sizeof *t);
        ddn_forest_clear(f, plan->n);
        for (int32_t width = 0; width <= plan->n; width++)
            for (int32_t i = 0; i + width <= plan->n; i++)
                for (int32_t h = i; h <= i + width; h++)
                    if (i > 0 || h == 0)
                        add_item(f, plan, rng, t, i, h, i + width);
    } while (!add_goal(f, plan, rng, t));
    free(t);
    assert_int_equal(ddn_forest_trim(f, NULL), 0);
}

/* ---- Derivations ---- */

static bool add(test_derivations *to, const test_derivation *d, size_t most)
{
    assert_true(ddn_reserve(&to->of, &to->cap, to->count + 1, sizeof *to->of));
    to->of[to->count++] = *d;
    return to->count <= most;
}

/* All derivations by edge x: each of the left tail with each of the right. */
static bool list_edge(const test_derivations *all, const ddn_forest_edge *x, int32_t n, size_t most,
                      test_derivations *to)
{
    static const test_derivation nothing = { 0 };
    size_t rights = x->right >= 0 ? all[x->right].count : 1;
    bool fits = true;
    for (size_t a = 0; a < all[x->left].count && fits; a++)
        for (size_t b = 0; b < rights && fits; b++) {
            const test_derivation *r = x->right >= 0 ? &all[x->right].of[b] : &nothing;
            test_derivation d = all[x->left].of[a];
            d.score += x->score + r->score;
            for (int32_t i = 1; i <= n; i++) {
                d.head[i] += r->head[i]; /* -1 stands for none elsewhere; here, heads are + 1 */
                d.label[i] += r->label[i];
            }
            if (x->child > 0) {
                assert_int_equal(d.head[x->child], 0);
                d.head[x->child] = x->head + 1;
                d.label[x->child] = x->label;
            }
            fits = add(to, &d, most);
        }
    return fits;
}

bool test_forest_list(const ddn_forest *f, size_t most, test_derivations *out)
{
    test_derivations *all = calloc((size_t)f->nodes, sizeof *all);
    assert_non_null(all);
    bool fits = true;
    for (int32_t v = 0; v < f->nodes && fits; v++) {
        test_derivation leaf = { 0 };
        if (f->first[v] == f->first[v + 1])
            fits = add(&all[v], &leaf, most);
        for (uint32_t e = f->first[v]; e < f->first[v + 1] && fits; e++)
            fits = list_edge(all, &f->edge[e], f->n, most, &all[v]);
    }
    *out = all[f->nodes - 1];
    for (int32_t v = 0; v < f->nodes - 1; v++)
        free(all[v].of);
    free(all);
    for (size_t d = 0; d < out->count; d++)
        for (int32_t i = 1; i <= f->n && fits; i++)
            assert_true(--out->of[d].head[i] >= 0);
    return fits;
}

void test_derivations_fini(test_derivations *d)
{
    free(d->of);
    *d = (test_derivations){ 0 };
}

static int same_tree(const void *a, const void *b)
{
    const test_derivation *x = a, *y = b;
    int c = memcmp(x->head, y->head, sizeof x->head);
    return c ? c : memcmp(x->label, y->label, sizeof x->label);
}

static int by_score(const void *a, const void *b)
{
    const test_derivation *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return same_tree(a, b);
}

void test_derivations_sort(test_derivations *d)
{
    qsort(d->of, d->count, sizeof *d->of, by_score);
}

void test_derivations_unite(test_derivations *d)
{
    size_t count = 0;
    for (size_t i = 0; i < d->count; i++) {
        size_t j = 0;
        while (j < count && same_tree(&d->of[j], &d->of[i]) != 0)
            j++;
        if (j == count)
            d->of[count++] = d->of[i];
    }
    d->count = count;
}
