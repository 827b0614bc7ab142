/* SPDX-License-Identifier: MIT */
/* The chart over every semiring, against lists of trees: for Table 3 all projective trees, for
 * Table 4 the trees that the arc-standard system itself reaches from a configuration.  The lists
 * come from walking, the chart from adding cells; neither knows the other. */
#include "chart/split.h"
#include "core/array.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 6, SIDE = MAX + 1, SQUARE = SIDE * SIDE };

/* Trees over nodes 0..n. */
typedef struct list {
    int32_t n;
    int32_t (*head)[SIDE];
    size_t count, cap;
} list;

static void list_add(list *l, const int32_t *head)
{
    assert_true(ddn_reserve(&l->head, &l->cap, l->count + 1, sizeof *l->head));
    memcpy(l->head[l->count++], head, sizeof *l->head / SIDE * ((size_t)l->n + 1));
}

typedef struct space {
    ddn_rng rng;
    ddn_split_max max;
    ddn_split_best best;
    ddn_split_count count;
    ddn_split_log log;
    ddn_arena arena;
} space;

static int make_space(void **state)
{
    space *s = calloc(1, sizeof *s);
    assert_non_null(s);
    ddn_rng_init(&s->rng, 7);
    ddn_split_max_init(&s->max);
    ddn_split_count_init(&s->count);
    *state = s;
    return 0;
}

static int free_space(void **state)
{
    space *s = *state;
    ddn_split_max_fini(&s->max);
    ddn_arena_fini(&s->arena);
    ddn_split_count_fini(&s->count);
    free(s);
    return 0;
}

static uint64_t value_of(const ddn_big *x)
{
    char *text = ddn_big_text(x);
    assert_non_null(text);
    uint64_t value = strtoull(text, NULL, 10);
    free(text);
    return value;
}

static bool head_is_smaller(const int32_t *a, const int32_t *b, int32_t n)
{
    for (int32_t i = 1; i <= n; i++)
        if (a[i] != b[i])
            return a[i] < b[i];
    return false;
}

/* ---- What the list says ---- */

typedef struct truth {
    int64_t best; /* DDN_SPLIT_BEST_NONE: no tree */
    uint64_t best_count, count;
    const int32_t *tree; /* the smallest head vector of the best */
    double total;        /* sum of exponentials, not their logarithm: few and small */
    double arc[SQUARE];
} truth;

static void truth_find(truth *t, const list *l, const int64_t *w)
{
    *t = (truth){ .best = DDN_SPLIT_BEST_NONE };
    int32_t side = l->n + 1;
    for (size_t x = 0; x < l->count; x++) {
        const int32_t *head = l->head[x];
        int64_t sum = 0;
        bool allowed = true;
        for (int32_t i = 1; i <= l->n; i++) {
            sum += w[head[i] * side + i];
            allowed = allowed && w[head[i] * side + i] != DDN_SPLIT_BEST_NONE;
        }
        if (!allowed)
            continue;
        t->count++;
        t->total += exp((double)sum);
        for (int32_t i = 1; i <= l->n; i++)
            t->arc[head[i] * side + i] += exp((double)sum);
        if (sum > t->best) {
            t->best = sum;
            t->best_count = 0;
            t->tree = head;
        }
        t->best_count += sum == t->best;
        if (sum == t->best && head_is_smaller(head, t->tree, l->n))
            t->tree = head;
    }
}

/* ---- What the chart says ---- */

static void check_max(space *s, const ddn_split_input *in, const int64_t *w, const truth *t)
{
    int32_t small[SQUARE], side = in->n + 1, head[SIDE];
    for (int32_t x = 0; x < side * side; x++)
        small[x] = w[x] == DDN_SPLIT_BEST_NONE ? DDN_SPLIT_MAX_NONE : (int32_t)w[x];
    assert_true(ddn_split_max_reserve(&s->max, in->plan, in->n));
    assert_int_equal(ddn_split_max_value(&s->max, in, small),
                     t->count ? t->best : DDN_SPLIT_MAX_NONE);
    ddn_arena_reset(&s->arena);
    assert_true(ddn_split_best_take(&s->best, in->plan, in->n, &s->arena));
    assert_int_equal(ddn_split_best_value(&s->best, in, w), t->best);
    if (t->count == 0)
        return;
    ddn_split_best_tree(&s->best, in, w, head);
    for (int32_t i = 1; i <= in->n; i++)
        assert_int_equal(head[i], t->tree[i]);
}

static void check_count(space *s, const ddn_split_input *in, const int64_t *w, const truth *t)
{
    bool allowed[SQUARE];
    int32_t side = in->n + 1;
    const ddn_big *count;
    int64_t best;
    for (int32_t x = 0; x < side * side; x++)
        allowed[x] = w[x] != DDN_SPLIT_BEST_NONE;
    assert_int_equal(ddn_split_count_trees(&s->count, in, allowed, &count, NULL), 0);
    assert_int_equal(value_of(count), t->count);
    assert_int_equal(ddn_split_count_best(&s->count, in, w, &best, &count, NULL), 0);
    assert_int_equal(best, t->best);
    assert_int_equal(value_of(count), t->best_count);
}

static void check_log(space *s, const ddn_split_input *in, const int64_t *w, const truth *t)
{
    double real[SQUARE], share[SQUARE];
    int32_t side = in->n + 1;
    for (int32_t x = 0; x < side * side; x++)
        real[x] = w[x] == DDN_SPLIT_BEST_NONE ? -INFINITY : (double)w[x];
    ddn_split_shape shape;
    ddn_split_shape_make(&shape, in->plan, in->n);
    s->log.cell = ddn_arena_take(&s->arena, shape.cells, sizeof *s->log.cell);
    s->log.out = ddn_arena_take(&s->arena, shape.cells, sizeof *s->log.out);
    assert_false(s->arena.failed);
    double total = ddn_split_log_total(&s->log, in, real);
    if (t->count == 0) {
        assert_true(total == -INFINITY);
        return;
    }
    assert_true(fabs(total - log(t->total)) < 1e-11);
    ddn_split_log_marginals(&s->log, in, real, total, share);
    for (int32_t x = 0; x < side * side; x++)
        assert_true(fabs(share[x] - t->arc[x] / t->total) < 1e-11);
}

/* Weights of a few values, so that there are ties, some arcs forbidden. */
static void draw_weights(ddn_rng *rng, int32_t n, int forbidden, int64_t *w)
{
    for (int32_t x = 0; x < (n + 1) * (n + 1); x++)
        w[x] = (int)ddn_rng_below(rng, 100) < forbidden ? DDN_SPLIT_BEST_NONE
                                                        : (int64_t)ddn_rng_below(rng, 4) - 1;
}

static void check_all(space *s, const ddn_split_input *in, const list *l, int draws)
{
    int64_t w[SQUARE];
    truth t;
    for (int d = 0; d < draws; d++) {
        draw_weights(&s->rng, in->n, d % 3 * 20, w);
        truth_find(&t, l, w);
        check_max(s, in, w, &t);
        check_count(s, in, w, &t);
        check_log(s, in, w, &t);
    }
}

/* ---- Table 3 ---- */

static void collect(void *ctx, const int32_t *head)
{
    list_add(ctx, head);
}

static void projective_trees(void **state)
{
    /* C(3n, n) / (2n + 1) of them */
    static const size_t known[MAX + 1] = { 1, 1, 3, 12, 55, 273, 1428 };
    ddn_split_plan plan;
    ddn_split_plan_make(&plan, &ddn_split_projective);
    for (int one_root = 0; one_root < 2; one_root++)
        for (int32_t n = 0; n <= MAX; n++) {
            list l = { .n = n };
            ddn_split_input in = { &plan, NULL, n, one_root };
            unsigned filter = TEST_PROJECTIVE | (one_root ? TEST_ONE_ROOT : 0);
            if (n > 0)
                test_each_tree(n, filter, collect, &l);
            else if (!one_root)
                list_add(&l, (int32_t[]){ -1 });
            assert_true(one_root || l.count == known[n]);
            check_all(*state, &in, &l, n < 5 ? 300 : 60);
            free(l.head);
        }
}

/* Numbers beyond 64 bits: the same formula for n = 80. */
static void many_trees(void **state)
{
    enum { N = 80 };
    space *s = *state;
    ddn_split_plan plan;
    ddn_split_plan_make(&plan, &ddn_split_projective);
    ddn_split_input in = { &plan, NULL, N, false };
    bool *allowed = malloc((N + 1) * (N + 1) * sizeof *allowed);
    const ddn_big *count;
    assert_non_null(allowed);
    for (int x = 0; x < (N + 1) * (N + 1); x++)
        allowed[x] = true;
    assert_int_equal(ddn_split_count_trees(&s->count, &in, allowed, &count, NULL), 0);
    char *text = ddn_big_text(count);
    assert_string_equal(text, "748787983804424579516665098357127267955239740580277791815018327");
    free(text);
    free(allowed);
}

/* ---- Table 4 ---- */

enum { CODES = 7776, WORDS = CODES / 64 + 1, LONGEST = 5 }; /* 6^5 head vectors */

typedef struct reached {
    uint64_t (*set)[WORDS]; /* by configuration: the trees at the ends, by their code */
    size_t cap;
    bool seen[1 << (LONGEST + 1)][LONGEST + 2]; /* stack, next */
    space *space;
    ddn_split_plan plan, strict;
    bool one_root;
    int checked;
} reached;

static int32_t code_of(const ddn_state *s)
{
    int32_t code = 0;
    for (int32_t i = s->n; i >= 1; i--)
        code = code * 6 + s->node[i].head;
    return code;
}

/* Stack and buffer as nodes 0, 1, ...; where each word is, -1: attached already. */
static int32_t renumber(const ddn_state *s, int32_t *node)
{
    int32_t count = 0;
    for (int32_t i = 0; i <= s->n; i++)
        node[i] = -1;
    for (int32_t d = 0; d < s->depth; d++)
        node[s->stack[d]] = count++;
    for (int32_t i = s->next; i <= s->n; i++)
        node[i] = count++;
    return count - 1;
}

static void trees_of(const ddn_state *s, const uint64_t *set, const int32_t *node, list *l)
{
    for (int32_t code = 0; code < CODES; code++) {
        int32_t head[SIDE] = { -1 }, rest = code;
        if (!(set[code / 64] >> (code % 64) & 1))
            continue;
        for (int32_t i = 1; i <= s->n; i++, rest /= 6)
            if (node[i] > 0)
                head[node[i]] = node[rest % 6];
        list_add(l, head);
    }
}

/* What is below the top of the stack takes no left child. */
static void keep_strict(list *l, int32_t below)
{
    size_t kept = 0;
    for (size_t x = 0; x < l->count; x++) {
        bool keep = true;
        for (int32_t i = 1; i <= l->n; i++)
            keep = keep && !(l->head[x][i] > i && l->head[x][i] < below);
        if (keep)
            memmove(l->head[kept++], l->head[x], sizeof *l->head);
    }
    l->count = kept;
}

static void check_configuration(reached *r, const ddn_state *s, const uint64_t *set)
{
    int32_t node[SIDE], below = s->depth - 1;
    uint8_t kind[SIDE];
    list l = { .n = renumber(s, node) };
    ddn_split_input in = { &r->plan, kind, l.n, r->one_root };
    for (int32_t i = 0; i <= l.n; i++)
        kind[i] = i < below ? DDN_SPLIT_BELOW : DDN_SPLIT_AHEAD;
    trees_of(s, set, node, &l);
    check_all(r->space, &in, &l, 60);
    keep_strict(&l, below);
    in.plan = &r->strict;
    check_all(r->space, &in, &l, 20);
    free(l.head);
    r->checked++;
}

static void visit(void *ctx, ddn_state *s, int32_t id, const test_step *step, int32_t m)
{
    reached *r = ctx;
    assert_true(ddn_reserve(&r->set, &r->cap, (size_t)id + 1, sizeof *r->set));
    memset(r->set[id], 0, sizeof *r->set);
    for (int32_t x = 0; x < m; x++)
        for (int32_t k = 0; k < WORDS; k++)
            r->set[id][k] |= r->set[step[x].to][k];
    if (m == 0)
        r->set[id][code_of(s) / 64] |= UINT64_C(1) << (code_of(s) % 64);
    unsigned mask = 0;
    for (int32_t d = 0; d < s->depth; d++)
        mask |= 1u << s->stack[d];
    /* With one root, when the last move was made nothing is left to choose. */
    if (r->seen[mask][s->next] || (r->one_root && m == 0))
        return;
    r->seen[mask][s->next] = true;
    check_configuration(r, s, r->set[id]);
}

static void reachable_trees(void **state)
{
    const ddn_system *system = ddn_system_find("arc-standard");
    int checked = 0;
    for (int one_root = 0; one_root < 2; one_root++)
        for (int32_t n = 1; n <= LONGEST; n++) {
            reached *r = calloc(1, sizeof *r);
            assert_non_null(r);
            r->space = *state;
            r->one_root = one_root;
            ddn_split_plan_make(&r->plan, &ddn_split_stack);
            ddn_split_plan_make(&r->strict, &ddn_split_stack_strict);
            test_each_configuration(system, n, one_root ? DDN_ROOTS_ONE : DDN_ROOTS_MANY, NULL,
                                    visit, r);
            checked += one_root ? 0 : r->checked;
            free(r->set);
            free(r);
        }
    assert_int_equal(checked, 119); /* any subset of the words read can be the stack */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(projective_trees, make_space, free_space),
        cmocka_unit_test_setup_teardown(many_trees, make_space, free_space),
        cmocka_unit_test_setup_teardown(reachable_trees, make_space, free_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
