/* SPDX-License-Identifier: MIT */
#include "lib/features.h"

#include "core/array.h"
#include "lib/check.h"

#include <stdlib.h>
#include <string.h>

typedef struct features_pass {
    ddn_pass base; /* first */
    const test_features *model;
    ddn_encodings encoded;
    uint32_t (*atom)[DDN_MAX_ATOMS]; /* [queries] of the last call */
    int32_t *sentence;               /* [queries] */
    int queries;
    size_t atom_cap, sentence_cap;
} features_pass;

static int open_pass(const ddn_model *m, ddn_breadth breadth, ddn_pass **out, dodona_error *err)
{
    features_pass *p = calloc(1, sizeof *p);
    (void)breadth;
    *out = NULL;
    if (!p)
        return ddn_fail_memory(err);
    p->base.model = m;
    p->model = (const test_features *)m;
    *out = &p->base;
    return DODONA_OK;
}

static void end_pass(ddn_pass *base)
{
    features_pass *p = (features_pass *)base;
    ddn_encodings_fini(&p->encoded);
    free(p->atom);
    free(p->sentence);
    free(p);
}

static int encode(ddn_pass *base, const ddn_sentence *const *s, int m, dodona_error *err)
{
    features_pass *p = (features_pass *)base;
    p->queries = 0;
    return ddn_encode_all(&p->encoded, &p->model->templates, s, m, err);
}

static const uint32_t *values(const ddn_pass *base, int sentence)
{
    return ((const features_pass *)base)->encoded.of[sentence].value;
}

/* The weight of a feature for a number that stands for a kind, or a kind and a label. */
static ddn_score weight(const test_features *f, uint64_t key, uint64_t number)
{
    uint64_t h = (key ^ f->seed) * 0x9e3779b97f4a7c15u + number * 0xd6e8feb86659fd93u;
    h = (h ^ h >> 31) * 0xbf58476d1ce4e5b9u;
    return (ddn_score)(h >> 40) - (1 << 23);
}

static ddn_score sum(const features_pass *p, int q, unsigned use, uint64_t number)
{
    const test_features *f = p->model;
    ddn_score total = 0;
    for (int i = 0; i < f->templates.templates; i++)
        if (f->templates.line[i].use & use)
            total += weight(f, ddn_feature_key(&f->feature[i], p->atom[q]), number);
    return total;
}

static int moves(ddn_pass *base, const ddn_query *query, int m, ddn_score *score, dodona_error *err)
{
    features_pass *p = (features_pass *)base;
    const test_features *f = p->model;
    if (!ddn_reserve(&p->atom, &p->atom_cap, (size_t)m, sizeof *p->atom) ||
        !ddn_reserve(&p->sentence, &p->sentence_cap, (size_t)m, sizeof *p->sentence))
        return ddn_fail_memory(err);
    p->queries = m;
    for (int q = 0; q < m; q++) {
        const ddn_encoded *e = &p->encoded.of[query[q].sentence];
        p->sentence[q] = query[q].sentence;
        ddn_read_atoms(&f->templates, e, query[q].view - query[q].view->back, p->atom[q]);
        for (int k = 0; k < f->schema.system->kinds; k++)
            score[q * DDN_MAX_KINDS + k] = sum(p, q, DDN_FOR_MOVES, (uint64_t)k);
    }
    return DODONA_OK;
}

static void labels(ddn_pass *base, const ddn_arc_query *q, ddn_score *score)
{
    const features_pass *p = (const features_pass *)base;
    assert_in_range(q->query, 0, p->queries - 1);
    assert_int_equal(q->sentence, p->sentence[q->query]);
    for (int l = 0; l < TEST_LABELS; l++)
        score[l] =
            sum(p, q->query, DDN_FOR_LABELS, (uint64_t)(DDN_MAX_KINDS + q->kind * TEST_LABELS + l));
}

static uint16_t label(ddn_pass *base, const ddn_arc_query *q, ddn_score *score)
{
    ddn_score all[TEST_LABELS];
    uint16_t best = q->arc.head == 0 ? 0 : 1;
    labels(base, q, all);
    for (uint16_t l = 2; l < TEST_LABELS && q->arc.head; l++)
        best = all[l] > all[best] ? l : best;
    *score = all[best];
    return best;
}

static const ddn_scorer features = {
    .name = "random features",
    .batch = DDN_MAX_BATCH,
    .pass = open_pass,
    .end = end_pass,
    .encode = encode,
    .moves = moves,
    .label = label,
    .labels = labels,
    .values = values,
};

void test_features_init(test_features *f, const ddn_system *system, const char *templates,
                        uint64_t seed)
{
    static const char *const name[TEST_LABELS] = { "root", "a", "b", "c" };
    memset(f, 0, sizeof *f);
    ddn_schema_init(&f->schema);
    f->schema.system = system;
    for (int l = 0; l < TEST_LABELS; l++)
        assert_int_equal(ddn_schema_add_label(&f->schema, (dodona_text){ name[l], strlen(name[l]) },
                                              l ? DDN_LABEL_OF_WORD : DDN_LABEL_OF_ROOT, NULL),
                         DODONA_OK);
    assert_int_equal(
        ddn_templates_compile(&f->templates, templates, strlen(templates), "test", NULL),
        DODONA_OK);
    ddn_features_list(&f->templates, f->feature);
    f->reads = ddn_templates_reads(&f->templates);
    f->base = (ddn_model){ .scorer = &features,
                           .schema = &f->schema,
                           .heads = DDN_HEAD_MOVES,
                           .templates = f->templates.templates,
                           .layout = &f->templates.layout,
                           .reads = &f->reads };
    f->seed = seed;
}

void test_features_fini(test_features *f)
{
    ddn_schema_fini(&f->schema);
}

void test_few_words(ddn_rng *r, int32_t n, ddn_sentence *s)
{
    static const char *const form[] = { "oak", "leaf", "dove" };
    static const char *const tag[] = { "NOUN", "VERB" };
    static const char *const feats[] = { "_", "Case=Nom", "Case=Acc|Number=Sing" };
    ddn_sentence_clear(s);
    for (int32_t i = 0; i < n; i++) {
        dodona_text col[DDN_COLUMNS];
        for (int c = 0; c < DDN_COLUMNS; c++)
            col[c] = (dodona_text){ "_", 1 };
        const char *w = form[ddn_rng_below(r, 3)], *t = tag[ddn_rng_below(r, 2)];
        const char *f = feats[ddn_rng_below(r, 3)];
        col[DDN_FORM] = col[DDN_LEMMA] = (dodona_text){ w, strlen(w) };
        col[DDN_UPOS] = col[DDN_XPOS] = (dodona_text){ t, strlen(t) };
        col[DDN_FEATS] = (dodona_text){ f, strlen(f) };
        assert_int_equal(ddn_sentence_word(s, col, NULL), DODONA_OK);
    }
}
