/* SPDX-License-Identifier: MIT */
/* parse.c - how fast is CoNLL-U parsed on one core, and where does the time go?
 *
 *     build/bench/parse MODEL FILE [TIMES] [SEARCH [BEAM]]
 *
 * The file is repeated TIMES (10) times in memory and written to /dev/null; the best of five runs
 * is shown, in processor time (other programs disturb that less than time on the wall).  The first
 * rows read, and read and write, without parsing: the floor under any parser that reads and writes
 * this file.  The second table is taken in a run of its own, in which the scorer's parts are timed;
 * the clock itself is part of what it shows. */
#include "api/api.h"
#include "lib/bench.h"
#include "search/parser.h"

#include <stdio.h>
#include <stdlib.h>

typedef enum task { READ, WRITE, PARSE, TASKS } task;

static double run(task t, dodona_workspace *ws, bench_memory m, int64_t *words, int64_t *sentences)
{
    dodona_error err;
    dodona_reader *r;
    dodona_writer *w;
    dodona_sentence *s = bench_need(dodona_sentence_new());
    double start = bench_seconds();
    if (dodona_reader_open_callback(bench_read, &m, "memory", NULL, &r, &err) < 0 ||
        dodona_writer_open("/dev/null", DODONA_CONLLU, &w, &err) < 0)
        bench_stop(&err);
    int status;
    *words = *sentences = 0;
    while ((status = dodona_reader_next(r, s, &err)) > 0) {
        *words += dodona_sentence_length(s);
        ++*sentences;
        if (t == PARSE)
            status = dodona_parse(ws, s, &err);
        if (t != READ && status >= 0)
            status = dodona_writer_put(w, s, &err);
        if (status < 0)
            break;
    }
    if (status < 0 || dodona_writer_close(w, &err) < 0)
        bench_stop(&err);
    dodona_reader_close(r);
    dodona_sentence_free(s);
    return bench_seconds() - start;
}

/* ---- A scorer that looks at the clock ---- */

typedef struct timed {
    ddn_pass base;
    ddn_pass *inner;
    double encode, moves, label;
    int64_t scored, labelled;
} timed;

static int timed_encode(ddn_pass *p, const ddn_sentence *const *s, int m, dodona_error *err)
{
    timed *t = (timed *)p;
    double start = bench_clock();
    int status = t->inner->model->scorer->encode(t->inner, s, m, err);
    t->encode += bench_clock() - start;
    return status;
}

static int timed_moves(ddn_pass *p, const ddn_query *q, int m, ddn_score *score, dodona_error *err)
{
    timed *t = (timed *)p;
    double start = bench_clock();
    int status = t->inner->model->scorer->moves(t->inner, q, m, score, err);
    t->moves += bench_clock() - start;
    t->scored += m;
    return status;
}

static uint16_t timed_label(ddn_pass *p, const ddn_arc_query *q, ddn_score *score)
{
    timed *t = (timed *)p;
    double start = bench_clock();
    uint16_t label = t->inner->model->scorer->label(t->inner, q, score);
    t->label += bench_clock() - start;
    t->labelled++;
    return label;
}

static const uint32_t *timed_values(const ddn_pass *p, int sentence)
{
    const timed *t = (const timed *)p;
    return t->inner->model->scorer->values(t->inner, sentence);
}

/* Puts a pass that looks at the clock around that of a parser with one search. */
static void time_parser(ddn_parser *parser, timed *t, ddn_model *model)
{
    static const ddn_scorer scorer = { .name = "timed",
                                       .encode = timed_encode,
                                       .moves = timed_moves,
                                       .label = timed_label,
                                       .values = timed_values };
    *model = *parser->pass->model;
    model->scorer = &scorer;
    *t = (timed){ .base.model = model, .inner = parser->pass };
    parser->pass = &t->base;
}

static void parts(const dodona_model *m, const dodona_parse_options *o, bench_memory memory)
{
    dodona_error err;
    dodona_reader *r;
    dodona_sentence *s = bench_need(dodona_sentence_new());
    ddn_parser parser;
    ddn_model model;
    timed t;
    const char *name = o->search ? o->search : m->search;
    ddn_search_options options = { .roots = DDN_ROOTS_ONE, .beam = o->beam ? o->beam : m->beam };
    if (ddn_parser_open(&parser, m->parser, name, &options, 1, &err) < 0)
        bench_stop(&err);
    ddn_search_close(parser.searching[0]);
    time_parser(&parser, &t, &model);
    if (ddn_search_open(name, parser.pass, &options, &parser.searching[0], &err) < 0 ||
        dodona_reader_open_callback(bench_read, &memory, "memory", NULL, &r, &err) < 0)
        bench_stop(&err);
    double searching = 0;
    int64_t words = 0;
    while (dodona_reader_next(r, s, &err) > 0) {
        double start = bench_clock();
        const ddn_sentence *batch[] = { &s->s };
        if (ddn_parser_run(&parser, batch, 1, &err) < 0)
            bench_stop(&err);
        searching += bench_clock() - start;
        words += s->s.n;
    }
    double rest = searching - t.encode - t.moves - t.label;
    printf("\n%-26s %10s %8s %10s\n", "inside the search", "ns/token", "share", "calls/token");
    printf("%-26s %10.0f %7.0f%% %10.2f\n", "moves: features, weights",
           1e9 * t.moves / (double)words, 100 * t.moves / searching,
           (double)t.scored / (double)words);
    printf("%-26s %10.0f %7.0f%% %10.2f\n", "labels: weights", 1e9 * t.label / (double)words,
           100 * t.label / searching, (double)t.labelled / (double)words);
    printf("%-26s %10.0f %7.0f%%\n", "strings to numbers", 1e9 * t.encode / (double)words,
           100 * t.encode / searching);
    printf("%-26s %10.0f %7.0f%%\n", "states, views, the clock", 1e9 * rest / (double)words,
           100 * rest / searching);
    parser.pass = t.inner;
    ddn_parser_close(&parser);
    dodona_reader_close(r);
    dodona_sentence_free(s);
}

int main(int argc, char **argv)
{
    static const char *const name[TASKS] = { "read", "read, write", "read, parse, write" };
    if (argc < 3) {
        fprintf(stderr, "usage: %s MODEL FILE.conllu [TIMES] [SEARCH [BEAM]]\n", argv[0]);
        return 2;
    }
    dodona_error err;
    dodona_model *model;
    dodona_workspace *ws;
    dodona_parse_options o;
    dodona_parse_options_init(&o);
    o.search = argc > 4 ? argv[4] : NULL;
    o.beam = argc > 5 ? atoi(argv[5]) : 0;
    if (dodona_model_open(argv[1], &model, &err) < 0 ||
        dodona_workspace_new(model, &o, &ws, &err) < 0)
        bench_stop(&err);
    bench_memory m = bench_load(argv[2], argc > 3 ? strtoul(argv[3], NULL, 10) : 10);
    printf("%-26s %10s %12s %12s %10s\n", "", "ns/token", "tokens/s", "sentences/s", "of floor");
    double floor = 0;
    for (task t = READ; t < TASKS; t++) {
        double best = 1e9;
        int64_t words = 0, sentences = 0;
        for (int i = 0; i < 5; i++) {
            double seconds = run(t, ws, m, &words, &sentences);
            best = seconds < best ? seconds : best;
        }
        floor = t == WRITE ? best : floor;
        printf("%-26s %10.0f %12.0f %12.0f", name[t], 1e9 * best / (double)words,
               (double)words / best, (double)sentences / best);
        printf(t == PARSE ? " %9.1fx\n" : "\n", best / (floor ? floor : 1));
    }
    printf("memory: %.0f MB, the repeated input not counted\n",
           bench_resident_mb() - (double)m.size / 1e6);
    parts(model, &o, m);
    dodona_workspace_free(ws);
    dodona_model_free(model);
    free((void *)(uintptr_t)m.data);
    return 0;
}
