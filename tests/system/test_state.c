/* SPDX-License-Identifier: MIT */
/* The primitives: a few cases by hand, then long random sequences of moves of a kind that no system
 * makes (arcs anywhere, in any order, replaced and taken back; words taken from any depth), each
 * checked against a recomputation and taken back again. */
#include "core/rng.h"
#include "lib/check.h"
#include "lib/naive.h"

static void start(ddn_state *s, int32_t n)
{
    assert_int_equal(ddn_state_start(s, n, DDN_ROOTS_ONE, NULL), DODONA_OK);
}

static void children_are_in_order(void **state)
{
    (void)state;
    ddn_state s;
    ddn_state_init(&s);
    start(&s, 9);
    static const int32_t order[] = { 2, 9, 4, 1, 7, 6 };
    for (uint16_t i = 0; i < 6; i++)
        ddn_state_attach(&s, 5, order[i], i, NULL);
    const ddn_node *h = &s.node[5];
    assert_int_equal(h->far[DDN_LEFT], 1);
    assert_int_equal(h->near[DDN_LEFT], 4);
    assert_int_equal(s.node[1].inward, 2); /* the second outermost */
    assert_int_equal(s.node[4].outward, 2);
    assert_int_equal(s.node[4].inward, 0);
    assert_int_equal(h->far[DDN_RIGHT], 9);
    assert_int_equal(h->near[DDN_RIGHT], 6);
    assert_int_equal(s.node[9].inward, 7);
    assert_int_equal(s.node[9].outward, 0);
    assert_int_equal(h->valency[DDN_LEFT], 3);
    assert_int_equal(h->valency[DDN_RIGHT], 3);
    test_state_sound(&s);
    ddn_state_fini(&s);
}

static void a_head_is_replaced(void **state)
{
    (void)state;
    ddn_state s;
    ddn_undo undo;
    ddn_state_init(&s);
    start(&s, 4);
    ddn_state_push(&s);
    ddn_state_push(&s);
    assert_int_equal(s.headless, 2);
    ddn_state_attach(&s, 1, 2, 8, NULL);
    assert_int_equal(s.headless, 1);
    ddn_undo_begin(&s, &undo);
    ddn_state_attach(&s, 4, 2, 9, &undo);
    assert_int_equal(s.headless, 1);
    assert_int_equal(s.node[1].valency[DDN_RIGHT], 0);
    assert_true(s.node[1].set[DDN_RIGHT] == 0);
    assert_int_equal(s.node[4].far[DDN_LEFT], 2);
    assert_int_equal(s.node[2].label, 9);
    ddn_state_revert(&s, &undo);
    assert_int_equal(s.node[2].head, 1);
    assert_int_equal(s.node[2].label, 8);
    assert_int_equal(s.node[4].far[DDN_LEFT], 0);
    ddn_state_detach(&s, 2, NULL);
    assert_int_equal(s.headless, 2);
    assert_int_equal(s.node[2].head, -1);
    test_state_sound(&s);
    ddn_state_fini(&s);
}

/* Labels 3 and 67 share a bit: it must stay while one of them does. */
static void label_sets_are_taken_back(void **state)
{
    (void)state;
    ddn_state s;
    ddn_state_init(&s);
    start(&s, 5);
    ddn_state_attach(&s, 1, 2, 3, NULL);
    ddn_state_attach(&s, 1, 3, 67, NULL);
    ddn_state_attach(&s, 1, 4, 5, NULL);
    assert_true(s.node[1].set[DDN_RIGHT] == (UINT64_C(1) << 3 | UINT64_C(1) << 5));
    ddn_state_detach(&s, 2, NULL);
    assert_true(s.node[1].set[DDN_RIGHT] == (UINT64_C(1) << 3 | UINT64_C(1) << 5));
    ddn_state_detach(&s, 3, NULL);
    assert_true(s.node[1].set[DDN_RIGHT] == UINT64_C(1) << 5);
    ddn_state_detach(&s, 4, NULL);
    assert_true(s.node[1].set[DDN_RIGHT] == 0);
    assert_true(s.node[1].set[DDN_LEFT] == 0);
    ddn_state_fini(&s);
}

static void words_leave_from_any_depth(void **state)
{
    (void)state;
    ddn_state s, before;
    ddn_state_init(&s);
    ddn_state_init(&before);
    start(&s, 5);
    for (int i = 0; i < 4; i++)
        ddn_state_push(&s);
    assert_int_equal(ddn_state_top(&s, 0), 4);
    assert_int_equal(ddn_state_top(&s, 4), 0);
    assert_int_equal(ddn_state_top(&s, 5), -1);
    assert_int_equal(ddn_state_copy(&before, &s, NULL), DODONA_OK);
    for (int k = 0; k < 4; k++) {
        ddn_undo undo;
        ddn_undo_begin(&s, &undo);
        ddn_state_remove(&s, k, &undo);
        assert_int_equal(s.depth, 4);
        for (int32_t i = 0; i < 4; i++)
            assert_int_equal(s.stack[i], i < 4 - k ? i : i + 1);
        test_state_sound(&s);
        ddn_state_revert(&s, &undo);
        test_states_equal(&s, &before);
    }
    ddn_state_fini(&s);
    ddn_state_fini(&before);
}

static void a_new_start_forgets(void **state)
{
    (void)state;
    ddn_state s, fresh;
    ddn_state_init(&s);
    ddn_state_init(&fresh);
    for (int32_t n = 12; n >= 0; n -= 3) {
        start(&s, n);
        assert_int_equal(ddn_state_start(&fresh, n, DDN_ROOTS_ONE, NULL), DODONA_OK);
        test_states_equal(&s, &fresh);
        ddn_state_fini(&fresh);
        while (s.next <= s.n) {
            ddn_state_push(&s);
            ddn_state_attach(&s, s.next - 2, s.next - 1, 7, NULL);
        }
        s.left = 2;
    }
    ddn_state_fini(&s);
}

enum { N = 14, MOVES = 40 };

static int32_t pick(ddn_rng *r, int32_t below)
{
    return (int32_t)ddn_rng_below(r, (uint64_t)below);
}

/* Any of what a move may do: one or two arcs, a word pushed, a word taken, a new left focus. */
static void random_move(ddn_rng *r, ddn_state *s, ddn_undo *undo)
{
    ddn_undo_begin(s, undo);
    for (int arcs = pick(r, DDN_UNDO_ARCS + 1); arcs > 0; arcs--) {
        int32_t child = 1 + pick(r, N), head = pick(r, N + 1);
        if (head == child || pick(r, 5) == 0)
            ddn_state_detach(s, child, undo);
        else
            ddn_state_attach(s, head, child, (uint16_t)pick(r, 200), undo);
    }
    bool taken = s->depth > 1 && pick(r, 3) == 0;
    if (taken)
        ddn_state_remove(s, pick(r, s->depth - 1), undo);
    if (s->next <= s->n && pick(r, 2) == 0)
        ddn_state_push(s);
    if (!taken && s->depth > 1 && pick(r, 4) == 0)
        ddn_state_remove(s, pick(r, s->depth - 1), undo);
    s->left = pick(r, N);
}

static void any_sequence_can_be_taken_back(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_rng_init(&r, 23);
    ddn_state s, before[MOVES];
    ddn_undo undo[MOVES];
    ddn_state_init(&s);
    for (int i = 0; i < MOVES; i++)
        ddn_state_init(&before[i]);
    for (int round = 0; round < 300; round++) {
        start(&s, N);
        for (int i = 0; i < MOVES; i++) {
            assert_int_equal(ddn_state_copy(&before[i], &s, NULL), DODONA_OK);
            test_states_equal(&before[i], &s);
            random_move(&r, &s, &undo[i]);
            test_state_sound(&s);
        }
        for (int i = MOVES - 1; i >= 0; i--) {
            ddn_state_revert(&s, &undo[i]);
            test_states_equal(&s, &before[i]);
        }
    }
    ddn_state_fini(&s);
    for (int i = 0; i < MOVES; i++)
        ddn_state_fini(&before[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_are_in_order),
        cmocka_unit_test(a_head_is_replaced),
        cmocka_unit_test(label_sets_are_taken_back),
        cmocka_unit_test(words_leave_from_any_depth),
        cmocka_unit_test(a_new_start_forgets),
        cmocka_unit_test(any_sequence_can_be_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
