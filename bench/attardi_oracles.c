/* SPDX-License-Identifier: MIT */
/* attardi_oracles.c - how good is the approximate oracle of the Attardi family?
 *
 *     build/bench/attardi_oracles [WORDS [TREES]]
 *
 * Random walks from the start, over random trees of 1..WORDS words (8; 2,000 trees): in each
 * configuration 'approximate' is compared with 'chart', which is exact.  Printed are, in percent of
 * the configurations, those where the value is too low, and by how much on average there; those
 * where a move that it says costs nothing does cost something; and microseconds a question of
 * either.  Half of the moves are drawn at random, the others are right ones. */
#include "core/rng.h"
#include "lib/bench.h"
#include "oracle/oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24 };

typedef struct tally {
    int64_t configurations, low, missing, misled;
    double exact, bound; /* seconds */
} tally;

typedef struct walk {
    const ddn_system *system;
    const ddn_oracle *oracle[2]; /* chart, approximate */
    ddn_oracle_space *space[2];
    ddn_state state;
    ddn_gold gold;
    ddn_rng rng;
    tally tally;
} walk;

/* A random tree: every word hangs from one that was placed before it, in a random order. */
static void draw_tree(ddn_rng *r, int32_t n, int32_t *head)
{
    int32_t order[MOST + 1] = { 0 };
    for (int32_t d = 1; d <= n; d++) {
        int32_t at = 1 + (int32_t)ddn_rng_below(r, (uint64_t)d);
        order[d] = order[at];
        order[at] = d;
    }
    head[0] = -1;
    for (int32_t i = 1; i <= n; i++) {
        /* mostly from a neighbour, as in treebanks */
        int32_t from = (int32_t)ddn_rng_below(r, (uint64_t)i), best = order[from];
        for (int32_t k = 0; k < i && ddn_rng_below(r, 4) > 0; k++)
            if (abs(order[k] - order[i]) < abs(best - order[i]))
                best = order[k];
        head[order[i]] = best;
    }
}

static void ask(walk *w, int o, const ddn_move *moves, int32_t m, int32_t *value, int32_t *cost)
{
    double start = bench_clock();
    *value = w->oracle[o]->value(w->space[o], &w->state);
    w->oracle[o]->costs(w->space[o], &w->state, moves, m, cost);
    *(o ? &w->tally.bound : &w->tally.exact) += bench_clock() - start;
}

static void step(walk *w)
{
    ddn_move moves[DDN_MAX_KINDS];
    int32_t exact[DDN_MAX_KINDS], bound[DDN_MAX_KINDS], scratch[1], value[2];
    int32_t m = ddn_system_moves(w->system, &w->state, moves, scratch), right = 0;
    bool misled = false;
    ask(w, 0, moves, m, &value[0], exact);
    ask(w, 1, moves, m, &value[1], bound);
    for (int32_t i = 0; i < m; i++) {
        misled |= bound[i] == 0 && exact[i] > 0;
        right = exact[i] == 0 ? i : right;
    }
    w->tally.configurations++;
    w->tally.low += value[1] < value[0];
    w->tally.missing += value[0] - value[1];
    w->tally.misled += misled;
    if (ddn_rng_below(&w->rng, 2) == 0)
        right = (int32_t)ddn_rng_below(&w->rng, (uint64_t)m);
    w->system->apply(&w->state, moves[right], NULL);
}

static void run(const char *name, int32_t words, int trees)
{
    static const char *const names[] = { "chart", "approximate" };
    walk w = { .system = ddn_system_find(name) };
    dodona_error err;
    ddn_state_init(&w.state);
    ddn_gold_init(&w.gold);
    ddn_rng_init(&w.rng, 1);
    for (int o = 0; o < 2; o++)
        if (ddn_oracle_find(w.system, names[o], true, &w.oracle[o], &err) < 0 ||
            ddn_oracle_open(w.oracle[o], w.system, (ddn_oracle_options){ 0 }, &w.space[o], &err) <
                0)
            bench_stop(&err);
    for (int t = 0; t < trees; t++) {
        int32_t head[MOST + 1], n = 1 + (int32_t)ddn_rng_below(&w.rng, (uint64_t)words);
        draw_tree(&w.rng, n, head);
        if (ddn_gold_set(&w.gold, head, NULL, n, &err) < 0 ||
            ddn_oracle_begin(w.space[0], &w.gold, &err) < 0 ||
            ddn_oracle_begin(w.space[1], &w.gold, &err) < 0 ||
            ddn_state_start(&w.state, n, DDN_ROOTS_MANY, &err) < 0)
            bench_stop(&err);
        while (!w.system->final(&w.state))
            step(&w);
    }
    const tally *y = &w.tally;
    double of = (double)y->configurations;
    printf("| %s | %.0f | %.2f | %.2f | %.2f | %.1f | %.1f |\n", name, of,
           100 * (double)y->low / of, y->low ? (double)y->missing / (double)y->low : 0,
           100 * (double)y->misled / of, 1e6 * y->exact / of, 1e6 * y->bound / of);
    for (int o = 0; o < 2; o++)
        ddn_oracle_close(w.space[o]);
    ddn_state_fini(&w.state);
    ddn_gold_fini(&w.gold);
}

int main(int argc, char **argv)
{
    int words = argc > 1 ? atoi(argv[1]) : 8, trees = argc > 2 ? atoi(argv[2]) : 2000;
    if (words < 1 || words > MOST || trees < 1) {
        fprintf(stderr, "usage: attardi_oracles [WORDS [TREES]], at most %d words\n", MOST);
        return 2;
    }
    printf("| | configurations | value low, %% | by | wrong move free, %% | chart, µs | "
           "approximate, µs |\n|---|---|---|---|---|---|---|\n");
    static const char *const systems[] = { "attardi", "alldeg1", "all", "alls0s1" };
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        run(systems[i], words, trees);
    return 0;
}
