/* SPDX-License-Identifier: MIT */
/* metrics.h - what the server counts, for Prometheus. */
#ifndef DDN_SERVER_METRICS_H
#define DDN_SERVER_METRICS_H

#include "core/output.h"
#include "server/serve.h"

#include <pthread.h>

enum { DDN_STATUSES = 600, DDN_MAX_SERVED = 64 };

typedef struct ddn_metrics {
    pthread_mutex_t lock;
    int64_t by_status[DDN_STATUSES];
    double seconds; /* of all requests together */
    struct {
        int64_t requests, sentences, words;
    } model[DDN_MAX_SERVED];
    int64_t connections; /* at present */
} ddn_metrics;

void ddn_metrics_init(ddn_metrics *m);
void ddn_metrics_fini(ddn_metrics *m);
/* model -1: it was not about one. */
void ddn_metrics_add(ddn_metrics *m, unsigned status, double seconds, int model, int64_t sentences,
                     int64_t words);
/* Connections, one more or one less; returns how many there are. */
int64_t ddn_metrics_connect(ddn_metrics *m, int change);
/* In Prometheus' text form.  waiting: jobs in the queue. */
void ddn_metrics_print(ddn_metrics *m, const ddn_serve_options *o, int waiting, ddn_output *to);

#endif
