/* SPDX-License-Identifier: MIT */
/* metrics.c - counts under a lock, and prints them. */
#include "server/metrics.h"

#include <inttypes.h>

void ddn_metrics_init(ddn_metrics *m)
{
    *m = (ddn_metrics){ 0 };
    pthread_mutex_init(&m->lock, NULL);
}

void ddn_metrics_fini(ddn_metrics *m)
{
    pthread_mutex_destroy(&m->lock);
}

void ddn_metrics_add(ddn_metrics *m, unsigned status, double seconds, int model, int64_t sentences,
                     int64_t words)
{
    pthread_mutex_lock(&m->lock);
    m->by_status[status < DDN_STATUSES ? status : 0]++;
    m->seconds += seconds;
    if (model >= 0) {
        m->model[model].requests++;
        m->model[model].sentences += sentences;
        m->model[model].words += words;
    }
    pthread_mutex_unlock(&m->lock);
}

int64_t ddn_metrics_connect(ddn_metrics *m, int change)
{
    pthread_mutex_lock(&m->lock);
    int64_t count = m->connections += change;
    pthread_mutex_unlock(&m->lock);
    return count;
}

static void head(ddn_output *to, const char *name, const char *type, const char *help)
{
    ddn_putf(to, "# HELP dodona_%s %s\n# TYPE dodona_%s %s\n", name, help, name, type);
}

void ddn_metrics_print(ddn_metrics *m, const ddn_serve_options *o, int waiting, ddn_output *to)
{
    pthread_mutex_lock(&m->lock);
    head(to, "requests_total", "counter", "Requests that were answered, by status.");
    for (int i = 0; i < DDN_STATUSES; i++)
        if (m->by_status[i])
            ddn_putf(to, "dodona_requests_total{status=\"%d\"} %" PRId64 "\n", i, m->by_status[i]);
    head(to, "request_seconds_total", "counter",
         "Seconds from the first byte to the answer's end.");
    ddn_putf(to, "dodona_request_seconds_total %.6f\n", m->seconds);
    head(to, "parses_total", "counter", "Requests that were parsed, by model.");
    for (int i = 0; i < o->models; i++)
        ddn_putf(to, "dodona_parses_total{model=\"%s\"} %" PRId64 "\n", o->model[i].name,
                 m->model[i].requests);
    head(to, "sentences_total", "counter", "Sentences that were parsed, by model.");
    for (int i = 0; i < o->models; i++)
        ddn_putf(to, "dodona_sentences_total{model=\"%s\"} %" PRId64 "\n", o->model[i].name,
                 m->model[i].sentences);
    head(to, "words_total", "counter", "Words that were parsed, by model.");
    for (int i = 0; i < o->models; i++)
        ddn_putf(to, "dodona_words_total{model=\"%s\"} %" PRId64 "\n", o->model[i].name,
                 m->model[i].words);
    head(to, "queue", "gauge", "Requests that wait to be parsed.");
    ddn_putf(to, "dodona_queue %d\n", waiting);
    head(to, "connections", "gauge", "Open connections.");
    ddn_putf(to, "dodona_connections %" PRId64 "\n", m->connections);
    pthread_mutex_unlock(&m->lock);
}
