/* SPDX-License-Identifier: MIT */
#include "lib/scorers.h"

#include "core/array.h"
#include "lib/check.h"
#include "lib/naive.h"

#include <stdlib.h>
#include <string.h>

/* What the score of a move depends on; -1: nothing there, and labels are counted from 1. */
typedef struct facts {
    uint32_t context;
    int32_t kind, depth, s0, s0_label, s0_right, s1, q0, left, child, child_label, pos, pos_label,
        pos_left, pos_right;
} facts;

/* The words at places that pairs are made of. */
typedef struct places {
    int32_t s0, s1, s2, b0;
} places;

/* ---- Scores ---- */

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 29;
}

static uint64_t mix_all(uint64_t h, const int32_t *fact, size_t count)
{
    for (size_t i = 0; i < count; i++)
        h = mix(h, (uint64_t)(fact[i] + 2));
    return h;
}

static ddn_score to_score(const test_toy *t, uint64_t h)
{
    return (ddn_score)(h % t->range) - (ddn_score)(t->range / 2);
}

uint32_t test_context(const ddn_sentence *s)
{
    uint64_t h = (uint64_t)s->n;
    for (size_t i = 0; i < s->text_len; i++)
        h = mix(h, (unsigned char)s->text[i]);
    return (uint32_t)h;
}

/* label -1: of the type. */
static ddn_score score_of_facts(const test_toy *t, facts f, int32_t label)
{
    const int32_t fact[] = { label,         f.kind, f.depth,     f.s0,       f.s0_label,
                             f.s0_right,    f.s1,   f.q0,        f.left,     f.child,
                             f.child_label, f.pos,  f.pos_label, f.pos_left, f.pos_right };
    return to_score(t,
                    mix_all(t->seed ^ (uint64_t)f.context << 20, fact, sizeof fact / sizeof *fact));
}

static ddn_score score_of_label(const test_toy *t, facts f, int32_t label)
{
    return t->labels_are_free ? 0 : score_of_facts(t, f, label);
}

static ddn_score score_of_arc(const test_toy *t, uint32_t context, ddn_arc arc, int32_t label)
{
    const int32_t fact[] = { arc.head, arc.child, label };
    return to_score(t, mix_all(t->seed ^ (uint64_t)context << 20, fact, 3));
}

ddn_score test_score_of_arc(const test_toy *t, uint32_t context, ddn_arc arc)
{
    return score_of_arc(t, context, arc, -1);
}

ddn_score test_score_of_arc_label(const test_toy *t, uint32_t context, ddn_arc arc, int32_t label)
{
    return t->labels_are_free ? 0 : score_of_arc(t, context, arc, label);
}

uint16_t test_best_arc_label(const test_toy *t, uint32_t context, ddn_arc arc)
{
    int32_t best = 0;
    for (int32_t l = 1; l < (int32_t)t->schema.labels.count; l++)
        if (test_score_of_arc_label(t, context, arc, l) >
            test_score_of_arc_label(t, context, arc, best))
            best = l;
    return (uint16_t)best;
}

/* What a type scores for a pair of words, n + 1 standing for an empty buffer.  Types that take s2
 * off the stack score their arcs alone, and types that make none do not see s2. */
static ddn_score score_of_pair(const test_toy *t, uint32_t context, int kind, int pair, int32_t a,
                               int32_t b)
{
    const ddn_kind *of = &t->schema.system->kind[kind];
    bool s2 = pair == DDN_PAIR_S2_S0 || pair == DDN_PAIR_S2_S1 || pair == DDN_PAIR_S2_B0;
    bool takes_s2 = of->makes_arc && of->name[0] == 's' && of->name[1] >= '2';
    const int32_t fact[] = { kind, pair, a, b, -7 };
    if (takes_s2 || (s2 && !of->makes_arc))
        return 0;
    return to_score(t, mix_all(t->seed ^ (uint64_t)context << 20, fact, 5));
}

/* ---- Off the configuration ---- */

static int32_t label_at(const ddn_state *s, int32_t word)
{
    return word >= 0 && s->node[word].head >= 0 ? s->node[word].label + 1 : 0;
}

static facts facts_of_move(const test_toy *t, uint32_t context, const ddn_state *s, ddn_move m)
{
    int32_t child[TEST_MAX_CHILDREN];
    facts f = { .context = context, .kind = m.kind, .left = -1, .child = -1, .pos = -1 };
    f.s0 = s->depth > 0 ? s->stack[s->depth - 1] : -1;
    f.s1 = s->depth > 1 ? s->stack[s->depth - 2] : -1;
    f.q0 = s->next <= s->n ? s->next : -1;
    f.pos_right = -1;
    if (t->few)
        return f;
    f.depth = s->depth;
    f.left = s->left > 0 ? s->left : -1;
    f.s0_label = label_at(s, f.s0);
    f.s0_right = f.s0 >= 0 ? test_children(s, f.s0, DDN_RIGHT, child) : 0;
    int32_t count = f.s0 >= 0 ? test_children(s, f.s0, DDN_LEFT, child) : 0;
    f.child = count ? child[count - 1] : -1;
    f.child_label = label_at(s, f.child);
    if (m.pos < 0)
        return f;
    f.pos = m.pos;
    f.pos_label = label_at(s, m.pos);
    f.pos_left = test_children(s, m.pos, DDN_LEFT, child);
    count = test_children(s, m.pos, DDN_RIGHT, child);
    f.pos_right = count ? child[count - 1] : -1;
    return f;
}

static ddn_score score_of_pairs(const test_toy *t, uint32_t context, int kind, places p)
{
    const int32_t of[DDN_PAIRS][2] = {
        [DDN_PAIR_S1_S0] = { p.s1, p.s0 }, [DDN_PAIR_B0_S0] = { p.b0, p.s0 },
        [DDN_PAIR_S2_S0] = { p.s2, p.s0 }, [DDN_PAIR_S2_S1] = { p.s2, p.s1 },
        [DDN_PAIR_S1_B0] = { p.s1, p.b0 }, [DDN_PAIR_S2_B0] = { p.s2, p.b0 },
    };
    ddn_score sum = 0;
    for (int i = 0; i < DDN_PAIRS; i++)
        sum += score_of_pair(t, context, kind, i, of[i][0], of[i][1]);
    return sum;
}

static int32_t on_stack(const ddn_state *s, int32_t i)
{
    return s->depth > i ? s->stack[s->depth - 1 - i] : -1;
}

ddn_score test_score_of_move(const test_toy *t, uint32_t context, const ddn_state *s, ddn_move m)
{
    if (t->kind == TEST_TOY_MOVES)
        return score_of_facts(t, facts_of_move(t, context, s, m), -1);
    ddn_arc arc = ddn_system_arc(t->schema.system, s, m);
    ddn_score sum = arc.head >= 0 ? test_score_of_arc(t, context, arc) : 0;
    places p = { on_stack(s, 0), on_stack(s, 1), on_stack(s, 2), s->next };
    return t->kind == TEST_TOY_PAIRS ? sum + score_of_pairs(t, context, m.kind, p) : sum;
}

ddn_score test_score_of_label(const test_toy *t, uint32_t context, const ddn_state *s, ddn_move m,
                              int32_t label)
{
    if (t->kind != TEST_TOY_MOVES)
        return test_score_of_arc_label(t, context, ddn_system_arc(t->schema.system, s, m), label);
    return score_of_label(t, facts_of_move(t, context, s, m), label);
}

uint16_t test_best_label(const test_toy *t, uint32_t context, const ddn_state *s, ddn_move m)
{
    int32_t best = 0;
    for (int32_t l = 1; l < (int32_t)t->schema.labels.count; l++)
        if (test_score_of_label(t, context, s, m, l) > test_score_of_label(t, context, s, m, best))
            best = l;
    return (uint16_t)best;
}

/* ---- Off views ---- */

enum { S0, S1, Q0, LEFT, CHILD, POS, POS_RIGHT, MOVE_SLOTS };
enum { S2 = Q0 + 1, HEAD, MODIFIER, ARC_SLOTS };

/* What is seen from p is in the move's own view, and the rest in the configuration's first. */
static facts facts_of_view(const test_toy *t, uint32_t context, const ddn_view *v)
{
    const ddn_slot *s = (v - v->back)->slot, *p = v->slot;
    facts f = { .context = context, .left = -1, .child = -1, .pos = -1, .pos_right = -1 };
    f.s0 = s[S0].word;
    f.s1 = s[S1].word;
    f.q0 = s[Q0].word;
    if (t->few)
        return f;
    f.depth = (v - v->back)->depth;
    f.left = s[LEFT].word;
    f.s0_label = s[S0].label;
    f.s0_right = s[S0].valency[DDN_RIGHT];
    f.child = s[CHILD].word;
    f.child_label = s[CHILD].label;
    f.pos = p[POS].word;
    f.pos_label = p[POS].label;
    f.pos_left = p[POS].valency[DDN_LEFT];
    f.pos_right = p[POS_RIGHT].word;
    return f;
}

static ddn_score score_of_view(const test_toy *t, uint32_t context, int kind, const ddn_view *v)
{
    const ddn_slot *first = (v - v->back)->slot;
    ddn_score sum = 0;
    if (t->kind == TEST_TOY_MOVES) {
        facts f = facts_of_view(t, context, v);
        f.kind = kind;
        return score_of_facts(t, f, -1);
    }
    places p = { first[S0].word, first[S1].word, first[S2].word, first[Q0].word };
    p.b0 = p.b0 < 0 ? v->n + 1 : p.b0;
    if (t->kind == TEST_TOY_PAIRS)
        sum = score_of_pairs(t, context, kind, p);
    if (v->back && t->schema.system->kind[kind].makes_arc)
        sum +=
            test_score_of_arc(t, context, (ddn_arc){ v->slot[HEAD].word, v->slot[MODIFIER].word });
    return sum;
}

/* ---- Passes ---- */

typedef struct toy_pass {
    ddn_pass base; /* first */
    const test_toy *toy;
    int sentences, queries;
    struct read {
        uint32_t context;
        int32_t n;
    } read[DDN_MAX_BATCH]; /* [sentences] */
    struct seen {
        facts of;
        int32_t sentence;
    } * seen; /* [queries] of the last call */
    size_t seen_cap;
} toy_pass;

static int open_pass(const ddn_model *m, ddn_breadth breadth, ddn_pass **out, dodona_error *err)
{
    toy_pass *p = calloc(1, sizeof *p);
    (void)breadth;
    *out = NULL;
    if (!p)
        return ddn_fail_memory(err);
    p->base.model = m;
    p->toy = (const test_toy *)m;
    *out = &p->base;
    return DODONA_OK;
}

static void end_pass(ddn_pass *base)
{
    free(((toy_pass *)base)->seen);
    free(base);
}

static int encode(ddn_pass *base, const ddn_sentence *const *s, int m, dodona_error *err)
{
    toy_pass *p = (toy_pass *)base;
    (void)err;
    assert_in_range(m, 1, DDN_MAX_BATCH);
    p->sentences = m;
    p->queries = 0;
    for (int i = 0; i < m; i++)
        p->read[i] = (struct read){ test_context(s[i]), s[i]->n };
    return DODONA_OK;
}

static const struct read *read_of(const toy_pass *p, int sentence)
{
    assert_in_range(sentence, 0, p->sentences - 1);
    return &p->read[sentence];
}

static int moves(ddn_pass *base, const ddn_query *query, int m, ddn_score *score, dodona_error *err)
{
    toy_pass *p = (toy_pass *)base;
    assert_true(m > 0);
    if (!ddn_reserve(&p->seen, &p->seen_cap, (size_t)m, sizeof *p->seen))
        return ddn_fail_memory(err);
    p->queries = m;
    for (int q = 0; q < m; q++) {
        const ddn_view *v = query[q].view;
        const struct read *r = read_of(p, query[q].sentence);
        assert_int_equal(v->n, r->n);
        assert_in_range(v->back, 0, q);
        assert_ptr_equal(query[q - v->back].view, v - v->back);
        p->seen[q].sentence = query[q].sentence;
        if (p->toy->kind == TEST_TOY_MOVES)
            p->seen[q].of = facts_of_view(p->toy, r->context, v);
        for (int k = 0; k < p->toy->schema.system->kinds; k++)
            score[q * DDN_MAX_KINDS + k] = score_of_view(p->toy, r->context, k, v);
    }
    return DODONA_OK;
}

/* What an arc is asked about by: the facts of its move, or itself. */
static void labels(ddn_pass *base, const ddn_arc_query *q, ddn_score *score)
{
    const toy_pass *p = (const toy_pass *)base;
    uint32_t context = read_of(p, q->sentence)->context;
    bool by_arc = p->toy->kind != TEST_TOY_MOVES;
    assert_true(q->arc.head >= 0 && q->arc.child > 0);
    assert_true(q->query >= (by_arc ? -1 : 0) && q->query < p->queries);
    if (q->query >= 0)
        assert_int_equal(q->sentence, p->seen[q->query].sentence);
    for (int32_t l = 0; l < (int32_t)p->toy->schema.labels.count; l++) {
        if (by_arc) {
            score[l] = test_score_of_arc_label(p->toy, context, q->arc, l);
        } else {
            facts f = p->seen[q->query].of;
            f.kind = q->kind;
            score[l] = score_of_label(p->toy, f, l);
        }
    }
}

static uint16_t label(ddn_pass *base, const ddn_arc_query *q, ddn_score *score)
{
    const test_toy *t = ((const toy_pass *)base)->toy;
    ddn_score all[DDN_MAX_LABELS];
    uint16_t best = 0;
    labels(base, q, all);
    for (uint16_t l = 1; l < t->schema.labels.count; l++)
        best = all[l] > all[best] ? l : best;
    *score = all[best];
    return best;
}

static int arcs(ddn_pass *base, int sentence, ddn_score *w, uint16_t *label, dodona_error *err)
{
    (void)err;
    const toy_pass *p = (const toy_pass *)base;
    const struct read *r = read_of(p, sentence);
    for (int32_t h = 0; h <= r->n; h++)
        for (int32_t d = 1; d <= r->n; d++) {
            ddn_arc arc = { h, d };
            size_t at = (size_t)(h * (r->n + 1) + d);
            if (h == d)
                continue;
            label[at] = test_best_arc_label(p->toy, r->context, arc);
            w[at] = test_score_of_arc(p->toy, r->context, arc) +
                    test_score_of_arc_label(p->toy, r->context, arc, label[at]);
        }
    return DODONA_OK;
}

static void pairs(ddn_pass *base, int sentence, const ddn_pair_scores *to)
{
    const toy_pass *p = (const toy_pass *)base;
    const struct read *r = read_of(p, sentence);
    for (int k = 0; k < p->toy->schema.system->kinds; k++)
        for (int pair = 0; pair < DDN_PAIRS; pair++)
            for (int32_t a = -1; a <= r->n + 1; a++)
                for (int32_t b = -1; b <= r->n + 1; b++)
                    to->score[k][pair][(size_t)(a + 1) * to->stride + (size_t)(b + 1)] =
                        score_of_pair(p->toy, r->context, k, pair, a, b);
}

/* ---- Models ---- */

static const ddn_scorer toys[TEST_TOYS] = {
#define TOY(of)                                                                                    \
    .name = of, .batch = DDN_MAX_BATCH, .pass = open_pass, .end = end_pass, .encode = encode,      \
    .moves = moves, .label = label, .labels = labels
    [TEST_TOY_MOVES] = { TOY("toy of moves") },
    [TEST_TOY_ARCS] = { TOY("toy of arcs"), .arcs = arcs },
    [TEST_TOY_BOTH] = { TOY("toy of both"), .arcs = arcs },
    [TEST_TOY_PAIRS] = { TOY("toy of pairs"), .arcs = arcs, .pairs = pairs },
};

static void add_addresses(test_toy *t, const ddn_address *address, int count)
{
    for (int i = 0; i < count; i++)
        assert_int_equal(ddn_layout_add(&t->layout, address[i]), i);
}

static void see_moves(test_toy *t)
{
    static const ddn_address address[MOVE_SLOTS] = {
        [S0] = { .link = DDN_LINK_STACK, .from = -1, .wants = DDN_WANTS_LABEL | DDN_WANTS_VALENCY },
        [S1] = { .link = DDN_LINK_STACK, .index = 1, .from = -1 },
        [Q0] = { .link = DDN_LINK_BUFFER, .from = -1 },
        [LEFT] = { .link = DDN_LINK_FOCUS, .from = -1 },
        [CHILD] = { .link = DDN_LINK_FAR_LEFT, .from = S0, .wants = DDN_WANTS_LABEL },
        [POS] = { .link = DDN_LINK_POS, .from = -1, .wants = DDN_WANTS_LABEL | DDN_WANTS_VALENCY },
        [POS_RIGHT] = { .link = DDN_LINK_FAR_RIGHT, .from = POS },
    };
    static const ddn_address few[] = {
        [S0] = { .link = DDN_LINK_STACK, .from = -1 },
        [S1] = { .link = DDN_LINK_STACK, .index = 1, .from = -1 },
        [Q0] = { .link = DDN_LINK_BUFFER, .from = -1 },
    };
    add_addresses(t, t->few ? few : address, t->few ? Q0 + 1 : MOVE_SLOTS);
}

static void see_arcs(test_toy *t)
{
    static const ddn_address address[ARC_SLOTS] = {
        [S0] = { .link = DDN_LINK_STACK, .from = -1 },
        [S1] = { .link = DDN_LINK_STACK, .index = 1, .from = -1 },
        [Q0] = { .link = DDN_LINK_BUFFER, .from = -1 },
        [S2] = { .link = DDN_LINK_STACK, .index = 2, .from = -1 },
        [HEAD] = { .link = DDN_LINK_ARC_HEAD, .from = -1 },
        [MODIFIER] = { .link = DDN_LINK_CHILD, .from = -1 },
    };
    add_addresses(t, address, ARC_SLOTS);
    t->layout.arcs = true;
}

static void init(test_toy *t, test_toy_kind kind, const ddn_system *system, int labels, bool few)
{
    static const unsigned heads[TEST_TOYS] = {
        [TEST_TOY_MOVES] = DDN_HEAD_MOVES,
        [TEST_TOY_ARCS] = DDN_HEAD_ARCS,
        [TEST_TOY_BOTH] = DDN_HEAD_MOVES | DDN_HEAD_ARCS,
        [TEST_TOY_PAIRS] = DDN_HEAD_MOVES | DDN_HEAD_ARCS | DDN_HEAD_PAIRS,
    };
    memset(t, 0, sizeof *t);
    t->kind = kind;
    t->few = few;
    t->range = 1000;
    ddn_schema_init(&t->schema);
    t->schema.system = system;
    for (int l = 0; l < labels; l++) {
        char name[2] = { (char)('!' + l), 0 };
        assert_int_equal(ddn_schema_add_label(&t->schema, (dodona_text){ name, 1 },
                                              DDN_LABEL_OF_ROOT | DDN_LABEL_OF_WORD, NULL),
                         DODONA_OK);
    }
    if (kind == TEST_TOY_MOVES)
        see_moves(t);
    else
        see_arcs(t);
    t->base = (ddn_model){ .scorer = &toys[kind],
                           .schema = &t->schema,
                           .heads = heads[kind],
                           .beside = kind == TEST_TOY_PAIRS,
                           .layout = &t->layout };
}

void test_toy_init(test_toy *t, test_toy_kind kind, const ddn_system *system, int labels)
{
    init(t, kind, system, labels, false);
}

void test_toy_init_few(test_toy *t, const ddn_system *system, int labels)
{
    init(t, TEST_TOY_MOVES, system, labels, true);
}

void test_toy_fini(test_toy *t)
{
    ddn_schema_fini(&t->schema);
}
