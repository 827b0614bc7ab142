/* SPDX-License-Identifier: MIT */
/* decode.c - the best tree over scores that callers give, as matrices or as JSON. */
#include "chart/decode.h"
#include "api/api.h"
#include "core/arena.h"
#include "core/json.h"
#include "dodona_research.h"
#include "io/scores_read.h"

#include <math.h>
#include <stdlib.h>

struct dodona_decoder {
    ddn_decoder decoder;
    ddn_decoding decoding;
    bool one_root, marginals;
    int32_t kbest;
    ddn_scores scores;
    int32_t *head;   /* [trees][n+1] */
    double *score;   /* [trees] */
    double *share;   /* [(n+1) * (n+1)] */
    ddn_arena arena; /* these */
    ddn_output answer;
};

void dodona_decode_options_init(dodona_decode_options *o)
{
    if (!o)
        return;
    *o = (dodona_decode_options){ .size = sizeof *o, .system = "mst", .memory = DDN_DECODE_MEMORY };
}

int dodona_decoder_open(const dodona_decode_options *given, dodona_decoder **out, dodona_error *err)
{
    if (!out)
        return ddn_fail_null(err, "place for the decoder");
    dodona_decode_options o;
    ddn_decoder decoder;
    dodona_decode_options_init(&o);
    if (given)
        ddn_options_take(&o, sizeof o, given, given->size);
    *out = NULL;
    if (!o.system)
        return ddn_fail_null(err, "system");
    if (!(o.memory > 0))
        return ddn_fail(err, DODONA_E_ARGUMENT, "the memory is %g bytes; expected more than 0",
                        o.memory);
    int status = ddn_decoder_find(o.system, &decoder, err);
    if (status < 0)
        return status;
    if (o.marginals && !decoder.sum)
        return ddn_decode_no_sum(&decoder, err);
    if (o.kbest < 0 || o.kbest > DODONA_MAX_KBEST)
        return ddn_fail(err, DODONA_E_ARGUMENT, "%d best trees were asked for; the most is %d",
                        o.kbest, DODONA_MAX_KBEST);
    dodona_decoder *d = calloc(1, sizeof *d);
    if (!d)
        return ddn_fail_memory(err);
    d->decoder = decoder;
    d->one_root = o.one_root;
    d->marginals = o.marginals;
    d->kbest = o.kbest;
    ddn_decoding_init(&d->decoding, o.memory);
    ddn_scores_init(&d->scores);
    ddn_output_memory(&d->answer);
    *out = d;
    return DODONA_OK;
}

void dodona_decoder_close(dodona_decoder *d)
{
    if (!d)
        return;
    ddn_decoding_fini(&d->decoding);
    ddn_scores_fini(&d->scores);
    ddn_output_abandon(&d->answer);
    ddn_arena_fini(&d->arena);
    free(d);
}

/* ---- Trees ---- */

/* The best trees of the scores into head and score, at least one if there is one; returns how many.
 */
static int32_t find_trees(dodona_decoder *d, const ddn_decode_input *in, int32_t wanted,
                          dodona_error *err)
{
    size_t m = (size_t)in->n + 1, trees = (size_t)(wanted > 1 ? wanted : 1);
    int status = DODONA_OK;
    if (in->n > 0 && wanted > 1)
        status = ddn_decode_kbest_check(&d->decoding, &d->decoder, in->n, wanted, err);
    if (status < 0)
        return status;
    ddn_arena_reset(&d->arena);
    d->head = ddn_arena_take(&d->arena, trees * m, sizeof *d->head);
    d->score = ddn_arena_take(&d->arena, trees, sizeof *d->score);
    if (d->arena.failed)
        return ddn_fail_memory(err);
    d->score[0] = 0;
    if (in->n == 0)
        return 1;
    if (wanted > 1)
        return ddn_decode_kbest(&d->decoding, &d->decoder, in, wanted, d->head, d->score, err);
    int found = ddn_decode_best(&d->decoding, &d->decoder, in, d->head, NULL, err);
    if (found > 0)
        d->score[0] = ddn_decode_score(in, d->head);
    return found;
}

/* Whether all that is read of a matrix is in range, or forbids an arc. */
static int check_scores(int n, const double *scores, dodona_error *err)
{
    size_t m = (size_t)n + 1;
    for (size_t head = 0; head < m; head++)
        for (size_t word = 1; word < m; word++) {
            double x = scores[head * m + word];
            if (head != word && !(fabs(x) <= DDN_SCORE_MOST) && !(isinf(x) && x < 0))
                return ddn_fail(err, DODONA_E_INPUT,
                                "the score of the arc from %zu to %zu is %g; expected at most %g "
                                "in size, or -INFINITY",
                                head, word, x, DDN_SCORE_MOST);
        }
    return DODONA_OK;
}

/* A matrix of the caller's, with the bytes that its decoding needs. */
static int check_input(const dodona_decoder *d, int n, const double *scores, double need,
                       dodona_error *err)
{
    if (n < 0 || n > DODONA_MAX_WORDS)
        return ddn_fail(err, DODONA_E_LIMIT, "%d words; expected 0 to %d", n, DODONA_MAX_WORDS);
    if (n == 0)
        return DODONA_OK;
    int status = ddn_decode_check(&d->decoding, d->decoder.name, n, need, err);
    return status < 0 ? status : check_scores(n, scores, err);
}

int dodona_decode(dodona_decoder *d, int n, const double *scores, int *heads, double *score,
                  dodona_error *err)
{
    if (!d || !score || (n > 0 && (!scores || !heads)))
        return ddn_fail_null(err, "decoder, the scores or a place for the answer");
    ddn_decode_input in = { n, d->one_root, scores };
    int32_t found = check_input(d, n, scores, n > 0 ? d->decoder.need(&d->decoder, n) : 0, err);
    if (!found)
        found = find_trees(d, &in, 1, err);
    for (int i = 0; i < n && found > 0; i++)
        heads[i] = d->head[i + 1];
    if (found > 0)
        *score = d->score[0];
    return found;
}

int dodona_decode_marginals(dodona_decoder *d, int n, const double *scores, double *marginals,
                            double *log_total, dodona_error *err)
{
    if (!d || !marginals || !log_total || (n > 0 && !scores))
        return ddn_fail_null(err, "decoder, the scores or a place for the answer");
    ddn_decode_input in = { n, d->one_root, scores };
    if (!d->marginals)
        return ddn_fail(err, DODONA_E_ARGUMENT, "the decoder was not opened with marginals");
    int status = check_input(d, n, scores, n > 0 ? d->decoder.sum_need(n) : 0, err);
    if (status < 0)
        return status;
    *log_total = 0;
    marginals[0] = 0;
    return n == 0 ? 1 : ddn_decode_sum(&d->decoding, &d->decoder, &in, marginals, log_total, err);
}

/* ---- JSON ---- */

static void put_tree(ddn_json *j, const int32_t *head, int32_t n, double score)
{
    ddn_json_begin(ddn_json_key(j, "heads"), '[');
    for (int32_t i = 1; i <= n; i++)
        ddn_json_int(j, head[i]);
    ddn_json_end(j, ']');
    ddn_json_shortest(ddn_json_key(j, "score"), score);
}

static void put_trees(dodona_decoder *d, ddn_json *j, int32_t found)
{
    size_t m = (size_t)d->scores.n + 1;
    if (found > 0) {
        put_tree(j, d->head, d->scores.n, d->score[0]);
    } else {
        ddn_json_raw(ddn_json_key(j, "heads"), "null");
        ddn_json_raw(ddn_json_key(j, "score"), "null");
    }
    if (d->kbest == 0)
        return;
    ddn_json_begin(ddn_json_key(j, "kbest"), '[');
    for (int32_t t = 0; t < found; t++) {
        ddn_json_begin(j, '{');
        put_tree(j, d->head + (size_t)t * m, d->scores.n, d->score[t]);
        ddn_json_end(j, '}');
    }
    ddn_json_end(j, ']');
}

static void put_shares(ddn_json *j, const double *share, size_t m, double total)
{
    ddn_json_shortest(ddn_json_key(j, "log_total"), total);
    ddn_json_begin(ddn_json_key(j, "marginals"), '[');
    for (size_t row = 0; row < m; row++) {
        ddn_json_begin(j, '[');
        for (size_t column = 0; column < m; column++)
            ddn_json_shortest(j, share[row * m + column]);
        ddn_json_end(j, ']');
    }
    ddn_json_end(j, ']');
}

static int add_shares(dodona_decoder *d, const ddn_decode_input *in, ddn_json *j, dodona_error *err)
{
    size_t m = (size_t)in->n + 1;
    double total = 0;
    d->share = ddn_arena_take(&d->arena, m * m, sizeof *d->share);
    if (!d->share)
        return ddn_fail_memory(err);
    int found = dodona_decode_marginals(d, in->n, in->w, d->share, &total, err);
    if (found > 0) {
        put_shares(j, d->share, m, total);
    } else {
        ddn_json_raw(ddn_json_key(j, "log_total"), "null");
        ddn_json_raw(ddn_json_key(j, "marginals"), "null");
    }
    return found;
}

int dodona_decoder_answer(dodona_decoder *d, dodona_text scores, dodona_text *answer,
                          dodona_error *err)
{
    if (!d || !scores.data || !answer)
        return ddn_fail_null(err, "decoder, the scores or the place for the answer");
    int status = ddn_scores_read(&d->scores, scores, DDN_SCORE_MOST, err);
    if (status < 0)
        return status;
    ddn_decode_input in = { d->scores.n, d->one_root, d->scores.w };
    int32_t found = find_trees(d, &in, d->kbest, err);
    if (found < 0)
        return found;
    ddn_output_abandon(&d->answer);
    ddn_json j = { .out = &d->answer };
    ddn_json_begin(&j, '{');
    put_trees(d, &j, found);
    status = d->marginals ? add_shares(d, &in, &j, err) : DODONA_OK;
    ddn_json_end(&j, '}');
    return status < 0 ? status : ddn_output_text(&d->answer, answer, err);
}
