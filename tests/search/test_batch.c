/* SPDX-License-Identifier: MIT */
/* Several sentences at once give what each gives alone: moves, scores, trees and forests, for every
 * search, every scorer and every system that go together, in batches of any size and order.  Some
 * of the sentences differ in one word only. */
#include "chart/kbest.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/features.h"
#include "lib/naive.h"
#include "lib/parsing.h"
#include "lib/perceptrons.h"
#include "lib/scorers.h"
#include "lib/variants.h"
#include "model/builtin.h"

#include <stdlib.h>
#include <string.h>

enum { LABELS = 3, BEAM = 3, LONGEST = 9, LIMIT = 6, LISTED = 4 };

enum { SENTENCES = 14, FORMS = 60 };

/* ---- What is found ---- */

typedef struct found {
    ddn_state state;
    ddn_move *move;
    size_t moves;
    ddn_score score;
    const char *fallback;
    int trees;
    double tree_score[LISTED];
    int32_t head[LISTED][LONGEST + 1], label[LISTED][LONGEST + 1];
} found;

static void found_fini(found *f)
{
    ddn_state_fini(&f->state);
    free(f->move);
}

static void list_trees(found *f, const ddn_searching *w)
{
    ddn_forest forest;
    ddn_kbest k;
    ddn_forest_init(&forest);
    ddn_kbest_init(&k);
    assert_int_equal(w->search->forest(w, &forest, NULL), DODONA_OK);
    assert_int_equal(ddn_kbest_begin(&k, &forest, NULL), DODONA_OK);
    while (f->trees < LISTED && ddn_kbest_next(&k, &f->tree_score[f->trees], f->head[f->trees],
                                               f->label[f->trees], NULL) > 0)
        f->trees++;
    assert_true(f->trees > 0);
    ddn_kbest_fini(&k);
    ddn_forest_fini(&forest);
}

static void take_found(found *f, const ddn_searching *w, bool forest)
{
    memset(f, 0, sizeof *f);
    ddn_state_init(&f->state);
    assert_int_equal(ddn_state_copy(&f->state, &w->state, NULL), DODONA_OK);
    f->move = malloc((w->moves + 1) * sizeof *f->move);
    assert_non_null(f->move);
    if (w->moves)
        memcpy(f->move, w->move, w->moves * sizeof *f->move);
    f->moves = w->moves;
    f->score = w->score;
    f->fallback = w->fallback;
    if (forest && w->search->forest)
        list_trees(f, w);
}

static void same_found(const found *a, const found *b)
{
    size_t words = (size_t)a->state.n * sizeof(int32_t);
    test_states_equal(&a->state, &b->state);
    assert_int_equal(a->moves, b->moves);
    for (size_t i = 0; i < a->moves; i++)
        assert_true(a->move[i].kind == b->move[i].kind && a->move[i].pos == b->move[i].pos &&
                    a->move[i].label == b->move[i].label);
    assert_true(a->score == b->score);
    assert_ptr_equal(a->fallback, b->fallback);
    assert_int_equal(a->trees, b->trees);
    for (int t = 0; t < a->trees; t++) {
        assert_true(a->tree_score[t] == b->tree_score[t]);
        assert_memory_equal(a->head[t] + 1, b->head[t] + 1, words);
        assert_memory_equal(a->label[t] + 1, b->label[t] + 1, words);
    }
}

/* ---- One search, one model ---- */

/* What is given of each sentence, if anything is. */
typedef struct given {
    int32_t head[SENTENCES][LONGEST + 1], label[SENTENCES][LONGEST + 1];
    bool some[SENTENCES];
} given;

static void draw_given(given *g, ddn_rng *r, const test_variants *c)
{
    for (int i = 0; i < c->count; i++) {
        int32_t n = c->sentence[i].n;
        test_random_tree(r, n, TEST_PROJECTIVE | TEST_ONE_ROOT, g->head[i]);
        g->some[i] = i % 3 != 2;
        for (int32_t d = 1; d <= n; d++) {
            g->head[i][d] = ddn_rng_below(r, 2) ? g->head[i][d] : DDN_HEAD_OPEN;
            g->label[i][d] = ddn_rng_below(r, 4) ? DDN_LABEL_OPEN : 1;
        }
    }
}

static void give(ddn_searching *w, const given *g, const test_variants *c, int i)
{
    int32_t word, n = g->some[i] ? c->sentence[i].n : 0;
    if (w->constraint)
        assert_int_equal(
            ddn_constraint_begin(w->constraint, g->head[i], g->label[i], n, &word, NULL),
            DODONA_OK);
}

/* Runs the sentences order[0..m) as one batch. */
static void run_batch(ddn_parser *p, const test_variants *c, const given *g, const int *order,
                      int m, found *f, bool forest)
{
    const ddn_sentence *batch[SENTENCES] = { NULL };
    dodona_error err = { 0 };
    for (int i = 0; i < m; i++)
        batch[i] = c->list[order[i]];
    assert_int_equal(ddn_parser_encode(p, batch, m, NULL), DODONA_OK);
    for (int first = 0; first < m; first += p->lanes) {
        int together = m - first < p->lanes ? m - first : p->lanes;
        for (int i = 0; i < together; i++) {
            p->searching[i]->keeps_moves = true;
            give(p->searching[i], g, c, order[first + i]);
        }
        if (ddn_parser_search(p, batch, first, together, &err) < 0)
            fail_msg("%s", err.message);
        for (int i = 0; i < together; i++)
            take_found(&f[first + i], p->searching[i], forest);
    }
}

static void shuffle(ddn_rng *r, int *order, int m)
{
    for (int i = 0; i < m; i++) {
        int j = (int)ddn_rng_below(r, (uint64_t)i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

static void check_options(const ddn_model *m, const char *search, ddn_search_options o,
                          const test_variants *c, const given *g, ddn_rng *r)
{
    static const int sizes[] = { 2, 5, SENTENCES };
    static found alone[SENTENCES], together[SENTENCES];
    ddn_parser p;
    int order[SENTENCES];
    for (int i = 0; i < c->count; i++) {
        test_parser_open(&p, m, search, o);
        run_batch(&p, c, g, &i, 1, &alone[i], o.forest);
        ddn_parser_close(&p);
    }
    assert_int_equal(ddn_parser_open(&p, m, search, &o, SENTENCES, NULL), DODONA_OK);
    for (int k = 0; k < 3; k++) {
        shuffle(r, order, c->count);
        for (int first = 0; first < c->count; first += sizes[k]) {
            int size = c->count - first < sizes[k] ? c->count - first : sizes[k];
            run_batch(&p, c, g, order + first, size, together, o.forest);
            for (int i = 0; i < size; i++) {
                same_found(&together[i], &alone[order[first + i]]);
                found_fini(&together[i]);
            }
        }
    }
    ddn_parser_close(&p);
    for (int i = 0; i < c->count; i++)
        found_fini(&alone[i]);
}

/* tried[i]: how often search i was. */
static void check_model(const ddn_model *m, const test_variants *c, ddn_rng *r, int *tried)
{
    static given g;
    draw_given(&g, r, c);
    for (int i = 0; ddn_searches[i]; i++) {
        ddn_parser p;
        ddn_search_options o = { .roots = DDN_ROOTS_ONE, .beam = BEAM, .exact_limit = LIMIT };
        if (!(m->heads & DDN_HEAD_MOVES))
            o.exact_limit = LONGEST;
        int status = ddn_parser_open(&p, m, ddn_searches[i]->name, &o, 1, NULL);
        ddn_parser_close(&p);
        if (status == DODONA_E_ARGUMENT)
            continue;
        assert_int_equal(status, DODONA_OK);
        tried[i]++;
        o.forest = ddn_searches[i]->forest != NULL;
        check_options(m, ddn_searches[i]->name, o, c, &g, r);
        o.keep = true;
        check_options(m, ddn_searches[i]->name, o, c, &g, r);
        if (ddn_searches[i]->exact) {
            o.keep = false;
            o.decoder = "mst";
            check_options(m, ddn_searches[i]->name, o, c, &g, r);
        }
    }
}

static void all_tried(const int *tried)
{
    for (int i = 0; ddn_searches[i]; i++)
        assert_true(tried[i] > 0);
}

/* ---- All models ---- */

enum { SEARCHES = 16 };

static void toys_in_batches(void **state)
{
    (void)state;
    ddn_rng r;
    test_variants c;
    int tried[SEARCHES] = { 0 };
    ddn_rng_init(&r, 1);
    test_variants_init(&c, &r, SENTENCES, FORMS, LONGEST);
    for (int i = 0; ddn_systems[i]; i++)
        for (int kind = 0; kind <= TEST_TOYS; kind++) {
            test_toy toy;
            if (kind == TEST_TOY_PAIRS && !ddn_systems[i]->rules)
                continue;
            if (kind == TEST_TOYS)
                test_toy_init_few(&toy, ddn_systems[i], LABELS);
            else
                test_toy_init(&toy, (test_toy_kind)kind, ddn_systems[i], LABELS);
            toy.seed = (uint64_t)i;
            toy.range = i % 2 ? 1000 : 4;
            check_model(&toy.base, &c, &r, tried);
            test_toy_fini(&toy);
        }
    all_tried(tried);
    test_variants_fini(&c);
}

static void random_features_in_batches(void **state)
{
    (void)state;
    ddn_rng r;
    test_variants c;
    int tried[SEARCHES] = { 0 };
    ddn_rng_init(&r, 2);
    test_variants_init(&c, &r, SENTENCES, FORMS, LONGEST);
    for (int i = 0; ddn_systems[i]; i++) {
        test_features f;
        test_features_init(&f, ddn_systems[i], ddn_builtin_find("huang"), (uint64_t)i);
        check_model(&f.base, &c, &r, tried);
        test_features_fini(&f);
    }
    for (int i = 0; ddn_searches[i]; i++)
        assert_int_equal(tried[i] > 0, !ddn_searches[i]->exact);
    test_variants_fini(&c);
}

static void perceptrons_in_batches(void **state)
{
    (void)state;
    ddn_rng r;
    test_variants c;
    int learning[SEARCHES] = { 0 }, frozen[SEARCHES] = { 0 };
    ddn_rng_init(&r, 3);
    test_variants_init(&c, &r, SENTENCES, FORMS, LONGEST);
    for (int i = 0; ddn_systems[i]; i++)
        for (int k = 0; test_templates(ddn_systems[i], k); k++) {
            test_perceptron p;
            test_perceptron_init(&p, ddn_systems[i], test_templates(ddn_systems[i], k));
            test_randomize(&p, &r, c.list, c.count, 3, DDN_ROOTS_ONE);
            test_freeze(&p);
            check_model(p.learning, &c, &r, learning);
            check_model(p.frozen, &c, &r, frozen);
            test_perceptron_fini(&p);
        }
    all_tried(learning);
    all_tried(frozen);
    test_variants_fini(&c);
}

/* ---- Arcs that no move makes ---- */

/* An arc of one sentence after the other, which the scorer has alone in a second pass. */
static void check_arc(ddn_pass *together, ddn_pass *alone, const test_variants *c, ddn_arc arc)
{
    const ddn_scorer *scorer = together->model->scorer;
    for (int i = 0; i < c->count; i++) {
        ddn_score all[2][TEST_RELATIONS], score[2];
        ddn_arc_query q = { -1, i, 0, arc }, own = { -1, 0, 0, arc };
        if (arc.head > c->list[i]->n || arc.child > c->list[i]->n)
            continue;
        assert_int_equal(scorer->encode(alone, &c->list[i], 1, NULL), DODONA_OK);
        scorer->labels(together, &q, all[0]);
        scorer->labels(alone, &own, all[1]);
        for (int l = 0; l < TEST_RELATIONS; l++)
            assert_true(all[0][l] == all[1][l]);
        assert_int_equal(scorer->label(together, &q, &score[0]),
                         scorer->label(alone, &own, &score[1]));
        assert_true(score[0] == score[1]);
    }
}

static void check_arcs(const ddn_model *m, const test_variants *c)
{
    ddn_pass *together, *alone;
    assert_int_equal(m->scorer->pass(m, DDN_ONE_VIEW, &together, NULL), DODONA_OK);
    assert_int_equal(m->scorer->pass(m, DDN_ONE_VIEW, &alone, NULL), DODONA_OK);
    assert_int_equal(m->scorer->encode(together, c->list, c->count, NULL), DODONA_OK);
    for (int32_t h = 0; h <= LONGEST; h++)
        for (int32_t d = 1; d <= LONGEST; d++)
            if (h != d)
                check_arc(together, alone, c, (ddn_arc){ h, d });
    ddn_pass_end(together);
    ddn_pass_end(alone);
}

static void arcs_of_several_sentences(void **state)
{
    (void)state;
    ddn_rng r;
    test_variants c;
    ddn_rng_init(&r, 5);
    test_variants_init(&c, &r, SENTENCES, FORMS, LONGEST);
    const ddn_system *system = ddn_system_find("alls0s1");
    for (int k = 0; test_templates(system, k); k++) {
        test_perceptron p;
        if (!strstr(test_templates(system, k), "[arcs]"))
            continue;
        test_perceptron_init(&p, system, test_templates(system, k));
        test_randomize(&p, &r, c.list, c.count, 3, DDN_ROOTS_ONE);
        test_freeze(&p);
        check_arcs(p.learning, &c);
        check_arcs(p.frozen, &c);
        test_perceptron_fini(&p);
    }
    test_variants_fini(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(toys_in_batches),
        cmocka_unit_test(random_features_in_batches),
        cmocka_unit_test(perceptrons_in_batches),
        cmocka_unit_test(arcs_of_several_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
