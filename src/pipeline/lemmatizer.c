/* SPDX-License-Identifier: MIT */
/* lemmatizer.c - the sections of a lemmatizer, and a lemma by lexicon or classifier. */
#include "pipeline/lemmatizer.h"

#include "core/array.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const names[DDN_LEMMATIZER_SECTIONS] = { "lemma.rules", "lemma.words",
                                                            "lemma.weights" };

/* ---- Opening ---- */

static int read_rules(ddn_lemmatizer *l, const char *text, size_t size, dodona_error *err)
{
    for (const char *at = text, *end = text + size; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!ddn_reserve(&l->rule, &l->rule_cap, (size_t)l->rules + 1, sizeof *l->rule))
            return ddn_fail_memory(err);
        if (!newline ||
            !ddn_lemma_rule_read(&l->rule[l->rules], (dodona_text){ at, (size_t)(newline - at) }))
            return ddn_fail(err, DODONA_E_MODEL, "the rules for lemmas make no sense");
        l->rules++;
        at = newline + 1;
    }
    return DODONA_OK;
}

int ddn_lemmatizer_open_sections(ddn_lemmatizer *l, const ddn_section *s, dodona_error *err)
{
    *l = (ddn_lemmatizer){ 0 };
    int status = read_rules(l, s[0].data, s[0].size, err);
    if (status >= 0)
        status = ddn_lexicon_check(&l->words, s[1].data, s[1].size, l->rules, err);
    if (status >= 0)
        status = ddn_classifier_open(&l->weights, s[2].data, s[2].size, err);
    if (status >= 0 && (uint32_t)l->weights.classes > l->rules)
        status = ddn_fail(err, DODONA_E_MODEL, "the weights for lemmas are not for their rules");
    if (status < 0)
        ddn_lemmatizer_close(l);
    return status;
}

int ddn_lemmatizer_open(ddn_lemmatizer *l, const ddn_model_file *f, dodona_error *err)
{
    ddn_section section[DDN_LEMMATIZER_SECTIONS];
    for (int i = 0; i < DDN_LEMMATIZER_SECTIONS; i++) {
        const ddn_section *found;
        int status = ddn_model_file_find(f, names[i], &found, err);
        if (status < 0)
            return status;
        section[i] = *found;
    }
    int status = ddn_lemmatizer_open_sections(l, section, err);
    if (status < 0 && err && err->code == DODONA_E_MODEL)
        snprintf(err->file, sizeof err->file, "%s", f->path);
    return status;
}

void ddn_lemmatizer_close(ddn_lemmatizer *l)
{
    free(l->rule);
    *l = (ddn_lemmatizer){ 0 };
}

/* ---- Sections ---- */

void ddn_lemmatizer_bytes_init(ddn_lemmatizer_bytes *b)
{
    ddn_output_memory(&b->rules);
    ddn_output_memory(&b->words);
    ddn_output_memory(&b->weights);
}

void ddn_lemmatizer_bytes_fini(ddn_lemmatizer_bytes *b)
{
    ddn_output_abandon(&b->rules);
    ddn_output_abandon(&b->words);
    ddn_output_abandon(&b->weights);
}

void ddn_lemmatizer_sections(const ddn_lemmatizer_bytes *b, ddn_section *out)
{
    const ddn_output *part[] = { &b->rules, &b->words, &b->weights };
    for (int i = 0; i < DDN_LEMMATIZER_SECTIONS; i++) {
        out[i] = (ddn_section){ .data = part[i]->data, .size = part[i]->size };
        snprintf(out[i].name, sizeof out[i].name, "%s", names[i]);
    }
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

int32_t ddn_lemma_best(const ddn_lemma_rule *rule, int classes, const int32_t *sum, ddn_cased *c)
{
    int32_t best = -1;
    for (int32_t i = 0; i < classes; i++)
        if ((best < 0 || sum[i] > sum[best]) && ddn_lemma_rule_applies(&rule[i], c))
            best = i;
    return best;
}

/* ---- Lemmatizing ---- */

int ddn_lemmatizing_init(ddn_lemmatizing *w, const ddn_lemmatizer *l, dodona_error *err)
{
    w->lemmatizer = l;
    ddn_cased_init(&w->cased);
    ddn_output_memory(&w->lemma);
    w->sum = calloc((size_t)l->weights.classes, sizeof *w->sum);
    return w->sum ? DODONA_OK : ddn_fail_memory(err);
}

void ddn_lemmatizing_fini(ddn_lemmatizing *w)
{
    ddn_cased_fini(&w->cased);
    ddn_output_abandon(&w->lemma);
    free(w->sum);
    w->sum = NULL;
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
    int keys = ddn_lemma_keys(word, tag, key);
    for (int i = 0; i < keys; i++)
        ddn_classifier_prefetch(&l->weights, key[i]);
    ddn_classifier_scores(&l->weights, key, keys, w->sum);
    return ddn_lemma_best(l->rule, l->weights.classes, w->sum, &w->cased);
}

/* What a rule leaves of a form with blanks may begin or end with one, or have two together, which
 * no column may. */
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
