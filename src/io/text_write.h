/* SPDX-License-Identifier: MIT */
/* text_write.h - the text of a sentence. */
#ifndef DDN_IO_TEXT_WRITE_H
#define DDN_IO_TEXT_WRITE_H

#include "core/output.h"
#include "tree/sentence.h"

/* The rows of a sentence that are tokens, one after the other: multiword ranges, and words outside
 * them.  Begin with { 0 }. */
typedef struct ddn_token_rows {
    size_t row;
    int32_t reach; /* words up to here are in a range */
} ddn_token_rows;

/* The next token's row; NULL: there is none. */
const ddn_row *ddn_next_token(const ddn_sentence *s, ddn_token_rows *at);
/* The bytes of the text that the token was, and those between it and the next one, as its MISC
 * tells (spaces.h). */
size_t ddn_token_size(dodona_text form, dodona_text misc);
size_t ddn_space_size(dodona_text misc);
/* TokenRange, where MISC has it. */
bool ddn_token_range(dodona_text misc, int64_t *start, int64_t *end);
/* The text of s without a line end: its comment "# text = ..." or else its tokens, with a space
 * after each that has no SpaceAfter=No. */
void ddn_text_put(ddn_output *o, const ddn_sentence *s);

/* Where MISC keeps the text around every token (TokenRange, see spaces.h): that text to the byte,
 * from the spaces before the first token to those after the last.  False: it does not. */
bool ddn_text_rebuild(ddn_output *o, const ddn_sentence *s);

#endif
