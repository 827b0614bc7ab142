/* SPDX-License-Identifier: MIT */
#include "train/raw_text.h"

#include "io/spaces.h"
#include "train/tokenizer_train.h"

void ddn_put_spaces_after(ddn_output *o, const ddn_sentence *s, const ddn_row *token)
{
    dodona_text misc = ddn_sentence_span(s, token->col[DDN_MISC]);
    dodona_text after = ddn_misc_find(misc, "SpacesAfter"),
                glue = ddn_misc_find(misc, "SpaceAfter");
    if (after.data)
        ddn_spaces_unescape(o, after);
    else if (!glue.data || !ddn_text_is(glue, "No"))
        ddn_put(o, " ", 1);
}

bool ddn_begins_paragraph(const ddn_sentence *s)
{
    for (size_t i = 0; i < s->rows && s->row[i].kind != DDN_ROW_WORD; i++) {
        dodona_text t = ddn_sentence_span(s, s->row[i].line);
        if (s->row[i].kind == DDN_ROW_COMMENT && t.size >= 8 &&
            (memcmp(t.data, "# newpar", 8) == 0 || memcmp(t.data, "# newdoc", 8) == 0))
            return true;
    }
    return false;
}

void ddn_treebank_text(const ddn_treebank *t, ddn_output *text)
{
    for (size_t i = 0; i < t->count; i++) {
        const ddn_sentence *s = &t->sentence[i];
        if (i && ddn_begins_paragraph(s))
            ddn_put(text, "\n\n", 2);
        ddn_token_rows at = { 0 };
        for (const ddn_row *row; (row = ddn_next_token(s, &at));) {
            dodona_text form = ddn_sentence_span(s, row->col[DDN_FORM]);
            ddn_put(text, form.data, form.size);
            ddn_put_spaces_after(text, s, row);
        }
    }
    ddn_put(text, "\n", 1);
}
