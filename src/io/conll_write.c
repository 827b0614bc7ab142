/* SPDX-License-Identifier: MIT */
/* conll_write.c - rows back into lines.
 *
 * What was read lies in the text buffer in the order of the file, so rows that were not edited are
 * copied as one run.  An edited row is its columns with tabs between them; there too, columns that
 * still stand side by side in the buffer are copied together with the tabs between them. */
#include "io/conll.h"

/* Columns first..last with tabs between them and none after. */
static void put_columns(ddn_output *o, const ddn_sentence *s, const ddn_row *row, int first,
                        int last)
{
    for (int k = first; k <= last; k++) {
        uint32_t from = row->col[k].at, to = from + row->col[k].len;
        while (k < last && row->col[k + 1].at == to + 1 && s->text[to] == '\t') {
            k++;
            to = row->col[k].at + row->col[k].len;
        }
        char *room = ddn_output_room(o, (size_t)(to - from) + 1);
        if (!room)
            return;
        memcpy(room, s->text + from, to - from);
        room[to - from] = '\t';
        ddn_output_took(o, (size_t)(to - from) + (k < last));
    }
}

static void put_line_end(ddn_output *o, const ddn_sentence *s, const ddn_row *row)
{
    if (row->made)
        ddn_put(o, "\n", 1);
    else
        ddn_put(o, s->text + row->line.at + row->line.len - row->eol, row->eol);
}

static void put_made_end(ddn_output *o, const ddn_sentence *s)
{
    if (s->rows && s->row[s->rows - 1].made)
        ddn_put(o, "\n", 1);
}

void ddn_conll_put(ddn_output *o, const ddn_sentence *s)
{
    for (size_t i = 0; i < s->rows; i++) {
        const ddn_row *row = &s->row[i];
        if (row->edited) {
            put_columns(o, s, row, DDN_ID, DDN_MISC);
            put_line_end(o, s, row);
            continue;
        }
        size_t from = row->line.at, to = from + row->line.len;
        while (i + 1 < s->rows && !row[1].edited && row[1].line.at == to) {
            row++;
            i++;
            to += row->line.len;
        }
        ddn_put(o, s->text + from, to - from);
    }
    put_made_end(o, s);
}

/* Whether the raw text ends with a blank line. */
static bool ends_blank(const char *text, size_t size)
{
    if (size && text[size - 1] == '\n')
        size--;
    if (size && text[size - 1] == '\r')
        size--;
    return size == 0 || text[size - 1] == '\n';
}

int ddn_conll_gap(const ddn_sentence *s)
{
    const ddn_row *last = s->rows ? &s->row[s->rows - 1] : NULL;
    if (!last || last->made)
        return 0;
    const char *line = s->text + last->line.at;
    bool whole = line[last->line.len - 1] == '\n';
    bool blank = last->kind == DDN_ROW_BLANK ||
                 (last->kind == DDN_ROW_RAW && ends_blank(line, last->line.len));
    return !whole + !blank;
}

void ddn_conllu_from_x_put(ddn_output *o, const ddn_sentence *s)
{
    for (size_t i = 0; i < s->rows; i++) {
        const ddn_row *row = &s->row[i];
        if (row->kind != DDN_ROW_WORD) {
            ddn_put(o, s->text + row->line.at, row->line.len);
            continue;
        }
        put_columns(o, s, row, DDN_ID, DDN_DEPREL);
        ddn_put(o, "\t_\t_", 4);
        put_line_end(o, s, row);
    }
    put_made_end(o, s);
}

/* CoNLL-X has no spaces inside columns. */
static void put_without_blanks(ddn_output *o, dodona_text t)
{
    char *room = ddn_output_room(o, t.size);
    for (size_t i = 0; room && i < t.size; i++)
        room[i] = t.data[i] == ' ' ? '_' : t.data[i];
    if (room)
        ddn_output_took(o, t.size);
}

void ddn_conllx_put(ddn_output *o, const ddn_sentence *s)
{
    for (int32_t i = 1; i <= s->n; i++) {
        for (int k = DDN_ID; k <= DDN_DEPREL; k++) {
            put_without_blanks(o, ddn_sentence_column(s, i, k));
            ddn_put(o, "\t", 1);
        }
        ddn_put(o, "_\t_\n", 4);
    }
    if (s->n)
        ddn_put(o, "\n", 1);
}
