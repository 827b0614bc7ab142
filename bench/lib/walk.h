/* SPDX-License-Identifier: MIT */
/* walk.h - the configurations that a trained parser comes through. */
#ifndef DDN_BENCH_WALK_H
#define DDN_BENCH_WALK_H

#include "lib/bench.h"
#include "search/candidates.h"

typedef struct bench_walker {
    dodona_model *model;
    ddn_pass *pass;
    ddn_batch batch;
    ddn_candidates candidates;
    ddn_state state;
    uint8_t *kind; /* [moves] the moves of the last walk */
    int32_t moves;
    size_t kind_cap;
} bench_walker;

/* Learns a parser from a file, quickly. */
void bench_walker_open(bench_walker *w, const char *system, const char *path, int iterations);
void bench_walker_close(bench_walker *w);
/* Parses s, which has words.  visit, which may be NULL, sees each configuration but the last. */
void bench_walk(bench_walker *w, const ddn_sentence *s,
                void (*visit)(void *ctx, const ddn_state *state), void *ctx);

#endif
