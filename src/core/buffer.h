/* SPDX-License-Identifier: MIT */
/* buffer.h - the part of an input that was read and not yet used, for readers that look ahead for
 * the end of a line or of a sentence. */
#ifndef DDN_CORE_BUFFER_H
#define DDN_CORE_BUFFER_H

#include "core/input.h"
#include <stdbool.h>

enum { DDN_BUFFER_READ = 1 << 18 }; /* bytes asked of the input at a time, about */

typedef struct ddn_buffer {
    ddn_input *in;
    char *data;
    size_t capacity, at, end; /* unused bytes are data[at..end) */
    bool ended;               /* the input has no more */
} ddn_buffer;

/* Owns the input from here on, also when it fails. */
int ddn_buffer_init(ddn_buffer *b, ddn_input *take_in, dodona_error *err);
void ddn_buffer_fini(ddn_buffer *b);
/* Reads more behind data[end), or sets ended; DODONA_WAIT where the input tells so.  May move the
 * unused bytes to the front and data elsewhere. */
int ddn_buffer_fill(ddn_buffer *b, dodona_error *err);
/* Makes the unused bytes begin with a whole line; *size is its length with its line end, which the
 * last line may lack, or 0 at the end of the input.  The caller adds it to at when done with it. */
int ddn_buffer_line(ddn_buffer *b, size_t *size, dodona_error *err);

#endif
