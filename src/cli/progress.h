/* SPDX-License-Identifier: MIT */
/* progress.h - how far long work has come, on standard error.
 *
 * On a terminal a line that is redrawn: a bar where the end is known, the rate, the time left.
 * Elsewhere sparse lines: one for each iteration of training, one now and then for parsing. */
#ifndef DDN_CLI_PROGRESS_H
#define DDN_CLI_PROGRESS_H

#include "dodona.h"
#include <stdbool.h>

typedef struct ddn_progress {
    bool quiet;
    bool terminal;      /* redraw */
    bool drawn;         /* a line that is to be redrawn stands there */
    bool said;          /* parsing: something was shown */
    bool dev;           /* training: there is a dev treebank */
    const char *before; /* training: what was shown last of what comes before the parser */
    double before_began;
    double began, shown;
    int iteration; /* training: the present one */
    int first;     /* training: the first of this run, later than 1 when it was resumed */
    double iteration_began;
    int64_t sentences, words;                 /* of the last report, with */
    int64_t earlier_sentences, earlier_words; /* those of streams before */
} ddn_progress;

/* Standard output may be the same terminal: then nothing is drawn between its lines. */
void ddn_progress_init(ddn_progress *p, bool quiet, bool prints_output);

/* Both are a dodona_report without its promise to stop: they return nothing. */
void ddn_progress_train(ddn_progress *p, const dodona_progress *now);
/* part: how much of the input has been read, from 0 to 1; negative: that is not known. */
void ddn_progress_parse(ddn_progress *p, const dodona_progress *now, double part);
/* Another stream begins, whose reports count from 0. */
void ddn_progress_next(ddn_progress *p);

/* Wipes the line that is redrawn, before anything else is printed. */
void ddn_progress_clear(ddn_progress *p);
/* Seconds since init. */
double ddn_progress_seconds(const ddn_progress *p);
/* For parsing: the last line, where any was shown. */
void ddn_progress_end(ddn_progress *p);

#endif
