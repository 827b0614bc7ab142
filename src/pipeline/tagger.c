/* SPDX-License-Identifier: MIT */
/* tagger.c - opens and checks the sections of a tagger, and tags sentences by the beam of
 * tagging.c. */
#include "pipeline/tagger.h"

#include "core/array.h"
#include "pipeline/tagging.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Opening ---- */

bool ddn_tagger_is_in(const ddn_model_file *f)
{
    const ddn_section *unused;
    return ddn_model_file_find(f, DDN_TAGGER_TAGS, &unused, NULL) >= 0;
}

/* Whether a set begins there. */
static bool is_set(const ddn_tagger *t, size_t at)
{
    size_t count = at < t->set_size ? t->set[at] & ~(unsigned)DDN_SET_CLOSED : 0;
    if (count < 1 || count > DDN_SET_MOST || count > t->set_size - at - 1)
        return false;
    for (size_t i = 1; i <= count; i++)
        if (t->set[at + i] >= t->tags.count)
            return false;
    return true;
}

static int check_sets(const ddn_tagger *t, dodona_error *err)
{
    bool sound = is_set(t, 0);
    for (size_t i = 0; i < t->words.slots && sound; i++)
        sound = !t->words.slot[2 * i] || is_set(t, t->words.slot[2 * i + 1]);
    return sound ? DODONA_OK : ddn_fail(err, DODONA_E_MODEL, "the sets of tags are invalid");
}

static int find_sections(const ddn_model_file *f, const ddn_section **tags,
                         const ddn_section **sets, const ddn_section **words, dodona_error *err)
{
    int status = ddn_model_file_find(f, DDN_TAGGER_TAGS, tags, err);
    if (status >= 0)
        status = ddn_model_file_find(f, DDN_TAGGER_SETS, sets, err);
    return status < 0 ? status : ddn_model_file_find(f, DDN_TAGGER_WORDS, words, err);
}

int ddn_tagger_open_lexicon(ddn_tagger *t, const ddn_model_file *f, dodona_error *err)
{
    const ddn_section *tags, *sets, *words;
    ddn_tagset_init(&t->tags);
    t->weights = NULL;
    int status = find_sections(f, &tags, &sets, &words, err);
    if (status < 0)
        return status;
    t->set = sets->data;
    t->set_size = sets->size / sizeof *t->set;
    status = ddn_tagset_read(&t->tags, tags->data, tags->size, err);
    if (status >= 0)
        status = ddn_lexicon_check(&t->words, words->data, words->size, UINT32_MAX, err);
    if (status >= 0)
        status = check_sets(t, err);
    if (status < 0)
        ddn_tagger_close(t);
    return status;
}

int ddn_tagger_open(ddn_tagger *t, const ddn_model_file *f, dodona_error *err)
{
    ddn_spec spec = { .part = DDN_TAGGER_WEIGHTS };
    int status = ddn_tagger_open_lexicon(t, f, err);
    if (status >= 0) {
        status = ddn_scorer_of_words()->open(f, &spec, &t->weights, err);
        if (status >= 0 && (uint32_t)t->weights->classes != t->tags.classes)
            status = ddn_fail(err, DODONA_E_MODEL, "the tagger's weights are not for its tags");
        if (status < 0)
            ddn_tagger_close(t);
    }
    if (status < 0 && err && err->code == DODONA_E_MODEL)
        snprintf(err->file, sizeof err->file, "%s", f->path);
    return status;
}

void ddn_tagger_close(ddn_tagger *t)
{
    ddn_tagset_fini(&t->tags);
    ddn_model_close(t->weights);
    t->weights = NULL;
}

/* ---- Tagging ---- */

int ddn_tagging_new(const ddn_tagger *t, const ddn_model *weights, ddn_tagging **out,
                    dodona_error *err)
{
    *out = NULL;
    ddn_tagging *w = calloc(1, sizeof *w);
    if (!w)
        return ddn_fail_memory(err);
    w->tagger = t;
    ddn_words_init(&w->words);
    ddn_output_memory(&w->name);
    w->marked = ddn_arena_zeros(&w->own, t->tags.count, sizeof *w->marked);
    w->sum = ddn_arena_take(&w->own, t->tags.classes, sizeof *w->sum);
    w->past = ddn_arena_take(&w->own, t->tags.classes, sizeof *w->past);
    w->local = ddn_arena_take(&w->own, 2 * DDN_SET_MOST + 1, sizeof *w->local);
    int status = w->own.failed ? ddn_fail_memory(err) : DODONA_OK;
    if (status >= 0)
        status = weights->scorer->pass(weights, DDN_ONE_VIEW, &w->pass, err);
    if (status < 0)
        ddn_tagging_free(w);
    else
        *out = w;
    return status;
}

void ddn_tagging_free(ddn_tagging *w)
{
    if (!w)
        return;
    ddn_pass_end(w->pass);
    ddn_words_fini(&w->words);
    ddn_arena_fini(&w->arena);
    ddn_arena_fini(&w->own);
    free(w->pool);
    ddn_output_abandon(&w->name);
    free(w);
}

/* Whether a tag has what is filled of the three columns. */
static bool agrees(const ddn_tag *tag, const dodona_text *given)
{
    const dodona_text has[] = { tag->upos, tag->xpos, tag->feats };
    for (int k = 0; k < 3; k++)
        if (!ddn_text_is(given[k], "_") &&
            (given[k].size != has[k].size || memcmp(given[k].data, has[k].data, has[k].size) != 0))
            return false;
    return true;
}

/* Makes the most frequent tags that agree with what is given the candidates, if there are any. */
static int find_agreeing(ddn_tagging *w, struct ddn_choice *c, const dodona_text *given,
                         dodona_error *err)
{
    const ddn_tagset *t = &w->tagger->tags;
    size_t from = w->pool_size;
    if (!ddn_reserve(&w->pool, &w->pool_cap, from + DDN_SET_MOST, sizeof *w->pool))
        return ddn_fail_memory(err);
    for (uint32_t id = 0; id < t->count && w->pool_size < from + DDN_SET_MOST; id++)
        if (agrees(&t->tag[id], given))
            w->pool[w->pool_size++] = (uint16_t)id;
    if (w->pool_size > from) {
        c->at = (uint32_t)from;
        c->count = (uint32_t)(w->pool_size - from);
    }
    return DODONA_OK;
}

/* Leaves the candidates that agree with what is given, or looks for others. */
static int keep_parts(ddn_tagging *w, int32_t i, const dodona_text *given, dodona_error *err)
{
    struct ddn_choice *c = &w->choice[i];
    uint16_t *candidate = w->pool + c->at;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < c->count; k++)
        if (agrees(&w->tagger->tags.tag[candidate[k]], given))
            candidate[kept++] = candidate[k];
    if (kept == 0)
        return find_agreeing(w, c, given, err);
    c->count = kept;
    return DODONA_OK;
}

static bool has_tag_part(const ddn_sentence *s, int32_t i)
{
    return ddn_is_tagged(s, i) || !ddn_text_is(ddn_sentence_column(s, i, DDN_XPOS), "_") ||
           !ddn_text_is(ddn_sentence_column(s, i, DDN_FEATS), "_");
}

/* A tag that the word has and the tagset knows is its only candidate; a part of one leaves those
 * that have it. */
static int keep_tag(ddn_tagging *w, const ddn_sentence *s, int32_t i, dodona_error *err)
{
    const dodona_text given[] = { ddn_sentence_column(s, i, DDN_UPOS),
                                  ddn_sentence_column(s, i, DDN_XPOS),
                                  ddn_sentence_column(s, i, DDN_FEATS) };
    ddn_tag_name(&w->name, given[0], given[1], given[2]);
    if (w->name.error.code)
        return ddn_fail_memory(err);
    uint32_t id = ddn_intern_find(&w->tagger->tags.names, w->name.data, w->name.size);
    if (ddn_is_tagged(s, i) && id != DDN_INTERN_NONE) {
        w->pool[w->choice[i].at] = (uint16_t)id;
        w->choice[i].count = 1;
        return DODONA_OK;
    }
    return keep_parts(w, i, given, err);
}

int ddn_tagging_run(ddn_tagging *w, const ddn_sentence *s, bool anew, dodona_error *err)
{
    int status = ddn_tagging_begin(w, s, NULL, NULL, err);
    for (int32_t i = 1; i <= s->n && status >= 0 && !anew; i++)
        if (has_tag_part(s, i))
            status = keep_tag(w, s, i, err);
    if (status < 0)
        return status;
    for (int32_t i = 1; i <= s->n; i++)
        ddn_tagging_step(w, i);
    ddn_tagging_trace(w, s->n, 0, w->tag);
    return DODONA_OK;
}

const ddn_tag *ddn_tagging_tag(const ddn_tagging *w, int32_t i)
{
    return &w->tagger->tags.tag[w->tag[i]];
}

const ddn_words *ddn_tagging_words(const ddn_tagging *w)
{
    return &w->words;
}
