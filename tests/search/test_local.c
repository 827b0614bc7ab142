/* SPDX-License-Identifier: MIT */
/* A model that learns move by move gives each legal move of a configuration a probability. Searches
 * that compare sums of scores then find the sequence with the highest product of probabilities: the
 * beam among all there are, and the dynamic program among those in the order of the system. */
#include "lib/check.h"
#include "lib/parsing.h"
#include "lib/scorers.h"

#include <math.h>

enum { LABELS = 2, MOST_MOVES = 64, WIDE = 4000, MOST_WORDS = 4 };

typedef struct all {
    const test_toy *toy;
    uint32_t context;
    double best;
    int64_t count;
} all;

/* Tries all sequences of moves from s on, whose logarithm of a probability so far is score. */
static void walk(all *a, ddn_state *s, double score)
{
    const ddn_system *system = a->toy->schema.system;
    ddn_move move[MOST_MOVES];
    int32_t scratch[MOST_MOVES];
    double sum = 0;
    if (system->final(s)) {
        a->best = a->count++ ? fmax(a->best, score) : score;
        return;
    }
    int32_t count = ddn_system_moves(system, s, move, scratch);
    for (int32_t i = 0; i < count; i++)
        sum += exp(test_score_of_move(a->toy, a->context, s, move[i]));
    for (int32_t i = 0; i < count; i++) {
        ddn_undo undo;
        ddn_move m = move[i];
        double more = test_score_of_move(a->toy, a->context, s, m) - log(sum);
        if (ddn_system_arc(system, s, m).head >= 0) {
            m.label = test_best_label(a->toy, a->context, s, m);
            more += test_score_of_label(a->toy, a->context, s, m, m.label);
        }
        system->apply(s, m, &undo);
        walk(a, s, score + more);
        ddn_state_revert(s, &undo);
    }
}

static void check_beam(const ddn_system *system)
{
    test_toy toy;
    ddn_scorer local;
    ddn_parser parser;
    ddn_state s;
    test_toy_init(&toy, TEST_TOY_MOVES, system, LABELS);
    local = *toy.base.scorer;
    local.local = true;
    toy.base.scorer = &local;
    toy.range = 5;
    ddn_state_init(&s);
    ddn_searching *w = test_parser_open(
        &parser, &toy.base, "beam", (ddn_search_options){ .roots = DDN_ROOTS_ONE, .beam = WIDE });
    for (int i = 0; i < 20; i++) {
        ddn_sentence sentence = { .n = 1 + i % MOST_WORDS };
        const ddn_sentence *batch[] = { &sentence };
        toy.seed = (uint64_t)i;
        all a = { .toy = &toy, .context = test_context(&sentence) };
        assert_int_equal(ddn_state_start(&s, sentence.n, DDN_ROOTS_ONE, NULL), 0);
        walk(&a, &s, 0);
        assert_in_range(a.count, 1, WIDE);
        assert_int_equal(ddn_parser_run(&parser, batch, 1, NULL), 0);
        if (fabs(w->score - a.best) > 1e-4)
            fail_msg("%s, %d words: %f, not %f", system->name, sentence.n, w->score, a.best);
    }
    ddn_parser_close(&parser);
    ddn_state_fini(&s);
    test_toy_fini(&toy);
}

static void wide_beams_find_the_most_probable(void **state)
{
    (void)state;
    for (int i = 0; ddn_systems[i]; i++)
        check_beam(ddn_systems[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_beams_find_the_most_probable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
