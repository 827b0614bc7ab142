/* SPDX-License-Identifier: MIT */
/* train.c - training a parser: the task of the loop (train/loop.h), and the model file.
 *
 * After each iteration the model is saved as the file will have it, pruned and rounded, and dev is
 * parsed with that.
 *
 * The number of iterations is not part of a run's fingerprint, unless there are two passes: more of
 * them can be asked for while a checkpoint exists.
 *
 * With an average over several runs, what is saved and measured after an iteration is the mean over
 * the finished runs and the one that goes on.  Scores are linear in the weights, so the mean scores
 * as the sum of all runs would, in the time of one; and weights that only one run has are small in
 * it and pruned first.
 *
 * With two passes, the second begins when all iterations of the first are done: the model of that
 * point is saved, and as many iterations follow its moves.  Crossing trees are learnt as they are
 * in the second pass only, since the first follows gold derivations, and such trees have none. */
#include "train/train.h"

#include "search/search.h"
#include "train/calibrate.h"
#include "train/global.h"
#include "train/loop.h"
#include "train/measure.h"
#include "train/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* What a checkpoint has beside what the loop puts there. */
typedef struct point {
    uint64_t best;                      /* iteration of the best model */
    uint64_t right_heads, right_labels; /* of that model on dev */
    uint64_t given_up, tied;            /* so far, as in ddn_train_result */
} point;

/* A model as it was saved, and opened again to be used. */
typedef struct saved {
    ddn_sections sections;
    ddn_model_file file;
    ddn_model *model; /* NULL: not opened */
} saved;

typedef struct run {
    const ddn_train_options *o;
    const ddn_treebank *train, *dev;
    ddn_schema schema;
    ddn_examples examples;
    ddn_model *model; /* that learns */
    bool derivations; /* derivations are learnt as wholes; otherwise move by move */
    ddn_parts parts;  /* one of the two */
    ddn_global global;
    ddn_task task;
    point point;
    uint64_t tied_before; /* what the checkpoint had */
    saved *best;
    saved *guide; /* in the second pass */
    bool second_pass;
    ddn_train_result *result;
    dodona_progress progress;
    dodona_figure figure[2];     /* of progress */
    ddn_calibration calibration; /* of forests, */
    ddn_calibration rivals;      /* and of confidences */
    uint64_t vectors;            /* a hash of what was read of the embeddings, */
    uint32_t forms, embedded;    /* different ones in train and dev, and of these in the file */
} run;

static uint64_t all_iterations(const ddn_train_options *o)
{
    return (uint64_t)o->iterations * (o->two_pass ? 2 : (uint64_t)o->average);
}

/* ---- Saved models ---- */

static saved *saved_new(void)
{
    saved *s = calloc(1, sizeof *s);
    if (s)
        ddn_sections_init(&s->sections);
    return s;
}

static void saved_free(saved *s)
{
    if (!s)
        return;
    ddn_model_close(s->model);
    ddn_sections_fini(&s->sections);
    free(s);
}

static int open_saved(const run *r, saved *s, dodona_error *err)
{
    ddn_spec spec = { .part = "parser", .schema = &r->schema };
    ddn_sections_view(&s->sections, "the model", &s->file);
    return r->o->learner->open(&s->file, &spec, &s->model, err);
}

/* The model as it is now, opened. */
static int save(run *r, saved **out, dodona_error *err)
{
    *out = saved_new();
    if (!*out)
        return ddn_fail_memory(err);
    int status = r->o->learner->save(r->model, r->o->model_bytes, &(*out)->sections, err);
    return status < 0 ? status : open_saved(r, *out, err);
}

/* ---- Starting ---- */

static uint64_t fingerprint(const run *r)
{
    const ddn_train_options *o = r->o;
    char text[512];
    int size = snprintf(
        text, sizeof text, "%s %s %s %s %d %d %d %a %llu %llu %d %d %d %d %d %s %s %d %d %d %d",
        o->learner->name, o->system->name, o->oracle->name,
        o->crossing_oracle ? o->crossing_oracle->name : "", o->regime, o->roots, o->explore_after,
        o->explore_rate, (unsigned long long)o->seed, (unsigned long long)o->model_bytes,
        o->keep_last, o->nonprojective, o->pseudo,
        o->two_pass || o->average > 1 || o->learner->scheduled ? o->iterations : 0,
        o->skip_in_first_pass, o->search, o->decoder ? o->decoder : "", o->beam, o->update,
        o->average, DDN_MODEL_VERSION);
    uint64_t h = XXH3_64bits(text, (size_t)size);
    h = XXH3_64bits_withSeed(o->templates, o->templates_size, h) + r->vectors;
    for (int i = 0; i < o->more_count; i++)
        h = XXH3_64bits_withSeed(o->more[i].data, o->more[i].size, h);
    return ddn_treebank_hash(r->dev, ddn_treebank_hash(r->train, h));
}

static int report(run *r, const char *phase, int64_t done, int64_t total, dodona_error *err)
{
    r->progress.phase = phase;
    r->progress.part = "parser";
    r->progress.done = done;
    r->progress.total = total;
    r->progress.iteration = (int)r->task.iteration + 1;
    r->progress.iterations = (int)all_iterations(r->o);
    if (r->o->report && r->o->report(r->o->report_ctx, &r->progress))
        return ddn_fail(err, DODONA_E_CANCELLED, "training was stopped");
    return DODONA_OK;
}

static int tick(void *ctx, size_t done, dodona_error *err)
{
    run *r = ctx;
    return report(r, "train", (int64_t)done, (int64_t)r->examples.count, err);
}

static int tick_dev(void *ctx, size_t done, dodona_error *err)
{
    run *r = ctx;
    return report(r, "dev", (int64_t)done, (int64_t)r->dev->count, err);
}

/* ---- The task ---- */

/* Averaged runs have seeds one apart. */
static int begin_run(void *ctx, int number, dodona_error *err)
{
    run *r = ctx;
    (void)err;
    ddn_rng_init(&r->task.rng, r->o->seed + (uint64_t)number);
    return DODONA_OK;
}

/* At the start of the second pass, or when a run in it is resumed: the guide. */
static int find_guide(run *r, dodona_error *err)
{
    int status = r->guide ? open_saved(r, r->guide, err) : save(r, &r->guide, err);
    return status < 0 ? status : ddn_parts_guide(&r->parts, r->guide->model, err);
}

static int begin(void *ctx, dodona_error *err)
{
    run *r = ctx;
    r->progress = (dodona_progress){ .las = -1, .uas = -1 };
    r->second_pass = r->o->two_pass && r->task.iteration >= (uint64_t)r->o->iterations;
    return r->second_pass && !ddn_parts_guided(&r->parts) ? find_guide(r, err) : DODONA_OK;
}

static int learn(void *ctx, const uint32_t *number, int m, dodona_error *err)
{
    run *r = ctx;
    const ddn_train_options *o = r->o;
    const ddn_example *x[DDN_MAX_BATCH];
    uint64_t of_run = r->task.iteration % (uint64_t)o->iterations;
    ddn_manner manner = {
        .explore = o->regime == DDN_TRAIN_EXPLORE && of_run >= (uint64_t)o->explore_after,
        .direct = o->crossing_oracle && (r->second_pass || !o->two_pass),
    };
    int count = 0, status = DODONA_OK;
    for (int i = 0; i < m; i++) {
        const ddn_example *e = &r->examples.example[number[i]];
        r->progress.tokens += e->sentence->n;
        if (!(e->crossing && o->skip_in_first_pass && !r->second_pass))
            x[count++] = e;
    }
    if (count && r->derivations)
        status = ddn_global_learn(&r->global, x, count, err);
    else if (count)
        status = ddn_parts_learn(&r->parts, x, count, manner, err);
    r->point.given_up += status > 0 ? (uint64_t)status : 0;
    return status;
}

static double percent(uint64_t part, int64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : -1;
}

/* A mean over fewer runs than are asked for is kept only until there is one over all. */
static bool is_better(const run *r, const ddn_measured *m)
{
    uint64_t before_last = (uint64_t)(r->o->average - 1) * (uint64_t)r->o->iterations;
    if (r->o->keep_last || r->dev->count == 0 || r->point.best <= before_last)
        return true;
    if (m->labels != r->point.right_labels)
        return m->labels > r->point.right_labels;
    return m->heads > r->point.right_heads;
}

static ddn_search_options search_options(const run *r)
{
    return (ddn_search_options){ .roots = r->o->roots,
                                 .beam = r->o->beam,
                                 .decoder = r->o->decoder,
                                 .exact_limit = r->o->exact_limit };
}

/* Saves the model, parses dev with it, and keeps it if it is the best. */
static int judge(void *ctx, dodona_error *err)
{
    run *r = ctx;
    ddn_measured m = { 0 };
    ddn_search_options options = search_options(r);
    saved *now;
    int status = save(r, &now, err);
    if (status >= 0)
        status = ddn_measure(now->model, r->o->search, &options, r->dev, tick_dev, r, &m, err);
    r->progress.uas = percent(m.heads, r->dev->words);
    r->progress.las = percent(m.labels, r->dev->words);
    if (status >= 0 && is_better(r, &m)) {
        saved *old = r->best;
        r->best = now;
        now = old;
        r->point.best = r->task.iteration + 1;
        r->point.right_heads = m.heads;
        r->point.right_labels = m.labels;
    }
    saved_free(now);
    if (!r->derivations)
        r->point.tied = r->tied_before + (uint64_t)ddn_parts_tied(&r->parts);
    if (status < 0)
        return status;
    r->progress.ended = 1;
    r->progress.updates = (int64_t)r->task.updates;
    r->figure[0] = (dodona_figure){ "UAS", r->progress.uas };
    r->figure[1] = (dodona_figure){ "LAS", r->progress.las };
    r->progress.figure = r->figure;
    r->progress.figures = r->dev->count ? 2 : 0;
    return report(r, "iteration", (int64_t)r->examples.count, (int64_t)r->examples.count, err);
}

/* Early stopping: dev has not become better for long.  Rates of learning fall from iteration to
 * iteration, and with them the last steps of a run bring most, so that is long indeed. */
static bool ended(void *ctx)
{
    const run *r = ctx;
    const ddn_train_options *o = r->o;
    uint64_t patience = 20 + all_iterations(o) / 4;
    if (r->model->diverged)
        return true;
    return o->learner->scheduled && r->dev->count && !o->keep_last && !o->two_pass &&
           r->task.iteration >= r->point.best + patience;
}

/* ---- The checkpoint ---- */

static void put_saved(const saved *s, const char *name, ddn_sections *to)
{
    ddn_model_file file;
    ddn_output *section = ddn_sections_add(to, name);
    if (!s)
        return;
    ddn_sections_view(&s->sections, name, &file);
    ddn_model_file_put(section, file.section, file.sections);
}

static void put(void *ctx, ddn_sections *to)
{
    const run *r = ctx;
    ddn_put(ddn_sections_add(to, "train.point"), (const char *)&r->point, sizeof r->point);
    put_saved(r->best, "train.best", to);
    put_saved(r->guide, "train.guide", to);
}

/* *out is NULL where there was none. 0: it is invalid. */
static int take_saved(const ddn_model_file *f, const char *name, saved **out, dodona_error *err)
{
    const ddn_section *s;
    ddn_model_file file;
    *out = NULL;
    if (ddn_model_file_find(f, name, &s, NULL) < 0)
        return 0;
    if (s->size == 0)
        return 1;
    int status = ddn_model_file_memory(&file, s->data, s->size, name, err);
    if (status < 0)
        return status == DODONA_E_MEMORY ? status : 0;
    *out = saved_new();
    for (int i = 0; *out && i < file.sections && i < DDN_MAX_MADE; i++)
        ddn_sections_copy(&(*out)->sections, &file.section[i]);
    ddn_model_file_close(&file);
    if (!*out)
        return ddn_fail_memory(err);
    status = ddn_sections_check(&(*out)->sections, err);
    return status < 0 ? status : 1;
}

static int take(void *ctx, const ddn_model_file *f, dodona_error *err)
{
    run *r = ctx;
    const ddn_section *at;
    if (ddn_model_file_find(f, "train.point", &at, NULL) < 0 || at->size != sizeof r->point)
        return 0;
    int status = take_saved(f, "train.best", &r->best, err);
    if (status > 0)
        status = take_saved(f, "train.guide", &r->guide, err);
    if (status <= 0 || !r->best) {
        saved_free(r->best);
        saved_free(r->guide);
        r->best = r->guide = NULL;
        return status < 0 ? status : 0;
    }
    memcpy(&r->point, at->data, sizeof r->point);
    r->tied_before = r->point.tied;
    return 1;
}

/* ---- The model ---- */

static bool add_forms(ddn_intern *t, const ddn_treebank *bank)
{
    uint32_t unused;
    for (size_t k = 0; k < bank->count; k++)
        for (int32_t i = 1; i <= bank->sentence[k].n; i++) {
            dodona_text form = ddn_sentence_column(&bank->sentence[k], i, DDN_FORM);
            if (!ddn_intern_add(t, form.data, form.size, &unused))
                return false;
        }
    return true;
}

static uint64_t hash_vectors(const ddn_vectors *v)
{
    uint64_t h = XXH3_64bits(v->value, v->found.count * v->width * sizeof *v->value);
    for (uint32_t i = 0; i < v->found.count; i++) {
        dodona_text word = ddn_intern_text(&v->found, i);
        h = XXH3_64bits_withSeed(word.data, word.size, h);
    }
    return h;
}

/* The vectors of the forms in train and dev. */
static int read_vectors(run *r, ddn_vectors *v, dodona_error *err)
{
    const char *path = r->o->embeddings;
    ddn_intern forms;
    ddn_intern_init(&forms);
    int status = add_forms(&forms, r->train) && add_forms(&forms, r->dev)
                     ? ddn_vectors_read(v, path, &forms, err)
                     : ddn_fail_memory(err);
    r->forms = forms.count;
    r->embedded = v->found.count;
    ddn_intern_fini(&forms);
    if (status < 0)
        return status;
    if (!r->embedded)
        return ddn_fail_at(err, DODONA_E_INPUT, path, 0,
                           "none of its %lld words is in the treebank", (long long)v->words);
    r->vectors = hash_vectors(v);
    return DODONA_OK;
}

/* The model, which sees the sentences of the examples. */
static int create(run *r, ddn_spec *spec, dodona_error *err)
{
    ddn_vectors vectors;
    const ddn_sentence **sentence = malloc((r->examples.count + 1) * sizeof *sentence);
    if (!sentence)
        return ddn_fail_memory(err);
    for (size_t i = 0; i < r->examples.count; i++)
        sentence[i] = r->examples.example[i].sentence;
    spec->sentence = sentence;
    ddn_vectors_init(&vectors);
    int status = r->o->embeddings ? read_vectors(r, &vectors, err) : DODONA_OK;
    spec->vectors = r->o->embeddings ? &vectors : NULL;
    if (status >= 0)
        status = r->o->learner->create(spec, &r->model, err);
    ddn_vectors_fini(&vectors);
    free(sentence);
    return status;
}

static int start(run *r, dodona_error *err)
{
    const ddn_train_options *o = r->o;
    r->schema.system = o->system;
    int status = ddn_examples_make(&r->examples, o, r->train, &r->schema, err);
    if (status < 0)
        return status;
    r->result->crossing = r->examples.crossing;
    r->result->skipped = r->examples.skipped;
    r->result->too_long = r->examples.too_long;
    r->schema.pseudo = ddn_train_marks_labels(o);
    ddn_spec spec = { .part = "parser",
                      .schema = &r->schema,
                      .templates = o->templates,
                      .templates_size = o->templates_size,
                      .templates_name = o->templates_name,
                      .seed = o->seed,
                      .sentences = r->examples.count,
                      .iterations = o->iterations * (o->two_pass ? 2 : 1),
                      .heads = ddn_search_find(o->search)->heads };
    status = create(r, &spec, err);
    int batch = status < 0 || !r->model->batch ? o->learner->batch : r->model->batch;
    if (status >= 0)
        status = r->derivations ? ddn_global_open(&r->global, o, r->model, err)
                                : ddn_parts_open(&r->parts, o, r->model, batch, &r->task.rng, err);
    r->task = (ddn_task){ .ctx = r,
                          .examples = r->examples.count,
                          .batch = batch,
                          .iterations = o->iterations * (o->two_pass ? 2 : 1),
                          .runs = o->average,
                          .models = 1,
                          .model = { r->model },
                          .learn = learn,
                          .begin_run = begin_run,
                          .begin = begin,
                          .judge = judge,
                          .ended = ended,
                          .tick = tick,
                          .checkpoint = o->checkpoint,
                          .fingerprint = fingerprint(r),
                          .put = put,
                          .take = take };
    ddn_rng_init(&r->task.rng, o->seed);
    return status;
}

/* Where there is a dev set: finds what turns scores into probabilities. */
static int calibrate(run *r, dodona_error *err)
{
    ddn_search_options options = search_options(r);
    const char *search = r->o->search;
    if (r->dev->count == 0)
        return DODONA_OK;
    int status = r->best->model ? DODONA_OK : open_saved(r, r->best, err);
    if (status >= 0 && r->derivations && ddn_search_find(search)->forest)
        status = ddn_calibrate(r->best->model, search, &options, r->dev, &r->calibration, err);
    if (status < 0)
        return status;
    return ddn_calibrate_rivals(r->best->model, search, &options, r->dev, &r->calibration,
                                &r->rivals, err);
}

/* ---- The model file ---- */

/* Without its folder. */
static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void put_metadata(const run *r, ddn_output *o)
{
    static const char *const regimes[] = { "static", "nondet", "explore" };
    static const char *const updates[] = { "early", "max-violation" };
    static const char *const crossing[] = { "skip", "projectivize", "pseudo", "direct" };
    static const char *const schemes[] = { "head", "path", "head+path" };
    const ddn_train_options *t = r->o;
    ddn_putf(o, "kind: %s\n", t->more_count ? "pipeline" : "dependency parser");
    ddn_putf(o, "learner: %s\n", t->learner->name);
    ddn_putf(o, "system: %s\n", t->system->name);
    ddn_putf(o, "roots: %s\n", t->roots == DDN_ROOTS_ONE ? "one" : "many");
    ddn_putf(o, "oracle: %s\n", regimes[t->regime]);
    ddn_putf(o, "algorithm: %s\n", t->oracle->name);
    if (t->regime == DDN_TRAIN_EXPLORE)
        ddn_putf(o, "explore: rate %g after iteration %d\n", t->explore_rate, t->explore_after);
    if (ddn_search_find(t->search)->derivations)
        ddn_putf(o, "search: %s\nbeam: %d\n", t->search, t->beam);
    if (t->decoder)
        ddn_putf(o, "decoder: %s\n", t->decoder);
    if (r->derivations && !t->exact_limit)
        ddn_putf(o, "update: %s\n", updates[t->update]);
    if (t->two_pass)
        ddn_putf(o, "passes: 2\n");
    if (t->average > 1)
        ddn_putf(o, "average: %d runs\n", t->average);
    if (ddn_reach_is_partial(t->reach))
        ddn_putf(o, "nonprojective: %s\n", crossing[t->nonprojective]);
    if (r->schema.pseudo)
        ddn_putf(o, "pseudo: %s\n", schemes[t->pseudo]);
    ddn_putf(o, "seed: %llu\n", (unsigned long long)t->seed);
    ddn_putf(o, "iteration: %d of %d\n", (int)r->point.best, (int)all_iterations(t));
    ddn_putf(o, "sentences: %zu\n", r->examples.count);
    ddn_putf(o, "crossing: %lld\n", (long long)r->result->crossing);
    ddn_putf(o, "skipped: %lld\n", (long long)r->result->skipped);
    if (t->exact_limit)
        ddn_putf(o, "too long: %lld\n", (long long)r->result->too_long);
    if (t->learner->templates)
        ddn_putf(o, "templates: %d\n", r->model->templates);
    if (t->embeddings)
        ddn_putf(o, "embeddings: %u of %u forms from %s\n", r->embedded, r->forms,
                 file_name(t->embeddings));
    ddn_putf(o, "relations: %u\n", r->schema.labels.count);
    if (r->dev->count)
        ddn_putf(o, "dev: UAS %.2f LAS %.2f\n", r->result->uas, r->result->las);
    if (r->calibration.temperature > 0)
        ddn_putf(o, "temperature: %.3f\ncoverage: %.4f\n", r->calibration.temperature,
                 r->calibration.coverage);
    if (r->rivals.temperature > 0)
        ddn_putf(o, "rival-temperature: %.3f\nrival-coverage: %.4f\n", r->rivals.temperature,
                 r->rivals.coverage);
    if (t->notes)
        ddn_puts(o, t->notes);
}

static int write_model(const run *r, const char *path, dodona_error *err)
{
    ddn_output meta, file;
    ddn_model_file best;
    ddn_section section[DDN_MAX_SECTIONS] = { { .name = "meta" } };
    int sections = 1;
    ddn_output_memory(&meta);
    put_metadata(r, &meta);
    section[0].data = meta.data;
    section[0].size = meta.size;
    ddn_sections_view(&r->best->sections, path, &best);
    for (int i = 0; i < best.sections; i++)
        section[sections++] = best.section[i];
    for (int i = 0; i < r->o->more_count; i++)
        section[sections++] = r->o->more[i];
    int status = meta.error.code ? ddn_fail_memory(err) : ddn_output_open(&file, path, err);
    if (status >= 0) {
        ddn_model_file_put(&file, section, sections);
        status = ddn_output_close(&file, err);
    }
    ddn_output_abandon(&meta);
    return status;
}

static void finish(run *r)
{
    if (r->model && r->derivations)
        ddn_global_close(&r->global);
    else if (r->model)
        ddn_parts_close(&r->parts);
    saved_free(r->guide);
    saved_free(r->best);
    ddn_model_close(r->model);
    ddn_examples_fini(&r->examples);
    ddn_schema_fini(&r->schema);
}

int ddn_train(const ddn_train_options *o, const ddn_treebank *train, const ddn_treebank *dev,
              const char *path, ddn_train_result *result, dodona_error *err)
{
    run *r = calloc(1, sizeof *r);
    if (!r)
        return ddn_fail_memory(err);
    r->o = o;
    r->train = train;
    r->dev = dev;
    r->derivations = ddn_search_find(o->search)->derivations && !o->learner->local;
    r->result = result;
    memset(result, 0, sizeof *result);
    ddn_schema_init(&r->schema);
    int status = start(r, err);
    if (status >= 0)
        status = ddn_learn(&r->task, &result->resumed, err);
    if (status >= 0) {
        result->best = (int)r->point.best;
        result->given_up = (int64_t)r->point.given_up;
        result->tied = (int64_t)r->point.tied;
        result->left_out = (int64_t)r->model->left_out;
        result->diverged = r->model->diverged ? (int)r->task.iteration : 0;
        result->uas = percent(r->point.right_heads, dev->words);
        result->las = percent(r->point.right_labels, dev->words);
        status = calibrate(r, err);
    }
    if (status >= 0)
        status = write_model(r, path, err);
    if (status >= 0 && o->checkpoint)
        unlink(o->checkpoint);
    finish(r);
    free(r);
    return status;
}
