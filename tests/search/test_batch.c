/* SPDX-License-Identifier: MIT */
/* Several sentences at once give what each gives alone: moves, scores, trees and forests, for every
 * search, every scorer and every system that go together, in batches of any size and order.  Some
 * of the sentences differ in one word only.
 *
 * And the perceptron's cache: every answer that a search gets is compared with the sum over the
 * weights of each feature, looked up one by one. */
#include "chart/kbest.h"
#include "core/array.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/features.h"
#include "lib/naive.h"
#include "lib/parsing.h"
#include "lib/perceptrons.h"
#include "lib/scorers.h"
#include "model/builtin.h"
#include "model/perceptron.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABELS = 3, BEAM = 3, LONGEST = 9, LIMIT = 6, LISTED = 4 };

/* ---- Sentences ---- */

enum { SENTENCES = 14, FORMS = 60, LOOKS = 12 };

typedef struct corpus {
    ddn_sentence *sentence; /* [count] */
    const ddn_sentence **list;
    int count;
} corpus;

/* Forms with the same remainder have the same tag and features. */
static void add_word(ddn_sentence *s, int form)
{
    char word[16], tag[16], feats[16];
    snprintf(word, sizeof word, "w%d", form);
    snprintf(tag, sizeof tag, "T%d", form % 4);
    snprintf(feats, sizeof feats, "Case=C%d", form % 3);
    dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = { word, strlen(word) },
                                     [DDN_LEMMA] = { word, strlen(word) },
                                     [DDN_UPOS] = { tag, strlen(tag) },
                                     [DDN_XPOS] = { tag, strlen(tag) },
                                     [DDN_FEATS] = { feats, strlen(feats) } };
    assert_int_equal(ddn_sentence_word(s, col, NULL), DODONA_OK);
}

/* Of each five sentences, the second to fourth are as the first but for the form of one word: the
 * first, one in the middle, the last. */
static void corpus_init(corpus *c, ddn_rng *r, int count, int forms, int longest)
{
    int form[64] = { 0 };
    int32_t n = 0;
    c->count = count;
    c->sentence = calloc((size_t)count, sizeof *c->sentence);
    c->list = calloc((size_t)count, sizeof *c->list);
    assert_true(c->sentence && c->list && longest < 64);
    for (int i = 0; i < count; i++) {
        if (i % 5 == 0 || i % 5 == 4) {
            n = 1 + (int32_t)ddn_rng_below(r, (uint64_t)longest);
            for (int32_t w = 0; w < n; w++)
                form[w] = (int)ddn_rng_below(r, (uint64_t)forms);
        }
        int32_t place = i % 5 == 1 ? 0 : i % 5 == 2 ? n / 2 : i % 5 == 3 ? n - 1 : -1;
        ddn_sentence_init(&c->sentence[i]);
        for (int32_t w = 0; w < n; w++)
            add_word(&c->sentence[i], w == place ? (form[w] + LOOKS) % forms : form[w]);
        c->list[i] = &c->sentence[i];
    }
}

static void corpus_fini(corpus *c)
{
    for (int i = 0; i < c->count; i++)
        ddn_sentence_fini(&c->sentence[i]);
    free(c->sentence);
    free(c->list);
}

/* ---- What is found ---- */

typedef struct found {
    ddn_state state;
    ddn_move *move;
    size_t moves;
    ddn_score score;
    const char *fallback;
    int trees;
    double tree_score[LISTED];
    int32_t head[LISTED][LONGEST + 1], label[LISTED][LONGEST + 1];
} found;

static void found_fini(found *f)
{
    ddn_state_fini(&f->state);
    free(f->move);
}

static void list_trees(found *f, const ddn_searching *w)
{
    ddn_forest forest;
    ddn_kbest k;
    ddn_forest_init(&forest);
    ddn_kbest_init(&k);
    assert_int_equal(w->search->forest(w, &forest, NULL), DODONA_OK);
    assert_int_equal(ddn_kbest_begin(&k, &forest, NULL), DODONA_OK);
    while (f->trees < LISTED && ddn_kbest_next(&k, &f->tree_score[f->trees], f->head[f->trees],
                                               f->label[f->trees], NULL) > 0)
        f->trees++;
    assert_true(f->trees > 0);
    ddn_kbest_fini(&k);
    ddn_forest_fini(&forest);
}

static void take_found(found *f, const ddn_searching *w, bool forest)
{
    memset(f, 0, sizeof *f);
    ddn_state_init(&f->state);
    assert_int_equal(ddn_state_copy(&f->state, &w->state, NULL), DODONA_OK);
    f->move = malloc((w->moves + 1) * sizeof *f->move);
    assert_non_null(f->move);
    if (w->moves)
        memcpy(f->move, w->move, w->moves * sizeof *f->move);
    f->moves = w->moves;
    f->score = w->score;
    f->fallback = w->fallback;
    if (forest && w->search->forest)
        list_trees(f, w);
}

static void same_found(const found *a, const found *b)
{
    size_t words = (size_t)a->state.n * sizeof(int32_t);
    test_states_equal(&a->state, &b->state);
    assert_int_equal(a->moves, b->moves);
    for (size_t i = 0; i < a->moves; i++)
        assert_true(a->move[i].kind == b->move[i].kind && a->move[i].pos == b->move[i].pos &&
                    a->move[i].label == b->move[i].label);
    assert_true(a->score == b->score);
    assert_ptr_equal(a->fallback, b->fallback);
    assert_int_equal(a->trees, b->trees);
    for (int t = 0; t < a->trees; t++) {
        assert_true(a->tree_score[t] == b->tree_score[t]);
        assert_memory_equal(a->head[t] + 1, b->head[t] + 1, words);
        assert_memory_equal(a->label[t] + 1, b->label[t] + 1, words);
    }
}

/* ---- One search, one model ---- */

/* What is given of each sentence, if anything is. */
typedef struct given {
    int32_t head[SENTENCES][LONGEST + 1], label[SENTENCES][LONGEST + 1];
    bool some[SENTENCES];
} given;

static void draw_given(given *g, ddn_rng *r, const corpus *c)
{
    for (int i = 0; i < c->count; i++) {
        int32_t n = c->sentence[i].n;
        test_random_tree(r, n, TEST_PROJECTIVE | TEST_ONE_ROOT, g->head[i]);
        g->some[i] = i % 3 != 2;
        for (int32_t d = 1; d <= n; d++) {
            g->head[i][d] = ddn_rng_below(r, 2) ? g->head[i][d] : DDN_HEAD_OPEN;
            g->label[i][d] = ddn_rng_below(r, 4) ? DDN_LABEL_OPEN : 1;
        }
    }
}

static void give(ddn_searching *w, const given *g, const corpus *c, int i)
{
    int32_t word, n = g->some[i] ? c->sentence[i].n : 0;
    if (w->constraint)
        assert_int_equal(
            ddn_constraint_begin(w->constraint, g->head[i], g->label[i], n, &word, NULL),
            DODONA_OK);
}

/* Runs the sentences order[0..m) as one batch. */
static void run_batch(ddn_parser *p, const corpus *c, const given *g, const int *order, int m,
                      found *f, bool forest)
{
    const ddn_sentence *batch[SENTENCES] = { NULL };
    dodona_error err = { 0 };
    for (int i = 0; i < m; i++) {
        batch[i] = c->list[order[i]];
        p->searching[i]->keeps_moves = true;
        give(p->searching[i], g, c, order[i]);
    }
    if (ddn_parser_run(p, batch, m, &err) < 0)
        fail_msg("%s", err.message);
    for (int i = 0; i < m; i++)
        take_found(&f[i], p->searching[i], forest);
}

static void shuffle(ddn_rng *r, int *order, int m)
{
    for (int i = 0; i < m; i++) {
        int j = (int)ddn_rng_below(r, (uint64_t)i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

static void check_options(const ddn_model *m, const char *search, ddn_search_options o,
                          const corpus *c, const given *g, ddn_rng *r)
{
    static const int sizes[] = { 2, 5, SENTENCES };
    static found alone[SENTENCES], together[SENTENCES];
    ddn_parser p;
    int order[SENTENCES];
    for (int i = 0; i < c->count; i++) {
        test_parser_open(&p, m, search, o);
        run_batch(&p, c, g, &i, 1, &alone[i], o.forest);
        ddn_parser_close(&p);
    }
    assert_int_equal(ddn_parser_open(&p, m, search, &o, SENTENCES, NULL), DODONA_OK);
    for (int k = 0; k < 3; k++) {
        shuffle(r, order, c->count);
        for (int first = 0; first < c->count; first += sizes[k]) {
            int size = c->count - first < sizes[k] ? c->count - first : sizes[k];
            run_batch(&p, c, g, order + first, size, together, o.forest);
            for (int i = 0; i < size; i++) {
                same_found(&together[i], &alone[order[first + i]]);
                found_fini(&together[i]);
            }
        }
    }
    ddn_parser_close(&p);
    for (int i = 0; i < c->count; i++)
        found_fini(&alone[i]);
}

/* tried[i]: how often search i was. */
static void check_model(const ddn_model *m, const corpus *c, ddn_rng *r, int *tried)
{
    static given g;
    draw_given(&g, r, c);
    for (int i = 0; ddn_searches[i]; i++) {
        ddn_parser p;
        ddn_search_options o = { .roots = DDN_ROOTS_ONE, .beam = BEAM, .exact_limit = LIMIT };
        if (!(m->heads & DDN_HEAD_MOVES))
            o.exact_limit = LONGEST;
        int status = ddn_parser_open(&p, m, ddn_searches[i]->name, &o, 1, NULL);
        ddn_parser_close(&p);
        if (status == DODONA_E_ARGUMENT)
            continue;
        assert_int_equal(status, DODONA_OK);
        tried[i]++;
        o.forest = ddn_searches[i]->forest != NULL;
        check_options(m, ddn_searches[i]->name, o, c, &g, r);
        o.keep = true;
        check_options(m, ddn_searches[i]->name, o, c, &g, r);
        if (ddn_searches[i]->exact) {
            o.keep = false;
            o.decoder = "mst";
            check_options(m, ddn_searches[i]->name, o, c, &g, r);
        }
    }
}

static void all_tried(const int *tried)
{
    for (int i = 0; ddn_searches[i]; i++)
        assert_true(tried[i] > 0);
}

/* ---- All models ---- */

enum { SEARCHES = 16 };

static void toys_in_batches(void **state)
{
    (void)state;
    ddn_rng r;
    corpus c;
    int tried[SEARCHES] = { 0 };
    ddn_rng_init(&r, 1);
    corpus_init(&c, &r, SENTENCES, FORMS, LONGEST);
    for (int i = 0; ddn_systems[i]; i++)
        for (int kind = 0; kind <= TEST_TOYS; kind++) {
            test_toy toy;
            if (kind == TEST_TOY_PAIRS && !ddn_systems[i]->rules)
                continue;
            if (kind == TEST_TOYS)
                test_toy_init_few(&toy, ddn_systems[i], LABELS);
            else
                test_toy_init(&toy, (test_toy_kind)kind, ddn_systems[i], LABELS);
            toy.seed = (uint64_t)i;
            toy.range = i % 2 ? 1000 : 4;
            check_model(&toy.base, &c, &r, tried);
            test_toy_fini(&toy);
        }
    all_tried(tried);
    corpus_fini(&c);
}

static void random_features_in_batches(void **state)
{
    (void)state;
    ddn_rng r;
    corpus c;
    int tried[SEARCHES] = { 0 };
    ddn_rng_init(&r, 2);
    corpus_init(&c, &r, SENTENCES, FORMS, LONGEST);
    for (int i = 0; ddn_systems[i]; i++) {
        test_features f;
        test_features_init(&f, ddn_systems[i], ddn_builtin_find("huang"), (uint64_t)i);
        check_model(&f.base, &c, &r, tried);
        test_features_fini(&f);
    }
    for (int i = 0; ddn_searches[i]; i++)
        assert_int_equal(tried[i] > 0, !ddn_searches[i]->exact);
    corpus_fini(&c);
}

static const char mixed[] = "s0.w\ns0.w+q0.w\ns1.t+s0.t+q0.t\n[moves]\nq0.w+q1.t\ns0.lc.t+s0.l\n"
                            "[labels]\ns0.t+q0.t\ns1.w+s0.w\ns1.rc.w+d(s1,s0)\n";
static const char focus[] = "l0.w\nq0.w\nl0.w+q0.w\nl0.lc.w+l0.l\n[moves]\nq0.lc.t+q0.next.w\n"
                            "cl.w+l0.w\n[labels]\nl0.h.w+l0.t\nq0.rc.w+q0.vl\n";
static const char places[] = "s0.w\np.w\np.t+s0.l\n[moves]\nq0.w+p.w\n[labels]\np.w+c.t\n";
static const char arcs[] = "[arcs]\nh.w+m.w\nm.t+h.t\nd(h,m)+h.next.w\nm.prev.w+h.prev.t\n";
static const char pairs[] =
    "[moves]\ns0.w+q0.w\ns1.w+s0.w\ns2.t+s0.w\nq0.t\n[arcs]\nh.w+m.w\nm.w\n";

/* The set of templates of a number; NULL: there are no more.  The first is the system's own. */
static const char *templates_at(const ddn_system *system, int i)
{
    static const char *const sets[] = { mixed, focus, places, arcs, pairs, NULL };
    const char *own = system->templates ? system->templates : system->name;
    return i == 0 ? ddn_builtin_find(own) : sets[i - 1];
}

static void perceptrons_in_batches(void **state)
{
    (void)state;
    ddn_rng r;
    corpus c;
    int learning[SEARCHES] = { 0 }, frozen[SEARCHES] = { 0 };
    ddn_rng_init(&r, 3);
    corpus_init(&c, &r, SENTENCES, FORMS, LONGEST);
    for (int i = 0; ddn_systems[i]; i++)
        for (int k = 0; templates_at(ddn_systems[i], k); k++) {
            test_perceptron p;
            test_perceptron_init(&p, ddn_systems[i], templates_at(ddn_systems[i], k));
            test_randomize(&p, &r, c.list, c.count, 3, DDN_ROOTS_ONE);
            test_freeze(&p);
            check_model(p.learning, &c, &r, learning);
            check_model(p.frozen, &c, &r, frozen);
            test_perceptron_fini(&p);
        }
    all_tried(learning);
    all_tried(frozen);
    corpus_fini(&c);
}

/* ---- The cache ---- */

/* A model that asks a perceptron, and does its sums again. */
typedef struct checked {
    ddn_model base; /* first */
    const ddn_perceptron *model;
    int64_t answers; /* compared */
} checked;

typedef struct checked_pass {
    ddn_pass base; /* first */
    checked *of;
    ddn_pass *real;
    ddn_encodings encoded;
    ddn_query query[4096];
} checked_pass;

static int open_checked(const ddn_model *m, ddn_breadth breadth, ddn_pass **out, dodona_error *err)
{
    checked_pass *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->base.model = m;
    p->of = (checked *)m;
    *out = &p->base;
    return p->of->model->base.scorer->pass(&p->of->model->base, breadth, &p->real, err);
}

static void end_checked(ddn_pass *base)
{
    checked_pass *p = (checked_pass *)base;
    ddn_pass_end(p->real);
    ddn_encodings_fini(&p->encoded);
    free(p);
}

static int encode_checked(ddn_pass *base, const ddn_sentence *const *s, int m, dodona_error *err)
{
    checked_pass *p = (checked_pass *)base;
    assert_int_equal(ddn_encode_all(&p->encoded, &p->of->model->features.templates, s, m, NULL),
                     DODONA_OK);
    return p->of->model->base.scorer->encode(p->real, s, m, err);
}

static const uint32_t *values_checked(const ddn_pass *base, int sentence)
{
    const checked_pass *p = (const checked_pass *)base;
    return p->of->model->base.scorer->values(p->real, sentence);
}

/* Adds the weights of one feature. */
static void add_feature(const ddn_linear *l, uint64_t key, int32_t *kind, int32_t *class)
{
    uint32_t list = 0;
    if (!l->learns) {
        ddn_frozen_kinds_plain(&l->frozen, &key, 1, kind, &list);
        ddn_frozen_classes(&l->frozen, &list, 1, class);
        return;
    }
    uint32_t row = ddn_weights_find(&l->weights, key);
    for (int k = 0; k < l->columns; k++)
        kind[k] += l->weights.w[row * (uint32_t)l->columns + (uint32_t)k];
    struct ddn_list of = l->weights.list[row];
    for (unsigned j = 0; j < of.count; j++)
        class[l->weights.class[of.at + j].class] += l->weights.class[of.at + j].w;
}

/* The sums of all types, or of all classes, that a query has. */
static void sum_query(const checked_pass *p, const ddn_query *q, unsigned use, int32_t *kind,
                      int32_t *class)
{
    const ddn_features *f = &p->of->model->features;
    const ddn_templates *t = &f->templates;
    const ddn_encoded *e = &p->encoded.of[q->sentence];
    uint32_t atom[DDN_MAX_ATOMS];
    ddn_read_atoms(t, e, q->view - q->view->back, atom);
    if (q->view->back)
        ddn_read_atoms_of_p(t, e, q->view, atom);
    for (int i = 0; i < t->templates; i++)
        if ((t->line[i].use & use) && (q->view->back || !t->line[i].sees_p))
            add_feature(&p->of->model->linear, ddn_feature_key(&f->feature[i], atom), kind, class);
}

enum { MOST_CLASSES = DDN_MAX_KINDS * TEST_RELATIONS };

static int moves_checked(ddn_pass *base, const ddn_query *query, int m, ddn_score *score,
                         dodona_error *err)
{
    checked_pass *p = (checked_pass *)base;
    int status = p->of->model->base.scorer->moves(p->real, query, m, score, err);
    assert_in_range(m, 1, 4096);
    memcpy(p->query, query, (size_t)m * sizeof *query);
    for (int q = 0; q < m; q++) {
        int32_t kind[DDN_MAX_KINDS] = { 0 }, class[MOST_CLASSES + DDN_CHUNK] = { 0 };
        sum_query(p, &query[q], DDN_FOR_MOVES, kind, class);
        for (int k = 0; k < p->of->model->linear.columns; k++, p->of->answers++)
            assert_true(score[q * DDN_MAX_KINDS + k] == kind[k]);
    }
    return status;
}

static void labels_checked(ddn_pass *base, const ddn_arc_query *q, ddn_score *score)
{
    checked_pass *p = (checked_pass *)base;
    const ddn_features *f = &p->of->model->features;
    int32_t kind[DDN_MAX_KINDS] = { 0 }, class[MOST_CLASSES + DDN_CHUNK] = { 0 };
    p->of->model->base.scorer->labels(p->real, q, score);
    assert_int_equal(q->sentence, p->query[q->query].sentence);
    sum_query(p, &p->query[q->query], DDN_FOR_LABELS, kind, class);
    for (uint32_t l = 0; l < TEST_RELATIONS; l++, p->of->answers++)
        assert_true(score[l] == class[ddn_features_class(f, q->kind) + l]);
}

/* The label that is best by the sums. */
static uint16_t label_checked(ddn_pass *base, const ddn_arc_query *q, ddn_score *score)
{
    checked_pass *p = (checked_pass *)base;
    ddn_score all[TEST_RELATIONS];
    uint16_t label = p->of->model->base.scorer->label(p->real, q, score);
    uint8_t use = q->arc.head == 0 ? DDN_LABEL_OF_ROOT : DDN_LABEL_OF_WORD;
    labels_checked(base, q, all);
    assert_true(*score == all[label] && (base->model->schema->uses[label] & use));
    for (uint16_t l = 0; l < TEST_RELATIONS; l++)
        if (base->model->schema->uses[l] & use)
            assert_true(l < label ? all[l] < all[label] : all[l] <= all[label]);
    return label;
}

static const ddn_scorer checking = {
    .name = "checked perceptron",
    .pass = open_checked,
    .end = end_checked,
    .encode = encode_checked,
    .moves = moves_checked,
    .label = label_checked,
    .labels = labels_checked,
    .values = values_checked,
};

/* Parses everything, so many sentences at a time. */
static void check_answers(const ddn_model *m, const corpus *c, const char *search, int batch)
{
    checked of = { .base = *m, .model = (const ddn_perceptron *)m };
    ddn_search_options o = { .roots = DDN_ROOTS_ONE, .beam = BEAM };
    ddn_parser p;
    of.base.scorer = &checking;
    int status = ddn_parser_open(&p, &of.base, search, &o, batch, NULL);
    for (int i = 0; i < c->count && status >= 0; i += batch) {
        int size = c->count - i < batch ? c->count - i : batch;
        assert_int_equal(ddn_parser_run(&p, c->list + i, size, NULL), DODONA_OK);
    }
    ddn_parser_close(&p);
    assert_true(strcmp(search, "dp") == 0 ? status >= 0 || status == DODONA_E_ARGUMENT
                                          : of.answers > 1000);
}

/* Enough sentences that the cache is full several times, with many views (beam, dp) and with one
 * (greedy). */
static void cached_sums_are_sums(void **state)
{
    (void)state;
    enum { MANY = 60, LONG = 20, MANY_FORMS = 400 };
    static const char *const searches[] = { "greedy", "beam", "dp" };
    ddn_rng r;
    corpus c;
    ddn_rng_init(&r, 4);
    corpus_init(&c, &r, MANY, MANY_FORMS, LONG);
    for (int i = 0; ddn_systems[i]; i++)
        for (int k = 0; templates_at(ddn_systems[i], k); k++) {
            test_perceptron p;
            if (strstr(templates_at(ddn_systems[i], k), "[arcs]"))
                continue;
            test_perceptron_init(&p, ddn_systems[i], templates_at(ddn_systems[i], k));
            test_randomize(&p, &r, c.list, c.count, 1, DDN_ROOTS_ONE);
            test_freeze(&p);
            for (int s = 0; s < 3; s++) {
                check_answers(p.frozen, &c, searches[s], 1);
                check_answers(p.frozen, &c, searches[s], 16);
                check_answers(p.learning, &c, searches[s], 16);
            }
            test_perceptron_fini(&p);
        }
    corpus_fini(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(toys_in_batches),
        cmocka_unit_test(random_features_in_batches),
        cmocka_unit_test(perceptrons_in_batches),
        cmocka_unit_test(cached_sums_are_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
