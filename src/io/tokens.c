/* SPDX-License-Identifier: MIT */
/* tokens.c - lines of tokens into sentences of words that have a form and nothing else.
 *
 * Blanks are the space and the tab; other Unicode spaces, as U+00A0 in "10 000", are part of a
 * token.  Lines without a token are left out, since a sentence has words. */
#include "io/tokens.h"

#include "core/buffer.h"
#include "core/utf8.h"
#include <stdlib.h>

struct ddn_tokens_reader {
    ddn_buffer buf;
    bool skip_bad;
    int64_t line; /* read so far */
    int failed;   /* a code that stays */
    dodona_error error;
    int64_t bad;
    dodona_error first;
};

int ddn_tokens_open(ddn_tokens_reader **out, ddn_input *take_in, bool skip_bad, dodona_error *err)
{
    *out = NULL;
    ddn_tokens_reader *r = calloc(1, sizeof *r);
    if (!r) {
        ddn_input_close(take_in);
        return ddn_fail_memory(err);
    }
    int code = ddn_buffer_init(&r->buf, take_in, err);
    if (code) {
        free(r);
        return code;
    }
    r->skip_bad = skip_bad;
    *out = r;
    return 0;
}

void ddn_tokens_close(ddn_tokens_reader *r)
{
    if (!r)
        return;
    ddn_buffer_fini(&r->buf);
    free(r);
}

int64_t ddn_tokens_bad(const ddn_tokens_reader *r, dodona_error *first)
{
    if (first && r->bad)
        *first = r->first;
    return r->bad;
}

/* The next line with its line end into *size, 0 at the end of the input. */
static int find_line(ddn_tokens_reader *r, size_t *size)
{
    dodona_error *e = &r->error;
    int code = ddn_buffer_line(&r->buf, size, e);
    if (code == DODONA_E_LIMIT && !e->line)
        return ddn_fail_at(e, DODONA_E_LIMIT, ddn_input_name(r->buf.in), r->line + 1,
                           "the line is longer than %u bytes, the limit", DODONA_MAX_LINE);
    return code;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

/* The tokens of a line without its line end. */
static int split(ddn_tokens_reader *r, ddn_sentence *s, const char *line, size_t size)
{
    const char *name = ddn_input_name(r->buf.in);
    size_t bad = ddn_utf8_check(line, size);
    if (bad < size && line[bad] == '\0')
        return ddn_fail_at(&r->error, DODONA_E_INPUT, name, r->line, "a NUL byte; expected text");
    if (bad < size)
        return ddn_fail_at(&r->error, DODONA_E_INPUT, name, r->line,
                           "byte 0x%02x is not UTF-8; expected text in UTF-8",
                           (unsigned char)line[bad]);
    for (size_t at = 0; at < size;) {
        size_t end = at;
        while (end < size && !is_space(line[end]))
            end++;
        if (end > at) {
            if (s->n == DODONA_MAX_WORDS)
                return ddn_fail_at(&r->error, DODONA_E_LIMIT, name, r->line,
                                   "the sentence has more than %d words, the limit",
                                   DODONA_MAX_WORDS);
            dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = { line + at, end - at } };
            int code = ddn_sentence_word(s, col, &r->error);
            if (code)
                return code;
        }
        at = end + 1;
    }
    return 0;
}

/* s becomes the line as it came. */
static int pass_over(ddn_tokens_reader *r, ddn_sentence *s, const char *line, size_t size)
{
    if (r->bad++ == 0)
        r->first = r->error;
    ddn_sentence_clear(s);
    ddn_row *row;
    int code = ddn_sentence_row(s, DDN_ROW_RAW, &row, &r->error);
    if (!code)
        code = ddn_sentence_text(s, line, size, &row->line, &r->error);
    s->bad = true;
    return code;
}

static int next(ddn_tokens_reader *r, ddn_sentence *s)
{
    for (;;) {
        size_t size;
        int code = find_line(r, &size);
        if (code || size == 0)
            return code;
        const char *line = r->buf.data + r->buf.at;
        size_t stop = size;
        if (stop && line[stop - 1] == '\n')
            stop--;
        if (stop && line[stop - 1] == '\r')
            stop--;
        r->buf.at += size;
        r->line++;
        ddn_sentence_clear(s);
        code = split(r, s, line, stop);
        if (r->skip_bad && (code == DODONA_E_INPUT || code == DODONA_E_LIMIT))
            code = pass_over(r, s, line, size);
        s->line = r->line;
        if (code || s->rows)
            return code ? code : 1;
    }
}

int ddn_tokens_next(ddn_tokens_reader *r, ddn_sentence *s, dodona_error *err)
{
    int code = r->failed ? r->failed : next(r, s);
    if (code < 0) {
        r->failed = code;
        if (err)
            *err = r->error;
    }
    return code;
}

void ddn_tokens_put(ddn_output *o, const ddn_sentence *s)
{
    for (int32_t i = 1; i <= s->n; i++) {
        dodona_text form = ddn_sentence_column(s, i, DDN_FORM);
        if (i > 1)
            ddn_put(o, " ", 1);
        for (size_t at = 0; at < form.size; at++)
            if (form.data[at] == ' ')
                ddn_put(o, "\xc2\xa0", 2);
            else
                ddn_put(o, form.data + at, 1);
    }
    if (s->n)
        ddn_put(o, "\n", 1);
}
