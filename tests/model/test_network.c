/* SPDX-License-Identifier: MIT */
/* The scorer 'network': what it reads, its gradient, its files, and that a sentence's scores do not
 * depend on its neighbours or the processor. */
#include "model/network.h"

#include "lib/check.h"
#include "lib/tagged.h"
#include "search/parser.h"
#include "train/follow.h"
#include "train/heads.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SENTENCES = 6, MOST_MOVES = 8 };

typedef struct scene {
    ddn_treebank bank;
    ddn_schema schema;
    ddn_examples examples;
    ddn_train_options o;
    ddn_network *model;
    ddn_rng rng;
} scene;

static void *room(size_t bytes)
{
    void *p = malloc(bytes + 1);
    assert_non_null(p);
    return p;
}

static void begin(scene *c, const char *system, const char *search, uint64_t seed)
{
    const ddn_sentence *sentence[SENTENCES];
    ddn_model *model;
    test_tagged(&c->bank, seed, SENTENCES);
    ddn_schema_init(&c->schema);
    memset(&c->examples, 0, sizeof c->examples);
    c->schema.system = ddn_system_find(system);
    c->o = (ddn_train_options){ .system = c->schema.system,
                                .learner = ddn_scorer_find("network"),
                                .regime = DDN_TRAIN_STATIC,
                                .nonprojective = DDN_NONPROJECTIVE_PROJECTIVIZE,
                                .reach = ddn_system_reach(c->schema.system),
                                .search = search,
                                .roots = DDN_ROOTS_ONE };
    assert_int_equal(ddn_oracle_find(c->schema.system, NULL, false, &c->o.oracle, NULL), 0);
    assert_int_equal(ddn_examples_make(&c->examples, &c->o, &c->bank, &c->schema, NULL), 0);
    assert_int_equal(c->examples.count, SENTENCES);
    for (int i = 0; i < SENTENCES; i++)
        sentence[i] = c->examples.example[i].sentence;
    ddn_spec spec = { .part = "parser",
                      .schema = &c->schema,
                      .seed = seed,
                      .sentence = sentence,
                      .sentences = SENTENCES,
                      .iterations = 10,
                      .heads = ddn_search_find(search)->heads };
    assert_int_equal(c->o.learner->create(&spec, &model, NULL), 0);
    c->model = (ddn_network *)model;
    ddn_rng_init(&c->rng, seed);
    for (size_t t = 0; t < c->model->tensors.params.count; t++) { /* nothing begins at 0 */
        const ddn_tensor *tensor = &c->model->tensors.params.tensor[t];
        for (size_t k = 0; k < tensor->rows * tensor->cols; k++)
            c->model->tensors.value[tensor->at + k] += 0.1f * (float)(ddn_rng_unit(&c->rng) - 0.5);
    }
}

static void end(scene *c)
{
    ddn_model_close(&c->model->base);
    ddn_examples_fini(&c->examples);
    ddn_schema_fini(&c->schema);
    ddn_treebank_fini(&c->bank);
}

/* ---- The gradient ---- */

static double log_loss(const ddn_score *score, int m, int target)
{
    double sum = 0;
    for (int i = 0; i < m; i++)
        sum += exp(score[i] - score[target]);
    return log(sum);
}

static double loss_of_label(const scene *c, ddn_pass *p, int number, ddn_arc arc, uint16_t gold)
{
    ddn_score label[DDN_MAX_LABELS];
    c->o.learner->labels(p, &(ddn_arc_query){ -1, number, 0, arc }, label);
    return log_loss(label, (int)c->schema.labels.count, gold);
}

/* -log softmax of every move that the oracle takes, among the legal ones, and of the labels. */
static double loss_of_path(const scene *c, ddn_pass *p, const ddn_example *x, int number)
{
    const ddn_oracle *oracle = c->o.oracle;
    ddn_score kind[DDN_MAX_KINDS], legal[MOST_MOVES];
    ddn_move move[MOST_MOVES];
    int32_t cost[MOST_MOVES];
    ddn_gold gold;
    ddn_state s;
    ddn_view v;
    ddn_query q = { number, &v };
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
        ddn_view_fill(c->model->base.layout, &s, -1, -1, &v);
        assert_int_equal(c->o.learner->moves(p, &q, 1, kind, NULL), 0);
        for (int32_t i = 0; i < count; i++)
            legal[i] = kind[move[i].kind];
        loss += log_loss(legal, count, target);
        ddn_arc arc = ddn_system_arc(c->o.system, &s, move[target]);
        if (arc.head >= 0) {
            move[target].label = gold.label[arc.child];
            loss += loss_of_label(c, p, number, arc, move[target].label);
        }
        c->o.system->apply(&s, move[target], NULL);
    }
    ddn_oracle_close(space);
    ddn_gold_fini(&gold);
    ddn_state_fini(&s);
    return loss;
}

/* -log softmax of every head among all other nodes, and of the labels. */
static double loss_of_heads(const scene *c, ddn_pass *p, const ddn_example *x, int number)
{
    int32_t n = x->sentence->n;
    size_t m = (size_t)n + 1;
    ddn_score *w = room(m * m * sizeof *w), *of = room(m * sizeof *of);
    double loss = 0;
    assert_int_equal(c->o.learner->arcs(p, number, w, NULL, NULL), 0);
    for (int32_t d = 1; d <= n; d++) {
        for (int32_t h = 0; h <= n; h++)
            of[h] = h == d ? -INFINITY : w[(size_t)h * m + (size_t)d];
        loss += log_loss(of, n + 1, x->head[d]);
        loss += loss_of_label(c, p, number, (ddn_arc){ x->head[d], d }, x->label[d]);
    }
    free(w);
    free(of);
    return loss;
}

/* Of the batch, with the dropout of that seed. */
static double loss(const scene *c, uint64_t seed)
{
    const ddn_sentence *sentence[SENTENCES];
    ddn_pass *p;
    double total = 0;
    assert_int_equal(c->o.learner->pass(&c->model->base, DDN_ONE_VIEW, &p, NULL), 0);
    p->seed = seed;
    for (int i = 0; i < SENTENCES; i++)
        sentence[i] = c->examples.example[i].sentence;
    assert_int_equal(c->o.learner->encode(p, sentence, SENTENCES, NULL), 0);
    for (int i = 0; i < SENTENCES; i++) {
        const ddn_example *x = &c->examples.example[i];
        total += c->model->base.heads & DDN_HEAD_ARCS ? loss_of_heads(c, p, x, i)
                                                      : loss_of_path(c, p, x, i);
    }
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
            at[side] = loss(c, 7);
        }
        memcpy(value, before, n * sizeof *before);
        double want = (at[0] - at[1]) / (2 * step) / sqrt(length), got = along / sqrt(length);
        if (fabs(got - want) > 0.01 * sqrt(steepest) + 0.05)
            fail_msg("%s: %.6f, not %.6f", t->name, got, want);
    }
    free(before);
}

/* Along the gradient itself, where all of it counts, and along a direction that is drawn. */
static void the_gradient_is_right(scene *c, const float *gradient)
{
    size_t used = 0;
    for (size_t i = 0; i < c->model->tensors.params.count; i++) {
        const ddn_tensor *t = &c->model->tensors.params.tensor[i];
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
    assert_int_equal(used, c->model->tensors.params.count);
}

static void moves_go_down_the_gradient(void **state)
{
    (void)state;
    static const char *const system[] = { "arc-standard", "arc-eager", "covington" };
    static scene c;
    for (int i = 0; i < 3; i++) {
        const ddn_example *x[SENTENCES];
        ddn_following f;
        size_t words;
        begin(&c, system[i], "greedy", 1 + (uint64_t)i);
        for (int k = 0; k < SENTENCES; k++)
            x[k] = &c.examples.example[k];
        assert_int_equal(ddn_following_open(&f, &c.o, &c.model->base, SENTENCES, &c.rng, NULL), 0);
        f.pass->seed = 7;
        assert_int_equal(ddn_follow(&f, x, SENTENCES, (ddn_manner){ 0 }, NULL), 0);
        the_gradient_is_right(&c, ddn_network_pass_gradient(f.pass, &words));
        ddn_following_close(&f);
        end(&c);
    }
}

static void heads_go_down_the_gradient(void **state)
{
    (void)state;
    static scene c;
    const ddn_example *x[SENTENCES];
    ddn_heads l;
    size_t words;
    begin(&c, "arc-hybrid", "exact", 4);
    for (int k = 0; k < SENTENCES; k++)
        x[k] = &c.examples.example[k];
    assert_int_equal(ddn_heads_open(&l, &c.model->base, NULL), 0);
    l.pass->seed = 7;
    assert_int_equal(ddn_heads_learn(&l, x, SENTENCES, NULL), 0);
    the_gradient_is_right(&c, ddn_network_pass_gradient(l.pass, &words));
    assert_int_equal(words, c.bank.words);
    ddn_heads_close(&l);
    end(&c);
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

/* All scores of arcs and labels of sentence number of those that are encoded. */
static double *ask_all(const scene *c, ddn_pass *p, int number, int32_t n, size_t *count)
{
    size_t m = (size_t)n + 1, labels = c->schema.labels.count;
    double *all = room((m * m + m * labels) * sizeof *all);
    memset(all, 0, (m * m + m * labels) * sizeof *all);
    assert_int_equal(c->o.learner->arcs(p, number, all, NULL, NULL), 0);
    for (int32_t d = 1; d <= n; d++)
        c->o.learner->labels(p, &(ddn_arc_query){ -1, number, 0, { d - 1, d } },
                             all + m * m + (size_t)d * labels);
    *count = m * m + m * labels;
    return all;
}

/* A sentence alone and among others, before and after them, on this processor and in plain C. */
static void a_sentence_scores_the_same_anywhere(void **state)
{
    (void)state;
    static scene c;
    const ddn_sentence *sentence[SENTENCES];
    ddn_sections made;
    ddn_model_file file;
    ddn_model *opened;
    ddn_pass *together, *alone;
    begin(&c, "arc-standard", "exact", 5);
    open_again(&c, &made, &file, &opened);
    for (int i = 0; i < SENTENCES; i++)
        sentence[i] = c.examples.example[i].sentence;
    assert_int_equal(c.o.learner->pass(opened, DDN_ONE_VIEW, &together, NULL), 0);
    assert_int_equal(c.o.learner->encode(together, sentence, SENTENCES, NULL), 0);
    ((ddn_network *)opened)->tensors.kernels = ddn_kernels_all[0];
    assert_int_equal(c.o.learner->pass(opened, DDN_ONE_VIEW, &alone, NULL), 0);
    for (int i = SENTENCES - 1; i >= 0; i--) {
        size_t count[2];
        assert_int_equal(c.o.learner->encode(alone, &sentence[i], 1, NULL), 0);
        double *one = ask_all(&c, alone, 0, sentence[i]->n, &count[0]);
        double *two = ask_all(&c, together, i, sentence[i]->n, &count[1]);
        assert_int_equal(count[0], count[1]);
        assert_memory_equal(one, two, count[0] * sizeof *one);
        free(one);
        free(two);
    }
    ddn_pass_end(alone);
    ddn_pass_end(together);
    ddn_model_close(opened);
    ddn_sections_fini(&made);
    end(&c);
}

/* ---- Searches ---- */

/* The best sum of logarithms of probabilities that a derivation from here has, by trying all. */
static double best_from(const scene *c, ddn_pass *p, const ddn_state *s)
{
    ddn_move move[MOST_MOVES];
    ddn_score kind[DDN_MAX_KINDS], legal[MOST_MOVES], label;
    ddn_view v;
    double best = -INFINITY;
    if (c->o.system->final(s))
        return 0;
    int32_t count = ddn_system_moves(c->o.system, s, move, NULL);
    assert_true(count <= MOST_MOVES);
    ddn_view_fill(p->model->layout, s, -1, -1, &v);
    assert_int_equal(c->o.learner->moves(p, &(ddn_query){ 0, &v }, 1, kind, NULL), 0);
    for (int32_t i = 0; i < count; i++)
        legal[i] = kind[move[i].kind];
    for (int32_t i = 0; i < count; i++) {
        ddn_arc arc = ddn_system_arc(c->o.system, s, move[i]);
        double score = -log_loss(legal, count, i);
        ddn_state next;
        if (arc.head >= 0) {
            move[i].label = c->o.learner->label(p, &(ddn_arc_query){ -1, 0, 0, arc }, &label);
            score += label;
        }
        ddn_state_init(&next);
        assert_int_equal(ddn_state_copy(&next, s, NULL), 0);
        c->o.system->apply(&next, move[i], NULL);
        best = fmax(best, score + best_from(c, p, &next));
        ddn_state_fini(&next);
    }
    return best;
}

/* The sentence with the fewest words. */
static const ddn_sentence *shortest(const scene *c)
{
    const ddn_sentence *least = c->examples.example[0].sentence;
    for (int i = 1; i < SENTENCES; i++)
        if (c->examples.example[i].sentence->n < least->n)
            least = c->examples.example[i].sentence;
    return least;
}

/* A beam that loses nothing finds the most probable derivation. */
static void beams_add_up_probabilities(void **state)
{
    (void)state;
    static const char *const system[] = { "arc-standard", "arc-eager", "covington" };
    static scene c;
    for (int i = 0; i < 3; i++) {
        ddn_sections made;
        ddn_model_file file;
        ddn_model *opened;
        ddn_parser parser;
        ddn_state start;
        ddn_search_options options = { .roots = DDN_ROOTS_ONE, .beam = 20000 };
        uint64_t seed = 1 + (uint64_t)i;
        for (begin(&c, system[i], "beam", seed); shortest(&c)->n > 5; seed += 10) {
            end(&c);
            begin(&c, system[i], "beam", seed);
        }
        open_again(&c, &made, &file, &opened);
        const ddn_sentence *s = shortest(&c);
        assert_int_equal(ddn_parser_open(&parser, opened, "beam", &options, 1, NULL), 0);
        assert_int_equal(ddn_parser_run(&parser, &s, 1, NULL), 0);
        ddn_state_init(&start);
        assert_int_equal(ddn_state_start(&start, s->n, DDN_ROOTS_ONE, NULL), 0);
        double want = best_from(&c, parser.pass, &start);
        if (fabs(parser.searching[0]->score - want) > 1e-3)
            fail_msg("%s: %.6f, not %.6f", system[i], parser.searching[0]->score, want);
        ddn_state_fini(&start);
        ddn_parser_close(&parser);
        ddn_model_close(opened);
        ddn_sections_fini(&made);
        end(&c);
    }
}

/* What is saved parses about as what was learnt. */
static void eight_bits_are_near_floats(void **state)
{
    (void)state;
    static scene c;
    ddn_sections made;
    ddn_model_file file;
    ddn_model *opened;
    begin(&c, "arc-standard", "exact", 6);
    c.model->dropout = c.model->word_rate = 0;
    open_again(&c, &made, &file, &opened);
    const ddn_model *model[] = { &c.model->base, opened };
    const ddn_sentence *s = c.examples.example[0].sentence;
    size_t m = (size_t)s->n + 1, count;
    double *w[2], largest = 0;
    for (int i = 0; i < 2; i++) {
        ddn_pass *p;
        assert_int_equal(c.o.learner->pass(model[i], DDN_ONE_VIEW, &p, NULL), 0);
        assert_int_equal(c.o.learner->encode(p, &s, 1, NULL), 0);
        w[i] = ask_all(&c, p, 0, s->n, &count);
        ddn_pass_end(p);
    }
    for (size_t k = 0; k < m * m; k++)
        largest = fmax(largest, fabs(w[0][k]));
    for (size_t k = 0; k < m * m; k++)
        assert_true(fabs(w[0][k] - w[1][k]) < 0.05 * largest);
    free(w[0]);
    free(w[1]);
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
    static const char *const sizes[] = {
        "",
        "head trees\nword 64\n",
        "head moves\n",
        "head moves\nword 0\n",
        "head moves\nword 513\n",
        "head moves\nupos 32\n",
    };
    static const char *const says[] = { "no line 'head'", "a head 'trees'", "a line 'word'",
                                        "from 1 to 512",  "from 1 to 512",  "a line 'word'" };
    ddn_sections made;
    ddn_model_file file;
    ddn_model *opened;
    begin(&c, "arc-standard", "greedy", 8);
    open_again(&c, &made, &file, &opened);
    ddn_model_close(opened);
    for (int i = 0; i < 6; i++)
        refused(&c, &file, "parser.sizes", sizes[i], strlen(sizes[i]), says[i]);
    refused(&c, &file, "parser.words", "a\na\n", 4, "line 2");
    refused(&c, &file, "parser.words", "a\nb", 3, "newline");
    refused(&c, &file, "parser.upos", "NOUN\n", 5, "bytes instead of");
    size_t tables = 0; /* bytes before the first product */
    const ddn_params *p = &c.model->tensors.params;
    for (size_t i = 0; p->tensor[i].looked_up; i++)
        tables += ddn_int8_table_bytes(p->tensor[i].rows, p->tensor[i].cols);
    damaged(&c, &file, "parser.floats", 0, "values that make no sense");
    damaged(&c, &file, "parser.int8", 0, "the table 'word'");
    damaged(&c, &file, "parser.int8", tables, "the product 'spelling.w'");
    dodona_error err = { 0 };
    ddn_sections small;
    ddn_sections_init(&small);
    assert_int_equal(c.o.learner->save(&c.model->base, 1000, &small, &err), DODONA_E_LIMIT);
    assert_non_null(strstr(err.message, "--model-size"));
    ddn_sections_fini(&small);
    ddn_sections_fini(&made);
    end(&c);
}

/* Learns a batch, with a number that is not finite planted in its gradient. */
static int step(scene *c, ddn_heads *l, bool planted, dodona_error *err)
{
    const ddn_example *x[SENTENCES];
    size_t words;
    for (int k = 0; k < SENTENCES; k++)
        x[k] = &c->examples.example[k];
    assert_int_equal(ddn_heads_learn(l, x, SENTENCES, NULL), 0);
    if (planted)
        ddn_network_pass_gradient(l->pass, &words)[5] = NAN;
    return c->o.learner->step(&c->model->base, &l->pass, 1, err);
}

/* A step without a finite gradient is not made; after many of them learning ends where the average
 * was, which a model can be made of.  Before the first step there is nothing to fall back to. */
static void divergence_is_noticed(void **state)
{
    (void)state;
    static scene c;
    ddn_heads l;
    dodona_error err = { 0 };
    begin(&c, "arc-standard", "exact", 9);
    assert_int_equal(ddn_heads_open(&l, &c.model->base, NULL), 0);
    const ddn_model *m = &c.model->base;
    size_t bytes = c.model->tensors.params.size * sizeof *c.model->tensors.value;
    float *before = room(bytes);
    memcpy(before, c.model->tensors.value, bytes);
    for (int i = 0; i < 19; i++)
        assert_int_equal(step(&c, &l, true, NULL), 0);
    assert_memory_equal(before, c.model->tensors.value, bytes);
    assert_int_equal(step(&c, &l, false, NULL), 0);
    assert_memory_not_equal(before, c.model->tensors.value, bytes);
    assert_int_equal(m->left_out, 19);

    memcpy(before, c.model->tensors.optimiser.average, bytes);
    c.model->tensors.value[3] = INFINITY; /* all gradients are spoilt from now on */
    for (int i = 0; i < 20; i++) {
        assert_false(m->diverged);
        assert_int_equal(step(&c, &l, false, NULL), 0);
    }
    assert_true(m->diverged);
    assert_int_equal(m->left_out, 39);
    assert_memory_equal(before, c.model->tensors.value, bytes);
    assert_int_equal(step(&c, &l, false, NULL), 0);
    assert_memory_equal(before, c.model->tensors.value, bytes);
    ddn_heads_close(&l);
    end(&c);

    begin(&c, "arc-standard", "exact", 9);
    assert_int_equal(ddn_heads_open(&l, &c.model->base, NULL), 0);
    for (int i = 0; i < 19; i++)
        assert_int_equal(step(&c, &l, true, NULL), 0);
    assert_int_equal(step(&c, &l, true, &err), DODONA_E_LIMIT);
    assert_non_null(strstr(err.message, "diverges"));
    ddn_heads_close(&l);
    end(&c);
    free(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_go_down_the_gradient),
        cmocka_unit_test(heads_go_down_the_gradient),
        cmocka_unit_test(a_sentence_scores_the_same_anywhere),
        cmocka_unit_test(eight_bits_are_near_floats),
        cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(beams_add_up_probabilities),
        cmocka_unit_test(divergence_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
