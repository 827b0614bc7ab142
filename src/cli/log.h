/* SPDX-License-Identifier: MIT */
/* log.h - train --log: how a training goes, as JSON lines (docs/training.md). */
#ifndef DDN_CLI_LOG_H
#define DDN_CLI_LOG_H

#include "dodona.h"
#include <stdio.h>

typedef struct ddn_log {
    FILE *file; /* NULL: there is no log, and nothing is written */
    const char *path;
    double began;
} ddn_log;

/* Lines are added to what the file has, each as soon as it is known.  path NULL: no log. */
int ddn_log_open(ddn_log *l, const char *path, dodona_error *err);
/* Training begins; dev may be NULL. */
void ddn_log_start(ddn_log *l, const char *model, const char *train, const char *dev);
/* A report of training, where something has ended or is warned of. */
void ddn_log_progress(ddn_log *l, const dodona_progress *now);
/* Training has ended, with a parser where result->best. */
void ddn_log_end(ddn_log *l, const char *model, const dodona_train_result *result);
int ddn_log_close(ddn_log *l, dodona_error *err);

#endif
