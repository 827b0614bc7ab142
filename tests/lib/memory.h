/* SPDX-License-Identifier: MIT */
/* memory.h - bytes in memory as an input, and files as bytes. */
#ifndef DDN_TESTS_MEMORY_H
#define DDN_TESTS_MEMORY_H

#include "dodona.h"

typedef struct test_memory {
    const char *data;
    size_t size, at;
    size_t chunk; /* most bytes that one read brings; 0: all that are asked for */
} test_memory;

/* A dodona_read over a test_memory. */
ptrdiff_t test_memory_read(void *ctx, char *buf, size_t size, dodona_error *err);

/* The bytes of a file, with a NUL after them, for the caller to free; aborts when it can't. */
char *test_slurp(const char *path, size_t *size);
void test_spill(const char *path, const char *data, size_t size);

#endif
