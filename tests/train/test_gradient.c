/* SPDX-License-Identifier: MIT */
/* A step of a scorer that learns by batches goes down the gradient of what the whole batch has
 * lost: move by move, and by whole derivations.  The loss is added up here anew for every weight
 * that is checked, and differentiated by central differences. */
#include "core/rng.h"
#include "lib/check.h"
#include "lib/scorer_toy.h"
#include "lib/tagged.h"
#include "train/follow.h"
#include "train/global.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SENTENCES = 4, CHECKED = 400, MOST_MOVES = 8 };

typedef struct scene {
    ddn_treebank bank;
    ddn_schema schema;
    ddn_examples examples;
    ddn_train_options o;
    ddn_model *model;
    ddn_rng rng;
    double before[TEST_TOY_WEIGHTS], gradient[TEST_TOY_WEIGHTS];
} scene;

static void begin(scene *c, const char *system, const char *search, uint64_t seed)
{
    test_tagged(&c->bank, seed, SENTENCES);
    ddn_schema_init(&c->schema);
    memset(&c->examples, 0, sizeof c->examples);
    c->schema.system = ddn_system_find(system);
    c->o = (ddn_train_options){ .system = c->schema.system,
                                .learner = &ddn_scorer_toy,
                                .regime = DDN_TRAIN_STATIC,
                                .nonprojective = DDN_NONPROJECTIVE_PROJECTIVIZE,
                                .reach = ddn_system_reach(c->schema.system),
                                .search = search,
                                .beam = 3,
                                .update = DDN_UPDATE_MAX_VIOLATION,
                                .roots = DDN_ROOTS_ONE };
    assert_int_equal(ddn_oracle_find(c->schema.system, NULL, false, &c->o.oracle, NULL), 0);
    assert_int_equal(ddn_examples_make(&c->examples, &c->o, &c->bank, &c->schema, NULL), 0);
    assert_int_equal(c->examples.count, SENTENCES);
    ddn_spec spec = { .part = "parser", .schema = &c->schema };
    assert_int_equal(ddn_scorer_toy.create(&spec, &c->model, NULL), 0);
    ddn_rng_init(&c->rng, seed);
    for (int i = 0; i < TEST_TOY_WEIGHTS; i++)
        c->before[i] = ddn_rng_unit(&c->rng) - 0.5;
    memcpy(test_toy_weights(c->model), c->before, sizeof c->before);
}

static void end(scene *c)
{
    ddn_model_close(c->model);
    ddn_examples_fini(&c->examples);
    ddn_schema_fini(&c->schema);
    ddn_treebank_fini(&c->bank);
}

/* After a step: the gradient that it must have had, and the weights as they were. */
static void take_step_back(scene *c)
{
    double *w = test_toy_weights(c->model);
    for (int i = 0; i < TEST_TOY_WEIGHTS; i++)
        c->gradient[i] = (c->before[i] - w[i]) / TEST_TOY_RATE;
    memcpy(w, c->before, sizeof c->before);
}

/* ---- Losses ---- */

static double log_loss(const ddn_score *score, int m, int target)
{
    double sum = 0;
    for (int i = 0; i < m; i++)
        sum += exp(score[i] - score[target]);
    return log(sum);
}

/* What one configuration scores: types, and labels of the move, if it makes an arc. */
static void ask(const scene *c, ddn_pass *p, const ddn_state *s, ddn_move m, ddn_score *kind,
                ddn_score *label)
{
    ddn_view v;
    ddn_query q = { 0, &v };
    ddn_view_fill(c->model->layout, s, -1, -1, &v);
    assert_int_equal(ddn_scorer_toy.moves(p, &q, 1, kind, NULL), 0);
    ddn_arc arc = ddn_system_arc(c->schema.system, s, m);
    if (arc.head >= 0)
        ddn_scorer_toy.labels(p, &(ddn_arc_query){ 0, 0, m.kind, arc }, label);
}

/* -log softmax of every move that the oracle takes and is not forced to, among the legal ones, and
 * of every gold label. */
static double loss_of_path(const scene *c, ddn_pass *p, const ddn_example *x)
{
    const ddn_oracle *oracle = c->o.oracle;
    ddn_score kind[DDN_MAX_KINDS], label[DDN_MAX_LABELS], legal[MOST_MOVES];
    ddn_move move[MOST_MOVES];
    int32_t cost[MOST_MOVES];
    ddn_gold gold;
    ddn_state s;
    ddn_oracle_space *space;
    double loss = 0;
    ddn_gold_init(&gold);
    ddn_state_init(&s);
    assert_int_equal(ddn_gold_set(&gold, x->head, x->label, x->sentence->n, NULL), 0);
    assert_int_equal(ddn_oracle_open(oracle, c->o.system, (ddn_oracle_options){ 0 }, &space, NULL),
                     0);
    assert_int_equal(ddn_oracle_begin(space, &gold, NULL), 0);
    assert_int_equal(ddn_state_start(&s, x->sentence->n, DDN_ROOTS_ONE, NULL), 0);
    while (!c->o.system->final(&s)) {
        int32_t count = ddn_system_moves(c->o.system, &s, move, NULL), target = 0;
        assert_true(count <= MOST_MOVES);
        oracle->costs(space, &s, move, count, cost);
        for (int32_t i = 1; i < count; i++)
            target = cost[i] < cost[target] ? i : target;
        ddn_arc arc = ddn_system_arc(c->o.system, &s, move[target]);
        ask(c, p, &s, move[target], kind, label);
        for (int32_t i = 0; i < count; i++)
            legal[i] = kind[move[i].kind];
        loss += log_loss(legal, count, target);
        if (arc.head >= 0) {
            move[target].label = gold.label[arc.child];
            loss += log_loss(label, (int)c->schema.labels.count, move[target].label);
        }
        c->o.system->apply(&s, move[target], NULL);
    }
    ddn_oracle_close(space);
    ddn_gold_fini(&gold);
    ddn_state_fini(&s);
    return loss;
}

static double score_of(const scene *c, ddn_pass *p, int32_t n, const ddn_move *move, size_t moves)
{
    ddn_score kind[DDN_MAX_KINDS], label[DDN_MAX_LABELS];
    ddn_state s;
    double total = 0;
    ddn_state_init(&s);
    assert_int_equal(ddn_state_start(&s, n, DDN_ROOTS_ONE, NULL), 0);
    for (size_t i = 0; i < moves; i++) {
        bool makes_arc = ddn_system_arc(c->o.system, &s, move[i]).head >= 0;
        ask(c, p, &s, move[i], kind, label);
        total += kind[move[i].kind] + (makes_arc ? label[move[i].label] : 0);
        c->o.system->apply(&s, move[i], NULL);
    }
    ddn_state_fini(&s);
    return total;
}

/* The loss of the batch; with a global update, of the derivations that it has compared. */
static double loss(const scene *c, const ddn_global *g)
{
    ddn_pass *p;
    double total = 0;
    assert_int_equal(ddn_scorer_toy.pass(c->model, DDN_ONE_VIEW, &p, NULL), 0);
    for (int i = 0; i < SENTENCES; i++) {
        const ddn_example *x = &c->examples.example[i];
        assert_int_equal(ddn_scorer_toy.encode(p, &x->sentence, 1, NULL), 0);
        if (!g) {
            total += loss_of_path(c, p, x);
            continue;
        }
        const ddn_searching *w = g->parser.searching[i];
        if (w->beaten)
            total += score_of(c, p, x->sentence->n, w->move, w->moves) -
                     score_of(c, p, x->sentence->n, g->way[i].move, w->prefix);
    }
    ddn_pass_end(p);
    return total;
}

/* Some weights that the step has changed, and some that it has not. */
static void the_gradient_is_right(scene *c, const ddn_global *g)
{
    const double step = 1e-4;
    double *w = test_toy_weights(c->model);
    int changed = 0;
    for (int i = 0; i < TEST_TOY_WEIGHTS; i++)
        changed += c->gradient[i] != 0;
    assert_true(changed > 200);
    for (int i = 0; i < CHECKED; i++) {
        int k = (int)ddn_rng_below(&c->rng, TEST_TOY_WEIGHTS);
        while (i % 4 && c->gradient[k] == 0) /* three in four have changed */
            k = (k + 1) % TEST_TOY_WEIGHTS;
        w[k] = c->before[k] + step;
        double above = loss(c, g);
        w[k] = c->before[k] - step;
        double below = loss(c, g);
        w[k] = c->before[k];
        double want = (above - below) / (2 * step);
        if (fabs(c->gradient[k] - want) > 1e-6)
            fail_msg("weight %d: %.9f, not %.9f", k, c->gradient[k], want);
    }
}

static void list_examples(const scene *c, const ddn_example **x)
{
    for (int i = 0; i < SENTENCES; i++)
        x[i] = &c->examples.example[i];
}

static void followers_go_down_the_gradient(void **state)
{
    (void)state;
    static const char *const system[] = { "arc-standard", "arc-eager", "arc-hybrid" };
    static scene c;
    for (int i = 0; i < 3; i++) {
        const ddn_example *x[SENTENCES];
        ddn_following f;
        begin(&c, system[i], "greedy", 1 + (uint64_t)i);
        list_examples(&c, x);
        assert_int_equal(ddn_following_open(&f, &c.o, c.model, SENTENCES, &c.rng, NULL), 0);
        assert_int_equal(ddn_follow_step(&f, x, SENTENCES, (ddn_manner){ 0 }, NULL), 0);
        take_step_back(&c);
        the_gradient_is_right(&c, NULL);
        ddn_following_close(&f);
        end(&c);
    }
}

static void searches_go_down_the_gradient(void **state)
{
    (void)state;
    static const char *const search[] = { "beam", "dp" };
    static scene c;
    for (int i = 0; i < 4; i++) {
        const ddn_example *x[SENTENCES];
        ddn_global g;
        begin(&c, i % 2 ? "arc-hybrid" : "arc-standard", search[i / 2], 5 + (uint64_t)i);
        list_examples(&c, x);
        assert_int_equal(ddn_global_open(&g, &c.o, c.model, NULL), 0);
        assert_int_equal(ddn_global_learn(&g, x, SENTENCES, NULL), 0);
        assert_true(g.updates > 1);
        take_step_back(&c);
        assert_true(loss(&c, &g) > 0); /* the search prefers what it has found */
        the_gradient_is_right(&c, &g);
        ddn_global_close(&g);
        end(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(followers_go_down_the_gradient),
        cmocka_unit_test(searches_go_down_the_gradient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
