/* SPDX-License-Identifier: MIT */
#include "lib/bench.h"

#include "core/input.h"
#include "core/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

void bench_stop(const dodona_error *err)
{
    char text[1024];
    fprintf(stderr, "%s\n", dodona_error_text(err, text, sizeof text));
    exit(1);
}

void *bench_need(void *p)
{
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}

bench_memory bench_load(const char *path, size_t times)
{
    dodona_error err;
    ddn_input *in;
    ddn_output all;
    if (ddn_input_open(&in, path, &err))
        bench_stop(&err);
    ddn_output_memory(&all);
    char buf[1 << 16];
    ptrdiff_t got;
    while ((got = ddn_input_read(in, buf, sizeof buf, &err)) > 0)
        ddn_put(&all, buf, (size_t)got);
    if (got < 0)
        bench_stop(&err);
    ddn_input_close(in);
    char *data = bench_need(malloc(all.size * times + 1));
    for (size_t i = 0; i < times; i++)
        memcpy(data + i * all.size, all.data, all.size);
    bench_memory m = { data, all.size * times, 0 };
    ddn_output_abandon(&all);
    return m;
}

ptrdiff_t bench_read(void *memory, char *buf, size_t size, dodona_error *err)
{
    (void)err;
    bench_memory *m = memory;
    size_t take = m->size - m->at < size ? m->size - m->at : size;
    memcpy(buf, m->data + m->at, take);
    m->at += take;
    return (ptrdiff_t)take;
}

double bench_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_resident_mb(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%*d %ld", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6;
}
