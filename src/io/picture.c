/* SPDX-License-Identifier: MIT */
/* picture.c - the strip: columns and the ends of arcs, so that no label lies on another.
 *
 * Ends.  Arcs that meet at a word end side by side in the order left short to long, root, right
 * long to short: as nested arcs must to not cross.
 *
 * Columns.  From left to right, each stands as far right as its neighbour, the labels of the arcs
 * that end there and its multiword token ask for.  One pass meets all these demands, since each is
 * about columns further left.  Words of both analyses ascend from column to column, so that the
 * arcs of each are ordered by columns as they are by words.
 *
 * Letters are not measured, as there is no font here: widths are estimates for a common sans-serif,
 * rather too wide.  O(n log n). */
#include "io/picture.h"

#include "core/utf8.h"
#include "io/text_write.h"
#include <stdlib.h>

enum {
    GAP = 18,       /* between columns */
    STEP = 8,       /* between the ends of arcs at a word */
    BEND = 12,      /* what the corner of an arc takes from the room for its label */
    LEAST_HALF = 10 /* of a column */
};

void ddn_picture_init(ddn_picture *l)
{
    *l = (ddn_picture){ 0 };
}

void ddn_picture_fini(ddn_picture *l)
{
    ddn_arena_fini(&l->arena);
}

bool ddn_sentence_is_rtl(const ddn_sentence *s)
{
    for (int32_t i = 1; i <= s->n; i++) {
        dodona_text form = ddn_sentence_column(s, i, DDN_FORM);
        int direction = ddn_utf8_direction(form.data, form.size);
        if (direction)
            return direction < 0;
    }
    return false;
}

/* ---- Widths ---- */

/* Hundredths of the letter size. */
static int64_t letter(unsigned char c)
{
    if (c >= 'A' && c <= 'Z')
        return c == 'M' || c == 'W' ? 95 : 74;
    if (c == 'm' || c == 'w' || c == '@' || c == '%')
        return 95;
    if (strchr("ijlft.,:;'!|()[]- ", c))
        return 42;
    return 64;
}

static int64_t text_width(dodona_text t, int size)
{
    int64_t sum = 0;
    size_t plain = 0;
    while (plain < t.size && (unsigned char)t.data[plain] < 0x80) {
        unsigned char c = (unsigned char)t.data[plain++];
        sum += c ? letter(c) : 0;
    }
    int64_t cells = (int64_t)ddn_utf8_width(t.data + plain, t.size - plain);
    return (sum + 66 * cells) * size / 100;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Of the label of a root; 0 for other words. */
static int64_t root_width(const ddn_sentence *s, int32_t word)
{
    return s->head[word] ? 0 : text_width(ddn_sentence_column(s, word, DDN_DEPREL), DDN_LABEL_SIZE);
}

static int64_t column_half(const ddn_picture *l, const ddn_column *c)
{
    const ddn_row *row = &c->of->row[c->row];
    int64_t form = text_width(ddn_sentence_span(c->of, row->col[DDN_FORM]), DDN_FORM_SIZE);
    int64_t tag = text_width(ddn_row_tag(c->of, row), DDN_TAG_SIZE);
    if (!c->word)
        return larger(form + DDN_FORM_SIZE, tag) / 2; /* in brackets */
    if (c->row && row[-1].kind == DDN_ROW_RANGE && row[-1].minor == c->word && c->of == l->s)
        tag =
            larger(tag, text_width(ddn_sentence_span(l->s, row[-1].col[DDN_FORM]), DDN_LABEL_SIZE));
    int32_t there = l->with && c->of == l->s ? l->with->there[c->word] : 0;
    if (l->with && !there)
        form += DDN_FORM_SIZE; /* a mark before it */
    if (there && ddn_tag_differs(l->s, l->with, c->word))
        tag += DDN_TAG_SIZE + text_width(ddn_word_tag(l->with->other, there), DDN_TAG_SIZE);
    int64_t root = root_width(c->of, c->word);
    if (there)
        root = larger(root, root_width(l->with->other, there));
    /* A mark of difference stands before the label. */
    root += l->with ? DDN_LABEL_SIZE : 0;
    return larger(larger(larger(form, tag), root) / 2, LEAST_HALF);
}

static ddn_column *add_column(ddn_picture *l, const ddn_sentence *of, size_t row)
{
    ddn_column *c = &l->column[l->columns++];
    bool is_word = of->row[row].kind == DDN_ROW_WORD;
    *c = (ddn_column){ .of = of, .row = (uint32_t)row, .word = is_word ? of->row[row].id : 0 };
    c->half = column_half(l, c);
    return c;
}

/* The words of the second analysis from *next on that stand up to behind word i: columns of those
 * that only it has, and the columns of all. */
static void add_others(ddn_picture *l, int32_t i, int32_t *next, bool *begins_there, bool joined)
{
    const ddn_comparison *with = l->with;
    int32_t *column_of = l->column_of + l->s->n + 1;
    for (; *next <= with->other->n && with->after[*next] <= i; ++*next) {
        if (with->here[*next]) {
            column_of[*next] = l->column_of[with->here[*next]];
        } else {
            column_of[*next] = l->columns;
            ddn_column *c = add_column(l, with->other, with->other->word_row[*next]);
            c->begins_there = *begins_there;
            c->joined = joined;
            *begins_there = false;
        }
        *begins_there |= with->ends_there[*next];
    }
}

static void make_columns(ddn_picture *l)
{
    int32_t word = 0, next = 1;
    int32_t reach = 0;         /* the last word of the multiword token that has begun */
    bool begins_there = false; /* a sentence of the second analysis has ended */
    l->columns = 0;
    for (size_t i = 0; i < l->s->rows; i++) {
        const ddn_row *row = &l->s->row[i];
        if (row->kind != DDN_ROW_WORD && row->kind != DDN_ROW_EMPTY)
            continue;
        bool joined = word < reach;
        if (l->with && row->kind == DDN_ROW_WORD)
            add_others(l, word, &next, &begins_there, joined);
        ddn_column *c = add_column(l, l->s, i);
        c->begins_there = begins_there;
        c->joined = joined;
        begins_there = false;
        if (!c->word)
            continue;
        c->begins = l->with && l->with->ends[word];
        word = c->word;
        l->column_of[word] = l->columns - 1;
        if (i && row[-1].kind == DDN_ROW_RANGE)
            reach = row[-1].minor;
    }
    if (l->with)
        add_others(l, word, &next, &begins_there, false);
}

/* ---- Arcs ---- */

/* By length, the root's last, then from left to right. */
static int compare_arcs(const void *left, const void *right)
{
    const ddn_bow *a = left, *b = right;
    if (!a->head != !b->head)
        return !a->head - !b->head;
    int32_t x = abs(a->head - a->child), y = abs(b->head - b->child);
    if (a->head && x != y)
        return x < y ? -1 : 1;
    return a->child < b->child ? -1 : a->child > b->child;
}

static int64_t label_width(const ddn_picture *l, const ddn_bow *a)
{
    const ddn_sentence *s = a->below ? l->with->other : l->s;
    int64_t width = text_width(ddn_sentence_column(s, a->child, DDN_DEPREL), DDN_LABEL_SIZE);
    return width + (a->differs ? DDN_LABEL_SIZE : 0);
}

static ddn_bow make_arc(const ddn_picture *l, int32_t head, int32_t child, bool below, bool differs)
{
    const int32_t *column_of = l->column_of + (below ? l->s->n + 1 : 0);
    int32_t c = column_of[child], h = head ? column_of[head] : c;
    ddn_bow a = { .head = head, .child = child, .below = below, .differs = differs };
    a.left = h < c ? h : c;
    a.right = h < c ? c : h;
    a.needs = label_width(l, &a) + 2 * BEND;
    return a;
}

/* Where arcs end, as a distance from the middle of their columns, until these have their places. */
static void set_ends(ddn_picture *l, ddn_bow *arc, int32_t arcs)
{
    size_t columns = (size_t)l->columns;
    int32_t *ends = l->memory, *lefts = ends + columns, *left = lefts + columns;
    int32_t *right = left + columns;
    memset(l->memory, 0, 4 * columns * sizeof *l->memory);
    for (int32_t k = 0; k < arcs; k++) {
        ends[arc[k].right]++;
        if (arc[k].head) {
            ends[arc[k].left]++;
            lefts[arc[k].right]++;
        }
    }
    for (int32_t k = 0; k < arcs; k++) {
        ddn_bow *a = &arc[k];
        bool from_left = a->head < a->child;
        for (int end = 0; end < (a->head ? 2 : 1); end++) {
            int32_t c = end ? a->left : a->right;
            int64_t place = !a->head ? lefts[c] : !end ? left[c]++ : ends[c] - 1 - right[c]++;
            int64_t room = 2 * l->column[c].half;
            int64_t step = room < STEP * (int64_t)ends[c] ? room / ends[c] : STEP;
            *(from_left == !end ? &a->to : &a->from) = place * step - (ends[c] - 1) * step / 2;
        }
        if (!a->head)
            a->from = a->to;
    }
}

/* The arcs of one analysis; of the second only those that differ. */
static void make_arcs(ddn_picture *l, const ddn_sentence *s, bool below)
{
    ddn_bow *start = l->arc + l->arcs;
    for (int32_t i = 1; i <= s->n; i++) {
        int32_t word = below ? l->with->here[i] : i; /* 0: the second analysis alone has it */
        bool differs = !word || (l->with && ddn_arc_differs(l->s, l->with, word));
        if (s->head[i] < 0 || s->head[i] > s->n || s->head[i] == i || (below && !differs))
            continue;
        l->arc[l->arcs++] = make_arc(l, s->head[i], i, below, differs);
    }
    int32_t count = (int32_t)(l->arc + l->arcs - start);
    qsort(start, (size_t)count, sizeof *start, compare_arcs);
    set_ends(l, start, count);
}

/* ---- Places ---- */

/* The x that the arcs that end at a column from the left ask for; next[] chains them. */
static int64_t asked_by_arcs(const ddn_picture *l, int32_t k, const int32_t *next)
{
    int64_t x = 0;
    for (; k >= 0; k = next[k]) {
        const ddn_bow *a = &l->arc[k];
        bool from_left = a->head < a->child;
        int64_t near = from_left ? a->from : a->to, far = from_left ? a->to : a->from;
        x = larger(x, l->column[a->left].x + near + a->needs - far);
    }
    return x;
}

/* The x that the form of the multiword token asks for whose last word stands in a column. */
static int64_t asked_by_token(const ddn_picture *l, const ddn_row *range, const ddn_column *last)
{
    const ddn_column *first = ddn_picture_column(l, range->id, false);
    dodona_text form = ddn_sentence_span(l->s, range->col[DDN_FORM]);
    return first->x - first->half + text_width(form, DDN_LABEL_SIZE) - last->half;
}

static void set_places(ddn_picture *l)
{
    int32_t *first = l->memory, *next = first + l->columns;
    for (int32_t c = 0; c < l->columns; c++)
        first[c] = -1;
    for (int32_t k = 0; k < l->arcs; k++)
        if (l->arc[k].head) {
            next[k] = first[l->arc[k].right];
            first[l->arc[k].right] = k;
        }
    int64_t reach = DDN_PICTURE_MARGIN - GAP;
    const ddn_row *range = NULL; /* the multiword token that is open */
    for (int32_t c = 0; c < l->columns; c++) {
        ddn_column *column = &l->column[c];
        int64_t gap = GAP + (column->begins || column->begins_there ? DDN_PICTURE_BORDER : 0);
        column->x = larger(reach + gap + column->half, asked_by_arcs(l, first[c], next));
        bool is_first = column->of == l->s;
        if (is_first && column->row && l->s->row[column->row - 1].kind == DDN_ROW_RANGE)
            range = &l->s->row[column->row - 1];
        if (is_first && range && column->word == range->minor)
            column->x = larger(column->x, asked_by_token(l, range, column));
        column->border = column->x - column->half - gap / 2;
        reach = column->x + column->half;
    }
    l->width = reach + DDN_PICTURE_MARGIN;
    for (int32_t k = 0; k < l->arcs; k++) {
        ddn_bow *a = &l->arc[k];
        bool from_left = a->head < a->child;
        a->from += l->column[from_left && a->head ? a->left : a->right].x;
        a->to += l->column[from_left ? a->right : a->left].x;
    }
}

/* ---- All of it ---- */

static int reserve(ddn_picture *l, dodona_error *err)
{
    size_t others = l->with ? (size_t)l->with->other->n + 1 : 0;
    size_t nodes = (size_t)l->s->n + 1 + others, columns = l->s->rows + others;
    ddn_arena_reset(&l->arena);
    l->column = ddn_arena_take(&l->arena, columns + 1, sizeof *l->column);
    l->column_of = ddn_arena_take(&l->arena, nodes, sizeof *l->column_of);
    l->arc = ddn_arena_take(&l->arena, nodes, sizeof *l->arc);
    l->memory = ddn_arena_take(&l->arena, 4 * columns + nodes, sizeof *l->memory);
    return l->arena.failed ? ddn_fail_memory(err) : DODONA_OK;
}

static bool has_long_arcs(const ddn_picture *l)
{
    int64_t span = 0;
    for (int32_t k = 0; k < l->arcs; k++)
        span += l->arc[k].right - l->arc[k].left;
    return span > (int64_t)DDN_PICTURE_SPAN * l->arcs;
}

int ddn_picture_make(ddn_picture *l, const ddn_sentence *s, const ddn_comparison *with,
                     dodona_error *err)
{
    l->s = s;
    l->with = with;
    int code = reserve(l, err);
    if (code)
        return code;
    l->rtl = ddn_sentence_is_rtl(s);
    l->arcs = 0;
    make_columns(l);
    make_arcs(l, s, false);
    if (with)
        make_arcs(l, with->other, true);
    set_places(l);
    l->whole = has_long_arcs(l);
    return 0;
}
