/* SPDX-License-Identifier: MIT */
/* stream.c - parsing a stream with several threads, in order and in bounded memory.
 *
 * The calling thread reads sentences into batches and writes batches out; workers parse them.  Text
 * comes in pieces, whose sentences the workers find (pipeline/text_pieces.h).  The batches stand in
 * a ring, and each goes through these stages:
 *
 *     EMPTY   the caller fills it with sentences, or with a piece of a text behind some
 *     READ    a worker finds the sentences of the piece
 *     FOUND   the caller joins them to those before, in the order of the ring, and numbers them
 *     JOINED  a worker parses them
 *     DONE    the caller writes them, in the order of the ring
 *
 * Workers take the oldest batch that waits for one, so the oldest batch always makes progress, and
 * the caller waits only while workers are busy. */
#include "api/api.h"
#include "api/options.h"

#include "core/array.h"

#include <pthread.h>
#include <stdlib.h>

enum { BATCH_SENTENCES = 64, BATCH_WORDS = 2000, BATCHES_A_THREAD = 3, REPORT_EVERY = 64 };

typedef enum stage { EMPTY, READ, FOUND, JOINED, DONE } stage;

/* Sentences whose memory is reused; count of them hold something now. */
typedef struct list {
    dodona_sentence **of; /* [capacity] NULL: not yet made */
    size_t count, capacity;
} list;

typedef struct batch {
    stage stage;
    bool taken; /* by a worker */
    list sentences;
    bool has_piece;        /* behind them, until it is joined */
    ddn_text_piece *piece; /* NULL: there was none yet */
    ddn_piece_starts starts;
    list found;    /* the sentences that begin there */
    size_t parsed; /* sentences before a failure */
    int status;
    dodona_error error;
} batch;

typedef struct ring {
    batch *batch; /* [size] */
    size_t size;
    pthread_mutex_t lock;
    pthread_cond_t wanted, finished;  /* a batch waits for a worker; a worker is done with one */
    uint64_t filled, joined, written; /* batches so far; batch k stands at k % size */
    bool stop;
} ring;

typedef struct worker {
    ring *ring;
    dodona_workspace *workspace;
    ddn_text_reader *reader; /* is fed; NULL: there was no text yet */
    pthread_t thread;
} worker;

/* The caller's side of a stream. */
typedef struct ends {
    dodona_pull pull;
    dodona_push push;
    void *pull_ctx, *push_ctx;
    dodona_progress progress;
    const dodona_parse_options *options;
    ddn_joiner joiner;
    int64_t sentences; /* so far, */
    int64_t read;      /* and those of them with words */
} ends;

/* ---- Batches ---- */

/* The next sentence of the list, which is not counted; NULL: there is no memory. */
static dodona_sentence *room(list *l)
{
    size_t old = l->capacity;
    if (!ddn_reserve(&l->of, &l->capacity, l->count + 1, sizeof *l->of))
        return NULL;
    for (; old < l->capacity; old++)
        l->of[old] = NULL;
    if (!l->of[l->count])
        l->of[l->count] = dodona_sentence_new();
    return l->of[l->count];
}

static void free_list(list *l)
{
    for (size_t i = 0; i < l->capacity; i++)
        dodona_sentence_free(l->of[i]);
    free(l->of);
}

static void fini_batch(batch *b)
{
    free_list(&b->sentences);
    free_list(&b->found);
    ddn_piece_free(b->piece);
    ddn_piece_starts_fini(&b->starts);
}

/* Fills a batch with sentences, not more than most of them, or up to a piece of text.  0: the input
 * has ended; DODONA_WAIT: it would have to be waited for (the batch may still hold sentences). */
static int fill(batch *b, ends *e, size_t most, dodona_error *err)
{
    int32_t words = 0;
    int status = 1;
    b->sentences.count = 0;
    b->has_piece = false;
    while (b->sentences.count < most && words < BATCH_WORDS && !b->has_piece) {
        dodona_sentence *s = room(&b->sentences);
        if (!s)
            return ddn_fail_memory(err);
        status = e->pull(e->pull_ctx, s, err);
        if (status <= 0 || status == DODONA_WAIT)
            return status;
        if (s->is_piece) {
            ddn_text_piece *old = b->piece;
            b->piece = s->piece;
            s->piece = old;
            s->is_piece = false;
            b->has_piece = true;
        } else {
            words += s->s.n;
            b->sentences.count++;
        }
    }
    return status;
}

static int find_sentences(batch *b, ddn_text_reader **reader, dodona_error *err)
{
    int status = *reader ? DODONA_OK : ddn_text_open(reader, NULL, NULL, err);
    if (status >= 0)
        status = ddn_piece_begin(*reader, b->piece, &b->starts, err);
    for (b->found.count = 0; status >= 0; b->found.count++) {
        dodona_sentence *s = room(&b->found);
        status =
            s ? ddn_piece_next(*reader, b->piece, &b->starts, &s->s, err) : ddn_fail_memory(err);
        if (status == 0)
            break;
    }
    return status;
}

/* Puts the sentences of the piece, those that are right, behind the others. */
static int join_piece(batch *b, ddn_joiner *j, dodona_error *err)
{
    list *l = &b->sentences;
    dodona_sentence *s;
    int status = 0;
    ddn_joiner_begin(j, b->piece, &b->starts);
    while ((s = room(l)) && (status = ddn_joiner_next(j, &s->s, err)) > 0)
        l->count++;
    if (status < 0)
        return status;
    for (size_t i = j->take; s && i < b->found.count; i++) {
        l->of[l->count++] = b->found.of[i];
        b->found.of[i] = s;
        s = room(l);
    }
    return s ? ddn_joiner_end(j, err) : ddn_fail_memory(err);
}

/* Joins the batch to those before.  After a failure it has the sentences before that. */
static int join(batch *b, ends *e, dodona_error *err)
{
    size_t first = b->sentences.count;
    int status = b->status;
    if (status < 0 && err)
        *err = b->error;
    if (status >= 0 && b->has_piece)
        status = join_piece(b, &e->joiner, err);
    for (size_t i = 0; i < b->sentences.count; i++) {
        ddn_sentence *s = &b->sentences.of[i]->s;
        e->read += s->n > 0;
        b->sentences.of[i]->number = e->read;
        e->sentences++;
        if (i >= first && ddn_text_number(s, b->piece->earlier + e->sentences, err) < 0) {
            b->sentences.count = i;
            return DODONA_E_MEMORY;
        }
    }
    return status;
}

static int parse_batch(batch *b, dodona_workspace *ws)
{
    return ddn_workspace_parse(ws, b->sentences.of, b->sentences.count, &b->parsed, &b->error);
}

static int report(ends *e, dodona_error *err)
{
    if (e->options->report && e->options->report(e->options->report_ctx, &e->progress))
        return ddn_fail(err, DODONA_E_CANCELLED, "parsing was stopped");
    return DODONA_OK;
}

static int push(ends *e, dodona_sentence *s, dodona_error *err)
{
    dodona_text line = { s->trace.data, s->trace.size };
    int status = line.size ? e->options->trace(e->options->trace_ctx, line, err) : DODONA_OK;
    if (status >= 0)
        status = e->push(e->push_ctx, s, err);
    if (status < 0)
        return status;
    e->progress.done++;
    e->progress.tokens += s->s.n;
    return e->progress.done % REPORT_EVERY == 0 ? report(e, err) : DODONA_OK;
}

/* Writes the sentences that were parsed, then returns the error that stopped parsing, if any. */
static int write_batch(batch *b, ends *e, dodona_error *err)
{
    int status = DODONA_OK;
    for (size_t i = 0; i < b->parsed && status >= 0; i++)
        status = push(e, b->sentences.of[i], err);
    if (status >= 0 && b->status < 0 && err)
        *err = b->error;
    return status < 0 ? status : b->status;
}

/* ---- One thread ---- */

/* One batch, of as many sentences as are best parsed together, or a piece, goes through all
 * stages. */
static int parse_alone(ends *e, dodona_workspace *ws, size_t most, dodona_error *err)
{
    batch b = { 0 };
    ddn_text_reader *reader = NULL;
    dodona_error late = { 0 };
    int more = 1, status = DODONA_OK;
    while (status >= 0 && more > 0) {
        more = fill(&b, e, most, &late);
        if (b.has_piece)
            b.status = find_sentences(&b, &reader, &b.error);
        int joined = join(&b, e, &late);
        more = joined < 0 ? joined : more;
        b.status = parse_batch(&b, ws);
        status = write_batch(&b, e, err);
        if (status >= 0 && more == DODONA_WAIT)
            status = report(e, err);
    }
    if (status >= 0 && more < 0 && err)
        *err = late;
    ddn_text_close(reader);
    fini_batch(&b);
    return status < 0 ? status : more;
}

/* ---- Workers ---- */

/* The oldest batch that waits for a worker; NULL: there is none. */
static batch *find_work(ring *r)
{
    for (uint64_t k = r->written; k < r->filled; k++) {
        batch *b = &r->batch[k % r->size];
        if (!b->taken && (b->stage == READ || b->stage == JOINED))
            return b;
    }
    return NULL;
}

static void *work(void *ctx)
{
    worker *w = ctx;
    ring *r = w->ring;
    batch *b;
    pthread_mutex_lock(&r->lock);
    for (;;) {
        while (!r->stop && !(b = find_work(r)))
            pthread_cond_wait(&r->wanted, &r->lock);
        if (r->stop)
            break;
        b->taken = true;
        pthread_mutex_unlock(&r->lock);
        if (b->stage == READ)
            b->status = find_sentences(b, &w->reader, &b->error);
        else
            b->status = parse_batch(b, w->workspace);
        pthread_mutex_lock(&r->lock);
        b->stage++;
        b->taken = false;
        pthread_cond_signal(&r->finished);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

/* ---- The calling thread ---- */

typedef enum task { JOIN, FILL, WRITE } task;

/* Waits until there is something to do.  Not all has been written, or there is more to read; but
 * before the input is waited for, all is written. */
static task next_task(ring *r, int more)
{
    task t;
    pthread_mutex_lock(&r->lock);
    for (;; pthread_cond_wait(&r->finished, &r->lock)) {
        t = JOIN;
        if (r->joined < r->filled && r->batch[r->joined % r->size].stage == FOUND)
            break;
        t = WRITE;
        if (r->written < r->filled && r->batch[r->written % r->size].stage == DONE)
            break;
        t = FILL;
        uint64_t waiting = r->filled - r->written;
        if (more == DODONA_WAIT ? waiting == 0 : more > 0 && waiting < r->size)
            break;
    }
    pthread_mutex_unlock(&r->lock);
    return t;
}

/* Puts the batch into a stage and increments a counter. */
static void enter(ring *r, batch *b, stage s, uint64_t *counter)
{
    pthread_mutex_lock(&r->lock);
    b->stage = s;
    ++*counter;
    pthread_cond_signal(&r->wanted);
    pthread_mutex_unlock(&r->lock);
}

static void forget_behind(ring *r, uint64_t batches)
{
    pthread_mutex_lock(&r->lock);
    r->filled = batches;
    pthread_mutex_unlock(&r->lock);
}

/* Where the input fails, writes what was read before that, then returns the error. */
static int run(ring *r, ends *e, dodona_error *err)
{
    dodona_error late = { 0 };
    int more = 1, status = DODONA_OK, joined;
    while (status >= 0 && (more > 0 || r->written < r->filled)) {
        batch *b;
        switch (next_task(r, more)) {
        case FILL:
            if (more == DODONA_WAIT && (status = report(e, err)) < 0)
                break;
            b = &r->batch[r->filled % r->size];
            b->status = DODONA_OK;
            more = fill(b, e, BATCH_SENTENCES, &late);
            enter(r, b, b->has_piece ? READ : FOUND, &r->filled);
            break;
        case JOIN:
            b = &r->batch[r->joined % r->size];
            joined = join(b, e, &late);
            enter(r, b, JOINED, &r->joined);
            if (joined < 0) {
                more = joined;
                forget_behind(r, r->joined);
            }
            break;
        case WRITE:
            b = &r->batch[r->written % r->size];
            status = write_batch(b, e, err);
            enter(r, b, EMPTY, &r->written);
        }
    }
    if (status >= 0 && more < 0 && err)
        *err = late;
    return status < 0 ? status : more;
}

static void stop(ring *r, worker *w, int threads)
{
    pthread_mutex_lock(&r->lock);
    r->stop = true;
    pthread_cond_broadcast(&r->wanted);
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
    pthread_mutex_init(&r.lock, NULL);
    pthread_cond_init(&r.wanted, NULL);
    pthread_cond_init(&r.finished, NULL);
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
    for (int i = 0; i < started; i++)
        ddn_text_close(w[i].reader);
    for (size_t i = 0; r.batch && i < r.size; i++)
        fini_batch(&r.batch[i]);
    pthread_cond_destroy(&r.finished);
    pthread_cond_destroy(&r.wanted);
    pthread_mutex_destroy(&r.lock);
    free(r.batch);
    free(w);
    return status;
}

int dodona_parse_stream(const dodona_model *m, const dodona_parse_options *o, dodona_pull pull,
                        void *pull_ctx, dodona_push push_out, void *push_ctx, dodona_error *err)
{
    if (!m || !pull || !push_out)
        return ddn_fail_null(err, "model, the pull or the push");
    dodona_parse_options all;
    int status = ddn_parse_options_take(&all, o, err);
    if (status < 0)
        return status;
    dodona_workspace *workspace[DODONA_MAX_THREADS] = { 0 };
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
        status = ddn_joiner_init(&e.joiner, err);
    if (status >= 0)
        status = all.threads == 1
                     ? parse_alone(&e, workspace[0],
                                   m->parser ? (size_t)m->parser->scorer->batch : 1, err)
                     : parse_together(&e, workspace, all.threads, err);
    if (status >= 0 && e.progress.done % REPORT_EVERY)
        status = report(&e, err);
    ddn_joiner_fini(&e.joiner);
    for (int i = 0; i < all.threads; i++)
        dodona_workspace_free(workspace[i]);
    return status;
}
