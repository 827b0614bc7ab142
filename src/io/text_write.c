/* SPDX-License-Identifier: MIT */
/* text_write.c - the text of a sentence from its comment or its tokens.
 *
 * A token is a multiword range, which stands for the words in it, or a word outside all ranges.
 * Empty nodes are no text. */
#include "io/text_write.h"

#include "io/spaces.h"

static bool skip(dodona_text *t, const char *prefix)
{
    size_t size = strlen(prefix);
    if (t->size < size || memcmp(t->data, prefix, size) != 0)
        return false;
    t->data += size;
    t->size -= size;
    return true;
}

static void skip_blanks(dodona_text *t)
{
    while (skip(t, " "))
        continue;
}

/* What follows the key in the first comment that begins with it, and spaces, and fits. */
static bool find_comment(const ddn_sentence *s, const char *key, bool (*fits)(dodona_text *),
                         dodona_text *out)
{
    for (size_t i = 0; i < s->rows && s->row[i].kind != DDN_ROW_WORD; i++) {
        const ddn_row *row = &s->row[i];
        *out = ddn_sentence_span(s, row->line);
        if (row->kind != DDN_ROW_COMMENT || !skip(out, "#"))
            continue;
        out->size -= row->eol;
        skip_blanks(out);
        if (!skip(out, key))
            continue;
        skip_blanks(out);
        if (fits(out))
            return true;
    }
    *out = (dodona_text){ "", 0 };
    return false;
}

static bool skip_equals(dodona_text *t)
{
    if (!skip(t, "="))
        return false;
    skip_blanks(t);
    return true;
}

/* Nothing, or "id = X". */
static bool skip_to_id(dodona_text *t)
{
    if (t->size == 0)
        return true;
    if (!skip(t, "id"))
        return false;
    skip_blanks(t);
    return skip_equals(t);
}

dodona_text ddn_sentence_comment(const ddn_sentence *s, const char *key)
{
    dodona_text value;
    find_comment(s, key, skip_equals, &value);
    return value;
}

bool ddn_sentence_mark(const ddn_sentence *s, const char *key, dodona_text *id)
{
    return find_comment(s, key, skip_to_id, id);
}

bool ddn_begins_paragraph(const ddn_sentence *s)
{
    dodona_text id;
    return ddn_sentence_mark(s, "newpar", &id) || ddn_sentence_mark(s, "newdoc", &id);
}

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
