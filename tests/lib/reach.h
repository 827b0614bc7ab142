/* SPDX-License-Identifier: MIT */
/* reach.h - the trees that sets of reduce transitions reach, found by walking all configurations.
 * What a transition does is read off its name, modifier<head, and nothing else. */
#ifndef DDN_TESTS_REACH_H
#define DDN_TESTS_REACH_H

#include <stdbool.h>
#include <stdint.h>

enum { TEST_REACH_WORDS = 6, TEST_REACH_TREES = 16807 };

typedef struct test_reach {
    int32_t n, count;
    int8_t head[TEST_REACH_TREES][TEST_REACH_WORDS + 1];
} test_reach;

/* name[rules]; one_root: an arc from 0 only as the last move. */
void test_reach_walk(test_reach *r, int32_t n, const char *const *name, int rules, bool one_root);

/* Makes the moves; a move is the name of a rule, or NULL for shift.  False: one of them can't be
 * made, or they do not end with 0 alone on the stack. */
bool test_replay(int32_t n, const char *const *move, int moves, bool one_root, int32_t *head);

#endif
