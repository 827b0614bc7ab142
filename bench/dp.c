/* SPDX-License-Identifier: MIT */
/* dp.c - what does dynamic programming bring to a beam?  Figures 5, 6 and 8 of Huang and Sagae
 * 2010.
 *
 *     build/bench/dp search MODEL FILE [--svg FILE]    Figure 5: model score, accuracy and time
 *     build/bench/dp forest MODEL FILE [--svg FILE]    Figure 6: how much is searched, and oracles
 *     build/bench/dp length MODEL FILE [--svg FILE]    Figure 8: time against length
 *
 * "any" is the beam of --search beam, which builds a tree in any order; "beam" keeps to the order
 * of dp, and has the same computations to choose from.
 *
 * MODEL is of any training; FILE is a treebank in CoNLL-U.  Times are processor time of one thread
 * for the search alone, the best of three rounds over the file. */
#include "search/dp.h"
#include "api/api.h"
#include "chart/kbest.h"
#include "lib/bench.h"
#include "lib/plot.h"
#include "search/parser.h"
#include "train/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3, MOST_POINTS = 64 };

typedef struct bench {
    dodona_model *model;
    ddn_treebank gold;
    const char *svg;
} bench;

static int next(void *ctx, ddn_sentence *s, dodona_error *err)
{
    dodona_sentence *read = bench_need(dodona_sentence_new());
    int status = dodona_reader_next(ctx, read, err);
    if (status > 0) {
        ddn_sentence old = *s;
        *s = read->s;
        read->s = old;
    }
    dodona_sentence_free(read);
    return status;
}

static ddn_searching *open_search(const bench *b, const char *name, int beam, bool forest,
                                  ddn_parser *p)
{
    dodona_error err;
    ddn_search_options o = { .roots = DDN_ROOTS_ONE, .beam = beam, .forest = forest };
    if (ddn_parser_open(p, b->model->parser, name, &o, 1, &err) < 0)
        bench_stop(&err);
    return p->searching[0];
}

static void must_run(ddn_parser *p, const ddn_sentence *s)
{
    dodona_error err;
    if (ddn_parser_run(p, &s, 1, &err) < 0)
        bench_stop(&err);
}

/* ---- Figure 5 ---- */

/* The plain beam over the same computations as dp, one for each tree: the system keeps to the order
 * of ddn_joining.  The last kind stands in a field that it does not use. */
static const ddn_system *unordered;
static ddn_system ordered;

static uint32_t ordered_legal(const ddn_state *s)
{
    return unordered->legal(s) & ~(s->left ? unordered->joining->not_after[s->left - 1] : 0);
}

static void ordered_apply(ddn_state *s, ddn_move m, ddn_undo *undo)
{
    unordered->apply(s, m, undo);
    s->left = m.kind + 1;
}

static void keep_order(bench *b)
{
    unordered = b->model->schema.system;
    ordered = *unordered;
    ordered.legal = ordered_legal;
    ordered.apply = ordered_apply;
    b->model->schema.system = &ordered;
}

typedef struct point {
    double score, ms, uas, las;
} point;

static point measure(const bench *b, const char *name, int beam)
{
    point p = { .ms = INFINITY };
    ddn_parser parser;
    ddn_measured m;
    dodona_error err;
    ddn_searching *w = open_search(b, name, beam, false, &parser);
    for (int round = 0; round < ROUNDS; round++) {
        double start = bench_seconds();
        p.score = 0;
        for (size_t i = 0; i < b->gold.count; i++) {
            must_run(&parser, &b->gold.sentence[i]);
            p.score += w->score / (double)b->gold.count;
        }
        p.ms = fmin(p.ms, 1e3 * (bench_seconds() - start) / (double)b->gold.count);
    }
    ddn_parser_close(&parser);
    ddn_search_options o = { .roots = DDN_ROOTS_ONE, .beam = beam };
    if (ddn_measure(b->model->parser, name, &o, &b->gold, NULL, NULL, &m, &err) < 0)
        bench_stop(&err);
    p.uas = 100 * (double)m.heads / (double)b->gold.words;
    p.las = 100 * (double)m.labels / (double)b->gold.words;
    return p;
}

static void put_picture(const bench *b, double time[2][MOST_POINTS], double score[2][MOST_POINTS],
                        const int *points)
{
    static const char *const name[] = { "dp", "beam" };
    bench_curve curve[2];
    for (int c = 0; c < 2; c++)
        curve[c] = (bench_curve){ name[c], time[c], score[c], points[c] };
    if (b->svg)
        bench_plot(b->svg, "search quality against time", "ms a sentence",
                   "model score short of the best seen", curve, 2);
}

/* A plain beam of 64, and whether dp has come up with it. */
typedef struct rival {
    const char *name;
    double score, ms;
    bool reached;
} rival;

static void put_point(const char *name, int beam, point p)
{
    printf("%-6s %5d %14.2f %12.4f %8.2f %8.2f\n", name, beam, p.score, p.ms, p.uas, p.las);
    fflush(stdout);
}

static void compare(rival *r, int beam, point p)
{
    if (r->reached || p.score < r->score)
        return;
    r->reached = true;
    printf("# the score of %s at 64 is reached by dp at %d, %.1f times faster\n", r->name, beam,
           r->ms / p.ms);
}

static void search(bench *b)
{
    enum { RIVAL = 64 };
    static const char *const name[] = { "dp", "beam" };
    static const int widest[] = { 32, 128 };
    static double time[2][MOST_POINTS], score[2][MOST_POINTS];
    rival ordinary = { .name = "--search beam" }, same = { .name = "the plain beam" };
    int points[2] = { 0, 0 };
    double best = -INFINITY;
    printf("%-6s %5s %14s %12s %8s %8s\n", "search", "beam", "model score", "ms/sentence", "UAS",
           "LAS");
    point p = measure(b, "beam", RIVAL);
    ordinary.score = p.score;
    ordinary.ms = p.ms;
    put_point("any", RIVAL, p);
    keep_order(b);
    for (int c = 1; c >= 0; c--)
        for (int beam = 1; beam <= widest[c]; beam += beam < 8 ? beam : c ? beam : 2) {
            p = measure(b, name[c], beam);
            put_point(name[c], beam, p);
            time[c][points[c]] = p.ms;
            score[c][points[c]++] = p.score;
            best = fmax(best, p.score);
            if (c == 1 && beam == RIVAL) {
                same.score = p.score;
                same.ms = p.ms;
            } else if (c == 0) {
                compare(&same, beam, p);
                compare(&ordinary, beam, p);
            }
        }
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < points[c]; i++)
            score[c][i] = best - score[c][i] + 1;
    put_picture(b, time, score, points);
}

/* ---- Figure 6 ---- */

/* log10 of a number of any length. */
static double log_of_count(const ddn_forest *f)
{
    /* Inside with scores 0: sums in logarithms are exact enough for a picture. */
    double *inside = bench_need(malloc((size_t)f->nodes * sizeof *inside));
    for (int32_t v = 0; v < f->nodes; v++) {
        inside[v] = f->first[v] == f->first[v + 1] ? 0 : -INFINITY;
        for (uint32_t e = f->first[v]; e < f->first[v + 1]; e++) {
            double way = inside[f->edge[e].left];
            if (f->edge[e].right >= 0)
                way += inside[f->edge[e].right];
            double high = fmax(inside[v], way), low = fmin(inside[v], way);
            inside[v] = high + log10(1 + pow(10, low - high));
        }
    }
    double count = inside[f->nodes - 1];
    free(inside);
    return count;
}

static int32_t right_heads(const int32_t *head, const ddn_sentence *s)
{
    int32_t right = 0;
    for (int32_t i = 1; i <= s->n; i++)
        right += head[i] == s->head[i];
    return right;
}

/* The heads that a sequence of moves leads to. */
static void heads_of(ddn_searching *w, const ddn_sentence *s, int32_t *head)
{
    ddn_state state;
    dodona_error err;
    ddn_state_init(&state);
    if (ddn_state_start(&state, s->n, w->roots, &err) < 0)
        bench_stop(&err);
    for (size_t i = 0; i < w->moves; i++)
        w->system->apply(&state, w->move[i], NULL);
    for (int32_t i = 1; i <= s->n; i++)
        head[i] = state.node[i].head;
    ddn_state_fini(&state);
}

enum { RANKS = 7, BUCKET = 5, BUCKETS = 16 };

typedef struct oracles {
    double forest, dp[RANKS], beam[RANKS]; /* words with the right head in the best of the first */
    double log_trees[BUCKETS], sentences[BUCKETS];
    ddn_forest space;
    ddn_kbest kbest;
    int32_t *head, *label;
} oracles;

/* The best of the first 1, 2, 4 ... trees; right[i] of tree i, of which there are count. */
static void add_ranks(double *sum, const int32_t *right, int count)
{
    int32_t best = 0;
    for (int i = 0, rank = 0; rank < RANKS; i++) {
        if (i < count && right[i] > best)
            best = right[i];
        if (i + 1 == 1 << rank)
            sum[rank++] += best;
    }
}

static void add_sentence(oracles *o, ddn_parser *dp_parser, ddn_parser *plain_parser,
                         const ddn_sentence *s)
{
    ddn_searching *dp = dp_parser->searching[0], *plain = plain_parser->searching[0];
    int32_t right[1 << (RANKS - 1)];
    int count = 0;
    double score;
    dodona_error err;
    ddn_forest_oracle best;
    must_run(dp_parser, s);
    if (dp->search->forest(dp, &o->space, &err) < 0 ||
        ddn_forest_find_oracle(&o->space, s->head, NULL, o->head, o->label, &best, &err) < 0 ||
        ddn_kbest_begin(&o->kbest, &o->space, &err) < 0)
        bench_stop(&err);
    o->forest += best.correct;
    while (count < 1 << (RANKS - 1) &&
           ddn_kbest_next(&o->kbest, &score, o->head, o->label, &err) > 0)
        right[count++] = right_heads(o->head, s);
    add_ranks(o->dp, right, count);
    must_run(plain_parser, s);
    for (count = 0; count < 1 << (RANKS - 1) && ddn_dp_tell(plain, count, &err) > 0; count++) {
        heads_of(plain, s, o->head);
        right[count] = right_heads(o->head, s);
    }
    add_ranks(o->beam, right, count);
    int bucket = (s->n - 1) / BUCKET < BUCKETS ? (s->n - 1) / BUCKET : BUCKETS - 1;
    o->log_trees[bucket] += log_of_count(&o->space);
    o->sentences[bucket]++;
}

static void print_oracles(const oracles *o, int64_t words, const bench *b)
{
    double x[BUCKETS], y[BUCKETS];
    int points = 0;
    printf("\n%10s %10s %24s\n", "length", "sentences", "trees (geometric mean)");
    for (int i = 0; i < BUCKETS; i++) {
        if (o->sentences[i] == 0)
            continue;
        printf("%4d to %3d %10.0f %24.3g\n", i * BUCKET + 1, (i + 1) * BUCKET, o->sentences[i],
               pow(10, o->log_trees[i] / o->sentences[i]));
        x[points] = (i + 0.5) * BUCKET;
        y[points++] = pow(10, o->log_trees[i] / o->sentences[i]);
    }
    printf("\n%8s %18s %18s   (best UAS among k trees)\n", "k", "forest", "plain beam");
    for (int i = 0; i < RANKS; i++)
        printf("%8d %18.2f %18.2f\n", 1 << i, 100 * o->dp[i] / (double)words,
               100 * o->beam[i] / (double)words);
    printf("%8s %18.2f\n", "all", 100 * o->forest / (double)words);
    bench_curve curve = { "dp forest", x, y, points };
    if (b->svg)
        bench_plot(b->svg, "trees in the forest of beam 16", "words", "trees", &curve, 1);
}

static void forest(bench *b)
{
    enum { BEAM = 16 };
    static oracles o;
    ddn_parser dp, apart;
    int32_t longest = 0;
    open_search(b, "dp", BEAM, true, &dp);
    ddn_dp_keep_apart(open_search(b, "dp", BEAM, false, &apart));
    for (size_t i = 0; i < b->gold.count; i++)
        longest = b->gold.sentence[i].n > longest ? b->gold.sentence[i].n : longest;
    o.head = bench_need(calloc((size_t)longest + 1, sizeof *o.head));
    o.label = bench_need(calloc((size_t)longest + 1, sizeof *o.label));
    ddn_forest_init(&o.space);
    ddn_kbest_init(&o.kbest);
    for (size_t i = 0; i < b->gold.count; i++)
        add_sentence(&o, &dp, &apart, &b->gold.sentence[i]);
    print_oracles(&o, b->gold.words, b);
    ddn_forest_fini(&o.space);
    ddn_kbest_fini(&o.kbest);
    free(o.head);
    free(o.label);
    ddn_parser_close(&dp);
    ddn_parser_close(&apart);
}

/* ---- Figure 8 ---- */

/* A line through the logarithms of lengths and times. */
typedef struct fit {
    int from; /* words */
    double x, y, xx, xy, n;
} fit;

static void add_to_fit(fit *f, double words, double ms)
{
    double x = log(words), y = log(ms);
    if (words >= f->from)
        f->x += x, f->y += y, f->xx += x * x, f->xy += x * y, f->n++;
}

static void length(bench *b)
{
    enum { BEAM = 16, LONGEST = 100 };
    static double sum[LONGEST + 1], count[LONGEST + 1], x[MOST_POINTS], y[MOST_POINTS];
    fit fits[] = { { .from = BUCKET }, { .from = 4 * BUCKET } };
    int points = 0;
    ddn_parser parser;
    open_search(b, "dp", BEAM, false, &parser);
    for (size_t i = 0; i < b->gold.count; i++) {
        const ddn_sentence *s = &b->gold.sentence[i];
        double best = INFINITY;
        for (int round = 0; round < ROUNDS; round++) {
            double start = bench_seconds();
            must_run(&parser, s);
            best = fmin(best, 1e3 * (bench_seconds() - start));
        }
        if (s->n > LONGEST)
            continue;
        for (int f = 0; f < 2; f++)
            add_to_fit(&fits[f], s->n, best);
        sum[s->n / BUCKET] += best;
        count[s->n / BUCKET]++;
    }
    printf("%10s %10s %12s %10s\n", "length", "sentences", "ms/sentence", "us/word");
    for (int i = 1; i <= LONGEST / BUCKET; i++)
        if (count[i] > 0 && points < MOST_POINTS) {
            x[points] = (i + 0.5) * BUCKET - 0.5;
            y[points++] = sum[i] / count[i];
            printf("%4d to %3d %10.0f %12.4f %10.2f\n", i * BUCKET, (i + 1) * BUCKET - 1, count[i],
                   sum[i] / count[i], 1e3 * y[points - 1] / x[points - 1]);
        }
    for (int f = 0; f < 2; f++)
        printf("# from %d words on, time grows with the length to the power of %.2f\n",
               fits[f].from,
               (fits[f].n * fits[f].xy - fits[f].x * fits[f].y) /
                   (fits[f].n * fits[f].xx - fits[f].x * fits[f].x));
    bench_curve curve = { "dp, beam 16", x, y, points };
    if (b->svg)
        bench_plot(b->svg, "time against length", "words", "ms a sentence", &curve, 1);
    ddn_parser_close(&parser);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(bench *b);
    } figures[] = { { "search", search }, { "forest", forest }, { "length", length } };
    bench b = { .svg = argc == 6 && strcmp(argv[4], "--svg") == 0 ? argv[5] : NULL };
    dodona_error err;
    dodona_reader *r;
    size_t f = 0;
    while (argc >= 4 && f < 3 && strcmp(figures[f].name, argv[1]) != 0)
        f++;
    if (argc < 4 || f == 3 || (argc > 4 && !b.svg)) {
        fprintf(stderr, "usage: %s search|forest|length MODEL FILE.conllu [--svg FILE]\n", argv[0]);
        return 2;
    }
    ddn_treebank_init(&b.gold);
    if (dodona_model_open(argv[2], &b.model, &err) < 0 ||
        dodona_reader_open(argv[3], NULL, &r, &err) < 0 ||
        ddn_treebank_read(&b.gold, next, r, &err) < 0)
        bench_stop(&err);
    dodona_reader_close(r);
    figures[f].run(&b);
    ddn_treebank_fini(&b.gold);
    dodona_model_free(b.model);
    return 0;
}
