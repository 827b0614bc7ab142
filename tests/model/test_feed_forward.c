/* SPDX-License-Identifier: MIT */
/* The scorer 'feed-forward': its scores against the formula, its gradient, its files, and that a
 * sentence's scores do not depend on its neighbours or the processor. */
#include "model/feed_forward.h"

#include "lib/alloc.h"
#include "lib/check.h"
#include "lib/naive.h"
#include "lib/tagged.h"
#include "model/builtin.h"
#include "search/search.h"
#include "train/follow.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SENTENCES = 6, MOST_MOVES = 256 };

static const char spine_templates[] = "s0.t+p.w\np.vr+p.sr\np.rc.l+c.t\nq0.w+q0.f\n";
/* One atom of every sort. */
static const char few_templates[] =
    "s0.w+s0.t\ns0.f\nq0.w+q0.s2\ns0.lc.l\ns0.sl\ns0.vl\nd(s0,q0)\n";

typedef struct scene {
    ddn_treebank bank;
    ddn_schema schema;
    ddn_examples examples;
    ddn_train_options o;
    const ddn_sentence *sentence[SENTENCES];
    ddn_feed_forward *model;
    ddn_rng rng;
    int used; /* sentences that the loss is of */
} scene;

static void *room(size_t bytes)
{
    void *p = malloc(bytes + 1);
    assert_non_null(p);
    return p;
}

static ddn_spec spec_of(const scene *c, const char *templates, uint64_t seed)
{
    return (ddn_spec){ .part = "parser",
                       .schema = &c->schema,
                       .templates = templates,
                       .templates_size = strlen(templates),
                       .templates_name = "templates",
                       .seed = seed,
                       .sentence = c->sentence,
                       .sentences = SENTENCES,
                       .iterations = 10,
                       .heads = DDN_HEAD_MOVES };
}

static void begin(scene *c, const char *system, const char *templates, uint64_t seed)
{
    ddn_model *model;
    test_tagged(&c->bank, seed, SENTENCES);
    ddn_schema_init(&c->schema);
    memset(&c->examples, 0, sizeof c->examples);
    c->schema.system = ddn_system_find(system);
    c->o = (ddn_train_options){ .system = c->schema.system,
                                .learner = ddn_scorer_find("feed-forward"),
                                .regime = DDN_TRAIN_STATIC,
                                .nonprojective = DDN_NONPROJECTIVE_PROJECTIVIZE,
                                .reach = ddn_system_reach(c->schema.system),
                                .search = "greedy",
                                .roots = DDN_ROOTS_ONE };
    assert_int_equal(ddn_oracle_find(c->schema.system, NULL, false, &c->o.oracle, NULL), 0);
    assert_int_equal(ddn_examples_make(&c->examples, &c->o, &c->bank, &c->schema, NULL), 0);
    assert_int_equal(c->examples.count, SENTENCES);
    for (int i = 0; i < SENTENCES; i++)
        c->sentence[i] = c->examples.example[i].sentence;
    ddn_spec spec = spec_of(c, templates, seed);
    assert_int_equal(c->o.learner->create(&spec, &model, NULL), 0);
    c->model = (ddn_feed_forward *)model;
    ddn_rng_init(&c->rng, seed);
    const ddn_params *p = &c->model->tensors.params;
    for (size_t t = 0; t < p->count; t++) /* nothing begins at 0 */
        for (size_t k = 0; k < p->tensor[t].rows * p->tensor[t].cols; k++)
            c->model->tensors.value[p->tensor[t].at + k] +=
                0.1f * (float)(ddn_rng_unit(&c->rng) - 0.5);
}

static void end(scene *c)
{
    ddn_model_close(&c->model->base);
    ddn_examples_fini(&c->examples);
    ddn_schema_fini(&c->schema);
    ddn_treebank_fini(&c->bank);
}

/* ---- Along the moves of the oracle ---- */

/* What a visitor is shown of a configuration: its legal moves with their views, and the target. */
typedef struct place {
    const ddn_state *state;
    const ddn_move *move;
    int32_t count, target;
    const ddn_query *query;  /* [views] */
    const int32_t *query_of; /* [count] */
    int views;
} place;

typedef void (*visitor)(const scene *c, ddn_pass *p, int number, const place *at, void *ctx);

static void walk(const scene *c, ddn_pass *p, int number, visitor visit, void *ctx)
{
    const ddn_example *x = &c->examples.example[number];
    const ddn_system *system = c->o.system;
    int32_t n = x->sentence->n, cost[MOST_MOVES], query_of[MOST_MOVES];
    int32_t *position = room(((size_t)n + 1) * sizeof *position);
    ddn_move move[MOST_MOVES];
    static ddn_view view[MOST_MOVES + 1];
    ddn_query query[MOST_MOVES + 1];
    ddn_gold gold;
    ddn_state s;
    ddn_oracle_space *space;
    ddn_gold_init(&gold);
    ddn_state_init(&s);
    assert_int_equal(ddn_gold_set(&gold, x->head, x->label, n, NULL), 0);
    assert_int_equal(ddn_oracle_open(c->o.oracle, system, (ddn_oracle_options){ 0 }, &space, NULL),
                     0);
    assert_int_equal(ddn_oracle_begin(space, &gold, NULL), 0);
    assert_int_equal(ddn_state_start(&s, n, DDN_ROOTS_ONE, NULL), 0);
    while (!system->final(&s)) {
        assert_true(ddn_moves_room(system, n) <= MOST_MOVES);
        place at = { .state = &s, .move = move, .query = query, .query_of = query_of, .views = 1 };
        at.count = ddn_system_moves(system, &s, move, position);
        c->o.oracle->costs(space, &s, move, at.count, cost);
        ddn_view_fill(c->model->base.layout, &s, -1, -1, &view[0]);
        for (int32_t i = 0; i < at.count; i++) {
            ddn_arc arc = ddn_system_arc(system, &s, move[i]);
            at.target = cost[i] < cost[at.target] ? i : at.target;
            query_of[i] = move[i].pos >= 0 ? at.views++ : 0;
            if (query_of[i])
                ddn_view_fill_placed(c->model->base.layout, &s, move[i].pos, arc.head, arc.child,
                                     view, query_of[i]);
        }
        for (int i = 0; i < at.views; i++)
            query[i] = (ddn_query){ number, &view[i] };
        ddn_arc arc = ddn_system_arc(system, &s, move[at.target]);
        if (arc.head >= 0)
            move[at.target].label = gold.label[arc.child];
        visit(c, p, number, &at, ctx);
        system->apply(&s, move[at.target], NULL);
    }
    ddn_oracle_close(space);
    ddn_gold_fini(&gold);
    ddn_state_fini(&s);
    free(position);
}

static ddn_pass *encoded(const scene *c, const ddn_model *m, uint64_t seed)
{
    ddn_pass *p;
    assert_int_equal(c->o.learner->pass(m, DDN_ONE_VIEW, &p, NULL), 0);
    p->seed = seed;
    assert_int_equal(c->o.learner->encode(p, c->sentence, SENTENCES, NULL), 0);
    return p;
}

/* ---- Scores ---- */

/* Adds row number row of table E, multiplied by W of one use, to the hidden layer. */
static void add_atom(const ddn_feed_forward *m, int field, size_t use, size_t row, double *hidden)
{
    const ddn_params *p = &m->tensors.params;
    char name[32];
    snprintf(name, sizeof name, "table.%d", field);
    const ddn_tensor *table = &p->tensor[ddn_params_find(p, name)];
    snprintf(name, sizeof name, "place.%d.w", field);
    const ddn_tensor *w = &p->tensor[ddn_params_find(p, name)];
    snprintf(name, sizeof name, "place.%d.b", field);
    const ddn_tensor *b = &p->tensor[ddn_params_find(p, name)];
    const float *value = m->tensors.value;
    assert_in_range(row, 0, table->rows - 1);
    for (size_t k = 0; k < (size_t)m->hidden; k++) {
        size_t column = use * (size_t)m->hidden + k;
        hidden[k] += value[b->at + column];
        for (size_t i = 0; i < table->cols; i++)
            hidden[k] += (double)value[table->at + row * table->cols + i] *
                         value[w->at + i * w->cols + column];
    }
}

static size_t row_of(const ddn_feed_forward *m, int source, const ddn_sentence *s, int32_t word,
                     int column)
{
    if (word <= 0)
        return word < 0 ? DDN_VALUE_NOTHING : DDN_VALUE_ROOT;
    dodona_text t = ddn_sentence_column(s, word, column);
    if (m->templates.source[source].length) { /* the last two characters, which are of one byte */
        t.data += t.size < 2 ? 0 : t.size - 2;
        t.size = t.size < 2 ? t.size : 2;
    }
    uint32_t id = ddn_intern_find(&m->value[source], t.data, t.size);
    return id == DDN_INTERN_NONE ? (size_t)DDN_VALUE_UNKNOWN : id + (size_t)DDN_VALUE_FIRST;
}

/* The hidden layer of few_templates, from the state. */
static void fill_hidden(const ddn_feed_forward *m, const ddn_sentence *s, const ddn_state *state,
                        double *hidden)
{
    int32_t s0 = state->depth ? state->stack[state->depth - 1] : -1;
    int32_t q0 = state->next <= state->n ? state->next : -1, child[TEST_MAX_CHILDREN];
    int32_t left = s0 < 0 ? 0 : test_children(state, s0, DDN_LEFT, child);
    int32_t apart = s0 < 0 || q0 < 0 ? -1 : q0 - s0;
    size_t distance = apart < 0 ? 0 : apart <= 5 ? (size_t)apart + 1 : apart <= 10 ? 7 : 8;
    bool seen[64] = { false };
    memset(hidden, 0, (size_t)m->hidden * sizeof *hidden);
    /* Sources in the order of the text: form, tag, features, suffix; then label, valency, set,
     * distance. */
    add_atom(m, 0, 0, row_of(m, 0, s, s0, DDN_FORM), hidden);
    add_atom(m, 1, 0, row_of(m, 1, s, s0, DDN_UPOS), hidden);
    add_atom(m, 2, 0, row_of(m, 2, s, s0, DDN_FEATS), hidden);
    add_atom(m, 0, 1, row_of(m, 0, s, q0, DDN_FORM), hidden);
    add_atom(m, 3, 0, row_of(m, 3, s, q0, DDN_FORM), hidden);
    add_atom(m, 4, 0, left ? state->node[child[left - 1]].label + 1u : 0, hidden);
    add_atom(m, 5, 0, (size_t)(left < 7 ? left : 7), hidden);
    for (int32_t i = 0; i < left; i++) {
        int bit = state->node[child[i]].label % 64;
        if (!seen[bit])
            add_atom(m, 6, 0, (size_t)bit, hidden);
        seen[bit] = true;
    }
    add_atom(m, 7, 0, distance, hidden);
    for (size_t k = 0; k < (size_t)m->hidden; k++)
        hidden[k] = hidden[k] < 0 ? hidden[k] / 10 : hidden[k];
}

static double output(const ddn_feed_forward *m, const double *hidden, const ddn_linear *l,
                     size_t of)
{
    const ddn_params *p = &m->tensors.params;
    double sum = m->tensors.value[p->tensor[l->b].at + of];
    for (size_t k = 0; k < l->in; k++)
        sum += hidden[k] * m->tensors.value[p->tensor[l->w].at + k * l->out + of];
    return sum;
}

static void compare_scores(const scene *c, ddn_pass *p, int number, const place *at, void *ctx)
{
    const ddn_feed_forward *m = c->model;
    ddn_score score[DDN_MAX_KINDS], label[DDN_MAX_LABELS];
    double *hidden = room((size_t)m->hidden * sizeof *hidden);
    fill_hidden(m, c->sentence[number], at->state, hidden);
    assert_int_equal(at->views, 1);
    assert_int_equal(c->o.learner->moves(p, at->query, 1, score, NULL), 0);
    for (int k = 0; k < c->o.system->kinds; k++)
        assert_true(fabs(score[k] - output(m, hidden, &m->move, (size_t)k)) < 1e-4);
    ddn_arc arc = ddn_system_arc(c->o.system, at->state, at->move[at->target]);
    if (arc.head >= 0) {
        int kind = at->move[at->target].kind;
        c->o.learner->labels(p, &(ddn_arc_query){ 0, number, kind, arc }, label);
        for (size_t l = 0; l < c->schema.labels.count; l++)
            assert_true(fabs(label[l] - output(m, hidden, &m->label[kind], l)) < 1e-4);
        ++*(int *)ctx;
    }
    free(hidden);
}

static void scores_are_those_of_the_formula(void **state)
{
    (void)state;
    static scene c;
    int arcs = 0;
    begin(&c, "arc-standard", few_templates, 11);
    assert_int_equal(c.model->templates.atoms, 9);
    c.model->dropout = 0;
    ddn_pass *p = encoded(&c, &c.model->base, 1);
    for (int i = 0; i < SENTENCES; i++)
        walk(&c, p, i, compare_scores, &arcs);
    assert_int_equal(arcs, c.bank.words);
    ddn_pass_end(p);
    end(&c);
}

/* ---- The gradient ---- */

static double log_loss(const ddn_score *score, int32_t m, int32_t target)
{
    double sum = 0;
    for (int32_t i = 0; i < m; i++)
        sum += exp(score[i] - score[target]);
    return log(sum);
}

/* -log softmax of the move that the oracle takes, among the legal ones, and of its label. */
static void add_loss(const scene *c, ddn_pass *p, int number, const place *at, void *ctx)
{
    ddn_score score[(MOST_MOVES + 1) * DDN_MAX_KINDS], legal[MOST_MOVES], label[DDN_MAX_LABELS];
    ddn_move m = at->move[at->target];
    ddn_arc arc = ddn_system_arc(c->o.system, at->state, m);
    double *loss = ctx;
    if (at->count == 1 && arc.head < 0)
        return;
    assert_int_equal(c->o.learner->moves(p, at->query, at->views, score, NULL), 0);
    for (int32_t i = 0; i < at->count; i++)
        legal[i] = score[at->query_of[i] * DDN_MAX_KINDS + at->move[i].kind];
    *loss += log_loss(legal, at->count, at->target);
    if (arc.head < 0)
        return;
    c->o.learner->labels(p, &(ddn_arc_query){ at->query_of[at->target], number, m.kind, arc },
                         label);
    *loss += log_loss(label, (int32_t)c->schema.labels.count, m.label);
}

static double loss(const scene *c)
{
    ddn_pass *p = encoded(c, &c->model->base, 7);
    double total = 0;
    for (int i = 0; i < c->used; i++)
        walk(c, p, i, add_loss, &total);
    ddn_pass_end(p);
    return total;
}

/* How the loss changes along a direction of one tensor, by central differences and by the gradient.
 */
static void compare(scene *c, const ddn_tensor *t, const float *gradient, const double *direction)
{
    float *value = c->model->tensors.value + t->at;
    size_t n = t->rows * t->cols;
    float *before = room(n * sizeof *before);
    double length = 0, along = 0, steepest = 0, at[2];
    for (size_t k = 0; k < n; k++) {
        length += direction[k] * direction[k];
        along += direction[k] * gradient[t->at + k];
        steepest += (double)gradient[t->at + k] * gradient[t->at + k];
    }
    if (length > 0) {
        const double step = 2e-3 / sqrt(length);
        memcpy(before, value, n * sizeof *before);
        for (int side = 0; side < 2; side++) {
            for (size_t k = 0; k < n; k++)
                value[k] = before[k] + (float)((side ? -step : step) * direction[k]);
            at[side] = loss(c);
        }
        memcpy(value, before, n * sizeof *before);
        double want = (at[0] - at[1]) / (2 * step) / sqrt(length), got = along / sqrt(length);
        if (fabs(got - want) > 0.01 * sqrt(steepest) + 0.05)
            fail_msg("%s: %.6f, not %.6f", t->name, got, want);
    }
    free(before);
}

/* Along the gradient itself, where all of it counts, and along a direction that is drawn.  Returns
 * how many tensors have a gradient. */
static size_t the_gradient_is_right(scene *c, const float *gradient)
{
    const ddn_params *p = &c->model->tensors.params;
    size_t used = 0;
    for (size_t i = 0; i < p->count; i++) {
        const ddn_tensor *t = &p->tensor[i];
        size_t n = t->rows * t->cols, nonzero = 0;
        double *direction = room(n * sizeof *direction);
        for (size_t k = 0; k < n; k++) {
            direction[k] = gradient[t->at + k];
            nonzero += direction[k] != 0;
        }
        used += nonzero > 0;
        compare(c, t, gradient, direction);
        for (size_t k = 0; k < n; k++)
            direction[k] = gradient[t->at + k] == 0 ? 0 : ddn_rng_unit(&c->rng) - 0.5;
        compare(c, t, gradient, direction);
        free(direction);
    }
    return used;
}

/* Dropout draws its numbers in the order of the questions, which is the loss's own when there is
 * one sentence. */
static void go_down(scene *c, int sentences, float dropout)
{
    const ddn_example *x[SENTENCES];
    ddn_following f;
    size_t words, expected = 0;
    c->used = sentences;
    c->model->dropout = dropout;
    for (int k = 0; k < sentences; k++) {
        x[k] = &c->examples.example[k];
        expected += (size_t)x[k]->sentence->n;
    }
    assert_int_equal(ddn_following_open(&f, &c->o, &c->model->base, SENTENCES, &c->rng, NULL), 0);
    f.pass->seed = 7;
    assert_int_equal(ddn_follow(&f, x, sentences, (ddn_manner){ 0 }, NULL), 0);
    size_t used = the_gradient_is_right(c, ddn_feed_forward_pass_gradient(f.pass, &words));
    assert_int_equal(words, expected);
    if (sentences == SENTENCES && c->schema.system != ddn_system_find("attardi")) /* all types */
        assert_int_equal(used, c->model->tensors.params.count);
    ddn_following_close(&f);
}

static void moves_go_down_the_gradient(void **state)
{
    (void)state;
    static const char *const system[] = { "arc-standard", "covington", "lr-spine", "attardi" };
    static const char *const text[] = { few_templates, "l0.w+l0.t\nq0.t\nl0.rc.l\n",
                                        spine_templates, "s0.t+s1.t\ns2.w\nq0.t\n" };
    static scene c;
    for (int i = 0; i < 4; i++) {
        begin(&c, system[i], text[i], 1 + (uint64_t)i);
        go_down(&c, SENTENCES, 0);
        go_down(&c, 1, 0.3f);
        end(&c);
    }
}

/* ---- Files ---- */

static void open_again(const scene *c, ddn_sections *made, ddn_model_file *file, ddn_model **out)
{
    ddn_spec spec = { .part = "parser", .schema = &c->schema };
    ddn_sections_init(made);
    assert_int_equal(c->o.learner->save(&c->model->base, UINT64_MAX, made, NULL), 0);
    ddn_sections_view(made, "made", file);
    assert_int_equal(c->o.learner->open(file, &spec, out, NULL), 0);
}

typedef struct gathered {
    double score[4096];
    size_t count;
} gathered;

/* Scores of moves, and by how much labels differ from the first. */
static void gather(const scene *c, ddn_pass *p, int number, const place *at, void *ctx)
{
    gathered *g = ctx;
    ddn_score score[(MOST_MOVES + 1) * DDN_MAX_KINDS] = { 0 }, label[DDN_MAX_LABELS];
    int32_t query = at->query_of[at->target];
    ddn_move m = at->move[at->target];
    ddn_arc arc = ddn_system_arc(c->o.system, at->state, m);
    assert_true(g->count + MOST_MOVES + c->schema.labels.count < 4096);
    assert_int_equal(c->o.learner->moves(p, at->query, at->views, score, NULL), 0);
    for (int32_t i = 0; i < at->count; i++)
        g->score[g->count++] = score[at->query_of[i] * DDN_MAX_KINDS + at->move[i].kind];
    if (arc.head < 0)
        return;
    c->o.learner->labels(p, &(ddn_arc_query){ query, number, m.kind, arc }, label);
    for (size_t l = 1; l < c->schema.labels.count; l++)
        g->score[g->count++] = label[l] - label[0];
}

/* A sentence among others and after others, on this processor and in plain C. */
static void a_sentence_scores_the_same_anywhere(void **state)
{
    (void)state;
    static scene c;
    static gathered one, two;
    ddn_sections made;
    ddn_model_file file;
    ddn_model *opened;
    ddn_pass *alone;
    begin(&c, "lr-spine", spine_templates, 5);
    open_again(&c, &made, &file, &opened);
    ddn_pass *together = encoded(&c, opened, 0);
    ((ddn_feed_forward *)opened)->tensors.kernels = ddn_kernels_all[0];
    assert_int_equal(c.o.learner->pass(opened, DDN_ONE_VIEW, &alone, NULL), 0);
    for (int i = SENTENCES - 1; i >= 0; i--) {
        const ddn_sentence *s[SENTENCES]; /* the same one at all places */
        for (int k = 0; k < SENTENCES; k++)
            s[k] = c.sentence[i];
        assert_int_equal(c.o.learner->encode(alone, s, i + 1, NULL), 0);
        one.count = two.count = 0;
        walk(&c, alone, i, gather, &one);
        walk(&c, together, i, gather, &two);
        assert_int_equal(one.count, two.count);
        assert_true(one.count > 0);
        assert_memory_equal(one.score, two.score, one.count * sizeof *one.score);
    }
    ddn_pass_end(alone);
    ddn_pass_end(together);
    ddn_model_close(opened);
    ddn_sections_fini(&made);
    end(&c);
}

/* What is saved scores about as what was learnt. */
static void eight_bits_are_near_floats(void **state)
{
    (void)state;
    static scene c;
    static gathered g[2];
    ddn_sections made;
    ddn_model_file file;
    ddn_model *opened;
    double largest = 0;
    begin(&c, "lr-spine", spine_templates, 6);
    c.model->dropout = 0;
    open_again(&c, &made, &file, &opened);
    for (int i = 0; i < 2; i++) {
        ddn_pass *p = encoded(&c, i ? opened : &c.model->base, 0);
        walk(&c, p, 0, gather, &g[i]);
        ddn_pass_end(p);
    }
    assert_int_equal(g[0].count, g[1].count);
    for (size_t k = 0; k < g[0].count; k++)
        largest = fmax(largest, fabs(g[0].score[k]));
    for (size_t k = 0; k < g[0].count; k++)
        assert_true(fabs(g[0].score[k] - g[1].score[k]) < 0.05 * largest);
    ddn_model_close(opened);
    ddn_sections_fini(&made);
    end(&c);
}

/* Opens the sections of a model with one replaced; the message must have these words. */
static void refused(const scene *c, const ddn_model_file *whole, const char *name, const void *data,
                    size_t size, const char *words)
{
    ddn_model_file file = *whole;
    ddn_spec spec = { .part = "parser", .schema = &c->schema };
    dodona_error err = { 0 };
    ddn_model *opened;
    for (int i = 0; i < file.sections; i++)
        if (strcmp(file.section[i].name, name) == 0) {
            file.section[i].data = data;
            file.section[i].size = size;
        }
    assert_true(c->o.learner->open(&file, &spec, &opened, &err) < 0);
    assert_null(opened);
    if (!strstr(err.message, words))
        fail_msg("%s: '%s' does not say '%s'", name, err.message, words);
}

static void refused_text(const scene *c, const ddn_model_file *whole, const char *name,
                         const char *text, const char *words)
{
    refused(c, whole, name, text, strlen(text), words);
}

/* A section that is cut short, and one with a number that is none. */
static void damaged(const scene *c, const ddn_model_file *whole, const char *name, size_t at,
                    const char *words)
{
    const ddn_section *s;
    assert_int_equal(ddn_model_file_find(whole, name, &s, NULL), 0);
    char *copy = room(s->size);
    memcpy(copy, s->data, s->size);
    refused(c, whole, name, copy, s->size - 4, "bytes instead of");
    memcpy(copy + at, &(float){ NAN }, sizeof(float));
    refused(c, whole, name, copy, s->size, words);
    free(copy);
}

static void damage_is_refused(void **state)
{
    (void)state;
    static scene c;
    static const char *const sizes[] = { "", "hidden 0\nwords 5\nothers 5\n",
                                         "hidden 5\nwords 1025\nothers 5\n",
                                         "hidden 5\nwords 5\nothers -1\n", "hidden 5\nwords 5\n" };
    ddn_sections made;
    ddn_model_file file;
    ddn_model *opened;
    begin(&c, "arc-standard", "s0.t\nq0.w\n", 8);
    open_again(&c, &made, &file, &opened);
    ddn_model_close(opened);
    for (int i = 0; i < 5; i++)
        refused_text(&c, &file, "parser.sizes", sizes[i], "from 1 to 1024");
    refused_text(&c, &file, "parser.templates", "[moves]\ns0.t\n[arcs]\nh.t\n", "scores moves");
    refused_text(&c, &file, "parser.templates", "s0.\n", "");
    refused_text(&c, &file, "parser.templates", "s0.t\n", "too long");
    refused_text(&c, &file, "parser.values", "", "begin with a number");
    refused_text(&c, &file, "parser.values", "x\n", "begin with a number");
    refused_text(&c, &file, "parser.values", "99999999\n", "begin with a number");
    refused_text(&c, &file, "parser.values", "1048577\n", "more than 1048576");
    refused_text(&c, &file, "parser.values", "2\na\n", "cut short");
    refused_text(&c, &file, "parser.values", "2\na\nb", "cut short");
    refused_text(&c, &file, "parser.values", "2\na\na\n", "twice");
    refused_text(&c, &file, "parser.sizes", "hidden 1024\nwords 1024\nothers 1024\n",
                 "bytes instead of");
    refused_text(&c, &file, "parser.values", "1\na\n1\nb\n", "bytes instead of");
    const ddn_params *p = &c.model->tensors.params;
    size_t product = 0; /* bytes of tables before the first one */
    for (size_t i = 0; !p->tensor[i].multiplies; i++)
        product +=
            p->tensor[i].looked_up ? ddn_int8_table_bytes(p->tensor[i].rows, p->tensor[i].cols) : 0;
    damaged(&c, &file, "parser.floats", 0, "no sense");
    damaged(&c, &file, "parser.int8", 0, "the table '");
    damaged(&c, &file, "parser.int8", product, "the product 'place.0.w'");
    dodona_error err = { 0 };
    ddn_sections small;
    ddn_sections_init(&small);
    assert_int_equal(c.o.learner->save(&c.model->base, 1000, &small, &err), DODONA_E_LIMIT);
    assert_non_null(strstr(err.message, "--model-size"));
    ddn_sections_fini(&small);
    ddn_sections_fini(&made);
    end(&c);
}

/* ---- Learning ---- */

/* A model that takes a checkpoint goes on as the one that put it. */
static void a_checkpoint_goes_on(void **state)
{
    (void)state;
    static scene c, other;
    ddn_output now;
    begin(&c, "arc-standard", few_templates, 9);
    begin(&other, "arc-standard", few_templates, 10);
    ddn_model_close(&other.model->base);
    ddn_spec spec = spec_of(&c, few_templates, 77);
    ddn_model *twin;
    assert_int_equal(c.o.learner->create(&spec, &twin, NULL), 0);
    other.model = (ddn_feed_forward *)twin;
    ddn_model *model[] = { &c.model->base, twin };
    size_t bytes = c.model->tensors.params.size * sizeof(float);
    for (int i = 0; i < 2; i++) {
        const ddn_example *x[SENTENCES];
        ddn_following f;
        if (i == 1) { /* the twin becomes what the first was before its second step */
            ddn_section s = { .data = now.data, .size = now.size };
            assert_int_equal(c.o.learner->take(twin, &s, NULL), 0);
            s.size--;
            assert_int_equal(c.o.learner->take(twin, &s, NULL), DODONA_E_INPUT);
        }
        for (int k = 0; k < SENTENCES; k++)
            x[k] = &c.examples.example[k];
        assert_int_equal(ddn_following_open(&f, &c.o, model[i], SENTENCES, &c.rng, NULL), 0);
        if (i == 0) {
            f.pass->seed = 1;
            assert_int_equal(ddn_follow_step(&f, x, SENTENCES, (ddn_manner){ 0 }, NULL), 0);
            ddn_output_memory(&now);
            c.o.learner->put(model[0], &now);
        }
        f.pass->seed = 2;
        assert_int_equal(ddn_follow_step(&f, x, SENTENCES, (ddn_manner){ 0 }, NULL), 0);
        ddn_following_close(&f);
    }
    assert_memory_equal(c.model->tensors.value, other.model->tensors.value, bytes);
    assert_memory_equal(c.model->tensors.optimiser.average, other.model->tensors.optimiser.average,
                        bytes);
    ddn_output_abandon(&now);
    end(&other);
    end(&c);
}

/* A gradient that is not finite changes nothing; many in a row are an error before the first step,
 * and later end learning where the average was. */
static void divergence_is_noticed(void **state)
{
    (void)state;
    static scene c;
    const ddn_example *x[SENTENCES];
    ddn_following f;
    dodona_error err = { 0 };
    size_t words;
    int status = 0, steps = 0;
    begin(&c, "arc-standard", few_templates, 9);
    for (int k = 0; k < SENTENCES; k++)
        x[k] = &c.examples.example[k];
    assert_int_equal(ddn_following_open(&f, &c.o, &c.model->base, SENTENCES, &c.rng, NULL), 0);
    size_t bytes = c.model->tensors.params.size * sizeof(float);
    float *before = room(bytes);
    memcpy(before, c.model->tensors.value, bytes);
    assert_int_equal(ddn_follow(&f, x, SENTENCES, (ddn_manner){ 0 }, NULL), 0);
    ddn_feed_forward_pass_gradient(f.pass, &words)[5] = NAN;
    for (; status >= 0; steps++)
        status = c.o.learner->step(&c.model->base, &f.pass, 1, &err);
    assert_int_equal(status, DODONA_E_LIMIT);
    assert_int_equal(steps, 20);
    assert_non_null(strstr(err.message, "diverges"));
    assert_memory_equal(before, c.model->tensors.value, bytes);

    assert_int_equal(ddn_follow(&f, x, SENTENCES, (ddn_manner){ 0 }, NULL), 0);
    assert_int_equal(c.o.learner->step(&c.model->base, &f.pass, 1, NULL), 0);
    memcpy(before, c.model->tensors.optimiser.average, bytes);
    ddn_feed_forward_pass_gradient(f.pass, &words)[5] = NAN;
    for (steps = 0; !c.model->base.diverged; steps++)
        assert_int_equal(c.o.learner->step(&c.model->base, &f.pass, 1, NULL), 0);
    assert_int_equal(steps, 20);
    assert_int_equal(c.model->base.left_out, 40);
    assert_memory_equal(before, c.model->tensors.value, bytes);
    free(before);
    ddn_following_close(&f);
    end(&c);
}

/* What a learner without arcs refuses. */
static void arcs_are_refused(void **state)
{
    (void)state;
    static scene c;
    dodona_error err = { 0 };
    ddn_model *model;
    begin(&c, "arc-standard", few_templates, 12);
    ddn_spec spec = spec_of(&c, "[moves]\ns0.t\n[arcs]\nh.t\n", 1);
    assert_true(c.o.learner->create(&spec, &model, &err) < 0);
    assert_non_null(strstr(err.message, "without [arcs]"));
    spec = spec_of(&c, few_templates, 1);
    spec.heads = DDN_HEAD_ARCS;
    assert_int_equal(c.o.learner->create(&spec, &model, &err), DODONA_E_ARGUMENT);
    assert_non_null(strstr(err.message, "exact search"));
    spec.schema = NULL;
    spec.heads = 0;
    assert_int_equal(c.o.learner->create(&spec, &model, &err), DODONA_E_ARGUMENT);
    end(&c);
}

/* Creates, learns, saves and opens; 0 or the code of what failed. */
static int live(const scene *c)
{
    const ddn_example *x[SENTENCES];
    ddn_spec spec = spec_of(c, few_templates, 3), read = { .part = "parser", .schema = &c->schema };
    ddn_model *model = NULL, *opened = NULL;
    ddn_following f = { 0 };
    ddn_sections made;
    ddn_model_file file;
    ddn_rng rng;
    ddn_sections_init(&made);
    ddn_rng_init(&rng, 1);
    for (int k = 0; k < SENTENCES; k++)
        x[k] = &c->examples.example[k];
    int status = c->o.learner->create(&spec, &model, NULL);
    if (status >= 0)
        status = ddn_following_open(&f, &c->o, model, SENTENCES, &rng, NULL);
    if (status >= 0)
        status = ddn_follow_step(&f, x, SENTENCES, (ddn_manner){ 0 }, NULL);
    ddn_following_close(&f);
    if (status >= 0)
        status = c->o.learner->save(model, UINT64_MAX, &made, NULL);
    if (status >= 0) {
        ddn_sections_view(&made, "made", &file);
        status = c->o.learner->open(&file, &read, &opened, NULL);
    }
    ddn_model_close(opened);
    ddn_model_close(model);
    ddn_sections_fini(&made);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static scene c;
    begin(&c, "arc-standard", few_templates, 13);
    long before = test_alloc_live();
    bool failed = true;
    for (long k = 1; failed; k++) {
        test_alloc_fail(k, k % 2);
        int status = live(&c);
        failed = test_alloc_stop();
        assert_int_equal(status, failed ? DODONA_E_MEMORY : 0);
        assert_int_equal(test_alloc_live(), before);
    }
    end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_those_of_the_formula),
        cmocka_unit_test(moves_go_down_the_gradient),
        cmocka_unit_test(a_sentence_scores_the_same_anywhere),
        cmocka_unit_test(eight_bits_are_near_floats),
        cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(a_checkpoint_goes_on),
        cmocka_unit_test(divergence_is_noticed),
        cmocka_unit_test(arcs_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
