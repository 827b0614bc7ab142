/* SPDX-License-Identifier: MIT */
/* Every search with every scorer: toys that have some of the heads, over all systems, through the
 * real searches.  A search takes each model that has the heads it needs, and what it finds is what
 * walking all derivations finds; it refuses the others in words. */
#include "lib/check.h"
#include "lib/naive.h"
#include "lib/parsing.h"
#include "lib/scorers.h"

#include <string.h>

enum { LABELS = 3, MOST = 4, MOST_MOVES = 64, WIDE = 20000, TOY_FEW = TEST_TOYS, ALL_TOYS };

static const char *const more_systems[] = { "attardi:1", "s1<s0+s0<s1+s1<b0" };

/* The listed systems and two more; NULL at the end. */
static const ddn_system *system_at(int i)
{
    int listed = 0;
    while (ddn_systems[listed])
        listed++;
    if (i < listed)
        return ddn_systems[i];
    return i < listed + 2 ? ddn_system_find(more_systems[i - listed]) : NULL;
}

/* Whether there is such a toy: pairs are for the Attardi family. */
static bool open_toy(test_toy *t, int kind, const ddn_system *system)
{
    if (kind == TEST_TOY_PAIRS && !system->rules)
        return false;
    if (kind == TOY_FEW)
        test_toy_init_few(t, system, LABELS);
    else
        test_toy_init(t, (test_toy_kind)kind, system, LABELS);
    return true;
}

/* ---- All derivations ---- */

typedef struct walk {
    const test_toy *toy;
    uint32_t context;
    bool ordered; /* those alone that keep to the order of ddn_joining */
    bool any;
    ddn_score best;
} walk;

/* The score of a move with the best label, which it gets. */
static ddn_score score_move(const walk *w, const ddn_state *s, ddn_move *m)
{
    ddn_score score = test_score_of_move(w->toy, w->context, s, *m);
    if (ddn_system_arc(w->toy->schema.system, s, *m).head < 0)
        return score;
    m->label = test_best_label(w->toy, w->context, s, *m);
    return score + test_score_of_label(w->toy, w->context, s, *m, m->label);
}

static void walk_on(walk *w, ddn_state *s, ddn_score score, uint32_t barred)
{
    const ddn_system *system = w->toy->schema.system;
    ddn_move move[MOST_MOVES];
    int32_t scratch[MOST + 1];
    if (system->final(s)) {
        w->best = !w->any || score > w->best ? score : w->best;
        w->any = true;
        return;
    }
    int32_t count = ddn_system_moves(system, s, move, scratch);
    for (int32_t i = 0; i < count; i++) {
        ddn_undo undo;
        if (barred >> move[i].kind & 1)
            continue;
        ddn_score more = score_move(w, s, &move[i]);
        system->apply(s, move[i], &undo);
        walk_on(w, s, score + more, w->ordered ? system->joining->not_after[move[i].kind] : 0);
        ddn_state_revert(s, &undo);
    }
}

/* The best score of a derivation. */
static ddn_score best_of_all(const test_toy *toy, const ddn_sentence *s, ddn_roots roots,
                             bool ordered)
{
    walk w = { .toy = toy, .context = test_context(s), .ordered = ordered };
    ddn_state state;
    ddn_state_init(&state);
    assert_int_equal(ddn_state_start(&state, s->n, roots, NULL), DODONA_OK);
    walk_on(&w, &state, 0, 0);
    assert_true(w.any);
    ddn_state_fini(&state);
    return w.best;
}

/* The first of the best moves at every step. */
static void best_moves(const test_toy *toy, const ddn_sentence *sentence, ddn_state *s)
{
    const ddn_system *system = toy->schema.system;
    uint32_t context = test_context(sentence);
    while (!system->final(s)) {
        ddn_move move[MOST_MOVES];
        int32_t scratch[MOST + 1], count = ddn_system_moves(system, s, move, scratch), best = 0;
        for (int32_t i = 1; i < count; i++)
            if (test_score_of_move(toy, context, s, move[i]) >
                test_score_of_move(toy, context, s, move[best]))
                best = i;
        if (ddn_system_arc(system, s, move[best]).head >= 0)
            move[best].label = test_best_label(toy, context, s, move[best]);
        system->apply(s, move[best], NULL);
    }
}

/* ---- The table ---- */

/* Whether a search goes with a toy, by what the headers say of both. */
static bool goes_with(const ddn_search *search, const test_toy *toy, int kind)
{
    const ddn_system *system = toy->schema.system;
    if (strcmp(search->name, "exact") == 0)
        return kind != TEST_TOY_MOVES && kind != TOY_FEW && system->decoder;
    if (kind == TEST_TOY_ARCS)
        return false;
    if (strcmp(search->name, "dp") == 0)
        return system->joining && kind == TOY_FEW;
    return true;
}

/* The words of a refusal. */
static void check_refusal(const ddn_search *search, const test_toy *toy, int kind,
                          const char *message)
{
    bool exact = strcmp(search->name, "exact") == 0;
    bool lacks = exact ? kind == TEST_TOY_MOVES || kind == TOY_FEW : kind == TEST_TOY_ARCS;
    const char *says = !lacks ? toy->schema.system->name : exact ? "scores of arcs" : "of moves";
    if (!strstr(message, says))
        fail_msg("'%s' does not say '%s'", message, says);
    if (lacks && (!strstr(message, search->name) || !strstr(message, toy->base.scorer->name)))
        fail_msg("'%s' does not name the search and the model", message);
}

/* What was found is legal and scores what it says. */
static void check_moves(ddn_parser *p, const test_toy *toy, const ddn_sentence *s, ddn_roots roots)
{
    const ddn_searching *w = p->searching[0];
    ddn_state state;
    walk of = { .toy = toy, .context = test_context(s) };
    ddn_score total = 0;
    ddn_state_init(&state);
    assert_int_equal(ddn_state_start(&state, s->n, roots, NULL), DODONA_OK);
    for (size_t i = 0; i < w->moves; i++) {
        ddn_move m = w->move[i];
        assert_true(w->system->legal(&state) >> m.kind & 1);
        total += score_move(&of, &state, &m);
        if (ddn_system_arc(w->system, &state, m).head >= 0)
            assert_int_equal(m.label, w->move[i].label);
        w->system->apply(&state, m, NULL);
    }
    assert_true(w->system->final(&state));
    test_states_equal(&state, &w->state);
    assert_true(total == w->score);
    ddn_state_fini(&state);
}

static void check_found(ddn_parser *p, test_toy *toy, const ddn_sentence *s, ddn_roots roots)
{
    const ddn_searching *w = p->searching[0];
    test_parse(p, s);
    assert_null(w->fallback);
    if (strcmp(w->search->name, "greedy") == 0) {
        ddn_state state;
        ddn_state_init(&state);
        assert_int_equal(ddn_state_start(&state, s->n, roots, NULL), DODONA_OK);
        best_moves(toy, s, &state);
        test_states_equal(&state, &w->state);
        ddn_state_fini(&state);
        return;
    }
    check_moves(p, toy, s, roots);
    assert_true(w->score == best_of_all(toy, s, roots, w->search->ordered));
}

static void check_pair(const ddn_search *search, test_toy *toy, int kind, ddn_roots roots)
{
    ddn_parser p;
    dodona_error err = { 0 };
    ddn_search_options o = { .roots = roots, .beam = WIDE };
    int status = ddn_parser_open(&p, &toy->base, search->name, &o, 1, &err);
    assert_int_equal(status, goes_with(search, toy, kind) ? DODONA_OK : DODONA_E_ARGUMENT);
    if (status < 0) {
        assert_null(p.searching[0]);
        check_refusal(search, toy, kind, err.message);
    }
    for (uint64_t seed = 0; seed < 8 && status >= 0; seed++) {
        ddn_sentence s = { .n = 1 + (int32_t)(seed % MOST) };
        toy->seed = seed;
        toy->range = seed % 3 ? 1000 : 3;
        check_found(&p, toy, &s, roots);
    }
    ddn_parser_close(&p);
}

static void searches_take_what_has_their_heads(void **state)
{
    (void)state;
    const ddn_system *system;
    for (int i = 0; (system = system_at(i)); i++)
        for (int kind = 0; kind < ALL_TOYS; kind++)
            for (int j = 0; ddn_searches[j]; j++) {
                test_toy toy;
                if (!open_toy(&toy, kind, system))
                    continue;
                check_pair(ddn_searches[j], &toy, kind, DDN_ROOTS_ONE);
                check_pair(ddn_searches[j], &toy, kind, DDN_ROOTS_MANY);
                test_toy_fini(&toy);
            }
}

/* ---- What is too long for exact search ---- */

/* A model that scores arcs alone takes the best tree of all, as mst finds it: long and short
 * sentences by turns. */
static void arcs_alone_go_to_mst(void **state)
{
    (void)state;
    test_toy toy;
    ddn_parser p[2];
    ddn_search_options o = { .roots = DDN_ROOTS_ONE, .beam = 8, .exact_limit = 5 };
    test_toy_init(&toy, TEST_TOY_ARCS, ddn_system_find("arc-hybrid"), LABELS);
    const ddn_searching *own = test_parser_open(&p[0], &toy.base, "exact", o);
    o.decoder = "mst";
    o.exact_limit = 50;
    const ddn_searching *mst = test_parser_open(&p[1], &toy.base, "exact", o);
    for (uint64_t seed = 0; seed < 40; seed++) {
        ddn_sentence s = { .n = 3 + (int32_t)(seed * 5 % 8) };
        toy.seed = seed;
        test_parse(&p[0], &s);
        test_parse(&p[1], &s);
        assert_int_equal(own->fallback != NULL, s.n > 5);
        if (s.n <= 5)
            continue;
        assert_string_equal(own->fallback, "mst");
        for (int32_t d = 1; d <= s.n; d++) {
            assert_int_equal(own->state.node[d].head, mst->state.node[d].head);
            assert_int_equal(own->state.node[d].label, mst->state.node[d].label);
        }
    }
    ddn_parser_close(&p[0]);
    ddn_parser_close(&p[1]);
    test_toy_fini(&toy);
}

/* A model that scores moves too leaves it to a beam, with any decoder: long and short sentences by
 * turns. */
static void moves_go_to_a_beam(void **state)
{
    (void)state;
    static const char *const decoders[] = { NULL, "mst", "eisner" };
    for (int d = 0; d < 3; d++)
        for (int kind = TEST_TOY_BOTH; kind <= TEST_TOY_PAIRS; kind++) {
            test_toy toy;
            ddn_parser p[2];
            ddn_search_options o = { .roots = DDN_ROOTS_ONE, .beam = 4, .exact_limit = 5 };
            test_toy_init(&toy, (test_toy_kind)kind, ddn_system_find("alls0s1"), LABELS);
            const ddn_searching *beam = test_parser_open(&p[1], &toy.base, "beam", o);
            o.decoder = decoders[d];
            const ddn_searching *exact = test_parser_open(&p[0], &toy.base, "exact", o);
            for (uint64_t seed = 0; seed < 40; seed++) {
                ddn_sentence s = { .n = 3 + (int32_t)(seed * 5 % 8) };
                toy.seed = seed;
                test_parse(&p[0], &s);
                test_parse(&p[1], &s);
                if (s.n <= 5) {
                    assert_null(exact->fallback);
                    continue;
                }
                assert_string_equal(exact->fallback, "beam");
                assert_true(exact->score == beam->score && exact->moves == beam->moves);
                for (size_t i = 0; i < beam->moves; i++)
                    assert_true(exact->move[i].kind == beam->move[i].kind &&
                                exact->move[i].label == beam->move[i].label);
                test_states_equal(&exact->state, &beam->state);
            }
            ddn_parser_close(&p[0]);
            ddn_parser_close(&p[1]);
            test_toy_fini(&toy);
        }
}

/* A beam that can't be opened is none of exact search's business until it is needed. */
static void the_beam_is_opened_when_it_is_needed(void **state)
{
    (void)state;
    test_toy toy;
    ddn_parser p;
    dodona_error err = { 0 };
    ddn_sentence s = { .n = 5 };
    const ddn_sentence *batch = &s;
    test_toy_init(&toy, TEST_TOY_BOTH, ddn_system_find("arc-eager"), LABELS);
    test_parser_open(&p, &toy.base, "exact", (ddn_search_options){ .beam = 0, .exact_limit = 5 });
    test_parse(&p, &s);
    s.n = 6;
    assert_int_equal(ddn_parser_run(&p, &batch, 1, &err), DODONA_E_ARGUMENT);
    assert_non_null(strstr(err.message, "beam"));
    ddn_parser_close(&p);
    test_toy_fini(&toy);
}

/* A model whose moves score something beside their arcs, but not by pairs of words. */
static void what_no_chart_carries_is_refused(void **state)
{
    (void)state;
    test_toy toy;
    ddn_parser p;
    dodona_error err = { 0 };
    ddn_search_options o = { .roots = DDN_ROOTS_ONE, .beam = 1 };
    test_toy_init(&toy, TEST_TOY_PAIRS, ddn_system_find("all"), LABELS);
    toy.base.heads &= ~(unsigned)DDN_HEAD_PAIRS;
    assert_int_equal(ddn_parser_open(&p, &toy.base, "exact", &o, 1, &err), DODONA_E_ARGUMENT);
    assert_non_null(strstr(err.message, "pairs of words"));
    ddn_parser_close(&p);
    o.decoder = "mst"; /* for which moves count for nothing */
    assert_int_equal(ddn_parser_open(&p, &toy.base, "exact", &o, 1, &err), DODONA_OK);
    ddn_parser_close(&p);
    test_toy_fini(&toy);
}

static void only_exact_search_has_decoders(void **state)
{
    (void)state;
    test_toy toy;
    ddn_search_options o = { .roots = DDN_ROOTS_ONE, .beam = 1, .decoder = "mst" };
    test_toy_init_few(&toy, ddn_system_find("arc-standard"), LABELS);
    for (int i = 0; ddn_searches[i]; i++) {
        ddn_parser p;
        dodona_error err = { 0 };
        if (strcmp(ddn_searches[i]->name, "exact") == 0)
            continue;
        assert_int_equal(ddn_parser_open(&p, &toy.base, ddn_searches[i]->name, &o, 1, &err),
                         DODONA_E_ARGUMENT);
        assert_non_null(strstr(err.message, "decoder"));
        ddn_parser_close(&p);
    }
    test_toy_fini(&toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_take_what_has_their_heads),
        cmocka_unit_test(arcs_alone_go_to_mst),
        cmocka_unit_test(moves_go_to_a_beam),
        cmocka_unit_test(the_beam_is_opened_when_it_is_needed),
        cmocka_unit_test(what_no_chart_carries_is_refused),
        cmocka_unit_test(only_exact_search_has_decoders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
