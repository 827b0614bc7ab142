/* SPDX-License-Identifier: MIT */
/* evaluate.h - all that can be said about systems against gold, and how it is printed. */
#ifndef DDN_EVAL_EVALUATE_H
#define DDN_EVAL_EVALUATE_H

#include "core/output.h"
#include "eval/breakdown.h"
#include "eval/replaced.h"
#include "eval/significance.h"

typedef struct ddn_eval_settings {
    bool no_punct;     /* leave gold UPOS PUNCT out of the attachment scores */
    bool analysis;     /* make the breakdowns */
    const char *trace; /* with analysis: a file of the first system's moves; NULL: none */
    int64_t trials;
    uint64_t seed;
} ddn_eval_settings;

typedef struct ddn_eval_result {
    char *name;
    ddn_count metric[DDN_METRICS];
    ddn_accuracy accuracy[DDN_ACCURACIES];
    ddn_breakdown breakdown; /* empty without analysis */
    bool traced;             /* the first system's moves are known */
    ddn_replaced replaced;
    ddn_test test[DDN_TESTS]; /* of the first system against this one; of the first: zeros */
} ddn_eval_result;

typedef struct ddn_evaluation {
    ddn_eval_settings settings;
    ddn_eval_names names;
    int systems;
    ddn_eval_result *result; /* [systems] */
} ddn_evaluation;

/* Reads gold, then each system, and scores.  system has one source or more.  To fini also after a
 * failure. */
int ddn_evaluate(ddn_evaluation *e, const ddn_eval_settings *settings, const ddn_eval_source *gold,
                 const ddn_eval_source *system, int systems, dodona_error *err);
void ddn_evaluation_fini(ddn_evaluation *e);

/* Tables for people; the first has the layout of the official scorer's. */
void ddn_evaluation_put_table(ddn_output *o, const ddn_evaluation *e);
/* One JSON object and a newline. */
void ddn_evaluation_put_json(ddn_output *o, const ddn_evaluation *e);

#endif
