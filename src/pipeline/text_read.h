/* SPDX-License-Identifier: MIT */
/* text_read.h - raw text into sentences, a sentence at a time, in bounded memory.
 *
 * A sentence comes as CoNLL-U would have it: the comments newdoc, newpar, sent_id and text, a row a
 * token and a row a word, all columns but ID, FORM and MISC empty.  MISC keeps where every token
 * stood and all white space (io/spaces.h), so that the text can be rebuilt to the byte.  How the
 * input arrives, in how many pieces, makes no difference. */
#ifndef DDN_PIPELINE_TEXT_READ_H
#define DDN_PIPELINE_TEXT_READ_H

#include "core/input.h"
#include "pipeline/tokenizer.h"
#include "tree/sentence.h"

enum { DDN_MAX_BLANKS = 1 << 20 }; /* characters between two tokens */

typedef struct ddn_text_reader ddn_text_reader;

/* The reader owns the input from here on, also when this fails; the tokenizer outlives it.  A
 * reader that is fed has neither, but NULL. */
int ddn_text_open(ddn_text_reader **out, const ddn_tokenizer *t, ddn_input *take_in,
                  dodona_error *err);
/* Before the first sentence: sent_id counts on from that many, of other texts. */
void ddn_text_count_on(ddn_text_reader *r, int64_t sentences);
/* Before the first sentence: nothing behind a blank line is looked at to decide about what stands
 * before it, so that this comes as soon as the blank line is there.  White space behind it stands
 * before the next sentence. */
void ddn_text_flush(ddn_text_reader *r);
/* Before the first sentence: every line is a sentence, and nothing behind its end is looked at. */
void ddn_text_lines(ddn_text_reader *r);
/* 1 with *s filled, 0 at the end, DODONA_WAIT where the input tells so (core/input.h), or a
 * negative code with file, line and reason, which then stays. Bytes that are not UTF-8 are an
 * error; the sentences before come first. */
int ddn_text_next(ddn_text_reader *r, ddn_sentence *s, dodona_error *err);
/* Gives a sentence of a text its number. */
int ddn_text_number(ddn_sentence *s, int64_t number, dodona_error *err);
void ddn_text_close(ddn_text_reader *r);

/* A sentence depends on what stands before it in its text by this alone.  So reading can begin at
 * any sentence of which it is known. */
typedef struct ddn_text_state {
    int64_t at;       /* its first character, or that of the text when it is the first, */
    int64_t byte;     /* and the bytes before that */
    int64_t lines;    /* line ends before it */
    ddn_lines layout; /* of the lines before it; its begin counts from the text's */
    bool first;       /* no sentence is before it */
    bool paragraph;   /* it begins one */
} ddn_text_state;

/* For a reader that is fed.  restart: what is fed next is the text from that sentence on, of a text
 * with this name.  feed: the next bytes, and whether they are the last of the text.  Then
 * ddn_text_next returns DODONA_WAIT when more must be fed for the next sentence. */
int ddn_text_restart(ddn_text_reader *r, const ddn_tokenizer *t, const char *name,
                     const ddn_text_state *from, dodona_error *err);
int ddn_text_feed(ddn_text_reader *r, const char *bytes, size_t size, bool last, dodona_error *err);
/* The first character of the sentence that comes next, and all that is known of it. */
int64_t ddn_text_position(const ddn_text_reader *r);
void ddn_text_where(const ddn_text_reader *r, ddn_text_state *out);

#endif
