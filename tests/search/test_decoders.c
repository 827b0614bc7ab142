/* SPDX-License-Identifier: MIT */
/* Exact search with every decoder over every system, against all trees that the decoder reaches,
 * listed one by one.  Scores are those of toys, among them one of arcs alone.  What is given is
 * kept. */
#include "chart/decode.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/naive.h"
#include "lib/parsing.h"
#include "lib/reach.h"
#include "lib/scorers.h"

#include <math.h>
#include <string.h>

enum { LABELS = 3, MOST = 4, MOST_TREES = 625 };

/* ---- All trees of a decoder ---- */

typedef struct trees {
    int32_t n, count;
    int32_t head[MOST_TREES][MOST + 1];
} trees;

static void add_tree(void *ctx, const int32_t *head)
{
    trees *t = ctx;
    assert_true(t->count < MOST_TREES);
    memcpy(t->head[t->count++], head, (size_t)(t->n + 1) * sizeof *head);
}

static void find_trees(trees *t, const ddn_decoder *decoder, int32_t n, bool one_root)
{
    static test_reach reach;
    const char *name[DDN_ATTARDI_RULES];
    int rules = 0;
    *t = (trees){ .n = n };
    for (int r = 0; r < DDN_ATTARDI_RULES; r++)
        if (decoder->rules >> r & 1)
            name[rules++] = ddn_attardi_rules[r].name;
    if (rules == 0) {
        unsigned class = strcmp(decoder->name, "mst") == 0 ? TEST_ALL : TEST_PROJECTIVE;
        test_each_tree(n, class + (one_root ? TEST_ONE_ROOT : 0), add_tree, t);
        return;
    }
    test_reach_walk(&reach, n, name, rules, one_root);
    for (int32_t i = 0; i < reach.count; i++) {
        int32_t head[MOST + 1];
        for (int32_t d = 0; d <= n; d++)
            head[d] = reach.head[i][d];
        add_tree(t, head);
    }
}

/* ---- What is given ---- */

static const uint8_t uses[LABELS] = { DDN_LABEL_OF_WORD, DDN_LABEL_OF_WORD | DDN_LABEL_OF_ROOT, 0 };

typedef struct given {
    int32_t head[MOST + 1], label[MOST + 1];
} given;

static bool fits(const trees *t, int32_t i, const given *g)
{
    for (int32_t d = 1; d <= t->n; d++) {
        int32_t head = t->head[i][d];
        if (g->head[d] == DDN_HEAD_WORD ? head == 0 : g->head[d] >= 0 && g->head[d] != head)
            return false;
    }
    return true;
}

/* The best label that an arc may have: the given one; where something is given of the word, one of
 * its sort; else any. */
static int32_t label_of(const test_toy *toy, uint32_t context, const given *g, ddn_arc arc)
{
    uint8_t use = arc.head ? DDN_LABEL_OF_WORD : DDN_LABEL_OF_ROOT;
    int32_t best = -1, label = g->label[arc.child];
    bool is_open = label == DDN_LABEL_OPEN && g->head[arc.child] == DDN_HEAD_OPEN;
    for (int32_t l = 0; l < LABELS; l++) {
        bool may = label >= 0 ? l == label : is_open || (uses[l] & use);
        if (may && (best < 0 || test_score_of_arc_label(toy, context, arc, l) >
                                    test_score_of_arc_label(toy, context, arc, best)))
            best = l;
    }
    return best;
}

static ddn_score score_of(const test_toy *toy, uint32_t context, const given *g, int32_t n,
                          const int32_t *head)
{
    ddn_score sum = 0;
    for (int32_t d = 1; d <= n; d++) {
        ddn_arc arc = { head[d], d };
        sum += test_score_of_arc(toy, context, arc) +
               test_score_of_arc_label(toy, context, arc, label_of(toy, context, g, arc));
    }
    return sum;
}

/* The best score of a tree that fits; -INFINITY: there is none. */
static ddn_score best_of(const trees *t, const test_toy *toy, uint32_t context, const given *g)
{
    ddn_score best = -INFINITY;
    for (int32_t i = 0; i < t->count; i++)
        if (fits(t, i, g)) {
            ddn_score score = score_of(toy, context, g, t->n, t->head[i]);
            best = score > best ? score : best;
        }
    return best;
}

/* Heads and labels of a random tree, most of them taken away; now and then none of any tree. */
static void draw_given(given *g, ddn_rng *r, int32_t n)
{
    uint64_t open = ddn_rng_below(r, 4);
    test_random_tree(r, n, TEST_ALL, g->head);
    for (int32_t d = 1; d <= n; d++) {
        if (ddn_rng_below(r, 4) < open)
            g->head[d] = ddn_rng_below(r, 4) ? DDN_HEAD_OPEN : DDN_HEAD_WORD;
        g->label[d] = (int32_t)ddn_rng_below(r, 5) - 2;
        if (g->label[d] == 2)
            g->label[d] = DDN_LABEL_OPEN;
    }
}

static void nothing_given(given *g)
{
    for (int32_t d = 0; d <= MOST; d++)
        g->head[d] = g->label[d] = DDN_HEAD_OPEN;
}

/* ---- Against the search ---- */

typedef struct pairing {
    ddn_parser *parser;
    const test_toy *toy;
    const trees *trees;
    ddn_roots roots;
    bool by_tree;
} pairing;

/* The tree of the search is one of the decoder's, has what is given and the best labels, and no
 * other has a higher score. */
static void check_tree(const pairing *p, const ddn_sentence *s, const given *g, ddn_score best)
{
    const ddn_searching *w = p->parser->searching[0];
    uint32_t context = test_context(s);
    int32_t head[MOST + 1], i = 0;
    assert_null(w->fallback);
    assert_int_equal(w->by_tree, p->by_tree);
    assert_true(w->score == best);
    head[0] = -1;
    for (int32_t d = 1; d <= s->n; d++) {
        head[d] = w->state.node[d].head;
        assert_int_equal(w->state.node[d].label,
                         label_of(p->toy, context, g, (ddn_arc){ head[d], d }));
    }
    assert_true(score_of(p->toy, context, g, s->n, head) == best);
    while (i < p->trees->count &&
           memcmp(p->trees->head[i] + 1, head + 1, (size_t)s->n * sizeof *head) != 0)
        i++;
    assert_true(i < p->trees->count && fits(p->trees, i, g));
    test_state_sound(&w->state);
    assert_int_equal(w->moves > 0, !p->by_tree);
}

static void check_given(const pairing *p, const ddn_sentence *s, const given *g)
{
    ddn_searching *w = p->parser->searching[0];
    ddn_score best = best_of(p->trees, p->toy, test_context(s), g);
    dodona_error err = { 0 };
    int32_t word;
    if (w->constraint) {
        w->constraint->uses = uses;
        w->constraint->labels = LABELS;
        int status = ddn_constraint_begin(w->constraint, g->head, g->label, s->n, &word, &err);
        assert_int_equal(status, best == -INFINITY ? DODONA_E_INPUT : DODONA_OK);
        if (status < 0) {
            assert_true(err.message[0]);
            return;
        }
    }
    test_parse(p->parser, s);
    check_tree(p, s, g, best);
}

static void check_pair(test_toy *toy, const char *name, ddn_roots roots, ddn_rng *r)
{
    static trees t;
    const ddn_system *system = toy->schema.system;
    ddn_decoder decoder;
    ddn_parser plain, keeping;
    ddn_search_options o = { .roots = roots, .decoder = name };
    bool by_tree = !system->decoder || strcmp(system->decoder, name) != 0;
    assert_int_equal(ddn_decoder_find(name, &decoder, NULL), DODONA_OK);
    test_parser_open(&plain, &toy->base, "exact", o);
    o.keep = true;
    test_parser_open(&keeping, &toy->base, "exact", o);
    for (int32_t n = 1; n <= MOST; n++) {
        find_trees(&t, &decoder, n, roots == DDN_ROOTS_ONE);
        for (int i = 0; i < 6; i++) {
            ddn_sentence s = { .n = n };
            given g;
            toy->seed = ddn_rng_next(r);
            toy->range = i % 2 ? 1000 : 3;
            nothing_given(&g);
            check_given(&(pairing){ &plain, toy, &t, roots, by_tree }, &s, &g);
            draw_given(&g, r, n);
            check_given(&(pairing){ &keeping, toy, &t, roots, by_tree }, &s, &g);
        }
    }
    ddn_parser_close(&plain);
    ddn_parser_close(&keeping);
}

/* Pairs of words do not count where there are no moves. */
static void over_every_system(const char *name, ddn_rng *r)
{
    for (int i = 0; ddn_systems[i]; i++)
        for (int kind = TEST_TOY_ARCS; kind <= TEST_TOY_PAIRS; kind++) {
            const char *own = ddn_systems[i]->decoder;
            test_toy toy;
            if (kind == TEST_TOY_PAIRS && own && strcmp(name, own) == 0)
                continue;
            test_toy_init(&toy, (test_toy_kind)kind, ddn_systems[i], LABELS);
            check_pair(&toy, name, DDN_ROOTS_ONE, r);
            check_pair(&toy, name, DDN_ROOTS_MANY, r);
            test_toy_fini(&toy);
        }
}

static void every_decoder_over_every_system(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_rng_init(&r, 41);
    for (int k = 0; ddn_decoders[k]; k++)
        over_every_system(ddn_decoders[k]->name, &r);
    over_every_system("attardi:1", &r);
    over_every_system("s1<s0,s0<s1,s1<b0", &r);
}

/* A beam over arc-standard takes over from mst, and keeps what is given if it can. */
static void what_is_too_long_keeps_what_is_given(void **state)
{
    (void)state;
    enum { N = 6 };
    static const int32_t open[N + 1] = { -1, -1, -1, -1, -1, -1, -1 };
    static const int32_t plain[N + 1] = { -1, 2, 0, -1, 3, -1, -1 };
    static const int32_t crossing[N + 1] = { -1, 3, 4, -1, -1, -1, -1 };
    test_toy toy;
    ddn_parser p;
    ddn_sentence s = { .n = N };
    const ddn_sentence *batch = &s;
    dodona_error err = { 0 };
    int32_t word;
    test_toy_init(&toy, TEST_TOY_BOTH, ddn_system_find("arc-standard"), LABELS);
    ddn_search_options o = { .beam = 4, .decoder = "mst", .exact_limit = N - 1, .keep = true };
    ddn_searching *w = test_parser_open(&p, &toy.base, "exact", o);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(ddn_constraint_begin(w->constraint, plain, open, N, &word, NULL), 0);
        test_parse(&p, &s);
        assert_string_equal(w->fallback, "beam");
        for (int32_t d = 1; d <= N; d++)
            assert_true(plain[d] < 0 || w->state.node[d].head == plain[d]);
        assert_int_equal(ddn_constraint_begin(w->constraint, crossing, open, N, &word, NULL), 0);
        assert_int_equal(ddn_parser_run(&p, &batch, 1, &err), DODONA_E_INPUT);
        assert_non_null(strstr(err.message, "no projective tree"));
    }
    ddn_parser_close(&p);
    test_toy_fini(&toy);
}

/* There is no telling which parts of trees such a decoder can keep. */
static void rules_of_no_system_keep_nothing(void **state)
{
    (void)state;
    test_toy toy;
    ddn_parser p;
    dodona_error err = { 0 };
    ddn_search_options o = { .beam = 4, .decoder = "s1<s0,s0<s1,s2<s0" };
    test_toy_init(&toy, TEST_TOY_ARCS, ddn_system_find("covington"), LABELS);
    assert_int_equal(ddn_parser_open(&p, &toy.base, "exact", &o, 1, &err), DODONA_OK);
    ddn_parser_close(&p);
    o.keep = true;
    assert_int_equal(ddn_parser_open(&p, &toy.base, "exact", &o, 1, &err), DODONA_E_ARGUMENT);
    assert_non_null(strstr(err.message, "given heads"));
    assert_null(p.searching[0]);
    ddn_parser_close(&p);
    test_toy_fini(&toy);
}

/* In training, all that differs from the goal's tree beats it: a head, or a label alone. */
static void a_goal_is_a_tree_with_labels(void **state)
{
    (void)state;
    enum { N = 4 };
    test_toy toy;
    ddn_parser p;
    ddn_sentence s = { .n = N };
    int32_t head[N + 1] = { -1 };
    uint16_t label[N + 1] = { 0 };
    ddn_goal goal = { .head = head, .label = label };
    test_toy_init(&toy, TEST_TOY_ARCS, ddn_system_find("arc-standard"), LABELS);
    const ddn_searching *w =
        test_parser_open(&p, &toy.base, "exact", (ddn_search_options){ .decoder = "mst" });
    for (toy.seed = 1; toy.seed <= 20; toy.seed++) {
        test_parse(&p, &s);
        for (int32_t d = 1; d <= N; d++) {
            head[d] = w->state.node[d].head;
            label[d] = w->state.node[d].label;
        }
        assert_false(test_parse_goal(&p, &s, &goal));
        for (int32_t d = 1; d <= N; d++) {
            label[d]++;
            assert_true(test_parse_goal(&p, &s, &goal));
            label[d]--;
            head[d]++;
            assert_true(test_parse_goal(&p, &s, &goal));
            head[d]--;
        }
    }
    ddn_parser_close(&p);
    test_toy_fini(&toy);
}

/* Left arcs alone leave the root without a child; arcs from s2 need three words. */
static void rules_may_build_no_tree(void **state)
{
    (void)state;
    static const char *const rules[] = { "s1<s0", "s2<s0", "s2<s0,s1<s0" };
    test_toy toy;
    ddn_parser p;
    test_toy_init(&toy, TEST_TOY_ARCS, ddn_system_find("arc-standard"), LABELS);
    for (int i = 0; i < 3; i++) {
        ddn_sentence s = { .n = 3 };
        const ddn_sentence *batch = &s;
        dodona_error err = { 0 };
        test_parser_open(&p, &toy.base, "exact", (ddn_search_options){ .decoder = rules[i] });
        assert_int_equal(ddn_parser_run(&p, &batch, 1, &err), DODONA_E_ARGUMENT);
        assert_non_null(strstr(err.message, rules[i]));
        ddn_parser_close(&p);
    }
    test_toy_fini(&toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_decoder_over_every_system),
        cmocka_unit_test(what_is_too_long_keeps_what_is_given),
        cmocka_unit_test(rules_of_no_system_keep_nothing),
        cmocka_unit_test(a_goal_is_a_tree_with_labels),
        cmocka_unit_test(rules_may_build_no_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
