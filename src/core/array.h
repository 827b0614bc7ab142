/* SPDX-License-Identifier: MIT */
/* array.h - growable arrays: a pointer and a capacity that the owner keeps side by side.
 *
 *     if (!ddn_reserve(&s->row, &s->row_cap, s->rows + 1, sizeof *s->row))
 *         return ddn_fail_memory(err);
 *
 * Reserve first, then write without checks.  On failure nothing has changed. */
#ifndef DDN_CORE_ARRAY_H
#define DDN_CORE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* pointer: the address of the array's pointer; room for need elements of size bytes each. */
bool ddn_reserve(void *pointer, size_t *capacity, size_t need, size_t size);

#endif
