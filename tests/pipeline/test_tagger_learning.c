/* SPDX-License-Identifier: MIT */
/* What the tagger learns, to the last weight, against a structured perceptron that is written down
 * plainly: every row of tags of a sentence is scored, and every weight is added up after every
 * step.
 *
 * There are three tags.  Words have two of them, so that the beam is as wide as there are pairs of
 * last tags and loses nothing; full stops have the third alone and are not learnt from.  All forms
 * are so frequent that they have no other tags and are never hidden. */
#include "core/rng.h"
#include "lib/check.h"
#include "pipeline/tagging.h"
#include "train/tagger_train.h"
#include <stdlib.h>
#include <string.h>

enum { SENTENCES = 24, LENGTH = 7, ITERATIONS = 4, TAGS = 3, CELLS = 1 << 16, SCALE = 64 };

/* One weight, for a key and a part of a tag. */
typedef struct cell {
    uint64_t key;
    int part;
    int32_t w;
    int64_t total; /* over all steps */
} cell;

typedef struct plain {
    cell cell[CELLS];
    int64_t steps;
    ddn_tagging *w;
    ddn_sentence sentence[SENTENCES];
    uint16_t gold[SENTENCES][LENGTH + 1]; /* from 1 */
} plain;

static cell *find(plain *p, uint64_t key, int part)
{
    size_t at = (key + (uint64_t)part * 977) % CELLS;
    while (p->cell[at].key && (p->cell[at].key != key || p->cell[at].part != part))
        at = (at + 1) % CELLS;
    p->cell[at].key = key;
    p->cell[at].part = part;
    return &p->cell[at];
}

/* ---- Scores ---- */

/* What is before word i in a row of tags, none of which is a noun or a verb. */
static ddn_tag_past past_of(const uint16_t *row, int i)
{
    return (ddn_tag_past){ i > 1 ? row[i - 1] : DDN_TAG_NONE,
                           i > 2 ? row[i - 2] : DDN_TAG_NONE,
                           { DDN_TAG_NONE, DDN_TAG_NONE } };
}

static int64_t sum(plain *p, const uint64_t *key, int n, const ddn_tag *tag)
{
    int64_t total = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < tag->parts; k++)
            total += find(p, key[i], tag->part[k])->w;
    return total;
}

static bool is_open(const plain *p, int i)
{
    return p->w->choice[i].count > 1;
}

static int64_t score(plain *p, const uint16_t *row, int end)
{
    int64_t total = 0;
    for (int i = 1; i <= end; i++) {
        const ddn_tag *tag = &p->w->tagger->tags.tag[row[i]];
        ddn_tag_past past = past_of(row, i);
        uint64_t key[DDN_HISTORY_KEYS];
        if (!is_open(p, i))
            continue;
        ddn_tagging_keys(p->w, i);
        total += sum(p, p->w->key, p->w->keys, tag);
        total += sum(p, key, ddn_tagging_history(p->w, i, &past, key), tag);
    }
    return total;
}

/* Of two rows with the same score the one that is ahead before the last word, and if both are one
 * there, the one whose tag the lexicon names first. */
static bool is_before(plain *p, const uint16_t *a, const uint16_t *b, int end)
{
    int64_t x = score(p, a, end), y = score(p, b, end);
    if (x != y || end == 0)
        return x > y;
    if (memcmp(a + 1, b + 1, (size_t)(end - 1) * sizeof *a) != 0)
        return is_before(p, a, b, end - 1);
    const uint16_t *candidate = p->w->pool + p->w->choice[end].at;
    return a[end] != b[end] && a[end] == candidate[0];
}

/* The best row of tags for words 1..end. */
static void find_best(plain *p, int end, uint16_t *best)
{
    uint16_t row[LENGTH + 1];
    for (int k = 0; k < 1 << end; k++) {
        bool exists = true;
        for (int i = 1; i <= end; i++) {
            const struct ddn_choice *c = &p->w->choice[i];
            uint32_t which = (uint32_t)k >> (i - 1) & 1;
            exists = exists && which < c->count;
            row[i] = p->w->pool[c->at + (which < c->count ? which : 0)];
        }
        if (exists && (k == 0 || is_before(p, row, best, end)))
            memcpy(best, row, sizeof row);
    }
}

/* ---- Learning ---- */

/* The keys of word i with what is before it in the row count for its tag there. */
static void add(plain *p, const uint16_t *row, int i, int32_t delta)
{
    const ddn_tag *tag = &p->w->tagger->tags.tag[row[i]];
    ddn_tag_past past = past_of(row, i);
    uint64_t key[DDN_HISTORY_KEYS];
    int n = ddn_tagging_history(p->w, i, &past, key);
    ddn_tagging_keys(p->w, i);
    for (int k = 0; k < tag->parts; k++) {
        for (int j = 0; j < p->w->keys; j++)
            find(p, p->w->key[j], tag->part[k])->w += delta;
        for (int j = 0; j < n; j++)
            find(p, key[j], tag->part[k])->w += delta;
    }
}

/* Learns up to the word at which another row is ahead of the gold one by most. */
static void learn(plain *p, int k)
{
    const uint16_t *gold = p->gold[k];
    uint16_t best[LENGTH + 1], worst[LENGTH + 1];
    int64_t most = 0;
    int where = 0;
    for (size_t i = 0; i < CELLS; i++)
        p->cell[i].total += p->cell[i].w;
    p->steps++;
    assert_int_equal(ddn_tagging_begin(p->w, &p->sentence[k], NULL, gold, NULL), 0);
    for (int end = 1; end <= LENGTH; end++) {
        find_best(p, end, best);
        int64_t ahead = score(p, best, end) - score(p, gold, end);
        if (memcmp(best + 1, gold + 1, (size_t)end * sizeof *best) != 0 && ahead >= most) {
            most = ahead;
            where = end;
            memcpy(worst, best, sizeof worst);
        }
    }
    for (int i = 1; i <= where; i++)
        if (is_open(p, i)) {
            add(p, gold, i, 1);
            add(p, worst, i, -1);
        }
}

/* As ddn_tagger_train orders the sentences. */
static void learn_all(plain *p, uint64_t seed)
{
    ddn_rng r;
    uint32_t order[SENTENCES];
    ddn_rng_init(&r, seed);
    for (uint32_t k = 0; k < SENTENCES; k++)
        order[k] = k;
    for (int round = 0; round < ITERATIONS; round++) {
        ddn_rng_shuffle(&r, order, SENTENCES);
        for (int k = 0; k < SENTENCES; k++)
            learn(p, (int)order[k]);
    }
}

/* ---- Sentences ---- */

static dodona_text text(const char *s)
{
    return (dodona_text){ s, strlen(s) };
}

/* Words of three forms, and full stops; some features of their tags are the same. */
static void make_sentences(plain *p)
{
    static const char *const form[] = { "oak", "elm", "ash", "." };
    static const char *const tag[TAGS][2] = { { "X", "A=1|B=1" },
                                              { "Y", "A=1|B=2" },
                                              { "Z", "B=2" } };
    ddn_rng r;
    ddn_rng_init(&r, 3);
    for (int k = 0; k < SENTENCES; k++) {
        uint64_t last = 0;
        ddn_sentence_init(&p->sentence[k]);
        for (int i = 1; i <= LENGTH; i++) {
            uint64_t f = ddn_rng_below(&r, 4), t = (f + last + (ddn_rng_below(&r, 5) == 0)) % 2;
            t = f == 3 ? 2 : t;
            dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = text(form[f]),
                                             [DDN_UPOS] = text(tag[t][0]),
                                             [DDN_FEATS] = text(tag[t][1]) };
            assert_int_equal(ddn_sentence_word(&p->sentence[k], col, NULL), 0);
            last = t;
        }
    }
}

static void find_gold(plain *p, const ddn_tagset *tags)
{
    for (int k = 0; k < SENTENCES; k++)
        for (int i = 1; i <= LENGTH; i++)
            for (uint16_t t = 0; t < tags->count; t++)
                if (ddn_text_equal(ddn_sentence_column(&p->sentence[k], i, DDN_UPOS),
                                   tags->tag[t].upos))
                    p->gold[k][i] = t;
}

static int32_t frozen_average(int64_t total, int64_t steps)
{
    int64_t size = total < 0 ? -total : total, x = (2 * size * SCALE + steps) / (2 * steps);
    return (int32_t)(total < 0 ? -x : x);
}

static void weights_are_those_of_a_plain_perceptron(void **state)
{
    (void)state;
    enum { SEED = 9, PARTS = 64 };
    const ddn_sentence *all[SENTENCES];
    ddn_tagger_options o = ddn_tagger_defaults(SEED);
    static ddn_sections sections;
    ddn_model_file file;
    ddn_tagger t;
    plain *p = calloc(1, sizeof *p);
    assert_non_null(p);
    make_sentences(p);
    for (int k = 0; k < SENTENCES; k++)
        all[k] = &p->sentence[k];
    o.iterations = ITERATIONS;
    o.runs = 1;
    ddn_sections_init(&sections);
    assert_int_equal(ddn_tagger_train(&o, all, SENTENCES, &sections, NULL), 0);
    ddn_sections_view(&sections, "tagger", &file);
    assert_int_equal(ddn_tagger_open(&t, &file, NULL), 0);
    assert_int_equal(t.tags.count, TAGS);
    assert_true(t.tags.classes <= PARTS);
    assert_int_equal(ddn_tagging_new(&t, t.weights, &p->w, NULL), 0);
    find_gold(p, &t.tags);
    learn_all(p, SEED);
    int not_zero = 0;
    for (size_t i = 0; i < CELLS; i++) {
        ddn_score found[PARTS];
        if (!p->cell[i].key)
            continue;
        ddn_tagging_score(p->w, &p->cell[i].key, 1, found);
        assert_true(found[p->cell[i].part] == frozen_average(p->cell[i].total, p->steps));
        not_zero += found[p->cell[i].part] != 0;
    }
    assert_true(not_zero > 1000);
    ddn_tagging_free(p->w);
    ddn_tagger_close(&t);
    ddn_sections_fini(&sections);
    for (int k = 0; k < SENTENCES; k++)
        ddn_sentence_fini(&p->sentence[k]);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_those_of_a_plain_perceptron),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
