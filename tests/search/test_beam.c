/* SPDX-License-Identifier: MIT */
/* The beam against two plain ways to do the same: all computations there are, where the beam is
 * wider than they are many, and a beam that keeps lists of moves and knows no states, slots or
 * heaps.  Scores are a function of the configuration, read off its heads here and off views there.
 */
#include "core/array.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/naive.h"
#include "search/replay.h"
#include "search/search.h"

#include <stdlib.h>
#include <string.h>

enum { LABELS = 3, MOST_MOVES = 1000, MOST_COMPUTATIONS = 4000 };

/* ---- Scores ---- */

/* What a score depends on. */
typedef struct facts {
    int32_t kind, label, s0, s1, q0, left, pos, child, child_label, depth;
} facts;

typedef struct rules {
    uint64_t seed;
    uint64_t range;       /* of scores: small ones make ties */
    bool labels_are_free; /* their scores are 0, and label 0 the best */
} rules;

static ddn_score score_of(const rules *r, facts f)
{
    const int32_t all[] = { f.kind, f.label, f.s0,    f.s1,          f.q0,
                            f.left, f.pos,   f.child, f.child_label, f.depth };
    uint64_t h = r->seed;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        h = (h ^ (uint64_t)(all[i] + 2)) * UINT64_C(0x9E3779B97F4A7C15);
        h ^= h >> 29;
    }
    return (ddn_score)(h % r->range) - (ddn_score)(r->range / 2);
}

static ddn_score label_score_of(const rules *r, facts f, int32_t label)
{
    f.label = label;
    return r->labels_are_free ? 0 : score_of(r, f);
}

static uint16_t best_label_of(const rules *r, facts f)
{
    int32_t best = 0;
    for (int32_t l = 1; l < LABELS; l++)
        if (label_score_of(r, f, l) > label_score_of(r, f, best))
            best = l;
    return (uint16_t)best;
}

/* ---- A scorer that reads them off views ---- */

enum { S0, S1, Q0, L0, P, S0_CHILD, SLOTS };

typedef struct scorer {
    ddn_scoring base;
    ddn_layout layout;
    rules rules;
    int kinds;
    ddn_view *view; /* of the last call of kinds */
    size_t view_cap;
    int promised, seen;
} scorer;

/* A view with a position has that alone; the rest is in the view that it points back to. */
static facts facts_of_view(const ddn_view *v, int kind)
{
    const ddn_view *base = v - v->back;
    const ddn_slot *s = base->slot, *child = &s[S0_CHILD];
    return (facts){ .kind = kind,
                    .label = -1,
                    .s0 = s[S0].word,
                    .s1 = s[S1].word,
                    .q0 = s[Q0].word,
                    .left = s[L0].word,
                    .pos = v->back ? v->slot[P].word : -1,
                    .child = child->word,
                    .child_label = child->label,
                    .depth = base->depth };
}

static int reserve(ddn_scoring *g, int views, dodona_error *err)
{
    scorer *w = (scorer *)g;
    w->promised = views > w->promised ? views : w->promised;
    return ddn_reserve(&w->view, &w->view_cap, (size_t)views, sizeof *w->view)
               ? DODONA_OK
               : ddn_fail_memory(err);
}

static int begin(ddn_scoring *g, const ddn_sentence *const *s, int m, dodona_error *err)
{
    (void)g, (void)s, (void)m, (void)err;
    return DODONA_OK;
}

static void kinds(ddn_scoring *g, int which, const ddn_view *views, int m, ddn_score *score)
{
    scorer *w = (scorer *)g;
    (void)which;
    assert_in_range(m, 1, w->promised);
    memcpy(w->view, views, (size_t)m * sizeof *views);
    w->seen = m;
    for (int v = 0; v < m; v++)
        for (int k = 0; k < w->kinds; k++)
            score[v * DDN_MAX_KINDS + k] = score_of(&w->rules, facts_of_view(&views[v], k));
}

static ddn_score label_score(ddn_scoring *g, int v, int kind, uint16_t label)
{
    scorer *w = (scorer *)g;
    assert_in_range(v, 0, w->seen - 1);
    return label_score_of(&w->rules, facts_of_view(&w->view[v], kind), label);
}

static uint16_t label(ddn_scoring *g, int v, int kind, ddn_arc arc, ddn_score *score)
{
    scorer *w = (scorer *)g;
    (void)arc;
    assert_in_range(v, 0, w->seen - 1);
    uint16_t best = best_label_of(&w->rules, facts_of_view(&w->view[v], kind));
    *score = label_score(g, v, kind, best);
    return best;
}

static const ddn_scorer table = {
    .name = "facts",
    .facets = DDN_FACET_STATES,
    .reserve = reserve,
    .begin = begin,
    .kinds = kinds,
    .label = label,
    .label_score = label_score,
};

static void scorer_init(scorer *w, const ddn_system *system)
{
    memset(w, 0, sizeof *w);
    w->base = (ddn_scoring){ .scorer = &table, .layout = &w->layout };
    w->kinds = system->kinds;
    const ddn_address address[SLOTS] = {
        [S0] = { .link = DDN_LINK_STACK, .from = -1 },
        [S1] = { .link = DDN_LINK_STACK, .index = 1, .from = -1 },
        [Q0] = { .link = DDN_LINK_BUFFER, .from = -1 },
        [L0] = { .link = DDN_LINK_FOCUS, .from = -1 },
        [P] = { .link = DDN_LINK_POS, .from = -1 },
        [S0_CHILD] = { .link = DDN_LINK_FAR_LEFT, .from = S0, .wants = DDN_WANTS_LABEL },
    };
    for (int i = 0; i < SLOTS; i++)
        assert_int_equal(ddn_layout_add(&w->layout, address[i]), i);
}

/* ---- The same off heads and stack ---- */

static facts facts_of_state(const ddn_state *s, ddn_move m)
{
    int32_t child[TEST_MAX_CHILDREN];
    facts f = { .kind = m.kind, .label = -1, .s0 = -1, .s1 = -1, .depth = s->depth };
    if (s->depth > 0)
        f.s0 = s->stack[s->depth - 1];
    if (s->depth > 1)
        f.s1 = s->stack[s->depth - 2];
    f.q0 = s->next <= s->n ? s->next : -1;
    f.left = s->left > 0 ? s->left : -1;
    f.pos = m.pos;
    int32_t count = f.s0 >= 0 ? test_children(s, f.s0, DDN_LEFT, child) : 0;
    f.child = count ? child[count - 1] : -1;
    f.child_label = count ? s->node[f.child].label + 1 : 0;
    return f;
}

/* Kinds that make arcs may make none in some configurations. */
static bool makes_arc(const ddn_system *system, const ddn_state *s, ddn_move m)
{
    return system->kind[m.kind].makes_arc && system->arc(s, m.kind, m.pos).head >= 0;
}

/* The score of a move, whose label may be open: then the best one is set. */
static ddn_score move_score(const rules *r, const ddn_system *system, const ddn_state *s,
                            ddn_move *m, bool open)
{
    facts f = facts_of_state(s, *m);
    if (!makes_arc(system, s, *m)) {
        m->label = 0;
        return score_of(r, f);
    }
    if (open)
        m->label = best_label_of(r, f);
    return score_of(r, f) + label_score_of(r, f, m->label);
}

static void go(const ddn_system *system, ddn_state *s, int32_t n, ddn_roots roots,
               const ddn_move *move, size_t moves)
{
    assert_int_equal(ddn_state_start(s, n, roots, NULL), DODONA_OK);
    for (size_t i = 0; i < moves; i++)
        system->apply(s, move[i], NULL);
}

/* What was said of a computation: its moves are legal, and they give the state and the score. */
static void check_result(const ddn_searching *w, const rules *r)
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
        total += move_score(r, system, &s, &m, false);
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
    const rules *rules;
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
        ddn_score more = move_score(a->rules, a->system, s, &legal[i], true);
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
            scorer g;
            ddn_state s;
            ddn_searching *w;
            ddn_search_options o = { .roots = (ddn_roots)roots, .beam = MOST_COMPUTATIONS };
            int32_t largest = 0;
            scorer_init(&g, ddn_systems[i]);
            ddn_state_init(&s);
            assert_int_equal(ddn_search_open("beam", ddn_systems[i], &g.base, &o, &w, NULL), 0);
            for (uint64_t seed = 0; seed < 40; seed++) {
                ddn_sentence sentence = { .n = 1 + (int32_t)(seed % 5) };
                g.rules = (rules){ .seed = seed, .range = seed % 2 ? 5 : 1000 };
                all a = { .system = ddn_systems[i], .rules = &g.rules };
                go(ddn_systems[i], &s, sentence.n, o.roots, NULL, 0);
                walk(&a, &s, 0);
                if (a.count > MOST_COMPUTATIONS)
                    continue;
                largest = sentence.n > largest ? sentence.n : largest;
                assert_int_equal(w->search->run(w, &sentence, NULL), DODONA_OK);
                check_result(w, &g.rules);
                assert_true(w->score == a.best);
            }
            assert_true(largest >= 4);
            w->search->close(w);
            ddn_state_fini(&s);
            free(g.view);
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
    const rules *rules;
    ddn_roots roots;
    int32_t n, width;
    ddn_state state;
    item *kept, *made; /* by falling score */
    int32_t count, made_count;
} plain;

enum { WIDEST = 9, MOST_MADE = WIDEST * 130 };

static void plain_open(plain *p, const ddn_searching *w, const rules *r, int32_t n, int32_t width)
{
    *p = (plain){ .system = w->system, .rules = r, .roots = w->roots, .n = n, .width = width };
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
        x.score += move_score(p->rules, p->system, &p->state, &m, true);
        x.move[x.moves++] = m;
        bool same = from->goal && wanted.kind == m.kind && wanted.pos == m.pos;
        bool arc = makes_arc(p->system, &p->state, m);
        x.goal = same && (!arc || wanted.label == m.label);
        plain_insert(p, &x);
        if (same && !x.goal) {
            x = *from;
            x.score += move_score(p->rules, p->system, &p->state, &wanted, false);
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
    scorer g;
    ddn_searching *w;
    ddn_search_options o = { .roots = roots, .beam = width };
    scorer_init(&g, system);
    assert_int_equal(ddn_search_open("beam", system, &g.base, &o, &w, NULL), 0);
    for (uint64_t seed = 0; seed < 12; seed++) {
        /* Also longer and shorter ones by turns: slots hold what came before. */
        ddn_sentence sentence = { .n = 1 + (int32_t)(seed * 7 % 20) };
        g.rules = (rules){ .seed = seed, .range = seed % 2 ? 4 : 1000 };
        plain p;
        plain_open(&p, w, &g.rules, sentence.n, width);
        while (plain_step(&p, NULL))
            continue;
        assert_int_equal(w->search->run(w, &sentence, NULL), DODONA_OK);
        same_moves(w, &p.kept[0]);
        assert_true(w->score == p.kept[0].score);
        check_result(w, &g.rules);
        plain_close(&p);
    }
    w->search->close(w);
    free(g.view);
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
        scorer g;
        ddn_searching *w;
        ddn_search_options o = { .beam = 6 };
        if (ddn_systems[i]->max_moves(150) > MOST_MOVES)
            continue;
        scorer_init(&g, ddn_systems[i]);
        assert_int_equal(ddn_search_open("beam", ddn_systems[i], &g.base, &o, &w, NULL), 0);
        for (uint64_t seed = 0; seed < 2; seed++) {
            ddn_sentence sentence = { .n = 150 };
            g.rules = (rules){ .seed = seed, .range = 100 };
            plain p;
            plain_open(&p, w, &g.rules, sentence.n, o.beam);
            while (plain_step(&p, NULL))
                continue;
            assert_int_equal(w->search->run(w, &sentence, NULL), DODONA_OK);
            same_moves(w, &p.kept[0]);
            check_result(w, &g.rules);
            plain_close(&p);
        }
        w->search->close(w);
        free(g.view);
    }
}

/* ---- Greedy, and re-scoring ---- */

static void beam_of_one_is_greedy_when_labels_are_free(void **state)
{
    (void)state;
    for (int i = 0; ddn_systems[i]; i++) {
        scorer g;
        ddn_searching *one, *greedy;
        ddn_search_options o = { .beam = 1 };
        scorer_init(&g, ddn_systems[i]);
        assert_int_equal(ddn_search_open("beam", ddn_systems[i], &g.base, &o, &one, NULL), 0);
        assert_int_equal(ddn_search_open("greedy", ddn_systems[i], &g.base, &o, &greedy, NULL), 0);
        for (uint64_t seed = 0; seed < 100; seed++) {
            ddn_sentence sentence = { .n = 1 + (int32_t)(seed % 30) };
            g.rules = (rules){ .seed = seed, .range = 9, .labels_are_free = true };
            assert_int_equal(one->search->run(one, &sentence, NULL), DODONA_OK);
            assert_int_equal(greedy->search->run(greedy, &sentence, NULL), DODONA_OK);
            test_states_equal(&one->state, &greedy->state);
        }
        one->search->close(one);
        greedy->search->close(greedy);
        free(g.view);
    }
}

static void replay_gives_the_score(void **state)
{
    (void)state;
    for (int i = 0; ddn_systems[i]; i++) {
        scorer g;
        ddn_searching *w;
        ddn_replay r;
        ddn_search_options o = { .beam = 4 };
        scorer_init(&g, ddn_systems[i]);
        assert_int_equal(ddn_search_open("beam", ddn_systems[i], &g.base, &o, &w, NULL), 0);
        ddn_replay_init(&r, ddn_systems[i], &g.base);
        for (uint64_t seed = 0; seed < 30; seed++) {
            ddn_sentence sentence = { .n = 1 + (int32_t)(seed % 30) };
            ddn_score total = 0;
            g.rules = (rules){ .seed = seed, .range = 50 };
            assert_int_equal(w->search->run(w, &sentence, NULL), DODONA_OK);
            assert_int_equal(ddn_replay_start(&r, &sentence, o.roots, NULL), DODONA_OK);
            for (size_t k = 0; k < w->moves; k++) {
                total += ddn_replay_score(&r, w->move[k]);
                ddn_replay_make(&r, w->move[k]);
            }
            assert_true(total == w->score);
            test_states_equal(&r.state, &w->state);
        }
        ddn_replay_fini(&r);
        w->search->close(w);
        free(g.view);
    }
}

/* ---- Where the goal is lost ---- */

typedef struct walked_goal {
    ddn_goal goal;
    ddn_move move[MOST_MOVES];
    ddn_score score[MOST_MOVES + 1];
} walked_goal;

/* A computation drawn at random, or one that mostly makes the best move. */
static void random_goal(walked_goal *g, const ddn_system *system, const rules *r, int32_t n,
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
            ddn_score best = move_score(r, system, &s, &legal[k], true);
            k = move_score(r, system, &s, &legal[i], true) > best ? i : k;
        }
        ddn_move m = legal[k];
        m.label = 0;
        if (!wise && makes_arc(system, &s, m))
            m.label = (uint16_t)(ddn_rng_unit(rng) * LABELS);
        size_t at = g->goal.moves++;
        g->score[at + 1] = g->score[at] + move_score(r, system, &s, &m, wise);
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
        scorer score;
        ddn_searching *w;
        ddn_search_options o = { .beam = 4 };
        scorer_init(&score, ddn_systems[i]);
        assert_int_equal(ddn_search_open("beam", ddn_systems[i], &score.base, &o, &w, NULL), 0);
        for (uint64_t seed = 0; seed < 60; seed++) {
            ddn_sentence sentence = { .n = 1 + (int32_t)(seed % 10) };
            score.rules = (rules){ .seed = seed, .range = seed % 3 ? 30 : 3 };
            random_goal(&g, ddn_systems[i], &score.rules, sentence.n, &rng, 0.9);
            g.goal.early = seed % 2;
            plain p;
            plain_open(&p, w, &score.rules, sentence.n, o.beam);
            size_t expected = 0, prefix = 0;
            int status = plain_contrast(&p, &g.goal, &found, &expected);
            assert_int_equal(w->search->contrast(w, &sentence, &g.goal, &prefix, NULL), status);
            answers[g.goal.early][status]++;
            if (status) {
                assert_int_equal(prefix, expected);
                same_moves(w, &found);
                shorter += prefix < g.goal.moves;
            }
            plain_close(&p);
        }
        w->search->close(w);
        free(score.view);
    }
    for (int early = 0; early < 2; early++)
        assert_true(answers[early][0] > 0 && answers[early][1] > 0);
    assert_true(shorter > 0);
}

static void beam_refuses_sizes(void **state)
{
    (void)state;
    static const int sizes[] = { -1, 0, DODONA_MAX_BEAM + 1 };
    scorer g;
    scorer_init(&g, ddn_systems[0]);
    for (int i = 0; i < 3; i++) {
        ddn_searching *w = NULL;
        dodona_error err = { 0 };
        ddn_search_options o = { .beam = sizes[i] };
        assert_int_equal(ddn_search_open("beam", ddn_systems[0], &g.base, &o, &w, &err),
                         DODONA_E_ARGUMENT);
        assert_non_null(strstr(err.message, "65536"));
        assert_null(w);
    }
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
