/* SPDX-License-Identifier: MIT */
/* lemmatizer_train.c - learning lemmas.
 *
 * Every word gives a rule.  Forms with tags are counted, and the rule that each has most goes into
 * the lexicon.  The classifier learns from each form with its tag once an iteration, however often
 * it occurs: words that the lexicon does not know behave like rare ones, not like frequent ones.
 * Rules of a single form are left to the lexicon, since no other form has them. */
#include "train/lemmatizer_train.h"

#include "core/arena.h"
#include "core/array.h"
#include "core/intern.h"

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
    ddn_output *words_out, *rules_out;
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
    ddn_model *model;
    ddn_pass *pass;
    ddn_cased cased;
    ddn_output text;
    ddn_score *score;
    ddn_arena arena; /* rank, rule, score */
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
        ddn_put(t->rules_out, text.data, text.size);
        ddn_put(t->rules_out, "\n", 1);
        if (counts[i].count > 1 && i < MOST_CLASSES)
            t->classes = (int)i + 1;
    }
    if (rules == 1) { /* a classifier has two classes */
        dodona_text text = ddn_intern_text(&t->texts, 0);
        ddn_put(t->rules_out, text.data, text.size);
        ddn_put(t->rules_out, "\n", 1);
        t->rule[1] = t->rule[0];
    }
    t->classes = t->classes < 2 ? 2 : t->classes;
    for (size_t i = 0; i < t->examples; i++)
        t->example[i].rule = t->rank[t->example[i].rule];
    for (size_t i = 0; i < t->votes; i++)
        t->vote[i].rule = t->rank[t->vote[i].rule];
    return t->rules_out->error.code ? ddn_fail_memory(err) : DODONA_OK;
}

static int make_rules(trainer *t, dodona_error *err)
{
    size_t rules = t->texts.count;
    if (rules == 0)
        return ddn_fail(err, DODONA_E_INPUT, "there are no words to learn lemmas from");
    counted *counts = ddn_arena_take(&t->arena, rules, sizeof *counts);
    t->rank = ddn_arena_take(&t->arena, rules, sizeof *t->rank);
    t->rule = ddn_arena_take(&t->arena, rules + 1, sizeof *t->rule);
    return t->arena.failed ? ddn_fail_memory(err) : rank_rules(t, counts, err);
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

/* Drops the entries of forms that agree with the entry of the plain form (nearly all do; i and I do
 * not), and those of whole tags that agree with that of their UPOS. */
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
    ddn_lexicon_put(t->words_out, &t->entries);
    return t->words_out->error.code ? ddn_fail_memory(err) : DODONA_OK;
}

/* ---- The classifier ---- */

static int learn_example(trainer *t, const example *x, dodona_error *err)
{
    const ddn_scorer *scorer = t->model->scorer;
    uint64_t key[DDN_LEMMA_KEYS];
    ddn_adjoint d[2];
    if (x->rule >= (uint32_t)t->classes)
        return DODONA_OK;
    int keys = ddn_lemma_keys(&x->word, x->tag, key);
    int status = ddn_cased_set(&t->cased, ddn_sentence_column(x->sentence, x->i, DDN_FORM), err);
    if (status < 0)
        return status;
    scorer->words(t->pass, key, keys, t->score);
    int32_t guess = ddn_lemma_best(t->rule, t->classes, t->score, &t->cased);
    int32_t count =
        guess < 0 ? 0 : scorer->loss->adjoints(t->score, t->classes, (int32_t)x->rule, guess, d);
    if (count)
        status = scorer->learn_word(t->pass, key, keys, d, count, err);
    return status < 0 ? status : scorer->step(t->model, &t->pass, 1, err);
}

static int learn(void *ctx, const uint32_t *number, int m, dodona_error *err)
{
    trainer *t = ctx;
    int status = DODONA_OK;
    for (int i = 0; i < m && status >= 0; i++)
        status = learn_example(t, &t->example[number[i]], err);
    return status;
}

static int make_weights(trainer *t, ddn_sections *out, dodona_error *err)
{
    const ddn_scorer *scorer = ddn_scorer_of_words();
    ddn_spec spec = { .part = DDN_LEMMA_WEIGHTS, .classes = t->classes };
    int status = scorer->create(&spec, &t->model, err);
    if (status >= 0)
        status = scorer->pass(t->model, DDN_ONE_VIEW, &t->pass, err);
    t->score = ddn_arena_take(&t->arena, (size_t)t->classes, sizeof *t->score);
    if (status >= 0 && !t->score)
        status = ddn_fail_memory(err);
    ddn_task task = { .ctx = t,
                      .examples = t->examples,
                      .batch = 1,
                      .iterations = t->o->iterations,
                      .runs = 1,
                      .models = 1,
                      .model = { t->model },
                      .learn = learn };
    ddn_rng_init(&task.rng, t->o->seed);
    if (status >= 0)
        status = ddn_learn(&task, NULL, err);
    return status < 0 ? status : scorer->save(t->model, t->o->bytes, out, err);
}

static void finish(trainer *t)
{
    ddn_pass_end(t->pass);
    ddn_model_close(t->model);
    ddn_intern_fini(&t->texts);
    ddn_intern_fini(&t->types);
    ddn_cased_fini(&t->cased);
    ddn_output_abandon(&t->text);
    free(t->example);
    free(t->vote);
    free(t->entries.at);
    ddn_arena_fini(&t->arena);
}

int ddn_lemmatizer_train(const ddn_lemmatizer_options *o, const ddn_sentence *const *sentence,
                         size_t count, ddn_sections *out, dodona_error *err)
{
    trainer t = { .o = o };
    t.rules_out = ddn_sections_add(out, DDN_LEMMA_RULES);
    t.words_out = ddn_sections_add(out, DDN_LEMMA_WORDS);
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
        status = make_weights(&t, out, err);
    finish(&t);
    return status;
}
