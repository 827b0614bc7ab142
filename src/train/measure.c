/* SPDX-License-Identifier: MIT */
/* measure.c - dev is parsed as `dodona parse` would parse it, and compared as `dodona eval`
 * would. */
#include "train/measure.h"

#include "search/result.h"

#include <string.h>

/* Up to the first colon, as the official scorer compares relations. */
static dodona_text universal(dodona_text t)
{
    const char *colon = memchr(t.data, ':', t.size);
    return (dodona_text){ t.data, colon ? (size_t)(colon - t.data) : t.size };
}

static void compare(const ddn_sentence *s, const ddn_result *r, ddn_measured *out)
{
    for (int32_t i = 1; i <= s->n; i++) {
        if (r->head[i] != s->head[i])
            continue;
        dodona_text gold = universal(ddn_sentence_column(s, i, DDN_DEPREL));
        out->heads++;
        out->labels += ddn_text_equal(gold, universal(r->label[i]));
    }
}

static int parse_all(ddn_searching *w, const ddn_schema *schema, const ddn_treebank *dev,
                     int (*tick)(void *ctx, size_t done, dodona_error *err), void *ctx,
                     ddn_measured *out, dodona_error *err)
{
    ddn_result result;
    int status = DODONA_OK;
    ddn_result_init(&result);
    for (size_t i = 0; i < dev->count && status >= 0; i++) {
        status = w->search->run(w, &dev->sentence[i], err);
        if (status >= 0)
            status = ddn_result_read(&result, schema, &w->state, err);
        if (status >= 0)
            compare(&dev->sentence[i], &result, out);
        if (status >= 0 && tick && i % 256 == 0)
            status = tick(ctx, i, err);
    }
    ddn_result_fini(&result);
    return status;
}

int ddn_measure(const ddn_schema *schema, const ddn_frozen *frozen, const char *search,
                const ddn_search_options *options, const ddn_treebank *dev,
                int (*tick)(void *ctx, size_t done, dodona_error *err), void *ctx,
                ddn_measured *out, dodona_error *err)
{
    ddn_scoring *scoring = NULL;
    ddn_searching *searching = NULL;
    *out = (ddn_measured){ 0 };
    int status = ddn_perceptron_scoring(schema, frozen, &scoring, err);
    if (status >= 0)
        status = ddn_search_open(search, schema->system, scoring, options, &searching, err);
    if (status >= 0)
        status = parse_all(searching, schema, dev, tick, ctx, out, err);
    if (searching)
        searching->search->close(searching);
    if (scoring)
        scoring->scorer->close(scoring);
    return status;
}
