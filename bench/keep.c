/* SPDX-License-Identifier: MIT */
/* keep.c - what does it cost to keep given heads?
 *
 *     build/bench/keep [PERCENT [SYSTEM...]]
 *
 * Sentences of 10, 20, 40, 60 and 100 words with the heads of PERCENT (50) of the words of a random
 * tree that the system reaches.  A walk from the start asks the constraint at each configuration
 * and makes one of the moves that it leaves, as greedy search does; a beam of B asks up to B times
 * as often.  Printed is the processor time of the constraint, in milliseconds a sentence.  "word":
 * all the other words are known not to be the root, which is not given itself. */
#include "core/rng.h"
#include "lib/bench.h"
#include "search/constraint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 100, MOST_MOVES = 3 * LONGEST + 3, SENTENCES = 20 };

typedef struct walk {
    ddn_rng rng;
    ddn_constraint *c;
    ddn_state state;
    ddn_move move[MOST_MOVES];
    int32_t position[LONGEST + 1], given[LONGEST + 1], open[LONGEST + 1];
} walk;

/* Makes random moves to the end, those that the constraint leaves; returns the seconds that it
 * took. */
static double make_moves(walk *w, const ddn_system *system, int32_t n, bool keep)
{
    dodona_error err;
    double seconds = 0;
    if (ddn_state_start(&w->state, n, DDN_ROOTS_ONE, &err) < 0)
        bench_stop(&err);
    while (!system->final(&w->state)) {
        int32_t m = ddn_system_moves(system, &w->state, w->move, w->position);
        double start = bench_seconds();
        m = keep ? ddn_constraint_filter(w->c, &w->state, w->move, m) : m;
        seconds += bench_seconds() - start;
        system->apply(&w->state, w->move[ddn_rng_below(&w->rng, (uint64_t)m)], NULL);
    }
    return seconds;
}

/* The tree at the end of random moves, some of it taken away. */
static void draw_given(walk *w, const ddn_system *system, int32_t n, uint64_t percent, bool words)
{
    make_moves(w, system, n, false);
    for (int32_t d = 1; d <= n; d++) {
        int32_t head = ddn_system_head(system, &w->state, d);
        bool is_given = ddn_rng_below(&w->rng, 100) < percent && !(words && head == 0);
        w->open[d] = DDN_LABEL_OPEN;
        w->given[d] = is_given ? head : words && head > 0 ? DDN_HEAD_WORD : DDN_HEAD_OPEN;
    }
}

static double measure(walk *w, const ddn_system *system, int32_t n, uint64_t percent, bool words)
{
    double seconds = 0;
    for (int i = 0; i < SENTENCES; i++) {
        dodona_error err;
        int32_t word;
        draw_given(w, system, n, percent, words);
        double start = bench_seconds();
        if (ddn_constraint_begin(w->c, w->given, w->open, n, &word, &err) < 0)
            bench_stop(&err);
        seconds += bench_seconds() - start;
        seconds += make_moves(w, system, n, true);
    }
    return 1000 * seconds / SENTENCES;
}

static void print_system(walk *w, const char *name, uint64_t percent)
{
    static const int32_t length[] = { 10, 20, 40, 60, LONGEST };
    dodona_error err;
    const ddn_system *system = ddn_system_find(name);
    if (!system) {
        fprintf(stderr, "keep: there is no system '%s'\n", name);
        exit(1);
    }
    if (ddn_constraint_open(system, DDN_ROOTS_ONE, &w->c, &err) < 0)
        bench_stop(&err);
    for (int words = 0; words < 2; words++) {
        printf("%-17s %-5s", name, words ? "word" : "");
        for (size_t i = 0; i < sizeof length / sizeof *length; i++)
            printf(" %9.3f", measure(w, system, length[i], percent, words));
        puts("");
        fflush(stdout);
    }
    ddn_constraint_close(w->c);
}

int main(int argc, char **argv)
{
    static const char *const usual[] = { "arc-standard", "arc-eager",        "arc-hybrid",
                                         "lr-spine",     "covington",        "attardi",
                                         "attardi:7",    "alldeg1",          "all",
                                         "alls0s1",      "s1<s0+s0<s1+s1<b0" };
    uint64_t percent = argc > 1 ? strtoull(argv[1], NULL, 10) : 50;
    walk w = { .c = NULL };
    ddn_rng_init(&w.rng, 1);
    ddn_state_init(&w.state);
    printf("%-17s %-5s %9s %9s %9s %9s %9s\n", "ms a sentence", "", "10", "20", "40", "60", "100");
    for (int i = 2; i < argc; i++)
        print_system(&w, argv[i], percent);
    for (size_t i = 0; argc < 3 && i < sizeof usual / sizeof *usual; i++)
        print_system(&w, usual[i], percent);
    ddn_state_fini(&w.state);
    return 0;
}
