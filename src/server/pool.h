/* SPDX-License-Identifier: MIT */
/* pool.h - threads that work on jobs in turns, the one that has waited longest first.
 *
 * A turn takes some sentences of a job and, where there is room left, of those that wait behind it
 * and are to be parsed the same way.  A job that is not done then goes to the end of the queue; one
 * whose client is slow to take what is ready is parked until it has. */
#ifndef DDN_SERVER_POOL_H
#define DDN_SERVER_POOL_H

#include "server/job.h"

typedef struct ddn_pool ddn_pool;

/* most: jobs that may wait. */
int ddn_pool_open(ddn_pool **out, int threads, int most, dodona_error *err);
/* No job is left.  NULL may be closed, too. */
void ddn_pool_close(ddn_pool *p);

/* Takes a job in, whose connection sleeps; false: too many wait, and the job is the caller's. */
bool ddn_pool_submit(ddn_pool *p, ddn_job *j);
int ddn_pool_waiting(ddn_pool *p);
/* Whether a job waits or is worked on; if not, no connection sleeps. */
bool ddn_pool_is_busy(ddn_pool *p);

/* What a connection may do: see how far the job is; whether it has ended with an error before any
 * of the answer was taken, which then is in *err. */
typedef enum ddn_progress_of { DDN_GOES_ON, DDN_HAS_ENDED, DDN_HAS_FAILED } ddn_progress_of;
ddn_progress_of ddn_pool_look(ddn_pool *p, ddn_job *j, dodona_error *err);
/* Up to size bytes of the answer: how many; 0: none are ready, and the connection will be woken
 * (sleep is called, to put it to sleep); -1: there are no more; -2: the job has failed. */
ptrdiff_t ddn_pool_take(ddn_pool *p, ddn_job *j, char *buf, size_t size, void (*sleep)(void *of));
/* The answer is complete or not wanted: the job is freed.  What was done of it. */
void ddn_pool_drop(ddn_pool *p, ddn_job *j, int64_t *sentences, int64_t *words);

#endif
