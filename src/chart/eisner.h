/* SPDX-License-Identifier: MIT */
/* eisner.h - functions that the decoders of projective trees share; the contracts are those of
 * ddn_decoder. */
#ifndef DDN_CHART_EISNER_H
#define DDN_CHART_EISNER_H

#include "chart/decode.h"

double ddn_eisner_sum_need(int32_t n);
double ddn_eisner_sum(const ddn_decode_input *in, ddn_space space, double *p);

#endif
