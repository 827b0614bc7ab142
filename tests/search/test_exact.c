/* SPDX-License-Identifier: MIT */
/* Exact search against all computations that there are.
 *
 * Weights are random.  The search sums tables of arcs and of pairs of words in a chart; the
 * reference scores every configuration from its view, as greedy and beam search do, and knows no
 * tables. */
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/parsing.h"
#include "lib/perceptrons.h"
#include "model/builtin.h"
#include "search/candidates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABELS = TEST_RELATIONS, MOST_CONFIGURATIONS = 2000000 };

static const char all_pairs[] = "[arcs]\nh.w+m.w\nm.t+h.t\nd(h,m)+h.next.w\nm.prev.w+h.prev.t\n"
                                "[moves]\ns0.w+q0.w\ns1.w+s0.w\ns1.w+q0.w\ns2.w+s0.w\ns2.w+s1.w\n"
                                "s2.w+q0.w\nq1.t+s0.next.w\nq0.t\ns2.prev.t\nd(s1,s0)+s1.t\ns0.t\n"
                                "d(s0,q0)\ns1.next.w+q2.t\n";
static const char arcs_alone[] = "[arcs]\nh.w+m.w\nm.t+h.t\nd(h,m)+h.next.w\nm.prev.w+h.prev.t\n";

typedef struct scene {
    const ddn_system *system;
    test_perceptron of;
    ddn_model *model; /* that learns */
    ddn_pass *pass;   /* of it, over the sentence */
    ddn_sentence s;
    ddn_rng rng;
} scene;

static dodona_text text(const char *t)
{
    return (dodona_text){ t, strlen(t) };
}

/* Words are drawn from few, so that weights are shared between places. */
static void begin(scene *c, const char *system, const char *templates, int32_t n, uint64_t seed)
{
    static const char *const form[] = { "a", "b", "c", "d", "e" }, *const tag[] = { "X", "Y" };
    const ddn_sentence *batch = &c->s;
    memset(c, 0, sizeof *c);
    ddn_rng_init(&c->rng, seed);
    c->system = ddn_system_find(system);
    test_perceptron_init(&c->of, c->system, templates);
    c->model = c->of.learning;
    ddn_sentence_init(&c->s);
    for (int32_t i = 0; i < n; i++) {
        dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = text(form[ddn_rng_below(&c->rng, 5)]),
                                         [DDN_UPOS] = text(tag[ddn_rng_below(&c->rng, 2)]) };
        assert_int_equal(ddn_sentence_word(&c->s, col, NULL), 0);
    }
    assert_int_equal(c->model->scorer->pass(c->model, DDN_ONE_VIEW, &c->pass, NULL), 0);
    assert_int_equal(c->model->scorer->encode(c->pass, &batch, 1, NULL), 0);
}

static void end(scene *c)
{
    ddn_pass_end(c->pass);
    test_perceptron_fini(&c->of);
    ddn_sentence_fini(&c->s);
}

static void randomize(scene *c, ddn_roots roots)
{
    const ddn_sentence *s = &c->s;
    test_randomize(&c->of, &c->rng, &s, 1, 30, roots);
}

/* ---- All computations ---- */

/* Scores all moves of a configuration. */
static void score_all(ddn_candidates *c, ddn_batch *b, const ddn_state *s)
{
    ddn_candidates_list(c, s);
    b->count = 0;
    assert_int_equal(ddn_candidates_view(c, s, NULL), 0);
    assert_int_equal(ddn_candidates_ask(c, b, NULL), 0);
    assert_int_equal(
        c->pass->model->scorer->moves(c->pass, b->query, (int)b->count, b->score, NULL), 0);
    ddn_candidates_told(c, b);
}

typedef struct walk {
    ddn_candidates candidates;
    ddn_batch batch;
    ddn_score *best; /* [id] from that configuration to the end */
    int32_t last;
} walk;

static void visit(void *ctx, ddn_state *s, int32_t id, const test_step *step, int32_t m)
{
    walk *w = ctx;
    ddn_candidates *c = &w->candidates;
    assert_true(id < MOST_CONFIGURATIONS);
    w->best[id] = 0;
    w->last = id;
    if (m == 0)
        return;
    score_all(c, &w->batch, s);
    assert_int_equal(c->count, m);
    for (int32_t i = 0; i < m; i++) {
        ddn_score label, total;
        assert_int_equal(c->move[i].kind, step[i].move.kind);
        ddn_candidates_label(c, s, i, &label);
        total = ddn_candidates_score_of(c, i) + label + w->best[step[i].to];
        if (i == 0 || total > w->best[id])
            w->best[id] = total;
    }
}

static ddn_score best_of_all(scene *c, ddn_roots roots)
{
    walk w = { .best = malloc(MOST_CONFIGURATIONS * sizeof *w.best) };
    assert_non_null(w.best);
    ddn_candidates_init(&w.candidates, c->pass);
    assert_int_equal(ddn_candidates_begin(&w.candidates, 0, c->s.n, NULL), 0);
    test_each_configuration(c->system, c->s.n, roots, NULL, visit, &w);
    ddn_score top = w.best[w.last]; /* the start comes last */
    ddn_candidates_fini(&w.candidates);
    ddn_batch_fini(&w.batch);
    free(w.best);
    return top;
}

static ddn_searching *open_exact(scene *c, ddn_parser *p, ddn_search_options o)
{
    return test_parser_open(p, c->model, "exact", o);
}

static void compare(const char *system, const char *templates, int32_t n, ddn_roots roots,
                    uint64_t seed)
{
    scene c;
    ddn_parser p;
    begin(&c, system, templates, n, seed);
    randomize(&c, roots);
    ddn_searching *w = open_exact(&c, &p, (ddn_search_options){ .roots = roots, .beam = 1 });
    test_parse(&p, &c.s);
    assert_null(w->fallback);
    assert_false(w->by_tree);
    ddn_score want = best_of_all(&c, roots);
    assert_true(w->score == want);
    assert_true(c.system->final(&w->state));
    assert_true(test_replayed(&p, &c.s, roots, w->move, w->moves) == want);
    ddn_parser_close(&p);
    end(&c);
}

static void arcs_are_decoded_exactly(void **state)
{
    (void)state;
    static const char *const system[] = { "arc-standard", "arc-eager",        "arc-hybrid",
                                          "lr-spine",     "attardi",          "alldeg1",
                                          "all",          "alls0s1",          "attardi:1",
                                          "attardi:2",    "s1<s0+s0<s1+s1<b0" };
    for (size_t i = 0; i < sizeof system / sizeof *system; i++)
        for (int32_t n = 1; n <= 4; n++)
            for (uint64_t seed = 0; seed < 30; seed++) {
                compare(system[i], arcs_alone, n, DDN_ROOTS_ONE, seed);
                compare(system[i], arcs_alone, n, DDN_ROOTS_MANY, seed);
            }
}

static void moves_are_decoded_exactly(void **state)
{
    (void)state;
    static const char *const system[] = { "alls0s1", "all",       "alldeg1",
                                          "attardi", "attardi:1", "s1<s0+s0<s1+s1<b0" };
    for (size_t i = 0; i < sizeof system / sizeof *system; i++) {
        for (int32_t n = 1; n <= 4; n++)
            for (uint64_t seed = 0; seed < 10; seed++) {
                compare(system[i], all_pairs, n, DDN_ROOTS_ONE, seed);
                compare(system[i], all_pairs, n, DDN_ROOTS_MANY, seed);
            }
        for (uint64_t seed = 0; seed < 8; seed++)
            compare(system[i], all_pairs, 5, seed % 2 ? DDN_ROOTS_ONE : DDN_ROOTS_MANY, seed);
    }
}

/* The sets that are built in can be carried, and by six words there is much to choose from. */
static void built_in_templates_are_decoded_exactly(void **state)
{
    (void)state;
    compare("alls0s1", all_pairs, 6, DDN_ROOTS_ONE, 1);
    compare("alls0s1", ddn_builtin_find("exact"), 5, DDN_ROOTS_ONE, 1);
    compare("all", ddn_builtin_find("exact"), 4, DDN_ROOTS_ONE, 2);
    compare("arc-standard", ddn_builtin_find("arcs"), 5, DDN_ROOTS_ONE, 3);
    for (uint64_t seed = 0; seed < 30; seed++) {
        compare("attardi", all_pairs, 6, DDN_ROOTS_ONE, seed);
        compare("all", all_pairs, 6, DDN_ROOTS_ONE, seed);
    }
}

/* ---- What is given ---- */

enum { GIVEN_WORDS = 4, TREES = 5 * 5 * 5 * 5 }; /* trees by number, those that are none included */

static int32_t number_of(const int32_t *head, int32_t n)
{
    int32_t number = 0;
    for (int32_t d = 1; d <= n; d++)
        number = number * (n + 1) + head[d];
    return number;
}

/* The best computation of every tree.  What is given says which labels words may have: label[d], or
 * with uses, where something is given of d, one of the first two. */
typedef struct table {
    ddn_candidates candidates;
    ddn_batch batch;
    const int32_t *head, *label;
    bool uses;
    ddn_score *best; /* [id][TREES] from that configuration to the end */
    int32_t last;
} table;

static ddn_score label_of(const table *w, const ddn_state *s, int32_t i)
{
    const ddn_candidates *c = &w->candidates;
    ddn_arc arc = ddn_system_arc(c->system, s, c->move[i]);
    ddn_score score, all[LABELS], top = -INFINITY;
    ddn_candidates_label(c, s, i, &score);
    if (arc.head < 0)
        return score;
    int32_t given = w->label[arc.child];
    if (given == DDN_LABEL_OPEN && !(w->uses && w->head[arc.child] != DDN_HEAD_OPEN))
        return score;
    if (given < 0 && !w->uses)
        return score;
    ddn_arc_query q = ddn_candidates_arc(c, i, arc);
    c->pass->model->scorer->labels(c->pass, &q, all);
    for (int32_t l = 0; l < LABELS; l++) {
        bool fits = given >= 0 ? given == l : l == 1 || (l == 0 && arc.head > 0);
        if (fits && all[l] > top)
            top = all[l];
    }
    return top;
}

static void fill_row(void *ctx, ddn_state *s, int32_t id, const test_step *step, int32_t m)
{
    table *w = ctx;
    ddn_candidates *c = &w->candidates;
    ddn_score *row = w->best + (size_t)id * TREES;
    assert_true(id < MOST_CONFIGURATIONS / TREES);
    w->last = id;
    for (int32_t t = 0; t < TREES; t++)
        row[t] = -INFINITY;
    if (m == 0) {
        int32_t head[GIVEN_WORDS + 1];
        for (int32_t d = 1; d <= s->n; d++)
            head[d] = ddn_system_head(c->system, s, d);
        row[number_of(head, s->n)] = 0;
        return;
    }
    score_all(c, &w->batch, s);
    for (int32_t i = 0; i < m; i++) {
        const ddn_score *to = w->best + (size_t)step[i].to * TREES;
        ddn_score more = ddn_candidates_score_of(c, i) + label_of(w, s, i);
        for (int32_t t = 0; t < TREES; t++)
            row[t] = to[t] + more > row[t] ? to[t] + more : row[t];
    }
}

static void fill_table(table *w, scene *c, ddn_roots roots)
{
    w->best = malloc(MOST_CONFIGURATIONS * sizeof *w->best);
    assert_non_null(w->best);
    ddn_candidates_init(&w->candidates, c->pass);
    assert_int_equal(ddn_candidates_begin(&w->candidates, 0, c->s.n, NULL), 0);
    test_each_configuration(c->system, c->s.n, roots, NULL, fill_row, w);
    ddn_candidates_fini(&w->candidates);
    ddn_batch_fini(&w->batch);
}

/* The best of all trees with the given heads; -INFINITY: there is none. */
static ddn_score best_with(const table *w, const int32_t *head, int32_t n)
{
    const ddn_score *row = w->best + (size_t)w->last * TREES;
    ddn_score top = -INFINITY;
    for (int32_t t = 0; t < TREES; t++) {
        bool fits = true;
        for (int32_t d = n, rest = t; d >= 1; d--, rest /= n + 1)
            fits &= head[d] >= 0 ? rest % (n + 1) == head[d]
                                 : head[d] == DDN_HEAD_OPEN || rest % (n + 1) > 0;
        top = fits && row[t] > top ? row[t] : top;
    }
    return top;
}

/* Searches with the heads and labels of the table. */
static void search_given(scene *c, ddn_parser *p, const table *t, ddn_roots roots)
{
    ddn_searching *w = p->searching[0];
    int32_t n = c->s.n, word;
    ddn_score want = best_with(t, t->head, n);
    int status = ddn_constraint_begin(w->constraint, t->head, t->label, n, &word, NULL);
    if (want == -INFINITY) {
        assert_int_equal(status, DODONA_E_INPUT);
        assert_in_range(word, 1, n);
        return;
    }
    assert_int_equal(status, DODONA_OK);
    test_parse(p, &c->s);
    assert_null(w->fallback);
    assert_true(w->score == want);
    assert_true(test_replayed(p, &c->s, roots, w->move, w->moves) == want);
    for (int32_t d = 1; d <= n; d++) {
        assert_true(t->head[d] < 0 || ddn_system_head(c->system, &w->state, d) == t->head[d]);
        if (t->label[d] >= 0 && w->state.node[d].head >= 0)
            assert_int_equal(w->state.node[d].label, t->label[d]);
    }
}

typedef struct given_trees {
    scene *c;
    ddn_parser *p;
    table *t;
    ddn_roots roots;
} given_trees;

/* All parts of a tree, also of one that the system does not reach. */
static void search_parts(void *ctx, const int32_t *head)
{
    given_trees *g = ctx;
    int32_t part[GIVEN_WORDS + 1];
    g->t->head = part;
    for (uint32_t set = 0; set < 1u << g->c->s.n; set++) {
        for (int32_t d = 1; d <= g->c->s.n; d++)
            part[d] = set >> (d - 1) & 1 ? head[d] : DDN_HEAD_OPEN;
        search_given(g->c, g->p, g->t, g->roots);
    }
}

static void search_all_parts(const char *system, const char *templates, int32_t n, ddn_roots roots,
                             uint64_t seed)
{
    scene c;
    ddn_parser p;
    int32_t label[GIVEN_WORDS + 1] = { 0 };
    ddn_search_options o = { .roots = roots, .beam = 1, .keep = true };
    begin(&c, system, templates, n, seed);
    randomize(&c, roots);
    for (int32_t d = 1; d <= n; d++)
        label[d] = (int32_t)ddn_rng_below(&c.rng, LABELS + 2) - 2;
    table t = { .label = label };
    fill_table(&t, &c, roots);
    open_exact(&c, &p, o);
    given_trees g = { &c, &p, &t, roots };
    test_each_tree(n, TEST_ALL, search_parts, &g);
    ddn_parser_close(&p);
    free(t.best);
    end(&c);
}

static void parts_of_all_trees_are_kept_exactly(void **state)
{
    (void)state;
    static const char *const system[] = { "arc-standard", "arc-eager",        "arc-hybrid",
                                          "lr-spine",     "attardi",          "alldeg1",
                                          "all",          "alls0s1",          "attardi:1",
                                          "attardi:2",    "s1<s0+s0<s1+s1<b0" };
    for (size_t i = 0; i < sizeof system / sizeof *system; i++)
        for (int roots = DDN_ROOTS_ONE; roots <= DDN_ROOTS_MANY; roots++)
            for (int32_t n = 1; n <= GIVEN_WORDS; n++) {
                search_all_parts(system[i], arcs_alone, n, (ddn_roots)roots, (uint64_t)n);
                if (i >= 4)
                    search_all_parts(system[i], all_pairs, n, (ddn_roots)roots, (uint64_t)n);
            }
}

/* Words of which something is given get no label that is not allowed to them. */
static void labels_of_what_is_given_are_chosen_exactly(void **state)
{
    (void)state;
    static const uint8_t uses[LABELS] = { DDN_LABEL_OF_WORD, 3, 0 };
    for (uint64_t seed = 0; seed < 100; seed++) {
        scene c;
        ddn_parser p;
        int32_t label[GIVEN_WORDS + 1], head[GIVEN_WORDS + 1], n = GIVEN_WORDS;
        ddn_search_options o = { .roots = DDN_ROOTS_ONE, .beam = 1, .keep = true };
        begin(&c, seed % 2 ? "all" : "arc-hybrid", seed % 2 ? all_pairs : arcs_alone, n, seed);
        randomize(&c, DDN_ROOTS_ONE);
        test_random_tree(&c.rng, n, TEST_ONE_ROOT, head);
        for (int32_t d = 1; d <= n; d++) {
            head[d] = ddn_rng_below(&c.rng, 2) ? DDN_HEAD_OPEN : head[d];
            if (ddn_rng_below(&c.rng, 6) == 0)
                head[d] = DDN_HEAD_WORD;
            label[d] = (int32_t)ddn_rng_below(&c.rng, LABELS + 1) - 2;
        }
        table t = { .head = head, .label = label, .uses = true };
        fill_table(&t, &c, DDN_ROOTS_ONE);
        ddn_searching *w = open_exact(&c, &p, o);
        w->constraint->uses = uses;
        w->constraint->labels = LABELS;
        search_given(&c, &p, &t, DDN_ROOTS_ONE);
        ddn_parser_close(&p);
        free(t.best);
        end(&c);
    }
}

/* ---- What is too long ---- */

static void a_beam_takes_what_is_too_long(void **state)
{
    (void)state;
    scene c;
    ddn_parser p[2];
    ddn_search_options o = { .roots = DDN_ROOTS_ONE, .beam = 3, .exact_limit = 8 };
    for (int32_t n = 7; n <= 10; n++) {
        begin(&c, "alls0s1", all_pairs, n, 5);
        randomize(&c, DDN_ROOTS_ONE);
        ddn_searching *exact = open_exact(&c, &p[0], o);
        ddn_searching *beam = test_parser_open(&p[1], c.model, "beam", o);
        test_parse(&p[0], &c.s);
        test_parse(&p[1], &c.s);
        if (n > 8) {
            assert_string_equal(exact->fallback, "beam");
            assert_int_equal(exact->moves, beam->moves);
            for (size_t i = 0; i < beam->moves; i++)
                assert_int_equal(exact->move[i].kind, beam->move[i].kind);
            assert_true(exact->score == beam->score);
        } else {
            assert_null(exact->fallback);
            assert_true(exact->score >= beam->score);
        }
        for (int32_t i = 1; i <= n; i++)
            assert_true(exact->state.node[i].head >= 0);
        ddn_parser_close(&p[0]);
        ddn_parser_close(&p[1]);
        end(&c);
    }
}

static void what_is_too_long_keeps_what_is_given(void **state)
{
    (void)state;
    scene c;
    ddn_parser p;
    ddn_search_options o = { .roots = DDN_ROOTS_ONE, .beam = 3, .exact_limit = 8, .keep = true };
    for (int32_t n = 8; n <= 10; n++) {
        int32_t head[TEST_MAX_WORDS + 1], label[TEST_MAX_WORDS + 1], word;
        begin(&c, "alls0s1", all_pairs, n, 6);
        randomize(&c, DDN_ROOTS_ONE);
        test_random_tree(&c.rng, n, TEST_ONE_ROOT | TEST_PROJECTIVE, head);
        for (int32_t d = 1; d <= n; d++)
            label[d] = 1;
        ddn_searching *w = open_exact(&c, &p, o);
        assert_int_equal(ddn_constraint_begin(w->constraint, head, label, n, &word, NULL), 0);
        test_parse(&p, &c.s);
        assert_true(n > 8 ? w->fallback && strcmp(w->fallback, "beam") == 0 : !w->fallback);
        for (int32_t d = 1; d <= n; d++)
            assert_true(w->state.node[d].head == head[d] && w->state.node[d].label == 1);
        ddn_parser_close(&p);
        end(&c);
    }
}

static void limits_are_those_of_the_manual(void **state)
{
    (void)state;
    assert_int_equal(ddn_exact_limit(ddn_system_find("alls0s1"), NULL, false), 100);
    assert_int_equal(ddn_exact_limit(ddn_system_find("alls0s1"), NULL, true), 100);
    assert_int_equal(ddn_exact_limit(ddn_system_find("arc-standard"), NULL, false), 100);
    assert_int_equal(ddn_exact_limit(ddn_system_find("all"), NULL, false), 40);
    assert_int_equal(ddn_exact_limit(ddn_system_find("all"), NULL, true), 25);
    assert_int_equal(ddn_exact_limit(ddn_system_find("all"), "mst", true), 100);
    assert_int_equal(ddn_exact_limit(ddn_system_find("covington"), "all", true), 25);
    assert_int_equal(ddn_exact_limit(ddn_system_find("covington"), "attardi", false), 40);
}

/* ---- Refusals ---- */

static void refused(const char *system, const char *templates, const char *words)
{
    scene c;
    ddn_searching *w = NULL;
    dodona_error err = { 0 };
    ddn_search_options o = { .roots = DDN_ROOTS_ONE, .beam = 1 };
    begin(&c, system, templates, 2, 1);
    assert_int_equal(ddn_search_open("exact", c.pass, &o, &w, &err), DODONA_E_ARGUMENT);
    assert_null(w);
    if (!strstr(err.message, words))
        fail_msg("'%s' does not say '%s'", err.message, words);
    end(&c);
}

static void what_no_chart_carries_is_refused_by_line(void **state)
{
    (void)state;
    refused("alls0s1", "[arcs]\nh.w+m.w\n[moves]\ns0.w\ns0.lc.t\n", "line 5");
    refused("alls0s1", "[moves]\ns0.l\n[arcs]\nh.w\n", "line 2");
    refused("alls0s1", "[moves]\ns0.w+s1.w+q0.t\n[arcs]\nh.w\n", "line 2");
    refused("alls0s1", "[moves]\ns0.w+q0.t\ns3.w\n[arcs]\nh.w\n", "line 3");
    refused("alls0s1", "[moves]\nd(s0,s1)+q0.t\n[arcs]\nh.w\n", "line 2");
    refused("alls0s1", "[moves]\nl0.t\n[arcs]\nh.w\n", "line 2");
    refused("arc-standard", "[moves]\ns0.w\n[arcs]\nh.w\n", "line 2");
    refused("alls0s1", "s0.w\n", "[arcs]");
    refused("covington", arcs_alone, "covington");
    refused("attardi:3", arcs_alone, "attardi:3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arcs_are_decoded_exactly),
        cmocka_unit_test(moves_are_decoded_exactly),
        cmocka_unit_test(built_in_templates_are_decoded_exactly),
        cmocka_unit_test(parts_of_all_trees_are_kept_exactly),
        cmocka_unit_test(labels_of_what_is_given_are_chosen_exactly),
        cmocka_unit_test(a_beam_takes_what_is_too_long),
        cmocka_unit_test(what_is_too_long_keeps_what_is_given),
        cmocka_unit_test(limits_are_those_of_the_manual),
        cmocka_unit_test(what_no_chart_carries_is_refused_by_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
