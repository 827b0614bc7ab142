/* SPDX-License-Identifier: MIT */
/* pipeline.c - the stages before the parser, and then the parser.
 *
 * The stages give sections of the model and two treebanks with predicted tags.  All of it is
 * serialised, sections as in a model, treebanks as CoNLL-U, also where no stage file is written.
 * So a run that reads a stage file goes on with the same bytes as one that made them.
 */
#include "train/pipeline.h"

#include "pipeline/annotate.h"
#include "train/jackknife.h"
#include "train/lemmatizer_train.h"
#include "train/tagger_train.h"
#include "train/tokenizer_train.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* Sections of the stage file behind its metadata: first those of the model. */
#define NOTES "notes" /* lines for the metadata */
#define TRAIN "train" /* treebanks with predicted tags */
#define DEV   "dev"

typedef struct stage {
    const ddn_train_options *o;
    const ddn_pipeline_options *p;
    const ddn_treebank *train, *dev;
    uint64_t fingerprint;
    ddn_sections tokenizer, made; /* made: of tagger and lemmatizer, then of the tokenizer, the
                                     notes and the treebanks */
    ddn_output notes, train_text, dev_text;
    int parts;           /* sections of the model among them */
    ddn_model_file file; /* all of them, as they were made or read */
    bool opened;         /* they were read: what was done before */
    dodona_progress progress;
} stage;

/* A small model has a small tokenizer. */
static uint64_t tokenizer_bytes(const stage *s)
{
    return s->o->model_bytes / 8;
}

static uint64_t find_fingerprint(const stage *s)
{
    char text[128];
    ddn_tagger_options t = ddn_tagger_defaults(s->o->seed);
    ddn_lemmatizer_options l = ddn_lemmatizer_defaults(s->o->seed);
    int size = snprintf(text, sizeof text, "%llu %d %d %d %d %llu %d %llu %llu",
                        (unsigned long long)s->o->seed, s->p->folds, DDN_MODEL_VERSION,
                        t.iterations, t.runs, (unsigned long long)t.bytes, l.iterations,
                        (unsigned long long)l.bytes, (unsigned long long)tokenizer_bytes(s));
    uint64_t h = XXH3_64bits(text, (size_t)size);
    return ddn_treebank_hash(s->dev, ddn_treebank_hash(s->train, h));
}

/* ---- Progress ---- */

static int report(stage *s, const char *phase, int iteration, int iterations, size_t done,
                  dodona_error *err)
{
    s->progress = (dodona_progress){ .phase = phase,
                                     .done = (int64_t)done,
                                     .total = (int64_t)s->train->count,
                                     .iteration = iteration + 1,
                                     .iterations = iterations,
                                     .las = -1,
                                     .uas = -1 };
    if (s->o->report && s->o->report(s->o->report_ctx, &s->progress))
        return ddn_fail(err, DODONA_E_CANCELLED, "training was stopped");
    return DODONA_OK;
}

static int tagger_tick(void *ctx, int iteration, size_t done, dodona_error *err)
{
    ddn_tagger_options t = ddn_tagger_defaults(0);
    return report(ctx, "tagger", iteration, t.runs * t.iterations, done, err);
}

static int fold_tick(void *ctx, int fold, int iteration, size_t done, dodona_error *err)
{
    stage *s = ctx;
    (void)done;
    size_t part = s->train->count * (size_t)iteration / (size_t)ddn_tagger_defaults(0).iterations;
    return report(s, "jackknife", fold, s->p->folds, part, err);
}

/* ---- Making the stages ---- */

static int train_parts(stage *s, dodona_error *err)
{
    ddn_tagger_options t = ddn_tagger_defaults(s->o->seed);
    ddn_lemmatizer_options l = ddn_lemmatizer_defaults(s->o->seed);
    t.tick = tagger_tick;
    t.tick_ctx = s;
    const ddn_sentence **all = malloc((s->train->count + 1) * sizeof *all);
    if (!all)
        return ddn_fail_memory(err);
    for (size_t k = 0; k < s->train->count; k++)
        all[k] = &s->train->sentence[k];
    int status = ddn_tagger_train(&t, all, s->train->count, &s->made, err);
    if (status >= 0)
        status = ddn_lemmatizer_train(&l, all, s->train->count, &s->made, err);
    free(all);
    return status;
}

static int tag_train(stage *s, dodona_error *err)
{
    ddn_treebank tagged;
    ddn_fold_tick tick = { fold_tick, s };
    if (s->p->folds == 0) {
        ddn_treebank_put(s->train, &s->train_text);
        return s->train_text.error.code ? ddn_fail_memory(err) : DODONA_OK;
    }
    ddn_treebank_init(&tagged);
    int status = ddn_jackknife(s->train, s->p->folds, s->o->seed, &tick, &tagged, err);
    if (status >= 0)
        ddn_treebank_put(&tagged, &s->train_text);
    ddn_treebank_fini(&tagged);
    return status < 0 ? status : s->train_text.error.code ? ddn_fail_memory(err) : DODONA_OK;
}

/* How many words have the right value in a column. */
static void put_score(stage *s, const char *name, const ddn_treebank *found, int column)
{
    int64_t right = 0;
    for (size_t k = 0; k < found->count; k++)
        for (int32_t i = 1; i <= found->sentence[k].n; i++)
            right += ddn_text_equal(ddn_sentence_column(&found->sentence[k], i, column),
                                    ddn_sentence_column(&s->dev->sentence[k], i, column));
    ddn_putf(&s->notes, " %s %.2f", name, 100.0 * (double)right / (double)found->words);
}

static int tag_dev(stage *s, const ddn_tagger *tagger, const ddn_lemmatizer *lemmatizer,
                   dodona_error *err)
{
    ddn_annotator a;
    ddn_treebank dev;
    ddn_output text;
    if (s->dev->count == 0)
        return DODONA_OK;
    ddn_output_memory(&text);
    ddn_treebank_init(&dev);
    ddn_treebank_put(s->dev, &text);
    int status =
        text.error.code ? ddn_fail_memory(err) : ddn_treebank_take(&dev, text.data, text.size, err);
    ddn_output_abandon(&text);
    if (status >= 0)
        status = ddn_annotator_init(&a, tagger, lemmatizer, err);
    if (status >= 0) {
        for (size_t k = 0; k < dev.count && status >= 0; k++)
            status = ddn_annotate(&a, &dev.sentence[k], true, err);
        ddn_annotator_fini(&a);
    }
    if (status >= 0) {
        ddn_puts(&s->notes, "dev-tags:");
        put_score(s, "UPOS", &dev, DDN_UPOS);
        put_score(s, "XPOS", &dev, DDN_XPOS);
        put_score(s, "FEATS", &dev, DDN_FEATS);
        put_score(s, "LEMMA", &dev, DDN_LEMMA);
        ddn_puts(&s->notes, "\n");
        ddn_treebank_put(&dev, &s->dev_text);
        if (s->notes.error.code || s->dev_text.error.code)
            status = ddn_fail_memory(err);
    }
    ddn_treebank_fini(&dev);
    return status;
}

/* Opens what was trained and tags dev with it. */
static int use_parts(stage *s, dodona_error *err)
{
    ddn_tagger tagger;
    ddn_lemmatizer lemmatizer;
    ddn_model_file made;
    ddn_sections_view(&s->made, "the tagger", &made);
    int status = ddn_tagger_open(&tagger, &made, err);
    if (status < 0)
        return status;
    status = ddn_lemmatizer_open(&lemmatizer, &made, err);
    if (status >= 0) {
        status = tag_dev(s, &tagger, &lemmatizer, err);
        ddn_lemmatizer_close(&lemmatizer);
    }
    ddn_tagger_close(&tagger);
    return status;
}

static void add_section(stage *s, const char *name, const ddn_output *o)
{
    ddn_put(ddn_sections_add(&s->made, name), o->data ? o->data : "", o->size);
}

static int train_tokenizer(stage *s, dodona_error *err)
{
    ddn_tokenizer_options o;
    ddn_tokenizer_options_init(&o);
    o.seed = s->o->seed;
    if (o.model_bytes > tokenizer_bytes(s))
        o.model_bytes = tokenizer_bytes(s);
    int status = report(s, "tokenizer", 0, 1, 0, err);
    return status < 0 ? status : ddn_tokenizer_train(&o, s->train, &s->tokenizer, err);
}

static int make(stage *s, dodona_error *err)
{
    int status = train_tokenizer(s, err);
    if (status >= 0)
        status = train_parts(s, err);
    if (status >= 0)
        status = use_parts(s, err);
    if (status >= 0 && s->p->folds)
        ddn_putf(&s->notes, "jackknife: %d\n", s->p->folds);
    if (status >= 0)
        status = tag_train(s, err);
    if (status < 0)
        return status;
    for (int i = 0; i < s->tokenizer.count; i++)
        add_section(s, s->tokenizer.made[i].name, &s->tokenizer.made[i].bytes);
    s->parts = s->made.count;
    add_section(s, NOTES, &s->notes);
    add_section(s, TRAIN, &s->train_text);
    add_section(s, DEV, &s->dev_text);
    ddn_sections_view(&s->made, "the stages", &s->file);
    return ddn_sections_check(&s->made, err);
}

/* ---- The stage file ---- */

static int write_stage(const stage *s, dodona_error *err)
{
    ddn_output file;
    char meta[64];
    ddn_section all[DDN_MAX_MADE + 1] = { { .name = "meta", .data = meta } };
    all[0].size = (uint64_t)snprintf(meta, sizeof meta, "fingerprint: %016llx\n",
                                     (unsigned long long)s->fingerprint);
    memcpy(all + 1, s->file.section, (size_t)s->file.sections * sizeof *all);
    int status = ddn_output_open(&file, s->p->stage, err);
    if (status < 0)
        return status;
    ddn_model_file_put(&file, all, s->file.sections + 1);
    return ddn_output_close(&file, err);
}

/* 1: the stage file of an earlier run with the same data and options is there, and open. */
static int read_stage(stage *s, dodona_error *err)
{
    char wanted[32];
    const ddn_section *notes;
    int status = ddn_model_file_open(&s->file, s->p->stage, err);
    if (status < 0)
        return status == DODONA_E_MEMORY ? status : 0;
    s->opened = true;
    snprintf(wanted, sizeof wanted, "%016llx", (unsigned long long)s->fingerprint);
    dodona_text found = ddn_model_file_meta(&s->file, "fingerprint");
    if (!found.data || !ddn_text_is(found, wanted) ||
        ddn_model_file_find(&s->file, NOTES, &notes, NULL) < 0) {
        ddn_model_file_close(&s->file);
        s->opened = false;
        return 0;
    }
    s->parts = (int)(notes - s->file.section) - 1; /* the metadata comes first */
    return 1;
}

/* ---- The parser ---- */

static int take_treebank(const stage *s, const char *name, ddn_treebank *into, dodona_error *err)
{
    const ddn_section *text;
    int status = ddn_model_file_find(&s->file, name, &text, err);
    return status < 0 ? status : ddn_treebank_take(into, text->data, text->size, err);
}

static int train_parser(stage *s, const char *path, ddn_train_result *result, dodona_error *err)
{
    ddn_train_options o = *s->o;
    ddn_treebank train, dev;
    ddn_output notes;
    const ddn_section *found;
    ddn_output_memory(&notes);
    ddn_treebank_init(&train);
    ddn_treebank_init(&dev);
    int status = ddn_model_file_find(&s->file, NOTES, &found, err);
    if (status >= 0) {
        ddn_put(&notes, found->data, found->size);
        ddn_puts(&notes, o.notes ? o.notes : "");
        ddn_put(&notes, "", 1);
        status = notes.error.code ? ddn_fail_memory(err) : DODONA_OK;
    }
    o.notes = notes.data;
    o.more = s->file.section + s->opened;
    o.more_count = s->p->parts ? s->parts : 0;
    if (status >= 0)
        status = take_treebank(s, TRAIN, &train, err);
    if (status >= 0)
        status = take_treebank(s, DEV, &dev, err);
    if (status >= 0)
        status = ddn_train(&o, &train, &dev, path, result, err);
    ddn_treebank_fini(&train);
    ddn_treebank_fini(&dev);
    ddn_output_abandon(&notes);
    return status;
}

static int train_all(stage *s, const char *path, ddn_train_result *result, dodona_error *err)
{
    s->fingerprint = find_fingerprint(s);
    int status = s->p->stage ? read_stage(s, err) : 0;
    if (status == 0) {
        status = make(s, err);
        if (status >= 0 && s->p->stage)
            status = write_stage(s, err);
    }
    if (status >= 0)
        status = train_parser(s, path, result, err);
    if (status >= 0 && s->p->stage)
        unlink(s->p->stage);
    return status;
}

int ddn_train_pipeline(const ddn_train_options *o, const ddn_pipeline_options *p,
                       const ddn_treebank *train, const ddn_treebank *dev, const char *path,
                       ddn_train_result *result, dodona_error *err)
{
    stage *s = calloc(1, sizeof *s);
    if (!s)
        return ddn_fail_memory(err);
    s->o = o;
    s->p = p;
    s->train = train;
    s->dev = dev;
    ddn_output_memory(&s->notes);
    ddn_output_memory(&s->train_text);
    ddn_output_memory(&s->dev_text);
    int status = train_all(s, path, result, err);
    if (s->opened)
        ddn_model_file_close(&s->file);
    ddn_sections_fini(&s->tokenizer);
    ddn_sections_fini(&s->made);
    ddn_output_abandon(&s->notes);
    ddn_output_abandon(&s->train_text);
    ddn_output_abandon(&s->dev_text);
    free(s);
    return status;
}
