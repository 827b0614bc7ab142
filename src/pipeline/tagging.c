/* SPDX-License-Identifier: MIT */
/* tagging.c - the beam of the tagger.
 *
 * What.  A good sequence of tags t_1..t_n, t_i a candidate of word i, under the sum over words of
 * score(t_i | the words around i) + score(t_i | t_{i-1}, t_{i-2}, last nominal and verbal tag, word
 * i).  Each score is the sum of those of the tag's parts.  Words with a single candidate score 0:
 * there is nothing to decide.
 *
 * How.  A beam from left to right of DDN_TAG_BEAM items.  Of items that agree in their last two
 * tags only the best stays.  That is not Viterbi's algorithm, not even with a wide beam: two such
 * items may differ in their last nominal or verbal tag, which later scores see.  Features of the
 * words are summed once a word, those of the past once an item.
 *
 * Cost.  O(n (F + B (H + C P))): F and H features of words and of the past, B items, C candidates
 * of P parts.  Ties go to the item that was found first, so a result never depends on the machine.
 *
 * Collins, Discriminative training methods for hidden Markov models, 2002. */
#include "pipeline/tagging.h"

#include "core/array.h"
#include "pipeline/keys.h"

enum { FORM = 1, ENDING };                   /* kinds of entries in the lexicon */
enum { NO_WORD = 0, UNKNOWN = 2, EDGE = 1 }; /* numbers in place of hashes */

/* ---- Candidates ---- */

uint64_t ddn_tagger_form_key(const ddn_word *w)
{
    return ddn_key(FORM, w->form);
}

uint64_t ddn_tagger_plain_key(const ddn_word *w)
{
    return ddn_key(FORM, w->plain);
}

uint64_t ddn_tagger_ending_key(const ddn_word *w, int length)
{
    uint64_t ending = length ? w->suffix[length - 1] : 0;
    return ddn_key(ENDING + (uint64_t)length, ending << 1 | w->upper);
}

/* The set of the longest ending that the lexicon has. */
static uint32_t find_ending(const ddn_tagger *t, const ddn_word *w)
{
    for (int length = DDN_TAG_ENDING; length >= 0; length--) {
        if (length && !w->suffix[length - 1])
            continue;
        uint32_t set = ddn_lexicon_find(&t->words, ddn_tagger_ending_key(w, length));
        if (set != DDN_LEXICON_NONE)
            return set;
    }
    return 0;
}

/* Room was reserved. */
static void add_candidate(ddn_tagging *w, uint16_t tag)
{
    if (!w->marked[tag]) {
        w->marked[tag] = 1;
        w->pool[w->pool_size++] = tag;
    }
}

static void add_set(ddn_tagging *w, uint32_t set)
{
    const uint16_t *at = w->tagger->set + set;
    unsigned count = *at & ~(unsigned)DDN_SET_CLOSED;
    for (unsigned i = 1; i <= count; i++)
        add_candidate(w, at[i]);
}

static void find_candidates(ddn_tagging *w, int32_t i, bool hidden, uint16_t gold)
{
    const ddn_tagger *t = w->tagger;
    const ddn_word *word = &w->words.word[i];
    struct ddn_choice *c = &w->choice[i];
    uint32_t set = DDN_LEXICON_NONE;
    *c = (struct ddn_choice){ .at = (uint32_t)w->pool_size };
    if (!hidden) {
        uint32_t plain = DDN_LEXICON_NONE;
        set = ddn_lexicon_find(&t->words, ddn_tagger_form_key(word));
        if (set == DDN_LEXICON_NONE || word->upper)
            plain = ddn_lexicon_find(&t->words, ddn_tagger_plain_key(word));
        if (set == DDN_LEXICON_NONE)
            set = plain;
        c->plain = plain + 1;
    }
    c->known = set != DDN_LEXICON_NONE;
    if (c->known)
        add_set(w, set);
    if (!c->known || !(t->set[set] & DDN_SET_CLOSED)) {
        uint32_t ending = find_ending(t, word);
        add_set(w, ending);
        set = c->known ? set : ending;
    }
    if (gold != DDN_TAG_NONE)
        add_candidate(w, gold);
    c->set = set + 1;
    c->count = (uint32_t)w->pool_size - c->at;
    for (uint32_t k = 0; k < c->count; k++)
        w->marked[w->pool[c->at + k]] = 0;
}

static int reserve(ddn_tagging *w, size_t n, dodona_error *err)
{
    if (!ddn_reserve(&w->choice, &w->choice_cap, n + 3, sizeof *w->choice) ||
        !ddn_reserve(&w->item, &w->item_cap, (n + 1) * DDN_TAG_BEAM, sizeof *w->item) ||
        !ddn_reserve(&w->items, &w->items_cap, n + 1, sizeof *w->items) ||
        !ddn_reserve(&w->tag, &w->tag_cap, n + 1, sizeof *w->tag))
        return ddn_fail_memory(err);
    return DODONA_OK;
}

int ddn_tagging_begin(ddn_tagging *w, const ddn_sentence *s, const uint8_t *hidden,
                      const uint16_t *gold, dodona_error *err)
{
    enum { MOST = 2 * DDN_SET_MOST + 1 };
    int status = ddn_words_read(&w->words, s, err);
    if (status >= 0)
        status = reserve(w, (size_t)s->n, err);
    if (status < 0)
        return status;
    w->pool_size = 0;
    int32_t upper = 0;
    for (int32_t i = 1; i <= s->n; i++)
        upper += w->words.word[i].upper;
    w->titled = upper * 2 > s->n;
    for (int32_t i = 1; i <= s->n; i++) {
        if (!ddn_reserve(&w->pool, &w->pool_cap, w->pool_size + MOST, sizeof *w->pool))
            return ddn_fail_memory(err);
        find_candidates(w, i, hidden && hidden[i], gold ? gold[i] : DDN_TAG_NONE);
    }
    w->choice[0] = w->choice[s->n + 1] = w->choice[s->n + 2] = (struct ddn_choice){ 0 };
    w->items[0] = 1;
    w->item[0] = (ddn_tag_item){ .tag = DDN_TAG_NONE,
                                 .before = DDN_TAG_NONE,
                                 .last = { DDN_TAG_NONE, DDN_TAG_NONE } };
    return DODONA_OK;
}

/* ---- Features ---- */

static uint64_t key(uint32_t feature, uint32_t a, uint32_t b)
{
    return ddn_key(feature, (uint64_t)a << 32 | b);
}

/* The value of the word itself as a feature: all words that the lexicon does not have share one. */
static uint32_t own(const ddn_tagging *w, int32_t i)
{
    return w->choice[i].known ? w->words.word[i].plain : UNKNOWN;
}

void ddn_tagging_keys(ddn_tagging *w, int32_t i)
{
    const ddn_word *x = &w->words.word[i], *l = x - 1, *r = x + 1;
    const struct ddn_choice *c = &w->choice[i];
    uint64_t *k = w->key;
    uint32_t self = own(w, i), f = 1;
    *k++ = key(f++, 0, 0);
    *k++ = key(f++, self, 0);
    *k++ = key(f++, c->known ? x->form : UNKNOWN, 0);
    for (int j = 0; j < DDN_SUFFIXES; j++, f++)
        if (x->suffix[j])
            *k++ = key(f, x->suffix[j], 0);
    for (int j = 0; j < DDN_PREFIXES; j++, f++)
        if (x->prefix[j])
            *k++ = key(f, x->prefix[j], 0);
    *k++ = key(f++, x->shape, i == 1);
    *k++ = key(f++, x->shape, (uint32_t)w->titled + 2);
    *k++ = key(f++, c->plain, x->shape);
    *k++ = key(f++, x->shape, x->suffix[1]);
    *k++ = key(f++, c->set, 0);
    *k++ = key(f++, l->plain, 0);
    *k++ = key(f++, r->plain, 0);
    *k++ = key(f++, l[-1].plain, 0);
    *k++ = key(f++, r[1].plain, 0);
    *k++ = key(f++, l->plain, self);
    *k++ = key(f++, self, r->plain);
    *k++ = key(f++, l->plain, r->plain);
    *k++ = key(f++, l->suffix[2], 0);
    *k++ = key(f++, r->suffix[2], 0);
    *k++ = key(f++, r->suffix[1], x->suffix[1]);
    *k++ = key(f++, l->shape, x->shape);
    *k++ = key(f++, r->shape, x->shape);
    *k++ = key(f++, c[1].set, 0);
    *k++ = key(f++, c[1].set, c->set);
    *k++ = key(f++, c[2].set, c[1].set);
    w->keys = (int)(k - w->key);
}

ddn_tag_past ddn_tag_past_next(const ddn_tagset *t, ddn_tag_past past, uint16_t tag)
{
    ddn_tag_past next = { .one = tag, .two = past.one, .last = { past.last[0], past.last[1] } };
    uint8_t sort = t->tag[tag].sort;
    if (sort != DDN_SORT_OTHER)
        next.last[sort - DDN_SORT_NOMINAL] = tag;
    return next;
}

static uint32_t upos_of(const ddn_tagging *w, uint16_t tag)
{
    return tag == DDN_TAG_NONE ? 0 : w->tagger->tags.tag[tag].upos_id;
}

int ddn_tagging_history(const ddn_tagging *w, int32_t i, const ddn_tag_past *past, uint64_t *out)
{
    enum { FIRST = 64 };
    const ddn_word *x = &w->words.word[i];
    const struct ddn_choice *c = &w->choice[i];
    uint32_t one = past->one, nominal = past->last[0], verbal = past->last[1];
    uint32_t upos = upos_of(w, past->one), upos_two = upos_of(w, past->two), f = FIRST;
    uint64_t *k = out;
    *k++ = key(f++, one, 0);
    *k++ = key(f++, one, past->two + 1u);
    *k++ = key(f++, one, own(w, i));
    *k++ = key(f++, upos, c->set);
    *k++ = key(f++, upos, c[1].set);
    *k++ = key(f++, upos << 8 | upos_two, x->suffix[2]);
    *k++ = key(f++, verbal, c->set);
    *k++ = key(f++, nominal, x->suffix[1]);
    return (int)(k - out);
}

/* ---- The beam ---- */

/* Enters an item at its place among those of its word; of two with the same last tags the better
 * stays. */
static void enter(ddn_tag_item *item, int32_t *items, ddn_tag_item new)
{
    int32_t at = 0, last = *items;
    while (at < *items && item[at].score >= new.score) {
        if (item[at].tag == new.tag && item[at].before == new.before)
            return;
        at++;
    }
    for (int32_t i = at; i < *items; i++)
        if (item[i].tag == new.tag && item[i].before == new.before)
            last = i;
    if (at == DDN_TAG_BEAM)
        return;
    if (last == *items && *items < DDN_TAG_BEAM)
        ++*items;
    else if (last == *items)
        last = DDN_TAG_BEAM - 1;
    memmove(item + at + 1, item + at, (size_t)(last - at) * sizeof *item);
    item[at] = new;
}

static ddn_tag_past past_of(const ddn_tag_item *it)
{
    return (ddn_tag_past){ it->tag, it->before, { it->last[0], it->last[1] } };
}

/* Continues item back of the word before by a tag. */
static void extend(ddn_tagging *w, int32_t i, int32_t back, uint16_t tag, ddn_score score)
{
    ddn_tag_past past = past_of(&w->item[(size_t)(i - 1) * DDN_TAG_BEAM + (size_t)back]);
    ddn_tag_past next = ddn_tag_past_next(&w->tagger->tags, past, tag);
    enter(w->item + (size_t)i * DDN_TAG_BEAM, &w->items[i],
          (ddn_tag_item){ .score = score,
                          .back = back,
                          .tag = tag,
                          .before = next.two,
                          .last = { next.last[0], next.last[1] } });
}

void ddn_tagging_step(ddn_tagging *w, int32_t i)
{
    const struct ddn_choice *c = &w->choice[i];
    const ddn_tag_item *from = w->item + (size_t)(i - 1) * DDN_TAG_BEAM;
    const uint16_t *candidate = w->pool + c->at;
    const ddn_tag *tag = w->tagger->tags.tag;
    uint64_t keys[DDN_HISTORY_KEYS];
    w->items[i] = 0;
    if (c->count == 1) {
        for (int32_t b = 0; b < w->items[i - 1]; b++)
            extend(w, i, b, *candidate, from[b].score);
        return;
    }
    ddn_tagging_keys(w, i);
    ddn_tagging_score(w, w->key, w->keys, w->sum);
    for (uint32_t k = 0; k < c->count; k++)
        w->local[k] = ddn_tag_sum(&tag[candidate[k]], w->sum);
    for (int32_t b = 0; b < w->items[i - 1]; b++) {
        ddn_tag_past past = past_of(&from[b]);
        ddn_tagging_score(w, keys, ddn_tagging_history(w, i, &past, keys), w->past);
        for (uint32_t k = 0; k < c->count; k++)
            extend(w, i, b, candidate[k],
                   from[b].score + w->local[k] + ddn_tag_sum(&tag[candidate[k]], w->past));
    }
}

void ddn_tagging_trace(const ddn_tagging *w, int32_t i, int32_t item, uint16_t *tag)
{
    for (; i > 0; i--) {
        const ddn_tag_item *it = &w->item[(size_t)i * DDN_TAG_BEAM + (size_t)item];
        tag[i] = it->tag;
        item = it->back;
    }
}
