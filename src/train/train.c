/* SPDX-License-Identifier: MIT */
/* train.c - the training loop: shuffle, follow every sentence, freeze, measure on dev, keep the
 * best.
 *
 * What is measured is what is shipped: after each iteration the averaged weights are frozen as the
 * model file will have them, pruned and rounded, and dev is parsed with those.
 *
 * Everything that later iterations depend on is an integer or the state of the generator of random
 * numbers, and both are in the checkpoint.  So the same seed and data give the same bytes, however
 * often the run was interrupted and whatever compiler built it.  The number of iterations is not
 * part of a run's fingerprint: more of them can be asked for while a checkpoint exists. */
#include "train/train.h"

#include "search/search.h"
#include "train/checkpoint.h"
#include "train/follow.h"
#include "tree/tree.h"

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
    ddn_learner *learner;
    ddn_follower follower;
    ddn_progress_point point;
    uint32_t *order; /* of training sentences; those that can't be followed are left out */
    size_t count;
    ddn_output table, pool; /* the model to keep */
    ddn_frozen_size size;   /* of the last one frozen */
    ddn_train_result *result;
    dodona_progress progress;
} run;

/* ---- What is there to learn ---- */

typedef struct label_count {
    uint32_t id;
    uint64_t count;
    uint8_t uses;
} label_count;

static int by_frequency(const void *a, const void *b)
{
    const label_count *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static int count_labels(const ddn_treebank *c, ddn_intern *names, label_count *count,
                        dodona_error *err)
{
    for (size_t i = 0; i < c->count; i++)
        for (int32_t w = 1; w <= c->sentence[i].n; w++) {
            dodona_text t = ddn_sentence_column(&c->sentence[i], w, DDN_DEPREL);
            uint32_t id;
            if (!ddn_intern_add(names, t.data, t.size, &id))
                return ddn_fail_memory(err);
            if (id >= DDN_MAX_LABELS)
                return ddn_fail(err, DODONA_E_LIMIT,
                                "the training data has more than %d different relations",
                                DDN_MAX_LABELS);
            count[id].id = id;
            count[id].count++;
            count[id].uses |= c->sentence[i].head[w] ? DDN_LABEL_OF_WORD : DDN_LABEL_OF_ROOT;
        }
    return DODONA_OK;
}

static int find_labels(run *r, dodona_error *err)
{
    label_count *count = calloc(DDN_MAX_LABELS, sizeof *count);
    if (!count)
        return ddn_fail_memory(err);
    ddn_intern names;
    ddn_intern_init(&names);
    int status = count_labels(r->train, &names, count, err);
    if (status >= 0) {
        qsort(count, names.count, sizeof *count, by_frequency);
        for (uint32_t i = 0; i < names.count && status >= 0; i++)
            status = ddn_schema_add_label(&r->schema, ddn_intern_text(&names, count[i].id),
                                          count[i].uses, err);
    }
    ddn_intern_fini(&names);
    free(count);
    return status;
}

/* Gold trees must be trees; those that the oracle refuses are left out and counted. */
static int find_order(run *r, dodona_error *err)
{
    int32_t *mark = NULL, word;
    r->order = malloc((r->train->count + 1) * sizeof *r->order);
    if (!r->order)
        return ddn_fail_memory(err);
    int status = DODONA_OK;
    for (size_t i = 0; i < r->train->count && status >= 0; i++) {
        const ddn_sentence *s = &r->train->sentence[i];
        int32_t *grown = realloc(mark, ((size_t)s->n + 1) * 2 * sizeof *mark);
        if (!grown) {
            status = ddn_fail_memory(err);
            break;
        }
        mark = grown;
        if (ddn_tree_check(s->head, s->n, r->o->roots == DDN_ROOTS_ONE, mark, &word) != DDN_TREE_OK)
            status = ddn_fail(
                err, DODONA_E_INPUT, "training sentence %zu (line %lld) is not a tree%s", i + 1,
                (long long)s->line, r->o->roots == DDN_ROOTS_ONE ? " with one root" : "");
        else
            status = ddn_follower_gold(&r->follower, s, err);
        if (status > 0)
            r->order[r->count++] = (uint32_t)i;
    }
    free(mark);
    if (status < 0)
        return status;
    r->result->skipped = (int64_t)(r->train->count - r->count);
    if (r->count == 0)
        return ddn_fail(err, DODONA_E_INPUT, "there is no training sentence that %s can reach",
                        r->o->system->name);
    return DODONA_OK;
}

static uint64_t hash_corpus(const ddn_treebank *c, uint64_t seed)
{
    for (size_t i = 0; i < c->count; i++)
        seed = XXH3_64bits_withSeed(c->sentence[i].text, c->sentence[i].text_len, seed);
    return XXH3_64bits_withSeed(&c->count, sizeof c->count, seed);
}

static uint64_t fingerprint(const run *r)
{
    const ddn_train_options *o = r->o;
    char text[512];
    int size = snprintf(text, sizeof text, "%s %s %d %d %d %a %llu %llu %d %d", o->system->name,
                        o->oracle->name, o->regime, o->roots, o->explore_after, o->explore_rate,
                        (unsigned long long)o->seed, (unsigned long long)o->model_bytes,
                        o->keep_last, DDN_MODEL_VERSION);
    uint64_t h = XXH3_64bits(text, (size_t)size);
    h = XXH3_64bits_withSeed(o->templates, o->templates_size, h);
    return hash_corpus(r->dev, hash_corpus(r->train, h));
}

static int start(run *r, dodona_error *err)
{
    const ddn_train_options *o = r->o;
    int status = ddn_schema_set(&r->schema, o->system, o->templates, o->templates_size,
                                o->templates_name, err);
    if (status >= 0)
        status = find_labels(r, err);
    if (status >= 0)
        status = ddn_learner_new(&r->schema, &r->learner, err);
    if (status >= 0)
        status = ddn_follower_init(&r->follower, o, &r->schema, r->learner, &r->point.rng, err);
    if (status >= 0)
        status = find_order(r, err);
    if (status < 0)
        return status;
    ddn_rng_init(&r->point.rng, o->seed);
    r->point.fingerprint = fingerprint(r);
    ddn_checkpoint_limits limits = { (uint64_t)o->iterations, ddn_schema_classes(&r->schema) };
    if (o->checkpoint)
        status = ddn_checkpoint_read(o->checkpoint, limits, &r->point, r->order, r->count,
                                     ddn_learner_weights(r->learner), &r->table, &r->pool, err);
    r->result->resumed = (int)r->point.iteration;
    return status < 0 ? status : DODONA_OK;
}

/* ---- Measuring ---- */

static int report(run *r, const char *phase, int64_t done, int64_t total, dodona_error *err)
{
    r->progress.phase = phase;
    r->progress.done = done;
    r->progress.total = total;
    r->progress.iteration = (int)r->point.iteration + 1;
    r->progress.iterations = r->o->iterations;
    if (r->o->report && r->o->report(r->o->report_ctx, &r->progress))
        return ddn_fail(err, DODONA_E_CANCELLED, "training was stopped");
    return DODONA_OK;
}

/* Up to the first colon, as the official scorer compares relations. */
static dodona_text universal(dodona_text t)
{
    const char *colon = memchr(t.data, ':', t.size);
    return (dodona_text){ t.data, colon ? (size_t)(colon - t.data) : t.size };
}

static void compare(const run *r, const ddn_sentence *s, const ddn_state *parsed, uint64_t *heads,
                    uint64_t *labels)
{
    for (int32_t i = 1; i <= s->n; i++) {
        if (parsed->node[i].head != s->head[i])
            continue;
        dodona_text gold = universal(ddn_sentence_column(s, i, DDN_DEPREL));
        dodona_text guess = universal(ddn_intern_text(&r->schema.labels, parsed->node[i].label));
        *heads += 1;
        *labels += ddn_text_equal(gold, guess);
    }
}

static int parse_dev(run *r, const ddn_frozen *frozen, uint64_t *heads, uint64_t *labels,
                     dodona_error *err)
{
    ddn_scoring *scoring = NULL;
    ddn_searching *searching = NULL;
    int status = ddn_perceptron_scoring(&r->schema, frozen, &scoring, err);
    if (status >= 0)
        status = ddn_search_open("greedy", r->o->system, scoring, r->o->roots, &searching, err);
    for (size_t i = 0; i < r->dev->count && status >= 0; i++) {
        status = searching->search->run(searching, &r->dev->sentence[i], err);
        if (status < 0)
            break;
        compare(r, &r->dev->sentence[i], &searching->state, heads, labels);
        if (i % 256 == 0)
            status = report(r, "dev", (int64_t)i, (int64_t)r->dev->count, err);
    }
    if (searching)
        searching->search->close(searching);
    if (scoring)
        scoring->scorer->close(scoring);
    return status;
}

static double percent(uint64_t part, int64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : -1;
}

/* Freezes the weights, parses dev with them, and keeps them if they are to be kept. */
static int freeze(run *r, dodona_error *err)
{
    ddn_output table, pool;
    ddn_frozen frozen;
    uint64_t heads = 0, labels = 0;
    ddn_output_memory(&table);
    ddn_output_memory(&pool);
    int status = ddn_frozen_build(ddn_learner_weights(r->learner), r->o->model_bytes, &table, &pool,
                                  &r->size, err);
    if (status >= 0)
        status = ddn_frozen_check(&frozen, r->schema.system->kinds, ddn_schema_classes(&r->schema),
                                  table.data, table.size, pool.data, pool.size, err);
    if (status >= 0)
        status = parse_dev(r, &frozen, &heads, &labels, err);
    r->progress.uas = percent(heads, r->dev->words);
    r->progress.las = percent(labels, r->dev->words);
    bool keep = r->o->keep_last || r->dev->count == 0 || r->point.best == 0 ||
                labels > r->point.right_labels ||
                (labels == r->point.right_labels && heads > r->point.right_heads);
    if (status >= 0 && keep) {
        ddn_output t = r->table, p = r->pool;
        r->table = table;
        r->pool = pool;
        table = t;
        pool = p;
        r->point.best = r->point.iteration + 1;
        r->point.right_heads = heads;
        r->point.right_labels = labels;
    }
    ddn_output_abandon(&table);
    ddn_output_abandon(&pool);
    return status;
}

/* ---- The loop ---- */

static int iterate(run *r, dodona_error *err)
{
    bool explore =
        r->o->regime == DDN_TRAIN_EXPLORE && r->point.iteration >= (uint64_t)r->o->explore_after;
    int status = DODONA_OK;
    r->progress.las = r->progress.uas = -1;
    r->progress.tokens = 0;
    ddn_rng_shuffle(&r->point.rng, r->order, r->count);
    for (size_t i = 0; i < r->count && status >= 0; i++) {
        const ddn_sentence *s = &r->train->sentence[r->order[i]];
        status = ddn_follower_gold(&r->follower, s, err);
        if (status >= 0)
            status = ddn_follow(&r->follower, s, explore, err);
        r->progress.tokens += s->n;
        if (status >= 0 && i % 64 == 0)
            status = report(r, "train", (int64_t)i, (int64_t)r->count, err);
    }
    if (status >= 0)
        status = freeze(r, err);
    if (status >= 0)
        status = report(r, "iteration", (int64_t)r->count, (int64_t)r->count, err);
    if (status < 0)
        return status;
    r->point.iteration++;
    if (r->o->checkpoint)
        status = ddn_checkpoint_write(r->o->checkpoint, &r->point, r->order, r->count,
                                      ddn_learner_weights(r->learner), &r->table, &r->pool, err);
    return status;
}

static void put_metadata(const run *r, ddn_output *o)
{
    static const char *const regimes[] = { "static", "nondet", "explore" };
    const ddn_train_options *t = r->o;
    ddn_putf(o, "kind: dependency parser\n");
    ddn_putf(o, "learner: perceptron\n");
    ddn_putf(o, "system: %s\n", t->system->name);
    ddn_putf(o, "roots: %s\n", t->roots == DDN_ROOTS_ONE ? "one" : "many");
    ddn_putf(o, "oracle: %s\n", regimes[t->regime]);
    ddn_putf(o, "algorithm: %s\n", t->oracle->name);
    if (t->regime == DDN_TRAIN_EXPLORE)
        ddn_putf(o, "explore: rate %g after iteration %d\n", t->explore_rate, t->explore_after);
    ddn_putf(o, "seed: %llu\n", (unsigned long long)t->seed);
    ddn_putf(o, "iteration: %d of %d\n", (int)r->point.best, t->iterations);
    ddn_putf(o, "sentences: %zu\n", r->count);
    ddn_putf(o, "skipped: %lld\n", (long long)r->result->skipped);
    ddn_putf(o, "templates: %d\n", r->schema.templates.templates);
    ddn_putf(o, "relations: %u\n", r->schema.labels.count);
    if (r->dev->count)
        ddn_putf(o, "dev: UAS %.2f LAS %.2f\n", r->result->uas, r->result->las);
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
    ddn_section section[1 + DDN_PERCEPTRON_SECTIONS] = {
        { .name = "meta", .data = meta.data, .size = meta.size },
    };
    ddn_section templates = { .data = r->o->templates, .size = r->o->templates_size };
    ddn_perceptron_sections(&templates, &labels, &r->table, &r->pool, section + 1);
    ddn_model_file_put(&file, section, 1 + DDN_PERCEPTRON_SECTIONS);
    if (meta.error.code || labels.error.code)
        file.error = meta.error.code ? meta.error : labels.error;
    ddn_output_abandon(&meta);
    ddn_output_abandon(&labels);
    return ddn_output_close(&file, err);
}

int ddn_train(const ddn_train_options *o, const ddn_treebank *train, const ddn_treebank *dev,
              const char *path, ddn_train_result *result, dodona_error *err)
{
    run r = { .o = o, .train = train, .dev = dev, .result = result };
    memset(result, 0, sizeof *result);
    ddn_schema_init(&r.schema);
    ddn_output_memory(&r.table);
    ddn_output_memory(&r.pool);
    int status = start(&r, err);
    while (status >= 0 && r.point.iteration < (uint64_t)o->iterations)
        status = iterate(&r, err);
    if (status >= 0) {
        result->best = (int)r.point.best;
        result->uas = percent(r.point.right_heads, dev->words);
        result->las = percent(r.point.right_labels, dev->words);
        status = write_model(&r, path, err);
    }
    if (status >= 0 && o->checkpoint)
        unlink(o->checkpoint);
    ddn_follower_fini(&r.follower);
    ddn_learner_free(r.learner);
    ddn_schema_fini(&r.schema);
    ddn_output_abandon(&r.table);
    ddn_output_abandon(&r.pool);
    free(r.order);
    return status;
}
