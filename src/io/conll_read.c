/* SPDX-License-Identifier: MIT */
/* conll_read.c - the reader of CoNLL-U and CoNLL-X.
 *
 * The buffer holds what was read and not yet given out.  find_block looks for the blank line that
 * ends the next sentence and reads on until it is there; the block is then copied into the
 * sentence in one piece and split into rows and columns in place.  memchr does the looking, so that
 * nothing walks byte by byte but the ids and heads.  Linear time; memory: twice the longest block.
 *
 * Rules of ids, all checked against n, the words so far, and next, the least id that a range may
 * start with:
 *     word   i      i = n+1
 *     range  i-j    i = n+1 >= next, j >= i; j must be reached; a word follows
 *     empty  i.k    i = n, k one more than that of the empty node before, from 1; 0.1 comes first
 * Comments come before all of these.
 *
 * Limits.  A line or block over its limit is noticed before the rest of it is read.  With skip_bad
 * such a block goes out in pieces (drain), so a line of any length passes in bounded memory.
 *
 * Traps.  A line of "\r\n" is blank.  A file may end in "\r" or in the middle of a line.  A byte
 * order mark at the start of a file is kept as a comment row of three bytes without a line end. */
#include "io/conll.h"

#include "core/array.h"
#include "core/buffer.h"
#include "core/utf8.h"
#include "tree/tree.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    BLANK_BYTES = 1 << 12,           /* so many bytes of blank lines are given out on their own */
    MAX_ROWS = 4 * DODONA_MAX_WORDS, /* words, ranges, empty nodes and comments of a sentence */
    MAX_NUMBER = 9,                  /* digits */
    SHOWN = 40,                      /* bytes of a bad value that a message quotes */
};

struct ddn_conll_reader {
    ddn_buffer buf;
    dodona_format format;
    dodona_check check;
    bool skip_bad;
    int64_t line; /* number of the first line in the buffer */

    bool draining; /* inside a block over a limit */
    bool seen;     /* draining: a line that is not blank went out */
    bool mid;      /* draining: the first line in the buffer began in an earlier piece */
    int failed;    /* a code that stays */
    dodona_error error;
    int64_t bad; /* sentences passed over */
    dodona_error first;

    int32_t *mark; /* scratch of the tree check */
    size_t mark_cap;
};

/* What is known while the rows of one sentence are read. */
typedef struct parse {
    ddn_conll_reader *r;
    ddn_sentence *s;
    dodona_error *err;
    int64_t line;  /* of the row at hand */
    bool started;  /* a row that is no comment was seen */
    bool pending;  /* the last row was a range: its first word must follow */
    int32_t reach; /* the last id of the last range */
    int64_t reach_line;
    int32_t minor; /* of the last empty node after word n */
} parse;

int ddn_conll_open(ddn_conll_reader **out, ddn_input *take_in, dodona_format format,
                   dodona_check check, bool skip_bad, dodona_error *err)
{
    *out = NULL;
    ddn_conll_reader *r = calloc(1, sizeof *r);
    if (!r) {
        ddn_input_close(take_in);
        return ddn_fail_memory(err);
    }
    int code = ddn_buffer_init(&r->buf, take_in, err);
    if (code) {
        free(r);
        return code;
    }
    r->format = format;
    r->check = check;
    r->skip_bad = skip_bad;
    r->line = 1;
    *out = r;
    return 0;
}

void ddn_conll_close(ddn_conll_reader *r)
{
    if (!r)
        return;
    ddn_buffer_fini(&r->buf);
    free(r->mark);
    free(r);
}

int64_t ddn_conll_bad(const ddn_conll_reader *r, dodona_error *first)
{
    if (first && r->bad)
        *first = r->first;
    return r->bad;
}

/* ---- The buffer ---- */

/* A failure here is never that of a sentence, so it stays. */
static int fill(ddn_conll_reader *r, dodona_error *err)
{
    int code = ddn_buffer_fill(&r->buf, err);
    r->failed = code < 0 ? code : 0;
    return code;
}

static int64_t count_lines(const char *data, size_t size)
{
    int64_t lines = 0;
    const char *end = data + size;
    while (data < end && (data = memchr(data, '\n', (size_t)(end - data)))) {
        lines++;
        data++;
    }
    return lines;
}

static bool is_blank(const char *line, size_t size)
{
    return size == 0 || (size == 1 && line[0] == '\r');
}

static int over_limit(ddn_conll_reader *r, size_t line, size_t next, dodona_error *err)
{
    int64_t number = r->line + count_lines(r->buf.data + r->buf.at, line);
    if (next - line > DODONA_MAX_LINE)
        return ddn_fail_at(err, DODONA_E_LIMIT, ddn_input_name(r->buf.in), number,
                           "the line is longer than %u bytes, the limit", DODONA_MAX_LINE);
    return ddn_fail_at(err, DODONA_E_LIMIT, ddn_input_name(r->buf.in), number,
                       "the sentence is longer than %u bytes, the limit",
                       DODONA_MAX_SENTENCE_BYTES);
}

/* The size of the next block, 0 at the end of the input.  Offsets count from buf.at, which
 * fill may move. */
static int find_block(ddn_conll_reader *r, size_t *size, dodona_error *err)
{
    size_t line = 0, scanned = 0;
    bool words = false;
    for (;;) {
        const char *base = r->buf.data + r->buf.at;
        size_t have = r->buf.end - r->buf.at;
        const char *newline = scanned < have ? memchr(base + scanned, '\n', have - scanned) : NULL;
        size_t next = newline ? (size_t)(newline - base) + 1 : have;
        if (next - line > DODONA_MAX_LINE || next > DODONA_MAX_SENTENCE_BYTES)
            return over_limit(r, line, next, err);
        if (!newline) {
            *size = have;
            if (r->buf.ended)
                return 0;
            scanned = have;
            int code = fill(r, err);
            if (code)
                return code;
            continue;
        }
        bool blank = is_blank(base + line, next - 1 - line);
        if (blank && (words || next >= BLANK_BYTES)) {
            *size = next;
            return 0;
        }
        words = words || !blank;
        line = scanned = next;
    }
}

/* ---- Columns ---- */

static int wrong(parse *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int wrong(parse *p, const char *format, ...)
{
    char message[sizeof p->err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return ddn_fail_at(p->err, DODONA_E_INPUT, ddn_input_name(p->r->buf.in), p->line, "%s",
                       message);
}

/* How much of a value a message shows: whole characters, of which a bad value may have none. */
static int shown(dodona_text t)
{
    size_t size = t.size < SHOWN ? t.size : SHOWN;
    return (int)ddn_utf8_check(t.data, size);
}

static int split(parse *p, ddn_row *row, size_t from, size_t to)
{
    const char *text = p->s->text;
    int k = 0;
    for (size_t at = from;; k++) {
        const char *tab = at < to ? memchr(text + at, '\t', to - at) : NULL;
        size_t stop = tab ? (size_t)(tab - text) : to;
        if (k < DDN_COLUMNS)
            row->col[k] = (ddn_span){ (uint32_t)at, (uint32_t)(stop - at) };
        if (!tab)
            break;
        at = stop + 1;
    }
    if (k + 1 != DDN_COLUMNS)
        return k ? wrong(p, "%d columns; expected 10 with tabs between them", k + 1)
                 : wrong(p, "no tabs; expected CoNLL, 10 columns with tabs between them");
    for (k = 0; k < DDN_COLUMNS; k++)
        if (row->col[k].len == 0)
            return wrong(p, "column %d is empty; expected a value or _", k + 1);
    return 0;
}

/* A number without leading zeros; the byte after it, or NULL. */
static const char *number(const char *at, const char *end, int32_t *out)
{
    const char *start = at;
    int32_t value = 0;
    while (at < end && *at >= '0' && *at <= '9' && at - start < MAX_NUMBER)
        value = value * 10 + (*at++ - '0');
    if (at == start || (*start == '0' && at - start > 1))
        return NULL;
    *out = value;
    return at;
}

/* ---- Rows ---- */

static int word(parse *p, ddn_row *row)
{
    ddn_sentence *s = p->s;
    dodona_text head = ddn_sentence_span(s, row->col[DDN_HEAD]);
    if (row->id != s->n + 1)
        return wrong(p, "the id is %d; expected %d", (int)row->id, (int)s->n + 1);
    if (s->n == DODONA_MAX_WORDS)
        return ddn_fail_at(p->err, DODONA_E_LIMIT, ddn_input_name(p->r->buf.in), p->line,
                           "the sentence has more than %d words, the limit", DODONA_MAX_WORDS);
    s->n++;
    s->word_row[s->n] = (uint32_t)(row - s->row);
    p->pending = false;
    p->minor = 0;
    if (head.size == 1 && head.data[0] == '_') {
        s->head[s->n] = -1;
        return 0;
    }
    if (number(head.data, head.data + head.size, &s->head[s->n]) != head.data + head.size)
        return wrong(p, "the head is '%.*s'; expected a number or _", shown(head), head.data);
    return 0;
}

static int range(parse *p, ddn_row *row)
{
    int first = (int)row->id, last = (int)row->minor, n = (int)p->s->n;
    if (p->r->format == DODONA_CONLLX)
        return wrong(p, "the id is %d-%d; CoNLL-X has no multiword tokens", first, last);
    if (first > last)
        return wrong(p, "the range %d-%d goes backwards", first, last);
    if (p->reach && first <= p->reach)
        return wrong(p, "the range %d-%d overlaps the one before, which ends at %d", first, last,
                     (int)p->reach);
    if (first != n + 1)
        return wrong(p, "the range %d-%d is out of place; expected one that starts at %d", first,
                     last, n + 1);
    p->reach = row->minor;
    p->reach_line = p->line;
    p->pending = true;
    return 0;
}

static int empty(parse *p, ddn_row *row)
{
    int after = (int)row->id, minor = (int)row->minor, n = (int)p->s->n;
    if (p->r->format == DODONA_CONLLX)
        return wrong(p, "the id is %d.%d; CoNLL-X has no empty nodes", after, minor);
    if (p->pending)
        return wrong(p, "the empty node %d.%d stands between a range and its first word", after,
                     minor);
    if (after != n || minor != p->minor + 1)
        return wrong(p, "the empty node is %d.%d; expected %d.%d or word %d", after, minor, n,
                     (int)p->minor + 1, n + 1);
    p->minor = row->minor;
    return 0;
}

/* A row with columns; its id says which kind. */
static int columns(parse *p, ddn_row *row)
{
    size_t from = row->line.at, to = from + row->line.len - row->eol;
    int code = split(p, row, from, to);
    if (code)
        return code;
    dodona_text id = ddn_sentence_span(p->s, row->col[DDN_ID]);
    const char *end = id.data + id.size, *at = number(id.data, end, &row->id);
    p->started = true;
    if (at == end) {
        row->kind = DDN_ROW_WORD;
        return word(p, row);
    }
    char mark = at ? *at : '\0';
    if ((mark == '-' || mark == '.') && number(at + 1, end, &row->minor) == end) {
        row->kind = mark == '-' ? DDN_ROW_RANGE : DDN_ROW_EMPTY;
        return mark == '-' ? range(p, row) : empty(p, row);
    }
    return wrong(p, "the id is '%.*s'; expected a number, a range as 3-4 or an empty node as 3.1",
                 shown(id), id.data);
}

/* One line of the text, from..to with its line end. */
static int read_line(parse *p, size_t from, size_t to)
{
    ddn_sentence *s = p->s;
    ddn_row *row;
    if (s->rows >= MAX_ROWS)
        return ddn_fail_at(p->err, DODONA_E_LIMIT, ddn_input_name(p->r->buf.in), p->line,
                           "the sentence has more than %d lines, the limit", (int)MAX_ROWS);
    /* It becomes a word when its id has been read. */
    int code = ddn_sentence_row(s, DDN_ROW_COMMENT, &row, p->err);
    if (code)
        return code;
    size_t stop = to;
    if (stop > from && s->text[stop - 1] == '\n')
        stop--;
    if (stop > from && s->text[stop - 1] == '\r')
        stop--;
    row->line = (ddn_span){ (uint32_t)from, (uint32_t)(to - from) };
    row->eol = (uint8_t)(to - stop);
    if (stop == from) {
        row->kind = DDN_ROW_BLANK;
        return 0;
    }
    if (s->text[from] != '#')
        return columns(p, row);
    if (p->started)
        return wrong(p, "a comment inside the sentence; expected it before the first word");
    return 0;
}

static int bad_byte(parse *p, size_t at)
{
    unsigned char byte = (unsigned char)p->s->text[at];
    if (byte == 0)
        return wrong(p, "a NUL byte; expected text");
    return wrong(p, "byte 0x%02x is not UTF-8; expected text in UTF-8", byte);
}

/* What can be said of the sentence only when all of it is known. */
static int check_whole(parse *p)
{
    ddn_sentence *s = p->s;
    if (p->reach > s->n) {
        p->line = p->reach_line;
        return wrong(p, "the range ends at %d; the sentence has %d words", (int)p->reach,
                     (int)s->n);
    }
    for (int32_t i = 1; i <= s->n; i++)
        if (s->head[i] > s->n) {
            p->line = ddn_sentence_line(s, s->word_row[i]);
            return wrong(p, "the head is %d; expected 0 to %d", (int)s->head[i], (int)s->n);
        }
    if (p->r->check == DODONA_CHECK_FORM || s->n == 0)
        return 0;
    if (!ddn_reserve(&p->r->mark, &p->r->mark_cap, (size_t)s->n + 1, sizeof *p->r->mark))
        return ddn_fail_memory(p->err);
    int32_t i = 1;
    bool one = p->r->check == DODONA_CHECK_ONE_ROOT;
    ddn_tree_fault fault = ddn_tree_check(s->head, s->n, one, p->r->mark, &i);
    p->line = ddn_sentence_line(s, s->word_row[fault == DDN_TREE_NO_ROOT ? 1 : i]);
    switch (fault) {
    case DDN_TREE_OK:
        return 0;
    case DDN_TREE_NO_HEAD:
        return wrong(p, "word %d has no head; expected 0 to %d", (int)i, (int)s->n);
    case DDN_TREE_OUT_OF_RANGE:
        return wrong(p, "the head of word %d is out of range; expected 0 to %d", (int)i, (int)s->n);
    case DDN_TREE_SELF_LOOP:
        return wrong(p, "word %d is its own head; expected a tree", (int)i);
    case DDN_TREE_CYCLE:
        return wrong(p, "word %d is on a cycle of heads; expected a tree", (int)i);
    case DDN_TREE_NO_ROOT:
        return wrong(p, "no word has head 0; expected a root");
    case DDN_TREE_TWO_ROOTS:
        return wrong(p, "word %d is a second root; expected one word with head 0", (int)i);
    }
    return 0;
}

/* Splits s->text, which is filled. */
static int read_rows(ddn_conll_reader *r, ddn_sentence *s, dodona_error *err)
{
    parse p = { .r = r, .s = s, .err = err, .line = s->line };
    size_t size = s->text_len, at = 0, bad = ddn_utf8_check(s->text, size);
    if (s->line == 1 && size >= 3 && memcmp(s->text, "\xef\xbb\xbf", 3) == 0) {
        ddn_row *row;
        int code = ddn_sentence_row(s, DDN_ROW_COMMENT, &row, err);
        if (code)
            return code;
        row->line.len = 3;
        at = 3;
    }
    while (at < size) {
        const char *newline = memchr(s->text + at, '\n', size - at);
        size_t next = newline ? (size_t)(newline - s->text) + 1 : size;
        if (bad < next)
            return bad_byte(&p, bad);
        int code = read_line(&p, at, next);
        if (code)
            return code;
        at = next;
        p.line++;
    }
    return check_whole(&p);
}

/* ---- Sentences ---- */

/* Moves size bytes from the buffer into s. */
static int take(ddn_conll_reader *r, ddn_sentence *s, size_t size, dodona_error *err)
{
    ddn_span span;
    ddn_sentence_clear(s);
    int code = ddn_sentence_text(s, r->buf.data + r->buf.at, size, &span, err);
    if (!code)
        code = ddn_sentence_set_file(s, ddn_input_name(r->buf.in), err);
    if (code)
        return code;
    r->buf.at += size;
    s->line = r->line;
    s->conllx = r->format == DODONA_CONLLX;
    return 0;
}

/* Makes all of s->text one raw row. */
static int make_raw(ddn_sentence *s, dodona_error *err)
{
    ddn_row *row;
    s->rows = 0;
    s->n = 0;
    int code = ddn_sentence_row(s, DDN_ROW_RAW, &row, err);
    if (code)
        return code;
    row->line.len = (uint32_t)s->text_len;
    s->bad = true;
    return 0;
}

/* Gives out the next piece of a block over a limit: whole lines up to its blank line as far as they
 * are in the buffer, or a part of a line that is longer than that.  1, or 0 when nothing is left.
 */
static int drain(ddn_conll_reader *r, ddn_sentence *s, dodona_error *err)
{
    size_t size = 0;
    bool done = false;
    for (;;) {
        const char *base = r->buf.data + r->buf.at, *newline;
        size_t have = r->buf.end - r->buf.at;
        while (!done && size < have && size < DDN_BUFFER_READ &&
               (newline = memchr(base + size, '\n', have - size))) {
            size_t next = (size_t)(newline - base) + 1;
            bool blank = !r->mid && is_blank(base + size, next - 1 - size);
            done = blank && r->seen;
            r->seen = r->seen || !blank;
            r->mid = false;
            size = next;
        }
        if (size == 0 && (r->buf.ended || have >= DDN_BUFFER_READ)) {
            size = have < DDN_BUFFER_READ ? have : DDN_BUFFER_READ;
            r->seen = r->mid = true;
        }
        if (size || r->buf.ended)
            break;
        int code = fill(r, err);
        if (code)
            return code;
    }
    r->draining = !done && size > 0;
    if (size == 0)
        return 0;
    int code = take(r, s, size, err);
    if (code)
        return code;
    r->line += count_lines(s->text, size);
    code = make_raw(s, err);
    return code ? code : 1;
}

/* s becomes the bad sentence that r->error speaks of. */
static int pass_over(ddn_conll_reader *r, ddn_sentence *s)
{
    if (r->bad++ == 0)
        r->first = r->error;
    if (r->draining)
        return drain(r, s, &r->error);
    int code = make_raw(s, &r->error);
    return code ? code : 1;
}

/* The next sentence that is not a further piece of a bad one. */
static int next_block(ddn_conll_reader *r, ddn_sentence *s)
{
    size_t size = 0;
    int code = find_block(r, &size, &r->error);
    if (code == DODONA_WAIT || (!code && size == 0))
        return code;
    if (!code) {
        code = take(r, s, size, &r->error);
        if (code)
            return code;
        code = read_rows(r, s, &r->error);
        r->line = code ? r->line + count_lines(s->text, size) : ddn_sentence_line(s, s->rows);
    } else if (!r->failed) {
        r->draining = true;
        r->seen = r->mid = false;
    }
    if (!code)
        return 1;
    bool sentence = !r->failed && code != DODONA_E_MEMORY;
    return sentence && r->skip_bad ? pass_over(r, s) : code;
}

int ddn_conll_next(ddn_conll_reader *r, ddn_sentence *s, dodona_error *err)
{
    int code = r->failed;
    if (!code && r->draining) {
        code = drain(r, s, &r->error);
        s->continued = code == 1;
    } else if (!code) {
        code = next_block(r, s);
    }
    if (code < 0) {
        r->failed = code;
        if (err)
            *err = r->error;
    }
    return code;
}
