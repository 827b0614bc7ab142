/* SPDX-License-Identifier: MIT */
/* annotate.c - decides which columns of which words are set; a sentence with nothing to set is left
 * alone. */
#include "pipeline/annotate.h"

int ddn_annotator_init(ddn_annotator *a, const ddn_tagger *t, const ddn_lemmatizer *l,
                       dodona_error *err)
{
    *a = (ddn_annotator){ 0 };
    int status = ddn_lemmatizing_init(&a->lemmatizing, l, err);
    if (status >= 0)
        status = ddn_tagging_new(t, t->weights, &a->tagging, err);
    if (status < 0)
        ddn_annotator_fini(a);
    return status;
}

void ddn_annotator_fini(ddn_annotator *a)
{
    ddn_tagging_free(a->tagging);
    a->tagging = NULL;
    ddn_lemmatizing_fini(&a->lemmatizing);
}

static bool is_empty(const ddn_sentence *s, int32_t i, int column)
{
    return ddn_text_is(ddn_sentence_column(s, i, column), "_");
}

/* Whether there is anything to do. */
static bool is_wanting(const ddn_sentence *s)
{
    for (int32_t i = 1; i <= s->n; i++)
        if (is_empty(s, i, DDN_UPOS) || is_empty(s, i, DDN_LEMMA))
            return true;
    return false;
}

static int set_column(ddn_sentence *s, int32_t i, int column, bool anew, dodona_text value,
                      dodona_error *err)
{
    if (!anew && !is_empty(s, i, column))
        return DODONA_OK;
    return ddn_sentence_set(s, s->word_row[i], column, value.data, value.size, err);
}

static int set_tag(ddn_sentence *s, int32_t i, bool anew, const ddn_tag *tag, dodona_error *err)
{
    int status = set_column(s, i, DDN_UPOS, anew, tag->upos, err);
    if (status >= 0)
        status = set_column(s, i, DDN_XPOS, anew, tag->xpos, err);
    if (status >= 0)
        status = set_column(s, i, DDN_FEATS, anew, tag->feats, err);
    return status;
}

int ddn_annotate(ddn_annotator *a, ddn_sentence *s, bool anew, dodona_error *err)
{
    if (s->n == 0 || (!anew && !is_wanting(s)))
        return DODONA_OK;
    int status = ddn_tagging_run(a->tagging, s, anew, err);
    for (int32_t i = 1; i <= s->n && status >= 0; i++) {
        if (anew || !ddn_is_tagged(s, i))
            status = set_tag(s, i, anew, ddn_tagging_tag(a->tagging, i), err);
        if (status < 0 || !(anew || is_empty(s, i, DDN_LEMMA)))
            continue;
        dodona_text lemma;
        status = ddn_lemmatizing_run(&a->lemmatizing, s, i, &ddn_tagging_words(a->tagging)->word[i],
                                     &lemma, err);
        if (status >= 0)
            status = set_column(s, i, DDN_LEMMA, true, lemma, err);
    }
    return status;
}
