/* SPDX-License-Identifier: MIT */
/* big.h - natural numbers of any size, for exact counts: sums, products, decimal digits.
 *
 * No library for this: counting needs + and * only, and in memory that may run out without ending
 * the program.
 *
 * Numbers live in a pool and are named by index.  Clearing a pool keeps its memory, so that a chart
 * that is filled again and again soon allocates nothing.  A pool that has run out of memory says so
 * once, at the end: after a failure every operation gives 0 and ddn_big_pool.failed stays true. */
#ifndef DDN_CORE_BIG_H
#define DDN_CORE_BIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ddn_big {
    uint32_t *limb; /* [size] least significant first; the last is not 0 */
    size_t size, cap;
} ddn_big;

typedef struct ddn_big_pool {
    ddn_big *big;
    size_t cap, made; /* made: how many of big have been initialised */
    uint32_t count;   /* in use */
    bool failed;
} ddn_big_pool;

enum { DDN_BIG_ZERO = 0, DDN_BIG_ONE = 1 }; /* are in every pool */

void ddn_big_pool_init(ddn_big_pool *p); /* allocates nothing; clear it before use */
void ddn_big_pool_fini(ddn_big_pool *p);
void ddn_big_pool_clear(ddn_big_pool *p); /* only 0 and 1 are left */

/* A new number, 0. */
uint32_t ddn_big_new(ddn_big_pool *p);
/* sum += x, and sum += x * y; sum is neither 0 nor 1 of every pool, nor x or y. */
void ddn_big_add(ddn_big_pool *p, uint32_t sum, uint32_t x);
void ddn_big_add_product(ddn_big_pool *p, uint32_t sum, uint32_t x, uint32_t y);

/* Decimal digits and a NUL, for the caller to free; NULL: out of memory. */
char *ddn_big_text(const ddn_big *x);
/* The natural logarithm; -INFINITY for 0. */
double ddn_big_log(const ddn_big *x);

#endif
