/* SPDX-License-Identifier: MIT */
/* alloc.h - allocations that fail when a test wants them to, and a count of those that live.
 *
 * Works in programs that are linked with the options of lib/alloc.cmake, which send all calls of
 * malloc and its kin in the library and in the test through here; other libraries are not touched.
 * Safe to use from several threads. */
#ifndef DDN_TESTS_ALLOC_H
#define DDN_TESTS_ALLOC_H

#include <stdbool.h>

/* From here on the k-th allocation fails (k from 1), and with on all that come after it. */
void test_alloc_fail(long k, bool on);
/* No allocation fails any more; whether one did. */
bool test_alloc_stop(void);
/* Blocks that were allocated and not freed. */
long test_alloc_live(void);

#endif
