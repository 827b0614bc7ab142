/* SPDX-License-Identifier: MIT */
/* output.h - buffered output to a file, to standard output, to a callback or to memory.
 *
 * Puts never fail visibly: the first error is kept, later puts do nothing, and close reports it.
 * So writers are plain sequences of puts, and a full disk can't be missed.
 *
 * A named file is written under a temporary name beside it and renamed on close; until then, and
 * after abandon, the old file is untouched. */
#ifndef DDN_CORE_OUTPUT_H
#define DDN_CORE_OUTPUT_H

#include "core/pack.h"
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

typedef struct ddn_output {
    char *data; /* bytes not yet written; all of them for memory */
    size_t size, capacity;
    int fd;             /* -1: memory, or a callback: */
    dodona_write write; /* NULL: none */
    void *write_ctx;
    char *path;         /* NULL: not a named file */
    char *temporary;    /* the name that is written until close */
    ddn_packer *packer; /* NULL: as it is */
    dodona_error error; /* code DODONA_OK while all is well */
} ddn_output;

/* path "-": standard output, which is flushed but not closed. */
int ddn_output_open(ddn_output *o, const char *path, dodona_error *err);
/* The same, compressed where the name ends with .gz or .zst. */
int ddn_output_open_packed(ddn_output *o, const char *path, dodona_error *err);
void ddn_output_memory(ddn_output *o);
int ddn_output_callback(ddn_output *o, dodona_write write, void *ctx, dodona_error *err);
/* Forgets what an output to memory holds, an error too. */
static inline void ddn_output_clear(ddn_output *o)
{
    o->size = 0;
    o->error.code = DODONA_OK;
}

/* Room for size more bytes at the returned address, or NULL after an error; then ddn_output_took
 * says how many were used. */
char *ddn_output_room(ddn_output *o, size_t size);
static inline void ddn_output_took(ddn_output *o, size_t size)
{
    o->size += size;
}

static inline void ddn_put(ddn_output *o, const char *data, size_t size)
{
    char *to = ddn_output_room(o, size);
    if (to && size) {
        memcpy(to, data, size);
        o->size += size;
    }
}
void ddn_puts(ddn_output *o, const char *text);
void ddn_put_int(ddn_output *o, int64_t value);
void ddn_putf(ddn_output *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ddn_vputf(ddn_output *o, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* The first error, if there is one. */
int ddn_output_check(const ddn_output *o, dodona_error *err);
/* All that was put to memory, until the next put; or the first error. */
int ddn_output_text(const ddn_output *o, dodona_text *text, dodona_error *err);

/* Writes out what is buffered, unless it is for memory. */
void ddn_output_flush(ddn_output *o);
/* Flushes, renames, frees.  The first error since open, if any, is reported and the named file is
 * as it was before. */
int ddn_output_close(ddn_output *o, dodona_error *err);
/* Frees; afterwards it is an empty output to memory. */
void ddn_output_abandon(ddn_output *o);

#endif
