/* SPDX-License-Identifier: MIT */
/* calibrate.h - calibrates the probabilities of arcs that forests and rivals give: of the arcs with
 * probability p, the fraction p is to be right. */
#ifndef DDN_TRAIN_CALIBRATE_H
#define DDN_TRAIN_CALIBRATE_H

#include "search/search.h"
#include "train/train.h"

/* Probabilities of the arcs that were given, in ten bins of equal width. */
enum { DDN_BINS = 10 };

typedef struct ddn_reliability {
    double p[DDN_BINS]; /* sums */
    int64_t right[DDN_BINS], count[DDN_BINS];
} ddn_reliability;

void ddn_reliability_add(ddn_reliability *r, double p, bool right);
/* Expected calibration error: the mean over arcs of the distance, in their bin, between the mean of
 * p and the fraction that is right. */
double ddn_reliability_error(const ddn_reliability *r);

/* An arc's probability is coverage times what the forest says at that temperature. */
typedef struct ddn_calibration {
    double temperature; /* 0: not known */
    double coverage;    /* how probable it is that a forest has the right arc at all */
} ddn_calibration;

/* Parses dev by a search that has a forest, and finds both numbers. */
int ddn_calibrate(const ddn_model *model, const char *search, const ddn_search_options *options,
                  const ddn_treebank *dev, ddn_calibration *out, dodona_error *err);

/* The same for confidences by rivals (search/rivals.h), with any search; forest has what
 * ddn_calibrate found, or zeros where the search has no forest.  Some hundreds of sentences of dev
 * are parsed. */
int ddn_calibrate_rivals(const ddn_model *model, const char *search,
                         const ddn_search_options *options, const ddn_treebank *dev,
                         const ddn_calibration *forest, ddn_calibration *out, dodona_error *err);

#endif
