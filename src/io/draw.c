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
};

ddn_draw *ddn_draw_new(void)
{
    return calloc(1, sizeof(ddn_draw));
}

void ddn_draw_free(ddn_draw *d)
{
    if (!d)
        return;
    free(d->memory);
    free(d->used);
    free(d->lane);
    free(d->start);
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

static size_t form_width(const ddn_sentence *s, int32_t i, int column)
{
    dodona_text t = ddn_sentence_column(s, i, column);
    return ddn_utf8_width(t.data, t.size);
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

/* Places the forms; false when the sentence has to be listed. */
static bool lay_out(ddn_draw *d, const ddn_sentence *s)
{
    if (ddn_tree_check(s->head, s->n, false, d->memory, NULL) != DDN_TREE_OK)
        return false;
    ddn_tree_order_make(&d->order, s->head, s->n, d->memory);
    if (!give_lanes(d, s))
        return false;
    for (int32_t i = 1; i <= s->n; i++)
        d->start[i] = lines_width(d, s, i);
    return true;
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

int ddn_draw_put(ddn_draw *d, ddn_output *o, const ddn_sentence *s, dodona_error *err)
{
    if (s->n == 0)
        return 0;
    int code = reserve(d, s->n, err);
    if (code)
        return code;
    bool drawn = lay_out(d, s);
    size_t number = digits(s->n), forms = 0, tags = 0;
    for (int32_t i = 1; i <= s->n; i++) {
        d->start[i] = drawn ? d->start[i] : number + 1;
        size_t end = d->start[i] + form_width(s, i, DDN_FORM), tag = form_width(s, i, DDN_UPOS);
        forms = end > forms ? end : forms;
        tags = tag > tags ? tag : tags;
    }
    ddn_text_put(o, s);
    ddn_puts(o, "\n");
    for (int32_t i = 1; i <= s->n; i++) {
        dodona_text form = ddn_sentence_column(s, i, DDN_FORM);
        dodona_text upos = ddn_sentence_column(s, i, DDN_UPOS);
        dodona_text deprel = ddn_sentence_column(s, i, DDN_DEPREL);
        if (drawn)
            put_lines(d, o, s, i);
        else
            ddn_putf(o, "%*d ", (int)number, (int)i);
        ddn_put(o, form.data, form.size);
        put_blanks(o, forms - d->start[i] - form_width(s, i, DDN_FORM) + 2);
        ddn_put(o, upos.data, upos.size);
        put_blanks(o, tags - form_width(s, i, DDN_UPOS) + 2);
        if (!drawn && s->head[i] >= 0)
            ddn_putf(o, "%*d ", (int)number, (int)s->head[i]);
        else if (!drawn)
            ddn_putf(o, "%*s ", (int)number, "_");
        ddn_put(o, deprel.data, deprel.size);
        ddn_puts(o, "\n");
    }
    ddn_puts(o, "\n");
    return 0;
}
