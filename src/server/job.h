/* SPDX-License-Identifier: MIT */
/* job.h - the text of a request on its way to an answer.
 *
 * A job is worked on in turns.  In each, some sentences are read from its input, parsed, perhaps
 * together with those of other jobs, and written to its output. */
#ifndef DDN_SERVER_JOB_H
#define DDN_SERVER_JOB_H

#include "core/output.h"
#include "server/serve.h"

/* How the sentences stand in the answer. */
typedef enum ddn_wrapping {
    DDN_WRAP_NOT,    /* as the format has them */
    DDN_WRAP_STRING, /* in a JSON string, between head and tail */
    DDN_WRAP_LIST    /* lines of JSON become a list, between head and tail */
} ddn_wrapping;

typedef enum ddn_job_stage {
    DDN_JOB_WAITS,
    DDN_JOB_RUNS,
    DDN_JOB_PARKED,
    DDN_JOB_ENDED
} ddn_job_stage;

typedef struct ddn_job {
    /* ---- Set by whoever makes it ---- */
    const ddn_served *served;
    char *data; /* [size] the input, malloced */
    size_t size;
    dodona_format input, output;
    dodona_parse_options options; /* search and decoder point to the next two */
    char search[32], decoder[64];
    ddn_wrapping wrapping;
    ddn_output head, tail; /* around the sentences */
    const char *type;      /* of the answer */
    /* ---- The work ---- */
    size_t at; /* bytes of the input that were read */
    dodona_reader *reader;
    dodona_writer *writer;
    ddn_output made; /* in this turn */
    int64_t made_sentences, made_words;
    bool any; /* a sentence was written */
    /* ---- Shared with the connection, by the lock of the pool ---- */
    ddn_job_stage stage;
    ddn_output ready; /* for the client */
    size_t taken;     /* bytes of it that the client has */
    int64_t sentences, words;
    dodona_error error;
    bool dropped;           /* nobody waits for the answer any more */
    bool asleep;            /* the connection waits to be woken */
    void (*wake)(void *of); /* wakes it */
    void *of;
    struct ddn_job *next; /* in the queue */
} ddn_job;

/* NULL: no memory.  The input becomes the job's. */
ddn_job *ddn_job_new(const ddn_served *served);
void ddn_job_free(ddn_job *j);

/* Checks the whole of an input that is not plain text, so that it is refused before an answer
 * begins, and opens reader and writer. */
int ddn_job_begin(ddn_job *j, dodona_error *err);
/* The next sentence: 1, or 0 at the end. */
int ddn_job_read(ddn_job *j, dodona_sentence *s, dodona_error *err);
int ddn_job_write(ddn_job *j, dodona_sentence *s, dodona_error *err);
/* All sentences are written. */
int ddn_job_end(ddn_job *j, dodona_error *err);

/* Whether the sentences of both may be parsed together. */
bool ddn_job_is_like(const ddn_job *a, const ddn_job *b);

#endif
