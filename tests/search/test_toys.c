/* SPDX-License-Identifier: MIT */
/* Toys that try the interfaces where the first systems and scorers do not.
 *
 * A system with several moves of a kind, whose arcs are taken back.  It is arc-eager with two more
 * liberties: sigma is the rest of the stack, b the first buffer word,
 *     SH     sigma    | b beta  =>  sigma b    | beta
 *     LA     sigma s0 | b beta  =>  sigma      | b beta   arc b -> s0, in place of one that it has
 *     RA:k   sigma s0 | b beta  =>  sigma s0 b | beta     arc k -> b, k on the right spine of s0
 *     RE     sigma s0 | beta    =>  sigma      | beta     s0 has a head
 * What is under s0 stands side by side from s0 to b, so an arc from its right spine crosses
 * nothing: the ends are the projective trees, as in arc-eager.  Legality is arc-eager's too.
 *
 * A scorer of arcs alone, which greedy search must refuse and exact search can use. */
#include "core/array.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/naive.h"
#include "search/search.h"

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

/* ---- A scorer whose scores are a known function of the view, p included ---- */

enum { S0, Q0, P, P_RIGHT, SLOTS };

typedef struct hashing {
    ddn_scoring base;
    ddn_layout layout;
    uint64_t seed;
    ddn_view *views; /* of the last call of kinds */
    size_t views_cap;
    int promised, seen; /* views */
} hashing;

/* What the score depends on. */
typedef struct facts {
    int32_t kind, s0, s0_label, s0_right, q0, p, p_label, p_left, p_right;
} facts;

static uint64_t hash(uint64_t seed, const facts *f)
{
    const int32_t all[] = { f->kind, f->s0,      f->s0_label, f->s0_right, f->q0,
                            f->p,    f->p_label, f->p_left,   f->p_right };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        seed = (seed ^ (uint64_t)(all[i] + 2)) * UINT64_C(0x9E3779B97F4A7C15);
        seed ^= seed >> 29;
    }
    return seed;
}

/* Few different scores, so that ties are common. */
static ddn_score score_of(uint64_t h)
{
    return (ddn_score)(h % 7) - 3;
}

static uint16_t label_of(uint64_t h, ddn_arc a)
{
    return (uint16_t)((h / 7 + 31 * (uint64_t)a.head + (uint64_t)a.child) % 90);
}

/* What does not start from p is read from the configuration's first view. */
static facts facts_of_view(const ddn_view *v, int kind)
{
    const ddn_slot *s = v->slot, *first = v[-v->back].slot;
    return (facts){ kind,           first[S0].word, first[S0].label, first[S0].valency[DDN_RIGHT],
                    first[Q0].word, s[P].word,      s[P].label,      s[P].valency[DDN_LEFT],
                    s[P_RIGHT].word };
}

static int hashing_begin(ddn_scoring *g, const ddn_sentence *const *s, int m, dodona_error *err)
{
    (void)g, (void)err;
    assert_int_equal(m, 1);
    assert_true(s[0]->n >= 1);
    return DODONA_OK;
}

static int hashing_reserve(ddn_scoring *g, int views, dodona_error *err)
{
    hashing *w = (hashing *)g;
    w->promised = views;
    if (!ddn_reserve(&w->views, &w->views_cap, (size_t)views, sizeof *w->views))
        return ddn_fail_memory(err);
    return DODONA_OK;
}

static void hashing_kinds(ddn_scoring *g, int which, const ddn_view *views, int m, ddn_score *score)
{
    hashing *w = (hashing *)g;
    assert_int_equal(which, 0);
    assert_in_range(m, 1, w->promised);
    memcpy(w->views, views, (size_t)m * sizeof *views);
    w->seen = m;
    for (int v = 0; v < m; v++)
        for (int k = 0; k < toy.kinds; k++) {
            facts f = facts_of_view(&views[v], k);
            score[v * DDN_MAX_KINDS + k] = score_of(hash(w->seed, &f));
        }
}

static uint16_t hashing_label(ddn_scoring *g, int v, int kind, ddn_arc a, ddn_score *score)
{
    hashing *w = (hashing *)g;
    assert_in_range(v, 0, w->seen - 1);
    facts f = facts_of_view(&w->views[v], kind);
    *score = 0;
    return label_of(hash(w->seed, &f), a);
}

static const ddn_scorer hashing_scorer = {
    .name = "hashing",
    .facets = DDN_FACET_STATES,
    .reserve = hashing_reserve,
    .begin = hashing_begin,
    .kinds = hashing_kinds,
    .label = hashing_label,
};

static void hashing_init(hashing *w)
{
    enum { WANTS = DDN_WANTS_LABEL | DDN_WANTS_VALENCY };
    memset(w, 0, sizeof *w);
    w->base = (ddn_scoring){ .scorer = &hashing_scorer, .layout = &w->layout };
    const ddn_address address[SLOTS] = {
        [S0] = { .link = DDN_LINK_STACK, .from = -1, .wants = WANTS },
        [Q0] = { .link = DDN_LINK_BUFFER, .from = -1 },
        [P] = { .link = DDN_LINK_POS, .from = -1, .wants = WANTS },
        [P_RIGHT] = { .link = DDN_LINK_FAR_RIGHT, .from = P },
    };
    for (int i = 0; i < SLOTS; i++)
        assert_int_equal(ddn_layout_add(&w->layout, address[i]), i);
}

/* ---- Greedy search with both, against a plain loop ---- */

static int32_t naive_label(const ddn_state *s, int32_t w)
{
    return w >= 0 && s->node[w].head >= 0 ? s->node[w].label + 1 : 0;
}

/* The same facts, off the heads.  A move without a position has nothing at p. */
static facts facts_of_state(const ddn_state *s, int kind, int32_t pos)
{
    int32_t child[TEST_MAX_CHILDREN], s0 = s->stack[s->depth - 1];
    facts f = { .kind = kind, .s0 = s0, .s0_label = naive_label(s, s0) };
    f.s0_right = test_children(s, s0, DDN_RIGHT, child);
    f.q0 = s->next <= s->n ? s->next : -1;
    f.p = f.p_right = -1;
    if (pos >= 0) {
        f.p = pos;
        f.p_label = naive_label(s, pos);
        f.p_left = test_children(s, pos, DDN_LEFT, child);
        int32_t right = test_children(s, pos, DDN_RIGHT, child);
        f.p_right = right ? child[right - 1] : -1;
    }
    return f;
}

static ddn_move naive_choice(const ddn_state *s, uint64_t seed)
{
    ddn_move best = { 0 };
    ddn_score top = -100;
    int32_t pos[64];
    for (int kind = 0; kind < toy.kinds; kind++) {
        if (!(legal(s) >> kind & 1))
            continue;
        int32_t count = positions(s, kind, pos);
        for (int32_t i = 0; i < count; i++) {
            facts f = facts_of_state(s, kind, pos[i]);
            uint64_t h = hash(seed, &f);
            if (score_of(h) <= top)
                continue;
            top = score_of(h);
            best = (ddn_move){ .kind = (uint8_t)kind, .pos = pos[i] };
            if (kind == LA)
                best.label = label_of(h, (ddn_arc){ s->next, s->stack[s->depth - 1] });
            if (kind == RA)
                best.label = label_of(h, (ddn_arc){ pos[i], s->next });
        }
    }
    return best;
}

static void greedy_takes_the_best_position(void **state)
{
    (void)state;
    hashing scoring;
    ddn_searching *search;
    ddn_search_options one = { .roots = DDN_ROOTS_ONE };
    ddn_state plain;
    hashing_init(&scoring);
    ddn_state_init(&plain);
    assert_int_equal(ddn_search_open("greedy", &toy, &scoring.base, &one, &search, NULL),
                     DODONA_OK);
    int32_t deep = 0;
    search->keeps_moves = true;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        ddn_sentence sentence = { .n = 1 + (int32_t)(seed % 25) };
        scoring.seed = seed;
        assert_int_equal(search->search->run(search, &sentence, NULL), DODONA_OK);
        assert_int_equal(ddn_state_start(&plain, sentence.n, DDN_ROOTS_ONE, NULL), DODONA_OK);
        for (size_t k = 0; !final(&plain); k++) {
            ddn_move m = naive_choice(&plain, seed);
            assert_true(k < search->moves && search->move[k].kind == m.kind &&
                        search->move[k].pos == m.pos);
            deep += m.kind == RA && m.pos != ddn_state_top(&plain, 0);
            apply(&plain, m, NULL);
        }
        test_states_equal(&search->state, &plain);
        assert_true(search->moves <= (size_t)max_moves(sentence.n));
    }
    assert_true(deep > 1000); /* moves other than arc-eager's */
    search->search->close(search);
    ddn_state_fini(&plain);
    free(scoring.views);
}

/* ---- A scorer of arcs alone ---- */

enum { WORDS = 6 };

typedef struct table {
    ddn_scoring base;
    ddn_score w[(WORDS + 1) * (WORDS + 1)];
} table;

static int table_begin(ddn_scoring *g, const ddn_sentence *const *s, int m, dodona_error *err)
{
    (void)g, (void)s, (void)m, (void)err;
    return DODONA_OK;
}

static void table_arcs(ddn_scoring *g, int which, ddn_score *w, uint16_t *label)
{
    (void)label;
    assert_int_equal(which, 0);
    memcpy(w, ((table *)g)->w, sizeof((table *)g)->w);
}

static const ddn_scorer table_scorer = {
    .name = "table",
    .facets = DDN_FACET_ARCS,
    .begin = table_begin,
    .arcs = table_arcs,
};

static void greedy_refuses_arc_scores(void **state)
{
    (void)state;
    ddn_layout none = { 0 };
    table t = { .base = { .scorer = &table_scorer, .layout = &none } };
    for (int i = 0; ddn_systems[i]; i++) {
        ddn_searching *search = NULL;
        ddn_search_options one = { .roots = DDN_ROOTS_ONE };
        dodona_error err = { 0 };
        int status = ddn_search_open("greedy", ddn_systems[i], &t.base, &one, &search, &err);
        assert_int_equal(status, DODONA_E_ARGUMENT);
        assert_int_equal(err.code, DODONA_E_ARGUMENT);
        assert_null(search);
        assert_non_null(strstr(err.message, "greedy"));
        assert_non_null(strstr(err.message, "moves"));
        assert_non_null(strstr(err.message, "'table'"));
    }
}

/* Exact search in the plainest way: every projective tree. */
typedef struct exact {
    ddn_score w[(WORDS + 1) * (WORDS + 1)], top;
    int32_t n, head[WORDS + 1], trees;
} exact;

static ddn_score tree_score(const ddn_score *w, const int32_t *head, int32_t n)
{
    ddn_score sum = 0;
    for (int32_t d = 1; d <= n; d++)
        sum += w[head[d] * (n + 1) + d];
    return sum;
}

static void try_tree(void *ctx, const int32_t *head)
{
    exact *e = ctx;
    ddn_score score = tree_score(e->w, head, e->n);
    if (e->trees++ == 0 || score > e->top) {
        e->top = score;
        memcpy(e->head, head, sizeof e->head);
    }
}

static void exact_search(exact *e, ddn_scoring *g, int32_t n)
{
    ddn_sentence sentence = { .n = n };
    const ddn_sentence *batch[] = { &sentence };
    *e = (exact){ .n = n };
    assert_true(g->scorer->facets & DDN_FACET_ARCS);
    assert_int_equal(g->scorer->begin(g, batch, 1, NULL), DODONA_OK);
    g->scorer->arcs(g, 0, e->w, NULL);
    test_each_tree(n, TEST_PROJECTIVE | TEST_ONE_ROOT, try_tree, e);
}

/* The other way to the best score: the best of all ends of a system that reaches the same trees. */
typedef struct ends {
    const ddn_score *w;
    ddn_score top;
    bool any;
} ends;

static void try_end(void *ctx, ddn_state *s, int32_t id, const test_step *step, int32_t m)
{
    (void)id, (void)step;
    ends *e = ctx;
    int32_t head[WORDS + 1];
    if (m > 0)
        return;
    test_heads(s, head);
    ddn_score score = tree_score(e->w, head, s->n);
    if (!e->any || score > e->top)
        e->top = score;
    e->any = true;
}

static void exact_search_uses_arc_scores(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_rng_init(&r, 41);
    for (int round = 0; round < 20; round++) {
        ddn_layout none = { 0 };
        table t = { .base = { .scorer = &table_scorer, .layout = &none } };
        exact e;
        for (size_t i = 0; i < sizeof t.w / sizeof *t.w; i++)
            t.w[i] = (ddn_score)ddn_rng_below(&r, 1000);
        exact_search(&e, &t.base, WORDS);
        assert_int_equal(e.trees, 728);
        ends best = { .w = t.w };
        test_each_configuration(ddn_system_find("arc-hybrid"), WORDS, DDN_ROOTS_ONE, NULL, try_end,
                                &best);
        assert_true(best.any && best.top == e.top);
        int32_t planted[WORDS + 1]; /* a tree that no other can match is found */
        test_random_tree(&r, WORDS, TEST_PROJECTIVE | TEST_ONE_ROOT, planted);
        for (int32_t d = 1; d <= WORDS; d++)
            t.w[planted[d] * (WORDS + 1) + d] += 1000 * WORDS;
        exact_search(&e, &t.base, WORDS);
        assert_memory_equal(e.head, planted, sizeof planted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(toy_reaches_the_projective_trees),
        cmocka_unit_test(toy_has_an_oracle),
        cmocka_unit_test(greedy_takes_the_best_position),
        cmocka_unit_test(greedy_refuses_arc_scores),
        cmocka_unit_test(exact_search_uses_arc_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
