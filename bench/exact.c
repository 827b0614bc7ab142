/* SPDX-License-Identifier: MIT */
/* exact.c - how fast is exact search over scores of arcs, and of moves?
 *
 *     build/bench/exact [DECODER[+moves] [WORDS...]]
 *
 * Random scores, in memory, many roots; +moves: with scores of moves beside those of arcs, all of
 * them whole numbers.  Without arguments, a table: for alls0s1 and all, processor
 * time and memory of a sentence by its length, and the growth between lengths as an exponent; for
 * the decoders of O(n^3) and less, sentences of 25 words a second.  Times are the least of several
 * runs, since other programs may use the machine. */
#include "chart/decode.h"
#include "core/rng.h"
#include "lib/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 5, MAX_WORDS = 1000, SHORT = 25, SENTENCES = 2000 };

static const double LEAST = 0.02; /* seconds that a run takes at least */

typedef struct scores {
    int32_t n;
    double *w;
    int32_t *head;
} scores;

static void scores_make(scores *s, int32_t n, uint64_t seed)
{
    size_t m = (size_t)n + 1;
    ddn_rng rng;
    ddn_rng_init(&rng, seed);
    s->n = n;
    s->w = bench_need(malloc(m * m * sizeof *s->w));
    s->head = bench_need(malloc(m * sizeof *s->head));
    for (size_t x = 0; x < m * m; x++)
        s->w[x] = (double)ddn_rng_below(&rng, 1 << 20);
}

/* One table for every pair of every rule. */
static double *moves_make(ddn_decode_moves *m, int32_t n)
{
    size_t stride = (size_t)n + 3, cells = stride * stride,
           tables = (DDN_ATTARDI_RULES + 1) * DDN_PAIRS;
    double *table = bench_need(malloc(tables * cells * sizeof *table)), *at = table;
    ddn_rng rng;
    ddn_rng_init(&rng, (uint64_t)n);
    for (size_t x = 0; x < tables * cells; x++)
        table[x] = (double)ddn_rng_below(&rng, 1 << 20);
    m->stride = stride;
    for (int p = 0; p < DDN_PAIRS; p++, at += cells)
        m->shift[p] = at;
    for (int r = 0; r < DDN_ATTARDI_RULES; r++)
        for (int p = 0; p < DDN_PAIRS; p++, at += cells)
            m->rule[r][p] = at;
    return table;
}

static void scores_free(scores *s)
{
    free(s->w);
    free(s->head);
}

static void decode(ddn_decoding *d, const ddn_decoder *decoder, const scores *s)
{
    dodona_error err;
    ddn_decode_input in = { .n = s->n, .w = s->w };
    if (ddn_decode_best(d, decoder, &in, s->head, NULL, &err) < 0)
        bench_stop(&err);
}

/* Seconds of processor time a sentence, the least of several runs. */
static double measure(ddn_decoder *decoder, bool moves, int32_t n)
{
    ddn_decode_moves earned;
    double *table = moves ? moves_make(&earned, n) : NULL;
    double least = INFINITY;
    ddn_decoding d;
    scores s;
    scores_make(&s, n, (uint64_t)n);
    decoder->moves = moves ? &earned : NULL;
    ddn_decoding_init(&d, INFINITY);
    decode(&d, decoder, &s);
    for (int run = 0; run < RUNS; run++) {
        int times = 0;
        double start = bench_seconds(), took;
        do {
            decode(&d, decoder, &s);
            times++;
            took = bench_seconds() - start;
        } while (took < LEAST);
        least = fmin(least, took / times);
    }
    decoder->moves = NULL;
    ddn_decoding_fini(&d);
    scores_free(&s);
    free(table);
    return least;
}

static ddn_decoder find(const char *name)
{
    dodona_error err;
    ddn_decoder decoder;
    if (ddn_decoder_find(name, &decoder, &err) < 0)
        bench_stop(&err);
    return decoder;
}

static double print_line(ddn_decoder *decoder, bool moves, int32_t n)
{
    double seconds = measure(decoder, moves, n);
    printf("%-10s%s %5d words %12.3f ms %10.1f MB\n", decoder->name, moves ? "+moves" : "", (int)n,
           1e3 * seconds, decoder->need(decoder, n) / 1e6);
    fflush(stdout);
    return seconds;
}

static void print_growth(const char *name, bool moves, const int32_t *words, int lengths,
                         int32_t from)
{
    ddn_decoder decoder = find(name);
    double first = 0, last = 0;
    for (int i = 0; i < lengths; i++) {
        last = print_line(&decoder, moves, words[i]);
        first = words[i] == from ? last : first;
    }
    printf("%-10s grows from %d to %d words with the exponent %.2f\n", name, (int)from,
           (int)words[lengths - 1],
           log(last / first) / log((double)words[lengths - 1] / (double)from));
}

/* Many different sentences, so that branches are not learnt by heart. */
static void print_rate(const char *name)
{
    ddn_decoder decoder = find(name);
    static scores s[SENTENCES];
    double least = INFINITY;
    ddn_decoding d;
    ddn_decoding_init(&d, INFINITY);
    for (int i = 0; i < SENTENCES; i++)
        scores_make(&s[i], SHORT, (uint64_t)i);
    for (int run = 0; run < RUNS; run++) {
        double start = bench_seconds();
        for (int i = 0; i < SENTENCES; i++)
            decode(&d, &decoder, &s[i]);
        least = fmin(least, bench_seconds() - start);
    }
    printf("%-10s %5d words %12.0f sentences a second\n", name, SHORT, SENTENCES / least);
    for (int i = 0; i < SENTENCES; i++)
        scores_free(&s[i]);
    ddn_decoding_fini(&d);
}

int main(int argc, char **argv)
{
    static const int32_t four[] = { 20, 40, 60, 80, 100 }, five[] = { 20, 30, 40, 50, 60 };
    if (argc > 1) {
        char *plus = strchr(argv[1], '+');
        bool moves = plus && strcmp(plus, "+moves") == 0;
        if (moves)
            *plus = '\0';
        ddn_decoder decoder = find(argv[1]);
        for (int i = 2; i < argc; i++)
            print_line(&decoder, moves, atoi(argv[i]) > 0 ? atoi(argv[i]) : 1);
        return 0;
    }
    print_growth("alls0s1", false, four, 5, 40);
    print_growth("alls0s1", true, four, 5, 40);
    print_growth("all", false, five, 5, 30);
    print_growth("all", true, five, 5, 30);
    print_rate("mst");
    print_rate("eisner");
    print_rate("arc-hybrid");
    return 0;
}
