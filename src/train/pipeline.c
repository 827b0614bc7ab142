/* SPDX-License-Identifier: MIT */
/* pipeline.c - the stages before the parser, and then the parser.
 *
 * The stages give sections of the model and two treebanks with predicted tags.  All of it is
 * serialised, sections as in a model, treebanks as CoNLL-U, also where no stage file is written.
 * So a run that reads a stage file goes on with the same bytes as one that made them.
 */
#include "train/pipeline.h"

#include "train/figures.h"
#include "train/inherit.h"
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
    ddn_model_file file; /* all of them, as they were made or read */
    bool opened;         /* they were read: what was done before */
} stage;

static bool trains(const stage *s, int step)
{
    return s->p->steps & step;
}

/* A tagger is also trained where it only serves to tag dev as the folds are tagged. */
static bool trains_tagger(const stage *s)
{
    return trains(s, DODONA_STEP_TAG) ||
           (s->p->folds && !(s->p->into && ddn_tagger_is_in(s->p->into)));
}

/* A small model has a small tokenizer. */
static uint64_t tokenizer_bytes(const stage *s)
{
    return s->o->model_bytes / 8;
}

static uint64_t find_fingerprint(const stage *s)
{
    char text[160];
    ddn_tagger_options t = ddn_tagger_defaults(s->o->seed);
    ddn_lemmatizer_options l = ddn_lemmatizer_defaults(s->o->seed);
    int size = snprintf(text, sizeof text, "%llu %d %d %d %d %d %llu %d %llu %llu",
                        (unsigned long long)s->o->seed, s->p->steps, s->p->folds, DDN_MODEL_VERSION,
                        t.iterations, t.runs, (unsigned long long)t.bytes, l.iterations,
                        (unsigned long long)l.bytes, (unsigned long long)tokenizer_bytes(s));
    uint64_t h = XXH3_64bits(text, (size_t)size);
    for (int i = 0; s->p->into && i < s->p->into->sections; i++)
        h = XXH3_64bits_withSeed(s->p->into->section[i].data, s->p->into->section[i].size, h);
    return ddn_treebank_hash(s->dev, ddn_treebank_hash(s->train, h));
}

/* ---- Progress ---- */

static int report(const stage *s, const char *part, dodona_progress now, dodona_error *err)
{
    now.phase = now.part = part;
    now.las = now.uas = -1;
    if (s->o->report && s->o->report(s->o->report_ctx, &now))
        return ddn_fail(err, DODONA_E_CANCELLED, "training was stopped");
    return DODONA_OK;
}

static int report_task(const stage *s, const char *part, const ddn_task *t, size_t done,
                       dodona_error *err)
{
    dodona_progress now = { .done = (int64_t)done,
                            .total = (int64_t)t->examples,
                            .iteration = (int)t->iteration + 1,
                            .iterations = t->iterations * t->runs };
    return report(s, part, now, err);
}

static int report_iteration(const stage *s, const char *part, const ddn_task *t,
                            const ddn_figures *f, dodona_error *err)
{
    dodona_progress now = { .done = (int64_t)t->examples,
                            .total = (int64_t)t->examples,
                            .iteration = (int)t->iteration + 1,
                            .iterations = t->iterations * t->runs,
                            .ended = 1,
                            .updates = (int64_t)t->updates,
                            .figure = f->of,
                            .figures = f->count };
    return report(s, part, now, err);
}

/* A part has ended; f is empty where there is no dev. */
static int report_part(const stage *s, const char *part, const ddn_figures *f, dodona_error *err)
{
    dodona_progress now = { .ended = 2, .figure = f->of, .figures = f->count };
    return report(s, part, now, err);
}

static int tokenizer_tick(void *ctx, const ddn_task *t, size_t done, dodona_error *err)
{
    return report_task(ctx, "tokenizer", t, done, err);
}

static int tagger_tick(void *ctx, const ddn_task *t, size_t done, dodona_error *err)
{
    return report_task(ctx, "tagger", t, done, err);
}

static int lemmatizer_tick(void *ctx, const ddn_task *t, size_t done, dodona_error *err)
{
    return report_task(ctx, "lemmatizer", t, done, err);
}

static int judge_tokenizer(void *ctx, const ddn_task *t, const ddn_model_file *part,
                           dodona_error *err)
{
    const stage *s = ctx;
    ddn_figures f;
    int status = ddn_figures_tokenizer(part, s->dev, &f, err);
    return status < 0 ? status : report_iteration(s, "tokenizer", t, &f, err);
}

static int judge_tagger(void *ctx, const ddn_task *t, const ddn_model_file *part, dodona_error *err)
{
    const stage *s = ctx;
    ddn_figures f;
    int status = ddn_figures_tagger(part, s->dev, &f, err);
    return status < 0 ? status : report_iteration(s, "tagger", t, &f, err);
}

static int judge_lemmatizer(void *ctx, const ddn_task *t, const ddn_model_file *part,
                            dodona_error *err)
{
    const stage *s = ctx;
    ddn_model_file tagger;
    ddn_figures f;
    ddn_sections_view(&s->made, "the tagger", &tagger);
    int status = ddn_figures_lemmatizer(&tagger, part, s->dev, &f, err);
    return status < 0 ? status : report_iteration(s, "lemmatizer", t, &f, err);
}

/* ---- Making the stages ---- */

static int train_tokenizer(stage *s, dodona_error *err)
{
    ddn_tokenizer_options o;
    ddn_model_file part;
    ddn_figures f = { 0 };
    ddn_tokenizer_options_init(&o);
    o.seed = s->o->seed;
    o.listener = (ddn_listener){ .ctx = s, .tick = tokenizer_tick };
    if (s->dev->count)
        o.listener.judge = judge_tokenizer;
    if (o.model_bytes > tokenizer_bytes(s))
        o.model_bytes = tokenizer_bytes(s);
    int status = ddn_tokenizer_train(&o, s->train, &s->tokenizer, err);
    if (status >= 0 && s->dev->count) {
        ddn_sections_view(&s->tokenizer, "the tokenizer", &part);
        status = ddn_figures_tokenizer(&part, s->dev, &f, err);
    }
    if (status >= 0 && f.count) {
        ddn_puts(&s->notes, "dev-tokens:");
        ddn_figures_put(&f, &s->notes);
        ddn_puts(&s->notes, "\n");
    }
    return status < 0 ? status : report_part(s, "tokenizer", &f, err);
}

static int end_tagger(const stage *s, dodona_error *err)
{
    ddn_model_file made;
    ddn_figures f = { 0 };
    ddn_sections_view(&s->made, "the tagger", &made);
    int status = s->dev->count ? ddn_figures_tagger(&made, s->dev, &f, err) : DODONA_OK;
    return status < 0 ? status : report_part(s, "tagger", &f, err);
}

static int end_lemmatizer(const stage *s, dodona_error *err)
{
    ddn_model_file made;
    ddn_figures f = { 0 };
    ddn_sections_view(&s->made, "the lemmatizer", &made);
    int status = s->dev->count ? ddn_figures_lemmatizer(&made, &made, s->dev, &f, err) : DODONA_OK;
    return status < 0 ? status : report_part(s, "lemmatizer", &f, err);
}

static int train_tagger(stage *s, const ddn_sentence **all, dodona_error *err)
{
    ddn_tagger_options t = ddn_tagger_defaults(s->o->seed);
    ddn_lemmatizer_options l = ddn_lemmatizer_defaults(s->o->seed);
    t.listener = (ddn_listener){ .ctx = s, .tick = tagger_tick };
    l.listener = (ddn_listener){ .ctx = s, .tick = lemmatizer_tick };
    if (s->dev->count) {
        t.listener.judge = judge_tagger;
        l.listener.judge = judge_lemmatizer;
    }
    for (size_t k = 0; k < s->train->count; k++)
        all[k] = &s->train->sentence[k];
    int status = ddn_tagger_train(&t, all, s->train->count, &s->made, err);
    if (status >= 0)
        status = end_tagger(s, err);
    if (status >= 0)
        status = ddn_lemmatizer_train(&l, all, s->train->count, &s->made, err);
    return status < 0 ? status : end_lemmatizer(s, err);
}

/* The tagged dev, its figures into the notes, and its text for the parser. */
static int take_dev(stage *s, const ddn_treebank *dev, dodona_error *err)
{
    ddn_figures f;
    ddn_figures_columns(dev, s->dev, 0, dev->count, &f);
    if (trains(s, DODONA_STEP_TAG) || !s->p->into) {
        ddn_puts(&s->notes, "dev-tags:");
        ddn_figures_put(&f, &s->notes);
        ddn_puts(&s->notes, "\n");
    }
    ddn_treebank_put(dev, &s->dev_text);
    return s->notes.error.code || s->dev_text.error.code ? ddn_fail_memory(err) : DODONA_OK;
}

/* Tags dev with the tagger and the lemmatizer of some sections. */
static int tag_dev(stage *s, const ddn_model_file *parts, dodona_error *err)
{
    ddn_tagger tagger;
    ddn_lemmatizer lemmatizer;
    ddn_treebank dev;
    int status = ddn_tagger_open(&tagger, parts, err);
    if (status < 0)
        return status;
    ddn_treebank_init(&dev);
    status = ddn_lemmatizer_open(&lemmatizer, parts, err);
    if (status >= 0) {
        status = ddn_treebank_annotate(s->dev, &tagger, &lemmatizer, &dev, err);
        ddn_lemmatizer_close(&lemmatizer);
    }
    if (status >= 0)
        status = take_dev(s, &dev, err);
    ddn_treebank_fini(&dev);
    ddn_tagger_close(&tagger);
    return status;
}

/* Dev with the tags that parsing will have: of the tagger that was trained, or of the one that is
 * there; where there is none, its own. */
static int find_dev(stage *s, dodona_error *err)
{
    ddn_model_file made;
    ddn_sections_view(&s->made, "the tagger", &made);
    if (s->dev->count == 0 || !(trains_tagger(s) || trains(s, DODONA_STEP_PARSE)))
        return DODONA_OK;
    if (trains_tagger(s))
        return tag_dev(s, &made, err);
    if (s->p->into && ddn_tagger_is_in(s->p->into))
        return tag_dev(s, s->p->into, err);
    ddn_treebank_put(s->dev, &s->dev_text);
    return s->dev_text.error.code ? ddn_fail_memory(err) : DODONA_OK;
}

/* ---- Folds ---- */

static int fold_tick(void *ctx, int fold, double part, dodona_error *err)
{
    const stage *s = ctx;
    dodona_progress now = { .done = (int64_t)(part * (double)s->train->count),
                            .total = (int64_t)s->train->count,
                            .iteration = fold + 1,
                            .iterations = s->p->folds };
    return report(s, "jackknife", now, err);
}

static int fold_tagged(void *ctx, int fold, const ddn_treebank *out, size_t from, size_t to,
                       dodona_error *err)
{
    const stage *s = ctx;
    ddn_figures f;
    ddn_figures_columns(out, s->train, from, to, &f);
    dodona_progress now = { .done = (int64_t)s->train->count,
                            .total = (int64_t)s->train->count,
                            .iteration = fold + 1,
                            .iterations = s->p->folds,
                            .ended = 1,
                            .figure = f.of,
                            .figures = f.count };
    return report(s, "jackknife", now, err);
}

/* What the folds reached goes into the metadata where there is a dev, as all scores do. */
static int note_folds(stage *s, const ddn_treebank *tagged, dodona_error *err)
{
    ddn_figures f;
    ddn_figures_columns(tagged, s->train, 0, tagged->count, &f);
    ddn_putf(&s->notes, "jackknife: %d\n", s->p->folds);
    if (s->dev->count) {
        ddn_puts(&s->notes, "jackknife-tags:");
        ddn_figures_put(&f, &s->notes);
        ddn_puts(&s->notes, "\n");
    }
    return report_part(s, "jackknife", &f, err);
}

static int tag_train(stage *s, dodona_error *err)
{
    ddn_treebank tagged;
    ddn_fold_listener listener = { s, fold_tick, fold_tagged };
    if (s->p->folds == 0) {
        ddn_treebank_put(s->train, &s->train_text);
        return s->train_text.error.code ? ddn_fail_memory(err) : DODONA_OK;
    }
    ddn_treebank_init(&tagged);
    int status = ddn_jackknife(s->train, s->p->folds, s->o->seed, &listener, &tagged, err);
    if (status >= 0)
        status = note_folds(s, &tagged, err);
    if (status >= 0)
        ddn_treebank_put(&tagged, &s->train_text);
    ddn_treebank_fini(&tagged);
    return status < 0 ? status : s->train_text.error.code ? ddn_fail_memory(err) : DODONA_OK;
}

/* ---- All stages ---- */

static void add_section(stage *s, const char *name, const ddn_output *o)
{
    ddn_put(ddn_sections_add(&s->made, name), o->data ? o->data : "", o->size);
}

static int make_parts(stage *s, dodona_error *err)
{
    const ddn_sentence **all = malloc((s->train->count + 1) * sizeof *all);
    int status = all ? DODONA_OK : ddn_fail_memory(err);
    if (status >= 0 && trains(s, DODONA_STEP_TOKENIZE))
        status = train_tokenizer(s, err);
    if (status >= 0 && trains_tagger(s))
        status = train_tagger(s, all, err);
    free(all);
    if (status >= 0)
        status = find_dev(s, err);
    if (status >= 0 && trains(s, DODONA_STEP_PARSE))
        status = tag_train(s, err);
    return status;
}

static int make(stage *s, dodona_error *err)
{
    int status = make_parts(s, err);
    if (status < 0)
        return status;
    for (int i = 0; i < s->tokenizer.count; i++)
        add_section(s, s->tokenizer.made[i].name, &s->tokenizer.made[i].bytes);
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
    int status = ddn_model_file_open(&s->file, s->p->stage, err);
    if (status < 0)
        return status == DODONA_E_MEMORY ? status : 0;
    s->opened = true;
    snprintf(wanted, sizeof wanted, "%016llx", (unsigned long long)s->fingerprint);
    dodona_text found = ddn_model_file_meta(&s->file, "fingerprint");
    if (found.data && ddn_text_is(found, wanted))
        return 1;
    ddn_model_file_close(&s->file);
    s->opened = false;
    return 0;
}

/* ---- The model ---- */

/* Appends the sections whose names begin with a prefix. */
static void add_parts(ddn_section *to, int *count, const ddn_model_file *from, const char *prefix)
{
    for (int i = 0; i < from->sections; i++)
        if (strncmp(from->section[i].name, prefix, strlen(prefix)) == 0)
            to[(*count)++] = from->section[i];
}

/* The parts beside the parser, as they were trained or as they were there. */
static int find_parts(const stage *s, ddn_section to[DDN_MAX_SECTIONS])
{
    static const struct {
        const char *prefix;
        int step;
    } parts[] = { { "tagger.", DODONA_STEP_TAG },
                  { "lemma.", DODONA_STEP_TAG },
                  { "tokenizer.", DODONA_STEP_TOKENIZE } };
    int count = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (trains(s, parts[i].step))
            add_parts(to, &count, &s->file, parts[i].prefix);
        else if (s->p->into)
            add_parts(to, &count, s->p->into, parts[i].prefix);
    }
    return count;
}

/* The notes of the stages, those of the caller, and what the model that was there says of parts
 * that stay. */
static int put_notes(const stage *s, ddn_output *notes, dodona_error *err)
{
    const ddn_section *found;
    int status = ddn_model_file_find(&s->file, NOTES, &found, err);
    if (status < 0)
        return status;
    ddn_put(notes, found->data, found->size);
    ddn_puts(notes, s->o->notes ? s->o->notes : "");
    if (s->p->into)
        ddn_inherit_metadata(s->p->into, s->p->steps, notes);
    ddn_put(notes, "", 1);
    return notes->error.code ? ddn_fail_memory(err) : DODONA_OK;
}

static int take_treebank(const stage *s, const char *name, ddn_treebank *into, dodona_error *err)
{
    const ddn_section *text;
    int status = ddn_model_file_find(&s->file, name, &text, err);
    return status < 0 ? status : ddn_treebank_take(into, text->data, text->size, err);
}

static int train_parser(stage *s, const char *notes, const char *path, ddn_train_result *result,
                        dodona_error *err)
{
    ddn_train_options o = *s->o;
    ddn_treebank train, dev;
    ddn_section more[DDN_MAX_SECTIONS];
    ddn_treebank_init(&train);
    ddn_treebank_init(&dev);
    o.notes = notes;
    o.more = more;
    o.more_count = find_parts(s, more);
    int status = take_treebank(s, TRAIN, &train, err);
    if (status >= 0)
        status = take_treebank(s, DEV, &dev, err);
    if (status >= 0)
        status = ddn_train(&o, &train, &dev, path, result, err);
    ddn_treebank_fini(&train);
    ddn_treebank_fini(&dev);
    return status;
}

/* A model whose parser stays as it was, or that has none. */
static int write_parts(stage *s, const char *notes, const char *path, dodona_error *err)
{
    ddn_section all[2 * DDN_MAX_SECTIONS] = { { .name = "meta" } }, part[DDN_MAX_SECTIONS];
    ddn_output meta, file;
    int count = 1, parts = find_parts(s, part);
    ddn_output_memory(&meta);
    if (s->p->into)
        add_parts(all, &count, s->p->into, "parser.");
    ddn_put_kind(&meta, count > 1, part, parts);
    ddn_puts(&meta, notes);
    memcpy(all + count, part, (size_t)parts * sizeof *part);
    all[0].data = meta.data;
    all[0].size = meta.size;
    int status = meta.error.code ? ddn_fail_memory(err) : ddn_output_open(&file, path, err);
    if (status >= 0) {
        ddn_model_file_put(&file, all, count + parts);
        status = ddn_output_close(&file, err);
    }
    ddn_output_abandon(&meta);
    return status;
}

static int finish(stage *s, const char *path, ddn_train_result *result, dodona_error *err)
{
    ddn_output notes;
    ddn_output_memory(&notes);
    int status = put_notes(s, &notes, err);
    if (status >= 0)
        status = trains(s, DODONA_STEP_PARSE) ? train_parser(s, notes.data, path, result, err)
                                              : write_parts(s, notes.data, path, err);
    ddn_output_abandon(&notes);
    return status;
}

static int train_all(stage *s, const char *path, ddn_train_result *result, dodona_error *err)
{
    s->fingerprint = find_fingerprint(s);
    int status = s->p->stage ? read_stage(s, err) : 0;
    if (status == 0) {
        status = make(s, err);
        if (status >= 0 && s->p->stage && trains(s, DODONA_STEP_PARSE))
            status = write_stage(s, err);
    }
    if (status >= 0)
        status = finish(s, path, result, err);
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
    memset(result, 0, sizeof *result);
    result->uas = result->las = -1;
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
