/* SPDX-License-Identifier: MIT */
/* constraint.h - constrained parsing: heads and labels that are given beforehand, and the moves
 * that respect them.
 *
 * A search that keeps to them asks, at every configuration, which of the legal moves still lead to
 * a tree with all given heads.  Such a tree can be reached from the start, and at each
 * configuration at least one move keeps one within reach; so the search is never stuck and needs no
 * backtracking.
 *
 *     ddn_constraint_begin(c, head, label, n, &word, err)   refuses what contradicts itself
 *     m = ddn_constraint_filter(c, s, moves, m)             as often as wanted: it can't fail
 *
 * A search over arcs needs no moves: it reads head[], and forbids the arcs that
 * ddn_constraint_allows does not allow. */
#ifndef DDN_SEARCH_CONSTRAINT_H
#define DDN_SEARCH_CONSTRAINT_H

#include "chart/split.h"
#include "core/arena.h"
#include "model/scorer.h"
#include "system/system.h"

/* Values for a head that is not given: any head is allowed, or any but 0. */
enum { DDN_HEAD_OPEN = -1, DDN_HEAD_WORD = -2 };
/* And for a label: any is allowed, or one is given that the scorer does not know. */
enum { DDN_LABEL_OPEN = -1, DDN_LABEL_UNKNOWN = -2 };

typedef struct ddn_constraint {
    const ddn_system *system;
    ddn_roots roots;
    bool heads;     /* some are given: moves are filtered */
    int32_t n;      /* 0: nothing is given */
    int32_t *head;  /* [n+1] given, or one of the two above */
    int32_t *label; /* [n+1] the scorer's number, or one of the two above */
    /* Set by the caller: by label, the arcs (DDN_LABEL_OF_ROOT, DDN_LABEL_OF_WORD) on which a word
     * of which something is given may have it.  NULL: the label that scores best. */
    const uint8_t *uses; /* [labels] */
    int32_t labels;
    /* The rest is scratch. */
    ddn_state after;
    bool *held;      /* [n+1] whether it is the given head of a word */
    int32_t *item;   /* [n+2] constraint_stack.c: stack and buffer; constraint_pairs.c: a queue;
                        constraint_rules.c: a stack */
    int32_t *place;  /* [n+1] the item that a word belongs to, -1: none; a mark there; a number */
    uint8_t *sides;  /* [n+1] the sides on which the word can still take children */
    uint8_t *kind;   /* [n+2] */
    int32_t *weight; /* [items][items] */
    int32_t *root;   /* [n+1] constraint_pairs.c: of each word's tree; constraint_rules.c: a mark */
    int32_t *loose;  /* [n+1] constraint_pairs.c: words that are open */
    ddn_split_plan plan;
    ddn_split_max chart;
    ddn_arena arena; /* all arrays: of one sentence */
} ddn_constraint;

/* Refuses a system without a family: it is not known which trees its configurations lead to. */
int ddn_constraint_open(const ddn_system *system, ddn_roots roots, ddn_constraint **out,
                        dodona_error *err);
void ddn_constraint_close(ddn_constraint *c); /* NULL is allowed */

/* Takes what is given of the next sentence; n = 0: nothing.  Where no tree of the system has all
 * the given heads it says why, and *word is the word that causes it, 0 where there is no such
 * word. */
int ddn_constraint_begin(ddn_constraint *c, const int32_t *head, const int32_t *label, int32_t n,
                         int32_t *word, dodona_error *err);

/* Keeps, of m > 0 legal moves in s, those after which a tree with all given heads can be reached;
 * returns how many.  Such a tree must be within reach of s. */
int32_t ddn_constraint_filter(ddn_constraint *c, const ddn_state *s, ddn_move *moves, int32_t m);

/* Whether what is given of the child allows the arc. */
static inline bool ddn_constraint_allows(const ddn_constraint *c, int32_t head, int32_t child)
{
    int32_t given = c->head[child];
    return given >= 0 ? given == head : given == DDN_HEAD_OPEN || head > 0;
}

/* Whether an arc may have the label that scores best. */
bool ddn_constraint_takes(const ddn_constraint *c, ddn_arc arc, uint16_t liked);
/* Where it may not: the given label, or the best that is allowed; score[label]. */
uint16_t ddn_constraint_label(const ddn_constraint *c, ddn_arc arc, uint16_t liked,
                              const ddn_score *score);

/* ---- Between the files of the constraint: whether s still leads to such a tree ---- */

int ddn_constraint_stack_room(ddn_constraint *c, int32_t n, dodona_error *err);
bool ddn_constraint_stack_alive(ddn_constraint *c, const ddn_state *s);
bool ddn_constraint_pairs_alive(ddn_constraint *c, const ddn_state *s);
bool ddn_constraint_rules_alive(ddn_constraint *c, const ddn_state *s);

#endif
