/* SPDX-License-Identifier: MIT */
/* conll.h - CoNLL-U and CoNLL-X, read and written a sentence at a time.
 *
 * A sentence reaches from the end of the one before to its blank line, so blank lines too many are
 * the first rows of the next.  What holds comments or blank lines and no words (at the end of a
 * file, say) comes as a sentence with n = 0.  So every byte of a file is in some sentence. */
#ifndef DDN_IO_CONLL_H
#define DDN_IO_CONLL_H

#include "core/input.h"
#include "core/output.h"
#include "tree/sentence.h"

typedef struct ddn_conll_reader ddn_conll_reader;

/* format: DODONA_CONLLU or DODONA_CONLLX.  The reader owns the input from here on, also when this
 * fails. */
int ddn_conll_open(ddn_conll_reader **out, ddn_input *take_in, dodona_format format,
                   dodona_check check, bool skip_bad, dodona_error *err);
/* 1 with *s filled, 0 at the end, or a negative code with file, line and reason, which then stays.
 * The memory in use is that of the longest sentence so far.  With skip_bad, a bad sentence comes as
 * a raw row that reaches to its blank line; one that is over a limit, as several. */
int ddn_conll_next(ddn_conll_reader *r, ddn_sentence *s, dodona_error *err);
int64_t ddn_conll_bad(const ddn_conll_reader *r, dodona_error *first);
void ddn_conll_close(ddn_conll_reader *r);

/* All rows of s, byte for byte as they were read where nothing was set; a blank line after words
 * that were not read. */
void ddn_conll_put(ddn_output *o, const ddn_sentence *s);
/* How many newlines must be written after s before another sentence can follow: 1 or 2 when the
 * file ended without a blank line, else 0. */
int ddn_conll_gap(const ddn_sentence *s);

/* s, read as CoNLL-X, as CoNLL-U: PHEAD and PDEPREL become "_". */
void ddn_conllu_from_x_put(ddn_output *o, const ddn_sentence *s);
/* s, read as CoNLL-U, as CoNLL-X: comments, ranges and empty nodes are left out, DEPS and MISC
 * become "_", spaces inside a column too. */
void ddn_conllx_put(ddn_output *o, const ddn_sentence *s);

#endif
