/* SPDX-License-Identifier: MIT */
/* Search with dynamic programming against all computations there are, and against the beam.
 *
 * All weights are random.  Sentences have few different words, so that many configurations look
 * alike.  With a beam as wide as can be, the score is that of the best computation (Theorem 1), and
 * the forest has every computation with its score.  When no two items are taken for equal, any beam
 * finds what the plain beam finds. */
#include "chart/kbest.h"
#include "lib/check.h"
#include "lib/features.h"
#include "lib/parsing.h"
#include "model/builtin.h"
#include "search/dp.h"
#include "search/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COMPUTATIONS = 8192, MOST_WORDS = 20, WIDE = DODONA_MAX_BEAM };

/* ---- The plain way ---- */

/* All computations that keep to the order of the system, with the best label at each arc. */
typedef struct all {
    const ddn_system *system;
    ddn_pass *pass;
    ddn_state state;
    ddn_score score[MOST_COMPUTATIONS]; /* [count] */
    int count;
} all;

static void walk(all *w, ddn_score so_far, uint32_t barred)
{
    const ddn_system *system = w->system;
    const ddn_model *model = w->pass->model;
    if (system->final(&w->state)) {
        assert_in_range(w->count, 0, MOST_COMPUTATIONS - 1);
        w->score[w->count++] = so_far;
        return;
    }
    ddn_score score[DDN_MAX_KINDS];
    ddn_move move[DDN_MAX_KINDS];
    ddn_view view;
    uint32_t mask = system->legal(&w->state) & ~barred;
    ddn_view_fill(model->layout, &w->state, -1, -1, &view);
    assert_int_equal(model->scorer->moves(w->pass, &(ddn_query){ 0, &view }, 1, score, NULL), 0);
    for (int k = 0; k < system->kinds; k++) {
        ddn_score label = 0;
        move[k] = (ddn_move){ .kind = (uint8_t)k, .pos = -1 };
        if ((mask >> k & 1) && system->kind[k].makes_arc) {
            ddn_arc_query q = { 0, 0, k, system->arc(&w->state, k, -1) };
            move[k].label = model->scorer->label(w->pass, &q, &label);
        }
        score[k] += label;
    }
    for (int k = 0; k < system->kinds; k++)
        if (mask >> k & 1) {
            ddn_undo undo;
            system->apply(&w->state, move[k], &undo);
            walk(w, so_far + score[k], (uint32_t)system->joining->not_after[k]);
            ddn_state_revert(&w->state, &undo);
        }
}

static int falling(const void *a, const void *b)
{
    ddn_score x = *(const ddn_score *)a, y = *(const ddn_score *)b;
    return (x < y) - (x > y);
}

static void find_all(all *w, ddn_parser *p, const ddn_sentence *s, ddn_roots roots)
{
    w->system = p->pass->model->schema->system;
    w->pass = p->pass;
    w->count = 0;
    assert_int_equal(ddn_parser_encode(p, &s, 1, NULL), DODONA_OK);
    ddn_state_init(&w->state);
    assert_int_equal(ddn_state_start(&w->state, s->n, roots, NULL), DODONA_OK);
    walk(w, 0, 0);
    ddn_state_fini(&w->state);
    qsort(w->score, (size_t)w->count, sizeof *w->score, falling);
}

static ddn_searching *open_search(ddn_parser *p, const char *name, const ddn_model *m,
                                  ddn_roots roots, int beam)
{
    return test_parser_open(p, m, name, (ddn_search_options){ .roots = roots, .beam = beam });
}

static ddn_searching *open_forest(ddn_parser *p, const ddn_model *m, ddn_roots roots, int beam)
{
    return test_parser_open(p, m, "dp",
                            (ddn_search_options){ .roots = roots, .beam = beam, .forest = true });
}

/* ---- All systems, all sets of templates ---- */

typedef void (*check)(const ddn_system *system, const char *templates, ddn_roots roots,
                      uint64_t seed);

static void for_all(check c)
{
    for (int i = 0; ddn_systems[i]; i++) {
        if (!ddn_systems[i]->joining)
            continue;
        for (int j = 0; ddn_builtin_templates[j].name; j++) {
            ddn_templates t;
            static ddn_kernel k;
            const char *text = ddn_builtin_templates[j].text;
            assert_int_equal(ddn_templates_compile(&t, text, strlen(text), "", NULL), DODONA_OK);
            ddn_reads reads = ddn_templates_reads(&t);
            if (ddn_kernel_init(&k, ddn_systems[i], &t.layout, &reads, NULL) < 0)
                continue;
            for (int roots = DDN_ROOTS_ONE; roots <= DDN_ROOTS_MANY; roots++)
                c(ddn_systems[i], text, (ddn_roots)roots, (uint64_t)(100 * i + 10 * j + roots));
        }
        /* Little is seen, so that much is merged. */
        for (int roots = DDN_ROOTS_ONE; roots <= DDN_ROOTS_MANY; roots++) {
            c(ddn_systems[i], "s0.t+s1.t", (ddn_roots)roots, 7);
            c(ddn_systems[i], "s0.t+q0.lc.t+s1.sr\ns0.rn.l+s1.lc2.t\n[labels]\ns0.vl+s1.vr",
              (ddn_roots)roots, 8);
            c(ddn_systems[i], "s0.l+s1.l\ns0.rc.l+s0.ln.l+s2.t", (ddn_roots)roots, 9);
        }
    }
}

static void check_best(const ddn_system *system, const char *templates, ddn_roots roots,
                       uint64_t seed)
{
    static all a;
    test_features f;
    ddn_sentence s;
    ddn_rng r;
    ddn_rng_init(&r, seed);
    ddn_sentence_init(&s);
    test_features_init(&f, system, templates, seed);
    ddn_parser p;
    ddn_searching *w = open_search(&p, "dp", &f.base, roots, WIDE);
    for (int32_t n = 0; n <= 7; n++) {
        test_few_words(&r, n, &s);
        find_all(&a, &p, &s, roots);
        test_parse(&p, &s);
        assert_true(w->score == a.score[0]);
        assert_true(test_replayed(&p, &s, roots, w->move, w->moves) == w->score);
        assert_true(system->final(&w->state));
    }
    ddn_parser_close(&p);
    test_features_fini(&f);
    ddn_sentence_fini(&s);
}

static void wide_beams_find_the_best_computation(void **state)
{
    (void)state;
    for_all(check_best);
}

/* Every derivation of the forest is a computation, with its score, and none is missing. */
static void check_forest(const ddn_system *system, const char *templates, ddn_roots roots,
                         uint64_t seed)
{
    enum { N = 5 };
    static all a;
    test_features f;
    ddn_sentence s;
    ddn_forest forest;
    ddn_kbest k;
    ddn_rng r;
    ddn_rng_init(&r, seed + 1);
    ddn_sentence_init(&s);
    ddn_forest_init(&forest);
    ddn_kbest_init(&k);
    test_features_init(&f, system, templates, seed);
    ddn_parser p;
    ddn_searching *w = open_forest(&p, &f.base, roots, WIDE);
    for (int32_t n = 1; n <= N; n++) {
        int32_t head[N + 1], label[N + 1];
        double score;
        int i = 0;
        test_few_words(&r, n, &s);
        find_all(&a, &p, &s, roots);
        test_parse(&p, &s);
        assert_true(w->score == a.score[0]);
        assert_int_equal(w->search->forest(w, &forest, NULL), DODONA_OK);
        assert_int_equal(ddn_forest_check(&forest, NULL), DODONA_OK);
        assert_int_equal(ddn_kbest_begin(&k, &forest, NULL), DODONA_OK);
        for (; ddn_kbest_next(&k, &score, head, label, NULL) > 0; i++) {
            assert_in_range(i, 0, a.count - 1);
            assert_true(score == a.score[i]);
            if (i == 0)
                for (int32_t d = 1; d <= n; d++) {
                    assert_int_equal(head[d], w->state.node[d].head);
                    assert_int_equal(label[d], w->state.node[d].label);
                }
        }
        assert_int_equal(i, a.count);
    }
    ddn_parser_close(&p);
    ddn_kbest_fini(&k);
    ddn_forest_fini(&forest);
    test_features_fini(&f);
    ddn_sentence_fini(&s);
}

static void the_forest_has_every_computation(void **state)
{
    (void)state;
    for_all(check_forest);
}

/* ---- Narrow beams ---- */

/* The system, kept to its order: the last kind stands in a field that it does not use. */
static ddn_system ordered;
static const ddn_system *unordered;

static uint32_t ordered_legal(const ddn_state *s)
{
    uint32_t barred = s->left ? unordered->joining->not_after[s->left - 1] : 0;
    return unordered->legal(s) & ~barred;
}

static void ordered_apply(ddn_state *s, ddn_move m, ddn_undo *undo)
{
    unordered->apply(s, m, undo);
    s->left = m.kind + 1;
}

static void check_apart(const ddn_system *system, const char *templates, ddn_roots roots,
                        uint64_t seed)
{
    test_features f, in_order;
    ddn_sentence s;
    ddn_rng r;
    ddn_rng_init(&r, seed);
    unordered = system;
    ordered = *system;
    ordered.legal = ordered_legal;
    ordered.apply = ordered_apply;
    ddn_sentence_init(&s);
    test_features_init(&f, system, templates, seed);
    test_features_init(&in_order, &ordered, templates, seed);
    for (int beam = 1; beam <= 64; beam = beam < 4 ? beam + 1 : beam * 4) {
        ddn_parser p[2];
        ddn_searching *plain = open_search(&p[0], "beam", &in_order.base, roots, beam);
        ddn_searching *dp = open_search(&p[1], "dp", &f.base, roots, beam);
        ddn_dp_keep_apart(dp);
        for (int i = 0; i < 4; i++) {
            test_few_words(&r, 1 + (int32_t)ddn_rng_below(&r, 12), &s);
            test_parse(&p[0], &s);
            test_parse(&p[1], &s);
            assert_true(dp->score == plain->score);
            assert_int_equal(dp->moves, plain->moves);
            for (size_t m = 0; m < dp->moves; m++) {
                assert_int_equal(dp->move[m].kind, plain->move[m].kind);
                assert_int_equal(dp->move[m].label, plain->move[m].label);
            }
        }
        ddn_parser_close(&p[0]);
        ddn_parser_close(&p[1]);
    }
    test_features_fini(&f);
    test_features_fini(&in_order);
    ddn_sentence_fini(&s);
}

static void the_plain_beam_is_a_special_case(void **state)
{
    (void)state;
    for_all(check_apart);
}

/* Any beam ends in a tree whose moves have the score that is stated, and the forest has that tree
 * and trees of other scores below it. */
static void check_narrow(const ddn_system *system, const char *templates, ddn_roots roots,
                         uint64_t seed)
{
    test_features f;
    ddn_sentence s;
    ddn_forest forest;
    ddn_kbest k;
    ddn_rng r;
    ddn_rng_init(&r, seed);
    ddn_sentence_init(&s);
    ddn_forest_init(&forest);
    ddn_kbest_init(&k);
    test_features_init(&f, system, templates, seed);
    for (int beam = 1; beam <= 16; beam *= 4) {
        ddn_parser p, forest_parser;
        ddn_searching *w = open_search(&p, "dp", &f.base, roots, beam);
        ddn_searching *with_forest = open_forest(&forest_parser, &f.base, roots, beam);
        for (int i = 0; i < 4; i++) {
            int32_t head[MOST_WORDS + 1], label[MOST_WORDS + 1];
            double score;
            test_few_words(&r, 1 + (int32_t)ddn_rng_below(&r, MOST_WORDS), &s);
            test_parse(&p, &s);
            assert_true(test_replayed(&p, &s, roots, w->move, w->moves) == w->score);
            assert_true(system->final(&w->state));
            test_parse(&forest_parser, &s);
            assert_true(with_forest->score == w->score);
            assert_int_equal(with_forest->search->forest(with_forest, &forest, NULL), DODONA_OK);
            assert_int_equal(ddn_forest_check(&forest, NULL), DODONA_OK);
            assert_int_equal(ddn_kbest_begin(&k, &forest, NULL), DODONA_OK);
            assert_int_equal(ddn_kbest_next(&k, &score, head, label, NULL), 1);
            assert_true(score == w->score);
            for (int32_t d = 1; d <= s.n; d++)
                assert_int_equal(head[d], w->state.node[d].head);
        }
        ddn_parser_close(&p);
        ddn_parser_close(&forest_parser);
    }
    ddn_kbest_fini(&k);
    ddn_forest_fini(&forest);
    test_features_fini(&f);
    ddn_sentence_fini(&s);
}

static void narrow_beams_end_in_trees(void **state)
{
    (void)state;
    for_all(check_narrow);
}

/* What is seen decides how many items there are: at most so many as words at s0, spans and tags at
 * s1, where the plain beam has one for each computation. */
static void items_are_merged(void **state)
{
    (void)state;
    const ddn_system *system = ddn_system_find("arc-standard");
    test_features f;
    ddn_sentence s;
    ddn_rng r;
    ddn_rng_init(&r, 3);
    ddn_sentence_init(&s);
    test_few_words(&r, 7, &s);
    test_features_init(&f, system, "s0.t+s1.t", 3);
    ddn_parser p;
    ddn_searching *dp = open_search(&p, "dp", &f.base, DDN_ROOTS_ONE, WIDE);
    test_parse(&p, &s);
    int64_t merged = ddn_dp_items(dp);
    ddn_dp_keep_apart(dp);
    test_parse(&p, &s);
    /* start, next and s0; whether RA was last; which of two tags, the root or nothing s1 has; and
     * for each of these at most 7 steps. */
    assert_in_range(merged, 1, 7 * 7 * 7 * 2 * 4 * 7 / 6);
    assert_true(ddn_dp_items(dp) > 2 * merged);
    ddn_parser_close(&p);
    test_features_fini(&f);
    ddn_sentence_fini(&s);
}

/* ---- Training ---- */

static bool are_same(const ddn_move *a, const ddn_move *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].kind != b[i].kind || a[i].label != b[i].label)
            return false;
    return true;
}

/* What is said to beat the goal is another computation and scores no less; where nothing is, the
 * goal is what the search finds. */
static void check_goal(ddn_parser *p, const ddn_sentence *s, const ddn_move *move, size_t moves,
                       bool early)
{
    const ddn_searching *w = p->searching[0];
    ddn_score score[2 * MOST_WORDS + 1];
    for (size_t i = 0; i <= moves; i++)
        score[i] = test_replayed(p, s, w->roots, move, i);
    ddn_goal goal = { .move = move, .moves = moves, .score = score, .early = early };
    if (!test_parse_goal(p, s, &goal)) {
        test_parse(p, s);
        assert_true(moves == w->moves && are_same(move, w->move, moves));
        return;
    }
    assert_in_range(w->prefix, 1, moves);
    assert_false(w->moves == w->prefix && are_same(w->move, move, w->prefix));
    assert_true(test_replayed(p, s, w->roots, w->move, w->moves) >= score[w->prefix]);
}

/* Goals: what other weights like best, and what the search itself finds. */
static void check_contrast(const ddn_system *system, const char *templates, ddn_roots roots,
                           uint64_t seed)
{
    test_features f, other;
    ddn_sentence s;
    ddn_rng r;
    ddn_rng_init(&r, seed);
    ddn_sentence_init(&s);
    test_features_init(&f, system, templates, seed);
    test_features_init(&other, system, templates, seed + 1);
    ddn_parser teaching;
    ddn_searching *teacher = open_search(&teaching, "dp", &other.base, roots, 8);
    for (int i = 0; i < 8; i++) {
        ddn_parser p;
        ddn_searching *w = open_search(&p, "dp", &f.base, roots, 1 << i % 4);
        ddn_move own[2 * MOST_WORDS];
        test_few_words(&r, 1 + (int32_t)ddn_rng_below(&r, 10), &s);
        test_parse(&teaching, &s);
        check_goal(&p, &s, teacher->move, teacher->moves, i % 2);
        test_parse(&p, &s);
        size_t moves = w->moves;
        memcpy(own, w->move, moves * sizeof *own);
        check_goal(&p, &s, own, moves, i % 2);
        ddn_parser_close(&p);
    }
    ddn_parser_close(&teaching);
    test_features_fini(&f);
    test_features_fini(&other);
    ddn_sentence_fini(&s);
}

static void violations_are_violations(void **state)
{
    (void)state;
    for_all(check_contrast);
}

/* Where no template reads labels, a label that the search likes less does not end an early update:
 * the tree is still there, and the whole of it is compared. */
static void labels_do_not_stop_the_search(void **state)
{
    (void)state;
    const ddn_system *system = ddn_system_find("arc-standard");
    test_features f;
    ddn_sentence s;
    ddn_rng r;
    ddn_rng_init(&r, 5);
    ddn_sentence_init(&s);
    test_few_words(&r, 6, &s);
    test_features_init(&f, system, "s0.t+s1.t", 5);
    ddn_parser p;
    ddn_searching *w = open_search(&p, "dp", &f.base, DDN_ROOTS_ONE, 4);
    test_parse(&p, &s);
    ddn_move move[2 * MOST_WORDS];
    ddn_score score[2 * MOST_WORDS + 1];
    size_t moves = w->moves, first = 0;
    memcpy(move, w->move, moves * sizeof *move);
    while (!system->kind[move[first].kind].makes_arc)
        first++;
    assert_true(first + 1 < moves);
    move[first].label = (uint16_t)(1 + move[first].label % (TEST_LABELS - 1)); /* not the root's */
    for (size_t i = 0; i <= moves; i++)
        score[i] = test_replayed(&p, &s, DDN_ROOTS_ONE, move, i);
    ddn_goal goal = { .move = move, .moves = moves, .score = score, .early = true };
    assert_true(test_parse_goal(&p, &s, &goal));
    assert_int_equal(w->prefix, moves);
    assert_int_equal(w->moves, moves);
    ddn_parser_close(&p);
    test_features_fini(&f);
    ddn_sentence_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_beams_find_the_best_computation),
        cmocka_unit_test(the_forest_has_every_computation),
        cmocka_unit_test(the_plain_beam_is_a_special_case),
        cmocka_unit_test(narrow_beams_end_in_trees),
        cmocka_unit_test(items_are_merged),
        cmocka_unit_test(violations_are_violations),
        cmocka_unit_test(labels_do_not_stop_the_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
