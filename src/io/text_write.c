/* SPDX-License-Identifier: MIT */
/* text_write.c - the text of a sentence from its comment or its tokens.
 *
 * A token is a multiword range, which stands for the words in it, or a word outside all ranges.
 * Empty nodes are no text. */
#include "io/text_write.h"

#include "io/comments.h"
#include "io/spaces.h"

const ddn_row *ddn_next_token(const ddn_sentence *s, ddn_token_rows *at)
{
    while (at->row < s->rows) {
        const ddn_row *row = &s->row[at->row++];
        if (row->kind == DDN_ROW_RANGE) {
            at->reach = row->minor;
            return row;
        }
        if (row->kind == DDN_ROW_WORD && row->id > at->reach)
            return row;
    }
    return NULL;
}

static bool is_glued(dodona_text misc)
{
    dodona_text after = ddn_misc_find(misc, "SpaceAfter");
    return after.data && ddn_text_is(after, "No");
}

void ddn_text_put(ddn_output *o, const ddn_sentence *s)
{
    dodona_text text = ddn_sentence_comment(s, "text");
    if (text.size) {
        ddn_put(o, text.data, text.size);
        return;
    }
    ddn_token_rows at = { 0 };
    bool space = false;
    for (const ddn_row *row; (row = ddn_next_token(s, &at));) {
        if (space)
            ddn_put(o, " ", 1);
        dodona_text form = ddn_sentence_span(s, row->col[DDN_FORM]);
        ddn_put(o, form.data, form.size);
        space = s->conllx || !is_glued(ddn_sentence_span(s, row->col[DDN_MISC]));
    }
}

size_t ddn_token_size(dodona_text form, dodona_text misc)
{
    dodona_text inside = ddn_misc_find(misc, "SpacesInToken");
    return inside.data ? ddn_spaces_size(inside) : form.size;
}

size_t ddn_space_size(dodona_text misc)
{
    dodona_text after = ddn_misc_find(misc, "SpacesAfter");
    return after.data ? ddn_spaces_size(after) : is_glued(misc) ? 0 : 1;
}

bool ddn_token_range(dodona_text misc, int64_t *start, int64_t *end)
{
    dodona_text range = ddn_misc_find(misc, "TokenRange");
    const char *colon = range.size ? memchr(range.data, ':', range.size) : NULL;
    int64_t from, to;
    if (!colon)
        return false;
    size_t size = (size_t)(colon - range.data);
    if (!ddn_misc_number((dodona_text){ range.data, size }, &from) ||
        !ddn_misc_number((dodona_text){ colon + 1, range.size - size - 1 }, &to))
        return false;
    *start = from;
    *end = to;
    return true;
}

static void put_exact(ddn_output *o, dodona_text form, dodona_text misc)
{
    dodona_text before = ddn_misc_find(misc, "SpacesBefore");
    dodona_text inside = ddn_misc_find(misc, "SpacesInToken");
    dodona_text after = ddn_misc_find(misc, "SpacesAfter");
    if (before.data)
        ddn_spaces_unescape(o, before);
    if (inside.data)
        ddn_spaces_unescape(o, inside);
    else
        ddn_put(o, form.data, form.size);
    if (after.data)
        ddn_spaces_unescape(o, after);
    else if (!is_glued(misc))
        ddn_put(o, " ", 1);
}

bool ddn_text_rebuild(ddn_output *o, const ddn_sentence *s)
{
    ddn_token_rows at = { 0 };
    const ddn_row *row = ddn_next_token(s, &at);
    if (!row || s->conllx ||
        !ddn_misc_find(ddn_sentence_span(s, row->col[DDN_MISC]), "TokenRange").data)
        return false;
    for (; row; row = ddn_next_token(s, &at))
        put_exact(o, ddn_sentence_span(s, row->col[DDN_FORM]),
                  ddn_sentence_span(s, row->col[DDN_MISC]));
    return true;
}
