/* SPDX-License-Identifier: MIT */
/* system.h - a transition system: which moves a configuration has, and what they do.
 *
 * A system is a constant table of functions; systems.def lists them all.  Everything that walks
 * systems (the command, the model loader, the oracles' tests) walks that list, so a new system is
 * one file and one line.
 *
 * A move has a transition type (its kind), a label where that makes an arc, and a position where
 * the system has several moves of a type (the node on the spine in LR-spine; -1 elsewhere).  Kinds
 * are numbered in the order of the table.  The static oracle prefers them in this order: of the
 * moves that keep the gold tree within reach it takes that of the first kind.
 *
 * Legality ensures that every derivation ends, and that it ends in a tree (with one root when
 * state->roots says so).  Nothing is repaired afterwards. */
#ifndef DDN_SYSTEM_SYSTEM_H
#define DDN_SYSTEM_SYSTEM_H

#include "system/state.h"
#include "system/view.h"

enum { DDN_MAX_KINDS = 16 };

/* Systems of a family have the same kinds, numbered as in kinds.h (the Attardi family: as its rules
 * say), and come to the same sorts of configurations.  Oracles, given heads (search/constraint.h)
 * and the check of configurations that a caller writes down (api/oracle.c) are for a family. */
typedef enum ddn_family {
    DDN_FAMILY_NONE, /* a system on its own: of the oracles, only `search` serves it */
    DDN_FAMILY_STANDARD,
    DDN_FAMILY_HYBRID,
    DDN_FAMILY_EAGER,
    DDN_FAMILY_SPINE,
    DDN_FAMILY_COVINGTON,
    DDN_FAMILY_ATTARDI
} ddn_family;

typedef struct ddn_move {
    uint8_t kind;
    uint16_t label;
    int32_t pos;
} ddn_move;

typedef struct ddn_kind {
    const char *name; /* as the command line and traces write it */
    bool makes_arc;
    bool waits; /* neither makes an arc nor reads a word */
} ddn_kind;

typedef struct ddn_arc {
    int32_t head, child;
} ddn_arc;

/* What legality reads of a configuration in a system with dynamic programming: so little that every
 * item of the dynamic program can keep it. */
typedef struct ddn_facts {
    int32_t n, next;
    ddn_roots roots;
    int depth;       /* elements on the stack, 0 counted; 3 stands for more too */
    bool headed;     /* the top of the stack has a head, the element below it */
    bool headless;   /* a word on the stack has none */
    bool root_taken; /* 0 has a child */
} ddn_facts;

enum { DDN_MANY = 3 }; /* ddn_facts.depth */
typedef enum ddn_joint {
    DDN_JOINT_S1,
    DDN_JOINT_S0,
    DDN_JOINT_Q0
} ddn_joint; /* from left to right */

/* What moves do, described for dynamic programming (search/kernel.h).  A transition type pushes the
 * next word or removes one from the stack.  A word that is removed is complete and has its head;
 * where the arc was made when the word was pushed, as in arc-eager, its removal names the same arc
 * again. */
typedef struct ddn_joining {
    struct {
        bool pushes;
        bool arc;            /* a push: makes an arc.  Others always have one */
        uint8_t head, child; /* ddn_joint; child is what is removed or pushed */
    } effect[DDN_MAX_KINDS];
    /* The canonical order of moves: by kind, a mask of the kinds that do not follow it.  Of the
     * derivations of a tree, exactly one keeps to this order, and none that keeps to it runs into a
     * dead end. */
    uint32_t not_after[DDN_MAX_KINDS];
    /* Kinds that this order uses only where no other leads to the tree. */
    uint32_t late;
    /* Where the system does not clear the stack: the kind that does so when the buffer is empty, so
     * that all derivations have 2n moves; it makes no arc and its score is 0.  -1: none. */
    int closing;
    bool headless, root_taken; /* facts that legality reads */
    uint32_t (*legal)(const ddn_facts *f);
} ddn_joining;

typedef struct ddn_system {
    const char *name; /* on the command line and in model files */
    const char *cite;
    /* Names of built-in template sets: */
    const char *templates;           /* the usual one; NULL: that of the system's name */
    const char *templates_predicted; /* for greedy search over predicted tags; NULL: the usual */
    const char *templates_exact;     /* for exact search; NULL: "arcs" */
    const char *decoder;             /* that of exact search (chart/decode.h); NULL: none */
    ddn_family family;
    bool nonmonotonic; /* moves may replace arcs */
    bool projective;   /* reaches projective trees only */
    bool forest;       /* a word without a head at the end is a child of the root */
    uint32_t rules;    /* the Attardi family: its reduce transitions (attardi_rules.h) */
    int kinds;
    ddn_kind kind[DDN_MAX_KINDS];
    int shift; /* the kind that reads the next word and makes no arc */

    /* Bit k set: a move of kind k is legal. */
    uint32_t (*legal)(const ddn_state *s);
    /* The legal positions of a legal kind, at most s->n + 1 of them; returns how many.  NULL: each
     * kind is one move, with position -1. */
    int32_t (*positions)(const ddn_state *s, int kind, int32_t *pos);
    /* The arc that a legal move of a kind with makes_arc would make; head -1: it makes none in this
     * configuration. */
    ddn_arc (*arc)(const ddn_state *s, int kind, int32_t pos);
    /* Makes a legal move; undo may be NULL. */
    void (*apply)(ddn_state *s, ddn_move m, ddn_undo *undo);
    bool (*final)(const ddn_state *s);
    /* The most moves a sentence of n words can take. */
    int64_t (*max_moves)(int32_t n);
    const ddn_joining *joining; /* NULL: no dynamic programming */
} ddn_system;

/* All systems, in the order of systems.def, and NULL. */
extern const ddn_system *const ddn_systems[];

/* By name, also that of a variant, as "attardi:3"; the Attardi family also by its rules,
 * "s1<s0+s0<s1".  NULL when there is none. */
const ddn_system *ddn_system_find(const char *name);
/* The same; *out is the system.  DODONA_E_ARGUMENT: there is none, with a name that is near or the
 * list of all. */
int ddn_system_get(const char *name, const ddn_system **out, dodona_error *err);

ddn_facts ddn_system_facts(const ddn_state *s);

/* final and max_moves of systems that push every word once and take it off the stack once. */
bool ddn_final_root_alone(const ddn_state *s);
int64_t ddn_max_two_a_word(int32_t n);

/* A class of trees: those that a set of Attardi's rules reaches, the projective ones, or all. */
typedef struct ddn_reach {
    uint32_t rules;
    bool projective;
} ddn_reach;

static inline ddn_reach ddn_system_reach(const ddn_system *system)
{
    return (ddn_reach){ system->rules, system->projective };
}

/* Whether there are trees outside it. */
static inline bool ddn_reach_is_partial(ddn_reach r)
{
    return r.projective || r.rules;
}

/* Whether it has the tree head[1..n].  Linear; scratch has room for 2(n+1). */
bool ddn_reach_has(ddn_reach r, const int32_t *head, int32_t n, int32_t *scratch);

/* The first system, listed or a variant, that reaches just these trees; NULL: there is none. */
const ddn_system *ddn_system_reaching(ddn_reach r);

/* Whether there are trees that a system does not reach, and whether it reaches a tree. */
static inline bool ddn_system_is_partial(const ddn_system *system)
{
    return ddn_reach_is_partial(ddn_system_reach(system));
}
static inline bool ddn_system_reaches(const ddn_system *system, const int32_t *head, int32_t n,
                                      int32_t *scratch)
{
    return ddn_reach_has(ddn_system_reach(system), head, n, scratch);
}

/* The head of a word in the tree that a final configuration stands for; -1: none, which happens
 * only in the plain systems. */
static inline int32_t ddn_system_head(const ddn_system *system, const ddn_state *s, int32_t word)
{
    int32_t head = s->node[word].head;
    return head < 0 && system->forest ? 0 : head;
}

/* The arc that a legal move makes; its head is -1 where it makes none. */
ddn_arc ddn_system_arc(const ddn_system *system, const ddn_state *s, ddn_move m);

/* Every legal move by kind and position, without labels.  moves has room for ddn_moves_room(system,
 * n). */
int32_t ddn_system_moves(const ddn_system *system, const ddn_state *s, ddn_move *moves,
                         int32_t *scratch);
int32_t ddn_moves_room(const ddn_system *system, int32_t n);

/* A move's name, as the command line and traces write it: its kind's, and after a colon its place,
 * from 1, among the positions of the kind; place 0: none.  Returns buf. */
enum { DDN_MOVE_NAME = 48 };
const char *ddn_move_name(const ddn_system *system, int kind, int32_t place,
                          char buf[DDN_MOVE_NAME]);

#endif
