/* SPDX-License-Identifier: MIT */
/* perceptron.h - the averaged perceptron: what its files share.
 *
 *   linear.c             weights by key, frozen or learning
 *   perceptron.c         the model: created, opened, saved; the head for words
 *   perceptron_moves.c   a pass over templates that see configurations
 *   perceptron_arcs.c    a pass over templates that see arcs, and its tables for exact search */
#ifndef DDN_MODEL_PERCEPTRON_H
#define DDN_MODEL_PERCEPTRON_H

#include "model/features.h"
#include "model/linear.h"
#include "model/scorer.h"

/* The templates for moves that see a pair of places, and their atoms. */
typedef struct ddn_pair_plan {
    int templates, atoms;
    uint8_t template[DDN_MAX_TEMPLATES], atom[DDN_MAX_ATOMS];
} ddn_pair_plan;

typedef struct ddn_perceptron {
    ddn_model base; /* first */
    ddn_linear linear;
    char part[DDN_MAX_SECTION_NAME];
    /* ---- Of a parser ---- */
    ddn_features features;
    const char *text; /* of the templates */
    size_t text_size;
    ddn_reads reads;
    /* ---- Where templates see arcs ---- */
    int head_slot, child_slot;
    uint32_t deep;                   /* types that take s2, or what is below it, off the stack */
    bool sees_s2[DDN_MAX_TEMPLATES]; /* or below it */
    ddn_pair_plan pair[DDN_PAIRS];   /* with the head for pairs */
    int bad_template; /* without that head: the line of a template that reads more than a pair; 0:
                         none */
    const char *why;  /* and why */
} ddn_perceptron;

enum { DDN_SUM_LANES = 4 }; /* sums that are added together */

enum { DDN_SUMMED_NONE = -1, DDN_SUMMED_ARC = -2 }; /* summed */

/* What every pass has. */
typedef struct ddn_perceptron_pass {
    ddn_pass base; /* first */
    const ddn_perceptron *model;
    const struct ddn_pass_table *table;
    ddn_encodings encoded;
    ddn_updates updates;
    int32_t *sum;   /* [classes], and room up to a multiple of DDN_SUM_LANES */
    int32_t summed; /* the query whose classes are in sum; negative: none, or an arc */
    int room;       /* queries of a call that there is memory for, */
    ddn_arena queries;
    ddn_arena cache; /* and what is kept from call to call */
} ddn_perceptron_pass;

/* The two kinds of passes over a parser's templates. */
typedef struct ddn_pass_table {
    size_t size;                                               /* of the pass */
    void (*init)(ddn_perceptron_pass *p, ddn_breadth breadth); /* NULL: nothing to do */
    /* Memory for so many queries in a call: from p->queries, which is empty, and p->cache. */
    void (*reserve)(ddn_perceptron_pass *p, size_t queries);
    void (*moves)(ddn_perceptron_pass *p, const ddn_query *query, int m, ddn_score *score);
    /* The sums of all labels of an arc, [labels]. */
    const int32_t *(*labels)(ddn_perceptron_pass *p, const ddn_arc_query *q);
    int (*learn_move)(ddn_perceptron_pass *p, int32_t query, const ddn_adjoint *d, int m,
                      dodona_error *err);
    int (*learn_label)(ddn_perceptron_pass *p, const ddn_arc_query *q, const ddn_adjoint *d, int m,
                       dodona_error *err);
} ddn_pass_table;

extern const ddn_pass_table ddn_pass_by_moves, ddn_pass_by_arcs;

/* Where templates see arcs: sets the fields of the model that follow from them. */
void ddn_perceptron_plan_arcs(ddn_perceptron *m);
int ddn_perceptron_arcs(ddn_pass *p, int sentence, ddn_score *w, uint16_t *label,
                        dodona_error *err);
void ddn_perceptron_pairs(ddn_pass *p, int sentence, const ddn_pair_scores *to);

#endif
