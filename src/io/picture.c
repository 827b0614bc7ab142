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
 * about columns further left.
 *
 * Letters are not measured, as there is no font here: widths are estimates for a common sans-serif,
 * rather too wide.  O(n log n). */
#include "io/picture.h"

#include "core/array.h"
#include "core/utf8.h"
#include "io/text_write.h"
#include <stdlib.h>

enum { GAP = 18, MARGIN = 16, STEP = 8, BEND = 12, LEAST_HALF = 10 };

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

dodona_text ddn_row_tag(const ddn_sentence *s, const ddn_row *row)
{
    dodona_text tag = ddn_sentence_span(s, row->col[DDN_UPOS]);
    if (ddn_text_is(tag, "_"))
        tag = ddn_sentence_span(s, row->col[DDN_XPOS]);
    return ddn_text_is(tag, "_") ? (dodona_text){ "", 0 } : tag;
}

bool ddn_arc_differs(const ddn_sentence *a, const ddn_sentence *b, int32_t i)
{
    return a->head[i] != b->head[i] || !ddn_text_equal(ddn_sentence_column(a, i, DDN_DEPREL),
                                                       ddn_sentence_column(b, i, DDN_DEPREL));
}

bool ddn_tag_differs(const ddn_sentence *a, const ddn_sentence *b, int32_t i)
{
    return !ddn_text_equal(ddn_row_tag(a, &a->row[a->word_row[i]]),
                           ddn_row_tag(b, &b->row[b->word_row[i]]));
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

static int64_t column_half(const ddn_picture *l, const ddn_column *c)
{
    const ddn_row *row = &l->s->row[c->row];
    int64_t form = text_width(ddn_sentence_span(l->s, row->col[DDN_FORM]), DDN_FORM_SIZE);
    int64_t tag = text_width(ddn_row_tag(l->s, row), DDN_TAG_SIZE);
    if (!c->word)
        return larger(form + DDN_FORM_SIZE, tag) / 2; /* in brackets */
    if (l->other && ddn_tag_differs(l->s, l->other, c->word)) {
        const ddn_row *there = &l->other->row[l->other->word_row[c->word]];
        tag += DDN_TAG_SIZE + text_width(ddn_row_tag(l->other, there), DDN_TAG_SIZE);
    }
    int64_t root = 0;
    if (l->s->head[c->word] == 0)
        root = text_width(ddn_sentence_column(l->s, c->word, DDN_DEPREL), DDN_LABEL_SIZE);
    if (l->other && l->other->head[c->word] == 0)
        root = larger(
            root, text_width(ddn_sentence_column(l->other, c->word, DDN_DEPREL), DDN_LABEL_SIZE));
    /* A mark of difference stands before the label. */
    root += l->other ? DDN_LABEL_SIZE : 0;
    return larger(larger(larger(form, tag), root) / 2, LEAST_HALF);
}

static void make_columns(ddn_picture *l)
{
    l->columns = 0;
    for (size_t i = 0; i < l->s->rows; i++) {
        const ddn_row *row = &l->s->row[i];
        if (row->kind != DDN_ROW_WORD && row->kind != DDN_ROW_EMPTY)
            continue;
        ddn_column *c = &l->column[l->columns];
        *c = (ddn_column){ .row = (uint32_t)i, .word = row->kind == DDN_ROW_WORD ? row->id : 0 };
        c->half = column_half(l, c);
        if (c->word)
            l->column_of[c->word] = l->columns;
        l->columns++;
    }
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

/* Where arcs end, as a distance from the middle of their words, until columns have their places. */
static void set_ends(ddn_picture *l, ddn_bow *arc, int32_t arcs, int32_t *memory)
{
    size_t nodes = (size_t)l->s->n + 1;
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
            int64_t room = 2 * l->column[l->column_of[w]].half;
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
    const ddn_sentence *s = a->below ? l->other : l->s;
    int64_t width = text_width(ddn_sentence_column(s, a->child, DDN_DEPREL), DDN_LABEL_SIZE);
    return width + (a->differs ? DDN_LABEL_SIZE : 0);
}

/* The x that the arcs that end at word w from the left ask for; next[] chains them. */
static int64_t asked_by_arcs(const ddn_picture *l, int32_t k, const int32_t *next)
{
    int64_t x = 0;
    for (; k >= 0; k = next[k]) {
        const ddn_bow *a = &l->arc[k];
        bool from_left = a->head < a->child;
        int64_t near = from_left ? a->from : a->to, far = from_left ? a->to : a->from;
        int64_t start = l->column[l->column_of[left_end(a)]].x + near;
        x = larger(x, start + label_width(l, a) + 2 * BEND - far);
    }
    return x;
}

static void set_places(ddn_picture *l, int32_t *memory)
{
    int32_t *first = memory, *next = first + l->s->n + 1;
    for (int32_t i = 0; i <= l->s->n; i++)
        first[i] = -1;
    for (int32_t k = 0; k < l->arcs; k++)
        if (l->arc[k].head) {
            int32_t w = right_end(&l->arc[k]);
            next[k] = first[w];
            first[w] = k;
        }
    int64_t reach = MARGIN - GAP;
    const ddn_row *range = NULL; /* the multiword token that is open */
    for (int32_t c = 0; c < l->columns; c++) {
        ddn_column *column = &l->column[c];
        column->x = reach + GAP + column->half;
        if (column->word)
            column->x = larger(column->x, asked_by_arcs(l, first[column->word], next));
        if (column->row && l->s->row[column->row - 1].kind == DDN_ROW_RANGE)
            range = &l->s->row[column->row - 1];
        if (range && column->word == range->minor) {
            const ddn_column *start = &l->column[l->column_of[range->id]];
            dodona_text form = ddn_sentence_span(l->s, range->col[DDN_FORM]);
            int64_t wide = text_width(form, DDN_LABEL_SIZE);
            column->x = larger(column->x, start->x - start->half + wide - column->half);
        }
        reach = column->x + column->half;
    }
    l->width = reach + MARGIN;
}

/* From distances to coordinates, and for words that go to the left, mirrored. */
static void finish(ddn_picture *l)
{
    for (int32_t k = 0; k < l->arcs; k++) {
        ddn_bow *a = &l->arc[k];
        a->from += l->column[l->column_of[a->head ? a->head : a->child]].x;
        a->to += l->column[l->column_of[a->child]].x;
        a->from = l->rtl ? l->width - a->from : a->from;
        a->to = l->rtl ? l->width - a->to : a->to;
    }
    for (int32_t c = 0; l->rtl && c < l->columns; c++)
        l->column[c].x = l->width - l->column[c].x;
}

/* ---- All of it ---- */

/* The arcs of one analysis; of the second only those that differ. */
static int32_t make_arcs(ddn_picture *l, const ddn_sentence *s, bool below, heights *h)
{
    ddn_bow *start = l->arc + l->arcs;
    for (int32_t i = 1; i <= s->n; i++) {
        bool differs = l->other && ddn_arc_differs(l->s, l->other, i);
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

int ddn_picture_make(ddn_picture *l, const ddn_sentence *s, const ddn_sentence *other,
                     dodona_error *err)
{
    size_t nodes = (size_t)s->n + 1;
    int32_t gaps = 2;
    while (gaps < s->n + 2)
        gaps *= 2;
    size_t scratch = 4 * nodes + 4 * (size_t)gaps;
    if (!ddn_reserve(&l->column, &l->column_cap, s->rows + 1, sizeof *l->column) ||
        !ddn_reserve(&l->column_of, &l->column_of_cap, nodes, sizeof *l->column_of) ||
        !ddn_reserve(&l->arc, &l->arc_cap, 2 * nodes, sizeof *l->arc) ||
        !ddn_reserve(&l->memory, &l->memory_cap, scratch, sizeof *l->memory))
        return ddn_fail_memory(err);
    heights h = { l->memory + 4 * nodes, l->memory + 4 * nodes + 2 * (size_t)gaps, gaps };
    l->s = s;
    l->other = other;
    l->rtl = ddn_sentence_is_rtl(s);
    l->arcs = 0;
    make_columns(l);
    l->above = make_arcs(l, s, false, &h);
    l->below = other ? make_arcs(l, other, true, &h) : 0;
    set_places(l, l->memory);
    finish(l);
    return 0;
}
