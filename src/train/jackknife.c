/* SPDX-License-Identifier: MIT */
/* jackknife.c - copies the treebank and tags each fold of the copy with a tagger trained on the
 * other folds. */
#include "train/jackknife.h"

#include "io/conll.h"
#include "pipeline/annotate.h"
#include "train/lemmatizer_train.h"
#include "train/tagger_train.h"

#include <stdlib.h>
#include <string.h>

/* ---- Treebanks as text ---- */

void ddn_treebank_put(const ddn_treebank *t, ddn_output *o)
{
    for (size_t k = 0; k < t->count; k++) {
        ddn_conll_put(o, &t->sentence[k]);
        for (int gap = ddn_conll_gap(&t->sentence[k]); gap > 0; gap--)
            ddn_put(o, "\n", 1);
    }
}

typedef struct bytes {
    const char *at;
    size_t left;
} bytes;

static ptrdiff_t read_bytes(void *ctx, char *buf, size_t size, dodona_error *err)
{
    bytes *b = ctx;
    (void)err;
    size = size < b->left ? size : b->left;
    if (size)
        memcpy(buf, b->at, size);
    b->at += size;
    b->left -= size;
    return (ptrdiff_t)size;
}

static int next(void *reader, ddn_sentence *s, dodona_error *err)
{
    return ddn_conll_next(reader, s, err);
}

int ddn_treebank_take(ddn_treebank *t, const char *text, size_t size, dodona_error *err)
{
    bytes b = { text, size };
    ddn_input *in;
    ddn_conll_reader *reader;
    int status = ddn_input_callback(&in, read_bytes, &b, "the tagged treebank", err);
    if (status >= 0)
        status = ddn_conll_open(&reader, in, DODONA_CONLLU, DODONA_CHECK_FORM, false, err);
    if (status < 0)
        return status;
    status = ddn_treebank_read(t, next, reader, err);
    ddn_conll_close(reader);
    return status;
}

int ddn_treebank_copy(const ddn_treebank *from, ddn_treebank *to, dodona_error *err)
{
    ddn_output text;
    ddn_output_memory(&text);
    ddn_treebank_put(from, &text);
    int status =
        text.error.code ? ddn_fail_memory(err) : ddn_treebank_take(to, text.data, text.size, err);
    ddn_output_abandon(&text);
    return status;
}

/* ---- Folds ---- */

typedef struct fold {
    int number;
    const ddn_fold_listener *listener;
    size_t from, to; /* sentences that are tagged */
    const ddn_sentence **others;
    size_t count;
    ddn_sections *sections;
} fold;

static int tick(void *ctx, const ddn_task *t, size_t done, dodona_error *err)
{
    const fold *f = ctx;
    double part =
        ((double)t->iteration + (double)done / (double)t->examples) / (double)t->iterations;
    return f->listener->tick(f->listener->ctx, f->number, part, err);
}

static int annotate(fold *f, ddn_treebank *out, dodona_error *err)
{
    ddn_model_file sections;
    ddn_tagger tagger;
    ddn_lemmatizer lemmatizer;
    ddn_annotator a;
    ddn_sections_view(f->sections, "the tagger of a fold", &sections);
    int status = ddn_tagger_open(&tagger, &sections, err);
    if (status < 0)
        return status;
    status = ddn_lemmatizer_open(&lemmatizer, &sections, err);
    if (status >= 0) {
        status = ddn_annotator_init(&a, &tagger, &lemmatizer, err);
        for (size_t k = f->from; k < f->to && status >= 0; k++)
            status = ddn_annotate(&a, &out->sentence[k], true, err);
        ddn_annotator_fini(&a);
        ddn_lemmatizer_close(&lemmatizer);
    }
    ddn_tagger_close(&tagger);
    return status;
}

/* Trains on what is outside from..to and tags what is inside. */
static int run_fold(fold *f, const ddn_treebank *gold, uint64_t seed, ddn_treebank *out,
                    dodona_error *err)
{
    ddn_tagger_options t = ddn_tagger_defaults(seed);
    t.runs = 1; /* to save time; the tags are hardly worse */
    ddn_lemmatizer_options l = ddn_lemmatizer_defaults(seed);
    if (f->listener)
        t.listener = (ddn_listener){ .ctx = f, .tick = tick };
    f->count = 0;
    for (size_t k = 0; k < gold->count; k++)
        if (k < f->from || k >= f->to)
            f->others[f->count++] = &gold->sentence[k];
    f->sections = malloc(sizeof *f->sections);
    if (!f->sections)
        return ddn_fail_memory(err);
    ddn_sections_init(f->sections);
    int status = ddn_tagger_train(&t, f->others, f->count, f->sections, err);
    if (status >= 0)
        status = ddn_lemmatizer_train(&l, f->others, f->count, f->sections, err);
    if (status >= 0)
        status = annotate(f, out, err);
    ddn_sections_fini(f->sections);
    free(f->sections);
    return status;
}

int ddn_jackknife(const ddn_treebank *gold, int folds, uint64_t seed,
                  const ddn_fold_listener *listener, ddn_treebank *out, dodona_error *err)
{
    if (folds < 2 || folds > DDN_MAX_FOLDS || (size_t)folds > gold->count)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "a treebank of length %zu can't be cut into %d folds for jackknifing; "
                        "expected 2 to %d folds with a sentence in each",
                        gold->count, folds, DDN_MAX_FOLDS);
    fold f = { .listener = listener, .others = malloc(gold->count * sizeof *f.others) };
    int status = f.others ? ddn_treebank_copy(gold, out, err) : ddn_fail_memory(err);
    for (; f.number < folds && status >= 0; f.number++) {
        f.from = gold->count * (size_t)f.number / (size_t)folds;
        f.to = gold->count * ((size_t)f.number + 1) / (size_t)folds;
        status = run_fold(&f, gold, seed, out, err);
        if (status >= 0 && listener)
            status = listener->tagged(listener->ctx, f.number, out, f.from, f.to, err);
    }
    free(f.others);
    return status;
}
