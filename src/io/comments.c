/* SPDX-License-Identifier: MIT */
/* comments.c - finds comments by their keys, and writes them. */
#include "io/comments.h"

#include "core/output.h"

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

bool ddn_is_mark(const char *key)
{
    return strcmp(key, "newdoc") == 0 || strcmp(key, "newpar") == 0;
}

bool ddn_comment_find(const ddn_sentence *s, const char *key, size_t *row, dodona_text *value)
{
    bool (*skip_to_value)(dodona_text *) = ddn_is_mark(key) ? skip_to_id : skip_equals;
    for (size_t i = 0; i < s->rows && s->row[i].kind != DDN_ROW_WORD; i++) {
        dodona_text t = ddn_sentence_span(s, s->row[i].line);
        if (s->row[i].kind != DDN_ROW_COMMENT || !skip(&t, "#"))
            continue;
        t.size -= s->row[i].eol;
        skip_blanks(&t);
        if (!skip(&t, key))
            continue;
        skip_blanks(&t);
        if (!skip_to_value(&t))
            continue;
        *row = i;
        *value = t;
        return true;
    }
    return false;
}

dodona_text ddn_sentence_comment(const ddn_sentence *s, const char *key)
{
    dodona_text value = { "", 0 };
    size_t row;
    ddn_comment_find(s, key, &row, &value);
    return value;
}

bool ddn_begins_paragraph(const ddn_sentence *s)
{
    dodona_text id;
    size_t row;
    return ddn_comment_find(s, "newpar", &row, &id) || ddn_comment_find(s, "newdoc", &row, &id);
}

static void put_line(ddn_output *o, const char *key, dodona_text value)
{
    ddn_puts(o, "# ");
    ddn_puts(o, key);
    if (!ddn_is_mark(key) || value.size)
        ddn_puts(o, ddn_is_mark(key) ? " id = " : " = ");
    ddn_put(o, value.data, value.size);
}

/* Where a new comment goes: newdoc first, newpar behind that, all others last. */
static size_t find_place(const ddn_sentence *s, const char *key)
{
    dodona_text id;
    size_t row;
    if (strcmp(key, "newdoc") == 0)
        return 0;
    if (ddn_is_mark(key))
        return ddn_comment_find(s, "newdoc", &row, &id) ? row + 1 : 0;
    return s->rows;
}

int ddn_comment_set(ddn_sentence *s, const char *key, dodona_text value, dodona_error *err)
{
    size_t row;
    dodona_text old;
    bool there = ddn_comment_find(s, key, &row, &old);
    if (!value.data) {
        if (there)
            ddn_sentence_remove_comment(s, row);
        return DODONA_OK;
    }
    ddn_output line;
    ddn_output_memory(&line);
    put_line(&line, key, value);
    int code = ddn_output_check(&line, err);
    dodona_text text = { line.data, line.size };
    if (!code)
        code = there ? ddn_sentence_replace_comment(s, row, text, err)
                     : ddn_sentence_insert_comment(s, find_place(s, key), text, err);
    ddn_output_abandon(&line);
    return code;
}
