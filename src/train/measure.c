/* SPDX-License-Identifier: MIT */
/* measure.c - dev is parsed as `dodona parse` would parse it, and compared as `dodona eval`
 * would. */
#include "train/measure.h"

#include "search/parser.h"
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

static int measure(ddn_parser *p, const ddn_sentence *s, int m, ddn_result *result,
                   ddn_measured *out, dodona_error *err)
{
    const ddn_sentence *batch[DDN_MAX_BATCH] = { NULL };
    for (int i = 0; i < m; i++)
        batch[i] = &s[i];
    int status = ddn_parser_encode(p, batch, m, err);
    for (int i = 0; i < m && status >= 0; i++) {
        int lane = i % p->lanes, left = m - i;
        if (lane == 0)
            status = ddn_parser_search(p, batch, i, left < p->lanes ? left : p->lanes, err);
        if (status >= 0)
            status =
                ddn_result_read(result, p->pass->model->schema, &p->searching[lane]->state, err);
        if (status >= 0)
            compare(&s[i], result, out);
    }
    return status;
}

int ddn_measure(const ddn_model *model, const char *search, const ddn_search_options *options,
                const ddn_treebank *dev, int (*tick)(void *ctx, size_t done, dodona_error *err),
                void *ctx, ddn_measured *out, dodona_error *err)
{
    enum { SENTENCES_A_TICK = 256 };
    ddn_parser parser;
    ddn_result result;
    size_t batch = (size_t)model->scorer->batch;
    *out = (ddn_measured){ 0 };
    ddn_result_init(&result);
    int status = ddn_parser_open(&parser, model, search, options, model->scorer->batch, err);
    for (size_t i = 0; i < dev->count && status >= 0; i += batch) {
        size_t m = dev->count - i < batch ? dev->count - i : batch;
        status = measure(&parser, &dev->sentence[i], (int)m, &result, out, err);
        if (status >= 0 && tick && i % SENTENCES_A_TICK < batch)
            status = tick(ctx, i, err);
    }
    ddn_parser_close(&parser);
    ddn_result_fini(&result);
    return status;
}
