/* SPDX-License-Identifier: MIT */
/* text_write.c - the text of a sentence from its comment or its tokens.
 *
 * A token is a multiword range, which stands for the words in it, or a word outside all ranges.
 * Empty nodes are no text. */
#include "io/text_write.h"

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

dodona_text ddn_sentence_comment(const ddn_sentence *s, const char *key)
{
    for (size_t i = 0; i < s->rows; i++) {
        const ddn_row *row = &s->row[i];
        if (row->kind == DDN_ROW_WORD)
            break;
        dodona_text t = ddn_sentence_span(s, row->line);
        if (row->kind != DDN_ROW_COMMENT || !skip(&t, "#"))
            continue;
        t.size -= row->eol;
        skip_blanks(&t);
        if (!skip(&t, key))
            continue;
        skip_blanks(&t);
        if (!skip(&t, "="))
            continue;
        skip_blanks(&t);
        return t;
    }
    return (dodona_text){ "", 0 };
}

/* Whether MISC has SpaceAfter=No among its values. */
static bool is_glued(dodona_text misc)
{
    static const char no[] = "SpaceAfter=No";
    for (;;) {
        const char *bar = misc.size ? memchr(misc.data, '|', misc.size) : NULL;
        size_t size = bar ? (size_t)(bar - misc.data) : misc.size;
        if (ddn_text_is((dodona_text){ misc.data, size }, no))
            return true;
        if (!bar)
            return false;
        misc.data += size + 1;
        misc.size -= size + 1;
    }
}

void ddn_text_put(ddn_output *o, const ddn_sentence *s)
{
    dodona_text text = ddn_sentence_comment(s, "text");
    if (text.size) {
        ddn_put(o, text.data, text.size);
        return;
    }
    int32_t reach = 0;
    bool space = false;
    for (size_t i = 0; i < s->rows; i++) {
        const ddn_row *row = &s->row[i];
        bool is_range = row->kind == DDN_ROW_RANGE;
        if (!is_range && (row->kind != DDN_ROW_WORD || row->id <= reach))
            continue;
        if (is_range)
            reach = row->minor;
        if (space)
            ddn_put(o, " ", 1);
        dodona_text form = ddn_sentence_span(s, row->col[DDN_FORM]);
        ddn_put(o, form.data, form.size);
        space = s->conllx || !is_glued(ddn_sentence_span(s, row->col[DDN_MISC]));
    }
}
