/* SPDX-License-Identifier: MIT */
/* projectivize.c - how fast are trees made projective, how much of them is kept, and how many ways
 * are there?
 *
 *     build/bench/projectivize $(find TREEBANKS -name "*.conllu" | sort)
 *     build/bench/projectivize --svg figure8.svg grc_proiel/test.conllu de_gsd/test.conllu
 *
 * Files that lie in one folder are one treebank.  All trees are read first; neither reading nor
 * writing is timed.  Three tables:
 *
 *   time      microseconds of processor time a tree, the best of five passes; Nederhof (2019)
 *             reports 342 on average
 *   kept      percent of the words that keep their head (his Table 6): lifted as pseudo-projective
 *             encoding does, and by optimal projectivisation; then, for each scheme, percent of the
 *             words that have their head again when the encoding is undone
 *   choice    the geometric mean of the number of optimal trees against the length of the sentence
 *             (his Figure 8), as a picture too when --svg names a file */
#include "chart/projectivize.h"
#include "core/array.h"
#include "core/intern.h"
#include "io/conll.h"
#include "lib/bench.h"
#include "lib/plot.h"
#include "tree/pseudo.h"
#include "tree/tree.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BIN = 5, BINS = 24, SCHEMES = 3, PASSES = 5, LONGEST_NAME = 64 };

typedef struct tree {
    size_t at; /* of the treebank's head and label; [n+1] from there */
    int32_t n;
    bool projective;
} tree;

typedef struct treebank {
    char name[LONGEST_NAME];
    tree *tree;
    int32_t *head;
    uint32_t *label; /* ids of labels */
    size_t trees, words, tree_cap, head_cap, label_cap, used, crossing;
    int32_t longest;
} treebank;

/* What one needs for any tree. */
typedef struct work {
    ddn_intern labels;
    ddn_projectivizer chart;
    ddn_pseudo pseudo[2]; /* encoding, decoding */
    int32_t *head, *back; /* [longest+1] */
    dodona_text *label, *made, *plain;
} work;

/* ---- Reading ---- */

static void add_tree(treebank *b, work *k, const ddn_sentence *s)
{
    size_t m = (size_t)s->n + 1;
    int32_t *mark = bench_need(malloc(2 * m * sizeof *mark));
    if (!ddn_reserve(&b->tree, &b->tree_cap, b->trees + 1, sizeof *b->tree) ||
        !ddn_reserve(&b->head, &b->head_cap, b->used + m, sizeof *b->head) ||
        !ddn_reserve(&b->label, &b->label_cap, b->used + m, sizeof *b->label))
        bench_need(NULL);
    memcpy(b->head + b->used, s->head, m * sizeof *s->head);
    for (int32_t i = 1; i <= s->n; i++) {
        dodona_text text = ddn_sentence_column(s, i, DDN_DEPREL);
        if (!ddn_intern_add(&k->labels, text.data, text.size, &b->label[b->used + (size_t)i]))
            bench_need(NULL);
    }
    tree t = { b->used, s->n, ddn_tree_is_projective(s->head, s->n, mark) };
    b->tree[b->trees++] = t;
    b->used += m;
    b->words += (size_t)s->n;
    b->crossing += !t.projective;
    b->longest = s->n > b->longest ? s->n : b->longest;
    free(mark);
}

static void read_file(treebank *b, work *k, const char *path)
{
    dodona_error err;
    ddn_input *in;
    ddn_conll_reader *r;
    ddn_sentence s;
    int code;
    if (ddn_input_open(&in, path, &err) ||
        ddn_conll_open(&r, in, DODONA_CONLLU, DODONA_CHECK_TREE, false, &err))
        bench_stop(&err);
    ddn_sentence_init(&s);
    while ((code = ddn_conll_next(r, &s, &err)) == 1)
        if (s.n > 0)
            add_tree(b, k, &s);
    if (code < 0)
        bench_stop(&err);
    ddn_sentence_fini(&s);
    ddn_conll_close(r);
}

/* The name of the folder that a path lies in. */
static void folder_of(const char *path, char *name)
{
    const char *slash = strrchr(path, '/'), *from = slash ? slash : path;
    while (from > path && from[-1] != '/')
        from--;
    snprintf(name, LONGEST_NAME, "%.*s", slash ? (int)(slash - from) : 1, slash ? from : ".");
}

/* ---- Time ---- */

/* Microseconds of a pass over the trees that are, or are not, projective. */
static double pass(const treebank *b, work *k, bool projective)
{
    double start = bench_seconds();
    for (size_t x = 0; x < b->trees; x++) {
        const tree *t = &b->tree[x];
        dodona_error err;
        if (t->projective == projective &&
            ddn_projectivize(&k->chart, b->head + t->at, t->n, false, k->head, &err) < 0)
            bench_stop(&err);
    }
    return 1e6 * (bench_seconds() - start);
}

static double per(double sum, size_t count)
{
    return count ? sum / (double)count : 0;
}

typedef struct times {
    double micros[2]; /* of the non-projective trees, of the projective ones */
    size_t trees, crossing;
} times;

static void put_times(const char *name, const times *t, size_t words)
{
    printf("%-14s %8zu %8zu %7.1f %9.2f %11.2f %11.2f\n", name, t->trees, t->crossing,
           per((double)words, t->trees), per(t->micros[0] + t->micros[1], t->trees),
           per(t->micros[1], t->trees - t->crossing), per(t->micros[0], t->crossing));
}

static void time_table(const treebank *bank, int banks, work *k)
{
    times all = { { 0, 0 }, 0, 0 };
    size_t words = 0;
    printf("time, microseconds a tree\n%-14s %8s %8s %7s %9s %11s %11s\n", "", "trees", "nonproj",
           "words", "all", "projective", "nonproj");
    for (const treebank *b = bank; b < bank + banks; b++) {
        times t = { { INFINITY, INFINITY }, b->trees, b->crossing };
        for (int i = 0; i < PASSES; i++)
            for (int projective = 0; projective < 2; projective++)
                t.micros[projective] = fmin(t.micros[projective], pass(b, k, projective));
        put_times(b->name, &t, b->words);
        for (int i = 0; i < 2; i++)
            all.micros[i] += t.micros[i];
        all.trees += t.trees;
        all.crossing += t.crossing;
        words += b->words;
    }
    put_times("all", &all, words);
}

/* ---- What is kept ---- */

static size_t count_same(const int32_t *a, const int32_t *b, int32_t n)
{
    size_t same = 0;
    for (int32_t i = 1; i <= n; i++)
        same += a[i] == b[i];
    return same;
}

typedef struct kept {
    size_t lifted, optimal, back[SCHEMES], whole[SCHEMES];
} kept;

static void keep_tree(const treebank *b, const tree *t, work *k, kept *sum)
{
    const int32_t *gold = b->head + t->at;
    dodona_error err;
    k->label[0] = (dodona_text){ NULL, 0 };
    for (int32_t i = 1; i <= t->n; i++)
        k->label[i] = ddn_intern_text(&k->labels, b->label[t->at + (size_t)i]);
    if (ddn_projectivize(&k->chart, gold, t->n, false, k->head, &err) < 0)
        bench_stop(&err);
    size_t optimal = count_same(k->head, gold, t->n), lifted = 0;
    for (int s = 0; s < SCHEMES; s++) {
        if (ddn_pseudo_encode(&k->pseudo[0], (ddn_pseudo_scheme)s, gold, k->label, t->n, k->head,
                              k->made, &err) < 0 ||
            ddn_pseudo_decode(&k->pseudo[1], k->head, k->made, t->n, k->back, k->plain, &err) < 0)
            bench_stop(&err);
        size_t back = count_same(k->back, gold, t->n);
        lifted = count_same(k->head, gold, t->n);
        sum->back[s] += back;
        sum->whole[s] += back == (size_t)t->n;
    }
    if (optimal < lifted) {
        fprintf(stderr, "%s: a tree of which pseudo keeps more than optimal\n", b->name);
        exit(1);
    }
    sum->lifted += lifted;
    sum->optimal += optimal;
}

static void kept_table(const treebank *bank, int banks, work *k)
{
    printf("\nkept, percent of the words%14s   heads after undoing%23s\n", "",
           "nonproj trees whole");
    printf("%-14s %9s %9s %9s %9s %9s %9s %9s %9s\n", "", "pseudo", "optimal", "head", "path",
           "head+path", "head", "path", "head+path");
    for (const treebank *b = bank; b < bank + banks; b++) {
        kept sum = { 0 };
        for (size_t x = 0; x < b->trees; x++)
            keep_tree(b, &b->tree[x], k, &sum);
        printf("%-14s %9.3f %9.3f", b->name, 100 * per((double)sum.lifted, b->words),
               100 * per((double)sum.optimal, b->words));
        for (int s = 0; s < SCHEMES; s++)
            printf(" %9.3f", 100 * per((double)sum.back[s], b->words));
        for (int s = 0; s < SCHEMES; s++)
            printf(" %9.2f",
                   100 * per((double)(sum.whole[s] - (b->trees - b->crossing)), b->crossing));
        putchar('\n');
    }
}

/* ---- Choice ---- */

typedef struct choice {
    double sum[BINS]; /* of logarithms, by length */
    size_t trees[BINS];
    double x[BINS], y[BINS];
    int points;
} choice;

static void count_all(const treebank *b, work *k, choice *c)
{
    for (size_t i = 0; i < b->trees; i++) {
        const tree *t = &b->tree[i];
        const ddn_big *count;
        dodona_error err;
        int32_t keeps;
        int bin = (t->n - 1) / BIN < BINS ? (t->n - 1) / BIN : BINS - 1;
        if (ddn_projectivize_count(&k->chart, b->head + t->at, t->n, false, &keeps, &count, &err) <
            0)
            bench_stop(&err);
        c->sum[bin] += ddn_big_log(count);
        c->trees[bin]++;
    }
    for (int bin = 0; bin < BINS - 1; bin++) /* the last has no length of its own */
        if (c->trees[bin] > 0) {
            c->x[c->points] = BIN * bin + (BIN + 1) / 2.0;
            c->y[c->points++] = exp(c->sum[bin] / (double)c->trees[bin]);
        }
}

static bool is_in_figure(const treebank *b)
{
    return strcmp(b->name, "grc_proiel") == 0 || strcmp(b->name, "de_gsd") == 0 ||
           strcmp(b->name, "ja_gsd") == 0;
}

static void choice_table(const treebank *bank, int banks, work *k, const char *svg)
{
    choice *of = bench_need(calloc((size_t)banks, sizeof *of));
    bench_curve curve[3];
    int curves = 0;
    printf("\nchoice, geometric mean of the number of optimal trees (and how many sentences)\n%-9s",
           "length");
    for (int b = 0; b < banks; b++)
        if (is_in_figure(&bank[b]) && curves < 3) {
            count_all(&bank[b], k, &of[curves]);
            curve[curves] =
                (bench_curve){ bank[b].name, of[curves].x, of[curves].y, of[curves].points };
            printf(" %20s", bank[b].name);
            curves++;
        }
    for (int bin = 0; bin < BINS && curves > 0; bin++) {
        printf("\n%4d-", BIN * bin + 1);
        printf(bin < BINS - 1 ? "%-4d" : "    ", BIN * (bin + 1));
        for (int c = 0; c < curves; c++)
            if (of[c].trees[bin])
                printf(" %13.4g (%4zu)", exp(of[c].sum[bin] / (double)of[c].trees[bin]),
                       of[c].trees[bin]);
            else
                printf(" %13s %6s", "-", "");
    }
    printf(curves ? "\n" : " none of grc_proiel, de_gsd, ja_gsd is there\n");
    if (svg && curves)
        bench_plot(svg, "Number of optimal projective trees, geometric mean", "words in sentence",
                   "trees", curve, curves);
    free(of);
}

/* ---- ---- */

static int read_all(char **path, int files, treebank *bank, work *k)
{
    int banks = 0;
    for (int f = 0; f < files; f++) {
        char name[LONGEST_NAME];
        folder_of(path[f], name);
        if (banks == 0 || strcmp(bank[banks - 1].name, name) != 0) {
            bank[banks] = (treebank){ 0 };
            memcpy(bank[banks++].name, name, sizeof name);
        }
        read_file(&bank[banks - 1], k, path[f]);
    }
    return banks;
}

static void work_reserve(work *k, const treebank *bank, int banks)
{
    size_t m = 1;
    for (int b = 0; b < banks; b++)
        m = (size_t)bank[b].longest + 1 > m ? (size_t)bank[b].longest + 1 : m;
    k->head = bench_need(malloc(2 * m * sizeof *k->head));
    k->back = k->head + m;
    k->label = bench_need(malloc(3 * m * sizeof *k->label));
    k->made = k->label + m;
    k->plain = k->made + m;
}

int main(int argc, char **argv)
{
    const char *svg = argc > 2 && strcmp(argv[1], "--svg") == 0 ? argv[2] : NULL;
    int first = svg ? 3 : 1;
    if (argc <= first) {
        fprintf(stderr, "usage: %s [--svg FILE] FILE.conllu...\n", argv[0]);
        return 2;
    }
    work k = { 0 };
    ddn_intern_init(&k.labels);
    ddn_projectivizer_init(&k.chart);
    ddn_pseudo_init(&k.pseudo[0]);
    ddn_pseudo_init(&k.pseudo[1]);
    treebank *bank = bench_need(calloc((size_t)(argc - first), sizeof *bank));
    int banks = read_all(argv + first, argc - first, bank, &k);
    work_reserve(&k, bank, banks);
    time_table(bank, banks, &k);
    kept_table(bank, banks, &k);
    choice_table(bank, banks, &k, svg);
    for (int b = 0; b < banks; b++) {
        free(bank[b].tree);
        free(bank[b].head);
        free(bank[b].label);
    }
    free(bank);
    free(k.head);
    free(k.label);
    ddn_pseudo_fini(&k.pseudo[0]);
    ddn_pseudo_fini(&k.pseudo[1]);
    ddn_projectivizer_fini(&k.chart);
    ddn_intern_fini(&k.labels);
    return 0;
}
