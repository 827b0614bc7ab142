/* SPDX-License-Identifier: MIT */
/* pipeline.h - training the parts of a pipeline into one model: tokenizer, tagger and lemmatizer,
 * and a parser that is trained on predicted tags; some of them, or all. */
#ifndef DDN_TRAIN_PIPELINE_H
#define DDN_TRAIN_PIPELINE_H

#include "train/train.h"

typedef struct ddn_pipeline_options {
    int steps;                  /* of DODONA_STEP_*: the parts that are trained, */
    const ddn_model_file *into; /* and the model that the others come from; NULL: none */
    int folds;                  /* of jackknifing; 0: the parser learns from gold tags */
    const char *stage;          /* file for what is done before the parser; NULL: none */
} ddn_pipeline_options;

/* Trains as ddn_train does, after the other parts.  Dev is parsed with the tags of the model's
 * tagger, where it has one.  What is done before the parser is kept in the stage file until all is
 * done, so that a run that goes on from a checkpoint does not do it again. */
int ddn_train_pipeline(const ddn_train_options *o, const ddn_pipeline_options *p,
                       const ddn_treebank *train, const ddn_treebank *dev, const char *path,
                       ddn_train_result *result, dodona_error *err);

#endif
