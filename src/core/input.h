/* SPDX-License-Identifier: MIT */
/* input.h - bytes from a file, standard input, memory or a callback, decompressed when their first
 * bytes say gzip or zstd, and recoded where that is asked for.  Concatenated members and frames
 * read as one stream. */
#ifndef DDN_CORE_INPUT_H
#define DDN_CORE_INPUT_H

#include "core/recode.h"

typedef struct ddn_input ddn_input;

int ddn_input_open(ddn_input **out, const char *path, dodona_error *err); /* "-": standard input */
int ddn_input_callback(ddn_input **out, dodona_read read, void *ctx, const char *name,
                       dodona_error *err);
/* Up to size bytes; 0 at the end, a negative code on failure. */
ptrdiff_t ddn_input_read(ddn_input *in, char *buf, size_t size, dodona_error *err);
/* From now on, a read that would have to wait for the source returns DDN_INPUT_WAITS, once; the
 * next one waits.  Of a callback it is not known: every call may have to wait. */
enum { DDN_INPUT_WAITS = -1000 };
void ddn_input_tell_waits(ddn_input *in);
/* From now on, a read returns DDN_INPUT_WAITS when a signal interrupts its waiting. */
void ddn_input_tell_signals(ddn_input *in);
/* Before the first read: the bytes, unpacked, are of that encoding and become UTF-8; with replace,
 * what is no character becomes U+FFFD and counts.  Then reads need room for DDN_CHARACTER bytes. */
int ddn_input_recode(ddn_input *in, ddn_encoding e, bool replace, dodona_error *err);
/* How often, and the lines of the first places; NULL: the input is not recoded. */
const ddn_recoder *ddn_input_recoder(const ddn_input *in);
/* Bytes that were read of the source, packed as they are. */
int64_t ddn_input_taken(const ddn_input *in);
/* Reads a piece ahead and shows all that was read so far, which read still brings: 1; 0 when there
 * is no more of it or DDN_AHEAD bytes are there; a negative code on failure.  Before the first
 * read. */
enum { DDN_AHEAD = 1 << 16 };
int ddn_input_look(ddn_input *in, const char **bytes, size_t *size, dodona_error *err);
const char *ddn_input_name(const ddn_input *in); /* for messages */
void ddn_input_close(ddn_input *in);

#endif
