/* SPDX-License-Identifier: MIT */
/* picture_lines.c - the strip broken into lines, and the pieces of arcs on their levels.
 *
 * Lines.  Each takes as many columns as its width allows.  Where a line ends, the arcs that go on
 * in the next one are cut: their pieces run to the edge of the line, and there must be room for the
 * label on each piece.  So a break has two demands, the room behind the column before it and the
 * room before the column after it; both are maxima over the arcs that cross the break, and do not
 * depend on where the two lines have their other ends.  A multiword token is never broken.
 *
 * Levels.  Arcs are taken from the shortest to the longest; each piece lies one level above all
 * pieces that share a gap between columns with it.  So pieces on a level never meet, whether arcs
 * cross or not, and a projective tree is drawn without crossings.  Arcs that are cut by the same
 * break have the same order in both lines.  A root's arc comes straight down on its word, from
 * above all that passes beside it.  The highest level over a stretch of gaps is found in a tree of
 * maxima: a new piece is higher than all in its stretch, so raising needs no more than a mark on
 * the O(log n) nodes that make up the stretch.
 *
 * Cost: O((columns + pieces) log n), and the sum of the lengths of the arcs, which is at most
 * DDN_PICTURE_SPAN columns for each arc. */
#include "io/picture.h"

enum {
    EDGE = 8,     /* free at the top and the bottom */
    BETWEEN = 20, /* from one line to the next */
    LEVEL = 24,   /* from one level to the next */
    LIFT = 8,     /* what the first level lies higher than that */
    WORDS = 40,   /* height of forms and tags */
    TOKENS = 24,  /* and of multiword tokens */
    END = 4,      /* from the end of a piece that is cut to the edge of its line */
    CUT = 14      /* what that and the dots at the end take from the room for the label */
};

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- Lines ---- */

static int64_t left_edge(const ddn_picture *l, int32_t c)
{
    return l->column[c].x - l->column[c].half;
}

static int64_t right_edge(const ddn_picture *l, int32_t c)
{
    return l->column[c].x + l->column[c].half;
}

static int64_t start_of(const ddn_bow *a)
{
    return a->from < a->to ? a->from : a->to;
}

static int64_t end_of(const ddn_bow *a)
{
    return a->from < a->to ? a->to : a->from;
}

/* after[b] and before[b]: the room that is needed behind column b-1 and before column b when a line
 * ends between them. */
static void set_rooms(const ddn_picture *l, int64_t *after, int64_t *before)
{
    for (int32_t b = 0; b <= l->columns; b++)
        after[b] = before[b] = DDN_PICTURE_MARGIN;
    for (int32_t k = 0; k < l->arcs; k++) {
        const ddn_bow *a = &l->arc[k];
        for (int32_t b = a->left + 1; b <= a->right; b++) {
            after[b] = larger(after[b], start_of(a) + a->needs + CUT - right_edge(l, b - 1));
            before[b] = larger(before[b], left_edge(l, b) + a->needs + CUT - end_of(a));
        }
    }
    for (int32_t b = 0; b < l->columns; b++)
        if (l->column[b].begins || l->column[b].begins_there)
            before[b] += DDN_PICTURE_BORDER;
}

/* The end of the line that begins with column `first`: the last break that keeps it within the
 * limit, or else the first break there is. */
static int32_t line_end(const ddn_picture *l, int32_t first, int64_t limit, const int64_t *after,
                        const int64_t *before)
{
    int32_t best = 0;
    for (int32_t end = first + 1; end <= l->columns; end++) {
        int64_t words = right_edge(l, end - 1) - left_edge(l, first);
        if (best && words > limit)
            break;
        if (end < l->columns && l->column[end].joined)
            continue;
        if (!best || before[first] + words + after[end] <= limit)
            best = end;
    }
    return best;
}

static void make_lines(ddn_picture *l, int64_t limit)
{
    int64_t *after = l->room, *before = after + l->columns + 1;
    set_rooms(l, after, before);
    l->lines = 0;
    for (int32_t first = 0; first < l->columns; l->lines++) {
        int32_t end = line_end(l, first, limit, after, before);
        int64_t left = left_edge(l, first), right = right_edge(l, end - 1);
        l->line[l->lines] =
            (ddn_picture_line){ .first = first,
                                .end = end,
                                .shift = before[first] - left,
                                .width = before[first] + right - left + after[end] };
        for (; first < end; first++)
            l->column[first].line = l->lines;
    }
}

static void make_one_line(ddn_picture *l)
{
    l->lines = 1;
    l->line[0] = (ddn_picture_line){ .first = 0, .end = l->columns, .width = l->width };
    for (int32_t c = 0; c < l->columns; c++)
        l->column[c].line = 0;
}

/* ---- Levels ---- */

/* Gaps 0..size-1; node k's children are 2k and 2k+1, its leaves start at size.  Every line has gaps
 * of its own before, between and behind its columns: column c of line k is between c+k and c+k+1.
 */
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

static int32_t first_line(const ddn_picture *l, const ddn_bow *a)
{
    return l->column[a->left].line;
}

static int32_t last_line(const ddn_picture *l, const ddn_bow *a)
{
    return l->column[a->right].line;
}

/* The pieces of the arcs of one analysis, with their levels, and the levels of the lines. */
static void make_pieces(ddn_picture *l, bool below, heights *h)
{
    memset(h->most, 0, 2 * (size_t)h->size * sizeof *h->most);
    memset(h->whole, 0, 2 * (size_t)h->size * sizeof *h->whole);
    for (int32_t i = 0; i < l->arcs; i++) {
        ddn_bow *a = &l->arc[i];
        if (a->below != below)
            continue;
        a->piece = l->pieces;
        for (int32_t k = first_line(l, a); k <= last_line(l, a); k++) {
            ddn_picture_line *line = &l->line[k];
            bool left_cut = k > first_line(l, a), right_cut = k < last_line(l, a);
            int32_t from = k + (left_cut ? line->first : a->left + (a->head != 0));
            int32_t to = k + 1 + (right_cut ? line->end : a->right + (a->head == 0));
            int32_t level = level_over(h, 1, 0, h->size, from, to) + 1;
            if (a->head)
                raise(h, 1, 0, h->size, from, to, level);
            int32_t *top = below ? &line->below : &line->above;
            *top = level > *top ? level : *top;
            if (left_cut && right_cut)
                line->width = larger(line->width, a->needs + 2 * CUT);
            bool from_left = a->head < a->child;
            l->piece[l->pieces++] = (ddn_piece){ .line = k,
                                                 .level = level,
                                                 .from_cut = from_left ? left_cut : right_cut,
                                                 .to_cut = from_left ? right_cut : left_cut };
        }
    }
}

/* ---- Places ---- */

/* What stands in a line beside its arcs.  The ends of sentences are marked at the first level. */
static void look_at_lines(ddn_picture *l)
{
    for (int32_t c = 0; c < l->columns; c++) {
        const ddn_column *column = &l->column[c];
        ddn_picture_line *line = &l->line[column->line];
        line->above = column->begins && line->above < 1 ? 1 : line->above;
        line->below = column->begins_there && line->below < 1 ? 1 : line->below;
    }
    for (size_t i = 0; i < l->s->rows; i++)
        if (l->s->row[i].kind == DDN_ROW_RANGE)
            l->line[ddn_picture_column(l, l->s->row[i].id, false)->line].tokens = true;
}

static int64_t levels_height(int32_t levels)
{
    return levels ? LIFT + (int64_t)LEVEL * levels + DDN_LABEL_SIZE : 0;
}

static void place_lines(ddn_picture *l)
{
    int64_t y = EDGE;
    l->width = 0;
    for (int32_t k = 0; k < l->lines; k++) {
        ddn_picture_line *line = &l->line[k];
        line->top = y + levels_height(line->above);
        line->bottom = line->top + WORDS + (line->tokens ? TOKENS : 0);
        y = line->bottom + levels_height(line->below) + (k + 1 < l->lines ? BETWEEN : EDGE);
        l->width = larger(l->width, line->width);
    }
    l->height = y;
}

/* From the strip to the picture: to the place of the line, and mirrored when words go left. */
static int64_t placed(const ddn_picture *l, int64_t x)
{
    return l->rtl ? l->width - x : x;
}

static void place_columns(ddn_picture *l)
{
    for (int32_t c = 0; c < l->columns; c++) {
        ddn_column *column = &l->column[c];
        int64_t shift = l->line[column->line].shift;
        column->x = placed(l, column->x + shift);
        column->border = placed(l, column->border + shift);
    }
}

static void place_pieces(ddn_picture *l)
{
    for (int32_t i = 0; i < l->arcs; i++) {
        const ddn_bow *a = &l->arc[i];
        int32_t count = last_line(l, a) - first_line(l, a) + 1;
        for (ddn_piece *p = l->piece + a->piece; p < l->piece + a->piece + count; p++) {
            const ddn_picture_line *line = &l->line[p->line];
            int64_t head_side = a->head < a->child ? END : line->width - END;
            p->from = placed(l, p->from_cut ? head_side : a->from + line->shift);
            p->to = placed(l, p->to_cut ? line->width - head_side : a->to + line->shift);
            int64_t height = LIFT + (int64_t)LEVEL * p->level;
            p->y = a->below ? line->bottom + height : line->top - height;
        }
    }
}

/* ---- All of it ---- */

static int reserve_lines(ddn_picture *l, dodona_error *err)
{
    size_t columns = (size_t)l->columns;
    l->line = ddn_arena_take(&l->arena, columns + 1, sizeof *l->line);
    l->room = ddn_arena_take(&l->arena, 2 * (columns + 1), sizeof *l->room);
    return l->arena.failed ? ddn_fail_memory(err) : DODONA_OK;
}

static int reserve_pieces(ddn_picture *l, heights *h, dodona_error *err)
{
    size_t pieces = 0, gaps = 2;
    for (int32_t k = 0; k < l->arcs; k++)
        pieces += (size_t)(last_line(l, &l->arc[k]) - first_line(l, &l->arc[k]) + 1);
    while (gaps < (size_t)l->columns + (size_t)l->lines)
        gaps *= 2;
    l->piece = ddn_arena_take(&l->arena, pieces + 1, sizeof *l->piece);
    l->memory = ddn_arena_take(&l->arena, 4 * gaps, sizeof *l->memory);
    if (l->arena.failed)
        return ddn_fail_memory(err);
    *h = (heights){ l->memory, l->memory + 2 * gaps, (int32_t)gaps };
    return 0;
}

int ddn_picture_break(ddn_picture *l, int64_t limit, dodona_error *err)
{
    heights h;
    int code = reserve_lines(l, err);
    if (code)
        return code;
    if (!limit || l->width <= limit || l->whole)
        make_one_line(l);
    else
        make_lines(l, limit);
    if ((code = reserve_pieces(l, &h, err)) != 0)
        return code;
    l->pieces = 0;
    make_pieces(l, false, &h);
    if (l->with)
        make_pieces(l, true, &h);
    look_at_lines(l);
    place_lines(l);
    place_columns(l);
    place_pieces(l);
    return 0;
}
