/* SPDX-License-Identifier: MIT */
/* coverage.c - how many crossing trees does each system of the Attardi family reach (Shi,
 * Gomez-Rodriguez & Lee 2018, Figure 1), beside the classes that people compare with?
 *
 *     build/bench/coverage [--chart] $(find TREEBANKS -name "*.conllu" | sort)
 *
 * Files that lie in one folder are one treebank.  A row a treebank: its trees, those that are not
 * projective, and what percentage of the latter each system or class has.  With --chart, every tree
 * of up to 15 words is also given to the chart of exact search, which must derive it if and only if
 * it is said to be covered. */
#include "eval/coverage.h"
#include "chart/decode.h"
#include "io/conll.h"
#include "lib/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SYSTEMS "attardi:1,attardi,attardi:3,alldeg1,all,alls0s1,s1<s0+s0<s1+s1<b0"

enum { CHARTED = 15, LONGEST_NAME = 64 };

static const char *const chart_systems[] = { "attardi", "alldeg1", "all", "alls0s1" };

typedef struct checker {
    ddn_decoding decoding;
    int64_t compared;
} checker;

static void check(checker *k, const int32_t *head, int32_t n)
{
    double w[(CHARTED + 1) * (CHARTED + 1)];
    int32_t found[CHARTED + 1], scratch[2 * (CHARTED + 1)];
    for (int32_t h = 0; h <= n; h++)
        for (int32_t d = 0; d <= n; d++)
            w[h * (n + 1) + d] = d > 0 && head[d] == h ? 0 : -INFINITY;
    ddn_decode_input in = { n, false, w };
    for (size_t i = 0; i < sizeof chart_systems / sizeof *chart_systems; i++, k->compared++) {
        const ddn_system *system = ddn_system_find(chart_systems[i]);
        ddn_decoder decoder;
        dodona_error err;
        ddn_decoder_of_rules(system->rules, &decoder);
        int derived = ddn_decode_best(&k->decoding, &decoder, &in, found, NULL, &err);
        if (derived < 0)
            bench_stop(&err);
        if (derived != ddn_system_reaches(system, head, n, scratch)) {
            fprintf(stderr, "%s: the chart and the static oracle differ\n", system->name);
            exit(1);
        }
    }
}

static void read_file(const char *path, ddn_coverage *c, checker *k)
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
    while ((code = ddn_conll_next(r, &s, &err)) == 1) {
        if (s.n == 0)
            continue;
        if (ddn_coverage_add(c, s.head, s.n, &err) < 0)
            bench_stop(&err);
        if (k && s.n <= CHARTED)
            check(k, s.head, s.n);
    }
    if (code < 0)
        bench_stop(&err);
    ddn_sentence_fini(&s);
    ddn_conll_close(r);
}

static void folder_of(const char *path, char *name)
{
    const char *slash = strrchr(path, '/'), *from = slash ? slash : path;
    while (from > path && from[-1] != '/')
        from--;
    snprintf(name, LONGEST_NAME, "%.*s", slash ? (int)(slash - from) : 1, slash ? from : ".");
}

static void open_coverage(ddn_coverage *c)
{
    dodona_error err;
    if (ddn_coverage_init(c, SYSTEMS, false, &err) < 0)
        bench_stop(&err);
}

static void put_row(const char *name, const ddn_coverage *c)
{
    int64_t crossing = c->trees - c->projective;
    double of = crossing ? 100.0 / (double)crossing : 0;
    printf("| %s | %lld | %lld |", name, (long long)c->trees, (long long)crossing);
    for (int i = 0; i < c->systems; i++)
        printf(" %.2f |", of * (double)c->system[i].crossing);
    for (int i = 0; i < DDN_COVERAGE_CLASSES; i++)
        printf(" %.2f |", of * (double)c->class[i].crossing);
    putchar('\n');
}

static void put_title(const ddn_coverage *c)
{
    printf("| | trees | crossing |");
    for (int i = 0; i < c->systems; i++)
        printf(" %s |", c->system[i].name);
    for (int i = 0; i < DDN_COVERAGE_CLASSES; i++)
        printf(" %s |", c->class[i].name);
    printf("\n|---|---|---|");
    for (int i = 0; i < c->systems + DDN_COVERAGE_CLASSES; i++)
        printf("---|");
    putchar('\n');
}

static void sum_up(ddn_coverage *all, const ddn_coverage *c)
{
    all->trees += c->trees;
    all->projective += c->projective;
    for (int i = 0; i < c->systems; i++)
        all->system[i].crossing += c->system[i].crossing;
    for (int i = 0; i < DDN_COVERAGE_CLASSES; i++)
        all->class[i].crossing += c->class[i].crossing;
}

int main(int argc, char **argv)
{
    bool chart = argc > 1 && strcmp(argv[1], "--chart") == 0;
    ddn_coverage all, one;
    checker k = { .compared = 0 };
    char name[LONGEST_NAME] = "", next[LONGEST_NAME];
    ddn_decoding_init(&k.decoding, DDN_DECODE_MEMORY);
    open_coverage(&all);
    open_coverage(&one);
    put_title(&all);
    for (int i = chart ? 2 : 1; i < argc; i++) {
        folder_of(argv[i], next);
        if (name[0] && strcmp(name, next) != 0) {
            put_row(name, &one);
            sum_up(&all, &one);
            ddn_coverage_fini(&one);
            open_coverage(&one);
        }
        strcpy(name, next);
        read_file(argv[i], &one, chart ? &k : NULL);
    }
    put_row(name, &one);
    sum_up(&all, &one);
    put_row("all", &all);
    if (chart)
        printf("\n%lld answers of the static oracle agree with the chart\n", (long long)k.compared);
    ddn_coverage_fini(&one);
    ddn_coverage_fini(&all);
    ddn_decoding_fini(&k.decoding);
    return 0;
}
