/* SPDX-License-Identifier: MIT */
#include "lib/walk.h"

#include "api/api.h"
#include "core/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void train(const char *system, const char *path, const char *model, int iterations)
{
    dodona_error err;
    dodona_train_options o;
    dodona_train_result result;
    dodona_reader *r;
    dodona_train_options_init(&o);
    o.system = system;
    o.oracle = "static";
    o.iterations = iterations;
    if (dodona_reader_open(path, NULL, &r, &err) < 0)
        bench_stop(&err);
    dodona_source from = { dodona_reader_pull, r, path };
    if (dodona_train(&o, &from, NULL, model, &result, &err) < 0)
        bench_stop(&err);
    dodona_reader_close(r);
}

void bench_walker_open(bench_walker *w, const char *system, const char *path, int iterations)
{
    dodona_error err;
    char model[] = "/tmp/dodona-walk-XXXXXX";
    int fd = mkstemp(model);
    if (fd < 0) {
        perror("mkstemp");
        exit(1);
    }
    close(fd);
    memset(w, 0, sizeof *w);
    train(system, path, model, iterations);
    if (dodona_model_open(model, &w->model, &err) < 0 ||
        w->model->parser->scorer->pass(w->model->parser, DDN_ONE_VIEW, &w->pass, &err) < 0)
        bench_stop(&err);
    unlink(model); /* it stays mapped */
    ddn_state_init(&w->state);
    ddn_candidates_init(&w->candidates, w->pass);
}

void bench_walker_close(bench_walker *w)
{
    ddn_candidates_fini(&w->candidates);
    ddn_state_fini(&w->state);
    ddn_batch_fini(&w->batch);
    ddn_pass_end(w->pass);
    dodona_model_free(w->model);
    free(w->kind);
}

static ddn_move choose(bench_walker *w)
{
    ddn_candidates *c = &w->candidates;
    ddn_batch *b = &w->batch;
    dodona_error err;
    int32_t best = 0;
    if (!ddn_candidates_list(c, &w->state)) {
        b->count = 0;
        if (ddn_candidates_view(c, &w->state, &err) < 0 || ddn_candidates_ask(c, b, &err) < 0 ||
            w->pass->model->scorer->moves(w->pass, b->query, (int)b->count, b->score, &err) < 0)
            bench_stop(&err);
        ddn_candidates_told(c, b);
        best = ddn_candidates_best(c);
    }
    ddn_move m = c->move[best];
    ddn_score unused;
    m.label = 0;
    if (c->system->kind[m.kind].makes_arc)
        m.label = ddn_candidates_label(c, &w->state, best, &unused);
    return m;
}

void bench_walk(bench_walker *w, const ddn_sentence *s,
                void (*visit)(void *ctx, const ddn_state *state), void *ctx)
{
    dodona_error err;
    const ddn_system *system = w->candidates.system;
    bench_need(ddn_reserve(&w->kind, &w->kind_cap, (size_t)system->max_moves(s->n), 1) ? w : NULL);
    if (w->pass->model->scorer->encode(w->pass, &s, 1, &err) < 0 ||
        ddn_candidates_begin(&w->candidates, 0, s->n, &err) < 0 ||
        ddn_state_start(&w->state, s->n, DDN_ROOTS_ONE, &err) < 0)
        bench_stop(&err);
    for (w->moves = 0; !system->final(&w->state); w->moves++) {
        if (visit)
            visit(ctx, &w->state);
        ddn_move m = choose(w);
        w->kind[w->moves] = m.kind;
        system->apply(&w->state, m, NULL);
    }
}
