/* SPDX-License-Identifier: MIT */
/* sentence.c - rows over one text buffer.
 *
 * The buffer only grows while a sentence lives, so spans stay valid and a reallocation moves all of
 * them at once.  The trap is a value that itself lies in the buffer (a label copied from another
 * word): it is found again by its offset after the buffer has moved. */
#include "tree/sentence.h"

#include "core/array.h"
#include <stdlib.h>

void ddn_sentence_init(ddn_sentence *s)
{
    memset(s, 0, sizeof *s);
    s->byte = -1;
}

void ddn_sentence_fini(ddn_sentence *s)
{
    free(s->text);
    free(s->file);
    free(s->row);
    free(s->word_row);
    free(s->head);
    free(s->trees.score);
    free(s->trees.head);
    free(s->trees.label);
    free(s->confidence);
    ddn_sentence_init(s);
}

void ddn_sentence_clear(ddn_sentence *s)
{
    s->text_len = 0;
    s->rows = 0;
    s->n = 0;
    s->conllx = s->bad = s->continued = false;
    s->confident = 0;
    s->line = 0;
    s->byte = -1;
    if (s->file)
        s->file[0] = '\0';
    s->trees.count = 0;
}

int ddn_sentence_set_file(ddn_sentence *s, const char *name, dodona_error *err)
{
    size_t size = strlen(name) + 1;
    if (!ddn_reserve(&s->file, &s->file_cap, size, 1))
        return ddn_fail_memory(err);
    memcpy(s->file, name, size);
    return DODONA_OK;
}

/* Where the old buffer lay, to find values in it again. */
typedef struct old_text {
    uintptr_t at;
    size_t len;
} old_text;

static int reserve_text(ddn_sentence *s, size_t more, old_text *old, dodona_error *err)
{
    old->at = (uintptr_t)s->text;
    old->len = s->text_len;
    if (more > UINT32_MAX - s->text_len)
        return ddn_fail(err, DODONA_E_LIMIT, "the text of a sentence is over 4 GiB");
    if (!ddn_reserve(&s->text, &s->text_cap, s->text_len + more, 1))
        return ddn_fail_memory(err);
    return 0;
}

/* Room is reserved. */
static ddn_span append(ddn_sentence *s, const char *data, size_t len, old_text old)
{
    ddn_span span = { (uint32_t)s->text_len, (uint32_t)len };
    uintptr_t offset = (uintptr_t)data - old.at;
    if (len && offset < old.len)
        data = s->text + offset;
    if (len)
        memcpy(s->text + s->text_len, data, len);
    s->text_len += len;
    return span;
}

int ddn_sentence_text(ddn_sentence *s, const char *data, size_t len, ddn_span *out,
                      dodona_error *err)
{
    old_text old;
    int code = reserve_text(s, len, &old, err);
    if (!code)
        *out = append(s, data, len, old);
    return code;
}

int ddn_sentence_row(ddn_sentence *s, ddn_row_kind kind, ddn_row **out, dodona_error *err)
{
    size_t words = (size_t)s->n + 2;
    if (!ddn_reserve(&s->row, &s->row_cap, s->rows + 1, sizeof *s->row) ||
        !ddn_reserve(&s->word_row, &s->word_cap, words, sizeof *s->word_row) ||
        !ddn_reserve(&s->head, &s->head_cap, words, sizeof *s->head))
        return ddn_fail_memory(err);
    ddn_row *row = &s->row[s->rows];
    memset(row, 0, sizeof *row);
    row->kind = (uint8_t)kind;
    s->head[0] = -1;
    if (kind == DDN_ROW_WORD) {
        s->n++;
        s->word_row[s->n] = (uint32_t)s->rows;
        s->head[s->n] = -1;
        row->id = s->n;
    }
    s->rows++;
    *out = row;
    return 0;
}

static size_t print_int(char *to, int32_t value)
{
    char digits[12];
    size_t size = 0;
    uint32_t rest = (uint32_t)value;
    do
        digits[size++] = (char)('0' + rest % 10);
    while (rest /= 10);
    for (size_t i = 0; i < size; i++)
        to[i] = digits[size - 1 - i];
    return size;
}

/* HEAD as a number, -1 for anything else. */
static int32_t read_head(dodona_text t)
{
    int32_t value = 0;
    if (t.size == 0 || t.size > 9)
        return -1;
    for (size_t i = 0; i < t.size; i++) {
        if (t.data[i] < '0' || t.data[i] > '9')
            return -1;
        value = value * 10 + (t.data[i] - '0');
    }
    return value;
}

int ddn_sentence_word(ddn_sentence *s, const dodona_text col[DDN_COLUMNS], dodona_error *err)
{
    char id[12];
    dodona_text all[DDN_COLUMNS];
    size_t size = 0;
    for (int k = 0; k < DDN_COLUMNS; k++) {
        all[k] = col[k].data && col[k].size ? col[k] : (dodona_text){ "_", 1 };
        if (k == DDN_ID)
            all[k] = (dodona_text){ id, print_int(id, s->n + 1) };
        size += all[k].size + 1;
    }
    old_text old;
    int code = reserve_text(s, size, &old, err);
    ddn_row *row;
    if (!code)
        code = ddn_sentence_row(s, DDN_ROW_WORD, &row, err);
    if (code)
        return code;
    row->made = row->edited = true;
    for (int k = 0; k < DDN_COLUMNS; k++) {
        row->col[k] = append(s, all[k].data, all[k].size, old);
        s->text[s->text_len++] = '\t'; /* so that the columns can be written in one piece */
    }
    s->head[s->n] = read_head(ddn_sentence_column(s, s->n, DDN_HEAD));
    return 0;
}

static int32_t shift_head(const ddn_sentence *t, int32_t head, int32_t by)
{
    return head > t->n ? -1 : head > 0 ? head + by : head;
}

int ddn_sentence_append(ddn_sentence *s, const ddn_sentence *t, dodona_error *err)
{
    ddn_span all;
    int32_t n = s->n;
    if (s->rows == 0) {
        s->conllx = t->conllx;
        s->line = t->line;
    }
    int code = ddn_sentence_text(s, t->text, t->text_len, &all, err);
    for (size_t i = 0; !code && i < t->rows; i++) {
        ddn_row *row;
        code = ddn_sentence_row(s, (ddn_row_kind)t->row[i].kind, &row, err);
        if (code)
            break;
        *row = t->row[i];
        row->line.at += all.at;
        for (int k = 0; k < DDN_COLUMNS; k++)
            row->col[k].at += all.at;
        row->id += n;
        if (row->kind == DDN_ROW_RANGE)
            row->minor += n;
        if (row->kind == DDN_ROW_WORD)
            s->head[s->n] = shift_head(t, t->head[t->row[i].id], n);
    }
    return code;
}

int ddn_sentence_set(ddn_sentence *s, size_t row, int column, const char *data, size_t len,
                     dodona_error *err)
{
    ddn_span span;
    int code = ddn_sentence_text(s, data, len, &span, err);
    if (code)
        return code;
    s->row[row].col[column] = span;
    s->row[row].edited = true;
    if (column == DDN_HEAD && s->row[row].kind == DDN_ROW_WORD)
        s->head[s->row[row].id] = read_head(ddn_sentence_span(s, span));
    return 0;
}

/* Removes the comments that begin with prefix. */
static void drop_comments(ddn_sentence *s, const char *prefix)
{
    size_t size = strlen(prefix), rows = 0;
    for (size_t i = 0; i < s->rows; i++) {
        const ddn_row *row = &s->row[i];
        if (row->kind == DDN_ROW_COMMENT && row->line.len >= size &&
            memcmp(s->text + row->line.at, prefix, size) == 0)
            continue;
        if (row->kind == DDN_ROW_WORD)
            s->word_row[row->id] = (uint32_t)rows;
        s->row[rows++] = *row;
    }
    s->rows = rows;
}

int ddn_sentence_set_comments(ddn_sentence *s, const char *prefix, const char *lines, size_t size,
                              dodona_error *err)
{
    size_t count = 0, place = 0;
    ddn_span all;
    for (size_t i = 0; i < size; i++)
        count += lines[i] == '\n';
    if (!ddn_reserve(&s->row, &s->row_cap, s->rows + count, sizeof *s->row))
        return ddn_fail_memory(err);
    int code = ddn_sentence_text(s, lines, size, &all, err);
    if (code)
        return code;
    drop_comments(s, prefix);
    while (place < s->rows &&
           (s->row[place].kind == DDN_ROW_BLANK || s->row[place].kind == DDN_ROW_COMMENT))
        place++;
    memmove(s->row + place + count, s->row + place, (s->rows - place) * sizeof *s->row);
    s->rows += count;
    for (int32_t i = 1; i <= s->n; i++)
        s->word_row[i] += (uint32_t)count;
    for (uint32_t at = all.at; count > 0; count--) {
        const char *line = s->text + at, *end = memchr(line, '\n', all.at + all.len - at);
        uint32_t len = (uint32_t)(end - line) + 1;
        s->row[place++] =
            (ddn_row){ .kind = DDN_ROW_COMMENT, .made = true, .eol = 1, .line = { at, len } };
        at += len;
    }
    return 0;
}

/* The line with a newline into the text. */
static int append_line(ddn_sentence *s, dodona_text line, ddn_span *out, dodona_error *err)
{
    old_text old;
    int code = reserve_text(s, line.size + 1, &old, err);
    if (code)
        return code;
    *out = append(s, line.data, line.size, old);
    s->text[s->text_len++] = '\n';
    out->len++;
    return 0;
}

int ddn_sentence_replace_comment(ddn_sentence *s, size_t row, dodona_text line, dodona_error *err)
{
    int code = append_line(s, line, &s->row[row].line, err);
    if (!code)
        s->row[row].eol = 1;
    return code;
}

int ddn_sentence_insert_comment(ddn_sentence *s, size_t row, dodona_text line, dodona_error *err)
{
    size_t end = 0;
    while (end < s->rows &&
           (s->row[end].kind == DDN_ROW_BLANK || s->row[end].kind == DDN_ROW_COMMENT))
        end++;
    size_t place = 0;
    while (place < end && (place < row || !ddn_sentence_has_comment(s, place)))
        place++;
    int code = 0;
    if (place && ddn_sentence_has_comment(s, place - 1) && s->row[place - 1].eol == 0)
        code = ddn_sentence_replace_comment(s, place - 1,
                                            ddn_sentence_span(s, s->row[place - 1].line), err);
    if (!code && !ddn_reserve(&s->row, &s->row_cap, s->rows + 1, sizeof *s->row))
        code = ddn_fail_memory(err);
    ddn_span span;
    if (!code)
        code = append_line(s, line, &span, err);
    if (code)
        return code;
    memmove(s->row + place + 1, s->row + place, (s->rows - place) * sizeof *s->row);
    s->row[place] = (ddn_row){ .kind = DDN_ROW_COMMENT, .made = true, .eol = 1, .line = span };
    s->rows++;
    for (int32_t i = 1; i <= s->n; i++)
        s->word_row[i]++;
    return 0;
}

void ddn_sentence_remove_comment(ddn_sentence *s, size_t row)
{
    s->rows--;
    memmove(s->row + row, s->row + row + 1, (s->rows - row) * sizeof *s->row);
    for (int32_t i = 1; i <= s->n; i++)
        s->word_row[i]--;
}

int ddn_sentence_set_tree(ddn_sentence *s, const int32_t *head, const dodona_text *label,
                          bool keep_deps, dodona_error *err)
{
    size_t size = 0;
    for (int32_t i = 1; i <= s->n; i++)
        size += label[i].size + 24; /* the head, two tabs, two underscores */
    old_text old;
    int code = reserve_text(s, size, &old, err);
    if (code)
        return code;
    for (int32_t i = 1; i <= s->n; i++) {
        char digits[12] = "_";
        ddn_row *row = &s->row[s->word_row[i]];
        /* With tabs between them, as in a line, the values can be written in one piece. */
        row->col[DDN_HEAD] = append(s, digits, head[i] < 0 ? 1 : print_int(digits, head[i]), old);
        s->text[s->text_len++] = '\t';
        row->col[DDN_DEPREL] =
            label[i].size ? append(s, label[i].data, label[i].size, old) : append(s, "_", 1, old);
        s->text[s->text_len++] = '\t';
        if (!keep_deps)
            row->col[DDN_DEPS] = append(s, "_", 1, old);
        if (!keep_deps && s->conllx)
            row->col[DDN_MISC] = row->col[DDN_DEPS];
        row->edited = true;
        s->head[i] = head[i];
    }
    return 0;
}
