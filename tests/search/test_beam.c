/* SPDX-License-Identifier: MIT */
/* The beam against two plain ways to do the same: all computations there are, where the beam is
 * wider than they are many, and a beam that keeps lists of moves and knows no states, slots or
 * heaps.  Scores are those of a toy (lib/scorers.h), read off the configuration here and off views
 * there. */
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/naive.h"
#include "lib/parsing.h"
#include "lib/scorers.h"
#include "search/replay.h"

#include <stdlib.h>
#include <string.h>

enum { LABELS = 3, MOST_MOVES = 1000, MOST_COMPUTATIONS = 4000 };

/* Kinds that make arcs may make none in some configurations. */
static bool makes_arc(const ddn_system *system, const ddn_state *s, ddn_move m)
{
    return system->kind[m.kind].makes_arc && system->arc(s, m.kind, m.pos).head >= 0;
}

/* The score of a move, whose label may be open: then the best one is set. */
static ddn_score move_score(const test_toy *toy, uint32_t context, const ddn_state *s, ddn_move *m,
                            bool open)
{
    ddn_score score = test_score_of_move(toy, context, s, *m);
    if (!makes_arc(toy->schema.system, s, *m)) {
        m->label = 0;
        return score;
    }
    if (open)
        m->label = test_best_label(toy, context, s, *m);
    return score + test_score_of_label(toy, context, s, *m, m->label);
}

/* A sentence is a number of words. */
static uint32_t context_of(int32_t n)
{
    ddn_sentence s = { .n = n };
    return test_context(&s);
}

static void toy_open(test_toy *toy, const ddn_system *system)
{
    test_toy_init(toy, TEST_TOY_MOVES, system, LABELS);
}

static void set_scores(test_toy *toy, uint64_t seed, uint64_t range)
{
    toy->seed = seed;
    toy->range = range;
}

static void go(const ddn_system *system, ddn_state *s, int32_t n, ddn_roots roots,
               const ddn_move *move, size_t moves)
{
    assert_int_equal(ddn_state_start(s, n, roots, NULL), DODONA_OK);
    for (size_t i = 0; i < moves; i++)
        system->apply(s, move[i], NULL);
}

/* What was said of a computation: its moves are legal, and they give the state and the score. */
static void check_result(const ddn_searching *w, const test_toy *toy)
{
    const ddn_system *system = w->system;
    ddn_state s;
    ddn_move legal[1000];
    int32_t scratch[1000], head[200];
    ddn_score total = 0;
    ddn_state_init(&s);
    go(system, &s, w->state.n, w->roots, NULL, 0);
    for (size_t i = 0; i < w->moves; i++) {
        ddn_move m = w->move[i];
        int32_t count = ddn_system_moves(system, &s, legal, scratch), k = 0;
        while (k < count && !(legal[k].kind == m.kind && legal[k].pos == m.pos))
            k++;
        assert_true(k < count);
        total += move_score(toy, context_of(s.n), &s, &m, false);
        system->apply(&s, m, NULL);
    }
    test_states_equal(&s, &w->state);
    test_state_sound(&w->state);
    assert_true(total == w->score);
    for (int32_t d = 0; d <= s.n; d++)
        head[d] = d ? ddn_system_head(system, &s, d) : -1;
    if (w->roots != DDN_ROOTS_PLAIN)
        assert_true(test_is_tree(head, s.n, w->roots == DDN_ROOTS_ONE));
    ddn_state_fini(&s);
}

/* ---- All computations ---- */

typedef struct all {
    const ddn_system *system;
    const test_toy *toy;
    uint32_t context;
    int64_t count;
    ddn_score best;
} all;

static void walk(all *a, ddn_state *s, ddn_score score)
{
    ddn_move legal[200];
    int32_t scratch[200];
    if (a->count > MOST_COMPUTATIONS)
        return;
    if (a->system->final(s)) {
        a->best = a->count++ == 0 || score > a->best ? score : a->best;
        return;
    }
    int32_t count = ddn_system_moves(a->system, s, legal, scratch);
    for (int32_t i = 0; i < count; i++) {
        ddn_undo undo;
        ddn_score more = move_score(a->toy, a->context, s, &legal[i], true);
        a->system->apply(s, legal[i], &undo);
        walk(a, s, score + more);
        ddn_state_revert(s, &undo);
    }
}

static void wide_beam_is_exhaustive(void **state)
{
    (void)state;
    for (int i = 0; ddn_systems[i]; i++)
        for (int roots = DDN_ROOTS_ONE; roots <= DDN_ROOTS_MANY; roots++) {
            test_toy g;
            ddn_state s;
            ddn_parser parser;
            ddn_search_options o = { .roots = (ddn_roots)roots, .beam = MOST_COMPUTATIONS };
            int32_t largest = 0;
            toy_open(&g, ddn_systems[i]);
            ddn_state_init(&s);
            ddn_searching *w = test_parser_open(&parser, &g.base, "beam", o);
            for (uint64_t seed = 0; seed < 40; seed++) {
                ddn_sentence sentence = { .n = 1 + (int32_t)(seed % 5) };
                set_scores(&g, seed, seed % 2 ? 5 : 1000);
                all a = { .system = ddn_systems[i], .toy = &g, .context = context_of(sentence.n) };
                go(ddn_systems[i], &s, sentence.n, o.roots, NULL, 0);
                walk(&a, &s, 0);
                if (a.count > MOST_COMPUTATIONS)
                    continue;
                largest = sentence.n > largest ? sentence.n : largest;
                test_parse(&parser, &sentence);
                check_result(w, &g);
                assert_true(w->score == a.best);
            }
            assert_true(largest >= 4);
            ddn_parser_close(&parser);
            ddn_state_fini(&s);
            test_toy_fini(&g);
        }
}

/* ---- A beam of lists of moves ---- */

typedef struct item {
    ddn_move move[MOST_MOVES];
    size_t moves;
    ddn_score score;
    bool ended, goal;
} item;

typedef struct plain {
    const ddn_system *system;
    const test_toy *toy;
    uint32_t context;
    ddn_roots roots;
    int32_t n, width;
    ddn_state state;
    item *kept, *made; /* by falling score */
    int32_t count, made_count;
} plain;

enum { WIDEST = 9, MOST_MADE = WIDEST * 130 };

static void plain_open(plain *p, const ddn_searching *w, const test_toy *toy, int32_t n,
                       int32_t width)
{
    *p = (plain){ .system = w->system, .toy = toy, .roots = w->roots, .n = n, .width = width };
    p->context = context_of(n);
    ddn_state_init(&p->state);
    p->kept = calloc(MOST_MADE, sizeof *p->kept);
    p->made = calloc(MOST_MADE, sizeof *p->made);
    assert_non_null(p->kept);
    assert_non_null(p->made);
    p->count = 1;
}

static void plain_close(plain *p)
{
    ddn_state_fini(&p->state);
    free(p->kept);
    free(p->made);
}

/* Behind all that are at least as good. */
static void plain_insert(plain *p, const item *x)
{
    int32_t at = 0;
    while (at < p->made_count && p->made[at].score >= x->score)
        at++;
    if (at >= p->width)
        return;
    for (int32_t i = p->made_count < p->width ? p->made_count++ : p->width - 1; i > at; i--)
        p->made[i] = p->made[i - 1];
    p->made[at] = *x;
}

static void plain_extend(plain *p, const item *from, const ddn_goal *goal)
{
    ddn_move legal[1000];
    int32_t scratch[1000];
    static item x;
    go(p->system, &p->state, p->n, p->roots, from->move, from->moves);
    x = *from;
    x.ended = p->system->final(&p->state);
    if (x.ended) {
        plain_insert(p, &x);
        return;
    }
    int32_t count = ddn_system_moves(p->system, &p->state, legal, scratch);
    for (int32_t i = 0; i < count; i++) {
        ddn_move m = legal[i];
        ddn_move wanted = from->goal ? goal->move[from->moves] : (ddn_move){ 0 };
        x = *from;
        x.score += move_score(p->toy, p->context, &p->state, &m, true);
        x.move[x.moves++] = m;
        bool same = from->goal && wanted.kind == m.kind && wanted.pos == m.pos;
        bool arc = makes_arc(p->system, &p->state, m);
        x.goal = same && (!arc || wanted.label == m.label);
        plain_insert(p, &x);
        if (same && !x.goal) {
            x = *from;
            x.score += move_score(p->toy, p->context, &p->state, &wanted, false);
            x.move[x.moves++] = wanted;
            x.goal = true;
            plain_insert(p, &x);
        }
    }
}

/* One step; false: all had ended before it. */
static bool plain_step(plain *p, const ddn_goal *goal)
{
    bool ended = true;
    p->made_count = 0;
    for (int32_t i = 0; i < p->count; i++)
        plain_extend(p, &p->kept[i], goal);
    for (int32_t i = 0; i < p->made_count; i++)
        ended = ended && p->made[i].ended;
    item *kept = p->kept;
    p->kept = p->made;
    p->made = kept;
    p->count = p->made_count;
    return !ended;
}

static void same_moves(const ddn_searching *w, const item *x)
{
    assert_int_equal(w->moves, x->moves);
    for (size_t i = 0; i < x->moves; i++) {
        assert_int_equal(w->move[i].kind, x->move[i].kind);
        assert_int_equal(w->move[i].pos, x->move[i].pos);
        if (w->system->kind[x->move[i].kind].makes_arc)
            assert_int_equal(w->move[i].label, x->move[i].label);
    }
}

static void same_as_plain(const ddn_system *system, ddn_roots roots, int32_t width)
{
    test_toy g;
    ddn_parser parser;
    ddn_search_options o = { .roots = roots, .beam = width };
    toy_open(&g, system);
    ddn_searching *w = test_parser_open(&parser, &g.base, "beam", o);
    for (uint64_t seed = 0; seed < 12; seed++) {
        /* Also longer and shorter ones by turns: slots hold what came before. */
        ddn_sentence sentence = { .n = 1 + (int32_t)(seed * 7 % 20) };
        set_scores(&g, seed, seed % 2 ? 4 : 1000);
        plain p;
        plain_open(&p, w, &g, sentence.n, width);
        while (plain_step(&p, NULL))
            continue;
        test_parse(&parser, &sentence);
        same_moves(w, &p.kept[0]);
        assert_true(w->score == p.kept[0].score);
        check_result(w, &g);
        plain_close(&p);
    }
    ddn_parser_close(&parser);
    test_toy_fini(&g);
}

static void beam_is_as_plain(void **state)
{
    (void)state;
    static const int32_t widths[] = { 1, 2, 3, WIDEST };
    for (int i = 0; ddn_systems[i]; i++)
        for (int k = 0; k < 4; k++)
            same_as_plain(ddn_systems[i], k % 2 ? DDN_ROOTS_MANY : DDN_ROOTS_ONE, widths[k]);
}

/* A sentence long enough that slots catch up by moves instead of being copied. */
static void long_sentences_are_as_short_ones(void **state)
{
    (void)state;
    for (int i = 0; ddn_systems[i]; i++) {
        test_toy g;
        ddn_parser parser;
        ddn_search_options o = { .beam = 6 };
        if (ddn_systems[i]->max_moves(150) > MOST_MOVES)
            continue;
        toy_open(&g, ddn_systems[i]);
        ddn_searching *w = test_parser_open(&parser, &g.base, "beam", o);
        for (uint64_t seed = 0; seed < 2; seed++) {
            ddn_sentence sentence = { .n = 150 };
            set_scores(&g, seed, 100);
            plain p;
            plain_open(&p, w, &g, sentence.n, o.beam);
            while (plain_step(&p, NULL))
                continue;
            test_parse(&parser, &sentence);
            same_moves(w, &p.kept[0]);
            check_result(w, &g);
            plain_close(&p);
        }
        ddn_parser_close(&parser);
        test_toy_fini(&g);
    }
}

/* ---- Greedy, and re-scoring ---- */

static void beam_of_one_is_greedy_when_labels_are_free(void **state)
{
    (void)state;
    for (int i = 0; ddn_systems[i]; i++) {
        test_toy g;
        ddn_parser one, greedy;
        ddn_search_options o = { .beam = 1 };
        toy_open(&g, ddn_systems[i]);
        g.labels_are_free = true;
        test_parser_open(&one, &g.base, "beam", o);
        test_parser_open(&greedy, &g.base, "greedy", o);
        for (uint64_t seed = 0; seed < 100; seed++) {
            ddn_sentence sentence = { .n = 1 + (int32_t)(seed % 30) };
            set_scores(&g, seed, 9);
            test_parse(&one, &sentence);
            test_parse(&greedy, &sentence);
            test_states_equal(&one.searching[0]->state, &greedy.searching[0]->state);
        }
        ddn_parser_close(&one);
        ddn_parser_close(&greedy);
        test_toy_fini(&g);
    }
}

static void replay_gives_the_score(void **state)
{
    (void)state;
    for (int i = 0; ddn_systems[i]; i++) {
        test_toy g;
        ddn_parser parser;
        ddn_replay r;
        ddn_search_options o = { .beam = 4 };
        toy_open(&g, ddn_systems[i]);
        ddn_searching *w = test_parser_open(&parser, &g.base, "beam", o);
        ddn_replay_init(&r, parser.pass);
        for (uint64_t seed = 0; seed < 30; seed++) {
            ddn_sentence sentence = { .n = 1 + (int32_t)(seed % 30) };
            ddn_score total = 0;
            set_scores(&g, seed, 50);
            test_parse(&parser, &sentence);
            assert_int_equal(ddn_replay_start(&r, 0, sentence.n, o.roots, NULL), DODONA_OK);
            for (size_t k = 0; k < w->moves; k++) {
                ddn_score score;
                assert_int_equal(ddn_replay_score(&r, w->move[k], &score, NULL), DODONA_OK);
                total += score;
                ddn_replay_make(&r, w->move[k]);
            }
            assert_true(total == w->score);
            test_states_equal(&r.state, &w->state);
        }
        ddn_replay_fini(&r);
        ddn_parser_close(&parser);
        test_toy_fini(&g);
    }
}

/* ---- Where the goal is lost ---- */

typedef struct walked_goal {
    ddn_goal goal;
    ddn_move move[MOST_MOVES];
    ddn_score score[MOST_MOVES + 1];
} walked_goal;

/* A computation drawn at random, or one that mostly makes the best move. */
static void random_goal(walked_goal *g, const ddn_system *system, const test_toy *toy, int32_t n,
                        ddn_rng *rng, double wisdom)
{
    ddn_state s;
    ddn_move legal[1000];
    int32_t scratch[1000];
    ddn_state_init(&s);
    go(system, &s, n, DDN_ROOTS_ONE, NULL, 0);
    g->goal = (ddn_goal){ .move = g->move, .score = g->score };
    g->score[0] = 0;
    while (!system->final(&s)) {
        int32_t count = ddn_system_moves(system, &s, legal, scratch);
        int32_t k = (int32_t)(ddn_rng_unit(rng) * count);
        bool wise = ddn_rng_unit(rng) < wisdom;
        for (int32_t i = 0; wise && i < count; i++) {
            ddn_score best = move_score(toy, context_of(n), &s, &legal[k], true);
            k = move_score(toy, context_of(n), &s, &legal[i], true) > best ? i : k;
        }
        ddn_move m = legal[k];
        m.label = 0;
        if (!wise && makes_arc(system, &s, m))
            m.label = (uint16_t)(ddn_rng_unit(rng) * LABELS);
        size_t at = g->goal.moves++;
        g->score[at + 1] = g->score[at] + move_score(toy, context_of(n), &s, &m, wise);
        system->apply(&s, m, NULL);
        g->move[at] = m;
    }
    ddn_state_fini(&s);
}

/* By the definitions: 1, with the prefixes; or 0. */
static int plain_contrast(plain *p, const ddn_goal *goal, item *found, size_t *prefix)
{
    ddn_score most = 0;
    int any = 0;
    p->kept[0].goal = true;
    for (size_t steps = 1; plain_step(p, goal); steps++) {
        size_t reached = steps < goal->moves ? steps : goal->moves;
        bool kept = false;
        for (int32_t i = 0; i < p->count; i++)
            kept = kept || p->kept[i].goal;
        ddn_score over = p->kept[0].score - goal->score[reached];
        if (goal->early ? !kept : !p->kept[0].goal && over >= most) {
            any = 1;
            most = over;
            *found = p->kept[0];
            *prefix = reached;
            if (goal->early)
                return 1;
        }
    }
    if (goal->early && !p->kept[0].goal) {
        any = 1;
        *found = p->kept[0];
        *prefix = goal->moves;
    }
    return any;
}

static void contrast_is_as_defined(void **state)
{
    (void)state;
    static walked_goal g;
    static item found;
    int answers[2][2] = { { 0 } }, shorter = 0;
    ddn_rng rng;
    ddn_rng_init(&rng, 5);
    for (int i = 0; ddn_systems[i]; i++) {
        test_toy score;
        ddn_parser parser;
        ddn_search_options o = { .beam = 4 };
        toy_open(&score, ddn_systems[i]);
        ddn_searching *w = test_parser_open(&parser, &score.base, "beam", o);
        for (uint64_t seed = 0; seed < 60; seed++) {
            ddn_sentence sentence = { .n = 1 + (int32_t)(seed % 10) };
            set_scores(&score, seed, seed % 3 ? 30 : 3);
            random_goal(&g, ddn_systems[i], &score, sentence.n, &rng, 0.9);
            g.goal.early = seed % 2;
            plain p;
            plain_open(&p, w, &score, sentence.n, o.beam);
            size_t expected = 0;
            int status = plain_contrast(&p, &g.goal, &found, &expected);
            assert_int_equal(test_parse_goal(&parser, &sentence, &g.goal), status);
            answers[g.goal.early][status]++;
            if (status) {
                assert_int_equal(w->prefix, expected);
                same_moves(w, &found);
                shorter += w->prefix < g.goal.moves;
            }
            plain_close(&p);
        }
        ddn_parser_close(&parser);
        test_toy_fini(&score);
    }
    for (int early = 0; early < 2; early++)
        assert_true(answers[early][0] > 0 && answers[early][1] > 0);
    assert_true(shorter > 0);
}

static void beam_refuses_sizes(void **state)
{
    (void)state;
    static const int sizes[] = { -1, 0, DODONA_MAX_BEAM + 1 };
    test_toy g;
    toy_open(&g, ddn_systems[0]);
    for (int i = 0; i < 3; i++) {
        ddn_parser parser;
        dodona_error err = { 0 };
        ddn_search_options o = { .beam = sizes[i] };
        assert_int_equal(ddn_parser_open(&parser, &g.base, "beam", &o, 1, &err), DODONA_E_ARGUMENT);
        assert_non_null(strstr(err.message, "65536"));
        assert_null(parser.searching[0]);
        ddn_parser_close(&parser);
    }
    test_toy_fini(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_beam_is_exhaustive),
        cmocka_unit_test(beam_is_as_plain),
        cmocka_unit_test(long_sentences_are_as_short_ones),
        cmocka_unit_test(beam_of_one_is_greedy_when_labels_are_free),
        cmocka_unit_test(replay_gives_the_score),
        cmocka_unit_test(contrast_is_as_defined),
        cmocka_unit_test(beam_refuses_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
