/* SPDX-License-Identifier: MIT */
#include "lib/features.h"

#include "core/array.h"
#include "lib/check.h"

#include <stdlib.h>
#include <string.h>

static int reserve(ddn_scoring *g, int views, dodona_error *err)
{
    test_features *f = (test_features *)g;
    return ddn_reserve(&f->atom, &f->atom_cap, (size_t)views, sizeof *f->atom)
               ? DODONA_OK
               : ddn_fail_memory(err);
}

static int begin(ddn_scoring *g, const ddn_sentence *const *s, int m, dodona_error *err)
{
    test_features *f = (test_features *)g;
    assert_int_equal(m, 1);
    return ddn_encode(&f->encoded, &f->templates, s[0], err);
}

static const ddn_encoded *encoded(const ddn_scoring *g, int which)
{
    (void)which;
    return &((const test_features *)g)->encoded;
}

/* The weight of a feature for a number that stands for a kind, or a kind and a label. */
static ddn_score weight(const test_features *f, uint64_t key, uint64_t number)
{
    uint64_t h = (key ^ f->seed) * 0x9e3779b97f4a7c15u + number * 0xd6e8feb86659fd93u;
    h = (h ^ h >> 31) * 0xbf58476d1ce4e5b9u;
    return (ddn_score)(h >> 40) - (1 << 23);
}

static ddn_score sum(const test_features *f, int v, unsigned use, uint64_t number)
{
    ddn_score total = 0;
    for (int i = 0; i < f->templates.templates; i++)
        if (f->templates.line[i].use & use)
            total += weight(f, ddn_feature_key(&f->templates, &f->hashing, f->atom[v], i), number);
    return total;
}

static void kinds(ddn_scoring *g, int which, const ddn_view *views, int m, ddn_score *score)
{
    test_features *f = (test_features *)g;
    (void)which;
    for (int v = 0; v < m; v++) {
        ddn_read_atoms(&f->templates, &f->encoded, &views[v], f->atom[v]);
        for (int k = 0; k < f->kinds; k++)
            score[v * DDN_MAX_KINDS + k] = sum(f, v, DDN_FOR_MOVES, (uint64_t)k);
    }
}

static ddn_score label_score(ddn_scoring *g, int v, int kind, uint16_t label)
{
    return sum((test_features *)g, v, DDN_FOR_LABELS,
               (uint64_t)(DDN_MAX_KINDS + kind * TEST_LABELS + label));
}

static uint16_t label(ddn_scoring *g, int v, int kind, ddn_arc arc, ddn_score *score)
{
    uint16_t best = arc.head == 0 ? 0 : 1;
    *score = label_score(g, v, kind, best);
    for (uint16_t l = 2; l < TEST_LABELS && arc.head; l++) {
        ddn_score s = label_score(g, v, kind, l);
        best = s > *score ? l : best;
        *score = s > *score ? s : *score;
    }
    return best;
}

static const ddn_scorer features = {
    .name = "random features",
    .facets = DDN_FACET_STATES,
    .reserve = reserve,
    .begin = begin,
    .encoded = encoded,
    .kinds = kinds,
    .label = label,
    .label_score = label_score,
};

void test_features_init(test_features *f, const ddn_system *system, const char *templates,
                        uint64_t seed)
{
    memset(f, 0, sizeof *f);
    assert_int_equal(
        ddn_templates_compile(&f->templates, templates, strlen(templates), "test", NULL),
        DODONA_OK);
    ddn_hashing_init(&f->hashing, &f->templates);
    ddn_encoded_init(&f->encoded);
    f->base = (ddn_scoring){ .scorer = &features,
                             .layout = &f->templates.layout,
                             .templates = &f->templates };
    f->seed = seed;
    f->kinds = system->kinds;
}

void test_features_fini(test_features *f)
{
    ddn_encoded_fini(&f->encoded);
    free(f->atom);
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
