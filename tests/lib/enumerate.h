/* SPDX-License-Identifier: MIT */
/* enumerate.h - everything there is, for small n: all trees, all configurations of a system, and
 * what can be reached from each.  Random trees where there are too many.
 *
 * Nothing here knows a system beyond its table, and trees are told by lib/naive.h.  What can't be
 * done (no memory, too many words) fails the running test. */
#ifndef DDN_TESTS_ENUMERATE_H
#define DDN_TESTS_ENUMERATE_H

#include "core/rng.h"
#include "oracle/oracle.h"
#include "system/system.h"

enum { TEST_MAX_WORDS = 10 };

/* ---- Trees ---- */

enum { TEST_ALL = 0, TEST_PROJECTIVE = 1, TEST_ONE_ROOT = 2 }; /* a sum of these */

/* Calls visit for each tree over n words; head[1..n] lives until visit returns. */
void test_each_tree(int32_t n, unsigned filter, void (*visit)(void *ctx, const int32_t *head),
                    void *ctx);

/* A tree of that class, any of them possible; head[0] becomes -1. */
void test_random_tree(ddn_rng *r, int32_t n, unsigned filter, int32_t *head);

/* All trees as gold trees. */
typedef struct test_golds {
    int32_t count;
    ddn_gold *gold; /* [count] */
    size_t cap;
} test_golds;

void test_golds_init(test_golds *g, int32_t n, unsigned filter);
void test_golds_fini(test_golds *g);

/* ---- Configurations ---- */

typedef struct test_step {
    ddn_move move;
    int32_t to; /* the configuration that it leads to */
} test_step;

/* s: a configuration; what visit changes it must change back.  id counts the calls from 0. step[m]:
 * all legal moves; none in a final configuration. */
typedef void (*test_visit)(void *ctx, ddn_state *s, int32_t id, const test_step *step, int32_t m);

/* Calls visit once for each configuration that can be reached from the start, after all those that
 * can be reached from it.  Configurations are the same when stack, next, left and heads are; labels
 * are drawn from labels (NULL: all 0).  A computation that comes back to a configuration fails the
 * test.  Returns the number of configurations. */
int32_t test_each_configuration(const ddn_system *system, int32_t n, ddn_roots roots,
                                ddn_rng *labels, test_visit visit, void *ctx);

/* ---- Values: the number of gold arcs at the best end, for many gold trees at once ---- */

typedef struct test_values {
    const test_golds *golds;
    int8_t *best; /* [id][golds->count]; -1: no end can be reached */
    size_t cap;
} test_values;

void test_values_init(test_values *v, const test_golds *golds);
void test_values_fini(test_values *v);
/* To be called in visit, before anything is asked of id. */
void test_values_add(test_values *v, const ddn_system *system, const ddn_state *s, int32_t id,
                     const test_step *step, int32_t m);
static inline int32_t test_value(const test_values *v, int32_t id, int32_t gold)
{
    return v->best[(size_t)id * (size_t)v->golds->count + (size_t)gold];
}

#endif
