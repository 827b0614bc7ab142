/* SPDX-License-Identifier: MIT */
/* Sums that are recalled against sums in which every template is looked up, one by one and in plain
 * C, along random computations.  Sentences are longer than there are places, follow each other
 * without notice, and have few words, so that cells are left behind that look alike.  And what is
 * recalled is not looked up: with the weights gone, it is still there. */
#include "lib/check.h"
#include "lib/features.h"
#include "model/builtin.h"
#include "model/perceptron.h"
#include "model/recall.h"

#include <stdlib.h>
#include <string.h>

enum { LABELS = 5, WORDS = DDN_RECALL_PLACES + 20, UPDATES = 400, SENTENCES = 6 };
enum { CLASSES = 2 * LABELS };

/* Templates of every use, and distances within a group and between the two. */
static const char some_templates[] = "[both]\n"
                                     "l0.w\n"
                                     "q0.t+q1.t\n"
                                     "l0.t+q0.t\n"
                                     "l0.h.l+l0.t\n"
                                     "[moves]\n"
                                     "d(l0,l1)+l0.t\n"
                                     "d(l0,q0)+q0.t\n"
                                     "q0.t+d(q0,q1)\n"
                                     "q0.sl+q0.vl\n"
                                     "l0.rc.t+l0.t\n"
                                     "cl.t+cl.w\n"
                                     "[labels]\n"
                                     "l0.t+l0.lc.l\n"
                                     "q0.w\n"
                                     "l0.w+q0.w\n";

typedef struct scene {
    const ddn_system *system;
    ddn_schema schema;
    ddn_sentence s;
    ddn_encoded e;
    ddn_output table, pool;
    ddn_frozen frozen;
    ddn_rng rng;
    ddn_state state;
} scene;

static void new_sentence(scene *c)
{
    test_few_words(&c->rng, WORDS - (int32_t)ddn_rng_below(&c->rng, 3), &c->s);
    assert_int_equal(ddn_encode(&c->e, &c->schema.templates, &c->s, NULL), 0);
    assert_int_equal(ddn_state_start(&c->state, c->s.n, DDN_ROOTS_ONE, NULL), 0);
}

/* A random move, an arc now and then; no arcs, in runs, are what there is to recall. */
static void move_on(scene *c)
{
    ddn_move moves[DDN_MAX_KINDS];
    int32_t count = ddn_system_moves(c->system, &c->state, moves, NULL);
    ddn_move m = moves[ddn_rng_below(&c->rng, (uint64_t)count)];
    if (c->system->kind[m.kind].makes_arc && ddn_rng_below(&c->rng, 2))
        m = moves[count - 1];
    m.label = (uint16_t)ddn_rng_below(&c->rng, LABELS);
    c->system->apply(&c->state, m, NULL);
}

static void learn(scene *c)
{
    ddn_learner *l;
    ddn_frozen_size size;
    assert_int_equal(ddn_learner_new(&c->schema, &l, NULL), 0);
    ddn_scoring *g = ddn_learner_scoring(l);
    assert_int_equal(g->scorer->reserve(g, 1, NULL), 0);
    for (int i = 0; i < UPDATES; i++) {
        const ddn_sentence *s = &c->s;
        ddn_score score[DDN_MAX_KINDS];
        ddn_view view;
        if (i == 0 || c->system->final(&c->state))
            new_sentence(c);
        assert_int_equal(g->scorer->begin(g, &s, 1, NULL), 0);
        ddn_view_fill(g->layout, &c->state, -1, -1, &view);
        g->scorer->kinds(g, 0, &view, 1, score);
        int kind = (int)ddn_rng_below(&c->rng, (uint64_t)c->system->kinds);
        int delta = (int)ddn_rng_below(&c->rng, 9) - 4;
        assert_int_equal(ddn_learner_move(l, 0, kind, delta, NULL), 0);
        if (c->system->kind[kind].makes_arc)
            assert_int_equal(ddn_learner_label(l, 0, kind, (uint16_t)(i % LABELS), delta, NULL), 0);
        ddn_learner_weights(l)->steps++;
        move_on(c);
    }
    assert_int_equal(
        ddn_frozen_build(ddn_learner_weights(l), 1 << 24, &c->table, &c->pool, &size, NULL), 0);
    assert_int_equal(ddn_frozen_check(&c->frozen, c->system->kinds, CLASSES, c->table.data,
                                      c->table.size, c->pool.data, c->pool.size, NULL),
                     0);
    ddn_learner_free(l);
}

/* Whether all atoms of a template start from the left focus word, or all from the buffer. */
static bool of_one_word(const ddn_templates *t, int line)
{
    bool left = false, next = false, other = false;
    for (int i = 0; i < t->line[line].arity; i++) {
        const ddn_atom *a = &t->atom[t->line[line].atom[i]];
        for (int end = 0; end < 1 + (a->kind == DDN_ATOM_DISTANCE); end++) {
            int slot = end ? a->detail : a->slot;
            while (t->layout.address[slot].from >= 0)
                slot = t->layout.address[slot].from;
            left |= t->layout.address[slot].link == DDN_LINK_FOCUS;
            next |= t->layout.address[slot].link == DDN_LINK_BUFFER;
            other |= t->layout.address[slot].link != DDN_LINK_FOCUS &&
                     t->layout.address[slot].link != DDN_LINK_BUFFER;
        }
    }
    return left + next + other == 1 && !other;
}

/* Every template by itself: the sums of kinds, of the part that is recalled, and of classes. */
static void look_up(const scene *c, const ddn_view *view, int32_t *kinds, int32_t *part,
                    int32_t *classes)
{
    const ddn_templates *t = &c->schema.templates;
    uint32_t atom[DDN_MAX_ATOMS];
    memset(kinds, 0, DDN_MAX_KINDS * sizeof *kinds);
    memset(part, 0, DDN_MAX_KINDS * sizeof *part);
    memset(classes, 0, CLASSES * sizeof *classes);
    ddn_read_atoms(t, &c->e, view, atom);
    for (int i = 0; i < t->templates; i++) {
        uint64_t key = ddn_feature_key(t, &c->schema.hashing, atom, i);
        int32_t sum[DDN_MAX_KINDS] = { 0 };
        uint32_t list;
        ddn_frozen_kinds_plain(&c->frozen, &key, 1, sum, &list);
        for (int k = 0; k < c->system->kinds && t->line[i].use & DDN_FOR_MOVES; k++) {
            kinds[k] += sum[k];
            part[k] += of_one_word(t, i) ? sum[k] : 0;
        }
        if (t->line[i].use & DDN_FOR_LABELS)
            ddn_frozen_classes(&c->frozen, &list, 1, classes);
    }
}

static void same_sums(scene *c, ddn_recall *r, const ddn_frozen *empty, int *nonzero)
{
    int32_t sum[DDN_MAX_KINDS], wanted[DDN_MAX_KINDS], part[DDN_MAX_KINDS], classes[CLASSES];
    size_t size = (size_t)c->system->kinds * sizeof *sum;
    ddn_view view;
    ddn_view_fill(&c->schema.templates.layout, &c->state, -1, -1, &view);
    look_up(c, &view, wanted, part, classes);
    ddn_recall_score(r, &c->e, &view, sum);
    assert_memory_equal(sum, wanted, size);
    for (int twice = 0; twice < 2; twice++)
        assert_memory_equal(ddn_recall_classes(r), classes, sizeof classes);
    r->frozen = empty;
    ddn_recall_score(r, &c->e, &view, sum);
    assert_memory_equal(sum, part, size);
    r->frozen = &c->frozen;
    for (int k = 0; k < c->system->kinds; k++)
        *nonzero += part[k] != 0;
}

static void walk(scene *c)
{
    static const unsigned char nothing[DDN_BUCKET];
    ddn_frozen empty = c->frozen;
    ddn_recall r;
    int nonzero = 0;
    empty.table = empty.pool = nothing;
    empty.buckets = 1;
    assert_true(ddn_recall_helps(&c->schema));
    ddn_recall_init(&r, &c->schema, &c->frozen);
    assert_int_equal(ddn_recall_reserve(&r, NULL), 0);
    for (int i = 0; i < SENTENCES; i++)
        for (new_sentence(c); !c->system->final(&c->state); move_on(c))
            same_sums(c, &r, &empty, &nonzero);
    assert_true(nonzero > 0);
    ddn_recall_fini(&r);
}

static void check(const ddn_system *system, const char *text, uint64_t seed)
{
    static scene c;
    memset(&c, 0, sizeof c);
    c.system = system;
    ddn_rng_init(&c.rng, seed);
    ddn_schema_init(&c.schema);
    ddn_sentence_init(&c.s);
    ddn_encoded_init(&c.e);
    ddn_state_init(&c.state);
    ddn_output_memory(&c.table);
    ddn_output_memory(&c.pool);
    assert_int_equal(ddn_schema_set(&c.schema, system, text, strlen(text), "x", NULL), 0);
    for (int l = 0; l < LABELS; l++) {
        char name[2] = { (char)('a' + l), 0 };
        assert_int_equal(ddn_schema_add_label(&c.schema, (dodona_text){ name, 1 }, 3, NULL), 0);
    }
    learn(&c);
    walk(&c);
    ddn_output_abandon(&c.table);
    ddn_output_abandon(&c.pool);
    ddn_state_fini(&c.state);
    ddn_encoded_fini(&c.e);
    ddn_sentence_fini(&c.s);
    ddn_schema_fini(&c.schema);
}

static void recalled_sums_are_the_same(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const ddn_system *system = ddn_system_find(i ? "covington-nm" : "covington");
        check(system, some_templates, (uint64_t)i);
        for (int j = 0; ddn_builtin_templates[j].name; j++)
            if (strncmp(ddn_builtin_templates[j].name, "covington", 9) == 0)
                check(system, ddn_builtin_templates[j].text, (uint64_t)(10 * i + j));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(recalled_sums_are_the_same) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
