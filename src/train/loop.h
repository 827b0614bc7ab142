/* SPDX-License-Identifier: MIT */
/* loop.h - the training loop, for all that is learnt: parser, tagger, lemmatizer, tokenizer.
 *
 * An iteration shuffles the examples and learns from each; then the task's judge is called, and a
 * checkpoint written.  Everything that later iterations depend on is in the checkpoint: the models
 * that learn, the generator of random numbers, the order of the examples, and what the task adds.
 * So the same seed and data give the same bytes, however often a run was interrupted.
 *
 * Several runs of so many iterations each begin from nothing, and their models are averaged
 * (ddn_scorer.restart). */
#ifndef DDN_TRAIN_LOOP_H
#define DDN_TRAIN_LOOP_H

#include "core/rng.h"
#include "model/scorer.h"

enum { DDN_MAX_LEARNING = 2 }; /* models that a task may have */

typedef struct ddn_task {
    void *ctx;
    size_t examples;
    int batch;      /* examples that are learnt together */
    int iterations; /* of a run */
    int runs;
    ddn_rng rng; /* set by the caller; the order of examples is drawn from it */
    int models;
    ddn_model *model[DDN_MAX_LEARNING]; /* borrowed */
    uint64_t iteration;                 /* finished, over all runs */
    uint64_t updates;                   /* steps of this iteration that changed a model */

    /* Learns from the examples of a batch. */
    int (*learn)(void *ctx, const uint32_t *example, int m, dodona_error *err);
    /* The rest may be NULL. */
    /* At the beginning of a run but the first. */
    int (*begin_run)(void *ctx, int run, dodona_error *err);
    /* Before an iteration, and after it. */
    int (*begin)(void *ctx, dodona_error *err);
    int (*judge)(void *ctx, dodona_error *err);
    /* Before an iteration: whether there is to be none any more. */
    bool (*ended)(void *ctx);
    /* Called now and then with the number of examples that are done; a negative code ends it. */
    int (*tick)(void *ctx, size_t done, dodona_error *err);

    /* ---- The checkpoint ---- */
    const char *checkpoint; /* file; NULL: none */
    uint64_t fingerprint;   /* of options and data: a checkpoint of another run is not taken */
    void (*put)(void *ctx, ddn_sections *to);
    /* 1: taken; 0: invalid, and nothing has changed. */
    int (*take)(void *ctx, const ddn_model_file *f, dodona_error *err);
} ddn_task;

/* Learns until all iterations are done, or the task says that it has ended.  *resumed, which may be
 * NULL: iterations that a checkpoint already had. */
int ddn_learn(ddn_task *t, int *resumed, dodona_error *err);

/* How the training of a part is followed from outside. */
typedef struct ddn_listener {
    void *ctx;
    /* Now and then, with the examples of the iteration that are done; a negative code ends the
     * training.  NULL: nobody asks. */
    int (*tick)(void *ctx, const ddn_task *task, size_t done, dodona_error *err);
    /* After an iteration: the part as it would be saved now.  NULL: nobody asks. */
    int (*judge)(void *ctx, const ddn_task *task, const ddn_model_file *part, dodona_error *err);
} ddn_listener;

/* For a task's tick and judge; save writes the part's sections to an empty list. */
int ddn_listener_tick(const ddn_listener *l, const ddn_task *t, size_t done, dodona_error *err);
int ddn_listener_judge(const ddn_listener *l, const ddn_task *t,
                       int (*save)(void *ctx, ddn_sections *to, dodona_error *err),
                       dodona_error *err);

#endif
