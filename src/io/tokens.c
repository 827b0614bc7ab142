/* SPDX-License-Identifier: MIT */
/* tokens.c - lines of tokens into sentences of words that have a form and nothing else.
 *
 * Blanks are the space and the tab; other Unicode spaces, as U+00A0 in "10 000", are part of a
 * token.  Lines without a token are left out, since a sentence has words.  Upright, a token may
 * have spaces inside, and what stands behind a tab is left out: further columns, as corpora have
 * them. */
#include "io/tokens.h"

#include "core/buffer.h"
#include "core/utf8.h"
#include <stdlib.h>

struct ddn_tokens_reader {
    ddn_buffer buf;
    bool upright;
    bool skip_bad;
    int64_t line; /* read so far */
    int failed;   /* a code that stays */
    dodona_error error;
    int64_t bad;
    dodona_error first;
};

int ddn_tokens_open(ddn_tokens_reader **out, ddn_input *take_in, bool upright, bool skip_bad,
                    dodona_error *err)
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
    r->upright = upright;
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

/* ---- Lines ---- */

static int over_limit(ddn_tokens_reader *r, const char *what, unsigned limit)
{
    return ddn_fail_at(&r->error, DODONA_E_LIMIT, ddn_input_name(r->buf.in), r->line + 1,
                       "the %s is longer than %u bytes, the limit", what, limit);
}

/* The next line with its line end into *size, 0 at the end of the input. */
static int find_line(ddn_tokens_reader *r, size_t *size)
{
    dodona_error *e = &r->error;
    int code = ddn_buffer_line(&r->buf, size, e);
    if (code == DODONA_E_LIMIT && !e->line)
        return over_limit(r, "line", DODONA_MAX_LINE);
    return code;
}

/* The bytes of a line without its line end, and without what stands behind a tab or blanks where
 * it is upright. */
static size_t trim(const ddn_tokens_reader *r, const char *line, size_t size)
{
    if (size && line[size - 1] == '\n')
        size--;
    if (size && line[size - 1] == '\r')
        size--;
    if (!r->upright)
        return size;
    const char *tab = size ? memchr(line, '\t', size) : NULL;
    size = tab ? (size_t)(tab - line) : size;
    while (size && line[size - 1] == ' ')
        size--;
    return size;
}

static bool is_blank(const ddn_tokens_reader *r, const char *line, size_t size)
{
    return trim(r, line, size) == 0 && line[0] != '\t';
}

/* Passes over blank lines.  The size of the next lines up to a blank one, which is among them. */
static int find_upright(ddn_tokens_reader *r, size_t *size)
{
    bool words = false;
    for (*size = 0;;) {
        size_t have = r->buf.end - r->buf.at;
        const char *base = r->buf.data + r->buf.at;
        const char *newline = *size < have ? memchr(base + *size, '\n', have - *size) : NULL;
        size_t next = newline ? (size_t)(newline - base) + 1 : have;
        if (next > DODONA_MAX_SENTENCE_BYTES)
            return over_limit(r, "sentence", DODONA_MAX_SENTENCE_BYTES);
        if (!newline && !r->buf.ended) {
            int code = ddn_buffer_fill(&r->buf, &r->error);
            if (code)
                return code;
            continue;
        }
        bool blank = is_blank(r, base + *size, next - *size);
        *size = next;
        if ((words && blank) || !newline)
            return 0;
        words = !blank;
        if (!blank)
            continue;
        r->buf.at += next;
        r->line++;
        *size = 0;
    }
}

/* ---- Tokens ---- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

static int add(ddn_tokens_reader *r, ddn_sentence *s, const char *token, size_t size)
{
    if (s->n == DODONA_MAX_WORDS)
        return ddn_fail_at(&r->error, DODONA_E_LIMIT, ddn_input_name(r->buf.in), r->line,
                           "the sentence has more than %d words, the limit", DODONA_MAX_WORDS);
    dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = { token, size } };
    return ddn_sentence_word(s, col, &r->error);
}

static int check(ddn_tokens_reader *r, const char *line, size_t size)
{
    const char *name = ddn_input_name(r->buf.in);
    size_t bad = ddn_utf8_check(line, size);
    if (bad < size && line[bad] == '\0')
        return ddn_fail_at(&r->error, DODONA_E_INPUT, name, r->line, "a NUL byte; expected text");
    if (bad < size)
        return ddn_fail_at(&r->error, DODONA_E_INPUT, name, r->line,
                           "byte 0x%02x is not UTF-8; expected text in UTF-8",
                           (unsigned char)line[bad]);
    return 0;
}

/* The tokens of a line. */
static int split(ddn_tokens_reader *r, ddn_sentence *s, const char *line, size_t size)
{
    size_t stop = trim(r, line, size);
    r->line++;
    int code = check(r, line, stop);
    for (size_t at = 0; at < stop && !code;) {
        size_t end = at;
        while (end < stop && !is_space(line[end]))
            end++;
        if (end > at)
            code = add(r, s, line + at, end - at);
        at = end + 1;
    }
    return code;
}

/* The tokens of lines, one in each. */
static int split_upright(ddn_tokens_reader *r, ddn_sentence *s, const char *lines, size_t size)
{
    int code = 0;
    for (size_t at = 0; at < size && !code;) {
        const char *line = lines + at, *newline = memchr(line, '\n', size - at);
        size_t length = newline ? (size_t)(newline - line) + 1 : size - at;
        size_t stop = trim(r, line, length);
        r->line++;
        code = check(r, line, stop);
        if (!code && stop)
            code = add(r, s, line, stop);
        else if (!code && line[0] == '\t')
            code = ddn_fail_at(&r->error, DODONA_E_INPUT, ddn_input_name(r->buf.in), r->line,
                               "no token before the tab; expected a token a line");
        at += length;
    }
    return code;
}

/* s becomes the lines as they came. */
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

static int64_t count_lines(const char *data, size_t size)
{
    int64_t lines = 0;
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n' || i + 1 == size;
    return lines;
}

static int next(ddn_tokens_reader *r, ddn_sentence *s)
{
    for (;;) {
        size_t size;
        int code = r->upright ? find_upright(r, &size) : find_line(r, &size);
        if (code || size == 0)
            return code;
        const char *lines = r->buf.data + r->buf.at;
        int64_t line = r->line;
        r->buf.at += size;
        ddn_sentence_clear(s);
        code = r->upright ? split_upright(r, s, lines, size) : split(r, s, lines, size);
        if (r->skip_bad && (code == DODONA_E_INPUT || code == DODONA_E_LIMIT)) {
            code = pass_over(r, s, lines, size);
            r->line = line + count_lines(lines, size);
        }
        s->line = line + 1;
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
