/* SPDX-License-Identifier: MIT */
/* covington_oracle.c - what does a question to the oracles of the Covington systems cost?
 *
 *     build/bench/covington_oracle FOLDER TREEBANK...
 *
 * FOLDER/TREEBANK/{train,dev}.conllu.  A parser of each system is learnt from train and parses dev;
 * then its computations are made again, with and without asking the oracle at each configuration
 * about all legal moves.  The difference, over the configurations, is the time of a question, in
 * nanoseconds of processor time. */
#include "api/api.h"
#include "lib/walk.h"
#include "oracle/oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 20, ORACLES = 4 };

static const struct {
    const char *system, *algorithm;
} oracles[ORACLES] = { { "covington", "exact" },
                       { "covington-nm", "lower" },
                       { "covington-nm", "pc" },
                       { "covington-nm", "upper" } };

typedef struct bench {
    const ddn_system *system;
    const ddn_oracle *oracle;
    ddn_oracle_space *space;
    ddn_gold gold;
    ddn_state state;
    int64_t configurations;
    double seconds, idle;
} bench;

/* The moves of the last walk, once more. */
static void replay(bench *b, const bench_walker *w, bool ask)
{
    dodona_error err;
    ddn_move moves[DDN_MAX_KINDS];
    int32_t cost[DDN_MAX_KINDS];
    if (ddn_state_start(&b->state, b->gold.n, DDN_ROOTS_ONE, &err) < 0)
        bench_stop(&err);
    for (int32_t k = 0; k < w->moves; k++) {
        int32_t m = ddn_system_moves(b->system, &b->state, moves, NULL);
        if (ask)
            b->oracle->costs(b->space, &b->state, moves, m, cost);
        b->system->apply(&b->state, (ddn_move){ .kind = w->kind[k], .pos = -1 }, NULL);
    }
}

static void take_sentence(bench *b, bench_walker *w, const ddn_sentence *s)
{
    dodona_error err;
    bench_walk(w, s, NULL, NULL);
    if (ddn_gold_set(&b->gold, s->head, NULL, s->n, &err) < 0 ||
        ddn_oracle_begin(b->space, &b->gold, &err) < 0)
        bench_stop(&err);
    double start = bench_seconds();
    for (int k = 0; k < TIMES; k++)
        replay(b, w, false);
    double half = bench_seconds();
    for (int k = 0; k < TIMES; k++)
        replay(b, w, true);
    b->idle += half - start;
    b->seconds += bench_seconds() - half;
    b->configurations += (int64_t)w->moves * TIMES;
}

static void take_treebank(bench *b, const char *folder, const char *name)
{
    dodona_error err;
    dodona_reader *r;
    bench_walker w;
    char path[4096];
    int status;
    dodona_sentence *s = bench_need(dodona_sentence_new());
    snprintf(path, sizeof path, "%s/%s/train.conllu", folder, name);
    bench_walker_open(&w, b->system->name, path, 2);
    snprintf(path, sizeof path, "%s/%s/dev.conllu", folder, name);
    if (dodona_reader_open(path, NULL, &r, &err) < 0)
        bench_stop(&err);
    while ((status = dodona_reader_next(r, s, &err)) > 0)
        if (dodona_sentence_length(s) > 0)
            take_sentence(b, &w, &s->s);
    if (status < 0)
        bench_stop(&err);
    dodona_reader_close(r);
    dodona_sentence_free(s);
    bench_walker_close(&w);
}

int main(int argc, char **argv)
{
    dodona_error err;
    if (argc < 3) {
        fprintf(stderr, "usage: %s FOLDER TREEBANK...\n", argv[0]);
        return 2;
    }
    printf("| treebank | system | algorithm | configurations | ns a question |\n"
           "|---|---|---|---|---|\n");
    for (int at = 2; at < argc; at++)
        for (int k = 0; k < ORACLES; k++) {
            bench b = { .system = ddn_system_find(oracles[k].system) };
            ddn_gold_init(&b.gold);
            ddn_state_init(&b.state);
            if (ddn_oracle_find(b.system, oracles[k].algorithm, true, &b.oracle, &err) < 0 ||
                ddn_oracle_open(b.oracle, b.system, (ddn_oracle_options){ 0 }, &b.space, &err) < 0)
                bench_stop(&err);
            take_treebank(&b, argv[1], argv[at]);
            printf("| %s | %s | %s | %lld | %.1f |\n", argv[at], oracles[k].system,
                   oracles[k].algorithm, (long long)b.configurations / TIMES,
                   1e9 * (b.seconds - b.idle) / (double)b.configurations);
            ddn_oracle_close(b.space);
            ddn_gold_fini(&b.gold);
            ddn_state_fini(&b.state);
        }
    return 0;
}
