/* SPDX-License-Identifier: MIT */
/* scorer.h - how good each move looks to a model.
 *
 * A scorer offers facets, and a search names those that it needs:
 *   STATES  scores of the kinds of moves in a configuration, and the best label of a kind;
 *   ARCS    one score for every possible arc of a sentence, for exact search and decoding.
 * Structure comes before labels: kinds are scored first, and a label only when an arc is made.
 *
 * A scoring is a scorer at work on one thread, bound to its weights.  begin reads the sentences
 * of a batch once (a recurrent encoder computes its vectors there); kinds takes several views at a
 * time (the beam, or the candidates of one configuration; views of one configuration say so by
 * their field back, and what does not depend on p is scored once); label and label_score speak of a
 * view of the last call of kinds.  reserve and begin make room, so that the others can't fail.
 *
 * Scores are doubles.  The perceptron's are sums of integers and therefore exact. */
#ifndef DDN_MODEL_SCORER_H
#define DDN_MODEL_SCORER_H

#include "model/encode.h"
#include "system/attardi_rules.h"
#include "system/system.h"
#include "tree/sentence.h"

typedef double ddn_score;

enum { DDN_FACET_STATES = 1, DDN_FACET_ARCS = 2 };

typedef struct ddn_scorer ddn_scorer;

/* Scores of kinds of moves as sums over pairs of places of the stack and the buffer (ddn_pair):
 * score[kind][pair] is [a + 1][b + 1] for words a and b at the places, -1 where the stack has none
 * and n + 1 where the buffer is empty.  What can't be seen together is not filled.  Kinds that do
 * not make an arc do not see s2. */
typedef struct ddn_pair_scores {
    size_t stride; /* n + 3 */
    ddn_score *score[DDN_MAX_KINDS][DDN_PAIRS];
} ddn_pair_scores;

typedef struct ddn_scoring {
    const ddn_scorer *scorer;
    const ddn_layout *layout; /* what the views of kinds must hold */
    /* What is read there, where templates say so; NULL: all that can be seen of these words. */
    const ddn_templates *templates;
} ddn_scoring;

struct ddn_scorer {
    const char *name;
    unsigned facets;
    void (*close)(ddn_scoring *g);
    /* Makes room for that many views in a call of kinds. */
    int (*reserve)(ddn_scoring *g, int views, dodona_error *err);
    /* Reads m sentences. */
    int (*begin)(ddn_scoring *g, const ddn_sentence *const *s, int m, dodona_error *err);
    /* Sentence which as the templates read it; NULL where there are none. */
    const ddn_encoded *(*encoded)(const ddn_scoring *g, int which);
    /* score[v * DDN_MAX_KINDS + k] for each view v of sentence which, and each kind k. */
    void (*kinds)(ddn_scoring *g, int which, const ddn_view *views, int m, ddn_score *score);
    /* The best label for the arc that a move of that kind makes, in view v of the last call, and
     * its score. */
    uint16_t (*label)(ddn_scoring *g, int v, int kind, ddn_arc arc, ddn_score *score);
    /* The score of a given label there. */
    ddn_score (*label_score)(ddn_scoring *g, int v, int kind, uint16_t label);
    /* ---- With DDN_FACET_ARCS: the same scores as tables, for exact search ---- */
    /* 0: the score of every move is that of its arc; 1: that and what pairs gives.  Refuses what is
     * otherwise in words; without pairs, also 1. */
    int (*decompose)(ddn_scoring *g, bool pairs, dodona_error *err);
    /* w[h * (n + 1) + d] for arcs h -> d of sentence which, with the best label, which goes to
     * label[h * (n + 1) + d]. */
    void (*arcs)(ddn_scoring *g, int which, ddn_score *w, uint16_t *label);
    /* The same for one arc with a given label, directly after arcs of that sentence. */
    ddn_score (*arc)(ddn_scoring *g, int which, ddn_arc arc, uint16_t label);
    /* What kinds of moves earn beside their arcs, where decompose said 1. */
    void (*pairs)(ddn_scoring *g, int which, const ddn_pair_scores *to);
};

#endif
