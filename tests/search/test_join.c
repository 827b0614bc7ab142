/* SPDX-License-Identifier: MIT */
/* A toy join of two views: arc-standard as a dynamic program would see it.
 *
 * A view of a configuration knows what is on top; its predictor, the configuration in which the top
 * of the stack was not yet there, knows what is below.  After an arc between the two uppermost, the
 * new top is one of them with a child more, and all below is the predictor's.  Here every
 * computation is walked with the predictors at hand, and the view that the join makes of two views
 * is compared with the view of the state itself. */
#include "core/rng.h"
#include "lib/check.h"
#include "system/kinds.h"
#include "system/system.h"

#include <string.h>

enum { WANTS = DDN_WANTS_LABEL | DDN_WANTS_VALENCY | DDN_WANTS_SET };

static int find(const ddn_layout *l, int link, int index, int from)
{
    for (int i = 0; i < l->slots; i++)
        if (l->address[i].link == link && l->address[i].index == index &&
            l->address[i].from == from)
            return i;
    return -1;
}

/* One arc: head gains child on its outer side. */
typedef struct gain {
    const ddn_view *head, *child; /* views in which the two are s0 */
    int s0, side;
    uint16_t label;
} gain;

static ddn_slot gained_child(const gain *g)
{
    ddn_slot slot = g->child->slot[g->s0];
    slot.label = (uint16_t)(g->label + 1);
    return slot;
}

/* The slot at a link of the new top. */
static bool join_link(const ddn_layout *l, int i, const gain *g, ddn_slot *out)
{
    bool left = g->side == DDN_LEFT;
    int link = l->address[i].link;
    int far = left ? DDN_LINK_FAR_LEFT : DDN_LINK_FAR_RIGHT;
    int far2 = left ? DDN_LINK_FAR_LEFT2 : DDN_LINK_FAR_RIGHT2;
    int near = left ? DDN_LINK_NEAR_LEFT : DDN_LINK_NEAR_RIGHT;
    if (link < DDN_LINK_FAR_LEFT || link > DDN_LINK_NEAR_RIGHT)
        return false;
    *out = g->head->slot[i];
    if (link == far || (link == near && out->word < 0))
        *out = gained_child(g);
    if (link == far2) { /* the child that was outermost */
        int first = find(l, far, 0, g->s0);
        if (first < 0)
            return false;
        *out = g->head->slot[first];
    }
    return true;
}

static bool join_slot(const ddn_layout *l, int i, const ddn_view *predictor, const ddn_view *view,
                      const gain *g, ddn_slot *out)
{
    ddn_address a = l->address[i];
    if (a.from == g->s0)
        return join_link(l, i, g, out);
    if (a.from >= 0) {
        *out = predictor->slot[i];
        return l->address[a.from].link == DDN_LINK_STACK && a.link < DDN_LINK_PREV;
    }
    *out = a.link == DDN_LINK_BUFFER ? view->slot[i] : predictor->slot[i];
    if (i == g->s0) {
        *out = g->head->slot[i];
        out->valency[g->side]++;
        out->set[g->side] |= UINT64_C(1) << (g->label % 64);
    }
    return a.link == DDN_LINK_BUFFER || a.link == DDN_LINK_STACK;
}

static bool join(const ddn_layout *layout, const ddn_view *predictor, const ddn_view *view,
                 ddn_move m, ddn_view *out)
{
    bool left = m.kind == DDN_STANDARD_LEFT;
    gain g = { .head = left ? view : predictor,
               .child = left ? predictor : view,
               .s0 = find(layout, DDN_LINK_STACK, 0, -1),
               .side = left ? DDN_LEFT : DDN_RIGHT,
               .label = m.label };
    if (g.s0 < 0)
        return false;
    out->n = view->n;
    out->depth = predictor->depth;
    out->next = view->next;
    out->left = view->left;
    for (int i = 0; i < layout->slots; i++)
        if (!join_slot(layout, i, predictor, view, &g, &out->slot[i]))
            return false;
    return true;
}

static void add_links(ddn_layout *l, int from)
{
    for (int link = DDN_LINK_FAR_LEFT; link <= DDN_LINK_NEAR_RIGHT; link++) {
        ddn_address a = { .link = (uint8_t)link, .from = (int8_t)from, .wants = WANTS };
        assert_true(ddn_layout_add(l, a) >= 0);
    }
}

/* s0, s1 and s2 with all their children, q0 and q1. */
static void small_layout(ddn_layout *l)
{
    memset(l, 0, sizeof *l);
    for (uint8_t i = 0; i < 3; i++) {
        ddn_address a = { .link = DDN_LINK_STACK, .index = i, .from = -1, .wants = WANTS };
        add_links(l, ddn_layout_add(l, a));
    }
    for (uint8_t i = 0; i < 2; i++) {
        ddn_address a = { .link = DDN_LINK_BUFFER, .index = i, .from = -1, .wants = WANTS };
        assert_true(ddn_layout_add(l, a) >= 0);
    }
}

static void slots_equal(const ddn_slot *a, const ddn_slot *b)
{
    assert_int_equal(a->word, b->word);
    assert_int_equal(a->label, b->label);
    for (int side = 0; side < 2; side++) {
        assert_int_equal(a->valency[side], b->valency[side]);
        assert_true(a->set[side] == b->set[side]);
    }
}

static void views_equal(const ddn_layout *l, const ddn_view *a, const ddn_view *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->next, b->next);
    assert_int_equal(a->left, b->left);
    for (int i = 0; i < l->slots; i++)
        slots_equal(&a->slot[i], &b->slot[i]);
}

enum { N = 5 };

typedef struct walk {
    const ddn_system *system;
    ddn_layout layout;
    ddn_state state;
    ddn_view predictor[N + 1]; /* of the stack's element at that index */
    ddn_rng labels;
    int64_t joins;
} walk;

static void walk_on(walk *w);

static void shift(walk *w, ddn_move m, const ddn_view *view)
{
    ddn_undo undo;
    int32_t at = w->state.depth;
    ddn_view saved = w->predictor[at];
    w->predictor[at] = *view;
    w->system->apply(&w->state, m, &undo);
    walk_on(w);
    ddn_state_revert(&w->state, &undo);
    w->predictor[at] = saved;
}

static void reduce(walk *w, ddn_move m, const ddn_view *view)
{
    ddn_undo undo;
    ddn_view joined, real;
    const ddn_view *predictor = &w->predictor[w->state.depth - 1];
    assert_true(w->system->join(&w->layout, predictor, view, m, &joined));
    w->system->apply(&w->state, m, &undo);
    ddn_view_fill(&w->layout, &w->state, 0, -1, &real);
    views_equal(&w->layout, &joined, &real);
    w->joins++;
    walk_on(w);
    ddn_state_revert(&w->state, &undo);
}

static void walk_on(walk *w)
{
    ddn_move moves[DDN_MAX_KINDS];
    int32_t scratch[N + 1];
    ddn_view view;
    int32_t m = ddn_system_moves(w->system, &w->state, moves, scratch);
    ddn_view_fill(&w->layout, &w->state, 0, -1, &view);
    for (int32_t i = 0; i < m; i++) {
        moves[i].label = (uint16_t)ddn_rng_below(&w->labels, 100);
        if (moves[i].kind == DDN_STANDARD_SHIFT)
            shift(w, moves[i], &view);
        else
            reduce(w, moves[i], &view);
    }
}

static ddn_system standard_with_join(void)
{
    ddn_system system = *ddn_system_find("arc-standard");
    system.join = join;
    return system;
}

static void joined_views_are_the_real_ones(void **state)
{
    (void)state;
    ddn_system system = standard_with_join();
    for (int roots = DDN_ROOTS_ONE; roots <= DDN_ROOTS_MANY; roots++)
        for (int32_t n = 1; n <= N; n++) {
            walk w = { .system = &system };
            small_layout(&w.layout);
            ddn_rng_init(&w.labels, 29);
            ddn_state_init(&w.state);
            assert_int_equal(ddn_state_start(&w.state, n, (ddn_roots)roots, NULL), DODONA_OK);
            walk_on(&w);
            assert_true(w.joins >= n);
            ddn_state_fini(&w.state);
        }
}

/* What two views can't know: a head above the top, the sentence beside it, a second child without
 * the first. */
static void unknowable_layouts_are_refused(void **state)
{
    (void)state;
    ddn_system system = standard_with_join();
    const ddn_address s0 = { .link = DDN_LINK_STACK, .from = -1, .wants = WANTS };
    const ddn_address bad[] = {
        { .link = DDN_LINK_HEAD, .from = 0 },
        { .link = DDN_LINK_NEXT, .from = 0 },
        { .link = DDN_LINK_FAR_LEFT2, .from = 0 },
        { .link = DDN_LINK_POS, .from = -1 },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ddn_layout layout = { 0 };
        ddn_view predictor = { .n = 3 }, view = { .n = 3 }, out;
        ddn_move left = { .kind = DDN_STANDARD_LEFT };
        assert_int_equal(ddn_layout_add(&layout, s0), 0);
        assert_true(system.join(&layout, &predictor, &view, left, &out));
        assert_int_equal(ddn_layout_add(&layout, bad[i]), 1);
        assert_false(system.join(&layout, &predictor, &view, left, &out));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joined_views_are_the_real_ones),
        cmocka_unit_test(unknowable_layouts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
