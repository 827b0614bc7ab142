/* SPDX-License-Identifier: MIT */
/* runs.h - two files of the same text side by side, though words and sentences differ.
 *
 * A run is the fewest sentences of each, from where the last run ended, that end at the same
 * character.  Mostly that is one of each, with the same words. */
#ifndef DDN_EVAL_RUNS_H
#define DDN_EVAL_RUNS_H

#include "eval/corpus.h"
#include "io/compare.h"

typedef struct ddn_run_side {
    ddn_eval_source from;
    const ddn_sentence *last; /* that was read */
    int64_t read;             /* sentences with words so far */
    ddn_sentence all; /* the sentences of the run in one; several have no comments before them */
    ddn_corpus words; /* where words differ */
} ddn_run_side;

typedef struct ddn_runs {
    ddn_run_side side[2];
    ddn_comparison with; /* of side[0].all with side[1].all */
    ddn_eval_names names;
} ddn_runs;

/* What a source lends is to last until that source is asked again. */
void ddn_runs_init(ddn_runs *r, const ddn_eval_source *first, const ddn_eval_source *second);
void ddn_runs_fini(ddn_runs *r);

/* Reads the next run; 0 at the end of both files.  Fails where the text differs, spaces aside, with
 * the line in the first file, and where a run would have more than DODONA_MAX_WORDS. */
int ddn_runs_next(ddn_runs *r, dodona_error *err);

#endif
