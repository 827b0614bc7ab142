/* SPDX-License-Identifier: MIT */
/* oracle.h - how much each move costs against a gold tree.
 *
 * The value of a configuration is the number of gold arcs in the best tree that can be reached from
 * it, arcs already made included.  The cost of a move is how much it lowers that value.  An oracle
 * answers for one gold tree at a time: begin sets it, and any number of questions follow.
 *
 * A path oracle answers only for configurations from which the gold tree itself is reachable, and
 * only says which moves keep it so (cost 0 or 1).  Static and non-deterministic training need no
 * more; training with exploration needs an oracle that answers everywhere.
 *
 * Costs are those of the plain system; where a parser's legality is narrower (one root, no word
 * without a head at the end) they rank the legal moves. */
#ifndef DDN_ORACLE_ORACLE_H
#define DDN_ORACLE_ORACLE_H

#include "system/system.h"

/* The cost of a move after which no final configuration can be reached. */
enum { DDN_COST_DEAD = INT32_MAX };

/* A gold tree, with children in order.  Nodes without children have first[h] == first[h+1]. */
typedef struct ddn_gold {
    int32_t n;
    int32_t *head;   /* [n+1], head[0] = -1 */
    uint16_t *label; /* [n+1] */
    int32_t *first;  /* [n+2] index of the first child of each node in child */
    int32_t *child;  /* [n] the children of 0, then of 1, ... each in order */
    bool projective;
    size_t head_cap, label_cap, first_cap, child_cap;
} ddn_gold;

void ddn_gold_init(ddn_gold *g);
void ddn_gold_fini(ddn_gold *g);
/* head[1..n] must be a tree; label may be NULL. */
int ddn_gold_set(ddn_gold *g, const int32_t *head, const uint16_t *label, int32_t n,
                 dodona_error *err);

/* In which order a word may take its children from the present configuration on (Nederhof 2019,
 * section 2): any, left ones before right ones, the latter with no left child for words below the
 * top, right ones before left ones. */
typedef enum ddn_strategy {
    DDN_STRATEGY_FREE,
    DDN_STRATEGY_LBR,
    DDN_STRATEGY_STRICT_LBR,
    DDN_STRATEGY_RBL,
} ddn_strategy;

/* What kind of answers are wanted; an oracle refuses what its algorithm can't do. */
typedef struct ddn_oracle_options {
    ddn_strategy strategy;
    bool one_root; /* the value is that of the best tree with one root */
    int64_t limit; /* for a search: the most configurations that it visits; 0: its default */
} ddn_oracle_options;

typedef struct ddn_oracle {
    const char *name;    /* after --algorithm */
    const char *summary; /* for --help and refusals */
    bool everywhere;     /* answers off the gold path too */
    bool reference;      /* too slow to be a default */
    bool approximate;    /* its values are bounds: for training, and where it is named */
    bool any_tree;       /* takes every gold tree, also those that the system does not reach */
    bool (*serves)(const ddn_system *system);
    /* Memory of one thread for this oracle; *space is freed by close.  Refuses options that the
     * algorithm can't handle. */
    int (*open)(const ddn_system *system, ddn_oracle_options options, void **space,
                dodona_error *err);
    void (*close)(void *space);
    /* Sets the gold tree, which must live as long as questions are asked, or refuses it in
     * words. */
    int (*begin)(void *space, const ddn_gold *gold, dodona_error *err);
    /* The cost of each of m legal moves (labels do not matter). */
    void (*costs)(void *space, const ddn_state *s, const ddn_move *moves, int32_t m, int32_t *cost);
    /* The value of a configuration, which dodona_oracle_answer needs.  NULL: the oracle only ranks
     * moves, which is enough for training. */
    int32_t (*value)(void *space, const ddn_state *s);
    /* Whether the last question was beyond the limits of the algorithm, so that its answer means
     * nothing.  NULL: that never happens. */
    bool (*gave_up)(const void *space);
    /* For how many questions, since open, moves were compared by a rougher measure than the
     * algorithm's own, which would have taken too long.  NULL: that never happens. */
    int64_t (*tied)(const void *space);
} ddn_oracle;

extern const ddn_oracle *const ddn_oracles[];

/* For open: allocates size bytes, all zero.  Refuses, naming the oracle, all options but the
 * default ones. */
int ddn_oracle_space(const ddn_oracle *o, ddn_oracle_options options, size_t size, void **out,
                     dodona_error *err);

/* For costs: turns values into their differences to the largest, and negative values (dead ends)
 * into DDN_COST_DEAD. */
void ddn_oracle_rank(int32_t *value, int32_t m);

/* The oracle of that name, or the system's first when name is NULL; refuses in words.  everywhere:
 * a path oracle will not do. */
int ddn_oracle_find(const ddn_system *system, const char *name, bool everywhere,
                    const ddn_oracle **out, dodona_error *err);

#endif
