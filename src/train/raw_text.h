/* SPDX-License-Identifier: MIT */
/* raw_text.h - the tokens of a sentence as they stood in a text. */
#ifndef DDN_TRAIN_RAW_TEXT_H
#define DDN_TRAIN_RAW_TEXT_H

#include "io/text_write.h"

/* The words of a token. */
static inline int ddn_token_words(const ddn_row *row)
{
    return row->kind == DDN_ROW_RANGE ? row->minor - row->id + 1 : 1;
}

/* What stands after a token: SpacesAfter, nothing, or a space. */
void ddn_put_spaces_after(ddn_output *o, const ddn_sentence *s, const ddn_row *token);

/* Whether a paragraph or a document begins with s. */
bool ddn_begins_paragraph(const ddn_sentence *s);

#endif
