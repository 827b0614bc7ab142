/* SPDX-License-Identifier: MIT */
#include "lib/naive.h"

#include "lib/check.h"

/* Whether going up from d one comes to h. */
static bool dominates(const int32_t *head, int32_t n, int32_t h, int32_t d)
{
    for (int32_t steps = 0; steps <= n && d >= 0; steps++) {
        if (d == h)
            return true;
        d = d == 0 ? -1 : head[d];
    }
    return false;
}

bool test_is_tree(const int32_t *head, int32_t n, bool one_root)
{
    int32_t roots = 0;
    for (int32_t d = 1; d <= n; d++) {
        roots += head[d] == 0;
        if (head[d] > n || !dominates(head, n, 0, d))
            return false;
    }
    return !one_root || roots == 1;
}

bool test_is_projective(const int32_t *head, int32_t n)
{
    for (int32_t d = 1; d <= n; d++) {
        int32_t h = head[d], from = h < d ? h : d, to = h < d ? d : h;
        for (int32_t between = from + 1; between < to; between++)
            if (!dominates(head, n, h, between))
                return false;
    }
    return true;
}

int32_t test_children(const ddn_state *s, int32_t h, int side, int32_t *child)
{
    int32_t count = 0, step = side == DDN_LEFT ? -1 : 1;
    for (int32_t d = h + step; d >= 1 && d <= s->n; d += step)
        if (s->node[d].head == h) {
            assert_true(count < TEST_MAX_CHILDREN);
            child[count++] = d;
        }
    return count;
}

void test_heads(const ddn_state *s, int32_t *head)
{
    for (int32_t d = 0; d <= s->n; d++)
        head[d] = s->node[d].head;
}

static void children_sound(const ddn_state *s, int32_t h, int side)
{
    int32_t child[TEST_MAX_CHILDREN], count = test_children(s, h, side, child);
    uint64_t set = 0;
    for (int32_t i = 0; i < count; i++) {
        const ddn_node *c = &s->node[child[i]];
        assert_int_equal(c->inward, i > 0 ? child[i - 1] : 0);
        assert_int_equal(c->outward, i + 1 < count ? child[i + 1] : 0);
        set |= UINT64_C(1) << (c->label % 64);
    }
    const ddn_node *node = &s->node[h];
    assert_int_equal(node->near[side], count ? child[0] : 0);
    assert_int_equal(node->far[side], count ? child[count - 1] : 0);
    assert_int_equal(node->valency[side], count);
    assert_true(node->set[side] == set);
}

static void stack_sound(const ddn_state *s)
{
    int32_t stacked = 0, headless = 0;
    assert_true(s->depth >= 1 && s->stack[0] == 0);
    for (int32_t i = 1; i < s->depth; i++) {
        assert_true(s->stack[i - 1] < s->stack[i] && s->stack[i] < s->next);
        headless += s->node[s->stack[i]].head == -1;
    }
    for (int32_t i = 0; i < s->depth; i++)
        assert_true(s->node[s->stack[i]].stacked);
    for (int32_t i = 0; i <= s->n; i++)
        stacked += s->node[i].stacked;
    assert_int_equal(stacked, s->depth);
    assert_int_equal(s->headless, headless);
}

void test_state_sound(const ddn_state *s)
{
    assert_in_range(s->next, 1, s->n + 1);
    assert_int_equal(s->node[0].head, -1);
    stack_sound(s);
    for (int32_t i = 0; i <= s->n; i++) {
        children_sound(s, i, DDN_LEFT);
        children_sound(s, i, DDN_RIGHT);
        if (s->node[i].head == -1) {
            assert_int_equal(s->node[i].inward, 0);
            assert_int_equal(s->node[i].outward, 0);
        }
    }
}

static void nodes_equal(const ddn_node *a, const ddn_node *b)
{
    assert_int_equal(a->head, b->head);
    assert_int_equal(a->label, b->label);
    assert_int_equal(a->stacked, b->stacked);
    assert_int_equal(a->inward, b->inward);
    assert_int_equal(a->outward, b->outward);
    for (int side = 0; side < 2; side++) {
        assert_int_equal(a->far[side], b->far[side]);
        assert_int_equal(a->near[side], b->near[side]);
        assert_int_equal(a->valency[side], b->valency[side]);
        assert_true(a->set[side] == b->set[side]);
    }
}

void test_states_equal(const ddn_state *a, const ddn_state *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->next, b->next);
    assert_int_equal(a->left, b->left);
    assert_int_equal(a->headless, b->headless);
    assert_int_equal(a->roots, b->roots);
    for (int32_t i = 0; i < a->depth; i++)
        assert_int_equal(a->stack[i], b->stack[i]);
    for (int32_t i = 0; i <= a->n; i++)
        nodes_equal(&a->node[i], &b->node[i]);
}
