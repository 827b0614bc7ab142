/* SPDX-License-Identifier: MIT */
/* request.h - a request, what it asks for and what it is answered. */
#ifndef DDN_SERVER_REQUEST_H
#define DDN_SERVER_REQUEST_H

#include "server/metrics.h"
#include "server/pool.h"

#include <microhttpd.h>
#include <time.h>

enum { DDN_MAX_PARAMETERS = 32, DDN_MAX_PARAMETER_NAME = 32 };

/* A parameter of a form or of the address. */
typedef struct ddn_parameter {
    char name[DDN_MAX_PARAMETER_NAME];
    ddn_output value;
} ddn_parameter;

typedef struct ddn_server {
    const ddn_serve_options *options;
    struct MHD_Daemon *daemon;
    ddn_pool *pool;
    ddn_metrics metrics;
    pthread_mutex_t lock; /* of the next two */
    int64_t bytes;        /* of requests that are under way */
    struct ddn_request *first;
} ddn_server;

typedef struct ddn_request {
    ddn_server *server;
    struct MHD_Connection *connection;
    const struct ddn_route *route;
    struct timespec began;
    ddn_output body;
    int64_t counted; /* bytes of it that server->bytes has, until the answer is complete */
    bool whole;      /* has been read, and was looked at */
    ddn_parameter parameter[DDN_MAX_PARAMETERS];
    int parameters;
    bool repeated; /* the field of a form that comes now has a name that came before */
    /* The answer: a job, or a text with its status. */
    ddn_job *job;
    unsigned status;
    const char *type;
    ddn_output text;
    struct ddn_request *next, *previous; /* of the server */
} ddn_request;

/* What is answered at a path.  A handler fills the answer or makes a job. */
typedef struct ddn_route {
    const char *path;
    bool takes_body; /* POST; otherwise GET */
    bool form;       /* the body is a form, whose fields become parameters */
    void (*handle)(ddn_request *r);
} ddn_route;

extern const ddn_route ddn_routes[]; /* the last one's path is NULL */

/* A value; NULL: there is no such parameter.  It is terminated by a NUL. */
const char *ddn_request_get(const ddn_request *r, const char *name);
const ddn_parameter *ddn_request_find(const ddn_request *r, const char *name);

/* Answers with a text in plain words. */
void ddn_request_refuse(ddn_request *r, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ddn_request_fail(ddn_request *r, const dodona_error *err);

/* The model of that name, or the first that begins so; NULL or "": the default.  NULL: it was
 * refused. */
const ddn_served *ddn_request_model(ddn_request *r, const char *name);
/* A job over a copy of the data, which is checked for its size; NULL: it was refused. */
ddn_job *ddn_request_job(ddn_request *r, const ddn_served *served, const char *data, size_t size);

void ddn_list_models(ddn_request *r);   /* GET /models */
void ddn_process(ddn_request *r);       /* GET and POST /process */
void ddn_native_models(ddn_request *r); /* GET /v1/models */
void ddn_native_parse(ddn_request *r);  /* POST /v1/parse */

#endif
