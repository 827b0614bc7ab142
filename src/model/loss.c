/* SPDX-License-Identifier: MIT */
/* loss.c - the losses. */
#include "model/loss.h"

#include <math.h>

static int32_t perceptron(const double *score, int32_t m, int32_t target, int32_t guess,
                          ddn_adjoint *d)
{
    (void)score, (void)m;
    if (target == guess)
        return 0;
    d[0] = (ddn_adjoint){ target, -1 };
    d[1] = (ddn_adjoint){ guess, 1 };
    return 2;
}

static int32_t softmax(const double *score, int32_t m, int32_t target, int32_t guess,
                       ddn_adjoint *d)
{
    double largest = score[guess], sum = 0;
    for (int32_t i = 0; i < m; i++)
        largest = fmax(largest, score[i]);
    for (int32_t i = 0; i < m; i++)
        sum += exp(score[i] - largest);
    for (int32_t i = 0; i < m; i++)
        d[i] = (ddn_adjoint){ i, exp(score[i] - largest) / sum - (i == target) };
    return m;
}

const ddn_loss ddn_loss_perceptron = { .name = "perceptron", .adjoints = perceptron };
const ddn_loss ddn_loss_softmax = { .name = "softmax", .reads_scores = true, .adjoints = softmax };
