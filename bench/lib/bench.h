/* SPDX-License-Identifier: MIT */
/* bench.h - what the programs of bench/ share: data in memory, time of this process, giving up. */
#ifndef DDN_BENCH_BENCH_H
#define DDN_BENCH_BENCH_H

#include "dodona.h"

/* Bytes to read again and again. */
typedef struct bench_memory {
    const char *data;
    size_t size, at;
} bench_memory;

/* A file, times times over. */
bench_memory bench_load(const char *path, size_t times);
/* A dodona_read over a bench_memory. */
ptrdiff_t bench_read(void *memory, char *buf, size_t size, dodona_error *err);

/* Seconds of processor time that this process has used: what other programs do counts less. */
double bench_seconds(void);
/* Seconds on the wall; reading this clock is cheap. */
double bench_clock(void);
/* What this process holds in memory now, in megabytes. */
double bench_resident_mb(void);

_Noreturn void bench_stop(const dodona_error *err);
void *bench_need(void *p);

#endif
