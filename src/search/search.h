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
    ddn_state state; /* after run: the end, with its tree */
} ddn_searching;

struct ddn_search {
    const char *name;
    const char *summary;
    unsigned facets; /* of the scorer */
    int (*open)(const ddn_system *system, ddn_scoring *scoring, ddn_roots roots,
                ddn_searching **out, dodona_error *err);
    void (*close)(ddn_searching *w);
    /* Parses s into w->state. */
    int (*run)(ddn_searching *w, const ddn_sentence *s, dodona_error *err);
};

extern const ddn_search *const ddn_searches[];

/* Opens the search of that name, or says in words why it does not exist or does not go with this
 * system and scorer. */
int ddn_search_open(const char *name, const ddn_system *system, ddn_scoring *scoring,
                    ddn_roots roots, ddn_searching **out, dodona_error *err);

#endif
