/* SPDX-License-Identifier: MIT */
/* matrix_tree.h - sums over all trees; the contract is that of ddn_decoder.sum. */
#ifndef DDN_CHART_MATRIX_TREE_H
#define DDN_CHART_MATRIX_TREE_H

#include "chart/decode.h"

double ddn_matrix_tree_need(int32_t n);
double ddn_matrix_tree_sum(const ddn_decode_input *in, ddn_space space, double *p);

#endif
