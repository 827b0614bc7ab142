/* SPDX-License-Identifier: MIT */
/* io.c - how fast is CoNLL-U read, and read and written?
 *
 *     build/bench/io FILE [TIMES]
 *
 * The file is repeated TIMES (10) times in memory, so that neither disk nor start-up counts; the
 * best of five runs is shown.  "edited" sets HEAD and DEPREL of every word to what they are, as a
 * parser does, so that every line is joined from its columns. */
#include "io/conll.h"
#include "lib/bench.h"
#include <stdio.h>
#include <stdlib.h>

typedef enum task { READ, WRITE, EDIT, TASKS } task;

static void edit(ddn_sentence *s, dodona_text **label, size_t *capacity, dodona_error *err)
{
    if ((size_t)s->n >= *capacity) {
        *capacity = (size_t)s->n * 2 + 1;
        *label = bench_need(realloc(*label, *capacity * sizeof **label));
    }
    for (int32_t i = 1; i <= s->n; i++)
        (*label)[i] = ddn_sentence_column(s, i, DDN_DEPREL);
    if (ddn_sentence_set_tree(s, s->head, *label, true, err))
        bench_stop(err);
}

/* Seconds for one pass over the data. */
static double run(task t, bench_memory m, int64_t *words)
{
    dodona_error err;
    ddn_input *in;
    ddn_conll_reader *r = NULL;
    ddn_output o;
    ddn_sentence s;
    dodona_text *label = NULL;
    size_t capacity = 0;
    double start = bench_seconds();
    if (ddn_input_callback(&in, bench_read, &m, "memory", &err) ||
        ddn_conll_open(&r, in, DODONA_CONLLU, DODONA_CHECK_FORM, false, &err))
        bench_stop(&err);
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
        bench_stop(&err);
    ddn_conll_close(r);
    ddn_sentence_fini(&s);
    free(label);
    return bench_seconds() - start;
}

int main(int argc, char **argv)
{
    static const char *const name[TASKS] = { "read", "read, write", "read, edit, write" };
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE.conllu [TIMES]\n", argv[0]);
        return 2;
    }
    bench_memory m = bench_load(argv[1], argc > 2 ? strtoul(argv[2], NULL, 10) : 10);
    printf("%-18s %10s %12s\n", "", "MB/s", "tokens/s");
    for (task t = READ; t < TASKS; t++) {
        double best = 1e9;
        int64_t words = 0;
        for (int i = 0; i < 5; i++) {
            double seconds = run(t, m, &words);
            best = seconds < best ? seconds : best;
        }
        printf("%-18s %10.0f %12.0f\n", name[t], (double)m.size / best / 1e6, (double)words / best);
    }
    free((void *)(uintptr_t)m.data);
    return 0;
}
