/* SPDX-License-Identifier: MIT */
/* picture.c - columns and levels, so that no label lies on another.
 *
 * Levels.  Arcs are taken from the shortest to the longest; each lies one level above all that
 * share a gap between words with it.  So arcs on a level never meet, whether arcs cross or not, and
 * a projective tree is drawn without crossings.  A root's arc comes straight down on its word, from
 * above all that passes beside it.  The highest level over a stretch of gaps is found in a tree of
 * maxima: a new arc is higher than all in its stretch, so raising needs no more than a mark on the
 * O(log n) nodes that make up the stretch.
 *
 * Ends.  Arcs that meet at a word end side by side in the order left short to long, root, right
 * long to short: as nested arcs must to not cross.
 *
 * Columns.  From left to right, each stands as far right as its neighbour, the labels of the arcs
 * that end there and its multiword token ask for.  One pass meets all these demands, since each is
 * about columns further left.  Words of both analyses ascend from column to column, so that each
 * has levels and ends by its own numbers.
 *
 * Letters are not measured, as there is no font here: widths are estimates for a common sans-serif,
 * rather too wide.  O(n log n). */
#include "io/picture.h"

#include "core/array.h"
#include "core/utf8.h"
#include "io/text_write.h"
#include <stdlib.h>

enum { GAP = 18, MARGIN = 16, STEP = 8, BEND = 12, LEAST_HALF = 10, BORDER = 48 };

void ddn_picture_init(ddn_picture *l)
{
    *l = (ddn_picture){ 0 };
}

void ddn_picture_fini(ddn_picture *l)
{
    free(l->column);
    free(l->column_of);
    free(l->arc);
    free(l->memory);
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
static void add_others(ddn_picture *l, int32_t i, int32_t *next, bool *begins_there)
{
    const ddn_comparison *with = l->with;
    int32_t *column_of = l->column_of + l->s->n + 1;
    for (; *next <= with->other->n && with->after[*next] <= i; ++*next) {
        if (with->here[*next]) {
            column_of[*next] = l->column_of[with->here[*next]];
        } else {
            column_of[*next] = l->columns;
            add_column(l, with->other, with->other->word_row[*next])->begins_there = *begins_there;
            *begins_there = false;
        }
        *begins_there |= with->ends_there[*next];
    }
}

static void make_columns(ddn_picture *l)
{
    int32_t word = 0, next = 1;
    bool begins_there = false; /* a sentence of the second analysis has ended */
    l->columns = 0;
    l->tokens = false;
    for (size_t i = 0; i < l->s->rows; i++) {
        const ddn_row *row = &l->s->row[i];
        l->tokens |= row->kind == DDN_ROW_RANGE;
        if (row->kind != DDN_ROW_WORD && row->kind != DDN_ROW_EMPTY)
            continue;
        if (l->with && row->kind == DDN_ROW_WORD)
            add_others(l, word, &next, &begins_there);
        ddn_column *c = add_column(l, l->s, i);
        c->begins_there = begins_there;
        begins_there = false;
        if (!c->word)
            continue;
        c->begins = l->with && l->with->ends[word];
        word = c->word;
        l->column_of[word] = l->columns - 1;
    }
    if (l->with)
        add_others(l, word, &next, &begins_there);
}

/* ---- Levels ---- */

/* Gaps 0..size-1; node k's children are 2k and 2k+1, its leaves start at size. */
typedef struct heights {
    int32_t *most;  /* [2*size] highest level anywhere below the node, */
    int32_t *whole; /* [2*size] and highest that covers all of it */
    int32_t size;   /* a power of two */
} heights;

static int32_t level_over(const heights *h, int32_t node, int32_t low, int32_t high, int32_t from,
                          int32_t to)
{
    if (to <= low || high <= from)
        return 0;
    if (from <= low && high <= to)
        return h->most[node];
    int32_t middle = low + (high - low) / 2;
    int32_t left = level_over(h, 2 * node, low, middle, from, to);
    int32_t right = level_over(h, 2 * node + 1, middle, high, from, to);
    int32_t most = left > right ? left : right;
    return most > h->whole[node] ? most : h->whole[node];
}

static void raise(heights *h, int32_t node, int32_t low, int32_t high, int32_t from, int32_t to,
                  int32_t level)
{
    if (to <= low || high <= from)
        return;
    if (h->most[node] < level)
        h->most[node] = level;
    if (from <= low && high <= to) {
        h->whole[node] = level;
        return;
    }
    int32_t middle = low + (high - low) / 2;
    raise(h, 2 * node, low, middle, from, to, level);
    raise(h, 2 * node + 1, middle, high, from, to, level);
}

static int32_t left_end(const ddn_bow *a)
{
    return a->head && a->head < a->child ? a->head : a->child;
}

static int32_t right_end(const ddn_bow *a)
{
    return a->head > a->child ? a->head : a->child;
}

/* By length, the root's last, then from left to right. */
static int compare_arcs(const void *left, const void *right)
{
    const ddn_bow *a = left, *b = right;
    if (!a->head != !b->head)
        return !a->head - !b->head;
    int32_t x = right_end(a) - left_end(a), y = right_end(b) - left_end(b);
    if (x != y)
        return x < y ? -1 : 1;
    return a->child < b->child ? -1 : a->child > b->child;
}

/* Sets the levels of these sorted arcs; returns the highest. */
static int32_t set_levels(ddn_bow *arc, int32_t arcs, heights *h)
{
    int32_t top = 0;
    memset(h->most, 0, 2 * (size_t)h->size * sizeof *h->most);
    memset(h->whole, 0, 2 * (size_t)h->size * sizeof *h->whole);
    for (int32_t k = 0; k < arcs; k++) {
        ddn_bow *a = &arc[k];
        int32_t from = a->head ? left_end(a) : a->child - 1;
        int32_t to = a->head ? right_end(a) : a->child + 1;
        a->level = level_over(h, 1, 0, h->size, from, to) + 1;
        if (a->head)
            raise(h, 1, 0, h->size, from, to, a->level);
        top = a->level > top ? a->level : top;
    }
    return top;
}

/* ---- Ends ---- */

static size_t most_words(const ddn_picture *l)
{
    int32_t others = l->with ? l->with->other->n : 0;
    return (size_t)(others > l->s->n ? others : l->s->n);
}

/* Where arcs end, as a distance from the middle of their words, until columns have their places. */
static void set_ends(ddn_picture *l, ddn_bow *arc, int32_t arcs, int32_t *memory)
{
    size_t nodes = most_words(l) + 1;
    int32_t *ends = memory, *lefts = ends + nodes, *left = lefts + nodes, *right = left + nodes;
    memset(memory, 0, 4 * nodes * sizeof *memory);
    for (int32_t k = 0; k < arcs; k++) {
        ends[arc[k].child]++;
        if (arc[k].head) {
            ends[arc[k].head]++;
            lefts[right_end(&arc[k])]++;
        }
    }
    for (int32_t k = 0; k < arcs; k++) {
        ddn_bow *a = &arc[k];
        for (int end = 0; end < 2; end++) {
            int32_t w = end ? a->child : a->head;
            if (w == 0)
                continue;
            bool is_left = a->head && w == right_end(a);
            int64_t place = !a->head ? lefts[w] : is_left ? left[w]++ : ends[w] - 1 - right[w]++;
            int64_t room = 2 * ddn_picture_column(l, w, a->below)->half;
            int64_t step = room < STEP * (int64_t)ends[w] ? room / ends[w] : STEP;
            int64_t offset = place * step - (ends[w] - 1) * step / 2;
            *(end ? &a->to : &a->from) = offset;
        }
        if (!a->head)
            a->from = a->to;
    }
}

/* ---- Places ---- */

static int64_t label_width(const ddn_picture *l, const ddn_bow *a)
{
    const ddn_sentence *s = a->below ? l->with->other : l->s;
    int64_t width = text_width(ddn_sentence_column(s, a->child, DDN_DEPREL), DDN_LABEL_SIZE);
    return width + (a->differs ? DDN_LABEL_SIZE : 0);
}

/* The x that the arcs that end at a column from the left ask for; next[] chains them. */
static int64_t asked_by_arcs(const ddn_picture *l, int32_t k, const int32_t *next)
{
    int64_t x = 0;
    for (; k >= 0; k = next[k]) {
        const ddn_bow *a = &l->arc[k];
        bool from_left = a->head < a->child;
        int64_t near = from_left ? a->from : a->to, far = from_left ? a->to : a->from;
        int64_t start = ddn_picture_column(l, left_end(a), a->below)->x + near;
        x = larger(x, start + label_width(l, a) + 2 * BEND - far);
    }
    return x;
}

static void set_places(ddn_picture *l, int32_t *memory)
{
    int32_t *first = memory, *next = first + l->columns;
    for (int32_t c = 0; c < l->columns; c++)
        first[c] = -1;
    for (int32_t k = 0; k < l->arcs; k++) {
        const ddn_bow *a = &l->arc[k];
        if (a->head) {
            int32_t c = (int32_t)(ddn_picture_column(l, right_end(a), a->below) - l->column);
            next[k] = first[c];
            first[c] = k;
        }
    }
    int64_t reach = MARGIN - GAP;
    const ddn_row *range = NULL; /* the multiword token that is open */
    for (int32_t c = 0; c < l->columns; c++) {
        ddn_column *column = &l->column[c];
        int64_t gap = GAP + (column->begins || column->begins_there ? BORDER : 0);
        column->x = larger(reach + gap + column->half, asked_by_arcs(l, first[c], next));
        bool is_first = column->of == l->s;
        if (is_first && column->row && l->s->row[column->row - 1].kind == DDN_ROW_RANGE)
            range = &l->s->row[column->row - 1];
        if (is_first && range && column->word == range->minor) {
            const ddn_column *start = ddn_picture_column(l, range->id, false);
            dodona_text form = ddn_sentence_span(l->s, range->col[DDN_FORM]);
            int64_t wide = text_width(form, DDN_LABEL_SIZE);
            column->x = larger(column->x, start->x - start->half + wide - column->half);
        }
        column->border = column->x - column->half - gap / 2;
        reach = column->x + column->half;
    }
    l->width = reach + MARGIN;
}

/* From distances to coordinates, and for words that go to the left, mirrored. */
static void finish(ddn_picture *l)
{
    for (int32_t k = 0; k < l->arcs; k++) {
        ddn_bow *a = &l->arc[k];
        a->from += ddn_picture_column(l, a->head ? a->head : a->child, a->below)->x;
        a->to += ddn_picture_column(l, a->child, a->below)->x;
        a->from = l->rtl ? l->width - a->from : a->from;
        a->to = l->rtl ? l->width - a->to : a->to;
    }
    for (int32_t c = 0; l->rtl && c < l->columns; c++) {
        l->column[c].x = l->width - l->column[c].x;
        l->column[c].border = l->width - l->column[c].border;
    }
}

/* ---- All of it ---- */

/* The arcs of one analysis; of the second only those that differ. */
static int32_t make_arcs(ddn_picture *l, const ddn_sentence *s, bool below, heights *h)
{
    ddn_bow *start = l->arc + l->arcs;
    for (int32_t i = 1; i <= s->n; i++) {
        int32_t word = below ? l->with->here[i] : i; /* 0: the second analysis alone has it */
        bool differs = !word || (l->with && ddn_arc_differs(l->s, l->with, word));
        if (s->head[i] < 0 || s->head[i] > s->n || s->head[i] == i || (below && !differs))
            continue;
        l->arc[l->arcs++] =
            (ddn_bow){ .head = s->head[i], .child = i, .below = below, .differs = differs };
    }
    int32_t count = (int32_t)(l->arc + l->arcs - start);
    qsort(start, (size_t)count, sizeof *start, compare_arcs);
    int32_t levels = set_levels(start, count, h);
    set_ends(l, start, count, l->memory);
    return levels;
}

/* Room for all; h is the part of the memory behind what set_ends and set_places take. */
static int reserve(ddn_picture *l, heights *h, dodona_error *err)
{
    size_t others = l->with ? (size_t)l->with->other->n + 1 : 0;
    size_t nodes = (size_t)l->s->n + 1 + others, most = most_words(l) + 1;
    size_t columns = l->s->rows + others, scratch = columns + nodes;
    size_t gaps = 2;
    while (gaps < most + 1)
        gaps *= 2;
    scratch = scratch > 4 * most ? scratch : 4 * most;
    if (!ddn_reserve(&l->column, &l->column_cap, columns + 1, sizeof *l->column) ||
        !ddn_reserve(&l->column_of, &l->column_of_cap, nodes, sizeof *l->column_of) ||
        !ddn_reserve(&l->arc, &l->arc_cap, nodes, sizeof *l->arc) ||
        !ddn_reserve(&l->memory, &l->memory_cap, scratch + 4 * gaps, sizeof *l->memory))
        return ddn_fail_memory(err);
    *h = (heights){ l->memory + scratch, l->memory + scratch + 2 * gaps, (int32_t)gaps };
    return 0;
}

/* The lines between sentences have their ends at the first level. */
static void make_room_for_borders(ddn_picture *l)
{
    for (int32_t c = 0; c < l->columns; c++) {
        l->above = l->column[c].begins && l->above < 1 ? 1 : l->above;
        l->below = l->column[c].begins_there && l->below < 1 ? 1 : l->below;
    }
}

int ddn_picture_make(ddn_picture *l, const ddn_sentence *s, const ddn_comparison *with,
                     dodona_error *err)
{
    heights h;
    l->s = s;
    l->with = with;
    int code = reserve(l, &h, err);
    if (code)
        return code;
    l->rtl = ddn_sentence_is_rtl(s);
    l->arcs = 0;
    make_columns(l);
    l->above = make_arcs(l, s, false, &h);
    l->below = with ? make_arcs(l, with->other, true, &h) : 0;
    make_room_for_borders(l);
    set_places(l, l->memory);
    finish(l);
    return 0;
}
