/* SPDX-License-Identifier: MIT */
/* loss.h - losses: from scores to adjoints, d(loss)/d(score).
 *
 * A loss looks at the scores of m choices (candidate moves, labels, classes), at the target and at
 * the guess, the choice that the search makes, and gives d(loss)/d(score) for each choice where it
 * is not 0. */
#ifndef DDN_MODEL_LOSS_H
#define DDN_MODEL_LOSS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ddn_loss ddn_loss;

/* d(loss)/d(score) of one output: a choice here, a transition type or a label for a scorer.  What
 * is not listed has 0. */
typedef struct ddn_adjoint {
    int32_t output;
    double d;
} ddn_adjoint;

struct ddn_loss {
    const char *name;
    bool reads_scores; /* otherwise score may be NULL */
    /* Fills d, which has room for m and at least 2, and returns how many there are. */
    int32_t (*adjoints)(const double *score, int32_t m, int32_t target, int32_t guess,
                        ddn_adjoint *d);
};

/* score[guess] - score[target]: nothing where they are the same, else -1 and +1 (Rosenblatt 1958;
 * over whole sequences, Collins 2002). */
extern const ddn_loss ddn_loss_perceptron;
/* -log softmax(score)[target]: softmax minus gold. */
extern const ddn_loss ddn_loss_softmax;

#endif
