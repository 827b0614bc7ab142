/* SPDX-License-Identifier: MIT */
/* comments.c - the comments of a sentence, as a program reads and sets them. */
#include "api/api.h"

#include "core/utf8.h"
#include "io/comments.h"

/* what: for the message. */
static int check_line(dodona_text t, const char *what, dodona_error *err)
{
    if (t.size && !t.data)
        return ddn_fail_null(err, what);
    if (t.size > DODONA_MAX_LINE / 2) /* so that it can be read again, with its key */
        return ddn_fail(err, DODONA_E_LIMIT, "the %s has %zu bytes; expected at most %u", what,
                        t.size, DODONA_MAX_LINE / 2);
    for (size_t i = 0; i < t.size; i++)
        if (t.data[i] == '\n' || t.data[i] == '\r')
            return ddn_fail(err, DODONA_E_ARGUMENT, "the %s has a line end in it", what);
    if (t.size && ddn_utf8_check(t.data, t.size) < t.size)
        return ddn_fail(err, DODONA_E_ARGUMENT, "the %s is not UTF-8 or has a NUL in it", what);
    return DODONA_OK;
}

/* A key that is found again in the line that it makes. */
static int check_key(const char *key, dodona_error *err)
{
    if (!key)
        return ddn_fail_null(err, "key");
    size_t size = strlen(key);
    int code = check_line((dodona_text){ key, size }, "key of a comment", err);
    if (code)
        return code;
    if (size == 0 || key[0] == ' ' || key[size - 1] == ' ' || strchr(key, '='))
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "'%s' can't be the key of a comment: it is empty, or begins or ends with a "
                        "space, or has a '='",
                        key);
    return DODONA_OK;
}

int dodona_sentence_comment(const dodona_sentence *s, int i, dodona_text *line)
{
    if (!s || !line || i < 0)
        return DODONA_E_ARGUMENT;
    for (size_t k = 0; k < s->s.rows; k++) {
        if (!ddn_sentence_has_comment(&s->s, k) || i-- > 0)
            continue;
        *line = ddn_sentence_span(&s->s, s->s.row[k].line);
        line->size -= s->s.row[k].eol;
        return DODONA_OK;
    }
    return DODONA_E_ARGUMENT;
}

int dodona_sentence_add_comment(dodona_sentence *s, dodona_text line, dodona_error *err)
{
    if (!s)
        return ddn_fail_null(err, "sentence");
    int code = check_line(line, "comment", err);
    if (code)
        return code;
    if (line.size == 0 || line.data[0] != '#')
        return ddn_fail(err, DODONA_E_ARGUMENT, "a comment begins with '#'");
    return ddn_sentence_insert_comment(&s->s, s->s.rows, line, err);
}

int dodona_sentence_meta(const dodona_sentence *s, const char *key, dodona_text *value)
{
    size_t row;
    if (!s || !key || !value)
        return DODONA_E_ARGUMENT;
    return ddn_comment_find(&s->s, key, &row, value);
}

int dodona_sentence_set_meta(dodona_sentence *s, const char *key, const dodona_text *value,
                             dodona_error *err)
{
    if (!s)
        return ddn_fail_null(err, "sentence");
    int code = check_key(key, err);
    if (!code && value)
        code = check_line(*value, "value of a comment", err);
    if (code)
        return code;
    dodona_text none = { NULL, 0 }, empty = { "", 0 };
    return ddn_comment_set(&s->s, key, !value ? none : value->size ? *value : empty, err);
}
