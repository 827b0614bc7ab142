/* SPDX-License-Identifier: MIT */
/* rivals.h - what else the model might have done with each word of a tree that a search found, and
 * how probable the tree's arcs are by that.
 *
 * The derivation of the tree is made again, and at each configuration every legal move is scored.
 * Each move that was not made is a turn that might have been taken.  The DDN_TURNS closest ones are
 * taken, and the sentence is parsed on greedily: the turn is a rival for the words that get another
 * head.  A turn further behind is a rival for the word whose arc the move made, and for the one to
 * which the other move would have given another head.  Where a search finds trees and makes no
 * moves, the rivals are the other heads of a word in the table of arc scores.
 *
 * A rival that is x behind has the weight exp(-x / temperature), and the odds against the arc of a
 * word are the sum over its rivals. */
#ifndef DDN_SEARCH_RIVALS_H
#define DDN_SEARCH_RIVALS_H

#include "search/candidates.h"
#include "search/search.h"

#include <math.h>

enum { DDN_TURNS = 24 };

typedef struct ddn_rival {
    int32_t child;
    double behind; /* 0 where the rival scores higher */
} ddn_rival;

/* A move that might have been made at a step of the derivation. */
typedef struct ddn_turn {
    double behind;
    size_t step;
    int32_t order; /* among the legal moves there */
    ddn_move move;
    int32_t own, other; /* the word whose arc was made there, and the one that this would give
                           another head; 0: none */
} ddn_turn;

typedef struct ddn_rivals {
    ddn_candidates candidates;
    ddn_batch batch;
    ddn_state state;
    ddn_turn *turn; /* [turns] */
    size_t turns, turn_cap;
    ddn_rival *rival; /* [count] */
    size_t count, capacity;
    ddn_arena arena;
} ddn_rivals;

void ddn_rivals_init(ddn_rivals *r, ddn_pass *pass);
void ddn_rivals_fini(ddn_rivals *r);

/* After a run of w, which keeps its moves (keeps_moves), while its pass has the sentence. */
int ddn_rivals_find(ddn_rivals *r, const ddn_searching *w, dodona_error *err);

/* odds[d], for d = 1..n. */
void ddn_rivals_odds(const ddn_rivals *r, int32_t n, double temperature, double *odds);

/* The probability of an arc up to a factor: from the odds against it alone; or from what a forest
 * says (q), which the odds refine.  The powers were chosen on en_ewt (docs/results.md). */
static inline double ddn_confidence(bool has_forest, double q, double odds)
{
    return has_forest ? q * pow(1 + odds, -0.125) : pow(1 + odds, -0.5);
}

#endif
