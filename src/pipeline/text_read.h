/* SPDX-License-Identifier: MIT */
/* text_read.h - raw text into sentences, a sentence at a time, in bounded memory.
 *
 * A sentence comes as CoNLL-U would have it: the comments newdoc, newpar, sent_id and text, a row a
 * token and a row a word, all columns but ID, FORM and MISC empty.  MISC keeps where every token
 * stood and all blanks (io/spaces.h), so that the text can be rebuilt to the byte.  How the input
 * arrives, in how many pieces, makes no difference. */
#ifndef DDN_PIPELINE_TEXT_READ_H
#define DDN_PIPELINE_TEXT_READ_H

#include "core/input.h"
#include "pipeline/tokenizer.h"
#include "tree/sentence.h"

enum { DDN_MAX_BLANKS = 1 << 20 }; /* characters between two tokens */

typedef struct ddn_text_reader ddn_text_reader;

/* The reader owns the input from here on, also when this fails; the tokenizer outlives it. */
int ddn_text_open(ddn_text_reader **out, const ddn_tokenizer *t, ddn_input *take_in,
                  dodona_error *err);
/* Before the first sentence: sent_id counts on from that many, of other texts. */
void ddn_text_count_on(ddn_text_reader *r, int64_t sentences);
/* 1 with *s filled, 0 at the end, or a negative code with file, line and reason, which then stays.
 * Bytes that are not UTF-8 are an error; the sentences before come first. */
int ddn_text_next(ddn_text_reader *r, ddn_sentence *s, dodona_error *err);
void ddn_text_close(ddn_text_reader *r);

#endif
