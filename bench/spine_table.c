/* SPDX-License-Identifier: MIT */
/* spine_table.c - how large does the table of the LR-spine oracle become? (Goldberg, Sartorio and
 * Satta 2014, Figure 3 and section 5.3)
 *
 *     build/bench/spine_table [--figure3 SVG] FOLDER TREEBANK...
 *
 * FOLDER/TREEBANK/{train,dev,test}.conllu.  A parser is learnt from train, and walks through all
 * three files.  In each configuration that it comes through, the table of the dynamic oracle is
 * filled for the gold tree, made projective.  First, by the length of the sentence: trees in a
 * table, mean and most, and configurations that were beyond the oracle's limits.  Second, by
 * i + j - 1: the most trees in a cell T[i,j].  Last, the mean of (lL + lR) / n over configurations,
 * for arc-standard and LR-spine, beside the 0.29 of the paper; lL is the stack with the root, lR
 * the right stack. */
#include "api/api.h"
#include "chart/projectivize.h"
#include "lib/plot.h"
#include "lib/walk.h"
#include "oracle/spine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 10, BUCKETS = 10, DIAGONALS = 2 * DDN_SPINE_ELEMENTS };

typedef struct lengths {
    int64_t configurations, beyond, trees, most;
} lengths;

typedef struct bench {
    bool spine; /* LR-spine: measure tables, too */
    ddn_oracle_space *space;
    ddn_gold gold;
    bool *held;                 /* [n + 1] has a gold child on the stack or on the right stack */
    lengths by_length[BUCKETS]; /* the last: all that are longer */
    int32_t widest[DIAGONALS];
    int64_t configurations;
    double share; /* the sum of (lL + lR) / n */
} bench;

static int32_t right_stack(bench *b, const ddn_state *s)
{
    const int32_t *head = b->gold.head;
    int32_t count = 0;
    memset(b->held, 0, ((size_t)s->n + 1) * sizeof *b->held);
    for (int32_t i = 1; i < s->depth; i++)
        b->held[head[s->stack[i]]] = true;
    for (int32_t x = s->next; x <= s->n; x++)
        if (head[x] < s->next || b->held[x]) {
            b->held[head[x]] = true;
            count++;
        }
    return count;
}

static void measure_table(bench *b, const ddn_state *s)
{
    ddn_spine_size size;
    int at = (s->n - 1) / WIDTH;
    lengths *l = &b->by_length[at < BUCKETS ? at : BUCKETS - 1];
    if (!ddn_spine_measure(b->space, s, &size)) {
        l->beyond++;
        return;
    }
    l->configurations++;
    l->trees += size.trees;
    l->most = size.trees > l->most ? size.trees : l->most;
    for (int i = 0; i < DIAGONALS; i++)
        b->widest[i] = size.widest[i] > b->widest[i] ? size.widest[i] : b->widest[i];
}

static void visit(void *ctx, const ddn_state *s)
{
    bench *b = ctx;
    b->configurations++;
    b->share += (double)(s->depth + right_stack(b, s)) / (double)s->n;
    if (b->spine)
        measure_table(b, s);
}

/* ---- Files ---- */

static void take_sentence(bench *b, bench_walker *w, ddn_projectivizer *p, const ddn_sentence *s)
{
    dodona_error err;
    int32_t *head = bench_need(malloc(((size_t)s->n + 1) * sizeof *head));
    if (ddn_projectivize(p, s->head, s->n, true, head, &err) < 0 ||
        ddn_gold_set(&b->gold, head, NULL, s->n, &err) < 0 ||
        (b->spine && ddn_oracle_begin(b->space, &b->gold, &err) < 0))
        bench_stop(&err);
    free(b->held);
    b->held = bench_need(malloc(((size_t)s->n + 1) * sizeof *b->held));
    bench_walk(w, s, visit, b);
    free(head);
}

static void take_file(bench *b, bench_walker *w, ddn_projectivizer *p, const char *path)
{
    dodona_error err;
    dodona_reader *r;
    dodona_sentence *s = bench_need(dodona_sentence_new());
    int status;
    if (dodona_reader_open(path, NULL, &r, &err) < 0)
        bench_stop(&err);
    while ((status = dodona_reader_next(r, s, &err)) > 0)
        if (dodona_sentence_length(s) > 0)
            take_sentence(b, w, p, &s->s);
    if (status < 0)
        bench_stop(&err);
    dodona_reader_close(r);
    dodona_sentence_free(s);
}

static void take_treebank(bench *b, const char *folder, const char *name)
{
    static const char *const parts[] = { "train", "dev", "test" };
    bench_walker w;
    ddn_projectivizer p;
    char path[4096];
    ddn_projectivizer_init(&p);
    snprintf(path, sizeof path, "%s/%s/train.conllu", folder, name);
    bench_walker_open(&w, b->spine ? "lr-spine" : "arc-standard", path, 2);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s/%s.conllu", folder, name, parts[i]);
        take_file(b, &w, &p, path);
    }
    bench_walker_close(&w);
    ddn_projectivizer_fini(&p);
}

/* ---- What came out ---- */

static void print_lengths(const bench *b)
{
    printf("%-8s %14s %10s %10s %8s\n", "words", "configurations", "trees", "most", "beyond");
    for (int i = 0; i < BUCKETS; i++) {
        const lengths *l = &b->by_length[i];
        char name[32];
        snprintf(name, sizeof name, i + 1 < BUCKETS ? "%d-%d" : "%d-", i * WIDTH + 1,
                 (i + 1) * WIDTH);
        if (l->configurations)
            printf("%-8s %14lld %10.1f %10lld %8lld\n", name, (long long)l->configurations,
                   (double)l->trees / (double)l->configurations, (long long)l->most,
                   (long long)l->beyond);
    }
}

static void print_widest(const bench *b, const char *figure)
{
    double x[DIAGONALS], y[DIAGONALS];
    bench_curve curve = { "most trees in T[i,j]", x, y, 0 };
    printf("\n%-8s %10s\n", "i+j-1", "most");
    for (int i = 1; i < DIAGONALS && b->widest[i]; i++) {
        x[curve.points] = i;
        y[curve.points++] = b->widest[i];
        printf("%-8d %10d\n", i, (int)b->widest[i]);
    }
    if (figure)
        bench_plot(figure, "Trees in a cell of the table", "i + j - 1", "trees", &curve, 1);
}

int main(int argc, char **argv)
{
    dodona_error err;
    bench b[2] = { { .spine = false }, { .spine = true } };
    int at = argc > 2 && strcmp(argv[1], "--figure3") == 0 ? 3 : 1;
    if (argc < at + 2) {
        fprintf(stderr, "usage: %s [--figure3 SVG] FOLDER TREEBANK...\n", argv[0]);
        return 2;
    }
    if (ddn_oracle_open(&ddn_oracle_spine, ddn_system_find("lr-spine"), (ddn_oracle_options){ 0 },
                        &b[1].space, &err) < 0)
        bench_stop(&err);
    for (int k = 0; k < 2; k++) {
        ddn_gold_init(&b[k].gold);
        for (int i = at + 1; i < argc; i++)
            take_treebank(&b[k], argv[at], argv[i]);
    }
    print_lengths(&b[1]);
    print_widest(&b[1], at == 3 ? argv[2] : NULL);
    printf("\nmean of (lL + lR) / n: arc-standard %.3f, lr-spine %.3f (the paper: 0.29)\n",
           b[0].share / (double)b[0].configurations, b[1].share / (double)b[1].configurations);
    ddn_oracle_close(b[1].space);
    for (int k = 0; k < 2; k++) {
        ddn_gold_fini(&b[k].gold);
        free(b[k].held);
    }
    return 0;
}
