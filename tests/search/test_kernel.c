/* SPDX-License-Identifier: MIT */
/* The kernel against real configurations.  Every computation that keeps to a system's order is
 * walked with the views of predictors at hand; the view that the kernel computes from one or two
 * views is compared with the view of the state itself. */
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/features.h"
#include "model/builtin.h"
#include "search/kernel.h"

#include <stdio.h>
#include <string.h>

enum { N = 5, LABELS = 100 };

/* Addresses that no set of the project has. */
static const char *const odd[] = {
    "s0.ln.lc.t+s0.rn.rc.l\ns0.lc.h.rc.w\ns0.lc.h.sl+s0.lc.h.vl",
    "s1.lc2.rn.t+s2.ln.sl\ns0.h.t+s1.h.h.w+s0.h.l",
    "s0.next.t+s1.prev.prev.w\nq0.next.next.x\ns1.next.t\ns0.h.h.lc.t",
    "q0.lc.lc2.t+q0.ln.vl\nq1.lc.t+q0.h.w\ns0.rc2.lc.vl+s0.rc.rc.sl",
    "d(s2,s0.lc)+s3.sr\ns2.l+s1.vr+s4.t",
};

typedef struct frame {
    ddn_core core;
    ddn_slot slot[DDN_MAX_SLOTS];
} frame;

typedef struct walk {
    ddn_kernel kernel;
    ddn_state state;
    frame predictor[N + 1]; /* of the stack's element at that index */
    ddn_rng labels;
    int64_t ends;
} walk;

static void slots_equal(const ddn_kernel *k, const ddn_slot *a, const ddn_slot *b)
{
    for (int i = 0; i < k->layout.slots; i++) {
        uint8_t wants = k->layout.address[i].wants;
        assert_int_equal(a[i].word, b[i].word);
        if (wants & DDN_WANTS_LABEL)
            assert_int_equal(a[i].label, b[i].label);
        for (int side = 0; side < 2; side++) {
            if (wants & DDN_WANTS_VALENCY)
                assert_int_equal(a[i].valency[side], b[i].valency[side]);
            if (wants & DDN_WANTS_SET)
                assert_true(a[i].set[side] == b[i].set[side]);
        }
    }
}

static void equals_state(const walk *w, const frame *f)
{
    const ddn_state *s = &w->state;
    ddn_view view;
    ddn_facts facts = ddn_system_facts(s);
    memset(&view, 0, sizeof view);
    ddn_view_fill(&w->kernel.layout, s, -1, -1, &view);
    slots_equal(&w->kernel, view.slot, f->slot);
    assert_int_equal(f->core.next, s->next);
    assert_int_equal(f->core.depth, facts.depth);
    assert_int_equal(f->core.headed & 1, facts.headed);
    assert_int_equal(f->core.headless, facts.headless);
    if (facts.depth == 1)
        assert_int_equal(f->core.root_taken, facts.root_taken);
    assert_int_equal(w->kernel.system->joining->legal(&facts), w->kernel.system->legal(s));
}

static void walk_on(walk *w, const frame *now)
{
    const ddn_system *system = w->kernel.system;
    const ddn_joining *joining = system->joining;
    equals_state(w, now);
    if (system->final(&w->state)) {
        w->ends++;
        return;
    }
    uint32_t mask = system->legal(&w->state) & ~(uint32_t)now->core.barred;
    assert_true(mask != 0);
    for (int kind = 0; kind < system->kinds; kind++) {
        if (!(mask >> kind & 1))
            continue;
        ddn_move m = { .kind = (uint8_t)kind, .pos = -1 };
        m.label = (uint16_t)ddn_rng_below(&w->labels, LABELS);
        frame next;
        ddn_undo undo;
        int32_t depth = w->state.depth;
        bool pushes = joining->effect[kind].pushes;
        const frame *p = &w->predictor[depth - 1];
        ddn_kernel_move(&w->kernel, m, w->state.n, pushes ? NULL : &p->core,
                        pushes ? NULL : p->slot, &now->core, now->slot, &next.core, next.slot);
        frame saved = w->predictor[pushes ? depth : depth - 1];
        if (pushes)
            w->predictor[depth] = *now;
        system->apply(&w->state, m, &undo);
        walk_on(w, &next);
        ddn_state_revert(&w->state, &undo);
        w->predictor[pushes ? depth : depth - 1] = saved;
    }
}

/* One computation for each projective tree. */
static int64_t trees(int32_t n, int roots)
{
    static const int64_t one[] = { 1, 1, 2, 7, 30, 143 }, many[] = { 1, 1, 3, 12, 55, 273 };
    return roots == DDN_ROOTS_ONE ? one[n] : many[n];
}

static void walk_all(const ddn_system *system, const char *text)
{
    ddn_templates t;
    static walk w;
    assert_int_equal(ddn_templates_compile(&t, text, strlen(text), "test", NULL), DODONA_OK);
    for (int roots = DDN_ROOTS_ONE; roots <= DDN_ROOTS_MANY; roots++)
        for (int32_t n = 1; n <= N; n++) {
            frame start;
            dodona_error err;
            ddn_reads reads = ddn_templates_reads(&t);
            memset(&w, 0, sizeof w);
            if (ddn_kernel_init(&w.kernel, system, &t.layout, &reads, &err) < 0)
                fail_msg("%s", err.message);
            ddn_rng_init(&w.labels, 29);
            ddn_state_init(&w.state);
            assert_int_equal(ddn_state_start(&w.state, n, (ddn_roots)roots, NULL), DODONA_OK);
            ddn_kernel_start(&w.kernel, &w.state, &start.core, start.slot);
            walk_on(&w, &start);
            assert_int_equal(w.ends, trees(n, roots));
            ddn_state_fini(&w.state);
        }
}

static void computed_views_are_the_real_ones(void **state)
{
    (void)state;
    for (int i = 0; ddn_systems[i]; i++) {
        if (!ddn_systems[i]->joining)
            continue;
        for (int j = 0; ddn_builtin_templates[j].name; j++)
            if (strcmp(ddn_builtin_templates[j].name, "lr-spine") != 0 &&
                strncmp(ddn_builtin_templates[j].name, "covington", 9) != 0 &&
                !strstr(ddn_builtin_templates[j].text, "[arcs]"))
                walk_all(ddn_systems[i], ddn_builtin_templates[j].text);
        for (size_t j = 0; j < sizeof odd / sizeof *odd; j++)
            walk_all(ddn_systems[i], odd[j]);
    }
}

/* ---- Which tree a computation of the order leads to ---- */

typedef struct seen {
    const ddn_system *system;
    int32_t n;
    int64_t count;
    char mark[46656]; /* a tree as a number to the base 6 */
} seen;

static void visit_ends(seen *s, ddn_state *state, uint32_t barred)
{
    if (s->system->final(state)) {
        size_t tree = 0;
        for (int32_t i = 1; i <= s->n; i++)
            tree = tree * 6 + (size_t)state->node[i].head;
        assert_false(s->mark[tree]);
        s->mark[tree] = 1;
        s->count++;
        return;
    }
    uint32_t mask = s->system->legal(state) & ~barred;
    for (int kind = 0; kind < s->system->kinds; kind++)
        if (mask >> kind & 1) {
            ddn_undo undo;
            s->system->apply(state, (ddn_move){ .kind = (uint8_t)kind, .pos = -1 }, &undo);
            visit_ends(s, state, s->system->joining->not_after[kind]);
            ddn_state_revert(state, &undo);
        }
}

static void the_order_builds_each_tree_once(void **state)
{
    (void)state;
    for (int i = 0; ddn_systems[i]; i++)
        for (int roots = DDN_ROOTS_ONE; roots <= DDN_ROOTS_MANY; roots++)
            for (int32_t n = 1; n <= N && ddn_systems[i]->joining; n++) {
                static seen s;
                ddn_state start;
                memset(&s, 0, sizeof s);
                s.system = ddn_systems[i];
                s.n = n;
                ddn_state_init(&start);
                assert_int_equal(ddn_state_start(&start, n, (ddn_roots)roots, NULL), DODONA_OK);
                visit_ends(&s, &start, 0);
                assert_int_equal(s.count, trees(n, roots));
                ddn_state_fini(&start);
            }
}

/* ---- What makes kernels equal ---- */

/* The number of different values of a signature over words at s1. */
static void signature_reads_values(void **state)
{
    (void)state;
    static const struct {
        const char *templates;
        bool same; /* oak NOUN and leaf NOUN as s1 */
    } cases[] = { { "s1.t", true },
                  { "s1.t+s0.t", true },
                  { "s1.w", false },
                  { "s1.t+d(s1,s0)", false },
                  { "s0.w", true } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ddn_kernel k;
        ddn_slot a[DDN_MAX_SLOTS], b[DDN_MAX_SLOTS];
        ddn_core core = { .next = 4, .start = 3, .depth = DDN_MANY };
        ddn_classes c = { 0 };
        ddn_arena arena = { 0 };
        uint32_t one[DDN_MAX_SLOTS * 6], two[DDN_MAX_SLOTS * 6];
        test_features f;
        ddn_pass *pass;
        ddn_sentence s;
        const ddn_system *system = ddn_system_find("arc-standard");
        const ddn_sentence *list = &s;
        ddn_sentence_init(&s);
        static const char *const form[] = { "oak", "leaf", "falls" };
        for (int w = 0; w < 3; w++) {
            dodona_text col[DDN_COLUMNS];
            for (int column = 0; column < DDN_COLUMNS; column++)
                col[column] = (dodona_text){ w == 2 ? "VERB" : "NOUN", 4 };
            col[DDN_FORM] = (dodona_text){ form[w], strlen(form[w]) };
            assert_int_equal(ddn_sentence_word(&s, col, NULL), DODONA_OK);
        }
        test_features_init(&f, system, cases[i].templates, 1);
        const ddn_scorer *scorer = f.base.scorer;
        assert_int_equal(scorer->pass(&f.base, DDN_ONE_VIEW, &pass, NULL), DODONA_OK);
        assert_int_equal(scorer->encode(pass, &list, 1, NULL), DODONA_OK);
        assert_int_equal(ddn_kernel_init(&k, system, f.base.layout, f.base.reads, NULL), DODONA_OK);
        assert_int_equal(ddn_classes_find(&c, &arena, &k, scorer->values(pass, 0), s.n, NULL),
                         DODONA_OK);
        for (int x = 0; x < k.layout.slots; x++)
            a[x] = b[x] = (ddn_slot){ .word = -1 };
        a[k.s0].word = b[k.s0].word = 3;
        a[k.s1].word = 1;
        b[k.s1].word = 2;
        ddn_kernel_sign(&k, &c, &core, a, one);
        ddn_kernel_sign(&k, &c, &core, b, two);
        assert_int_equal(memcmp(one, two, (size_t)k.size * sizeof *one) == 0, cases[i].same);
        ddn_arena_fini(&arena);
        ddn_pass_end(pass);
        test_features_fini(&f);
        ddn_sentence_fini(&s);
    }
}

static void what_cannot_be_known_is_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *system, *templates, *name;
    } bad[] = {
        { "arc-standard", "s0.w\n# a comment\ns0.t+s1.next.lc.t\n", "'s1.next.lc.t' (line 3" },
        { "arc-standard", "s0.w\ns0.next.l", "'s0.next.l' (line 2" },
        { "arc-hybrid", "q0.prev.vl", "'q0.prev.vl' (line 1" },
        { "arc-standard", "s0.w+p.t", "'p.t' (line 1" },
        { "arc-standard", "s0.w\nd(l0,s0)+s0.t", "'d(l0,s0)' (line 2" },
        { "arc-eager", "s0.w\ns1.rc.lc.t", "'s1.rc.lc.t' (line 2" },
        { "arc-eager", "s1.rn.f:Case\ns1.rn.vr", "'s1.rn.vr' (line 2" },
        { "arc-eager", "s0.h.rc.lc.s2", "'s0.h.rc.lc.s2' (line 1" },
        { "lr-spine", "s0.w", "no dynamic programming over lr-spine" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ddn_templates t;
        static ddn_kernel k;
        dodona_error err;
        assert_int_equal(
            ddn_templates_compile(&t, bad[i].templates, strlen(bad[i].templates), "test", NULL),
            DODONA_OK);
        ddn_reads reads = ddn_templates_reads(&t);
        const ddn_system *system = ddn_system_find(bad[i].system);
        assert_true(ddn_kernel_init(&k, system, &t.layout, &reads, &err) < 0);
        if (!strstr(err.message, bad[i].name))
            fail_msg("expected %s in: %s", bad[i].name, err.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(computed_views_are_the_real_ones),
        cmocka_unit_test(the_order_builds_each_tree_once),
        cmocka_unit_test(signature_reads_values),
        cmocka_unit_test(what_cannot_be_known_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
