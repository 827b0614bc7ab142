/* SPDX-License-Identifier: MIT */
/* draw.c - the plain drawing of a tree.
 *
 * Every head has an upright line in some lane, from its first to its last dependent or itself.  A
 * lane lies right of that of the head's own head, and is shared only by lines that have no row in
 * common: used[i] has a bit for each lane that is taken in row i.  Lanes are given out in
 * preorder, the leftmost free one each time.  In a projective tree that is the depth of the word,
 * since all lines that overlap are those of ancestors; elsewhere lines move right until they are
 * free, and a dependent's branch may cross them (drawn as a plain crossing).  Cost: n times the
 * number of lanes.
 *
 * Node 0 has a line only when it has several children, and these are not of several sentences.
 *
 * A terminal that knows about scripts that run to the left would turn the whole line around when
 * its first letter is of one.  Marks of the direction (U+200E), which take no room, before the line
 * and after such a form hold the columns in place. */
#include "io/draw.h"

#include "core/arena.h"
#include "core/utf8.h"
#include "io/text_write.h"
#include "tree/order.h"
#include "tree/tree.h"
#include <stdlib.h>

enum { LANES = 64, NONE = -1, LEAST_FORM = 4, MOST_OTHER = 12 };

#define LINES_COLOUR "\x1b[2m"
#define TAG_COLOUR   "\x1b[36m"
#define LABEL_COLOUR "\x1b[33m"
#define OTHER_COLOUR "\x1b[1;31m"
#define NO_COLOUR    "\x1b[0m"

static const char ends[] = "≠ the sentence ends", goes_on[] = "≠ the sentence goes on";

struct ddn_draw {
    int32_t *memory; /* [7(n+1)] for the tree's order and its check */
    uint64_t *used;  /* [n+1] the lanes taken in each row, */
    uint64_t *down;  /* [n+1] and those that go on to the next one */
    int8_t *lane;    /* [n+1] of each node's line, NONE without one */
    ddn_arena arena; /* of these */
    ddn_tree_order order;
    ddn_output text; /* in memory */
    size_t width;    /* of the terminal, 0: any */
    bool colours;
    /* Of the sentence that is drawn: */
    bool drawn;                       /* with lines; else listed */
    size_t number;                    /* columns of a word's number in a list */
    size_t forms, tags, labels, last; /* columns up to the end of forms, of tags, of labels, and
                                         of multiword tokens */
};

ddn_draw *ddn_draw_new(void)
{
    ddn_draw *d = calloc(1, sizeof *d);
    if (d)
        ddn_output_memory(&d->text);
    return d;
}

void ddn_draw_free(ddn_draw *d)
{
    if (!d)
        return;
    ddn_arena_fini(&d->arena);
    ddn_output_abandon(&d->text);
    free(d);
}

void ddn_draw_terminal(ddn_draw *d, int width, bool colours)
{
    d->width = width > 0 ? (size_t)width : 0;
    d->colours = colours;
}

/* The rows of v's line; v has children. */
static int32_t top(const ddn_draw *d, int32_t v)
{
    int32_t first = d->order.first[v];
    return v && v < first ? v : first;
}

static int32_t bottom(const ddn_draw *d, int32_t v)
{
    int32_t last = d->order.last[v];
    return v > last ? v : last;
}

/* The lane of the line that v hangs from; NONE for the only root. */
static int lane_above(const ddn_draw *d, const ddn_sentence *s, int32_t v)
{
    return v ? d->lane[s->head[v]] : NONE;
}

/* False when 64 lanes are not enough. */
static bool give_lanes(ddn_draw *d, const ddn_sentence *s, bool root_line)
{
    for (int32_t v = 0; v <= s->n; v++) {
        d->used[v] = d->down[v] = 0;
        d->lane[v] = NONE;
    }
    for (int32_t place = 0; place <= s->n; place++) {
        int32_t v = d->order.at[place];
        if (!d->order.first[v] || (v == 0 && !root_line))
            continue;
        uint64_t taken = 0;
        for (int32_t i = top(d, v); i <= bottom(d, v); i++)
            taken |= d->used[i];
        int lane = lane_above(d, s, v) + 1;
        while (lane < LANES && taken >> lane & 1)
            lane++;
        if (lane == LANES)
            return false;
        d->lane[v] = (int8_t)lane;
        for (int32_t i = top(d, v); i <= bottom(d, v); i++) {
            d->used[i] |= UINT64_C(1) << lane;
            if (i < bottom(d, v))
                d->down[i] |= UINT64_C(1) << lane;
        }
    }
    return true;
}

/* The number of lanes up to the last one of a set. */
static int lanes(uint64_t set)
{
    int count = 0;
    while (count < LANES && set >> count)
        count++;
    return count;
}

/* Length of the control character at the start of t, 0 when it is another: a terminal would obey.
 */
static size_t control(dodona_text t)
{
    unsigned char c = (unsigned char)t.data[0];
    if (c < 0x20 || c == 0x7f)
        return 1;
    return c == 0xc2 && (unsigned char)t.data[1] < 0xa0 ? 2 : 0;
}

/* t with a sign for each control character. */
static void put_visible(ddn_output *o, dodona_text t)
{
    while (t.size) {
        size_t size = control(t);
        if (size)
            ddn_puts(o, "\xef\xbf\xbd");
        else
            ddn_put(o, t.data, size = 1);
        t.data += size;
        t.size -= size;
    }
}

/* Columns that put_visible takes. */
static size_t visible_width(dodona_text t)
{
    size_t width = ddn_utf8_width(t.data, t.size); /* control characters count for nothing */
    while (t.size) {
        size_t size = control(t);
        width += size > 0;
        t.data += size ? size : 1;
        t.size -= size ? size : 1;
    }
    return width;
}

/* Bytes of the longest beginning of t that takes at most this many columns. */
static size_t fitting(dodona_text t, size_t columns)
{
    size_t at = 0, width = 0;
    while (at < t.size) {
        size_t end = at + 1;
        while (end < t.size && ((unsigned char)t.data[end] & 0xc0) == 0x80)
            end++;
        width += visible_width((dodona_text){ t.data + at, end - at });
        if (width > columns)
            break;
        at = end;
    }
    return at;
}

static void put_blanks(ddn_output *o, size_t count)
{
    while (count-- > 0)
        ddn_put(o, " ", 1);
}

/* The lines left of word i, and the space before its form. */
static void put_lines(const ddn_draw *d, ddn_output *o, const ddn_sentence *s, int32_t i)
{
    int32_t h = s->head[i];
    int from = d->lane[h], own = d->lane[i], count = lanes(d->used[i]);
    int to = from == NONE ? NONE : own == NONE ? count : own; /* where i's branch ends */
    for (int k = 0; k < count; k++) {
        bool branch = from < k && k < to;
        const char *sign = branch ? "─" : " ";
        if (k == from)
            sign = i == top(d, h) ? "╭" : i == bottom(d, h) ? "╰" : "├";
        else if (k == own)
            sign = i == top(d, i) ? "╮" : i == bottom(d, i) ? "╯" : "┤";
        else if (d->used[i] >> k & 1)
            sign = branch ? "┼" : "│";
        ddn_puts(o, sign);
        if (from <= k && k < to)
            ddn_puts(o, "─");
        else if (k + 1 < count)
            ddn_puts(o, " ");
    }
    if (count)
        ddn_puts(o, " ");
}

/* The lines that go on below word i. */
static void put_passing(const ddn_draw *d, ddn_output *o, int32_t i)
{
    for (int k = 0; k < lanes(d->down[i]); k++)
        ddn_puts(o, d->down[i] >> k & 1 ? "│ " : "  ");
}

/* Columns that put_lines takes. */
static size_t lines_width(const ddn_draw *d, const ddn_sentence *s, int32_t i)
{
    size_t count = (size_t)lanes(d->used[i]);
    bool to_form = d->lane[i] == NONE && d->lane[s->head[i]] != NONE;
    return count ? 2 * count + to_form : 0;
}

/* Makes the drawing; false when the sentence has to be listed. */
static bool lay_out(ddn_draw *d, const ddn_sentence *s, const ddn_comparison *with)
{
    if (ddn_tree_check(s->head, s->n, false, d->memory, NULL) != DDN_TREE_OK)
        return false;
    ddn_tree_order_make(&d->order, s->head, s->n, d->memory);
    bool sentences = with && with->sentences > 1;
    return give_lanes(d, s, d->order.first[0] != d->order.last[0] && !sentences);
}

static int reserve(ddn_draw *d, int32_t n, dodona_error *err)
{
    size_t nodes = (size_t)n + 1;
    ddn_arena_reset(&d->arena);
    d->memory = ddn_arena_take(&d->arena, DDN_TREE_ORDER_SIZE(n), sizeof *d->memory);
    d->used = ddn_arena_take(&d->arena, nodes, sizeof *d->used);
    d->down = ddn_arena_take(&d->arena, nodes, sizeof *d->down);
    d->lane = ddn_arena_take(&d->arena, nodes, sizeof *d->lane);
    return d->arena.failed ? ddn_fail_memory(err) : DODONA_OK;
}

/* ---- Columns ---- */

static size_t digits(int32_t value)
{
    size_t count = 1;
    while (value /= 10)
        count++;
    return count;
}

static bool is_shown(const ddn_row *row)
{
    return row->kind == DDN_ROW_WORD || row->kind == DDN_ROW_EMPTY;
}

static dodona_text row_label(const ddn_sentence *s, const ddn_row *row)
{
    return ddn_sentence_span(s, row->col[row->kind == DDN_ROW_WORD ? DDN_DEPREL : DDN_DEPS]);
}

/* Where the form of a row begins. */
static size_t row_start(const ddn_draw *d, const ddn_sentence *s, const ddn_row *row)
{
    if (!d->drawn)
        return d->number + 1;
    return row->kind == DDN_ROW_WORD ? lines_width(d, s, row->id)
                                     : 2 * (size_t)lanes(d->down[row->id]);
}

static size_t row_form(const ddn_sentence *s, const ddn_row *row)
{
    size_t brackets = row->kind == DDN_ROW_EMPTY ? 2 : 0;
    return visible_width(ddn_sentence_span(s, row->col[DDN_FORM])) + brackets;
}

/* ---- The other analysis ---- */

static bool differs(const ddn_sentence *s, const ddn_comparison *with, const ddn_row *row)
{
    return with && row->kind == DDN_ROW_WORD &&
           (ddn_arc_differs(s, with, row->id) || ddn_tag_differs(s, with, row->id));
}

/* The other analysis' head of a word there; in a terminal a long one is cut. */
static void put_other_head(const ddn_draw *d, ddn_output *o, const ddn_comparison *with,
                           int32_t there)
{
    int32_t h = with->other->head[there];
    if (h < 0 || h > with->other->n)
        return;
    ddn_puts(o, " of ");
    if (h == 0 || with->here[h])
        ddn_put_int(o, with->here[h]);
    if (h == 0)
        return;
    dodona_text form = ddn_sentence_column(with->other, h, DDN_FORM);
    bool cut = d->width && visible_width(form) > MOST_OTHER;
    if (cut)
        form.size = fitting(form, MOST_OTHER - 1);
    ddn_puts(o, with->here[h] ? " " : "+");
    put_visible(o, form);
    ddn_puts(o, cut ? "…" : "");
}

/* What the other analysis says of word i of s, or with i 0, of its own word `there`. */
static void put_other(const ddn_draw *d, ddn_output *o, const ddn_sentence *s,
                      const ddn_comparison *with, int32_t i, int32_t there)
{
    ddn_puts(o, "≠");
    if (!there) {
        ddn_puts(o, " no such word");
        return;
    }
    if (i ? ddn_tag_differs(s, with, i) : ddn_word_tag(with->other, there).size > 0) {
        ddn_puts(o, " ");
        put_visible(o, ddn_word_tag(with->other, there));
    }
    if (!i || ddn_arc_differs(s, with, i)) {
        ddn_puts(o, " ");
        put_visible(o, ddn_sentence_column(with->other, there, DDN_DEPREL));
    }
    if (!i || ddn_head_differs(s, with, i))
        put_other_head(d, o, with, there);
}

static size_t other_width(ddn_draw *d, const ddn_sentence *s, const ddn_comparison *with, int32_t i,
                          int32_t there)
{
    d->text.size = 0;
    put_other(d, &d->text, s, with, i, there);
    return ddn_utf8_width(d->text.data ? d->text.data : "", d->text.size);
}

/* Where the form of a word begins that the other analysis has behind word i. */
static size_t between_start(const ddn_draw *d, int32_t i)
{
    return d->drawn ? 2 * (size_t)lanes(d->down[i]) : d->number + 1;
}

static void widen(size_t *most, size_t width)
{
    *most = width > *most ? width : *most;
}

/* " of 3" behind the label of a listed word. */
static size_t head_width(const ddn_draw *d, const ddn_sentence *s, const ddn_row *row)
{
    bool listed = !d->drawn && row->kind == DDN_ROW_WORD && s->head[row->id] >= 0;
    return listed ? 4 + digits(s->head[row->id]) : 0;
}

/* Widens the columns for the words that only the other analysis has. */
static void widen_for_others(ddn_draw *d, const ddn_sentence *s, const ddn_comparison *with,
                             size_t *start, size_t *others)
{
    for (int32_t j = 1; j <= with->other->n; j++) {
        if (with->here[j])
            continue;
        dodona_text form = ddn_sentence_column(with->other, j, DDN_FORM);
        size_t from = between_start(d, with->after[j]) + 1;
        widen(start, from);
        widen(&d->forms, from + visible_width(form));
        widen(others, 2 + other_width(d, s, with, 0, j));
    }
    if (with->sentences + with->sentences_there > 2)
        widen(others, 2 + ddn_utf8_width(goes_on, strlen(goes_on)));
}

/* Sets the ends of columns; false when the terminal leaves forms less than LEAST_FORM of them. */
static bool set_columns(ddn_draw *d, const ddn_sentence *s, const ddn_comparison *with)
{
    size_t tags = 0, labels = 0, tokens = 0, start = 0, others = 0;
    d->forms = 0;
    for (size_t i = 0; i < s->rows; i++) {
        const ddn_row *row = &s->row[i];
        if (row->kind == DDN_ROW_RANGE)
            widen(&tokens, 4 + visible_width(ddn_sentence_span(s, row->col[DDN_FORM])));
        if (!is_shown(row))
            continue;
        widen(&start, row_start(d, s, row));
        widen(&d->forms, row_start(d, s, row) + row_form(s, row));
        widen(&tags, visible_width(ddn_sentence_span(s, row->col[DDN_UPOS])));
        widen(&labels, visible_width(row_label(s, row)) + head_width(d, s, row));
        if (d->width && differs(s, with, row))
            widen(&others, 2 + other_width(d, s, with, row->id, with->there[row->id]));
    }
    if (with)
        widen_for_others(d, s, with, &start, &others);
    size_t beside = 2 + tags + 2 + labels + tokens, least = start + LEAST_FORM;
    bool fits = !d->width || least + beside <= d->width || d->forms + beside <= d->width;
    if (least + beside + others <= d->width)
        beside += others; /* else they go beyond the width, and not the lines */
    if (d->width && d->forms + beside > d->width) {
        size_t room = fits ? d->width - beside : least;
        d->forms = room < d->forms ? room : d->forms;
    }
    d->tags = d->forms + 2 + tags;
    d->labels = d->tags + 2 + labels;
    d->last = d->labels + tokens;
    return fits;
}

/* ---- Lines ---- */

static void put_coloured(const ddn_draw *d, ddn_output *o, const char *colour, dodona_text t)
{
    if (d->colours)
        ddn_puts(o, colour);
    put_visible(o, t);
    if (d->colours)
        ddn_puts(o, NO_COLOUR);
}

/* What stands left of a form. */
static void put_left(const ddn_draw *d, ddn_output *o, const ddn_sentence *s, const ddn_row *row)
{
    bool is_word = row->kind == DDN_ROW_WORD;
    if (!d->drawn && is_word) {
        ddn_putf(o, "%*d ", (int)d->number, (int)row->id);
        return;
    }
    if (!d->drawn) {
        put_blanks(o, d->number + 1);
        return;
    }
    if (d->colours)
        ddn_puts(o, LINES_COLOUR);
    if (is_word)
        put_lines(d, o, s, row->id);
    else
        put_passing(d, o, row->id);
    if (d->colours)
        ddn_puts(o, NO_COLOUR);
}

/* A form that begins in some column, cut where it has no room; returns where it ends. */
static size_t put_cut(const ddn_draw *d, ddn_output *o, dodona_text form, size_t start)
{
    size_t room = d->forms - start, width = visible_width(form);
    bool cut = width > room;
    if (cut) {
        form.size = fitting(form, room - 1);
        width = visible_width(form) + 1;
    }
    put_visible(o, form);
    ddn_puts(o, cut ? "…" : "");
    return start + width;
}

static size_t put_form(const ddn_draw *d, ddn_output *o, const ddn_sentence *s, const ddn_row *row)
{
    dodona_text form = ddn_sentence_span(s, row->col[DDN_FORM]);
    size_t brackets = row->kind == DDN_ROW_EMPTY ? 2 : 0;
    ddn_puts(o, brackets ? "[" : "");
    size_t at = put_cut(d, o, form, row_start(d, s, row) + brackets);
    ddn_puts(o, brackets ? "]" : "");
    return at;
}

/* The multiword token that word i is in: its form beside its first word, a line down to its last.
 */
static size_t put_token(ddn_output *o, const ddn_sentence *s, const ddn_row *range, int32_t i)
{
    if (i != range->id) {
        ddn_puts(o, i == range->minor ? "  ╯" : "  │");
        return 3;
    }
    dodona_text form = ddn_sentence_span(s, range->col[DDN_FORM]);
    ddn_puts(o, range->minor == range->id ? "  ─ " : "  ╮ ");
    put_visible(o, form);
    return 4 + visible_width(form);
}

static void put_row(const ddn_draw *d, ddn_output *o, const ddn_sentence *s,
                    const ddn_comparison *with, const ddn_row *row, const ddn_row *range)
{
    dodona_text form = ddn_sentence_span(s, row->col[DDN_FORM]);
    dodona_text tag = ddn_sentence_span(s, row->col[DDN_UPOS]), label = row_label(s, row);
    const char *turn = ddn_utf8_direction(form.data, form.size) < 0 ? "\xe2\x80\x8e" : "";
    bool in_range = range && row->kind == DDN_ROW_WORD && row->id <= range->minor;
    ddn_puts(o, turn);
    put_left(d, o, s, row);
    size_t at = put_form(d, o, s, row);
    ddn_puts(o, turn);
    put_blanks(o, d->forms - at + 2);
    put_coloured(d, o, TAG_COLOUR, tag);
    put_blanks(o, d->tags - d->forms - visible_width(tag));
    put_coloured(d, o, LABEL_COLOUR, label);
    at = d->tags + 2 + visible_width(label) + head_width(d, s, row);
    if (head_width(d, s, row))
        ddn_putf(o, " of %d", (int)s->head[row->id]);
    if (in_range) {
        put_blanks(o, d->labels - at);
        at = d->labels + put_token(o, s, range, row->id);
    }
    if (differs(s, with, row)) {
        put_blanks(o, d->last + 2 - at);
        ddn_puts(o, d->colours ? OTHER_COLOUR : "");
        put_other(d, o, s, with, row->id, with->there[row->id]);
        ddn_puts(o, d->colours ? NO_COLOUR : "");
    }
    ddn_puts(o, "\n");
}

/* A line behind word i about the other analysis: its own word `there`, or a note. */
static void put_between(const ddn_draw *d, ddn_output *o, const ddn_sentence *s,
                        const ddn_comparison *with, int32_t i, int32_t there, const char *note)
{
    dodona_text form =
        there ? ddn_sentence_column(with->other, there, DDN_FORM) : (dodona_text){ "", 0 };
    const char *turn = ddn_utf8_direction(form.data, form.size) < 0 ? "\xe2\x80\x8e" : "";
    size_t at = between_start(d, i);
    ddn_puts(o, turn);
    ddn_puts(o, d->colours ? LINES_COLOUR : "");
    if (d->drawn)
        put_passing(d, o, i);
    else
        put_blanks(o, at);
    ddn_puts(o, d->colours ? NO_COLOUR OTHER_COLOUR : "");
    if (there) {
        ddn_puts(o, "+");
        at = put_cut(d, o, form, at + 1);
    }
    ddn_puts(o, turn);
    put_blanks(o, d->last + 2 - at);
    if (there)
        put_other(d, o, s, with, 0, there);
    else
        ddn_puts(o, note);
    ddn_puts(o, d->colours ? NO_COLOUR "\n" : "\n");
}

/* What the other analysis has behind word i, from its word *next on. */
static void put_others(const ddn_draw *d, ddn_output *o, const ddn_sentence *s,
                       const ddn_comparison *with, int32_t i, int32_t *next)
{
    for (; *next <= with->other->n && with->after[*next] <= i; ++*next) {
        if (!with->here[*next])
            put_between(d, o, s, with, i, *next, NULL);
        if (with->ends_there[*next])
            put_between(d, o, s, with, i, 0, ends);
    }
    if (with->ends[i])
        put_between(d, o, s, with, i, 0, goes_on);
}

/* The text, with line ends in place of spaces where the terminal would break it. */
static void put_text(ddn_draw *d, ddn_output *o, const ddn_sentence *s)
{
    d->text.size = 0;
    ddn_text_put(&d->text, s);
    dodona_text rest = { d->text.data, d->text.size };
    while (d->width && rest.size) {
        size_t size = fitting(rest, d->width);
        if (size == rest.size)
            break;
        while (size && rest.data[size] != ' ')
            size--;
        if (!size)
            break; /* no space: let the terminal do it */
        put_visible(o, (dodona_text){ rest.data, size });
        ddn_puts(o, "\n");
        rest.data += size + 1;
        rest.size -= size + 1;
    }
    put_visible(o, rest);
    ddn_puts(o, "\n");
}

static void put_rows(const ddn_draw *d, ddn_output *o, const ddn_sentence *s,
                     const ddn_comparison *with)
{
    const ddn_row *range = NULL;
    int32_t word = 0, next = 1;
    for (size_t i = 0; i < s->rows; i++) {
        const ddn_row *row = &s->row[i];
        if (row->kind == DDN_ROW_RANGE)
            range = row;
        if (!is_shown(row))
            continue;
        if (with && row->kind == DDN_ROW_WORD) {
            put_others(d, o, s, with, word, &next);
            word = row->id;
        }
        put_row(d, o, s, with, row, range);
    }
    if (with)
        put_others(d, o, s, with, word, &next);
}

int ddn_draw_put(ddn_draw *d, ddn_output *o, const ddn_sentence *s, const ddn_comparison *with,
                 dodona_error *err)
{
    if (s->n == 0)
        return 0;
    int code = reserve(d, s->n, err);
    if (code)
        return code;
    d->number = digits(s->n);
    d->drawn = lay_out(d, s, with);
    if (!set_columns(d, s, with) && d->drawn) {
        d->drawn = false;
        set_columns(d, s, with);
    }
    put_text(d, o, s);
    put_rows(d, o, s, with);
    ddn_puts(o, "\n");
    return d->text.error.code ? ddn_fail_memory(err) : 0;
}
