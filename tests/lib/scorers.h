/* SPDX-License-Identifier: MIT */
/* scorers.h - toy scorers, one for each set of heads that a search may ask for.  Scores are known
 * functions, hashes of a seed and of what they depend on, and integers.
 *
 *   moves   transition types and labels, from words, labels and numbers of children in a view
 *   arcs    arcs alone: no search over configurations goes with it
 *   both    arcs, and moves, which score their arcs and nothing else
 *   pairs   the same, and moves score pairs of words beside their arcs
 *
 * All depend on the whole text of the sentence, as a network does that encodes words in their
 * context: of two sentences that differ anywhere, no two scores need be the same.  A sentence may
 * also be a mere number of words.
 *
 * Each function is given twice: off views, as a search asks for it, and off the configuration. */
#ifndef DDN_TESTS_SCORERS_H
#define DDN_TESTS_SCORERS_H

#include "model/scorer.h"

typedef enum test_toy_kind {
    TEST_TOY_MOVES,
    TEST_TOY_ARCS,
    TEST_TOY_BOTH,
    TEST_TOY_PAIRS,
    TEST_TOYS
} test_toy_kind;

typedef struct test_toy {
    ddn_model base; /* first */
    test_toy_kind kind;
    ddn_schema schema;
    ddn_layout layout;
    bool few;             /* moves: s0, s1 and q0 are seen and nothing else, as dp needs it */
    uint64_t seed;        /* may be changed between sentences, and so may */
    uint64_t range;       /* of scores, which are around 0: small ones make ties */
    bool labels_are_free; /* their scores are 0, and label 0 the best */
} test_toy;

/* Arcs may have any of the labels.  Fails the running test when it can't. */
void test_toy_init(test_toy *t, test_toy_kind kind, const ddn_system *system, int labels);
/* A toy of moves that sees s0, s1 and q0 alone. */
void test_toy_init_few(test_toy *t, const ddn_system *system, int labels);
void test_toy_fini(test_toy *t);

/* What all scores of a sentence depend on. */
uint32_t test_context(const ddn_sentence *s);

/* ---- Off the configuration ---- */

/* Of a move's type, of its label, and the label that the toy likes best. */
ddn_score test_score_of_move(const test_toy *t, uint32_t context, const ddn_state *s, ddn_move m);
ddn_score test_score_of_label(const test_toy *t, uint32_t context, const ddn_state *s, ddn_move m,
                              int32_t label);
uint16_t test_best_label(const test_toy *t, uint32_t context, const ddn_state *s, ddn_move m);

/* Of an arc, for toys that score arcs. */
ddn_score test_score_of_arc(const test_toy *t, uint32_t context, ddn_arc arc);
ddn_score test_score_of_arc_label(const test_toy *t, uint32_t context, ddn_arc arc, int32_t label);
uint16_t test_best_arc_label(const test_toy *t, uint32_t context, ddn_arc arc);

#endif
