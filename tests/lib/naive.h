/* SPDX-License-Identifier: MIT */
/* naive.h - what trees and states should say of themselves, recomputed from heads and stack alone
 * by the definitions, with no care for speed.  The checks fail the running test. */
#ifndef DDN_TESTS_NAIVE_H
#define DDN_TESTS_NAIVE_H

#include "system/state.h"

enum { TEST_MAX_CHILDREN = 256 };

/* Every word comes to 0 by going up; one_root: 0 has one child.  -1 is no head. */
bool test_is_tree(const int32_t *head, int32_t n, bool one_root);
/* Of a tree: every word between a head and its child descends from that head. */
bool test_is_projective(const int32_t *head, int32_t n);

/* The children of h on one side, innermost first; returns how many. */
int32_t test_children(const ddn_state *s, int32_t h, int side, int32_t *child);
/* The heads of 0..n, as the functions above want them. */
void test_heads(const ddn_state *s, int32_t *head);

/* Links, valencies, sets of labels, stacked and headless are what heads and stack make them. */
void test_state_sound(const ddn_state *s);
/* The two agree in every field. */
void test_states_equal(const ddn_state *a, const ddn_state *b);

#endif
