/* SPDX-License-Identifier: MIT */
/* optimal_step.c - how long does the optimal step of arc-standard take? (Nederhof 2019, Figures 9,
 * 10)
 *
 *     build/bench/optimal_step [--strategy S] [--figure9 SVG] [--figure10 SVG] FOLDER [TREEBANK...]
 *     build/bench/optimal_step --check [--sentences N] FOLDER [TREEBANK...]
 *
 * FOLDER/TREEBANK/{train,dev,test}.conllu; all that are there when none is named.  A parser is
 * learnt from train, or dev where there is no train, and walks through the projective trees of all
 * three files.  Wherever it has a choice, every algorithm is asked for the costs of all legal
 * moves.
 *
 * Times are those of the question alone, less what reading the clock takes, the least of three
 * walks, plus an equal share of what it took to begin with the gold tree.  The means are over all
 * steps with about as many elements on the stack and in the buffer, k + m; for the cubic ones, over
 * the first few thousand of them.  k + m' counts critical words only.
 *
 * --check compares the algorithms with each other instead, for every strategy, on N sentences a
 * file or on all of them. */
#include "api/api.h"
#include "chart/projectivize.h"
#include "lib/plot.h"
#include "lib/walk.h"
#include "oracle/standard.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern const ddn_oracle ddn_oracle_cubic, ddn_oracle_quadratic, ddn_oracle_linear,
    ddn_oracle_incremental;

enum { CUBIC_FULL, CUBIC, QUADRATIC, LINEAR, INCREMENTAL, CURVES };

static const ddn_oracle *const oracles[CURVES] = { &ddn_oracle_cubic_full, &ddn_oracle_cubic,
                                                   &ddn_oracle_quadratic, &ddn_oracle_linear,
                                                   &ddn_oracle_incremental };

enum {
    KINDS = 3,
    WIDTH = 10,
    BUCKETS = 16,
    WALKS = 3,
    ENOUGH = 3000,
    FEWEST = 100,
    STRATEGIES = 4
};

static const char *const strategies[STRATEGIES] = { "free", "lbr", "strict-lbr", "rbl" };

typedef struct bench {
    bool check;
    int64_t sentences; /* a file; 0: all */
    ddn_strategy strategy;
    const char *figure9, *figure10; /* files */
    bench_walker walker;
    ddn_state state;
    ddn_projectivizer projectivizer;
    int32_t *head; /* [n + 1] projective */
    ddn_gold gold;
    ddn_oracle_space *space[STRATEGIES][CURVES]; /* for timing, only those of one strategy */
    double *time;                                /* [moves] */
    double clock_cost;
    /* By (k + m + WIDTH / 2) / WIDTH. */
    double total[CURVES][BUCKETS], critical[BUCKETS];
    int64_t steps[CURVES][BUCKETS];
    int64_t trees, crossing, compared;
} bench;

static int32_t bucket_of(const ddn_state *s)
{
    int32_t length = s->depth - 1 + s->n + 1 - s->next, b = (length + WIDTH / 2) / WIDTH;
    return b < BUCKETS ? b : -1;
}

static int32_t legal_moves(const ddn_state *s, ddn_move *moves)
{
    int32_t scratch[1];
    return ddn_system_moves(ddn_systems[0], s, moves, scratch);
}

/* ---- Comparing ---- */

static void compare_at(bench *b, const ddn_move *moves, int32_t m)
{
    for (int strategy = 0; strategy < STRATEGIES; strategy++) {
        int32_t first[KINDS], other[KINDS];
        for (int i = 0; i < CURVES; i++) {
            oracles[i]->costs(b->space[strategy][i], &b->state, moves, m, i == 0 ? first : other);
            if (i > 0 && memcmp(first, other, (size_t)m * sizeof *first) != 0) {
                fprintf(stderr, "%s and %s differ with strategy %s, tree %lld\n", oracles[0]->name,
                        oracles[i]->name, strategies[strategy], (long long)b->trees);
                exit(1);
            }
        }
        b->compared += m;
    }
}

static void compare(bench *b)
{
    for (int strategy = 0; strategy < STRATEGIES; strategy++)
        for (int i = 0; i < CURVES; i++)
            if (ddn_oracle_begin(b->space[strategy][i], &b->gold, NULL) < 0)
                exit(1);
    ddn_state_start(&b->state, b->gold.n, DDN_ROOTS_ONE, NULL);
    for (int32_t at = 0; at < b->walker.moves; at++) {
        ddn_move moves[KINDS];
        int32_t m = legal_moves(&b->state, moves);
        if (m > 1)
            compare_at(b, moves, m);
        ddn_systems[0]->apply(&b->state, (ddn_move){ .kind = b->walker.kind[at] }, NULL);
    }
}

/* ---- Timing ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

/* Microseconds between two readings of the clock. */
static double clock_cost(void)
{
    double best = 1e9;
    for (int run = 0; run < 1000; run++) {
        double start = now(), end = start;
        for (int i = 0; i < 100; i++)
            end = now();
        best = (end - start) / 100 < best ? (end - start) / 100 : best;
    }
    return best;
}

/* Walks once; what a step takes goes to time, if it is less than what is there. */
static void walk_once(bench *b, int curve)
{
    ddn_oracle_space *space = b->space[b->strategy][curve];
    double start = now();
    if (ddn_oracle_begin(space, &b->gold, NULL) < 0)
        exit(1);
    double share = (now() - start - b->clock_cost) / (double)b->walker.moves;
    ddn_state_start(&b->state, b->gold.n, DDN_ROOTS_ONE, NULL);
    for (int32_t at = 0; at < b->walker.moves; at++) {
        ddn_move moves[KINDS];
        int32_t cost[KINDS], m = legal_moves(&b->state, moves), bucket = bucket_of(&b->state);
        bool ask = m > 1 && bucket >= 0 && (curve > CUBIC || b->steps[curve][bucket] < ENOUGH);
        if (ask) {
            start = now();
            oracles[curve]->costs(space, &b->state, moves, m, cost);
            double took = now() - start - b->clock_cost + share;
            b->time[at] = took < b->time[at] ? took : b->time[at];
        }
        ddn_systems[0]->apply(&b->state, (ddn_move){ .kind = b->walker.kind[at] }, NULL);
    }
}

static void measure(bench *b, int curve)
{
    for (int32_t at = 0; at < b->walker.moves; at++)
        b->time[at] = 1e9;
    for (int i = 0; i < WALKS; i++)
        walk_once(b, curve);
    ddn_state_start(&b->state, b->gold.n, DDN_ROOTS_ONE, NULL);
    for (int32_t at = 0; at < b->walker.moves; at++) {
        int32_t bucket = bucket_of(&b->state);
        if (b->time[at] < 1e9) {
            b->total[curve][bucket] += b->time[at];
            b->steps[curve][bucket]++;
        }
        ddn_systems[0]->apply(&b->state, (ddn_move){ .kind = b->walker.kind[at] }, NULL);
    }
}

static void count_critical(bench *b)
{
    bool *mark = bench_need(calloc((size_t)b->gold.n + 2, sizeof *mark));
    int32_t *words = bench_need(malloc(((size_t)b->gold.n + 2) * sizeof *words));
    ddn_state_start(&b->state, b->gold.n, DDN_ROOTS_ONE, NULL);
    for (int32_t at = 0; at < b->walker.moves; at++) {
        ddn_move moves[KINDS];
        int32_t bucket = bucket_of(&b->state);
        if (bucket >= 0 && legal_moves(&b->state, moves) > 1)
            b->critical[bucket] +=
                b->state.depth - 1 + ddn_standard_critical(&b->gold, b->state.next, mark, words);
        ddn_systems[0]->apply(&b->state, (ddn_move){ .kind = b->walker.kind[at] }, NULL);
    }
    free(mark);
    free(words);
}

/* ---- Files ---- */

static void take_sentence(bench *b, const ddn_sentence *s)
{
    dodona_error err;
    b->head = bench_need(realloc(b->head, ((size_t)s->n + 1) * sizeof *b->head));
    int32_t moved = ddn_projectivize(&b->projectivizer, s->head, s->n, true, b->head, &err);
    if (moved < 0 || ddn_gold_set(&b->gold, b->head, NULL, s->n, &err) < 0)
        bench_stop(&err);
    b->trees++;
    b->crossing += moved > 0;
    bench_walk(&b->walker, s, NULL, NULL);
    if (b->check) {
        compare(b);
        return;
    }
    b->time = bench_need(realloc(b->time, (size_t)b->walker.moves * sizeof *b->time));
    for (int i = 0; i < CURVES; i++)
        measure(b, i);
    count_critical(b);
}

static void take_file(bench *b, const char *path)
{
    dodona_error err;
    dodona_reader *r;
    dodona_sentence *s = bench_need(dodona_sentence_new());
    if (dodona_reader_open(path, NULL, &r, &err) < 0)
        bench_stop(&err);
    int status;
    int64_t left = b->sentences;
    while ((status = dodona_reader_next(r, s, &err)) > 0 && (b->sentences == 0 || left-- > 0))
        if (dodona_sentence_length(s) > 0)
            take_sentence(b, &s->s);
    if (status < 0)
        bench_stop(&err);
    dodona_reader_close(r);
    dodona_sentence_free(s);
}

static void take_treebank(bench *b, const char *folder, const char *name)
{
    static const char *const parts[] = { "train", "dev", "test" };
    char path[3][4096];
    bool there[3];
    for (int i = 0; i < 3; i++) {
        snprintf(path[i], sizeof path[i], "%s/%s/%s.conllu", folder, name, parts[i]);
        there[i] = access(path[i], R_OK) == 0;
    }
    if (!there[0] && !there[1])
        return;
    int64_t trees = b->trees, crossing = b->crossing, compared = b->compared;
    bench_walker_open(&b->walker, "arc-standard", path[there[0] ? 0 : 1], b->sentences ? 1 : 2);
    for (int i = 0; i < 3; i++)
        if (there[i])
            take_file(b, path[i]);
    bench_walker_close(&b->walker);
    fprintf(stderr, "%-13s %7lld trees, %6lld of them made projective", name,
            (long long)(b->trees - trees), (long long)(b->crossing - crossing));
    if (b->check)
        fprintf(stderr, ", %10lld costs agree", (long long)(b->compared - compared));
    fprintf(stderr, "\n");
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void take_all(bench *b, const char *folder)
{
    char *name[256];
    int names = 0;
    DIR *dir = opendir(folder);
    if (!dir) {
        perror(folder);
        exit(1);
    }
    for (struct dirent *e; (e = readdir(dir)) && names < 256;)
        if (e->d_name[0] != '.')
            name[names++] = bench_need(strdup(e->d_name));
    closedir(dir);
    qsort(name, (size_t)names, sizeof *name, by_name);
    for (int i = 0; i < names; i++) {
        take_treebank(b, folder, name[i]);
        free(name[i]);
    }
}

/* ---- What came out ---- */

static double mean(const bench *b, int curve, int bucket)
{
    return b->total[curve][bucket] / (double)b->steps[curve][bucket];
}

static void print_table(const bench *b)
{
    printf("microseconds a step, strategy %s\n%6s", strategies[b->strategy], "k+m");
    for (int i = 0; i < CURVES; i++)
        printf(" %11s", oracles[i]->name);
    printf(" %10s %8s\n", "steps", "k+m'");
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
        int64_t steps = b->steps[LINEAR][bucket];
        if (steps < FEWEST)
            continue;
        printf("%6d", bucket * WIDTH);
        for (int i = 0; i < CURVES; i++)
            printf(" %11.3f", mean(b, i, bucket));
        printf(" %10lld %8.1f\n", (long long)steps, b->critical[bucket] / (double)steps);
    }
}

/* Figure 9: the times; Figure 10: what is critical. */
static void draw(const bench *b)
{
    double x[BUCKETS], y[CURVES + 1][BUCKETS];
    bench_curve curve[CURVES + 1] = { { .name = "k + m'" } };
    int points = 0;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
        int64_t steps = b->steps[LINEAR][bucket];
        if (steps < FEWEST)
            continue;
        x[points] = bucket * WIDTH;
        y[0][points] = b->critical[bucket] / (double)steps;
        for (int i = 0; i < CURVES; i++)
            y[i + 1][points] = mean(b, i, bucket);
        points++;
    }
    for (int i = 0; i <= CURVES; i++) {
        curve[i].name = i ? oracles[i - 1]->name : curve[0].name;
        curve[i].x = x;
        curve[i].y = y[i];
        curve[i].points = points;
    }
    if (b->figure9)
        bench_plot(b->figure9, "Time for the optimal step", "k + m", "microseconds", curve + 1,
                   CURVES);
    if (b->figure10)
        bench_plot(b->figure10, "Stack and critical words", "k + m", "k + m'", curve, 1);
}

static void open_oracles(bench *b)
{
    dodona_error err;
    for (int strategy = 0; strategy < STRATEGIES; strategy++)
        for (int i = 0; i < CURVES; i++) {
            ddn_oracle_options o = { .strategy = (ddn_strategy)strategy };
            if (ddn_oracle_open(oracles[i], ddn_systems[0], o, &b->space[strategy][i], &err) < 0)
                bench_stop(&err);
        }
}

static void close_oracles(bench *b)
{
    for (int strategy = 0; strategy < STRATEGIES; strategy++)
        for (int i = 0; i < CURVES; i++)
            ddn_oracle_close(b->space[strategy][i]);
    ddn_state_fini(&b->state);
    ddn_gold_fini(&b->gold);
    ddn_projectivizer_fini(&b->projectivizer);
    free(b->head);
    free(b->time);
}

static int read_options(bench *b, int argc, char **argv)
{
    int at = 1;
    for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
        bool more = at + 1 < argc;
        if (strcmp(argv[at], "--check") == 0) {
            b->check = true;
        } else if (more && strcmp(argv[at], "--sentences") == 0) {
            b->sentences = atoll(argv[++at]);
        } else if (more && strcmp(argv[at], "--figure9") == 0) {
            b->figure9 = argv[++at];
        } else if (more && strcmp(argv[at], "--figure10") == 0) {
            b->figure10 = argv[++at];
        } else if (more && strcmp(argv[at], "--strategy") == 0) {
            int i = 0;
            at++;
            while (i < STRATEGIES && strcmp(argv[at], strategies[i]) != 0)
                i++;
            if (i == STRATEGIES)
                return argc;
            b->strategy = (ddn_strategy)i;
        } else {
            return argc;
        }
    }
    return at;
}

int main(int argc, char **argv)
{
    static bench b;
    int at = read_options(&b, argc, argv);
    if (at >= argc) {
        fprintf(stderr,
                "usage: %s [--check] [--sentences N] [--strategy S] [--figure9 SVG] "
                "[--figure10 SVG] FOLDER [TREEBANK...]\n",
                argv[0]);
        return 2;
    }
    const char *folder = argv[at++];
    if (b.check && access(folder, R_OK) != 0) {
        printf("skipped: there is no %s\n", folder);
        return 0;
    }
    ddn_state_init(&b.state);
    ddn_gold_init(&b.gold);
    ddn_projectivizer_init(&b.projectivizer);
    b.clock_cost = clock_cost();
    open_oracles(&b);
    if (at == argc)
        take_all(&b, folder);
    for (; at < argc; at++)
        take_treebank(&b, folder, argv[at]);
    if (!b.check) {
        print_table(&b);
        draw(&b);
    }
    close_oracles(&b);
    return 0;
}
