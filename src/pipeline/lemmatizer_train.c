/* SPDX-License-Identifier: MIT */
/* lemmatizer_train.c - learning lemmas.
 *
 * Every word gives a rule.  Forms with tags are counted, and the rule that each has most goes into
 * the lexicon.  The classifier learns from each form with its tag once an iteration, however often
 * it occurs: words that the lexicon does not know behave like rare ones, not like frequent ones.
 * Rules of a single form are left to the lexicon, since nothing else follows them. */
#include "pipeline/lemmatizer.h"

#include "core/array.h"
#include "core/intern.h"
#include "core/rng.h"

#include <stdlib.h>

enum { MOST_CLASSES = 8192 };

ddn_lemmatizer_options ddn_lemmatizer_defaults(uint64_t seed)
{
    return (ddn_lemmatizer_options){ .iterations = 10, .seed = seed, .bytes = 800000 };
}

/* A form with a tag and a rule. */
typedef struct example {
    ddn_word word;
    ddn_lemma_tag tag;
    const ddn_sentence *sentence;
    int32_t i;     /* its first place */
    uint32_t rule; /* as it was found; then by frequency */
} example;

/* Times that a key of the lexicon had a rule. */
typedef struct vote {
    uint64_t key;
    uint32_t rule, count;
} vote;

typedef struct trainer {
    const ddn_lemmatizer_options *o;
    ddn_lemmatizer_bytes *out;
    bool lemmas;      /* the treebank has some */
    ddn_intern texts; /* of the rules */
    ddn_intern types; /* form, tag and rule, as bytes */
    example *example; /* [examples] one a type */
    size_t examples, example_cap;
    vote *vote;
    size_t votes, vote_cap;
    uint32_t *rank;       /* [rules] by number of types */
    ddn_lemma_rule *rule; /* [rules] by rank */
    int classes;
    ddn_lexicon_entries entries;
    ddn_learning learning;
    bool learns;
    ddn_cased cased;
    ddn_output text;
    int32_t *sum;
} trainer;

/* ---- What was seen ---- */

static int add_vote(trainer *t, uint64_t key, uint32_t rule, dodona_error *err)
{
    if (!ddn_reserve(&t->vote, &t->vote_cap, t->votes + 1, sizeof *t->vote))
        return ddn_fail_memory(err);
    t->vote[t->votes++] = (vote){ key, rule, 1 };
    return DODONA_OK;
}

static int see_word(trainer *t, const ddn_sentence *s, int32_t i, const ddn_word *w,
                    dodona_error *err)
{
    dodona_text lemma = ddn_sentence_column(s, i, DDN_LEMMA);
    example x = { .word = *w, .tag = ddn_lemma_tag_of(s, i), .sentence = s, .i = i };
    int status = ddn_cased_set(&t->cased, ddn_sentence_column(s, i, DDN_FORM), err);
    if (status < 0)
        return status;
    if (t->lemmas)
        ddn_lemma_rule_find(&t->cased, lemma, &t->text);
    else
        ddn_lemma_rule_none(&t->text);
    if (t->text.error.code || !ddn_intern_add(&t->texts, t->text.data, t->text.size, &x.rule))
        return ddn_fail_memory(err);
    uint32_t type[] = { w->form, x.tag.all, x.rule }, id;
    if (!ddn_intern_add(&t->types, (const char *)type, sizeof type, &id) ||
        !ddn_reserve(&t->example, &t->example_cap, (size_t)id + 1, sizeof *t->example))
        return ddn_fail_memory(err);
    if (id == t->examples)
        t->example[t->examples++] = x;
    status = add_vote(t, ddn_lemma_form_key(w, x.tag.all), x.rule, err);
    if (status >= 0)
        status = add_vote(t, ddn_lemma_key(w, x.tag.all), x.rule, err);
    return status < 0 ? status : add_vote(t, ddn_lemma_key(w, x.tag.upos), x.rule, err);
}

static bool has_lemmas(const ddn_sentence *s)
{
    for (int32_t i = 1; i <= s->n; i++)
        if (!ddn_text_is(ddn_sentence_column(s, i, DDN_LEMMA), "_"))
            return true;
    return false;
}

static int see_all(trainer *t, const ddn_sentence *const *sentence, size_t count, dodona_error *err)
{
    ddn_words words;
    int status = DODONA_OK;
    ddn_words_init(&words);
    for (size_t k = 0; k < count && !t->lemmas; k++)
        t->lemmas = has_lemmas(sentence[k]);
    for (size_t k = 0; k < count && status >= 0; k++) {
        status = ddn_words_read(&words, sentence[k], err);
        for (int32_t i = 1; i <= sentence[k]->n && status >= 0; i++)
            status = see_word(t, sentence[k], i, &words.word[i], err);
    }
    ddn_words_fini(&words);
    return status;
}

/* ---- Rules ---- */

typedef struct counted {
    uint32_t count, id;
} counted;

static int by_count(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Orders the rules by the number of their types and renumbers everything. */
static int rank_rules(trainer *t, counted *counts, dodona_error *err)
{
    uint32_t rules = t->texts.count;
    for (uint32_t i = 0; i < rules; i++)
        counts[i] = (counted){ 0, i };
    for (size_t i = 0; i < t->examples; i++)
        counts[t->example[i].rule].count++;
    qsort(counts, rules, sizeof *counts, by_count);
    for (uint32_t i = 0; i < rules; i++) {
        dodona_text text = ddn_intern_text(&t->texts, counts[i].id);
        t->rank[counts[i].id] = i;
        ddn_lemma_rule_read(&t->rule[i], text);
        ddn_put(&t->out->rules, text.data, text.size);
        ddn_put(&t->out->rules, "\n", 1);
        if (counts[i].count > 1 && i < MOST_CLASSES)
            t->classes = (int)i + 1;
    }
    if (rules == 1) { /* a classifier has two classes */
        dodona_text text = ddn_intern_text(&t->texts, 0);
        ddn_put(&t->out->rules, text.data, text.size);
        ddn_put(&t->out->rules, "\n", 1);
        t->rule[1] = t->rule[0];
    }
    t->classes = t->classes < 2 ? 2 : t->classes;
    for (size_t i = 0; i < t->examples; i++)
        t->example[i].rule = t->rank[t->example[i].rule];
    for (size_t i = 0; i < t->votes; i++)
        t->vote[i].rule = t->rank[t->vote[i].rule];
    return t->out->rules.error.code ? ddn_fail_memory(err) : DODONA_OK;
}

static int make_rules(trainer *t, dodona_error *err)
{
    size_t rules = t->texts.count;
    if (rules == 0)
        return ddn_fail(err, DODONA_E_INPUT, "there are no words to learn lemmas from");
    counted *counts = malloc(rules * sizeof *counts);
    t->rank = malloc(rules * sizeof *t->rank);
    t->rule = malloc((rules + 1) * sizeof *t->rule);
    int status = counts && t->rank && t->rule ? rank_rules(t, counts, err) : ddn_fail_memory(err);
    free(counts);
    return status;
}

/* ---- The lexicon ---- */

static int by_key(const void *a, const void *b)
{
    const vote *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->rule < y->rule ? -1 : x->rule > y->rule;
}

/* The entry of a key; entries are by rising key until all are there. */
static ddn_lexicon_entry *find_entry(trainer *t, uint64_t key)
{
    size_t low = 0, high = t->entries.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->entries.at[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return &t->entries.at[low];
}

/* Drops the entries of forms that say what that of the plain form says (few do not: i and I), and
 * those of whole tags that say what that of their UPOS says. */
static void drop_doubles(trainer *t)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->examples; i++) {
        const example *x = &t->example[i];
        ddn_lexicon_entry *form = find_entry(t, ddn_lemma_form_key(&x->word, x->tag.all));
        if (form->value == find_entry(t, ddn_lemma_key(&x->word, x->tag.all))->value)
            form->value = DDN_LEXICON_NONE;
    }
    for (size_t i = 0; i < t->examples; i++) {
        const example *x = &t->example[i];
        ddn_lexicon_entry *all = find_entry(t, ddn_lemma_key(&x->word, x->tag.all));
        if (all->value == find_entry(t, ddn_lemma_key(&x->word, x->tag.upos))->value)
            all->value = DDN_LEXICON_NONE;
    }
    for (size_t i = 0; i < t->entries.count; i++)
        if (t->entries.at[i].value != DDN_LEXICON_NONE)
            t->entries.at[kept++] = t->entries.at[i];
    t->entries.count = kept;
}

/* The rule that each key has most; of equals the more general one. */
static int make_lexicon(trainer *t, dodona_error *err)
{
    int status = DODONA_OK;
    if (t->votes > 1)
        qsort(t->vote, t->votes, sizeof *t->vote, by_key);
    for (size_t i = 0, end; i < t->votes && status >= 0; i = end) {
        uint32_t best = 0, rule = 0;
        for (end = i; end < t->votes && t->vote[end].key == t->vote[i].key;) {
            size_t from = end;
            while (end < t->votes && by_key(&t->vote[end], &t->vote[from]) == 0)
                end++;
            if (end - from > best) {
                best = (uint32_t)(end - from);
                rule = t->vote[from].rule;
            }
        }
        status = ddn_lexicon_add(&t->entries, t->vote[i].key, rule, err);
    }
    if (status < 0)
        return status;
    drop_doubles(t);
    ddn_lexicon_put(&t->out->words, &t->entries);
    return t->out->words.error.code ? ddn_fail_memory(err) : DODONA_OK;
}

/* ---- The classifier ---- */

static int learn(trainer *t, const example *x, dodona_error *err)
{
    uint64_t key[DDN_LEMMA_KEYS];
    if (x->rule >= (uint32_t)t->classes)
        return DODONA_OK;
    int keys = ddn_lemma_keys(&x->word, x->tag, key);
    int status = ddn_cased_set(&t->cased, ddn_sentence_column(x->sentence, x->i, DDN_FORM), err);
    if (status < 0)
        return status;
    ddn_learning_step(&t->learning);
    ddn_learning_scores(&t->learning, key, keys, t->sum);
    int32_t guess = ddn_lemma_best(t->rule, t->classes, t->sum, &t->cased);
    if (guess == (int32_t)x->rule || guess < 0)
        return DODONA_OK;
    return ddn_learning_update(&t->learning, key, keys, (int)x->rule, guess, err);
}

static int make_weights(trainer *t, dodona_error *err)
{
    ddn_rng rng;
    int status = ddn_learning_init(&t->learning, t->classes, err);
    t->learns = status >= 0;
    uint32_t *order = malloc(t->examples * sizeof *order);
    t->sum = malloc((size_t)t->classes * sizeof *t->sum);
    if (status >= 0 && !(order && t->sum))
        status = ddn_fail_memory(err);
    ddn_rng_init(&rng, t->o->seed);
    for (size_t i = 0; i < t->examples && order; i++)
        order[i] = (uint32_t)i;
    for (int round = 0; round < t->o->iterations && status >= 0; round++) {
        ddn_rng_shuffle(&rng, order, t->examples);
        for (size_t i = 0; i < t->examples && status >= 0; i++)
            status = learn(t, &t->example[order[i]], err);
    }
    free(order);
    if (status < 0)
        return status;
    return ddn_learning_freeze(&t->learning, t->o->bytes, &t->out->weights, err);
}

static void finish(trainer *t)
{
    if (t->learns)
        ddn_learning_fini(&t->learning);
    ddn_intern_fini(&t->texts);
    ddn_intern_fini(&t->types);
    ddn_cased_fini(&t->cased);
    ddn_output_abandon(&t->text);
    free(t->example);
    free(t->vote);
    free(t->rank);
    free(t->rule);
    free(t->entries.at);
    free(t->sum);
}

int ddn_lemmatizer_train(const ddn_lemmatizer_options *o, const ddn_sentence *const *sentence,
                         size_t count, ddn_lemmatizer_bytes *out, dodona_error *err)
{
    trainer t = { .o = o, .out = out };
    ddn_intern_init(&t.texts);
    ddn_intern_init(&t.types);
    ddn_cased_init(&t.cased);
    ddn_output_memory(&t.text);
    int status = see_all(&t, sentence, count, err);
    if (status >= 0)
        status = make_rules(&t, err);
    if (status >= 0)
        status = make_lexicon(&t, err);
    if (status >= 0)
        status = make_weights(&t, err);
    finish(&t);
    return status;
}
