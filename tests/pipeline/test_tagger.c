/* SPDX-License-Identifier: MIT */
/* The tagger: its beam against all rows of tags, what it learns from generated sentences, that the
 * same seed gives the same bytes, what it keeps, and what it refuses. */
#include "core/rng.h"
#include "lib/check.h"
#include "lib/tagged.h"
#include "pipeline/annotate.h"
#include "pipeline/keys.h"
#include "pipeline/tagging.h"
#include "train/lemmatizer_train.h"
#include "train/tagger_train.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dodona_text text(const char *s)
{
    return (dodona_text){ s, strlen(s) };
}

static void add_word(ddn_sentence *s, const char *form, const char *upos)
{
    dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = text(form), [DDN_UPOS] = text(upos) };
    assert_int_equal(ddn_sentence_word(s, col, NULL), 0);
}

/* ---- The lexicon ---- */

static void lexicon_finds_what_was_put(void **state)
{
    (void)state;
    enum { ENTRIES = 3000 };
    static ddn_lexicon_entry entry[ENTRIES];
    ddn_output o;
    ddn_lexicon l;
    ddn_rng r;
    ddn_rng_init(&r, 1);
    for (uint32_t i = 0; i < ENTRIES; i++)
        entry[i] = (ddn_lexicon_entry){ ddn_rng_next(&r), i };
    ddn_output_memory(&o);
    ddn_lexicon_put(&o, &(ddn_lexicon_entries){ .at = entry, .count = ENTRIES });
    assert_int_equal(ddn_lexicon_check(&l, o.data, o.size, ENTRIES, NULL), 0);
    for (uint32_t i = 0; i < ENTRIES; i++)
        assert_int_equal(ddn_lexicon_find(&l, entry[i].key), i);
    for (uint32_t i = 0; i < ENTRIES; i++)
        assert_int_equal(ddn_lexicon_find(&l, ddn_rng_next(&r)), DDN_LEXICON_NONE);
    assert_true(ddn_lexicon_check(&l, o.data, o.size, ENTRIES - 1, NULL) < 0);
    assert_true(ddn_lexicon_check(&l, o.data, o.size - 4, ENTRIES, NULL) < 0);
    assert_true(ddn_lexicon_check(&l, o.data, 0, ENTRIES, NULL) < 0);
    memset(o.data, 1, o.size); /* full: a look-up would never end */
    assert_true(ddn_lexicon_check(&l, o.data, o.size, UINT32_MAX, NULL) < 0);
    ddn_output_abandon(&o);
}

/* ---- The beam ---- */

enum { PARTS = 4 }; /* UPOS x, UPOS y, no XPOS, no FEATS */

/* A scorer of words with no weights to learn: any function of keys will do. */
typedef struct scramble {
    ddn_model base;
    uint64_t seed;
} scramble;

static void scramble_words(ddn_pass *p, const uint64_t *key, int n, ddn_score *score)
{
    uint64_t seed = ((const scramble *)p->model)->seed;
    for (int c = 0; c < PARTS; c++) {
        score[c] = 0;
        for (int i = 0; i < n; i++)
            score[c] += (double)(ddn_key(key[i] + seed, (uint64_t)c) % 201) - 100;
    }
}

static int scramble_pass(const ddn_model *m, ddn_breadth breadth, ddn_pass **out, dodona_error *err)
{
    (void)breadth, (void)err;
    *out = malloc(sizeof **out);
    assert_non_null(*out);
    (*out)->model = m;
    return DODONA_OK;
}

static void scramble_end(ddn_pass *p)
{
    free(p);
}

static const ddn_scorer scrambler = {
    .name = "scramble", .pass = scramble_pass, .end = scramble_end, .words = scramble_words
};

static ddn_score row_score(ddn_tagging *w, int32_t n, unsigned row)
{
    ddn_score total = 0, sum[PARTS];
    uint64_t key[DDN_HISTORY_KEYS];
    ddn_tag_past past = { DDN_TAG_NONE, DDN_TAG_NONE, { DDN_TAG_NONE, DDN_TAG_NONE } };
    for (int32_t i = 1; i <= n; i++) {
        uint16_t tag = row >> (i - 1) & 1;
        ddn_tagging_keys(w, i);
        scramble_words(w->pass, w->key, w->keys, sum);
        total += ddn_tag_sum(&w->tagger->tags.tag[tag], sum);
        scramble_words(w->pass, key, ddn_tagging_history(w, i, &past, key), sum);
        total += ddn_tag_sum(&w->tagger->tags.tag[tag], sum);
        past = ddn_tag_past_next(&w->tagger->tags, past, tag);
    }
    return total;
}

/* With two candidates a word there are four pairs of last tags, as many as the beam keeps, and tags
 * of no sort leave nothing further behind: then the beam is exact. */
static void beam_finds_the_best_row(void **state)
{
    (void)state;
    enum { N = 8 };
    static const uint16_t set[] = { 2, 0, 1 };
    static const uint32_t words[4] = { 0 };
    ddn_model_file f = {
        .path = "x",
        .sections = 3,
        .section = { { .name = DDN_TAGGER_TAGS, .data = "x\t_\t_\ny\t_\t_\n", .size = 12 },
                     { .name = DDN_TAGGER_SETS, .data = set, .size = sizeof set },
                     { .name = DDN_TAGGER_WORDS, .data = words, .size = sizeof words } },
    };
    scramble weights = { { .scorer = &scrambler, .heads = DDN_HEAD_WORDS, .classes = PARTS }, 0 };
    ddn_tagger t;
    ddn_tagging *w;
    ddn_sentence s;
    assert_int_equal(ddn_tagger_open_lexicon(&t, &f, NULL), 0);
    assert_int_equal(t.tags.classes, PARTS);
    assert_int_equal(ddn_tagging_new(&t, &weights.base, &w, NULL), 0);
    ddn_sentence_init(&s);
    for (int i = 0; i < N; i++)
        add_word(&s, i % 3 ? "oak" : "Leaf", "_");
    for (weights.seed = 1; weights.seed <= 20; weights.seed++) {
        assert_int_equal(ddn_tagging_run(w, &s, true, NULL), 0);
        unsigned found = 0;
        ddn_score best = -HUGE_VAL;
        for (int32_t i = 1; i <= N; i++)
            found |= (unsigned)w->tag[i] << (i - 1);
        for (unsigned row = 0; row < 1u << N; row++) {
            ddn_score score = row_score(w, N, row);
            best = score > best ? score : best;
        }
        assert_true(w->item[N * DDN_TAG_BEAM].score == best);
        assert_true(row_score(w, N, found) == best);
    }
    ddn_sentence_fini(&s);
    ddn_tagging_free(w);
    ddn_tagger_close(&t);
}

/* ---- Learning ---- */

typedef struct trained {
    ddn_sections tagger, lemmatizer;
    ddn_model_file tags, lemmas; /* of them */
} trained;

static void train(trained *m, uint64_t seed, int sentences, int iterations)
{
    ddn_treebank bank;
    ddn_tagger_options t = ddn_tagger_defaults(seed);
    ddn_lemmatizer_options l = ddn_lemmatizer_defaults(seed);
    t.iterations = l.iterations = iterations;
    test_tagged(&bank, 1, sentences);
    const ddn_sentence **all = test_tagged_list(&bank);
    ddn_sections_init(&m->tagger);
    ddn_sections_init(&m->lemmatizer);
    assert_int_equal(ddn_tagger_train(&t, all, bank.count, &m->tagger, NULL), 0);
    assert_int_equal(ddn_lemmatizer_train(&l, all, bank.count, &m->lemmatizer, NULL), 0);
    ddn_sections_view(&m->tagger, "tagger", &m->tags);
    ddn_sections_view(&m->lemmatizer, "lemmatizer", &m->lemmas);
    free(all);
    ddn_treebank_fini(&bank);
}

static void forget(trained *m)
{
    ddn_sections_fini(&m->tagger);
    ddn_sections_fini(&m->lemmatizer);
}

static int column_is(const ddn_sentence *a, const ddn_sentence *b, int32_t i, int column)
{
    return ddn_text_equal(ddn_sentence_column(a, i, column), ddn_sentence_column(b, i, column));
}

/* New sentences of the grammar; their tags follow from the words around, so nearly all must be
 * right, and each must be a tag that training had. */
static void tags_and_lemmas_are_learnt(void **state)
{
    (void)state;
    trained m;
    ddn_tagger tagger;
    ddn_lemmatizer lemmatizer;
    ddn_annotator a;
    ddn_treebank gold, found;
    ddn_output tags;
    const ddn_section *section;
    int right[DDN_COLUMNS] = { 0 }, words = 0;
    train(&m, 1, 300, 5);
    assert_int_equal(ddn_model_file_find(&m.tags, DDN_TAGGER_TAGS, &section, NULL), 0);
    ddn_output_memory(&tags);
    ddn_put(&tags, section->data, section->size);
    ddn_put(&tags, "", 1);
    test_tagged(&gold, 2, 60);
    test_tagged(&found, 2, 60);
    assert_int_equal(ddn_tagger_open(&tagger, &m.tags, NULL), 0);
    assert_int_equal(ddn_lemmatizer_open(&lemmatizer, &m.lemmas, NULL), 0);
    assert_int_equal(ddn_annotator_init(&a, &tagger, &lemmatizer, NULL), 0);
    for (size_t k = 0; k < gold.count; k++) {
        const ddn_sentence *s = &gold.sentence[k], *f = &found.sentence[k];
        assert_int_equal(ddn_annotate(&a, &found.sentence[k], true, NULL), 0);
        for (int32_t i = 1; i <= s->n; i++) {
            char name[512];
            dodona_text u = ddn_sentence_column(f, i, DDN_UPOS);
            dodona_text x = ddn_sentence_column(f, i, DDN_XPOS);
            dodona_text e = ddn_sentence_column(f, i, DDN_FEATS);
            snprintf(name, sizeof name, "%.*s\t%.*s\t%.*s\n", (int)u.size, u.data, (int)x.size,
                     x.data, (int)e.size, e.data);
            assert_non_null(strstr(tags.data, name));
            words++;
            for (int c = DDN_LEMMA; c <= DDN_FEATS; c++)
                right[c] += column_is(s, f, i, c);
        }
    }
    for (int c = DDN_LEMMA; c <= DDN_FEATS; c++)
        assert_true(right[c] * 100 >= words * 96);
    ddn_annotator_fini(&a);
    ddn_lemmatizer_close(&lemmatizer);
    ddn_tagger_close(&tagger);
    ddn_treebank_fini(&gold);
    ddn_treebank_fini(&found);
    ddn_output_abandon(&tags);
    forget(&m);
}

static bool same(const ddn_model_file *a, const ddn_model_file *b)
{
    bool same = a->sections == b->sections;
    for (int i = 0; i < a->sections && same; i++) {
        const ddn_section *x = &a->section[i], *y = &b->section[i];
        same = strcmp(x->name, y->name) == 0 && x->size == y->size &&
               memcmp(x->data, y->data, x->size) == 0;
    }
    return same;
}

static void same_seed_same_bytes(void **state)
{
    (void)state;
    trained a, b, c;
    train(&a, 1, 60, 2);
    train(&b, 1, 60, 2);
    train(&c, 2, 60, 2);
    assert_true(same(&a.tags, &b.tags));
    assert_true(same(&a.lemmas, &b.lemmas));
    assert_false(same(&a.tags, &c.tags));
    forget(&a);
    forget(&b);
    forget(&c);
}

/* Sentences of one word each. */
typedef struct alone {
    ddn_sentence s[400];
    const ddn_sentence *all[400];
    size_t count;
} alone;

static void add_sentences(alone *w, int times, const char *form, const char *upos)
{
    for (int i = 0; i < times; i++, w->count++) {
        assert_true(w->count < sizeof w->s / sizeof *w->s);
        ddn_sentence_init(&w->s[w->count]);
        add_word(&w->s[w->count], form, upos);
        w->all[w->count] = &w->s[w->count];
    }
}

/* Trains a tagger on the sentences and opens it. */
static void train_on(alone *w, trained *m, ddn_tagger *t, ddn_tagging **tagging)
{
    ddn_tagger_options o = ddn_tagger_defaults(1);
    ddn_sections_init(&m->tagger);
    ddn_sections_init(&m->lemmatizer);
    assert_int_equal(ddn_tagger_train(&o, w->all, w->count, &m->tagger, NULL), 0);
    ddn_sections_view(&m->tagger, "tagger", &m->tags);
    assert_int_equal(ddn_tagger_open(t, &m->tags, NULL), 0);
    assert_int_equal(ddn_tagging_new(t, t->weights, tagging, NULL), 0);
    for (size_t i = 0; i < w->count; i++)
        ddn_sentence_fini(&w->s[i]);
}

/* The UPOS of a word that is alone in its sentence, and how many tags it could have had. */
static char upos_alone(ddn_tagging *w, const char *form, uint32_t *candidates)
{
    ddn_sentence s;
    ddn_sentence_init(&s);
    add_word(&s, form, "_");
    assert_int_equal(ddn_tagging_run(w, &s, false, NULL), 0);
    *candidates = w->choice[1].count;
    char upos = *ddn_tagging_tag(w, 1)->upos.data;
    ddn_sentence_fini(&s);
    return upos;
}

/* What is learnt from words that were hidden is what is said of words that are not known.  Forms
 * have no letter in common, so that only the lexicon tells them apart.  Those that were seen twice,
 * and hidden at times, are mostly X and sometimes Z; those seen three times, and never hidden, are
 * Y.  All are rare, so that a word that is not known may be any of them: Y first, since more forms
 * are Y. */
static void rare_words_are_learnt_as_unknown_ones(void **state)
{
    (void)state;
    static const char tags[] = "XYXYXYXZYXYXYXZYXYXYZY"; /* of aaa, bbb and so on */
    static alone w;
    trained m;
    ddn_tagger t;
    ddn_tagging *tagging;
    uint32_t candidates;
    w.count = 0;
    for (int i = 0; tags[i]; i++) {
        char form = (char)('a' + i);
        add_sentences(&w, tags[i] == 'Y' ? 3 : 2, (const char[]){ form, form, form, 0 },
                      (const char[]){ tags[i], 0 });
    }
    train_on(&w, &m, &t, &tagging);
    for (char form = 'a'; form <= 'z'; form++) {
        bool known = form - 'a' < (int)strlen(tags);
        char upos = upos_alone(tagging, (const char[]){ form, form, form, 0 }, &candidates);
        assert_int_equal(upos, known ? tags[form - 'a'] : 'X');
        assert_int_equal(candidates, 3);
    }
    ddn_tagging_free(tagging);
    ddn_tagger_close(&t);
    forget(&m);
}

/* Ten rare words in -ap are X, and no other words are rare.  A word in -ap that was seen as Y may
 * be X as well, unless it was seen so often that it would have been. */
static void frequent_words_have_no_other_tags(void **state)
{
    (void)state;
    enum { ENOUGH = 20, RARE = 10 };
    static alone w;
    trained m;
    ddn_tagger t;
    ddn_tagging *tagging;
    uint32_t candidates;
    w.count = 0;
    for (char c = 'b'; c < 'l'; c++)
        add_sentences(&w, RARE, (const char[]){ c, 'a', 'p', 0 }, "X");
    add_sentences(&w, RARE + 1, "sap", "Y");
    add_sentences(&w, ENOUGH - 1, "wap", "Y");
    add_sentences(&w, ENOUGH, "tap", "Y");
    add_sentences(&w, 100, "the", "Y");
    train_on(&w, &m, &t, &tagging);
    assert_int_equal(*t.tags.tag[0].upos.data, 'Y'); /* the most frequent tag is the first */
    assert_int_equal(upos_alone(tagging, "tap", &candidates), 'Y');
    assert_int_equal(candidates, 1);
    upos_alone(tagging, "wap", &candidates);
    assert_int_equal(candidates, 2);
    for (int i = 0; i < 2; i++) { /* not known: as all that are rare, with that ending or any */
        assert_int_equal(upos_alone(tagging, i ? "zap" : "oui", &candidates), 'X');
        assert_int_equal(candidates, 1);
    }
    ddn_tagging_free(tagging);
    ddn_tagger_close(&t);
    forget(&m);
}

/* ---- Forms with blanks ---- */

/* The lemma that a lemmatizer gives to a word with a tag. */
static void lemma_is(const ddn_lemmatizer *l, const char *form, const char *upos, const char *want)
{
    ddn_lemmatizing w;
    ddn_words words;
    ddn_sentence s;
    dodona_text lemma;
    ddn_sentence_init(&s);
    add_word(&s, form, upos);
    ddn_words_init(&words);
    assert_int_equal(ddn_words_read(&words, &s, NULL), 0);
    assert_int_equal(ddn_lemmatizing_init(&w, l, NULL), 0);
    assert_int_equal(ddn_lemmatizing_run(&w, &s, 1, &words.word[1], &lemma, NULL), 0);
    assert_true(ddn_text_is(lemma, want));
    ddn_lemmatizing_fini(&w);
    ddn_words_fini(&words);
    ddn_sentence_fini(&s);
}

/* A rule that would leave a blank at an end, or two together, is not followed. */
static void lemmas_have_single_blanks_inside(void **state)
{
    (void)state;
    static const char *const word[][3] = {
        { "oaks", "oak", "NOUN" },   { "elms", "elm", "NOUN" },   { "xold", "old", "ADJ" },
        { "xbig", "big", "ADJ" },    { "xgo", "y go", "VERB" },   { "xbe", "y be", "VERB" },
        { "xeat", "y eat", "VERB" }, { "xrun", "y run", "VERB" }, { "xsit", "y sit", "VERB" },
    };
    ddn_lemmatizer_options o = ddn_lemmatizer_defaults(1);
    ddn_sections sections;
    ddn_model_file f;
    ddn_lemmatizer l;
    ddn_sentence s;
    const ddn_sentence *all = &s;
    ddn_sentence_init(&s);
    for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
        dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = text(word[i][0]),
                                         [DDN_LEMMA] = text(word[i][1]),
                                         [DDN_UPOS] = text(word[i][2]) };
        assert_int_equal(ddn_sentence_word(&s, col, NULL), 0);
    }
    ddn_sections_init(&sections);
    assert_int_equal(ddn_lemmatizer_train(&o, &all, 1, &sections, NULL), 0);
    ddn_sections_view(&sections, "lemmatizer", &f);
    assert_int_equal(ddn_lemmatizer_open(&l, &f, NULL), 0);
    lemma_is(&l, "ashs", "NOUN", "ash");
    lemma_is(&l, "10 ms", "NOUN", "10 m");
    lemma_is(&l, "10 s", "NOUN", "10 s");
    lemma_is(&l, "xred", "ADJ", "red");
    lemma_is(&l, "x red", "ADJ", "x red");
    lemma_is(&l, "xdo", "VERB", "y do");
    lemma_is(&l, "x do", "VERB", "x do");
    ddn_lemmatizer_close(&l);
    ddn_sections_fini(&sections);
    ddn_sentence_fini(&s);
}

/* ---- What is kept ---- */

static void filled_columns_are_kept(void **state)
{
    (void)state;
    trained m;
    ddn_tagger tagger;
    ddn_lemmatizer lemmatizer;
    ddn_annotator a;
    ddn_sentence s;
    train(&m, 1, 100, 2);
    assert_int_equal(ddn_tagger_open(&tagger, &m.tags, NULL), 0);
    assert_int_equal(ddn_lemmatizer_open(&lemmatizer, &m.lemmas, NULL), 0);
    assert_int_equal(ddn_annotator_init(&a, &tagger, &lemmatizer, NULL), 0);
    ddn_sentence_init(&s);
    add_word(&s, "the", "ODD"); /* a tag of its own: kept, with its empty columns; a lemma is due */
    dodona_text col[DDN_COLUMNS] = {
        [DDN_FORM] = text("dog"), [DDN_LEMMA] = text("own"), [DDN_XPOS] = text("OWN")
    };
    assert_int_equal(ddn_sentence_word(&s, col, NULL), 0);
    assert_int_equal(ddn_annotate(&a, &s, false, NULL), 0);
    assert_true(ddn_text_is(ddn_sentence_column(&s, 1, DDN_UPOS), "ODD"));
    assert_true(ddn_text_is(ddn_sentence_column(&s, 1, DDN_XPOS), "_"));
    assert_true(ddn_text_is(ddn_sentence_column(&s, 1, DDN_FEATS), "_"));
    assert_false(ddn_text_is(ddn_sentence_column(&s, 1, DDN_LEMMA), "_"));
    assert_false(ddn_text_is(ddn_sentence_column(&s, 2, DDN_UPOS), "_"));
    assert_true(ddn_text_is(ddn_sentence_column(&s, 2, DDN_XPOS), "OWN"));
    assert_true(ddn_text_is(ddn_sentence_column(&s, 2, DDN_LEMMA), "own"));
    assert_int_equal(ddn_annotate(&a, &s, true, NULL), 0);
    assert_true(ddn_text_is(ddn_sentence_column(&s, 1, DDN_UPOS), "DET"));
    assert_false(ddn_text_is(ddn_sentence_column(&s, 2, DDN_XPOS), "OWN"));
    assert_false(ddn_text_is(ddn_sentence_column(&s, 2, DDN_LEMMA), "own"));
    ddn_sentence_fini(&s);
    ddn_annotator_fini(&a);
    ddn_lemmatizer_close(&lemmatizer);
    ddn_tagger_close(&tagger);
    forget(&m);
}

/* A part that is given leads to a tag that has it, whatever the word says. */
static void given_parts_choose_the_tag(void **state)
{
    (void)state;
    static const struct {
        const char *form, *xpos, *feats, *want_upos, *want_xpos, *want_feats;
    } word[] = {
        { "that", "IN", "_", "SCONJ", "IN", "_" },
        { "that", "_", "Number=Sing|PronType=Dem", "DET", "DT", "Number=Sing|PronType=Dem" },
        { "the", "NNS", "_", "NOUN", "NNS", "Number=Plur" },
        { "the", "_", "Polarity=Neg", "PART", "RB", "Polarity=Neg" },
    };
    trained m;
    ddn_tagger tagger;
    ddn_lemmatizer lemmatizer;
    ddn_annotator a;
    ddn_sentence s;
    train(&m, 1, 100, 2);
    assert_int_equal(ddn_tagger_open(&tagger, &m.tags, NULL), 0);
    assert_int_equal(ddn_lemmatizer_open(&lemmatizer, &m.lemmas, NULL), 0);
    assert_int_equal(ddn_annotator_init(&a, &tagger, &lemmatizer, NULL), 0);
    for (size_t k = 0; k < sizeof word / sizeof *word; k++) {
        ddn_sentence_init(&s);
        dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = text(word[k].form),
                                         [DDN_XPOS] = text(word[k].xpos),
                                         [DDN_FEATS] = text(word[k].feats) };
        assert_int_equal(ddn_sentence_word(&s, col, NULL), 0);
        assert_int_equal(ddn_annotate(&a, &s, false, NULL), 0);
        assert_true(ddn_text_is(ddn_sentence_column(&s, 1, DDN_UPOS), word[k].want_upos));
        assert_true(ddn_text_is(ddn_sentence_column(&s, 1, DDN_XPOS), word[k].want_xpos));
        assert_true(ddn_text_is(ddn_sentence_column(&s, 1, DDN_FEATS), word[k].want_feats));
        ddn_sentence_fini(&s);
    }
    ddn_annotator_fini(&a);
    ddn_lemmatizer_close(&lemmatizer);
    ddn_tagger_close(&tagger);
    forget(&m);
}

/* ---- Hostile sections ---- */

/* Whatever the bytes are, they are refused as a bad model, or they tag without harm. */
static void try(const ddn_model_file *f)
{
    ddn_tagger tagger;
    ddn_lemmatizer lemmatizer;
    ddn_annotator a;
    ddn_sentence s;
    int code = ddn_tagger_open(&tagger, f, NULL);
    if (code < 0) {
        assert_int_equal(code, DODONA_E_MODEL);
        return;
    }
    code = ddn_lemmatizer_open(&lemmatizer, f, NULL);
    if (code >= 0) {
        ddn_sentence_init(&s);
        add_word(&s, "The", "_");
        add_word(&s, "oaks", "_");
        add_word(&s, "\xc3\x89t\xc3\xa9", "_");
        assert_int_equal(ddn_annotator_init(&a, &tagger, &lemmatizer, NULL), 0);
        assert_int_equal(ddn_annotate(&a, &s, true, NULL), 0);
        ddn_annotator_fini(&a);
        ddn_lemmatizer_close(&lemmatizer);
        ddn_sentence_fini(&s);
    } else {
        assert_int_equal(code, DODONA_E_MODEL);
    }
    ddn_tagger_close(&tagger);
}

static void damaged_sections_are_refused_or_harmless(void **state)
{
    (void)state;
    enum { TRIES = 150 };
    trained m;
    ddn_rng r;
    train(&m, 1, 40, 1);
    assert_int_equal(m.tags.sections, 4);
    assert_int_equal(m.lemmas.sections, 4);
    ddn_rng_init(&r, 3);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < TRIES; k++) {
            ddn_model_file f = m.tags;
            for (int j = 0; j < m.lemmas.sections; j++)
                f.section[f.sections++] = m.lemmas.section[j];
            ddn_section *damaged = &f.section[i];
            size_t size = k % 3 ? damaged->size : ddn_rng_below(&r, damaged->size);
            unsigned char *bytes = malloc(size ? size : 1); /* of its size: ASan sees its end */
            assert_non_null(bytes);
            memcpy(bytes, damaged->data, size);
            for (int c = 0; size && c < 1 + k % 4; c++)
                bytes[ddn_rng_below(&r, size)] = (unsigned char)ddn_rng_next(&r);
            damaged->data = bytes;
            damaged->size = size;
            try(&f);
            free(bytes);
        }
    forget(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lexicon_finds_what_was_put),
        cmocka_unit_test(beam_finds_the_best_row),
        cmocka_unit_test(tags_and_lemmas_are_learnt),
        cmocka_unit_test(same_seed_same_bytes),
        cmocka_unit_test(rare_words_are_learnt_as_unknown_ones),
        cmocka_unit_test(frequent_words_have_no_other_tags),
        cmocka_unit_test(lemmas_have_single_blanks_inside),
        cmocka_unit_test(filled_columns_are_kept),
        cmocka_unit_test(given_parts_choose_the_tag),
        cmocka_unit_test(damaged_sections_are_refused_or_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
