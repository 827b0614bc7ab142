/* SPDX-License-Identifier: MIT */
/* Views of random states, whose arcs may even form circles, against a recomputation from the heads:
 * random layouts with every link from every kind of start, up to four steps deep. */
#include "core/rng.h"
#include "lib/check.h"
#include "lib/naive.h"
#include "system/view.h"

#include <string.h>

enum { N = 9, WANTS = DDN_WANTS_LABEL | DDN_WANTS_VALENCY | DDN_WANTS_SET };

static int32_t pick(ddn_rng *r, int32_t below)
{
    return (int32_t)ddn_rng_below(r, (uint64_t)below);
}

static void random_state(ddn_rng *r, ddn_state *s)
{
    int32_t n = 1 + pick(r, N);
    assert_int_equal(ddn_state_start(s, n, DDN_ROOTS_MANY, NULL), DODONA_OK);
    for (int32_t i = pick(r, n + 1); i > 0; i--)
        ddn_state_push(s);
    for (int32_t i = pick(r, 4); i > 0 && s->depth > 1; i--)
        ddn_state_remove(s, pick(r, s->depth - 1), NULL);
    for (int32_t d = 1; d <= n; d++) {
        int32_t h = pick(r, n + 1);
        if (h != d)
            ddn_state_attach(s, h, d, (uint16_t)pick(r, 100), NULL);
    }
    s->left = pick(r, n + 1);
}

static void random_layout(ddn_rng *r, ddn_layout *l)
{
    int depth[DDN_MAX_SLOTS] = { 0 };
    *l = (ddn_layout){ 0 };
    for (int tries = 0; tries < 60; tries++) {
        ddn_address a = { .from = -1, .wants = (uint8_t)(pick(r, 2) ? WANTS : 0) };
        int from = l->slots && pick(r, 3) ? pick(r, l->slots) : -1;
        if (from < 0 || depth[from] == 4) {
            a.link = (uint8_t)pick(r, DDN_LINK_POS + 1);
            a.index = (uint8_t)(a.link > DDN_LINK_FOCUS ? 0 : pick(r, DDN_MAX_INDEX + 1));
        } else {
            a.link = (uint8_t)(DDN_LINK_HEAD + pick(r, DDN_LINK_NEXT - DDN_LINK_HEAD + 1));
            a.from = (int8_t)from;
        }
        int slot = ddn_layout_add(l, a);
        if (slot >= 0)
            depth[slot] = a.from < 0 ? 0 : depth[a.from] + 1;
    }
}

/* The i-th child from the outside, or from the inside; -1: none. */
static int32_t nth_child(const ddn_state *s, int32_t w, int side, int i, bool outside)
{
    int32_t child[TEST_MAX_CHILDREN], count = test_children(s, w, side, child);
    if (i >= count)
        return -1;
    return outside ? child[count - 1 - i] : child[i];
}

static int32_t naive_step(const ddn_state *s, int link, int32_t w)
{
    switch ((ddn_link)link) {
    case DDN_LINK_HEAD:
        return s->node[w].head;
    case DDN_LINK_FAR_LEFT:
        return nth_child(s, w, DDN_LEFT, 0, true);
    case DDN_LINK_FAR_RIGHT:
        return nth_child(s, w, DDN_RIGHT, 0, true);
    case DDN_LINK_FAR_LEFT2:
        return nth_child(s, w, DDN_LEFT, 1, true);
    case DDN_LINK_FAR_RIGHT2:
        return nth_child(s, w, DDN_RIGHT, 1, true);
    case DDN_LINK_NEAR_LEFT:
        return nth_child(s, w, DDN_LEFT, 0, false);
    case DDN_LINK_NEAR_RIGHT:
        return nth_child(s, w, DDN_RIGHT, 0, false);
    case DDN_LINK_PREV:
        return w > 0 ? w - 1 : -1; /* the root stands left of word 1 */
    case DDN_LINK_NEXT:
        return w < s->n ? w + 1 : -1;
    default:
        fail();
        return -1;
    }
}

/* Of the words between the focus words, the first or last whose head is not among them all. */
static int32_t naive_outer(const ddn_state *s, bool first)
{
    int32_t found = -1;
    if (s->left == 0)
        return -1;
    for (int32_t w = s->left + 1; w < s->next; w++) {
        bool inside = false;
        for (int32_t h = s->left; h <= s->next; h++)
            inside |= s->node[w].head == h;
        if (!inside && (found < 0 || !first))
            found = w;
    }
    return found;
}

static int32_t naive_word(const ddn_layout *l, const ddn_state *s, int32_t pos, int slot)
{
    ddn_address a = l->address[slot];
    if (a.from >= 0) {
        int32_t w = naive_word(l, s, pos, a.from);
        return w < 0 ? -1 : naive_step(s, a.link, w);
    }
    int32_t word = -1;
    if (a.link == DDN_LINK_STACK && a.index < s->depth)
        word = s->stack[s->depth - 1 - a.index];
    if (a.link == DDN_LINK_BUFFER && s->next + a.index <= s->n)
        word = s->next + a.index;
    if (a.link == DDN_LINK_FOCUS && s->left - a.index >= 1)
        word = s->left - a.index;
    if (a.link == DDN_LINK_OUTER_FIRST || a.link == DDN_LINK_OUTER_LAST)
        word = naive_outer(s, a.link == DDN_LINK_OUTER_FIRST);
    if (a.link == DDN_LINK_POS && pos >= 0)
        word = pos;
    return word;
}

static void check_slot(const ddn_state *s, const ddn_slot *slot, int wants)
{
    int32_t w = slot->word;
    int label = w < 0 || s->node[w].head < 0 ? 0 : s->node[w].label + 1;
    if (wants & DDN_WANTS_LABEL)
        assert_int_equal(slot->label, label);
    for (int side = 0; side < 2; side++) {
        int32_t child[TEST_MAX_CHILDREN];
        int32_t count = w < 0 ? 0 : test_children(s, w, side, child);
        uint64_t set = 0;
        for (int32_t i = 0; i < count; i++)
            set |= UINT64_C(1) << (s->node[child[i]].label % 64);
        if (wants & DDN_WANTS_VALENCY)
            assert_int_equal(slot->valency[side], count);
        if (wants & DDN_WANTS_SET)
            assert_true(slot->set[side] == set);
    }
}

/* A view that is filled only from p on knows that much. */
static void check_placed(const ddn_layout *l, const ddn_state *s, int32_t pos)
{
    ddn_view view[3];
    memset(view, 0x55, sizeof view);
    ddn_view_fill(l, s, -1, -1, &view[0]);
    ddn_view_fill_placed(l, s, pos, -1, -1, view, 2);
    assert_int_equal(view[0].back, 0);
    assert_int_equal(view[2].back, 2);
    for (int i = 0; i < l->slots; i++) {
        bool moves = naive_word(l, s, 0, i) != naive_word(l, s, -1, i);
        if (moves || ddn_layout_placed(l, i)) {
            assert_int_equal(view[2].slot[i].word, naive_word(l, s, pos, i));
            check_slot(s, &view[2].slot[i], l->address[i].wants);
        }
    }
}

static void views_say_what_the_heads_say(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_rng_init(&r, 31);
    ddn_state s;
    ddn_state_init(&s);
    for (int round = 0; round < 5000; round++) {
        ddn_layout layout;
        ddn_view view;
        random_state(&r, &s);
        random_layout(&r, &layout);
        memset(&view, 0x55, sizeof view);
        int32_t pos = pick(&r, s.n + 2) - 1;
        ddn_view_fill(&layout, &s, pos, -1, &view);
        assert_int_equal(view.n, s.n);
        assert_int_equal(view.depth, s.depth);
        assert_int_equal(view.next, s.next);
        assert_int_equal(view.left, s.left);
        for (int i = 0; i < layout.slots; i++) {
            assert_int_equal(view.slot[i].word, naive_word(&layout, &s, pos, i));
            check_slot(&s, &view.slot[i], layout.address[i].wants);
        }
        check_placed(&layout, &s, pos);
    }
    ddn_state_fini(&s);
}

static void a_layout_holds_an_address_once(void **state)
{
    (void)state;
    ddn_layout l = { 0 };
    ddn_address s0 = { .link = DDN_LINK_STACK, .from = -1, .wants = DDN_WANTS_LABEL };
    ddn_address s1 = { .link = DDN_LINK_STACK, .index = 1, .from = -1 };
    assert_int_equal(ddn_layout_add(&l, s0), 0);
    assert_int_equal(ddn_layout_add(&l, s1), 1);
    s0.wants = DDN_WANTS_SET;
    assert_int_equal(ddn_layout_add(&l, s0), 0);
    assert_int_equal(l.address[0].wants, DDN_WANTS_LABEL | DDN_WANTS_SET);
    for (int i = 2; i < DDN_MAX_SLOTS; i++) {
        ddn_address child = { .link = DDN_LINK_FAR_LEFT, .from = (int8_t)(i - 1) };
        assert_int_equal(ddn_layout_add(&l, child), i);
    }
    ddn_address more = { .link = DDN_LINK_BUFFER, .from = -1 };
    assert_int_equal(ddn_layout_add(&l, more), -1);
    assert_int_equal(ddn_layout_add(&l, s1), 1);
    assert_int_equal(l.slots, DDN_MAX_SLOTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_say_what_the_heads_say),
        cmocka_unit_test(a_layout_holds_an_address_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
