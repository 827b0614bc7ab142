/* SPDX-License-Identifier: MIT */
/* loop.c - shuffle, learn, judge, checkpoint.
 *
 * A checkpoint is a model file (model/file.h) with sections of its own, so that damage is found the
 * same way.  One that is damaged or belongs to other options or data is ignored. */
#include "train/loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char meta[] = "kind: checkpoint of a training run\n";

typedef struct point {
    uint64_t fingerprint, iteration;
    ddn_rng rng;
} point;

static uint64_t all_iterations(const ddn_task *t)
{
    return (uint64_t)t->iterations * (uint64_t)t->runs;
}

static const char *model_name(int i, char buf[DDN_MAX_SECTION_NAME])
{
    snprintf(buf, DDN_MAX_SECTION_NAME, "loop.model.%d", i + 1);
    return buf;
}

/* ---- Checkpoints ---- */

static int write_checkpoint(const ddn_task *t, const uint32_t *order, dodona_error *err)
{
    ddn_output file;
    ddn_model_file sections;
    char name[DDN_MAX_SECTION_NAME];
    point p = { t->fingerprint, t->iteration, t->rng };
    ddn_sections *made = malloc(sizeof *made);
    if (!made)
        return ddn_fail_memory(err);
    ddn_sections_init(made);
    ddn_puts(ddn_sections_add(made, "meta"), meta);
    ddn_put(ddn_sections_add(made, "loop.point"), (const char *)&p, sizeof p);
    ddn_put(ddn_sections_add(made, "loop.order"), (const char *)order, t->examples * sizeof *order);
    for (int i = 0; i < t->models; i++)
        t->model[i]->scorer->put(t->model[i], ddn_sections_add(made, model_name(i, name)));
    if (t->put)
        t->put(t->ctx, made);
    int status = ddn_sections_check(made, err);
    if (status >= 0)
        status = ddn_output_open(&file, t->checkpoint, err);
    if (status >= 0) {
        ddn_sections_view(made, t->checkpoint, &sections);
        ddn_model_file_put(&file, sections.section, sections.sections);
        status = ddn_output_close(&file, err);
    }
    ddn_sections_fini(made);
    free(made);
    return status;
}

static bool order_is_sound(const ddn_section *s, size_t count)
{
    const char *at = s->data;
    uint32_t example;
    if (s->size != count * sizeof example)
        return false;
    for (size_t i = 0; i < count; i++) {
        memcpy(&example, at + i * sizeof example, sizeof example);
        if (example >= count)
            return false;
    }
    return true;
}

/* 1: taken; 0: there is no such section, or it is invalid. */
static int take_model(ddn_model *m, const ddn_model_file *f, int number, dodona_error *err)
{
    char name[DDN_MAX_SECTION_NAME];
    const ddn_section *s;
    if (ddn_model_file_find(f, model_name(number, name), &s, NULL) < 0)
        return 0;
    int status = m->scorer->take(m, s, err);
    return status == DODONA_E_INPUT ? 0 : status < 0 ? status : 1;
}

/* Takes the models and what the task adds; if anything can't be taken, the models are restored. */
static int take_state(ddn_task *t, const ddn_model_file *f, dodona_error *err)
{
    ddn_output before[DDN_MAX_LEARNING];
    int count = 0, status = 1;
    for (; count < t->models && status > 0; count++) {
        ddn_output_memory(&before[count]);
        t->model[count]->scorer->put(t->model[count], &before[count]);
        status = before[count].error.code ? ddn_fail_memory(err)
                                          : take_model(t->model[count], f, count, err);
    }
    if (status > 0 && t->take)
        status = t->take(t->ctx, f, err);
    for (int i = 0; i < count; i++) {
        ddn_section old = { .data = before[i].data, .size = before[i].size };
        if (status <= 0)
            t->model[i]->scorer->take(t->model[i], &old, NULL);
        ddn_output_abandon(&before[i]);
    }
    return status;
}

static int take_checkpoint(ddn_task *t, const ddn_model_file *f, uint32_t *order, dodona_error *err)
{
    const ddn_section *at, *orders;
    point p;
    if (ddn_model_file_find(f, "loop.point", &at, NULL) < 0 ||
        ddn_model_file_find(f, "loop.order", &orders, NULL) < 0 || at->size != sizeof p ||
        !order_is_sound(orders, t->examples))
        return 0;
    memcpy(&p, at->data, sizeof p);
    if (p.fingerprint != t->fingerprint || p.iteration > all_iterations(t))
        return 0;
    int status = take_state(t, f, err);
    if (status <= 0)
        return status;
    memcpy(order, orders->data, orders->size);
    t->iteration = p.iteration;
    t->rng = p.rng;
    return 1;
}

static int read_checkpoint(ddn_task *t, uint32_t *order, dodona_error *err)
{
    ddn_model_file file;
    int status = ddn_model_file_open(&file, t->checkpoint, err);
    if (status < 0)
        return status == DODONA_E_MEMORY ? status : 0;
    status = take_checkpoint(t, &file, order, err);
    ddn_model_file_close(&file);
    return status;
}

/* ---- The loop ---- */

static int begin_run(ddn_task *t, dodona_error *err)
{
    int run = (int)(t->iteration / (uint64_t)t->iterations), status = DODONA_OK;
    for (int i = 0; i < t->models && status >= 0; i++)
        status = t->model[i]->scorer->restart(t->model[i], err);
    return status < 0 || !t->begin_run ? status : t->begin_run(t->ctx, run, err);
}

static uint64_t all_updates(const ddn_task *t)
{
    uint64_t sum = 0;
    for (int i = 0; i < t->models; i++)
        sum += t->model[i]->updates;
    return sum;
}

static int iterate(ddn_task *t, uint32_t *order, dodona_error *err)
{
    enum { EXAMPLES_A_TICK = 64 };
    uint64_t before = all_updates(t);
    int status = DODONA_OK;
    if (t->iteration > 0 && t->iteration % (uint64_t)t->iterations == 0)
        status = begin_run(t, err);
    if (status >= 0 && t->begin)
        status = t->begin(t->ctx, err);
    ddn_rng_shuffle(&t->rng, order, t->examples);
    size_t batch = (size_t)t->batch;
    for (size_t i = 0; i < t->examples && status >= 0; i += batch) {
        size_t m = t->examples - i < batch ? t->examples - i : batch;
        status = t->learn(t->ctx, order + i, (int)m, err);
        if (status >= 0 && t->tick &&
            (i == 0 || i / EXAMPLES_A_TICK != (i - batch) / EXAMPLES_A_TICK))
            status = t->tick(t->ctx, i, err);
    }
    t->updates = all_updates(t) - before;
    if (status >= 0 && t->judge)
        status = t->judge(t->ctx, err);
    return status;
}

int ddn_learn(ddn_task *t, int *resumed, dodona_error *err)
{
    uint32_t *order = malloc((t->examples + 1) * sizeof *order);
    if (!order)
        return ddn_fail_memory(err);
    for (size_t i = 0; i < t->examples; i++)
        order[i] = (uint32_t)i;
    int status = t->checkpoint ? read_checkpoint(t, order, err) : DODONA_OK;
    if (resumed)
        *resumed = (int)t->iteration;
    while (status >= 0 && t->iteration < all_iterations(t) && !(t->ended && t->ended(t->ctx))) {
        status = iterate(t, order, err);
        if (status < 0)
            break;
        t->iteration++;
        if (t->checkpoint)
            status = write_checkpoint(t, order, err);
    }
    free(order);
    return status < 0 ? status : DODONA_OK;
}

/* ---- Listeners ---- */

int ddn_listener_tick(const ddn_listener *l, const ddn_task *t, size_t done, dodona_error *err)
{
    return l->tick ? l->tick(l->ctx, t, done, err) : DODONA_OK;
}

int ddn_listener_judge(const ddn_listener *l, const ddn_task *t,
                       int (*save)(void *ctx, ddn_sections *to, dodona_error *err),
                       dodona_error *err)
{
    ddn_model_file part;
    if (!l->judge)
        return DODONA_OK;
    ddn_sections *now = malloc(sizeof *now);
    if (!now)
        return ddn_fail_memory(err);
    ddn_sections_init(now);
    int status = save(t->ctx, now, err);
    if (status >= 0)
        status = ddn_sections_check(now, err);
    if (status >= 0) {
        ddn_sections_view(now, "what was learnt so far", &part);
        status = l->judge(l->ctx, t, &part, err);
    }
    ddn_sections_fini(now);
    free(now);
    return status;
}
