/* SPDX-License-Identifier: MIT */
/* raw_text.h - the tokens of a treebank as they stood in a text, or might have. */
#ifndef DDN_TRAIN_RAW_TEXT_H
#define DDN_TRAIN_RAW_TEXT_H

#include "core/rng.h"
#include "io/comments.h"
#include "io/text_write.h"
#include "train/train.h"

/* How a text is laid out.  All zero: a paragraph a line. */
typedef struct ddn_text_layout {
    bool sentence_lines; /* a sentence a line */
    bool blank_lines;    /* between paragraphs, and not just a line end */
    int width;           /* lines are wrapped at so many characters; 0: not at all */
    ddn_rng *ragged;     /* by that, wrapped somewhat earlier or later; NULL: exactly */
    ddn_rng *broken;     /* by that, a space becomes a line end now and then; NULL: not */
} ddn_text_layout;

/* The words of a token. */
static inline int ddn_token_words(const ddn_row *row)
{
    return row->kind == DDN_ROW_RANGE ? row->minor - row->id + 1 : 1;
}

/* What stands after a token: SpacesAfter, nothing, or a space. */
void ddn_put_spaces_after(ddn_output *o, const ddn_sentence *s, const ddn_row *token);
/* What stands after the last token of a sentence, which is the end of a paragraph or is not. */
void ddn_put_sentence_end(ddn_output *o, const ddn_text_layout *how, const ddn_sentence *s,
                          const ddn_row *token, bool paragraph);
/* Makes some spaces of a text line ends, as the layout has them.  Wrapping is done as by an editor:
 * a line ends where the next chunk would not have fitted. */
void ddn_break_lines(const ddn_text_layout *how, char *text, size_t size);

/* The text that a treebank was made from, as far as it tells, in some layout. */
void ddn_treebank_text(const ddn_treebank *t, const ddn_text_layout *how, ddn_output *text);

#endif
