/* SPDX-License-Identifier: MIT */
/* lemmatizer_train.c - learning lemmas.
 *
 * Every word gives a rule, but for parts of words that a space cuts (goeswith), typing errors
 * (Typo=Yes) and forms whose lemma is an e-mail address, since these have the lemma of another
 * form.  Forms with tags are counted, and the rule that each has most goes into the lexicon.  Rules
 * of fewer than DDN_LEMMA_FORMS forms become one for each form (lemma_rule.h: whole), and only the
 * lexicon has them.  The classifier chooses from the others and learns from each form with its tag
 * once an iteration, however often it occurs: words that the lexicon does not know behave like rare
 * ones, not like frequent ones. */
#include "train/lemmatizer_train.h"

#include "core/arena.h"
#include "core/array.h"
#include "core/intern.h"

#include "io/spaces.h"

#include <stdlib.h>

enum {
    MOST_CLASSES = 8192,
    RULE = 2,      /* forms that a rule must have to be one for other forms */
    CONDITION = 2, /* forms that make a condition one that a rule is trusted with */
    RUNS = 3,      /* from nothing, whose weights are averaged */
    TYPO = 5,      /* as often must a typing error occur to be known */
};

ddn_lemmatizer_options ddn_lemmatizer_defaults(uint64_t seed)
{
    return (ddn_lemmatizer_options){ .iterations = 10, .seed = seed, .bytes = 800000 };
}

/* A form with a tag and a rule. */
typedef struct example {
    ddn_word word;
    ddn_lemma_tag tag;
    const ddn_sentence *sentence;
    int32_t i;      /* its first place */
    uint32_t rule;  /* as it was found; then by rank */
    uint32_t count; /* how often it occurs */
    bool typo;
} example;

/* Times that a key of the lexicon had a rule. */
typedef struct vote {
    uint64_t key;
    uint32_t rule, count;
} vote;

typedef struct trainer {
    const ddn_lemmatizer_options *o;
    ddn_output *words_out, *rules_out, *conditions_out;
    bool lemmas;              /* the treebank has some */
    ddn_intern texts;         /* of the rules */
    ddn_intern types;         /* form, tag and rule, as bytes */
    uint32_t rules_found;     /* before those of one form */
    ddn_intern additions;     /* what rules add */
    ddn_intern forms, adding; /* plain form and rule, or addition, as bytes */
    example *example;         /* [examples] one a type */
    size_t examples, example_cap;
    vote *vote; /* [votes] */
    size_t votes, vote_cap;
    ddn_lemmatizer l; /* rules by rank, and conditions */
    int classes;
    ddn_lexicon_entries entries;
    ddn_task task;
    ddn_model *model;
    ddn_pass *pass;
    ddn_cased cased;
    ddn_output text;
    ddn_score *score;
    ddn_arena arena; /* counts, ranks and rules; score */
} trainer;

/* ---- What was seen ---- */

static bool is_part(const ddn_sentence *s, int32_t i)
{
    return ddn_text_is(ddn_sentence_column(s, i, DDN_DEPREL), "goeswith");
}

/* The parts of a word that spaces cut follow each other, and the first of them is the head. */
static bool is_cut(const ddn_sentence *s, int32_t i)
{
    return is_part(s, i) || (i < s->n && is_part(s, i + 1) && s->head[i + 1] == i);
}

static bool has_at(dodona_text t)
{
    return memchr(t.data, '@', t.size) != NULL;
}

/* Whether the lemma is that of the form, and not of more than the form. */
static bool is_sound(const ddn_sentence *s, int32_t i)
{
    bool address = has_at(ddn_sentence_column(s, i, DDN_LEMMA)) &&
                   !has_at(ddn_sentence_column(s, i, DDN_FORM));
    return !is_cut(s, i) && !address;
}

static bool is_typo(const ddn_sentence *s, int32_t i)
{
    dodona_text typo = ddn_misc_find(ddn_sentence_column(s, i, DDN_FEATS), "Typo");
    return typo.data && ddn_text_is(typo, "Yes");
}

/* Begins with the form of an example. */
static int set_form(trainer *t, const example *x, dodona_error *err)
{
    return ddn_cased_set(&t->cased, ddn_sentence_column(x->sentence, x->i, DDN_FORM), err);
}

/* The number of the rule in t->text. */
static int add_rule(trainer *t, uint32_t *rule, dodona_error *err)
{
    if (t->text.error.code || !ddn_intern_add(&t->texts, t->text.data, t->text.size, rule))
        return ddn_fail_memory(err);
    return DODONA_OK;
}

static int see_word(trainer *t, const ddn_sentence *s, int32_t i, const ddn_word *w,
                    dodona_error *err)
{
    example x = {
        .word = *w, .tag = ddn_lemma_tag_of(s, i), .sentence = s, .i = i, .typo = is_typo(s, i)
    };
    int status = set_form(t, &x, err);
    if (status < 0)
        return status;
    if (t->lemmas)
        ddn_lemma_rule_find(&t->cased, ddn_sentence_column(s, i, DDN_LEMMA), &t->text);
    else
        ddn_lemma_rule_none(&t->text);
    status = add_rule(t, &x.rule, err);
    if (status < 0)
        return status;
    uint32_t type[] = { w->form, x.tag.all, x.rule }, id;
    if (!ddn_intern_add(&t->types, (const char *)type, sizeof type, &id) ||
        !ddn_reserve(&t->example, &t->example_cap, (size_t)id + 1, sizeof *t->example))
        return ddn_fail_memory(err);
    if (id == t->examples)
        t->example[t->examples++] = x;
    t->example[id].count++;
    return DODONA_OK;
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
            if (is_sound(sentence[k], i))
                status = see_word(t, sentence[k], i, &words.word[i], err);
    }
    ddn_words_fini(&words);
    return status;
}

/* Forgets typing errors, but for those that are so frequent that they are a spelling. */
static void drop_typos(trainer *t)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->examples; i++)
        if (!t->example[i].typo || t->example[i].count >= TYPO)
            t->example[kept++] = t->example[i];
    t->examples = kept;
}

/* ---- Rules ---- */

typedef struct counted {
    bool general; /* it may be used for other forms */
    uint32_t types, id;
} counted;

static int by_count(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    if (x->general != y->general)
        return x->general ? -1 : 1;
    if (x->types != y->types)
        return x->types < y->types ? 1 : -1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* The rules that keep a form but for its casing are there in any case. */
static int add_casings(trainer *t, dodona_error *err)
{
    static const char lower[] = "0\t\t\t\t", as_it_is[] = "1\t\t\t\t";
    uint32_t id;
    bool added = ddn_intern_add(&t->texts, lower, sizeof lower - 1, &id) &&
                 ddn_intern_add(&t->texts, as_it_is, sizeof as_it_is - 1, &id);
    return added ? DODONA_OK : ddn_fail_memory(err);
}

/* How many forms had a rule, and how many had what it adds, by any rule. */
typedef struct support {
    uint32_t forms, adding;
} support;

static bool is_general(dodona_text text, const support *by)
{
    ddn_lemma_rule r;
    ddn_lemma_rule_read(&r, text);
    if (r.casing == DDN_CASE_NONE || ddn_lemma_rule_is_casing(&r))
        return true;
    return by->forms >= RULE && r.casing != DDN_CASE_WHOLE &&
           (by->adding >= DDN_LEMMA_FORMS || !(r.add_before.size + r.add_behind.size));
}

/* What the rule adds, as a number. */
static int find_addition(trainer *t, uint32_t rule, uint32_t *addition, dodona_error *err)
{
    ddn_lemma_rule r;
    ddn_lemma_rule_read(&r, ddn_intern_text(&t->texts, rule));
    t->text.size = 0;
    ddn_put(&t->text, r.add_before.data, r.add_before.size);
    ddn_put(&t->text, "\t", 1);
    ddn_put(&t->text, r.add_behind.data, r.add_behind.size);
    if (t->text.error.code || !ddn_intern_add(&t->additions, t->text.data, t->text.size, addition))
        return ddn_fail_memory(err);
    return DODONA_OK;
}

/* Adds 1 to *count for a plain form that was not counted for that number before. */
static bool count_form(ddn_intern *seen, uint32_t form, uint32_t number, uint32_t *count)
{
    uint32_t pair[] = { form, number }, id, before = seen->count;
    if (!ddn_intern_add(seen, (const char *)pair, sizeof pair, &id))
        return false;
    *count += seen->count - before;
    return true;
}

static int find_support(trainer *t, support *by, uint32_t *addition, uint32_t *adding,
                        dodona_error *err)
{
    int status = DODONA_OK;
    for (uint32_t i = 0; i < t->rules_found && status >= 0; i++)
        status = find_addition(t, i, &addition[i], err);
    for (size_t i = 0; i < t->examples && status >= 0; i++) {
        const example *x = &t->example[i];
        uint32_t a = addition[x->rule];
        if (x->typo)
            continue;
        if (!count_form(&t->forms, x->word.plain, x->rule, &by[x->rule].forms) ||
            !count_form(&t->adding, x->word.plain, a, &adding[a]))
            status = ddn_fail_memory(err);
    }
    for (uint32_t i = 0; i < t->rules_found && status >= 0; i++)
        by[i].adding = adding[addition[i]];
    return status;
}

/* Makes rules that are not general one for each of their forms. */
static int make_whole(trainer *t, dodona_error *err)
{
    t->rules_found = t->texts.count;
    support *by = ddn_arena_take(&t->arena, t->rules_found, sizeof *by);
    uint32_t *addition = ddn_arena_take(&t->arena, t->rules_found, sizeof *addition);
    uint32_t *adding = ddn_arena_take(&t->arena, t->rules_found, sizeof *adding);
    if (t->arena.failed)
        return ddn_fail_memory(err);
    memset(by, 0, t->rules_found * sizeof *by);
    memset(adding, 0, t->rules_found * sizeof *adding);
    int status = find_support(t, by, addition, adding, err);
    for (size_t i = 0; i < t->examples && status >= 0; i++) {
        example *x = &t->example[i];
        if (!x->typo && is_general(ddn_intern_text(&t->texts, x->rule), &by[x->rule]))
            continue;
        status = set_form(t, x, err);
        if (status < 0)
            break;
        ddn_lemma_rule_whole(&t->cased, ddn_sentence_column(x->sentence, x->i, DDN_LEMMA),
                             &t->text);
        status = add_rule(t, &x->rule, err);
    }
    return status;
}

/* Orders the rules and renumbers everything; rules that no example has left are dropped. */
static void rank_rules(trainer *t, counted *counts, uint32_t *rank)
{
    uint32_t rules = t->texts.count;
    for (uint32_t i = 0; i < rules; i++)
        counts[i] = (counted){ .id = i };
    for (size_t i = 0; i < t->examples; i++)
        counts[t->example[i].rule].types++;
    for (uint32_t i = 0; i < rules; i++) {
        ddn_lemma_rule r;
        ddn_lemma_rule_read(&r, ddn_intern_text(&t->texts, i));
        counts[i].general =
            counts[i].types ? r.casing != DDN_CASE_WHOLE : ddn_lemma_rule_is_casing(&r);
    }
    qsort(counts, rules, sizeof *counts, by_count);
    for (uint32_t i = 0; i < rules && (counts[i].general || counts[i].types); i++) {
        dodona_text text = ddn_intern_text(&t->texts, counts[i].id);
        rank[counts[i].id] = i;
        ddn_lemma_rule_read(&t->l.rule[t->l.rules++], text);
        ddn_put(t->rules_out, text.data, text.size);
        ddn_put(t->rules_out, "\n", 1);
        if (counts[i].general && i < MOST_CLASSES)
            t->classes = (int)i + 1;
    }
    for (size_t i = 0; i < t->examples; i++)
        t->example[i].rule = rank[t->example[i].rule];
}

static int make_rules(trainer *t, dodona_error *err)
{
    drop_typos(t);
    if (t->examples == 0)
        return ddn_fail(err, DODONA_E_INPUT, "there are no words to learn lemmas from");
    int status = add_casings(t, err);
    if (status >= 0)
        status = make_whole(t, err);
    if (status < 0)
        return status;
    size_t rules = t->texts.count;
    counted *counts = ddn_arena_take(&t->arena, rules, sizeof *counts);
    uint32_t *rank = ddn_arena_take(&t->arena, rules, sizeof *rank);
    t->l.rule = ddn_arena_take(&t->arena, rules, sizeof *t->l.rule);
    if (t->arena.failed)
        return ddn_fail_memory(err);
    rank_rules(t, counts, rank);
    return t->rules_out->error.code ? ddn_fail_memory(err) : DODONA_OK;
}

/* ---- The lexicon ---- */

static int add_vote(trainer *t, uint64_t key, const example *x, dodona_error *err)
{
    if (!ddn_reserve(&t->vote, &t->vote_cap, t->votes + 1, sizeof *t->vote))
        return ddn_fail_memory(err);
    t->vote[t->votes++] = (vote){ key, x->rule, x->count };
    return DODONA_OK;
}

static int add_votes(trainer *t, dodona_error *err)
{
    int status = DODONA_OK;
    for (size_t i = 0; i < t->examples && status >= 0; i++) {
        const example *x = &t->example[i];
        status = add_vote(t, ddn_lemma_form_key(&x->word, x->tag.all), x, err);
        if (status >= 0)
            status = add_vote(t, ddn_lemma_key(&x->word, x->tag.all), x, err);
        if (status >= 0 && !x->typo)
            status = add_vote(t, ddn_lemma_key(&x->word, x->tag.upos), x, err);
    }
    return status;
}

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
        if (!x->typo && all->value == find_entry(t, ddn_lemma_key(&x->word, x->tag.upos))->value)
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
    int status = add_votes(t, err);
    if (status >= 0)
        qsort(t->vote, t->votes, sizeof *t->vote, by_key);
    for (size_t i = 0, end; i < t->votes && status >= 0; i = end) {
        uint32_t best = 0, rule = 0;
        for (end = i; end < t->votes && t->vote[end].key == t->vote[i].key;) {
            uint32_t count = 0;
            size_t from = end;
            for (; end < t->votes && by_key(&t->vote[end], &t->vote[from]) == 0; end++)
                count += t->vote[end].count;
            if (count > best) {
                best = count;
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

/* ---- Conditions ---- */

/* A form that fulfils a condition. */
typedef struct fulfilled {
    uint64_t key;
    uint32_t form;
} fulfilled;

static int by_condition(const void *a, const void *b)
{
    const fulfilled *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->form < y->form ? -1 : x->form > y->form;
}

static int find_fulfilled(trainer *t, fulfilled *all, size_t *count, dodona_error *err)
{
    int status = DODONA_OK;
    for (size_t i = 0; i < t->examples && status >= 0; i++) {
        const example *x = &t->example[i];
        const ddn_lemma_rule *r = &t->l.rule[x->rule];
        status = set_form(t, x, err);
        if (ddn_lemma_condition(r, x->rule, &t->cased, x->tag.upos, &all[*count].key))
            all[(*count)++].form = x->word.plain;
    }
    return status;
}

static int make_conditions(trainer *t, dodona_error *err)
{
    size_t count = 0;
    ddn_lexicon_entries entries = { 0 };
    fulfilled *all = ddn_arena_take(&t->arena, t->examples, sizeof *all);
    int status = all ? find_fulfilled(t, all, &count, err) : ddn_fail_memory(err);
    if (count > 1)
        qsort(all, count, sizeof *all, by_condition);
    for (size_t i = 0, end; i < count && status >= 0; i = end) {
        uint32_t forms = 0;
        for (end = i; end < count && all[end].key == all[i].key; end++)
            forms += end == i || all[end].form != all[end - 1].form;
        if (forms >= CONDITION)
            status = ddn_lexicon_add(&entries, all[i].key, 0, err);
    }
    if (status >= 0)
        ddn_lexicon_put(t->conditions_out, &entries);
    free(entries.at);
    if (status >= 0 && t->conditions_out->error.code)
        status = ddn_fail_memory(err);
    return status < 0 ? status
                      : ddn_lexicon_check(&t->l.conditions, t->conditions_out->data,
                                          t->conditions_out->size, 1, err);
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
    int status = set_form(t, x, err);
    if (status < 0)
        return status;
    scorer->words(t->pass, key, keys, t->score);
    int32_t guess = ddn_lemma_best(&t->l, t->classes, t->score, x->tag.upos, &t->cased);
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

static int tick(void *ctx, size_t done, dodona_error *err)
{
    const trainer *t = ctx;
    return ddn_listener_tick(&t->o->listener, &t->task, done, err);
}

static int save_now(void *ctx, ddn_sections *to, dodona_error *err)
{
    const trainer *t = ctx;
    ddn_put(ddn_sections_add(to, DDN_LEMMA_RULES), t->rules_out->data, t->rules_out->size);
    ddn_put(ddn_sections_add(to, DDN_LEMMA_WORDS), t->words_out->data, t->words_out->size);
    ddn_put(ddn_sections_add(to, DDN_LEMMA_CONDITIONS), t->conditions_out->data,
            t->conditions_out->size);
    return t->model->scorer->save(t->model, t->o->bytes, to, err);
}

static int judge(void *ctx, dodona_error *err)
{
    const trainer *t = ctx;
    return ddn_listener_judge(&t->o->listener, &t->task, save_now, err);
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
    t->task = (ddn_task){ .ctx = t,
                          .examples = t->examples,
                          .batch = 1,
                          .iterations = t->o->iterations,
                          .runs = RUNS,
                          .models = 1,
                          .model = { t->model },
                          .learn = learn,
                          .judge = judge,
                          .tick = tick };
    ddn_rng_init(&t->task.rng, t->o->seed);
    if (status >= 0)
        status = ddn_learn(&t->task, NULL, err);
    return status < 0 ? status : scorer->save(t->model, t->o->bytes, out, err);
}

static void finish(trainer *t)
{
    ddn_pass_end(t->pass);
    ddn_model_close(t->model);
    ddn_intern_fini(&t->texts);
    ddn_intern_fini(&t->types);
    ddn_intern_fini(&t->additions);
    ddn_intern_fini(&t->forms);
    ddn_intern_fini(&t->adding);
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
    t.conditions_out = ddn_sections_add(out, DDN_LEMMA_CONDITIONS);
    ddn_intern_init(&t.texts);
    ddn_intern_init(&t.types);
    ddn_intern_init(&t.additions);
    ddn_intern_init(&t.forms);
    ddn_intern_init(&t.adding);
    ddn_cased_init(&t.cased);
    ddn_output_memory(&t.text);
    int status = see_all(&t, sentence, count, err);
    if (status >= 0)
        status = make_rules(&t, err);
    if (status >= 0)
        status = make_lexicon(&t, err);
    if (status >= 0)
        status = make_conditions(&t, err);
    if (status >= 0)
        status = make_weights(&t, out, err);
    finish(&t);
    return status;
}
