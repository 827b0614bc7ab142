/* SPDX-License-Identifier: MIT */
/* attardi_reach.h - which trees the Attardi family reaches, and their canonical derivation: reduce
 * as soon as the gold tree allows it, by the first rule that does, and shift when none does. */
#ifndef DDN_SYSTEM_ATTARDI_REACH_H
#define DDN_SYSTEM_ATTARDI_REACH_H

#include <stdbool.h>
#include <stdint.h>

/* Whether reducing early is never wrong with these rules; the functions below are right only then.
 * This holds for every listed system. */
bool ddn_attardi_is_eager(uint32_t rules);

/* A configuration of a derivation of the gold tree: all its arcs are gold. */
typedef struct ddn_attardi_path {
    uint32_t rules;
    const int32_t *head; /* [n+1] the gold tree; -1: this word stays on the stack */
    int32_t n;
    int32_t depth, next; /* next goes up to n+1 */
    int32_t *stack;      /* [n+1] */
    int32_t *missing;    /* [n+1] gold children that a node does not have yet */
} ddn_attardi_path;

/* The start; scratch has room for 2(n+1) and becomes stack and missing. */
void ddn_attardi_path_start(ddn_attardi_path *p, uint32_t rules, const int32_t *head, int32_t n,
                            int32_t *scratch);
/* The first rule that makes a gold arc and takes off a word that has all its children; -1: none. */
int ddn_attardi_path_rule(const ddn_attardi_path *p);
/* Makes the canonical move and returns it: the number of a rule, DDN_ATTARDI_ALL_RULES for shift,
 * -1 at the end, where there is none. */
int ddn_attardi_path_step(ddn_attardi_path *p);
/* Makes the canonical moves to the end; returns whether they end in the gold tree. */
bool ddn_attardi_path_ends(ddn_attardi_path *p);

/* Whether a derivation with these rules ends in the tree head[1..n].  Linear; scratch has room for
 * 2(n+1). */
bool ddn_attardi_reaches(uint32_t rules, const int32_t *head, int32_t n, int32_t *scratch);

/* Whether a derivation comes to a configuration: head[1..n] are the arcs made so far, -1 for none,
 * stack and next as in a state, and words from next on have no head. */
bool ddn_attardi_comes_to(uint32_t rules, const int32_t *head, int32_t n, const int32_t *stack,
                          int32_t depth, int32_t next, int32_t *scratch);

#endif
