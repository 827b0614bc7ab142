/* SPDX-License-Identifier: MIT */
/* The trees that a search lists: each has the score that its own moves add up to, scores fall, no
 * tree comes twice, the first is the one that the search ended in, and the right heads of the best
 * of the first k grow with k up to those of the forest.
 *
 * Weights are random.  The moves of a tree are found by trying: all that the system allows and that
 * make no arc but the tree's. */
#include "chart/kbest.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/features.h"
#include "lib/parsing.h"
#include "model/builtin.h"
#include "search/replay.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 9, LIST = 30, MOST_WAYS = 100000 };

/* All ways to build one tree, and their scores. */
typedef struct ways {
    const ddn_system *system;
    bool in_order; /* only those that keep to the order of the system */
    const int32_t *head, *label;
    ddn_replay replay;
    double *score;
    size_t count;
} ways;

static bool fits(const ways *w, int kind, ddn_move *m)
{
    *m = (ddn_move){ .kind = (uint8_t)kind, .pos = -1 };
    if (!w->system->kind[kind].makes_arc)
        return true;
    ddn_arc arc = w->system->arc(&w->replay.state, kind, -1);
    m->label = (uint16_t)w->label[arc.child];
    return w->head[arc.child] == arc.head;
}

static void walk(ways *w, double so_far, uint32_t barred)
{
    ddn_state *s = &w->replay.state;
    if (w->system->final(s)) {
        assert_true(w->count < MOST_WAYS);
        w->score[w->count++] = so_far;
        return;
    }
    uint32_t legal = w->system->legal(s) & ~(w->in_order ? barred : 0);
    for (int k = 0; k < w->system->kinds; k++) {
        ddn_move m;
        ddn_undo undo;
        if (!(legal >> k & 1) || !fits(w, k, &m))
            continue;
        ddn_score score;
        assert_int_equal(ddn_replay_score(&w->replay, m, &score, NULL), 0);
        w->system->apply(s, m, &undo);
        walk(w, so_far + score, w->in_order ? (uint32_t)w->system->joining->not_after[k] : 0);
        ddn_state_revert(s, &undo);
    }
}

/* Whether one of the ways to build the tree has that score. */
static bool is_built_for(ways *w, const ddn_sentence *s, ddn_roots roots, double score)
{
    w->count = 0;
    assert_int_equal(ddn_replay_start(&w->replay, 0, s->n, roots, NULL), 0);
    walk(w, 0, 0);
    assert_true(w->count > 0);
    if (w->in_order)
        assert_int_equal(w->count, 1);
    for (size_t i = 0; i < w->count; i++)
        if (w->score[i] == score)
            return true;
    return false;
}

/* gold[1..n] against the list as it grows. */
static void check_list(ddn_parser *p, const ddn_sentence *s, ways *w)
{
    const ddn_searching *search = p->searching[0];
    static int32_t head[LIST][WORDS + 1], label[LIST][WORDS + 1];
    int32_t gold[WORDS + 1], unused[2][WORDS + 1], most = 0;
    double score, last = 0;
    ddn_forest f;
    ddn_kbest k;
    ddn_forest_oracle o;
    ddn_rng rng;
    size_t size = (size_t)s->n * sizeof(int32_t);
    ddn_rng_init(&rng, (uint64_t)s->n);
    ddn_forest_init(&f);
    ddn_kbest_init(&k);
    test_parse(p, s);
    assert_int_equal(search->search->forest(search, &f, NULL), 0);
    assert_int_equal(ddn_forest_check(&f, NULL), 0);
    test_random_tree(&rng, s->n, TEST_PROJECTIVE, gold);
    assert_int_equal(ddn_forest_find_oracle(&f, gold, NULL, unused[0], unused[1], &o, NULL), 0);
    assert_int_equal(ddn_kbest_begin(&k, &f, NULL), 0);
    int i = 0;
    for (; i < LIST && ddn_kbest_next(&k, &score, head[i], label[i], NULL) > 0; i++) {
        w->head = head[i];
        w->label = label[i];
        assert_true(is_built_for(w, s, search->roots, score));
        assert_true(i == 0 || score <= last);
        last = score;
        for (int j = 0; j < i; j++)
            assert_true(memcmp(head[j] + 1, head[i] + 1, size) != 0 ||
                        memcmp(label[j] + 1, label[i] + 1, size) != 0);
        int32_t right = 0;
        for (int32_t c = 1; c <= s->n; c++) {
            right += head[i][c] == gold[c];
            if (i == 0) {
                assert_int_equal(head[i][c], search->state.node[c].head);
                assert_int_equal(label[i][c], search->state.node[c].label);
            }
        }
        most = right > most ? right : most;
        assert_true(most <= o.correct);
    }
    assert_true(i > 0);
    if (i < LIST) /* all of them */
        assert_int_equal(most, o.correct);
    ddn_forest_fini(&f);
    ddn_kbest_fini(&k);
}

static void check_search(const char *name, const ddn_system *system, const char *templates,
                         int beam, ddn_roots roots)
{
    test_features f;
    ddn_sentence s;
    ddn_rng rng;
    ddn_parser p;
    ddn_search_options o = { .roots = roots, .beam = beam, .forest = true };
    ways *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->score = malloc(MOST_WAYS * sizeof *w->score);
    assert_non_null(w->score);
    w->system = system;
    w->in_order = strcmp(name, "dp") == 0;
    ddn_rng_init(&rng, (uint64_t)beam);
    ddn_sentence_init(&s);
    test_features_init(&f, system, templates, (uint64_t)beam);
    test_parser_open(&p, &f.base, name, o);
    ddn_replay_init(&w->replay, p.pass);
    for (int32_t n = 1; n <= (w->in_order ? WORDS : WORDS - 2); n++) {
        test_few_words(&rng, n, &s);
        check_list(&p, &s, w);
    }
    ddn_replay_fini(&w->replay);
    ddn_parser_close(&p);
    test_features_fini(&f);
    ddn_sentence_fini(&s);
    free(w->score);
    free(w);
}

static void for_all(const char *name)
{
    static const int beams[] = { 1, 4, 16 };
    for (int i = 0; ddn_systems[i]; i++)
        for (int b = 0; b < 3 && ddn_systems[i]->joining; b++)
            for (int roots = DDN_ROOTS_ONE; roots <= DDN_ROOTS_MANY; roots++) {
                check_search(name, ddn_systems[i], ddn_builtin_find("huang"), beams[b],
                             (ddn_roots)roots);
                check_search(name, ddn_systems[i], "s0.t+s1.t", beams[b], (ddn_roots)roots);
            }
}

static void dp_lists_trees_with_their_scores(void **state)
{
    (void)state;
    for_all("dp");
}

static void beam_lists_trees_with_their_scores(void **state)
{
    (void)state;
    for_all("beam");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dp_lists_trees_with_their_scores),
        cmocka_unit_test(beam_lists_trees_with_their_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
