/* SPDX-License-Identifier: MIT */
/* lemmatizer.c - the sections of a lemmatizer, and a lemma by lexicon or classifier. */
#include "pipeline/lemmatizer.h"

#include "core/array.h"
#include "pipeline/keys.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Opening ---- */

static int read_rules(ddn_lemmatizer *l, const char *text, size_t size, dodona_error *err)
{
    for (const char *at = text, *end = text + size; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!ddn_reserve(&l->rule, &l->rule_cap, (size_t)l->rules + 1, sizeof *l->rule))
            return ddn_fail_memory(err);
        if (!newline ||
            !ddn_lemma_rule_read(&l->rule[l->rules], (dodona_text){ at, (size_t)(newline - at) }))
            return ddn_fail(err, DODONA_E_MODEL, "the rules for lemmas are invalid");
        l->rules++;
        at = newline + 1;
    }
    return DODONA_OK;
}

static int open_all(ddn_lemmatizer *l, const ddn_model_file *f, dodona_error *err)
{
    const ddn_section *rules, *words, *conditions;
    ddn_spec spec = { .part = DDN_LEMMA_WEIGHTS };
    int status = ddn_model_file_find(f, DDN_LEMMA_RULES, &rules, err);
    if (status >= 0)
        status = ddn_model_file_find(f, DDN_LEMMA_WORDS, &words, err);
    if (status >= 0)
        status = read_rules(l, rules->data, rules->size, err);
    if (status >= 0)
        status = ddn_lexicon_check(&l->words, words->data, words->size, l->rules, err);
    if (status >= 0 && ddn_model_file_find(f, DDN_LEMMA_CONDITIONS, &conditions, NULL) >= 0)
        status = ddn_lexicon_check(&l->conditions, conditions->data, conditions->size, 1, err);
    if (status >= 0)
        status = ddn_scorer_of_words()->open(f, &spec, &l->weights, err);
    if (status >= 0 && (uint32_t)l->weights->classes > l->rules)
        status = ddn_fail(err, DODONA_E_MODEL, "the weights for lemmas are not for their rules");
    return status;
}

int ddn_lemmatizer_open(ddn_lemmatizer *l, const ddn_model_file *f, dodona_error *err)
{
    *l = (ddn_lemmatizer){ 0 };
    int status = open_all(l, f, err);
    if (status < 0)
        ddn_lemmatizer_close(l);
    if (status < 0 && err && err->code == DODONA_E_MODEL)
        snprintf(err->file, sizeof err->file, "%s", f->path);
    return status;
}

void ddn_lemmatizer_close(ddn_lemmatizer *l)
{
    free(l->rule);
    ddn_model_close(l->weights);
    *l = (ddn_lemmatizer){ 0 };
}

/* ---- Features ---- */

ddn_lemma_tag ddn_lemma_tag_of(const ddn_sentence *s, int32_t i)
{
    dodona_text upos = ddn_sentence_column(s, i, DDN_UPOS);
    dodona_text xpos = ddn_sentence_column(s, i, DDN_XPOS);
    dodona_text feats = ddn_sentence_column(s, i, DDN_FEATS);
    ddn_lemma_tag tag = { .upos = ddn_word_hash(upos.data, upos.size) };
    uint64_t rest =
        (uint64_t)ddn_word_hash(xpos.data, xpos.size) << 32 | ddn_word_hash(feats.data, feats.size);
    tag.all = (uint32_t)ddn_key(tag.upos, rest);
    return tag;
}

uint64_t ddn_lemma_key(const ddn_word *w, uint32_t tag)
{
    return ddn_key(tag, w->plain);
}

uint64_t ddn_lemma_form_key(const ddn_word *w, uint32_t tag)
{
    return ddn_key(tag, (uint64_t)1 << 32 | w->form);
}

int ddn_lemma_keys(const ddn_word *w, ddn_lemma_tag tag, uint64_t *key)
{
    uint64_t *k = key, upos = (uint64_t)tag.upos << 32, all = (uint64_t)tag.all << 32;
    *k++ = ddn_key(1, upos);
    *k++ = ddn_key(2, all);
    *k++ = ddn_key(3, upos | w->shape);
    *k++ = ddn_key(4, upos | w->plain);
    for (unsigned j = 0; j < DDN_SUFFIXES; j++)
        if (w->suffix[j]) {
            *k++ = ddn_key(8 + j, upos | w->suffix[j]);
            *k++ = ddn_key(16 + j, all | w->suffix[j]);
        }
    for (unsigned j = 0; j < DDN_PREFIXES; j++)
        if (w->prefix[j])
            *k++ = ddn_key(24 + j, upos | w->prefix[j]);
    return (int)(k - key);
}

static bool continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* The first or last character of a text, as a hash, digits as one; 0: there is none. */
static uint32_t beside(dodona_text t, bool first)
{
    size_t from = 0, to = t.size;
    if (!t.size)
        return 0;
    if (first)
        for (to = 1; to < t.size && continues(t.data[to]); to++)
            continue;
    else
        for (from = t.size - 1; from > 0 && continues(t.data[from]); from--)
            continue;
    return t.data[from] >= '0' && t.data[from] <= '9' ? '0'
                                                      : ddn_word_hash(t.data + from, to - from);
}

bool ddn_lemma_condition(const ddn_lemma_rule *r, uint32_t number, ddn_cased *c, uint32_t upos,
                         uint64_t *key)
{
    bool before = r->add_before.size && !r->drop_before.size;
    bool behind = r->add_behind.size && !r->drop_behind.size;
    if (r->casing >= DDN_CASE_WHOLE || !(before || behind))
        return false;
    dodona_text kept = ddn_lemma_rule_kept(r, c);
    uint64_t first = before ? beside(kept, true) : 0;
    *key = ddn_key((uint64_t)upos << 32 | number, first << 32 | (behind ? beside(kept, false) : 0));
    return true;
}

static bool is_trusted(const ddn_lemmatizer *l, int32_t i, ddn_cased *c, uint32_t upos)
{
    uint64_t key;
    return !l->conditions.slots || !ddn_lemma_condition(&l->rule[i], (uint32_t)i, c, upos, &key) ||
           ddn_lexicon_find(&l->conditions, key) != DDN_LEXICON_NONE;
}

int32_t ddn_lemma_best(const ddn_lemmatizer *l, int classes, const ddn_score *score, uint32_t upos,
                       ddn_cased *c)
{
    int32_t best = -1;
    for (int32_t i = 0; i < classes; i++)
        if ((best < 0 || score[i] > score[best]) && ddn_lemma_rule_applies(&l->rule[i], c) &&
            is_trusted(l, i, c, upos))
            best = i;
    return best;
}

/* ---- Lemmatizing ---- */

int ddn_lemmatizing_init(ddn_lemmatizing *w, const ddn_lemmatizer *l, dodona_error *err)
{
    w->lemmatizer = l;
    ddn_cased_init(&w->cased);
    ddn_output_memory(&w->lemma);
    w->pass = NULL;
    w->score = calloc((size_t)l->weights->classes, sizeof *w->score);
    if (!w->score)
        return ddn_fail_memory(err);
    return l->weights->scorer->pass(l->weights, DDN_ONE_VIEW, &w->pass, err);
}

void ddn_lemmatizing_fini(ddn_lemmatizing *w)
{
    ddn_cased_fini(&w->cased);
    ddn_output_abandon(&w->lemma);
    free(w->score);
    w->score = NULL;
    ddn_pass_end(w->pass);
    w->pass = NULL;
}

static int32_t find_rule(ddn_lemmatizing *w, const ddn_word *word, ddn_lemma_tag tag)
{
    const ddn_lemmatizer *l = w->lemmatizer;
    uint64_t key[DDN_LEMMA_KEYS];
    uint32_t known = ddn_lexicon_find(&l->words, ddn_lemma_form_key(word, tag.all));
    if (known == DDN_LEXICON_NONE)
        known = ddn_lexicon_find(&l->words, ddn_lemma_key(word, tag.all));
    if (known == DDN_LEXICON_NONE)
        known = ddn_lexicon_find(&l->words, ddn_lemma_key(word, tag.upos));
    if (known != DDN_LEXICON_NONE && ddn_lemma_rule_applies(&l->rule[known], &w->cased))
        return (int32_t)known;
    l->weights->scorer->words(w->pass, key, ddn_lemma_keys(word, tag, key), w->score);
    return ddn_lemma_best(l, l->weights->classes, w->score, tag.upos, &w->cased);
}

/* What a rule leaves of a form with spaces may begin or end with a space, or have two in a row,
 * which no column may. */
static bool is_lemma(const ddn_output *o)
{
    const char *at = o->data, *end = at + o->size;
    if (!o->size || *at == ' ' || end[-1] == ' ')
        return false;
    while ((at = memchr(at, ' ', (size_t)(end - at))))
        if (*++at == ' ')
            return false;
    return true;
}

int ddn_lemmatizing_run(ddn_lemmatizing *w, const ddn_sentence *s, int32_t i, const ddn_word *word,
                        dodona_text *lemma, dodona_error *err)
{
    *lemma = ddn_sentence_column(s, i, DDN_FORM);
    int status = ddn_cased_set(&w->cased, *lemma, err);
    if (status < 0)
        return status;
    int32_t rule = find_rule(w, word, ddn_lemma_tag_of(s, i));
    if (rule < 0)
        return DODONA_OK;
    ddn_lemma_rule_apply(&w->lemmatizer->rule[rule], &w->cased, &w->lemma);
    if (w->lemma.error.code)
        return ddn_fail_memory(err);
    if (is_lemma(&w->lemma))
        *lemma = (dodona_text){ w->lemma.data, w->lemma.size };
    return DODONA_OK;
}
