/* SPDX-License-Identifier: MIT */
/* The perceptron's cache: every answer that a search gets is compared with the sum over the weights
 * of each feature, looked up one by one. */
#include "lib/check.h"
#include "lib/perceptrons.h"
#include "lib/variants.h"
#include "model/perceptron.h"
#include "search/parser.h"

#include <stdlib.h>
#include <string.h>

enum { BEAM = 3 };

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
static void check_answers(const ddn_model *m, const test_variants *c, const char *search, int batch)
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
    test_variants c;
    ddn_rng_init(&r, 4);
    test_variants_init(&c, &r, MANY, MANY_FORMS, LONG);
    for (int i = 0; ddn_systems[i]; i++)
        for (int k = 0; test_templates(ddn_systems[i], k); k++) {
            test_perceptron p;
            if (strstr(test_templates(ddn_systems[i], k), "[arcs]"))
                continue;
            test_perceptron_init(&p, ddn_systems[i], test_templates(ddn_systems[i], k));
            test_randomize(&p, &r, c.list, c.count, 1, DDN_ROOTS_ONE);
            test_freeze(&p);
            for (int s = 0; s < 3; s++) {
                check_answers(p.frozen, &c, searches[s], 1);
                check_answers(p.frozen, &c, searches[s], 16);
                check_answers(p.learning, &c, searches[s], 16);
            }
            test_perceptron_fini(&p);
        }
    test_variants_fini(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cached_sums_are_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
