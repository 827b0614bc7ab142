/* SPDX-License-Identifier: MIT */
/* decode.c - the table of decoders, and what they share: names, memory, messages. */
#include "chart/decode.h"
#include "core/names.h"
#include "system/attardi_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DECODER(name) extern const ddn_decoder ddn_decoder_##name;
#include "chart/decoders.def"
#undef DECODER

const ddn_decoder *const ddn_decoders[] = {
#define DECODER(name) &ddn_decoder_##name,
#include "chart/decoders.def"
#undef DECODER
    NULL,
};

/* ---- Names ---- */

static int fail_unknown(const char *name, dodona_error *err)
{
    ddn_names names = { .guess.wanted = name };
    for (int i = 0; ddn_decoders[i]; i++)
        ddn_names_add(&names, ddn_decoders[i]->name);
    return ddn_fail_unknown(err, "decoder", &names);
}

/* attardi:D */
static int find_degree(const char *degree, ddn_decoder *out, dodona_error *err)
{
    *out = ddn_decoder_attardi;
    if (strcmp(degree, "1") == 0) {
        out->name = "attardi:1";
        out->rules = DDN_RULES_ATTARDI1;
    } else if (strspn(degree, "0123456789") != strlen(degree) || *degree == '0' || !*degree)
        return ddn_fail(err, DODONA_E_ARGUMENT, "'%s' is not a degree; expected 1 or 2", degree);
    else if (strcmp(degree, "2") != 0)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "there is exact search for attardi up to degree 2, not for degree %s",
                        degree);
    return DODONA_OK;
}

void ddn_decoder_of_rules(uint32_t rules, ddn_decoder *out)
{
    *out = ddn_decoder_attardi;
    out->rules = rules;
}

int ddn_decoder_find(const char *name, ddn_decoder *out, dodona_error *err)
{
    for (int i = 0; ddn_decoders[i]; i++)
        if (strcmp(ddn_decoders[i]->name, name) == 0) {
            *out = *ddn_decoders[i];
            return DODONA_OK;
        }
    if (strncmp(name, "attardi:", 8) == 0)
        return find_degree(name + 8, out, err);
    if (!strchr(name, '<'))
        return fail_unknown(name, err);
    *out = ddn_decoder_attardi;
    out->name = "a set of rules";
    return ddn_attardi_rules_read(name, &out->rules, err);
}

/* ---- Memory ---- */

void ddn_decoding_init(ddn_decoding *d, double limit)
{
    *d = (ddn_decoding){ .limit = limit };
}

void ddn_decoding_fini(ddn_decoding *d)
{
    free(d->block);
    *d = (ddn_decoding){ 0 };
}

int ddn_decode_check(const ddn_decoding *d, const char *name, int32_t n, double need,
                     dodona_error *err)
{
    if (need <= d->limit)
        return DODONA_OK;
    return ddn_fail(err, DODONA_E_LIMIT,
                    "%d words with '%s' would need %.1f MB of memory; the limit is %.1f MB", (int)n,
                    name, ceil(need / 1e5) / 10, d->limit / 1e6);
}

/* A block of that many bytes; its former contents are lost. */
static int get_space(ddn_decoding *d, const char *name, int32_t n, double need, ddn_space *out,
                     dodona_error *err)
{
    int status = ddn_decode_check(d, name, n, need, err);
    if (status < 0)
        return status;
    size_t bytes = (size_t)need;
    if (bytes > d->size) {
        free(d->block);
        d->block = malloc(bytes);
        d->size = d->block ? bytes : 0;
        if (!d->block)
            return ddn_fail_memory(err);
    }
    *out = (ddn_space){ d->block, bytes };
    return DODONA_OK;
}

/* ---- The best tree, and sums ---- */

double ddn_decode_score(const ddn_decode_input *in, const int32_t *head)
{
    double sum = 0;
    for (int32_t d = 1; d <= in->n; d++)
        sum += in->w[(size_t)head[d] * ((size_t)in->n + 1) + (size_t)d];
    return sum;
}

int ddn_decode_best(ddn_decoding *d, const ddn_decoder *decoder, const ddn_decode_input *in,
                    int32_t *head, uint8_t *move, dodona_error *err)
{
    ddn_space space;
    int status = get_space(d, decoder->name, in->n, decoder->need(decoder, in->n), &space, err);
    return status < 0 ? status : decoder->best(decoder, in, space, head, move);
}

int ddn_decode_no_sum(const ddn_decoder *decoder, dodona_error *err)
{
    return ddn_fail(err, DODONA_E_ARGUMENT,
                    "'%s' has no marginals: its chart derives a tree in several ways, so that sums "
                    "would be over derivations and not over trees; mst and eisner have them",
                    decoder->name);
}

int ddn_decode_sum(ddn_decoding *d, const ddn_decoder *decoder, const ddn_decode_input *in,
                   double *p, double *total, dodona_error *err)
{
    ddn_space space;
    if (!decoder->sum)
        return ddn_decode_no_sum(decoder, err);
    int status = get_space(d, decoder->name, in->n, decoder->sum_need(in->n), &space, err);
    if (status < 0)
        return status;
    *total = decoder->sum(in, space, p);
    return *total != -INFINITY;
}
