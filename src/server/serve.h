/* SPDX-License-Identifier: MIT */
/* serve.h - an HTTP server that parses: UDPipe's interface, and one of our own.
 *
 * One thread reads requests and writes answers (http.c).  What is to be parsed becomes a job
 * (job.h), and the threads of a pool work on jobs in turns (pool.h), so that a long one does not
 * hold up short ones.  udpipe.c and native.c turn requests into jobs. */
#ifndef DDN_SERVER_SERVE_H
#define DDN_SERVER_SERVE_H

#include "dodona.h"

#include <stdbool.h>

typedef struct ddn_served {
    const char *name; /* in requests */
    const dodona_model *model;
} ddn_served;

typedef struct ddn_serve_options {
    const ddn_served *model; /* [models] the first is the default */
    int models;
    const char *host; /* an address of this machine */
    int port;         /* 0: any that is free */
    int threads;
    int64_t max_request; /* bytes of a request */
    int64_t max_words;   /* words of a request, as white space separates them */
    int timeout;         /* seconds that a client may take before it is dropped */
    int max_connections;
    bool quiet;              /* no line for each request on standard error */
    int (*stopped)(void);    /* asked several times a second; not 0: the server is to end */
    void (*ready)(int port); /* called once it listens */
} ddn_serve_options;

/* Serves until it is stopped; then what is under way is finished first. */
int ddn_serve(const ddn_serve_options *o, dodona_error *err);

#endif
