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
 * Node 0 has a line only when it has several children. */
#include "io/draw.h"

#include "core/array.h"
#include "core/utf8.h"
#include "io/text_write.h"
#include "tree/order.h"
#include "tree/tree.h"
#include <stdlib.h>

enum { LANES = 64, NONE = -1 };

struct ddn_draw {
    int32_t *memory; /* [7(n+1)] for the tree's order and its check */
    size_t memory_cap;
    uint64_t *used; /* [n+1] the lanes taken in each row */
    size_t used_cap;
    int8_t *lane; /* [n+1] of each node's line, NONE without one */
    size_t lane_cap;
    size_t *start; /* [n+1] the column where each form begins */
    size_t start_cap;
    ddn_tree_order order;
    ddn_output text; /* in memory */
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
    free(d->memory);
    free(d->used);
    free(d->lane);
    free(d->start);
    ddn_output_abandon(&d->text);
    free(d);
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
static bool give_lanes(ddn_draw *d, const ddn_sentence *s)
{
    for (int32_t v = 0; v <= s->n; v++) {
        d->used[v] = 0;
        d->lane[v] = NONE;
    }
    for (int32_t place = 0; place <= s->n; place++) {
        int32_t v = d->order.at[place];
        if (!d->order.first[v] || (v == 0 && d->order.first[0] == d->order.last[0]))
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
        for (int32_t i = top(d, v); i <= bottom(d, v); i++)
            d->used[i] |= UINT64_C(1) << lane;
    }
    return true;
}

/* The number of lanes up to the last one taken in row i. */
static int lanes(const ddn_draw *d, int32_t i)
{
    int count = 0;
    while (count < LANES && d->used[i] >> count)
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

static size_t column_width(const ddn_sentence *s, int32_t i, int column)
{
    return visible_width(ddn_sentence_column(s, i, column));
}

static void put_blanks(ddn_output *o, size_t count)
{
    while (count-- > 0)
        ddn_put(o, " ", 1);
}

/* The lines left of word i, and the blank before its form. */
static void put_lines(const ddn_draw *d, ddn_output *o, const ddn_sentence *s, int32_t i)
{
    int32_t h = s->head[i];
    int from = d->lane[h], own = d->lane[i], count = lanes(d, i);
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

/* Columns that put_lines takes. */
static size_t lines_width(const ddn_draw *d, const ddn_sentence *s, int32_t i)
{
    size_t count = (size_t)lanes(d, i);
    bool to_form = d->lane[i] == NONE && d->lane[s->head[i]] != NONE;
    return count ? 2 * count + to_form : 0;
}

/* Makes the drawing; false when the sentence has to be listed. */
static bool lay_out(ddn_draw *d, const ddn_sentence *s)
{
    if (ddn_tree_check(s->head, s->n, false, d->memory, NULL) != DDN_TREE_OK)
        return false;
    ddn_tree_order_make(&d->order, s->head, s->n, d->memory);
    return give_lanes(d, s);
}

static int reserve(ddn_draw *d, int32_t n, dodona_error *err)
{
    size_t nodes = (size_t)n + 1;
    if (!ddn_reserve(&d->memory, &d->memory_cap, DDN_TREE_ORDER_SIZE(n), sizeof *d->memory) ||
        !ddn_reserve(&d->used, &d->used_cap, nodes, sizeof *d->used) ||
        !ddn_reserve(&d->lane, &d->lane_cap, nodes, sizeof *d->lane) ||
        !ddn_reserve(&d->start, &d->start_cap, nodes, sizeof *d->start))
        return ddn_fail_memory(err);
    return 0;
}

static size_t digits(int32_t value)
{
    size_t count = 1;
    while (value /= 10)
        count++;
    return count;
}

/* A word with its tag and label, padded so that these stand below each other. */
static void put_word(const ddn_draw *d, ddn_output *o, const ddn_sentence *s, int32_t i,
                     size_t forms, size_t tags)
{
    put_visible(o, ddn_sentence_column(s, i, DDN_FORM));
    put_blanks(o, forms - d->start[i] - column_width(s, i, DDN_FORM) + 2);
    put_visible(o, ddn_sentence_column(s, i, DDN_UPOS));
    put_blanks(o, tags - column_width(s, i, DDN_UPOS) + 2);
    put_visible(o, ddn_sentence_column(s, i, DDN_DEPREL));
}

static void put_text(ddn_draw *d, ddn_output *o, const ddn_sentence *s)
{
    d->text.size = 0;
    ddn_text_put(&d->text, s);
    put_visible(o, (dodona_text){ d->text.data, d->text.size });
    ddn_puts(o, "\n");
}

int ddn_draw_put(ddn_draw *d, ddn_output *o, const ddn_sentence *s, dodona_error *err)
{
    if (s->n == 0)
        return 0;
    int code = reserve(d, s->n, err);
    if (code)
        return code;
    bool drawn = lay_out(d, s);
    int number = drawn ? 0 : (int)digits(s->n);
    size_t forms = 0, tags = 0;
    for (int32_t i = 1; i <= s->n; i++) {
        d->start[i] = drawn ? lines_width(d, s, i) : (size_t)number + 1;
        size_t end = d->start[i] + column_width(s, i, DDN_FORM);
        size_t tag = column_width(s, i, DDN_UPOS);
        forms = end > forms ? end : forms;
        tags = tag > tags ? tag : tags;
    }
    put_text(d, o, s);
    for (int32_t i = 1; i <= s->n; i++) {
        if (drawn)
            put_lines(d, o, s, i);
        else
            ddn_putf(o, "%*d ", number, (int)i);
        put_word(d, o, s, i, forms, tags);
        if (!drawn && s->head[i] >= 0)
            ddn_putf(o, " of %d", (int)s->head[i]);
        ddn_puts(o, "\n");
    }
    ddn_puts(o, "\n");
    return d->text.error.code ? ddn_fail_memory(err) : 0;
}
