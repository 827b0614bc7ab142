/* SPDX-License-Identifier: MIT */
/* stream.c - parsing a stream with several threads, in order and in bounded memory.
 *
 * The calling thread reads sentences into batches and writes batches out; workers parse them.  The
 * batches stand in a ring.  A batch is empty, then filled (a worker may take it), then done (it can
 * be written once all before it have been).  Workers take batches in the order of the ring, so the
 * oldest batch is always done or being worked on, and the caller only ever waits for that one. */
#include "api/api.h"

#include <pthread.h>
#include <stdlib.h>

enum { BATCH_SENTENCES = 64, BATCH_WORDS = 2000, BATCHES_A_THREAD = 3 };

typedef struct batch {
    dodona_sentence *sentence[BATCH_SENTENCES];
    int count, parsed;                 /* sentences, and those before a failure */
    int64_t number;                    /* of the first sentence that has words */
    ddn_output trace;                  /* lines, one after the other */
    size_t trace_end[BATCH_SENTENCES]; /* of each sentence's line; a sentence without words: none */
    bool done;
    int status;
    dodona_error error;
} batch;

typedef struct ring {
    batch *batch; /* [size] */
    size_t size;
    pthread_mutex_t lock;
    pthread_cond_t filled_more, done_more;
    uint64_t filled, taken, written; /* batches so far; batch k stands at k % size */
    bool stop;
} ring;

typedef struct worker {
    ring *ring;
    dodona_workspace *workspace;
    pthread_t thread;
} worker;

/* The caller's side of a stream. */
typedef struct ends {
    dodona_pull pull;
    dodona_push push;
    void *pull_ctx, *push_ctx;
    dodona_progress progress;
    const dodona_parse_options *options;
    int64_t read; /* sentences with words */
} ends;

/* line: the sentence's trace, empty where there is none. */
static int push(ends *e, dodona_sentence *s, dodona_text line, dodona_error *err)
{
    int status = line.size ? e->options->trace(e->options->trace_ctx, line, err) : DODONA_OK;
    if (status >= 0)
        status = e->push(e->push_ctx, s, err);
    if (status < 0)
        return status;
    e->progress.done++;
    e->progress.tokens += s->s.n;
    if (e->options->report && e->progress.done % 64 == 0 &&
        e->options->report(e->options->report_ctx, &e->progress))
        return ddn_fail(err, DODONA_E_CANCELLED, "parsing was stopped");
    return DODONA_OK;
}

static int parse_alone(ends *e, dodona_workspace *ws, dodona_error *err)
{
    dodona_sentence *s = dodona_sentence_new();
    if (!s)
        return ddn_fail_memory(err);
    ddn_output line;
    int status;
    ddn_output_memory(&line);
    while ((status = e->pull(e->pull_ctx, s, err)) > 0) {
        e->read += s->s.n > 0;
        line.size = 0;
        status = ddn_workspace_parse(ws, s, e->read, &line, err);
        if (status >= 0)
            status = push(e, s, (dodona_text){ line.data, line.size }, err);
        if (status < 0)
            break;
    }
    ddn_output_abandon(&line);
    dodona_sentence_free(s);
    return status;
}

/* ---- Workers ---- */

static void parse_batch(batch *b, dodona_workspace *ws)
{
    int64_t number = b->number;
    b->status = DODONA_OK;
    b->trace.size = 0;
    b->parsed = 0;
    for (int i = 0; i < b->count && b->status >= 0; i++) {
        b->status = ddn_workspace_parse(ws, b->sentence[i], number, &b->trace, &b->error);
        b->parsed += b->status >= 0;
        b->trace_end[i] = b->trace.size;
        number += b->sentence[i]->s.n > 0;
    }
}

static void *work(void *ctx)
{
    worker *w = ctx;
    ring *r = w->ring;
    pthread_mutex_lock(&r->lock);
    for (;;) {
        while (!r->stop && r->taken == r->filled)
            pthread_cond_wait(&r->filled_more, &r->lock);
        if (r->stop)
            break;
        batch *b = &r->batch[r->taken++ % r->size];
        pthread_mutex_unlock(&r->lock);
        parse_batch(b, w->workspace);
        pthread_mutex_lock(&r->lock);
        b->done = true;
        pthread_cond_signal(&r->done_more);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

/* ---- The calling thread ---- */

/* Fills a batch; 0: the input has ended (the batch may still hold sentences). */
static int fill(batch *b, ends *e, dodona_error *err)
{
    int32_t words = 0;
    int status = 1;
    b->done = false;
    b->number = e->read + 1;
    for (b->count = 0; b->count < BATCH_SENTENCES && words < BATCH_WORDS; b->count++) {
        if (!b->sentence[b->count] && !(b->sentence[b->count] = dodona_sentence_new()))
            return ddn_fail_memory(err);
        status = e->pull(e->pull_ctx, b->sentence[b->count], err);
        if (status <= 0)
            return status;
        words += b->sentence[b->count]->s.n;
        e->read += b->sentence[b->count]->s.n > 0;
    }
    return status;
}

/* Waits for the oldest batch and writes it. */
static int write_oldest(ring *r, ends *e, dodona_error *err)
{
    batch *b = &r->batch[r->written % r->size];
    pthread_mutex_lock(&r->lock);
    while (!b->done)
        pthread_cond_wait(&r->done_more, &r->lock);
    pthread_mutex_unlock(&r->lock);
    r->written++;
    int status = DODONA_OK;
    size_t at = 0;
    for (int i = 0; i < b->parsed && status >= 0; i++) {
        size_t end = b->trace_end[i];
        dodona_text line = { end > at ? b->trace.data + at : "", end - at };
        status = push(e, b->sentence[i], line, err);
        at = end;
    }
    if (status >= 0 && b->status < 0 && err)
        *err = b->error;
    return status < 0 ? status : b->status;
}

static int run(ring *r, ends *e, dodona_error *err)
{
    dodona_error read_error = { 0 };
    int more = 1, status = DODONA_OK;
    while (status >= 0 && (more > 0 || r->written < r->filled)) {
        if (more <= 0 || r->filled - r->written == r->size) {
            status = write_oldest(r, e, err);
            continue;
        }
        more = fill(&r->batch[r->filled % r->size], e, &read_error);
        pthread_mutex_lock(&r->lock);
        r->filled++;
        pthread_cond_signal(&r->filled_more);
        pthread_mutex_unlock(&r->lock);
    }
    /* What was read before the input failed has been written; now the failure. */
    if (status >= 0 && more < 0) {
        if (err)
            *err = read_error;
        status = more;
    }
    return status;
}

static void stop(ring *r, worker *w, int threads)
{
    pthread_mutex_lock(&r->lock);
    r->stop = true;
    pthread_cond_broadcast(&r->filled_more);
    pthread_mutex_unlock(&r->lock);
    for (int i = 0; i < threads; i++)
        pthread_join(w[i].thread, NULL);
}

static int parse_together(ends *e, dodona_workspace **workspace, int threads, dodona_error *err)
{
    ring r = { .size = (size_t)threads * BATCHES_A_THREAD };
    worker *w = calloc((size_t)threads, sizeof *w);
    r.batch = calloc(r.size, sizeof *r.batch);
    int status = w && r.batch ? DODONA_OK : ddn_fail_memory(err), started = 0;
    for (size_t i = 0; r.batch && i < r.size; i++)
        ddn_output_memory(&r.batch[i].trace);
    pthread_mutex_init(&r.lock, NULL);
    pthread_cond_init(&r.filled_more, NULL);
    pthread_cond_init(&r.done_more, NULL);
    for (; status >= 0 && started < threads; started++) {
        w[started] = (worker){ .ring = &r, .workspace = workspace[started] };
        if (pthread_create(&w[started].thread, NULL, work, &w[started])) {
            status = ddn_fail(err, DODONA_E_MEMORY, "can't start a thread");
            break;
        }
    }
    if (status >= 0)
        status = run(&r, e, err);
    stop(&r, w, started);
    for (size_t i = 0; r.batch && i < r.size; i++) {
        for (int j = 0; j < BATCH_SENTENCES; j++)
            dodona_sentence_free(r.batch[i].sentence[j]);
        ddn_output_abandon(&r.batch[i].trace);
    }
    pthread_cond_destroy(&r.done_more);
    pthread_cond_destroy(&r.filled_more);
    pthread_mutex_destroy(&r.lock);
    free(r.batch);
    free(w);
    return status;
}

int dodona_parse_stream(const dodona_model *m, const dodona_parse_options *o, dodona_pull pull,
                        void *pull_ctx, dodona_push push_out, void *push_ctx, dodona_error *err)
{
    dodona_parse_options all;
    dodona_parse_options_init(&all);
    if (o)
        ddn_options_take(&all, sizeof all, o, o->size);
    if (all.threads < 1 || all.threads > DODONA_MAX_THREADS)
        return ddn_fail(err, DODONA_E_ARGUMENT, "the number of threads must be from 1 to %d",
                        DODONA_MAX_THREADS);
    dodona_workspace *workspace[DODONA_MAX_THREADS] = { 0 };
    int status = DODONA_OK;
    for (int i = 0; i < all.threads && status >= 0; i++)
        status = dodona_workspace_new(m, &all, &workspace[i], err);
    ends e = { .pull = pull,
               .push = push_out,
               .pull_ctx = pull_ctx,
               .push_ctx = push_ctx,
               .options = &all,
               .progress = { .phase = "parse" } };
    e.progress.las = e.progress.uas = -1;
    if (status >= 0)
        status = all.threads == 1 ? parse_alone(&e, workspace[0], err)
                                  : parse_together(&e, workspace, all.threads, err);
    for (int i = 0; i < all.threads; i++)
        dodona_workspace_free(workspace[i]);
    return status;
}
