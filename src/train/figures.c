/* SPDX-License-Identifier: MIT */
/* figures.c - tokenizes, tags and lemmatizes a gold treebank, and counts what is right. */
#include "train/figures.h"

#include "eval/ud_score.h"
#include "pipeline/annotate.h"
#include "pipeline/tagging.h"
#include "pipeline/text_read.h"
#include "train/jackknife.h"
#include "train/raw_text.h"

static void add(ddn_figures *f, const char *name, double ratio)
{
    f->of[f->count++] = (dodona_figure){ name, 100 * ratio };
}

void ddn_figures_put(const ddn_figures *f, ddn_output *o)
{
    for (int i = 0; i < f->count; i++)
        ddn_putf(o, " %s %.2f", f->of[i].name, f->of[i].percent);
}

/* ---- The tokenizer ---- */

typedef struct tokenized {
    ddn_eval_names names;
    ddn_corpus gold, found;
    ddn_alignment alignment;
    ddn_output text;
} tokenized;

static int read_found(tokenized *t, const ddn_tokenizer *tokenizer, dodona_error *err)
{
    ddn_text_reader *reader;
    ddn_text_state start = { .first = true, .paragraph = true };
    ddn_sentence s;
    int status = ddn_text_open(&reader, NULL, NULL, err);
    if (status < 0)
        return status;
    ddn_sentence_init(&s);
    status = ddn_text_restart(reader, tokenizer, "the text of dev", &start, err);
    if (status >= 0)
        status = ddn_text_feed(reader, t->text.data, t->text.size, true, err);
    while (status >= 0 && (status = ddn_text_next(reader, &s, err)) == 1)
        status = ddn_corpus_add(&t->found, &t->names, &s, err);
    ddn_sentence_fini(&s);
    ddn_text_close(reader);
    return status;
}

/* 1: aligned; 0: a form of gold has characters that no text gives back, so there is nothing to
 * compare. */
static int tokenize(tokenized *t, const ddn_tokenizer *tokenizer, const ddn_treebank *gold,
                    dodona_error *err)
{
    int status = ddn_eval_names_init(&t->names, err);
    for (size_t k = 0; k < gold->count && status >= 0; k++)
        if (gold->sentence[k].n)
            status = ddn_corpus_add(&t->gold, &t->names, &gold->sentence[k], err);
    if (status < 0)
        return status;
    ddn_treebank_text(gold, &(ddn_text_layout){ 0 }, &t->text);
    status = t->text.error.code ? ddn_fail_memory(err) : read_found(t, tokenizer, err);
    if (status < 0 || ddn_corpus_same_text(&t->gold, &t->found, NULL) < 0)
        return status;
    status = ddn_align(&t->alignment, &t->gold, &t->found, err);
    return status < 0 ? status : 1;
}

int ddn_figures_tokenizer(const ddn_model_file *part, const ddn_treebank *gold, ddn_figures *out,
                          dodona_error *err)
{
    static const ddn_metric wanted[] = { DDN_TOKENS, DDN_SENTENCES, DDN_WORDS };
    ddn_tokenizer tokenizer;
    ddn_count metric[DDN_METRICS];
    tokenized t = { 0 };
    out->count = 0;
    int status = ddn_tokenizer_open(&tokenizer, part, err);
    if (status < 0)
        return status;
    ddn_output_memory(&t.text);
    status = tokenize(&t, &tokenizer, gold, err);
    if (status > 0) {
        ddn_ud_score(&t.alignment, &t.names, false, metric);
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
            add(out, ddn_metric_name[wanted[i]], ddn_f1(&metric[wanted[i]]));
    }
    ddn_output_abandon(&t.text);
    ddn_alignment_fini(&t.alignment);
    ddn_corpus_fini(&t.gold);
    ddn_corpus_fini(&t.found);
    ddn_eval_names_fini(&t.names);
    ddn_tokenizer_close(&tokenizer);
    return status;
}

/* ---- Tagger and lemmatizer ---- */

static const struct {
    const char *name;
    int column;
} columns[] = {
    { "UPOS", DDN_UPOS }, { "XPOS", DDN_XPOS }, { "FEATS", DDN_FEATS }, { "LEMMA", DDN_LEMMA }
};
enum { TAGS = 3, COLUMNS = 4 };

static double ratio(int64_t right, int64_t words)
{
    return words ? (double)right / (double)words : 0;
}

int ddn_figures_tagger(const ddn_model_file *part, const ddn_treebank *gold, ddn_figures *out,
                       dodona_error *err)
{
    ddn_tagger tagger;
    ddn_tagging *tagging = NULL;
    int64_t right[TAGS] = { 0 };
    out->count = 0;
    int status = ddn_tagger_open(&tagger, part, err);
    if (status < 0)
        return status;
    status = ddn_tagging_new(&tagger, tagger.weights, &tagging, err);
    for (size_t k = 0; k < gold->count && status >= 0; k++) {
        const ddn_sentence *s = &gold->sentence[k];
        if (s->n)
            status = ddn_tagging_run(tagging, s, true, err);
        for (int32_t i = 1; i <= s->n && status >= 0; i++) {
            const ddn_tag *tag = ddn_tagging_tag(tagging, i);
            const dodona_text found[TAGS] = { tag->upos, tag->xpos, tag->feats };
            for (int c = 0; c < TAGS; c++)
                right[c] += ddn_text_equal(found[c], ddn_sentence_column(s, i, columns[c].column));
        }
    }
    for (int c = 0; c < TAGS && status >= 0; c++)
        add(out, columns[c].name, ratio(right[c], gold->words));
    ddn_tagging_free(tagging);
    ddn_tagger_close(&tagger);
    return status;
}

int ddn_treebank_annotate(const ddn_treebank *gold, const ddn_tagger *tagger,
                          const ddn_lemmatizer *lemmatizer, ddn_treebank *out, dodona_error *err)
{
    ddn_annotator a;
    int status = ddn_treebank_copy(gold, out, err);
    if (status >= 0)
        status = ddn_annotator_init(&a, tagger, lemmatizer, err);
    if (status < 0)
        return status;
    for (size_t k = 0; k < out->count && status >= 0; k++)
        status = ddn_annotate(&a, &out->sentence[k], true, err);
    ddn_annotator_fini(&a);
    return status;
}

static int64_t count_right(const ddn_treebank *found, const ddn_treebank *gold, size_t from,
                           size_t to, int column)
{
    int64_t right = 0;
    for (size_t k = from; k < to; k++)
        for (int32_t i = 1; i <= found->sentence[k].n; i++)
            right += ddn_text_equal(ddn_sentence_column(&found->sentence[k], i, column),
                                    ddn_sentence_column(&gold->sentence[k], i, column));
    return right;
}

void ddn_figures_columns(const ddn_treebank *found, const ddn_treebank *gold, size_t from,
                         size_t to, ddn_figures *out)
{
    int64_t words = 0;
    out->count = 0;
    for (size_t k = from; k < to; k++)
        words += gold->sentence[k].n;
    for (int c = 0; c < COLUMNS; c++)
        add(out, columns[c].name,
            ratio(count_right(found, gold, from, to, columns[c].column), words));
}

int ddn_figures_lemmatizer(const ddn_model_file *tagger_part, const ddn_model_file *part,
                           const ddn_treebank *gold, ddn_figures *out, dodona_error *err)
{
    ddn_tagger tagger;
    ddn_lemmatizer lemmatizer;
    ddn_treebank found;
    out->count = 0;
    int status = ddn_tagger_open(&tagger, tagger_part, err);
    if (status < 0)
        return status;
    ddn_treebank_init(&found);
    status = ddn_lemmatizer_open(&lemmatizer, part, err);
    if (status >= 0) {
        status = ddn_treebank_annotate(gold, &tagger, &lemmatizer, &found, err);
        ddn_lemmatizer_close(&lemmatizer);
    }
    if (status >= 0)
        add(out, "LEMMA", ratio(count_right(&found, gold, 0, gold->count, DDN_LEMMA), gold->words));
    ddn_treebank_fini(&found);
    ddn_tagger_close(&tagger);
    return status;
}
