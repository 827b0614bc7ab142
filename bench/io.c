/* SPDX-License-Identifier: MIT */
/* io.c - how fast is CoNLL-U read, and read and written?
 *
 *     build/bench/io FILE [TIMES]
 *
 * The file is repeated TIMES (10) times in memory, so that neither disk nor start-up counts; the
 * best of five runs is shown.  "edited" sets HEAD and DEPREL of every word to what they are, as a
 * parser does, so that every line is joined from its columns. */
#include "io/conll.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef enum task { READ, WRITE, EDIT, TASKS } task;

typedef struct memory {
    const char *data;
    size_t size, at;
} memory;

static ptrdiff_t read_memory(void *ctx, char *buf, size_t size, dodona_error *err)
{
    (void)err;
    memory *m = ctx;
    size_t take = m->size - m->at < size ? m->size - m->at : size;
    memcpy(buf, m->data + m->at, take);
    m->at += take;
    return (ptrdiff_t)take;
}

_Noreturn static void stop(const dodona_error *err)
{
    char text[1024];
    fprintf(stderr, "%s\n", dodona_error_text(err, text, sizeof text));
    exit(1);
}

static void *need(void *p)
{
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}

static char *load(const char *path, size_t times, size_t *size)
{
    dodona_error err;
    ddn_input *in;
    ddn_output all;
    if (ddn_input_open(&in, path, &err))
        stop(&err);
    ddn_output_memory(&all);
    char buf[1 << 16];
    ptrdiff_t got;
    while ((got = ddn_input_read(in, buf, sizeof buf, &err)) > 0)
        ddn_put(&all, buf, (size_t)got);
    if (got < 0)
        stop(&err);
    ddn_input_close(in);
    char *data = need(malloc(all.size * times + 1));
    for (size_t i = 0; i < times; i++)
        memcpy(data + i * all.size, all.data, all.size);
    *size = all.size * times;
    ddn_output_abandon(&all);
    return data;
}

static void edit(ddn_sentence *s, dodona_text **label, size_t *capacity, dodona_error *err)
{
    if ((size_t)s->n >= *capacity) {
        *capacity = (size_t)s->n * 2 + 1;
        *label = need(realloc(*label, *capacity * sizeof **label));
    }
    for (int32_t i = 1; i <= s->n; i++)
        (*label)[i] = ddn_sentence_column(s, i, DDN_DEPREL);
    if (ddn_sentence_set_tree(s, s->head, *label, true, err))
        stop(err);
}

/* Seconds for one pass over the data. */
static double run(task t, const char *data, size_t size, int64_t *words)
{
    dodona_error err;
    memory m = { data, size, 0 };
    ddn_input *in;
    ddn_conll_reader *r = NULL;
    ddn_output o;
    ddn_sentence s;
    dodona_text *label = NULL;
    size_t capacity = 0;
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    if (ddn_input_callback(&in, read_memory, &m, "memory", &err) ||
        ddn_conll_open(&r, in, DODONA_CONLLU, DODONA_CHECK_FORM, false, &err))
        stop(&err);
    ddn_output_memory(&o);
    ddn_sentence_init(&s);
    *words = 0;
    int code;
    while ((code = ddn_conll_next(r, &s, &err)) == 1) {
        *words += s.n;
        if (t == EDIT)
            edit(&s, &label, &capacity, &err);
        if (t != READ)
            ddn_conll_put(&o, &s);
        if (o.size > 1 << 18) /* here a file would be written to */
            o.size = 0;
    }
    if (code < 0 || ddn_output_close(&o, &err))
        stop(&err);
    ddn_conll_close(r);
    ddn_sentence_fini(&s);
    free(label);
    clock_gettime(CLOCK_MONOTONIC, &b);
    return (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
}

int main(int argc, char **argv)
{
    static const char *const name[TASKS] = { "read", "read, write", "read, edit, write" };
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE.conllu [TIMES]\n", argv[0]);
        return 2;
    }
    size_t size;
    char *data = load(argv[1], argc > 2 ? strtoul(argv[2], NULL, 10) : 10, &size);
    printf("%-18s %10s %12s\n", "", "MB/s", "tokens/s");
    for (task t = READ; t < TASKS; t++) {
        double best = 1e9;
        int64_t words = 0;
        for (int i = 0; i < 5; i++) {
            double seconds = run(t, data, size, &words);
            best = seconds < best ? seconds : best;
        }
        printf("%-18s %10.0f %12.0f\n", name[t], (double)size / best / 1e6, (double)words / best);
    }
    free(data);
    return 0;
}
