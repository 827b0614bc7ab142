/* SPDX-License-Identifier: MIT */
/* search.h - how the best sequence of moves is found.  searches.def lists the searches. */
#ifndef DDN_SEARCH_SEARCH_H
#define DDN_SEARCH_SEARCH_H

#include "model/scorer.h"
#include "system/system.h"

typedef struct ddn_search ddn_search;

/* A search at work on one thread: the configuration it works on, and what it needs beside. */
typedef struct ddn_searching {
    const ddn_search *search;
    const ddn_system *system;
    ddn_scoring *scoring; /* borrowed */
    ddn_roots roots;
    ddn_state state;  /* after run: the end, with its tree */
    bool keeps_moves; /* set by the caller: run is to keep the moves, too */
    ddn_move *move;   /* [moves] then, after run: the way from the start to state */
    size_t moves, move_cap;
} ddn_searching;

struct ddn_search {
    const char *name;
    const char *summary;
    unsigned facets; /* of the scorer */
    int (*open)(const ddn_system *system, ddn_scoring *scoring, ddn_roots roots,
                ddn_searching **out, dodona_error *err);
    void (*close)(ddn_searching *w);
    /* Parses s into w->state.  A search that makes no moves leaves w->moves 0. */
    int (*run)(ddn_searching *w, const ddn_sentence *s, dodona_error *err);
};

extern const ddn_search *const ddn_searches[];

/* Opens the search of that name, or says in words why it does not exist or does not go with this
 * system and scorer. */
int ddn_search_open(const char *name, const ddn_system *system, ddn_scoring *scoring,
                    ddn_roots roots, ddn_searching **out, dodona_error *err);

/* For searches: adds a move to those that are kept, if they are; run begins with w->moves = 0. */
int ddn_searching_note(ddn_searching *w, ddn_move m, dodona_error *err);
/* Frees what every search has, for its close. */
void ddn_searching_fini(ddn_searching *w);

#endif
