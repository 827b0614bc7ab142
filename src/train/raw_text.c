/* SPDX-License-Identifier: MIT */
/* raw_text.c - tokens with the white space between them, then line ends in place of some spaces. */
#include "train/raw_text.h"

#include "io/spaces.h"

enum {
    RAGGED = 12, /* lines are longer or shorter by up to this part of the width */
    BREAK = 12,  /* one of so many spaces becomes a line end */
};

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

void ddn_put_sentence_end(ddn_output *o, const ddn_text_layout *how, const ddn_sentence *s,
                          const ddn_row *token, bool paragraph)
{
    if (paragraph && how->blank_lines)
        ddn_put(o, "\n\n", 2);
    else if (paragraph || how->sentence_lines)
        ddn_put(o, "\n", 1);
    else
        ddn_put_spaces_after(o, s, token);
}

static int width_of_line(const ddn_text_layout *how)
{
    int by = how->width / RAGGED;
    return how->ragged ? how->width - by + (int)ddn_rng_below(how->ragged, 2 * (uint64_t)by + 1)
                       : how->width;
}

/* When a chunk ends too far right, the space before it becomes a line end. */
static void wrap(const ddn_text_layout *how, char *text, size_t size)
{
    size_t space = size;        /* the last one of the line; size: there is none */
    int length = 0, behind = 0; /* characters of the line, and those of them behind that space */
    int width = width_of_line(how);
    for (size_t i = 0; i < size; i++) {
        bool end = text[i] == '\n';
        if ((end || text[i] == ' ') && length > width && space < size) {
            text[space] = '\n';
            length = behind;
            width = width_of_line(how);
        }
        if (end || text[i] == ' ') {
            space = end ? size : i;
            length = end ? 0 : length + 1;
            behind = 0;
        } else if (((unsigned char)text[i] & 0xc0) != 0x80) {
            length++;
            behind++;
        }
    }
}

void ddn_break_lines(const ddn_text_layout *how, char *text, size_t size)
{
    if (how->width)
        wrap(how, text, size);
    for (size_t i = 0; how->broken && i < size; i++)
        if (text[i] == ' ' && ddn_rng_below(how->broken, BREAK) == 0)
            text[i] = '\n';
}

void ddn_treebank_text(const ddn_treebank *t, const ddn_text_layout *how, ddn_output *text)
{
    for (size_t i = 0; i < t->count; i++) {
        const ddn_sentence *s = &t->sentence[i];
        bool ends = i + 1 == t->count || ddn_begins_paragraph(&t->sentence[i + 1]);
        ddn_token_rows at = { 0 };
        const ddn_row *row = ddn_next_token(s, &at), *after;
        for (; row; row = after) {
            after = ddn_next_token(s, &at);
            dodona_text form = ddn_sentence_span(s, row->col[DDN_FORM]);
            ddn_put(text, form.data, form.size);
            if (after)
                ddn_put_spaces_after(text, s, row);
            else
                ddn_put_sentence_end(text, how, s, row, ends);
        }
    }
    if (!text->error.code)
        ddn_break_lines(how, text->data, text->size);
}
