/* SPDX-License-Identifier: MIT */
/* significance.h - is one parser better than the other, or was it luck?  A paired randomisation
 * test over sentences. */
#ifndef DDN_EVAL_SIGNIFICANCE_H
#define DDN_EVAL_SIGNIFICANCE_H

#include "eval/ud_score.h"

enum { DDN_TEST_UAS, DDN_TEST_LAS, DDN_TESTS };

/* What one gold sentence adds to the counts of the two systems. */
typedef struct ddn_stratum {
    int32_t correct[2][DDN_TESTS]; /* [system][score] */
    int32_t words[2];              /* counted words of the system in the text of the sentence */
} ddn_stratum;

/* out has room for a stratum for every gold sentence, of which both alignments have the same. */
void ddn_strata(const ddn_alignment *first, const ddn_alignment *second, bool no_punct,
                ddn_stratum *out);

typedef struct ddn_test {
    double difference; /* F1 of the first system less that of the second, a fraction of 1 */
    double p;          /* two-sided */
} ddn_test;

/* gold: the gold words that count, in all strata together.  trials >= 1.  The result depends on
 * the arguments alone. */
int ddn_paired_randomisation(const ddn_stratum *stratum, size_t n, int64_t gold, int64_t trials,
                             uint64_t seed, ddn_test out[DDN_TESTS], dodona_error *err);

#endif
