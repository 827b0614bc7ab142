/* SPDX-License-Identifier: MIT */
/* lib.h - what the fuzzers share: a check that stops the run, bytes in memory that are read a few
 * at a time, and what to leave out of comparisons. */
#ifndef DDN_FUZZ_LIB_H
#define DDN_FUZZ_LIB_H

#include "dodona.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void must(bool truth)
{
    if (!truth)
        abort();
}

typedef struct memory {
    const char *data;
    size_t size, at, chunk; /* chunk: the most bytes of a read; 0: any number */
} memory;

/* For ddn_input_callback, with a memory. */
static inline ptrdiff_t read_memory(void *ctx, char *buf, size_t size, dodona_error *err)
{
    (void)err;
    memory *m = ctx;
    size_t take = m->size - m->at;
    take = take < size ? take : size;
    take = m->chunk && m->chunk < take ? m->chunk : take;
    if (take)
        memcpy(buf, m->data + m->at, take);
    m->at += take;
    return (ptrdiff_t)take;
}

/* Compressed input comes out unpacked. */
static inline bool is_packed(const uint8_t *data, size_t size)
{
    return size >= 2 &&
           ((data[0] == 0x1f && data[1] == 0x8b) || ((data[0] & 0xf0) == 0x50 && data[1] == 0x2a) ||
            (data[0] == 0x28 && data[1] == 0xb5));
}

#endif
