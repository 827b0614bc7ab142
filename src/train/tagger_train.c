/* SPDX-License-Identifier: MIT */
/* tagger_train.c - learning to tag.
 *
 * First the lexicon.  Every form gets the set of tags that it had; so does its plain form, over all
 * its spellings.  A form that is frequent enough will have no other tags than these.  Endings get
 * the tags of the rare words that have them, since a word that training did not see is rare.
 *
 * Then the weights: a structured perceptron.  The beam tags a sentence; where another sequence of
 * tags scores higher than the gold one, the prefixes of both up to the word where the difference is
 * largest are compared (max-violation: Huang, Fayong & Guo 2012).  Only weights of parts in which
 * the tags differ are updated.
 *
 * Rare words must be learnt as unknown ones, too, or the tagger would only learn to trust its
 * lexicon.  So a word that was seen once or twice is hidden from it every other time, at random.
 *
 * All of that is done several times from nothing, and the weights are averaged over the runs.  That
 * helps most where the treebank is small. */
#include "train/tagger_train.h"

#include "core/arena.h"
#include "core/array.h"
#include "pipeline/tagging.h"

#include <stdlib.h>

enum {
    CLOSED = 20,      /* times that a form was seen, for its tags to be all */
    RARE = 10,        /* times that a form was seen at most, for its ending to count */
    ONCE = 2,         /* times that a form was seen at most, for it to be hidden at times */
    ENDING_TYPES = 8, /* forms that an ending needs */
    ENDING_TAGS = 64, /* tags that an ending has at most */
};

ddn_tagger_options ddn_tagger_defaults(uint64_t seed)
{
    return (ddn_tagger_options){ .iterations = 10, .runs = 3, .seed = seed, .bytes = 2900000 };
}

/* One observation: that tag under that key, so many times. */
typedef struct seen {
    uint64_t key;
    uint32_t count;
    uint16_t tag;
} seen;

typedef struct seens {
    seen *at;
    size_t count, capacity;
} seens;

typedef struct trainer {
    const ddn_tagger_options *o;
    const ddn_sentence *const *sentence;
    size_t count;
    ddn_sections *out; /* and its outputs: */
    ddn_output *tags, *sets_out, *words;
    uint64_t *offset; /* [count + 1] of a sentence's words among all */
    uint16_t *gold;   /* [words] DDN_TAG_NONE: none that is kept */
    uint8_t *once;    /* [words] the form was seen hardly more than once */
    seens forms, plains, endings;
    ddn_intern sets;  /* as bytes, in the order of out->sets */
    uint32_t *set_at; /* by their number, where they begin */
    size_t set_at_cap;
    ddn_lexicon_entries entries;
    ddn_tagger tagger;
    bool opened;
    ddn_model *model; /* that learns */
    ddn_tagging *tagging;
    uint8_t *hidden; /* [the most words of a sentence + 1] */
    uint16_t *guess; /* the same */
    ddn_arena arena; /* offset, gold, once, hidden, guess */
    ddn_task task;
} trainer;

/* ---- The tagset ---- */

typedef struct counted {
    uint64_t count;
    uint32_t id;
} counted;

static int by_count(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Counts the tags of all words; gold gets the numbers of their names. */
static int count_tags(trainer *t, ddn_intern *names, uint32_t *gold, counted **counts,
                      dodona_error *err)
{
    ddn_output name;
    size_t capacity = 0;
    int status = DODONA_OK;
    ddn_output_memory(&name);
    for (size_t k = 0; k < t->count && status >= 0; k++)
        for (int32_t i = 1; i <= t->sentence[k]->n && status >= 0; i++) {
            const ddn_sentence *s = t->sentence[k];
            uint32_t id;
            ddn_tag_name(&name, ddn_sentence_column(s, i, DDN_UPOS),
                         ddn_sentence_column(s, i, DDN_XPOS), ddn_sentence_column(s, i, DDN_FEATS));
            uint32_t before = names->count;
            if (name.error.code || !ddn_intern_add(names, name.data, name.size, &id) ||
                !ddn_reserve(counts, &capacity, (size_t)names->count, sizeof **counts)) {
                status = ddn_fail_memory(err);
                break;
            }
            if (names->count > before)
                (*counts)[id] = (counted){ 0, id };
            (*counts)[id].count++;
            gold[t->offset[k] + (uint64_t)i - 1] = id;
        }
    ddn_output_abandon(&name);
    return status;
}

/* Writes the tags by falling frequency and numbers gold by them. */
static int order_tags(trainer *t, const ddn_intern *names, const uint32_t *gold, counted *counts,
                      dodona_error *err)
{
    uint32_t kept = names->count < DDN_MAX_TAGS ? names->count : DDN_MAX_TAGS;
    uint16_t *new = malloc(((size_t)names->count + 1) * sizeof *new);
    if (!new)
        return ddn_fail_memory(err);
    qsort(counts, names->count, sizeof *counts, by_count);
    for (uint32_t i = 0; i < names->count; i++) {
        new[counts[i].id] = i < kept ? (uint16_t)i : DDN_TAG_NONE;
        if (i >= kept)
            continue;
        dodona_text name = ddn_intern_text(names, counts[i].id);
        ddn_put(t->tags, name.data, name.size);
        ddn_put(t->tags, "\n", 1);
    }
    for (uint64_t i = 0; i < t->offset[t->count]; i++)
        t->gold[i] = new[gold[i]];
    free(new);
    return t->tags->error.code ? ddn_fail_memory(err) : DODONA_OK;
}

static int make_tags(trainer *t, dodona_error *err)
{
    ddn_intern names;
    counted *counts = NULL;
    uint32_t *gold = malloc((t->offset[t->count] + 1) * sizeof *gold);
    ddn_intern_init(&names);
    int status = gold ? count_tags(t, &names, gold, &counts, err) : ddn_fail_memory(err);
    if (status >= 0 && names.count == 0)
        status = ddn_fail(err, DODONA_E_INPUT, "there are no words to learn tags from");
    if (status >= 0)
        status = order_tags(t, &names, gold, counts, err);
    ddn_intern_fini(&names);
    free(counts);
    free(gold);
    return status;
}

/* ---- What was seen ---- */

static int by_key(const void *a, const void *b)
{
    const seen *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->tag < y->tag ? -1 : x->tag > y->tag;
}

static int by_falling_count(const void *a, const void *b)
{
    const seen *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->tag < y->tag ? -1 : x->tag > y->tag;
}

static int note(seens *s, uint64_t key, uint16_t tag, dodona_error *err)
{
    if (!ddn_reserve(&s->at, &s->capacity, s->count + 1, sizeof *s->at))
        return ddn_fail_memory(err);
    s->at[s->count++] = (seen){ .key = key, .tag = tag, .count = 1 };
    return DODONA_OK;
}

/* Sorts by key and tag and adds up what is equal. */
static void gather(seens *s)
{
    size_t made = 0;
    if (s->count > 1)
        qsort(s->at, s->count, sizeof *s->at, by_key);
    for (size_t i = 0; i < s->count; i++)
        if (made && s->at[made - 1].key == s->at[i].key && s->at[made - 1].tag == s->at[i].tag)
            s->at[made - 1].count += s->at[i].count;
        else
            s->at[made++] = s->at[i];
    s->count = made;
}

/* The end of the observations with one key that begin at i, and how often that key was seen. */
static size_t stretch(const seens *s, size_t i, uint64_t *total)
{
    size_t end = i;
    for (*total = 0; end < s->count && s->at[end].key == s->at[i].key; end++)
        *total += s->at[end].count;
    return end;
}

/* How often the key was seen, in gathered observations. */
static uint64_t times_seen(const seens *s, uint64_t key)
{
    size_t low = 0, high = s->count;
    uint64_t total = 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->at[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < s->count && s->at[low].key == key)
        stretch(s, low, &total);
    return total;
}

/* Calls visit for every word that has a tag. */
static int each_word(trainer *t,
                     int (*visit)(trainer *t, const ddn_word *w, uint64_t k, void *ctx,
                                  dodona_error *err),
                     void *ctx, dodona_error *err)
{
    ddn_words words;
    int status = DODONA_OK;
    ddn_words_init(&words);
    for (size_t k = 0; k < t->count && status >= 0; k++) {
        status = ddn_words_read(&words, t->sentence[k], err);
        for (int32_t i = 1; i <= t->sentence[k]->n && status >= 0; i++)
            status = visit(t, &words.word[i], t->offset[k] + (uint64_t)i - 1, ctx, err);
    }
    ddn_words_fini(&words);
    return status;
}

static int see_forms(trainer *t, const ddn_word *w, uint64_t k, void *ctx, dodona_error *err)
{
    (void)ctx;
    if (t->gold[k] == DDN_TAG_NONE)
        return DODONA_OK;
    int status = note(&t->forms, ddn_tagger_form_key(w), t->gold[k], err);
    return status < 0 ? status : note(&t->plains, ddn_tagger_plain_key(w), t->gold[k], err);
}

/* Endings count once for each pair of a rare form and its tag; pairs: those that were met. */
static int see_endings(trainer *t, const ddn_word *w, uint64_t k, void *pairs, dodona_error *err)
{
    uint64_t key = ddn_tagger_form_key(w), pair[2] = { key, t->gold[k] };
    uint64_t times = times_seen(&t->forms, key);
    uint32_t id, before = ((ddn_intern *)pairs)->count;
    t->once[k] = times <= ONCE;
    if (t->gold[k] == DDN_TAG_NONE || times > RARE)
        return DODONA_OK;
    if (!ddn_intern_add(pairs, (const char *)pair, sizeof pair, &id))
        return ddn_fail_memory(err);
    int status = DODONA_OK;
    for (int length = 0; id == before && length <= DDN_TAG_ENDING && status >= 0; length++)
        if (length == 0 || w->suffix[length - 1])
            status = note(&t->endings, ddn_tagger_ending_key(w, length), t->gold[k], err);
    return status;
}

/* ---- Sets ---- */

/* The place of a set in the section, which gets it if it is new. */
static int find_set(trainer *t, const uint16_t *set, size_t size, uint32_t *at, dodona_error *err)
{
    uint32_t id, before = t->sets.count;
    if (!ddn_intern_add(&t->sets, (const char *)set, size * sizeof *set, &id) ||
        !ddn_reserve(&t->set_at, &t->set_at_cap, (size_t)id + 1, sizeof *t->set_at))
        return ddn_fail_memory(err);
    if (id == before) {
        t->set_at[id] = (uint32_t)(t->sets_out->size / sizeof *set);
        ddn_put(t->sets_out, (const char *)set, size * sizeof *set);
    }
    *at = t->set_at[id];
    return t->sets_out->error.code ? ddn_fail_memory(err) : DODONA_OK;
}

/* An entry for the observations of one key: their tags, the most frequent first. */
static int enter_set(trainer *t, seen *s, size_t count, size_t most, bool closed, dodona_error *err)
{
    uint16_t set[DDN_SET_MOST + 1];
    uint64_t key = s->key;
    qsort(s, count, sizeof *s, by_falling_count);
    count = count < most ? count : most;
    set[0] = (uint16_t)(count | (closed ? DDN_SET_CLOSED : 0));
    for (size_t i = 0; i < count; i++)
        set[i + 1] = s[i].tag;
    uint32_t at;
    int status = find_set(t, set, count + 1, &at, err);
    return status < 0 ? status : ddn_lexicon_add(&t->entries, key, at, err);
}

/* Entries for all keys that were seen often enough; plain forms that are also forms have one. */
static int enter_all(trainer *t, seens *s, uint64_t least, size_t most, uint64_t closed,
                     dodona_error *err)
{
    bool plain = s == &t->plains;
    int status = DODONA_OK;
    uint64_t total;
    for (size_t i = 0, end; i < s->count && status >= 0; i = end) {
        end = stretch(s, i, &total);
        bool is_form = plain && times_seen(&t->forms, s->at[i].key) > 0;
        if (total >= least && !is_form)
            status = enter_set(t, s->at + i, end - i, most, total >= closed, err);
    }
    return status;
}

/* The first set: the tags that words have most, whatever they are. */
static int put_first_set(trainer *t, dodona_error *err)
{
    uint16_t set[ENDING_TAGS + 1];
    uint32_t tags = 0, at;
    for (size_t i = 0; i < t->tags->size; i++)
        tags += t->tags->data[i] == '\n';
    set[0] = (uint16_t)(tags < ENDING_TAGS ? tags : ENDING_TAGS);
    for (uint16_t i = 0; i < set[0]; i++)
        set[i + 1] = i;
    return find_set(t, set, (size_t)set[0] + 1, &at, err);
}

static int make_lexicon(trainer *t, dodona_error *err)
{
    ddn_intern pairs;
    ddn_intern_init(&pairs);
    int status = each_word(t, see_forms, NULL, err);
    gather(&t->forms);
    gather(&t->plains);
    if (status >= 0)
        status = each_word(t, see_endings, &pairs, err);
    ddn_intern_fini(&pairs);
    gather(&t->endings);
    if (status >= 0)
        status = put_first_set(t, err);
    if (status >= 0)
        status = enter_all(t, &t->forms, 1, DDN_SET_MOST, CLOSED, err);
    if (status >= 0)
        status = enter_all(t, &t->plains, 1, DDN_SET_MOST, UINT64_MAX, err);
    if (status >= 0)
        status = enter_all(t, &t->endings, ENDING_TYPES, ENDING_TAGS, UINT64_MAX, err);
    if (status < 0)
        return status;
    ddn_lexicon_put(t->words, &t->entries);
    return t->words->error.code ? ddn_fail_memory(err) : DODONA_OK;
}

/* ---- Learning ---- */

/* Adjoints that move the weights of keys towards the parts of one tag and away from those of
 * another; parts that both have stay. */
static int move(trainer *t, const uint64_t *key, int n, const ddn_tag *from, const ddn_tag *to,
                dodona_error *err)
{
    ddn_adjoint d[2 * DDN_MAX_TAG_PARTS];
    int count = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        const ddn_tag *one = sign < 0 ? from : to, *other = sign < 0 ? to : from;
        for (int k = 0; one && k < one->parts; k++) {
            bool shared = false;
            for (int j = 0; other && j < other->parts; j++)
                shared |= other->part[j] == one->part[k];
            if (!shared)
                d[count++] = (ddn_adjoint){ one->part[k], -sign };
        }
    }
    return t->model->scorer->learn_word(t->tagging->pass, key, n, d, count, err);
}

/* Word i with the tags before it in both sequences. */
static int move_word(trainer *t, int32_t i, uint16_t gold, const ddn_tag_past *past,
                     const ddn_tag_past *past_guess, dodona_error *err)
{
    ddn_tagging *w = t->tagging;
    const ddn_tag *tag = t->tagger.tags.tag, *right = &tag[gold], *wrong = &tag[t->guess[i]];
    uint64_t key[DDN_HISTORY_KEYS];
    bool same = memcmp(past, past_guess, sizeof *past) == 0;
    if (w->choice[i].count == 1 || (right == wrong && same))
        return DODONA_OK;
    int status = DODONA_OK;
    if (right != wrong) {
        ddn_tagging_keys(w, i);
        status = move(t, w->key, w->keys, wrong, right, err);
    }
    int keys = ddn_tagging_history(w, i, past, key);
    if (status >= 0)
        status = move(t, key, keys, same ? wrong : NULL, right, err);
    if (status < 0 || same)
        return status;
    keys = ddn_tagging_history(w, i, past_guess, key);
    return move(t, key, keys, wrong, NULL, err);
}

static const ddn_tag_past nothing = { DDN_TAG_NONE, DDN_TAG_NONE, { DDN_TAG_NONE, DDN_TAG_NONE } };

/* Words 1..end. */
static int move_words(trainer *t, int32_t end, const uint16_t *gold, dodona_error *err)
{
    const ddn_tagset *tags = &t->tagger.tags;
    ddn_tag_past past = nothing, past_guess = nothing;
    int status = DODONA_OK;
    for (int32_t i = 1; i <= end && status >= 0; i++) {
        status = move_word(t, i, gold[i], &past, &past_guess, err);
        past = ddn_tag_past_next(tags, past, gold[i]);
        past_guess = ddn_tag_past_next(tags, past_guess, t->guess[i]);
    }
    return status;
}

/* Where the best item is ahead of the gold tags by most, with its tags in guess; 0: nowhere. */
static int32_t contrast(trainer *t, int32_t n, const uint16_t *gold)
{
    ddn_tagging *w = t->tagging;
    const ddn_tag *tag = t->tagger.tags.tag;
    ddn_tag_past past = nothing;
    uint64_t key[DDN_HISTORY_KEYS];
    ddn_score own = 0, most = 0;
    int32_t where = 0;
    for (int32_t i = 1; i <= n; i++) {
        ddn_tagging_step(w, i);
        if (w->choice[i].count > 1) {
            ddn_tagging_score(w, key, ddn_tagging_history(w, i, &past, key), w->past);
            own += ddn_tag_sum(&tag[gold[i]], w->sum) + ddn_tag_sum(&tag[gold[i]], w->past);
        }
        past = ddn_tag_past_next(&t->tagger.tags, past, gold[i]);
        ddn_score ahead = w->item[(size_t)i * DDN_TAG_BEAM].score - own;
        if (ahead < most)
            continue;
        ddn_tagging_trace(w, i, 0, t->guess);
        if (memcmp(t->guess + 1, gold + 1, (size_t)i * sizeof *gold) != 0) {
            most = ahead;
            where = i;
        }
    }
    if (where)
        ddn_tagging_trace(w, where, 0, t->guess);
    return where;
}

static int learn_sentence(trainer *t, size_t k, dodona_error *err)
{
    const ddn_sentence *s = t->sentence[k];
    const uint16_t *gold = t->gold + t->offset[k] - 1; /* from 1 */
    for (int32_t i = 1; i <= s->n; i++) {
        if (gold[i] == DDN_TAG_NONE)
            return DODONA_OK;
        t->hidden[i] = t->once[t->offset[k] + (uint64_t)i - 1] && ddn_rng_below(&t->task.rng, 2);
    }
    int status = ddn_tagging_begin(t->tagging, s, t->hidden, gold, err);
    if (status < 0)
        return status;
    return move_words(t, contrast(t, s->n, gold), gold, err);
}

static int learn(void *ctx, const uint32_t *number, int m, dodona_error *err)
{
    trainer *t = ctx;
    int status = DODONA_OK;
    for (int i = 0; i < m && status >= 0; i++) {
        status = learn_sentence(t, number[i], err);
        if (status >= 0)
            status = t->model->scorer->step(t->model, &t->tagging->pass, 1, err);
    }
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
    ddn_put(ddn_sections_add(to, DDN_TAGGER_TAGS), t->tags->data, t->tags->size);
    ddn_put(ddn_sections_add(to, DDN_TAGGER_SETS), t->sets_out->data, t->sets_out->size);
    ddn_put(ddn_sections_add(to, DDN_TAGGER_WORDS), t->words->data, t->words->size);
    return t->model->scorer->save(t->model, t->o->bytes, to, err);
}

static int judge(void *ctx, dodona_error *err)
{
    const trainer *t = ctx;
    return ddn_listener_judge(&t->o->listener, &t->task, save_now, err);
}

/* The mean over all runs, also where there is just one. */
static int make_weights(trainer *t, dodona_error *err)
{
    t->task.examples = t->count;
    t->task.models = 1;
    t->task.model[0] = t->model;
    int status = ddn_learn(&t->task, NULL, err);
    if (status >= 0)
        status = t->model->scorer->restart(t->model, err);
    return status < 0 ? status : t->model->scorer->save(t->model, t->o->bytes, t->out, err);
}

/* Opens what is known before the weights are, and a tagging that learns. */
static int open_learning(trainer *t, dodona_error *err)
{
    const ddn_scorer *scorer = ddn_scorer_of_words();
    ddn_model_file sections;
    ddn_sections_view(t->out, "the tagger", &sections);
    int status = ddn_tagger_open_lexicon(&t->tagger, &sections, err);
    t->opened = status >= 0;
    ddn_spec spec = { .part = DDN_TAGGER_WEIGHTS, .classes = (int)t->tagger.tags.classes };
    if (status >= 0)
        status = scorer->create(&spec, &t->model, err);
    return status < 0 ? status : ddn_tagging_new(&t->tagger, t->model, &t->tagging, err);
}

static int reserve(trainer *t, dodona_error *err)
{
    size_t most = 0;
    t->offset = ddn_arena_take(&t->arena, t->count + 1, sizeof *t->offset);
    if (!t->offset)
        return ddn_fail_memory(err);
    t->offset[0] = 0;
    for (size_t k = 0; k < t->count; k++) {
        size_t n = (size_t)t->sentence[k]->n;
        t->offset[k + 1] = t->offset[k] + n;
        most = n > most ? n : most;
    }
    t->gold = ddn_arena_take(&t->arena, t->offset[t->count], sizeof *t->gold);
    t->once = ddn_arena_take(&t->arena, t->offset[t->count], sizeof *t->once);
    t->hidden = ddn_arena_take(&t->arena, most + 1, sizeof *t->hidden);
    t->guess = ddn_arena_take(&t->arena, most + 1, sizeof *t->guess);
    return t->arena.failed ? ddn_fail_memory(err) : DODONA_OK;
}

static void finish(trainer *t)
{
    ddn_tagging_free(t->tagging);
    ddn_model_close(t->model);
    if (t->opened)
        ddn_tagger_close(&t->tagger);
    ddn_intern_fini(&t->sets);
    ddn_arena_fini(&t->arena);
    free(t->forms.at);
    free(t->plains.at);
    free(t->endings.at);
    free(t->set_at);
    free(t->entries.at);
}

int ddn_tagger_train(const ddn_tagger_options *o, const ddn_sentence *const *sentence, size_t count,
                     ddn_sections *out, dodona_error *err)
{
    trainer t = { .o = o, .sentence = sentence, .count = count, .out = out };
    t.tags = ddn_sections_add(out, DDN_TAGGER_TAGS);
    t.sets_out = ddn_sections_add(out, DDN_TAGGER_SETS);
    t.words = ddn_sections_add(out, DDN_TAGGER_WORDS);
    ddn_intern_init(&t.sets);
    t.task = (ddn_task){ .ctx = &t,
                         .batch = 1,
                         .iterations = o->iterations,
                         .runs = o->runs,
                         .learn = learn,
                         .judge = judge,
                         .tick = tick };
    ddn_rng_init(&t.task.rng, o->seed);
    int status = reserve(&t, err);
    if (status >= 0)
        status = make_tags(&t, err);
    if (status >= 0)
        status = make_lexicon(&t, err);
    if (status >= 0)
        status = open_learning(&t, err);
    if (status >= 0)
        status = make_weights(&t, err);
    finish(&t);
    return status;
}
