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

#include "core/arena.h"
#include "system/system.h"

/* The cost of a move after which no final configuration can be reached. */
enum { DDN_COST_DEAD = INT32_MAX };

/* Words of a sentence up to which training asks an oracle that rereads it; longer ones are learnt
 * along their gold derivation. */
enum { DDN_REREAD_WORDS = 2000 };

/* A gold tree, with children in order.  Nodes without children have first[h] == first[h+1]. */
typedef struct ddn_gold {
    int32_t n;
    int32_t *head;   /* [n+1], head[0] = -1 */
    uint16_t *label; /* [n+1] */
    int32_t *first;  /* [n+2] index of the first child of each node in child */
    int32_t *child;  /* [n] the children of 0, then of 1, ... each in order */
    bool projective;
    ddn_arena arena;
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

/* What every oracle keeps for one thread; its own space begins with it. */
typedef struct ddn_oracle_space {
    const struct ddn_oracle *oracle;
    const ddn_system *system;
    ddn_oracle_options options;
    const ddn_gold *gold;
    bool gave_up;    /* the last question was beyond its limits, and the answer means nothing */
    int64_t tied;    /* for how many questions, since open, moves were compared by a rougher measure
                      * than the algorithm's own, which would have taken too long */
    ddn_state after; /* a configuration after a move, where `tries` */
    ddn_arena arena; /* for begin */
} ddn_oracle_space;

typedef struct ddn_oracle {
    const char *name;    /* after --algorithm */
    const char *summary; /* for --help and refusals */
    bool everywhere;     /* answers off the gold path too */
    bool reference;      /* too slow to be a default */
    bool approximate;    /* its values are bounds: for training, and where it is named */
    bool any_tree;       /* takes every gold tree, also those that the system does not reach */
    bool one_root;       /* takes this option, */
    bool strategies;     /* and every strategy */
    bool gives_up;       /* some questions are beyond its limits */
    bool rereads;        /* every question takes time in proportion to the sentence */
    bool tries;          /* needs ddn_oracle_space.after */
    int32_t max_words;   /* of a sentence; 0: any number */
    size_t size;         /* of its space, which is all zero at first */
    bool (*serves)(const ddn_system *system);
    /* The gold tree has been set: takes arrays from the arena, which is empty, or refuses the tree
     * in words.  NULL: there is nothing to do. */
    int (*begin)(void *space, dodona_error *err);
    /* Frees what is in the space, but for its beginning.  NULL: nothing is to be freed. */
    void (*fini)(void *space);
    /* The cost of each of m legal moves (labels do not matter). */
    void (*costs)(void *space, const ddn_state *s, const ddn_move *moves, int32_t m, int32_t *cost);
    /* The value of a configuration, which dodona_oracle_answer needs; negative: no final one can be
     * reached.  NULL: the oracle only ranks moves, which is enough for training. */
    int32_t (*value)(void *space, const ddn_state *s);
} ddn_oracle;

extern const ddn_oracle *const ddn_oracles[];

/* The oracle of that name, or the system's first when name is NULL; refuses in words.  everywhere:
 * a path oracle will not do. */
int ddn_oracle_find(const ddn_system *system, const char *name, bool everywhere,
                    const ddn_oracle **out, dodona_error *err);

/* Memory of one thread for an oracle.  Refuses options that the algorithm can't handle. */
int ddn_oracle_open(const ddn_oracle *o, const ddn_system *system, ddn_oracle_options options,
                    ddn_oracle_space **out, dodona_error *err);
/* NULL may be closed, too. */
void ddn_oracle_close(ddn_oracle_space *w);
/* Sets the gold tree, which must live as long as questions are asked, or refuses it in words. */
int ddn_oracle_begin(ddn_oracle_space *w, const ddn_gold *gold, dodona_error *err);

/* ---- For oracles ---- */

/* Turns values into their differences to the largest, and negative values (dead ends) into
 * DDN_COST_DEAD. */
void ddn_oracle_rank(int32_t *value, int32_t m);
/* Turns losses into their differences to the smallest. */
void ddn_oracle_rank_losses(int32_t *loss, int32_t m);
/* An oracle's costs by the values after each move; none are set where it gives up. */
void ddn_oracle_try(void *space, const ddn_state *s, const ddn_move *moves, int32_t m,
                    int32_t *cost);
/* Gold arcs that s has. */
int32_t ddn_oracle_made(const ddn_gold *gold, const ddn_state *s);

#endif
