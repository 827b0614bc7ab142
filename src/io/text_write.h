/* SPDX-License-Identifier: MIT */
/* text_write.h - the text of a sentence. */
#ifndef DDN_IO_TEXT_WRITE_H
#define DDN_IO_TEXT_WRITE_H

#include "core/output.h"
#include "tree/sentence.h"

/* The value of a comment "# key = value"; size 0 where there is none. */
dodona_text ddn_sentence_comment(const ddn_sentence *s, const char *key);

/* The text of s without a line end: its comment "# text = ..." or else its tokens, with a space
 * after each that has no SpaceAfter=No. */
void ddn_text_put(ddn_output *o, const ddn_sentence *s);

#endif
