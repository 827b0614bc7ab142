/* SPDX-License-Identifier: MIT */
/* search.h - how the best derivation is found.  searches.def lists the searches.
 *
 * The score of a derivation is the sum of the scores of its transitions: that of the type and,
 * where it makes an arc, that of its label.  Searches that compare derivations compare this.
 *
 * A search does not score anything by itself.  It is asked which configurations it wants scored and
 * told the scores, so that search/parser.h can score the configurations of several sentences
 * together:
 *
 *     begin(w);
 *     while (ask(w, batch) > 0) {
 *         ... the pass scores the batch ...
 *         tell(w, batch);
 *     }
 */
#ifndef DDN_SEARCH_SEARCH_H
#define DDN_SEARCH_SEARCH_H

#include "chart/forest.h"
#include "core/arena.h"
#include "model/scorer.h"
#include "search/constraint.h"
#include "system/system.h"

typedef struct ddn_search ddn_search;

/* Options of all searches; each reads those that concern it. */
typedef struct ddn_search_options {
    ddn_roots roots;
    int beam;            /* beam width */
    bool forest;         /* the forest of every run will be asked for, and */
    uint16_t root_label; /* in it words without a head hang from the root with this label */
    const char *decoder; /* of exact search; NULL: the system's own */
    int exact_limit;     /* words; longer sentences go to a beam instead; 0: ddn_exact_limit */
    bool keep;           /* heads or labels will be given: the search gets a constraint */
} ddn_search_options;

/* Configurations to be scored, of one or more sentences, and their scores. */
typedef struct ddn_batch {
    ddn_query *query;
    ddn_score *score; /* [count][DDN_MAX_KINDS] */
    size_t count;
    size_t query_cap, score_cap;
} ddn_batch;

/* Room for count more queries. */
int ddn_batch_reserve(ddn_batch *b, size_t count, dodona_error *err);
void ddn_batch_fini(ddn_batch *b);

/* For training: the gold derivation, and when to stop. */
typedef struct ddn_goal {
    const ddn_move *move; /* [moves] with labels */
    size_t moves;
    const ddn_score *score; /* [moves + 1] of its first i moves */
    const int32_t *head;    /* [n+1] the same as a tree */
    const uint16_t *label;
    bool early; /* stop where the gold derivation falls out of the beam */
} ddn_goal;

/* A running search, on one sentence at a time. */
typedef struct ddn_searching {
    const ddn_search *search;
    const ddn_system *system;
    ddn_pass *pass; /* borrowed */
    ddn_roots roots;
    /* ---- Set before begin ---- */
    int sentence;               /* of the batch that the pass has encoded */
    int32_t n;                  /* its words */
    ddn_constraint *constraint; /* where options->keep: begun by the caller before each run, which
                                   keeps to it; NULL: none */
    const ddn_goal *goal;       /* for training: find a derivation that beats it; NULL: none */
    bool keeps_moves;           /* the moves are wanted, too */
    /* ---- When ask has returned 0 ---- */
    ddn_state state; /* without a goal: the end, with its tree */
    ddn_move *move;  /* [moves] where they are kept: the derivation of state; with a goal, the one
                        that scores higher */
    size_t moves, move_cap;
    bool by_tree;         /* set by open: it finds trees, not moves, and moves is 0 */
    ddn_reach reach;      /* set by open: the trees that it chooses from */
    const char *fallback; /* the search that was used in place of this one; NULL: none */
    ddn_score score;      /* of that derivation, where the search compares derivations */
    bool beaten;          /* with a goal: another derivation was preferred (a violation); */
    size_t prefix;        /* compare it with so many moves of the goal */
    /* ---- */
    ddn_arena arena;               /* for what lives as long as the work on a sentence */
    struct ddn_searching *instead; /* parses this sentence in its place; NULL: none */
} ddn_searching;

struct ddn_search {
    const char *name;
    const char *summary;
    unsigned heads;      /* of the model, that it needs */
    ddn_breadth breadth; /* roughly how many configurations it asks about at once */
    bool derivations;    /* training with it compares whole derivations, not single moves */
    bool exact;          /* finds the best tree of all, up to a length; takes a decoder */
    bool ordered;        /* builds each tree in one order, that of ddn_joining */
    /* Refuses options in words. */
    int (*open)(ddn_pass *pass, const ddn_search_options *options, ddn_searching **out,
                dodona_error *err);
    void (*close)(ddn_searching *w);
    /* Goes to the start of a sentence. */
    int (*begin)(ddn_searching *w, dodona_error *err);
    /* 1: it has added configurations to the batch; 0: it has ended.
     *
     * With a goal, it looks for a prefix of another derivation that it ranks higher than the goal's
     * prefix.  With goal->early, at the first step at which the goal is not kept (dp: its tree is
     * not); otherwise where the two scores differ most, the longest such prefix. */
    int (*ask)(ddn_searching *w, ddn_batch *b, dodona_error *err);
    /* The configurations of the last ask have been scored. */
    int (*tell)(ddn_searching *w, const ddn_batch *b, dodona_error *err);
    /* At the end, where options->forest: all trees that the search has, as a forest.  The best of
     * them is that of w->state.  NULL: it has no more than one. */
    int (*forest)(const ddn_searching *w, ddn_forest *f, dodona_error *err);
};

#define SEARCH(name) extern const ddn_search ddn_search_##name;
#include "search/searches.def"
#undef SEARCH
extern const ddn_search *const ddn_searches[];

/* Opens the search of that name, or says in words why it does not exist or does not go with this
 * model. */
int ddn_search_open(const char *name, ddn_pass *pass, const ddn_search_options *options,
                    ddn_searching **out, dodona_error *err);
/* Refuses a scorer that learns move by move where trees are built in one order only: it has learnt
 * to build them in any. */
int ddn_search_takes(const ddn_search *search, const ddn_scorer *scorer, dodona_error *err);
/* NULL may be closed, too. */
void ddn_search_close(ddn_searching *w);
/* NULL when there is none of that name. */
const ddn_search *ddn_search_find(const char *name);

/* begin, ask and tell of a search or of the one that does its work. */
int ddn_searching_begin(ddn_searching *w, int sentence, int32_t n, dodona_error *err);
int ddn_searching_ask(ddn_searching *w, ddn_batch *b, dodona_error *err);
int ddn_searching_tell(ddn_searching *w, const ddn_batch *b, dodona_error *err);

/* The longest sentence, in words, that exact search parses by default, or that is used for
 * training. */
int ddn_exact_limit(const ddn_system *system, const char *decoder, bool training);
/* The highest limit that may be asked for, and the bytes that a chart may take. */
enum { DDN_EXACT_MOST = 10000 };
#define DDN_EXACT_MEMORY 1e9

/* For searches: fills what they share, for open; frees it, for close. */
void ddn_searching_init(ddn_searching *w, ddn_pass *pass, const ddn_search_options *options);
void ddn_searching_fini(ddn_searching *w);
/* Adds a move to those that are kept, if they are; a run begins with w->moves = 0. */
int ddn_searching_note(ddn_searching *w, ddn_move m, dodona_error *err);
/* For begin: leaves the sentence to another search over the same pass, opened with keep where w
 * was, which keeps to what is given to w; its result becomes that of w, and fallback is its name.
 */
int ddn_searching_leave(ddn_searching *w, ddn_searching *to, dodona_error *err);

#endif
