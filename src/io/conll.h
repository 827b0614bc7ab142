/* SPDX-License-Identifier: MIT */
/* conll.h - CoNLL-U and CoNLL-X, read and written a sentence at a time. */
#ifndef DDN_IO_CONLL_H
#define DDN_IO_CONLL_H

#include "core/input.h"
#include "core/output.h"
#include "tree/sentence.h"

typedef struct ddn_conll_reader ddn_conll_reader;

/* format: DODONA_CONLLU or DODONA_CONLLX.  The reader owns the input from here on. */
int ddn_conll_open(ddn_conll_reader **out, ddn_input *take_in, dodona_format format,
                   dodona_check check, bool skip_bad, dodona_error *err);
/* 1 with *s filled, 0 at the end, or a negative code with file, line and reason.  The memory in use
 * is that of the longest sentence so far. */
int ddn_conll_next(ddn_conll_reader *r, ddn_sentence *s, dodona_error *err);
int64_t ddn_conll_bad(const ddn_conll_reader *r, dodona_error *first);
void ddn_conll_close(ddn_conll_reader *r);

/* All rows of s, byte for byte as they were read where nothing was set. */
void ddn_conll_put(ddn_output *o, const ddn_sentence *s);
/* s as CoNLL-X: comments, ranges and empty nodes are left out, DEPS and MISC become "_". */
void ddn_conllx_put(ddn_output *o, const ddn_sentence *s);

#endif
