/* SPDX-License-Identifier: MIT */
/* train.c - the training loop: shuffle, learn from every example, freeze, measure on dev, keep the
 * best.
 *
 * What is measured is what is shipped: after each iteration the averaged weights are frozen as the
 * model file will have them, pruned and rounded, and dev is parsed with those.
 *
 * Everything that later iterations depend on is an integer or the state of the generator of random
 * numbers, and both are in the checkpoint.  So the same seed and data give the same bytes, however
 * often the run was interrupted and whatever compiler built it.  The number of iterations is not
 * part of a run's fingerprint, unless there are two passes: more of them can be asked for while a
 * checkpoint exists.
 *
 * With an average over several runs, the weights of a finished run go into a sum and the next run
 * begins from nothing with the next seed.  What is frozen and measured after an iteration is the
 * mean over the finished runs and the one that goes on.  Scores are linear in the weights, so the
 * mean votes as all runs together would, at the price of one; and what one run has learnt by
 * accident is small in it and pruned first.
 *
 * With two passes, the second begins when all iterations of the first are done: the averages at
 * that point are frozen, and as many iterations follow the moves of that model.  Crossing trees are
 * learnt as they are in the second pass only, since the first follows computations that exist. */
#include "train/train.h"

#include "train/calibrate.h"
#include "train/checkpoint.h"
#include "train/follow.h"
#include "train/global.h"
#include "train/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

typedef struct run {
    const ddn_train_options *o;
    const ddn_treebank *train, *dev;
    ddn_schema schema;
    ddn_examples examples;
    ddn_learner *learner;
    bool global;           /* learnt by search; otherwise by following */
    ddn_follower follower; /* one of the two */
    ddn_global by_search;
    ddn_progress_point point;
    uint64_t tied_before; /* what the checkpoint had */
    ddn_weights sum;      /* of the finished runs, where several are averaged */
    uint32_t *order;      /* of the examples */
    ddn_frozen_bytes best;
    ddn_frozen_bytes guide; /* in the second pass; then also: */
    ddn_frozen guide_frozen;
    ddn_scoring *guide_scoring;
    ddn_train_result *result;
    dodona_progress progress;
    ddn_calibration calibration;
} run;

static uint64_t all_iterations(const ddn_train_options *o)
{
    return (uint64_t)o->iterations * (o->two_pass ? 2 : (uint64_t)o->average);
}

static void frozen_init(ddn_frozen_bytes *b)
{
    ddn_output_memory(&b->table);
    ddn_output_memory(&b->pool);
}

static void frozen_fini(ddn_frozen_bytes *b)
{
    ddn_output_abandon(&b->table);
    ddn_output_abandon(&b->pool);
}

/* ---- Starting ---- */

static uint64_t fingerprint(const run *r)
{
    const ddn_train_options *o = r->o;
    char text[512];
    int size = snprintf(
        text, sizeof text, "%s %s %s %d %d %d %a %llu %llu %d %d %d %d %d %s %d %d %d %d",
        o->system->name, o->oracle->name, o->crossing_oracle ? o->crossing_oracle->name : "",
        o->regime, o->roots, o->explore_after, o->explore_rate, (unsigned long long)o->seed,
        (unsigned long long)o->model_bytes, o->keep_last, o->nonprojective, o->pseudo,
        o->two_pass || o->average > 1 ? o->iterations : 0, o->skip_in_first_pass, o->search,
        o->beam, o->update, o->average, DDN_MODEL_VERSION);
    uint64_t h = XXH3_64bits(text, (size_t)size);
    h = XXH3_64bits_withSeed(o->templates, o->templates_size, h);
    for (int i = 0; i < o->more_count; i++)
        h = XXH3_64bits_withSeed(o->more[i].data, o->more[i].size, h);
    return ddn_treebank_hash(r->dev, ddn_treebank_hash(r->train, h));
}

static ddn_checkpoint checkpoint(run *r)
{
    return (ddn_checkpoint){ .point = &r->point,
                             .order = r->order,
                             .count = r->examples.count,
                             .weights = ddn_learner_weights(r->learner),
                             .sum = &r->sum,
                             .best = &r->best,
                             .guide = &r->guide };
}

/* Takes a checkpoint of this run, if there is one. */
static int resume(run *r, dodona_error *err)
{
    ddn_checkpoint c = checkpoint(r);
    ddn_checkpoint_limits limits = { all_iterations(r->o), ddn_schema_classes(&r->schema) };
    for (size_t i = 0; i < r->examples.count; i++)
        r->order[i] = (uint32_t)i;
    ddn_rng_init(&r->point.rng, r->o->seed);
    r->point.fingerprint = fingerprint(r);
    int status = r->o->checkpoint ? ddn_checkpoint_read(r->o->checkpoint, limits, &c, err) : 0;
    r->result->resumed = (int)r->point.iteration;
    r->tied_before = r->point.tied;
    return status < 0 ? status : DODONA_OK;
}

static int start(run *r, dodona_error *err)
{
    const ddn_train_options *o = r->o;
    int status = ddn_schema_set(&r->schema, o->system, o->templates, o->templates_size,
                                o->templates_name, err);
    if (status >= 0)
        status = ddn_examples_make(&r->examples, o, r->train, &r->schema, err);
    if (status < 0)
        return status;
    r->result->crossing = r->examples.crossing;
    r->result->skipped = r->examples.skipped;
    r->result->too_long = r->examples.too_long;
    r->schema.pseudo = ddn_train_marks_labels(o);
    r->order = malloc(r->examples.count * sizeof *r->order);
    if (!r->order)
        return ddn_fail_memory(err);
    status = ddn_weights_init(&r->sum, r->schema.columns, err);
    if (status >= 0)
        status = ddn_learner_new(&r->schema, &r->learner, err);
    if (status >= 0 && r->global)
        status = ddn_global_init(&r->by_search, o, r->learner, err);
    else if (status >= 0)
        status = ddn_follower_init(&r->follower, o, &r->schema, r->learner, &r->point.rng, err);
    return status < 0 ? status : resume(r, err);
}

/* ---- After an iteration ---- */

static int report(run *r, const char *phase, int64_t done, int64_t total, dodona_error *err)
{
    r->progress.phase = phase;
    r->progress.done = done;
    r->progress.total = total;
    r->progress.iteration = (int)r->point.iteration + 1;
    r->progress.iterations = (int)all_iterations(r->o);
    if (r->o->report && r->o->report(r->o->report_ctx, &r->progress))
        return ddn_fail(err, DODONA_E_CANCELLED, "training was stopped");
    return DODONA_OK;
}

static int tick(void *ctx, size_t done, dodona_error *err)
{
    run *r = ctx;
    return report(r, "dev", (int64_t)done, (int64_t)r->dev->count, err);
}

static double percent(uint64_t part, int64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : -1;
}

/* The averages of the weights as a model has them. */
static int build(run *r, ddn_frozen_bytes *b, dodona_error *err)
{
    const ddn_weights *own = ddn_learner_weights(r->learner);
    ddn_frozen_size unused;
    if (r->o->average == 1)
        return ddn_frozen_build(own, r->o->model_bytes, &b->table, &b->pool, &unused, err);
    int status = ddn_weights_include(&r->sum, own, err);
    if (status >= 0)
        status = ddn_frozen_build(&r->sum, r->o->model_bytes, &b->table, &b->pool, &unused, err);
    return status < 0 ? status : ddn_weights_exclude(&r->sum, own, err);
}

/* Frozen weights in b, read as the schema has them. */
static int read_frozen(const run *r, const ddn_frozen_bytes *b, ddn_frozen *f, dodona_error *err)
{
    return ddn_frozen_check(f, r->schema.columns, ddn_schema_classes(&r->schema), b->table.data,
                            b->table.size, b->pool.data, b->pool.size, err);
}

/* The present weights in b, and f pointed at them. */
static int freeze(run *r, ddn_frozen_bytes *b, ddn_frozen *f, dodona_error *err)
{
    int status = build(r, b, err);
    return status < 0 ? status : read_frozen(r, b, f, err);
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

/* Freezes the weights, parses dev with them, and keeps them if they are the best. */
static int judge(run *r, dodona_error *err)
{
    ddn_frozen_bytes now;
    ddn_frozen frozen;
    ddn_measured m = { 0 };
    frozen_init(&now);
    int status = freeze(r, &now, &frozen, err);
    ddn_search_options options = { .roots = r->o->roots,
                                   .beam = r->o->beam,
                                   .exact_limit = r->o->exact_limit };
    if (status >= 0)
        status = ddn_measure(&r->schema, &frozen, r->o->search, &options, r->dev, tick, r, &m, err);
    r->progress.uas = percent(m.heads, r->dev->words);
    r->progress.las = percent(m.labels, r->dev->words);
    if (status >= 0 && is_better(r, &m)) {
        frozen_fini(&r->best);
        r->best = now;
        frozen_init(&now);
        r->point.best = r->point.iteration + 1;
        r->point.right_heads = m.heads;
        r->point.right_labels = m.labels;
    }
    frozen_fini(&now);
    return status;
}

/* ---- The loop ---- */

/* At the start of the second pass, or when a run in it is resumed: the guide. */
static int find_guide(run *r, dodona_error *err)
{
    int status;
    if (r->guide.table.size == 0)
        status = freeze(r, &r->guide, &r->guide_frozen, err);
    else
        status = read_frozen(r, &r->guide, &r->guide_frozen, err);
    if (status >= 0)
        status = ddn_perceptron_scoring(&r->schema, &r->guide_frozen, &r->guide_scoring, err);
    if (status >= 0)
        ddn_follower_guide(&r->follower, r->guide_scoring);
    return status;
}

/* The next of several runs: the one before goes into the sum. */
static int begin_anew(run *r, dodona_error *err)
{
    ddn_weights *own = ddn_learner_weights(r->learner);
    int status = ddn_weights_include(&r->sum, own, err);
    if (status >= 0)
        status = ddn_weights_clear(own, err);
    ddn_rng_init(&r->point.rng, r->o->seed + r->point.iteration / (uint64_t)r->o->iterations);
    return status;
}

static int learn(run *r, bool second_pass, dodona_error *err)
{
    uint64_t of_run = r->point.iteration % (uint64_t)r->o->iterations;
    ddn_manner manner = {
        .explore = r->o->regime == DDN_TRAIN_EXPLORE && of_run >= (uint64_t)r->o->explore_after,
        .direct = r->o->crossing_oracle && (second_pass || !r->o->two_pass),
    };
    int status = DODONA_OK;
    r->progress.las = r->progress.uas = -1;
    r->progress.tokens = 0;
    ddn_rng_shuffle(&r->point.rng, r->order, r->examples.count);
    for (size_t i = 0; i < r->examples.count && status >= 0; i++) {
        const ddn_example *x = &r->examples.example[r->order[i]];
        if (r->global)
            status = ddn_global_learn(&r->by_search, x, err);
        else if (!(x->crossing && r->o->skip_in_first_pass && !second_pass))
            status = ddn_follow(&r->follower, x, manner, err);
        r->point.given_up += status == DDN_FOLLOW_GAVE_UP;
        r->progress.tokens += x->sentence->n;
        if (status >= 0 && i % 64 == 0)
            status = report(r, "train", (int64_t)i, (int64_t)r->examples.count, err);
    }
    return status;
}

static int iterate(run *r, dodona_error *err)
{
    bool second_pass = r->o->two_pass && r->point.iteration >= (uint64_t)r->o->iterations;
    int status = second_pass && !r->guide_scoring ? find_guide(r, err) : DODONA_OK;
    bool another = r->o->average > 1 && r->point.iteration > 0 &&
                   r->point.iteration % (uint64_t)r->o->iterations == 0;
    if (another)
        status = begin_anew(r, err);
    if (status >= 0)
        status = learn(r, second_pass, err);
    if (status >= 0)
        status = judge(r, err);
    if (status >= 0)
        status =
            report(r, "iteration", (int64_t)r->examples.count, (int64_t)r->examples.count, err);
    if (status < 0)
        return status;
    r->point.iteration++;
    r->point.tied = r->tied_before + (uint64_t)ddn_follower_tied(&r->follower);
    ddn_checkpoint c = checkpoint(r);
    return r->o->checkpoint ? ddn_checkpoint_write(r->o->checkpoint, &c, err) : DODONA_OK;
}

/* Where the search has a forest and there is a dev set: what turns scores into probabilities. */
static int calibrate(run *r, dodona_error *err)
{
    ddn_search_options options = { .roots = r->o->roots, .beam = r->o->beam };
    ddn_frozen frozen;
    if (!r->global || r->dev->count == 0 || !ddn_search_find(r->o->search)->forest)
        return DODONA_OK;
    int status = read_frozen(r, &r->best, &frozen, err);
    if (status >= 0)
        status = ddn_calibrate(&r->schema, &frozen, r->o->search, &options, r->dev, &r->calibration,
                               err);
    return status;
}

/* ---- The model ---- */

static void put_metadata(const run *r, ddn_output *o)
{
    static const char *const regimes[] = { "static", "nondet", "explore" };
    static const char *const updates[] = { "early", "max-violation" };
    static const char *const crossing[] = { "skip", "projectivize", "pseudo", "direct" };
    static const char *const schemes[] = { "head", "path", "head+path" };
    const ddn_train_options *t = r->o;
    ddn_putf(o, "kind: %s\n", t->more_count ? "pipeline" : "dependency parser");
    ddn_putf(o, "learner: perceptron\n");
    ddn_putf(o, "system: %s\n", t->system->name);
    ddn_putf(o, "roots: %s\n", t->roots == DDN_ROOTS_ONE ? "one" : "many");
    ddn_putf(o, "oracle: %s\n", regimes[t->regime]);
    ddn_putf(o, "algorithm: %s\n", t->oracle->name);
    if (t->regime == DDN_TRAIN_EXPLORE)
        ddn_putf(o, "explore: rate %g after iteration %d\n", t->explore_rate, t->explore_after);
    if (r->global)
        ddn_putf(o, "search: %s\nbeam: %d\n", t->search, t->beam);
    if (r->global && !t->exact_limit)
        ddn_putf(o, "update: %s\n", updates[t->update]);
    if (t->two_pass)
        ddn_putf(o, "passes: 2\n");
    if (t->average > 1)
        ddn_putf(o, "average: %d runs\n", t->average);
    if (ddn_system_is_partial(t->system))
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
    ddn_putf(o, "templates: %d\n", r->schema.templates.templates);
    ddn_putf(o, "relations: %u\n", r->schema.labels.count);
    if (r->dev->count)
        ddn_putf(o, "dev: UAS %.2f LAS %.2f\n", r->result->uas, r->result->las);
    if (r->calibration.temperature > 0)
        ddn_putf(o, "temperature: %.3f\ncoverage: %.4f\n", r->calibration.temperature,
                 r->calibration.coverage);
    if (t->notes)
        ddn_puts(o, t->notes);
}

static int write_model(const run *r, const char *path, dodona_error *err)
{
    ddn_output meta, labels, file;
    int status = ddn_output_open(&file, path, err);
    if (status < 0)
        return status;
    ddn_output_memory(&meta);
    ddn_output_memory(&labels);
    put_metadata(r, &meta);
    ddn_schema_put_labels(&r->schema, &labels);
    ddn_section section[DDN_MAX_SECTIONS] = {
        { .name = "meta", .data = meta.data, .size = meta.size },
    };
    int sections = 1 + DDN_PERCEPTRON_SECTIONS;
    ddn_section templates = { .data = r->o->templates, .size = r->o->templates_size };
    ddn_perceptron_sections(&templates, &labels, &r->best.table, &r->best.pool, section + 1);
    for (int i = 0; i < r->o->more_count; i++)
        section[sections++] = r->o->more[i];
    ddn_model_file_put(&file, section, sections);
    if (meta.error.code || labels.error.code)
        file.error = meta.error.code ? meta.error : labels.error;
    ddn_output_abandon(&meta);
    ddn_output_abandon(&labels);
    return ddn_output_close(&file, err);
}

static void finish(run *r)
{
    if (r->global)
        ddn_global_fini(&r->by_search);
    else
        ddn_follower_fini(&r->follower);
    if (r->guide_scoring)
        r->guide_scoring->scorer->close(r->guide_scoring);
    ddn_learner_free(r->learner);
    ddn_weights_fini(&r->sum);
    ddn_examples_fini(&r->examples);
    ddn_schema_fini(&r->schema);
    frozen_fini(&r->best);
    frozen_fini(&r->guide);
    free(r->order);
}

int ddn_train(const ddn_train_options *o, const ddn_treebank *train, const ddn_treebank *dev,
              const char *path, ddn_train_result *result, dodona_error *err)
{
    run r = { .o = o,
              .train = train,
              .dev = dev,
              .global = ddn_search_learns_derivations(ddn_search_find(o->search)),
              .result = result };
    memset(result, 0, sizeof *result);
    ddn_schema_init(&r.schema);
    frozen_init(&r.best);
    frozen_init(&r.guide);
    int status = start(&r, err);
    while (status >= 0 && r.point.iteration < all_iterations(o))
        status = iterate(&r, err);
    if (status >= 0) {
        result->best = (int)r.point.best;
        result->given_up = (int64_t)r.point.given_up;
        result->tied = (int64_t)r.point.tied;
        result->uas = percent(r.point.right_heads, dev->words);
        result->las = percent(r.point.right_labels, dev->words);
        status = calibrate(&r, err);
    }
    if (status >= 0)
        status = write_model(&r, path, err);
    if (status >= 0 && o->checkpoint)
        unlink(o->checkpoint);
    finish(&r);
    return status;
}
