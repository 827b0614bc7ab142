/* SPDX-License-Identifier: MIT */
/* search.h - how the best sequence of moves is found.  searches.def lists the searches.
 *
 * The score of a computation is the sum of the scores of its moves: that of the move's kind and,
 * where it makes an arc, that of its label.  Searches that compare computations compare this. */
#ifndef DDN_SEARCH_SEARCH_H
#define DDN_SEARCH_SEARCH_H

#include "chart/forest.h"
#include "model/scorer.h"
#include "search/constraint.h"
#include "system/system.h"

typedef struct ddn_search ddn_search;

/* What a search may be told; each reads what concerns it. */
typedef struct ddn_search_options {
    ddn_roots roots;
    int beam;            /* most configurations that are kept at a time */
    bool forest;         /* the forest of every run will be asked for, and */
    uint16_t root_label; /* in it words without a head hang from the root with this label */
    int exact_limit;     /* words; longer sentences go to a beam instead; 0: ddn_exact_limit */
    bool keep;           /* the search is to have a constraint */
} ddn_search_options;

/* A search at work on one thread: the configuration it works on, and what it needs beside. */
typedef struct ddn_searching {
    const ddn_search *search;
    const ddn_system *system;
    ddn_scoring *scoring; /* borrowed */
    ddn_roots roots;
    ddn_constraint *constraint; /* where options->keep: begun by the caller before each run, which
                                   keeps to it; NULL: none */
    ddn_state state;            /* after run: the end, with its tree */
    bool keeps_moves;           /* set by the caller: run is to keep the moves, too */
    ddn_move *move;             /* [moves] then, after run: the way from the start to state */
    size_t moves, move_cap;
    const char *fallback; /* after run: the search that was used in place of this one; NULL: none */
    ddn_score score;      /* of that way, where the search compares ways; these always keep it */
} ddn_searching;

/* For training: the computation that should be found, and when to stop looking. */
typedef struct ddn_goal {
    const ddn_move *move; /* [moves] with labels */
    size_t moves;
    const ddn_score *score; /* [moves + 1] of its first i moves */
    bool early;             /* stop where the goal is lost */
} ddn_goal;

struct ddn_search {
    const char *name;
    const char *summary;
    unsigned facets; /* of the scorer */
    bool ordered;    /* builds each tree in one order, that of ddn_joining */
    bool exact;      /* finds the best derivation of all, in sentences up to ddn_exact_limit */
    /* Refuses options in words. */
    int (*open)(const ddn_system *system, ddn_scoring *scoring, const ddn_search_options *options,
                ddn_searching **out, dodona_error *err);
    void (*close)(ddn_searching *w);
    /* Parses s into w->state.  A search that makes no moves leaves w->moves 0. */
    int (*run)(ddn_searching *w, const ddn_sentence *s, dodona_error *err);
    /* Searches s and looks for a prefix of a computation that the search prefers to the goal's
     * although it is another.  1: it is in w->move, and *prefix says how many moves of the goal it
     * stands against; 0: there is none.  With goal->early, the first time that the goal is not
     * among what is kept (dp: its tree is not); otherwise where the two scores differ most, the
     * longest such prefix.
     * NULL: it is trained move by move, not by whole derivations. */
    int (*contrast)(ddn_searching *w, const ddn_sentence *s, const ddn_goal *goal, size_t *prefix,
                    dodona_error *err);
    /* After run, where options->forest: all trees that the search has at the end, as a forest.  The
     * best of them is that of w->state.  NULL: it has no more than one. */
    int (*forest)(const ddn_searching *w, ddn_forest *f, dodona_error *err);
};

extern const ddn_search *const ddn_searches[];

/* Opens the search of that name, or says in words why it does not exist or does not go with this
 * system and scorer. */
int ddn_search_open(const char *name, const ddn_system *system, ddn_scoring *scoring,
                    const ddn_search_options *options, ddn_searching **out, dodona_error *err);
/* NULL when there is none of that name. */
const ddn_search *ddn_search_find(const char *name);
/* The same; *out is the search.  DODONA_E_ARGUMENT: there is none, with a name that is near or the
 * list of all. */
int ddn_search_get(const char *name, const ddn_search **out, dodona_error *err);

/* Whether training with it compares whole derivations, and not single moves. */
static inline bool ddn_search_learns_derivations(const ddn_search *search)
{
    return search->contrast != NULL;
}

/* The longest sentence that exact search takes on unless told otherwise, or trains with. */
int ddn_exact_limit(const ddn_system *system, bool training);
/* The most that it can be told, and the bytes that a chart may take. */
enum { DDN_EXACT_MOST = 10000 };
#define DDN_EXACT_MEMORY 1e9

/* For searches: adds a move to those that are kept, if they are; run begins with w->moves = 0. */
int ddn_searching_note(ddn_searching *w, ddn_move m, dodona_error *err);
/* Leaves s to another search over the same scores, which keeps to the constraint of w; what it
 * found becomes what w found, and fallback says so. */
int ddn_searching_leave(ddn_searching *w, ddn_searching *to, const ddn_sentence *s,
                        dodona_error *err);
/* Frees what every search has, for its close. */
void ddn_searching_fini(ddn_searching *w);

#endif
