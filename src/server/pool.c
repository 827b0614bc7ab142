/* SPDX-License-Identifier: MIT */
/* pool.c - one lock guards the queue and what jobs share with their connections.  Sentences are
 * parsed and written outside of it. */
#include "server/pool.h"

#include "core/error.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    TURN_SENTENCES = 32,
    TURN_WORDS = 800,
    TURN_JOBS = 16,        /* at most in one turn */
    READY_BYTES = 1 << 18, /* more than that, and the job is parked */
    WORKSPACES = 6         /* that a thread keeps */
};

struct ddn_pool {
    pthread_mutex_t lock;
    pthread_cond_t wanted;
    ddn_job *first, *last; /* that wait */
    int waiting, most, running;
    bool stop;
    int threads;
    struct worker *worker; /* [threads] */
};

/* A workspace, and a job like those that it is for. */
typedef struct kept {
    dodona_workspace *workspace; /* NULL: none */
    ddn_job like;                /* served, search, decoder and options alone */
    uint64_t used;
} kept;

typedef struct worker {
    ddn_pool *pool;
    pthread_t thread;
    bool started;
    kept kept[WORKSPACES];
    uint64_t turns;
    dodona_sentence *sentence[TURN_SENTENCES];
    ddn_job *owner[TURN_SENTENCES];
    int sentences;
} worker;

/* ---- The queue; with the lock ---- */

static void enqueue(ddn_pool *p, ddn_job *j)
{
    j->stage = DDN_JOB_WAITS;
    j->next = NULL;
    if (p->last)
        p->last->next = j;
    else
        p->first = j;
    p->last = j;
    p->waiting++;
    pthread_cond_signal(&p->wanted);
}

/* Takes the first job that waits and those right behind it that are like it, but leaves the other
 * threads their share. */
static int dequeue(ddn_pool *p, ddn_job **job)
{
    int count = 0, share = (p->waiting + p->threads - 1) / p->threads;
    int most = share < TURN_JOBS ? share : TURN_JOBS;
    while (p->first && count < most && (!count || ddn_job_is_like(job[0], p->first))) {
        ddn_job *j = job[count++] = p->first;
        p->first = j->next;
        if (!p->first)
            p->last = NULL;
        p->waiting--;
        j->stage = DDN_JOB_RUNS;
    }
    p->running += count;
    return count;
}

static void wake(ddn_job *j)
{
    if (j->asleep && !j->dropped) {
        j->asleep = false;
        j->wake(j->of);
    }
}

/* A turn of the job is over. */
static void hand_over(ddn_pool *p, ddn_job *j, bool ended)
{
    p->running--;
    j->sentences += j->made_sentences;
    j->words += j->made_words;
    j->made_sentences = j->made_words = 0;
    if (j->taken) {
        memmove(j->ready.data, j->ready.data + j->taken, j->ready.size - j->taken);
        j->ready.size -= j->taken;
        j->taken = 0;
    }
    ddn_put(&j->ready, j->made.data, j->made.size);
    ddn_output_clear(&j->made);
    if (j->ready.error.code != DODONA_OK && j->error.code == DODONA_OK)
        j->error = j->ready.error;
    ended |= j->error.code != DODONA_OK || j->dropped;
    if (!ended && j->ready.size - j->taken > READY_BYTES)
        j->stage = DDN_JOB_PARKED;
    else if (!ended)
        enqueue(p, j);
    else
        j->stage = DDN_JOB_ENDED;
    if (j->dropped)
        ddn_job_free(j);
    else if (ended || j->ready.size > j->taken)
        wake(j);
}

/* ---- A turn ---- */

static dodona_workspace *find_workspace(worker *w, const ddn_job *j, dodona_error *err)
{
    kept *oldest = &w->kept[0];
    w->turns++;
    for (int i = 0; i < WORKSPACES; i++) {
        kept *k = &w->kept[i];
        if (k->workspace && ddn_job_is_like(&k->like, j)) {
            k->used = w->turns;
            return k->workspace;
        }
        if (k->used < oldest->used)
            oldest = k;
    }
    dodona_workspace_free(oldest->workspace);
    *oldest = (kept){ .used = w->turns, .like = { .served = j->served, .options = j->options } };
    memcpy(oldest->like.search, j->search, sizeof j->search);
    memcpy(oldest->like.decoder, j->decoder, sizeof j->decoder);
    dodona_parse_options o = j->options;
    o.search = j->search[0] ? j->search : NULL;
    o.decoder = j->decoder[0] ? j->decoder : NULL;
    dodona_workspace_new(j->served->model, &o, &oldest->workspace, err);
    return oldest->workspace;
}

/* Reads sentences of a job while the turn has room for them; returns whether it has ended. */
static bool read_some(worker *w, ddn_job *j, int share)
{
    int status = j->reader ? DODONA_OK : ddn_job_begin(j, &j->error);
    int words = 0, end = w->sentences + share;
    while (status >= 0 && w->sentences < end && words < TURN_WORDS) {
        dodona_sentence *s = w->sentence[w->sentences];
        status = ddn_job_read(j, s, &j->error);
        if (status <= 0)
            return true;
        w->owner[w->sentences++] = j;
        words += dodona_sentence_length(s);
    }
    return status < 0;
}

/* Parses what was read.  A sentence that fails ends its job alone. */
static void parse(worker *w, dodona_workspace *ws)
{
    for (int i = 0; i < w->sentences;) {
        int parsed = 0;
        dodona_error error = { 0 };
        int status = dodona_parse_sentences(ws, w->sentence + i, w->sentences - i, &parsed, &error);
        for (int k = i; k < i + parsed; k++) {
            ddn_job *j = w->owner[k];
            if (j->error.code == DODONA_OK)
                ddn_job_write(j, w->sentence[k], &j->error);
        }
        i += parsed;
        if (status < 0) {
            if (w->owner[i]->error.code == DODONA_OK)
                w->owner[i]->error = error;
            i++;
        }
    }
}

static void turn(worker *w, ddn_job **job, int jobs, bool *ended)
{
    dodona_error error = { 0 };
    dodona_workspace *ws = find_workspace(w, job[0], &error);
    w->sentences = 0;
    for (int i = 0; i < jobs; i++) {
        int share = (TURN_SENTENCES - w->sentences) / (jobs - i);
        if (!ws)
            job[i]->error = error;
        ended[i] = !ws || read_some(w, job[i], share);
    }
    if (ws)
        parse(w, ws);
    for (int i = 0; i < jobs; i++)
        if (ended[i] && job[i]->error.code == DODONA_OK)
            ddn_job_end(job[i], &job[i]->error);
}

static void *work(void *ctx)
{
    worker *w = ctx;
    ddn_pool *p = w->pool;
    ddn_job *job[TURN_JOBS];
    bool ended[TURN_JOBS];
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (!p->first && !p->stop)
            pthread_cond_wait(&p->wanted, &p->lock);
        if (p->stop)
            break;
        int jobs = dequeue(p, job);
        pthread_mutex_unlock(&p->lock);
        turn(w, job, jobs, ended);
        pthread_mutex_lock(&p->lock);
        for (int i = 0; i < jobs; i++)
            hand_over(p, job[i], ended[i]);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* ---- The pool ---- */

static int start(worker *w, dodona_error *err)
{
    for (int i = 0; i < TURN_SENTENCES; i++)
        if (!(w->sentence[i] = dodona_sentence_new()))
            return ddn_fail_memory(err);
    if (pthread_create(&w->thread, NULL, work, w))
        return ddn_fail(err, DODONA_E_MEMORY, "can't start a thread");
    w->started = true;
    return DODONA_OK;
}

int ddn_pool_open(ddn_pool **out, int threads, int most, dodona_error *err)
{
    ddn_pool *p = calloc(1, sizeof *p);
    *out = NULL;
    if (!p)
        return ddn_fail_memory(err);
    p->most = most;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wanted, NULL);
    p->worker = calloc((size_t)threads, sizeof *p->worker);
    int status = p->worker ? DODONA_OK : ddn_fail_memory(err);
    p->threads = p->worker ? threads : 0;
    for (int i = 0; i < p->threads && status >= 0; i++) {
        p->worker[i].pool = p;
        status = start(&p->worker[i], err);
    }
    if (status < 0)
        ddn_pool_close(p);
    else
        *out = p;
    return status;
}

void ddn_pool_close(ddn_pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->wanted);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < p->threads; i++) {
        worker *w = &p->worker[i];
        if (w->started)
            pthread_join(w->thread, NULL);
        for (int k = 0; k < WORKSPACES; k++)
            dodona_workspace_free(w->kept[k].workspace);
        for (int k = 0; k < TURN_SENTENCES; k++)
            dodona_sentence_free(w->sentence[k]);
    }
    free(p->worker);
    pthread_cond_destroy(&p->wanted);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

bool ddn_pool_submit(ddn_pool *p, ddn_job *j)
{
    pthread_mutex_lock(&p->lock);
    bool room = p->waiting < p->most;
    if (room) {
        j->asleep = true;
        enqueue(p, j);
    }
    pthread_mutex_unlock(&p->lock);
    return room;
}

int ddn_pool_waiting(ddn_pool *p)
{
    pthread_mutex_lock(&p->lock);
    int waiting = p->waiting;
    pthread_mutex_unlock(&p->lock);
    return waiting;
}

bool ddn_pool_is_busy(ddn_pool *p)
{
    pthread_mutex_lock(&p->lock);
    bool busy = p->waiting || p->running;
    pthread_mutex_unlock(&p->lock);
    return busy;
}

ddn_progress_of ddn_pool_look(ddn_pool *p, ddn_job *j, dodona_error *err)
{
    pthread_mutex_lock(&p->lock);
    ddn_progress_of state = j->stage != DDN_JOB_ENDED    ? DDN_GOES_ON
                            : j->error.code == DODONA_OK ? DDN_HAS_ENDED
                                                         : DDN_HAS_FAILED;
    if (state == DDN_HAS_FAILED) /* a thread may write to it while the job goes on */
        *err = j->error;
    pthread_mutex_unlock(&p->lock);
    return state;
}

ptrdiff_t ddn_pool_take(ddn_pool *p, ddn_job *j, char *buf, size_t size, void (*sleep)(void *of))
{
    pthread_mutex_lock(&p->lock);
    size_t left = j->ready.size - j->taken, part = left < size ? left : size;
    ptrdiff_t got = (ptrdiff_t)part;
    if (part) {
        memcpy(buf, j->ready.data + j->taken, part);
        j->taken += part;
        if (j->taken == j->ready.size) {
            ddn_output_clear(&j->ready);
            j->taken = 0;
        }
        if (j->stage == DDN_JOB_PARKED && j->ready.size - j->taken <= READY_BYTES / 2)
            enqueue(p, j);
    } else if (j->stage == DDN_JOB_ENDED) {
        got = j->error.code == DODONA_OK ? -1 : -2;
    } else {
        j->asleep = true;
        sleep(j->of);
    }
    pthread_mutex_unlock(&p->lock);
    return got;
}

void ddn_pool_drop(ddn_pool *p, ddn_job *j, int64_t *sentences, int64_t *words)
{
    pthread_mutex_lock(&p->lock);
    *sentences = j->sentences;
    *words = j->words;
    bool mine = j->stage == DDN_JOB_ENDED || j->stage == DDN_JOB_PARKED;
    j->dropped = true;
    pthread_mutex_unlock(&p->lock);
    if (mine)
        ddn_job_free(j);
}
