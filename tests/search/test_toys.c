/* SPDX-License-Identifier: MIT */
/* A toy system that tries the interfaces where the others do not.
 *
 * It has several moves of a kind, whose arcs are taken back.  It is arc-eager with two more
 * liberties: sigma is the rest of the stack, b the first buffer word,
 *     SH     sigma    | b beta  =>  sigma b    | beta
 *     LA     sigma s0 | b beta  =>  sigma      | b beta   arc b -> s0, in place of one that it has
 *     RA:k   sigma s0 | b beta  =>  sigma s0 b | beta     arc k -> b, k on the right spine of s0
 *     RE     sigma s0 | beta    =>  sigma      | beta     s0 has a head
 * What is under s0 stands side by side from s0 to b, so an arc from its right spine crosses
 * nothing: the ends are the projective trees, as in arc-eager.  Legality is arc-eager's too. */
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/naive.h"
#include "lib/parsing.h"
#include "lib/scorers.h"

#include <stdlib.h>
#include <string.h>

enum { LA, RA, RE, SH };

static uint32_t legal(const ddn_state *s)
{
    int32_t s0 = ddn_state_top(s, 0);
    if (s->next > s->n)
        return 0;
    bool last = s->next == s->n && s->roots != DDN_ROOTS_PLAIN;
    uint32_t mask = last ? 0 : 1u << SH;
    if (!last || s->headless == 0)
        mask |= 1u << RA;
    if (s0 > 0)
        mask |= 1u << LA;
    if (s0 > 0 && s->node[s0].head >= (s->roots == DDN_ROOTS_ONE))
        mask |= 1u << RE;
    return mask;
}

static int32_t positions(const ddn_state *s, int kind, int32_t *pos)
{
    int32_t count = 0;
    pos[count++] = kind == RA ? ddn_state_top(s, 0) : -1;
    if (kind == RA)
        for (int32_t k = s->node[pos[0]].far[DDN_RIGHT]; k; k = s->node[k].far[DDN_RIGHT])
            pos[count++] = k;
    return count;
}

static ddn_arc arc(const ddn_state *s, int kind, int32_t pos)
{
    return kind == LA ? (ddn_arc){ s->next, ddn_state_top(s, 0) } : (ddn_arc){ pos, s->next };
}

static void apply(ddn_state *s, ddn_move m, ddn_undo *undo)
{
    ddn_undo_begin(s, undo);
    if (m.kind == LA || m.kind == RA) {
        ddn_arc a = arc(s, m.kind, m.pos);
        ddn_state_attach(s, a.head, a.child, m.label, undo);
    }
    if (m.kind == LA || m.kind == RE)
        ddn_state_remove(s, 0, undo);
    else
        ddn_state_push(s);
}

static bool final(const ddn_state *s)
{
    return s->next > s->n;
}

static int64_t max_moves(int32_t n)
{
    return 2 * (int64_t)n;
}

static const ddn_system toy = {
    .name = "toy",
    .projective = true,
    .kinds = 4,
    .kind = { [LA] = { .name = "left-arc", .makes_arc = true },
              [RA] = { .name = "right-arc", .makes_arc = true },
              [RE] = { .name = "reduce" },
              [SH] = { .name = "shift" } },
    .legal = legal,
    .positions = positions,
    .arc = arc,
    .apply = apply,
    .final = final,
    .max_moves = max_moves,
};

/* ---- The toy system, walked ---- */

enum { N = 5, TREES = 6 * 6 * 6 * 6 * 6 };

typedef struct walked {
    ddn_state before;
    bool reached[TREES];
    int32_t trees, taken_back, several;
} walked;

static void end_of_walk(walked *w, const ddn_state *s)
{
    int32_t head[N + 1], number = 0;
    test_heads(s, head);
    assert_true(test_is_tree(head, s->n, s->roots == DDN_ROOTS_ONE));
    assert_true(test_is_projective(head, s->n));
    for (int32_t d = 1; d <= s->n; d++)
        number = number * (s->n + 1) + head[d];
    w->trees += !w->reached[number];
    w->reached[number] = true;
}

static void inspect(void *ctx, ddn_state *s, int32_t id, const test_step *step, int32_t m)
{
    (void)id;
    walked *w = ctx;
    int32_t right_arcs = 0;
    test_state_sound(s);
    if (final(s))
        end_of_walk(w, s);
    else
        assert_true(m > 0);
    assert_int_equal(ddn_state_copy(&w->before, s, NULL), DODONA_OK);
    for (int32_t i = 0; i < m; i++) {
        ddn_undo undo;
        w->taken_back += step[i].move.kind == LA && s->node[ddn_state_top(s, 0)].head >= 0;
        right_arcs += step[i].move.kind == RA;
        apply(s, step[i].move, &undo);
        test_state_sound(s);
        ddn_state_revert(s, &undo);
        test_states_equal(s, &w->before);
    }
    w->several += right_arcs > 1;
}

static void toy_reaches_the_projective_trees(void **state)
{
    (void)state;
    static const int32_t trees[][N] = {
        [DDN_ROOTS_ONE] = { 1, 2, 7, 30, 143 }, [DDN_ROOTS_MANY] = { 1, 3, 12, 55, 273 }
    };
    for (int roots = DDN_ROOTS_ONE; roots <= DDN_ROOTS_MANY; roots++)
        for (int32_t n = 1; n <= N; n++) {
            walked w = { .trees = 0 };
            ddn_rng labels;
            ddn_rng_init(&labels, 3);
            ddn_state_init(&w.before);
            test_each_configuration(&toy, n, (ddn_roots)roots, &labels, inspect, &w);
            assert_int_equal(w.trees, trees[roots][n - 1]);
            if (n > 3)
                assert_true(w.taken_back > 0 && w.several > 0);
            ddn_state_fini(&w.before);
        }
}

static void toy_has_an_oracle(void **state)
{
    (void)state;
    for (int32_t n = 1; n <= 4; n++) {
        test_search_agrees(&toy, n, DDN_ROOTS_ONE);
        test_search_agrees(&toy, n, DDN_ROOTS_PLAIN);
    }
}

/* ---- Greedy search, against a plain loop ---- */

static ddn_move naive_choice(const test_toy *t, uint32_t context, const ddn_state *s)
{
    ddn_move best = { 0 };
    ddn_score top = -100;
    int32_t pos[64];
    for (int kind = 0; kind < toy.kinds; kind++) {
        if (!(legal(s) >> kind & 1))
            continue;
        int32_t count = positions(s, kind, pos);
        for (int32_t i = 0; i < count; i++) {
            ddn_move m = { .kind = (uint8_t)kind, .pos = pos[i] };
            ddn_score score = test_score_of_move(t, context, s, m);
            if (score <= top)
                continue;
            top = score;
            best = m;
        }
    }
    if (best.kind == LA || best.kind == RA)
        best.label = test_best_label(t, context, s, best);
    return best;
}

static void greedy_takes_the_best_position(void **state)
{
    (void)state;
    enum { LABELS = 90 };
    test_toy t;
    ddn_parser p;
    ddn_state plain;
    test_toy_init(&t, TEST_TOY_MOVES, &toy, LABELS);
    t.range = 7; /* few different scores, so that ties are common */
    ddn_state_init(&plain);
    ddn_searching *search =
        test_parser_open(&p, &t.base, "greedy", (ddn_search_options){ .roots = DDN_ROOTS_ONE });
    int32_t deep = 0;
    search->keeps_moves = true;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        ddn_sentence sentence = { .n = 1 + (int32_t)(seed % 25) };
        t.seed = seed;
        test_parse(&p, &sentence);
        assert_int_equal(ddn_state_start(&plain, sentence.n, DDN_ROOTS_ONE, NULL), DODONA_OK);
        for (size_t k = 0; !final(&plain); k++) {
            ddn_move m = naive_choice(&t, test_context(&sentence), &plain);
            assert_true(k < search->moves && search->move[k].kind == m.kind &&
                        search->move[k].pos == m.pos);
            deep += m.kind == RA && m.pos != ddn_state_top(&plain, 0);
            apply(&plain, m, NULL);
        }
        test_states_equal(&search->state, &plain);
        assert_true(search->moves <= (size_t)max_moves(sentence.n));
    }
    assert_true(deep > 1000); /* moves other than arc-eager's */
    ddn_parser_close(&p);
    ddn_state_fini(&plain);
    test_toy_fini(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(toy_reaches_the_projective_trees),
        cmocka_unit_test(toy_has_an_oracle),
        cmocka_unit_test(greedy_takes_the_best_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
