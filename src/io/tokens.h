/* SPDX-License-Identifier: MIT */
/* tokens.h - plain tokens: a sentence a line with spaces between its tokens, or, upright, a token a
 * line with a blank line between sentences. */
#ifndef DDN_IO_TOKENS_H
#define DDN_IO_TOKENS_H

#include "core/input.h"
#include "core/output.h"
#include "tree/sentence.h"

typedef struct ddn_tokens_reader ddn_tokens_reader;

/* The reader owns the input from here on, also when this fails. */
int ddn_tokens_open(ddn_tokens_reader **out, ddn_input *take_in, bool upright, bool skip_bad,
                    dodona_error *err);
/* The next sentence that has a token: 1 with *s filled, 0 at the end, DODONA_WAIT where the input
 * tells so, or a negative code, which stays.  With skip_bad, lines that are no text or have too
 * many tokens come as a raw row. */
int ddn_tokens_next(ddn_tokens_reader *r, ddn_sentence *s, dodona_error *err);
int64_t ddn_tokens_bad(const ddn_tokens_reader *r, dodona_error *first);
void ddn_tokens_close(ddn_tokens_reader *r);

/* The forms of s as a line; spaces inside a form become U+00A0. */
void ddn_tokens_put(ddn_output *o, const ddn_sentence *s);

#endif
