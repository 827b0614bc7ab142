/* SPDX-License-Identifier: MIT */
/* lines.c - estimates from its line ends whether a text was wrapped, and at which width.
 *
 * An editor that wraps lines at width W ends a line of length L before a chunk of length c when
 * L <= W < L + 1 + c.  So each line end that is due to wrapping gives an interval, and all of them
 * have W in common; in print, where letters differ in width, about so.  The ends of sentences and
 * paragraphs give intervals that are scattered.  We count how many of the last line ends agree on
 * some width at all, and how many on one that lies in the interval of the line end that is asked
 * about.  These counts are features of the tokenizer, which learns what they mean.
 *
 * The largest number of intervals that share a point is reached at the lower end of one of them, so
 * the lengths of the lines are tried as widths.  How many line ends each explains is kept when
 * lines come and go: a line end costs O(DDN_LINES).
 *
 * Line ends may also be anywhere, as in verse.  So lines that end with a letter, and continue with
 * one that is no capital, are counted, too.
 *
 * A chunk goes up to white space, but ends after a character that is two columns wide: lines may be
 * broken after these.  A line before a blank line is not remembered, since nothing would have
 * followed in it. */
#include "pipeline/lines.h"

#include <utf8proc.h>

enum {
    LONGEST = 1 << 20,   /* longer lines count as so long */
    FIRST_WIDE = 0x1100, /* no character before it is two columns wide */
    SLACK = 12,          /* a width is about another if it differs by this part of it */
};

static bool goes_on(const ddn_char *last, const ddn_char *next)
{
    return ddn_char_is_letter(last) && ddn_char_is_letter(next) &&
           next->class != UTF8PROC_CATEGORY_LU && next->class != UTF8PROC_CATEGORY_LT;
}

static bool is_wide(uint32_t code)
{
    return code >= FIRST_WIDE && utf8proc_charwidth((utf8proc_int32_t)code) == 2;
}

static ddn_line line_of(const ddn_lines *l, const ddn_char *text, uint32_t at, uint32_t next,
                        uint32_t limit)
{
    int64_t all = (int64_t)at + 1 - l->begin;
    ddn_line x = { .length = all < LONGEST ? (uint32_t)all : LONGEST };
    uint32_t to = next;
    int ends = 0;
    for (uint32_t i = at + 1; i < next; i++)
        ends += text[i].code == '\n';
    if (ends > 1 || next == limit)
        return x;
    while (to < limit && text[to].class != DDN_CHAR_BLANK)
        if (is_wide(text[to++].code))
            break;
    x.with = x.length + 1 + (to - next);
    x.goes_on = goes_on(&text[at], &text[next]);
    return x;
}

static bool explains(uint32_t width, uint32_t slack, const ddn_line *x)
{
    return x->length <= width + slack && width < x->with + slack;
}

static uint32_t slack_of(uint32_t width)
{
    return width / SLACK;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void count_explained(const ddn_lines *l, ddn_line *x)
{
    x->exact = x->about = 0;
    for (uint32_t i = 0; i < l->known; i++) {
        x->exact += explains(x->length, 0, &l->line[i]);
        x->about += explains(x->length, slack_of(x->length), &l->line[i]);
    }
}

ddn_line_end ddn_lines_judge(const ddn_lines *l, const ddn_char *text, uint32_t at, uint32_t next,
                             uint32_t limit)
{
    ddn_line now = line_of(l, text, at, next, limit);
    count_explained(l, &now);
    ddn_line_end e = { now.length, larger(l->most, now.length), now.exact, now.about };
    for (uint32_t i = 0; i < l->known; i++) {
        const ddn_line *x = &l->line[i];
        if (explains(x->length, 0, &now))
            e.exact = larger(e.exact, x->exact);
        if (explains(x->length, slack_of(x->length), &now))
            e.about = larger(e.about, x->about);
    }
    return e;
}

/* Takes the line end of y into the counts of the others, or out of them. */
static void recount(ddn_lines *l, const ddn_line *y, bool in)
{
    for (uint32_t i = 0; i < l->known; i++) {
        ddn_line *x = &l->line[i];
        uint32_t exact = explains(x->length, 0, y);
        uint32_t about = explains(x->length, slack_of(x->length), y);
        x->exact = in ? x->exact + exact : x->exact - exact;
        x->about = in ? x->about + about : x->about - about;
    }
}

static void remember(ddn_lines *l, ddn_line now)
{
    ddn_line *slot = &l->line[l->oldest];
    l->oldest = (l->oldest + 1) % DDN_LINES;
    if (l->known == DDN_LINES)
        recount(l, slot, false);
    recount(l, &now, true);
    *slot = now;
    l->known += l->known < DDN_LINES;
    count_explained(l, slot);
    l->most = l->exact = l->about = l->going_on = 0;
    for (uint32_t i = 0; i < l->known; i++) {
        const ddn_line *x = &l->line[i];
        l->most = larger(l->most, x->length);
        l->exact = larger(l->exact, x->exact);
        l->about = larger(l->about, x->about);
        l->going_on += x->goes_on;
    }
}

/* Behind the last line end of from..to, or from. */
static uint32_t last_line(const ddn_char *text, uint32_t from, uint32_t to)
{
    while (to > from && text[to - 1].code != '\n')
        to--;
    return to;
}

void ddn_lines_begin(ddn_lines *l, const ddn_char *text, uint32_t first)
{
    *l = (ddn_lines){ .begin = last_line(text, 0, first) };
}

void ddn_lines_skip(ddn_lines *l, const ddn_char *text, uint32_t from, uint32_t to)
{
    uint32_t line = last_line(text, from, to);
    if (line > from)
        l->begin = line;
}

void ddn_lines_pass(ddn_lines *l, const ddn_char *text, uint32_t at, uint32_t next, uint32_t limit)
{
    uint32_t from = last_line(text, at + 1, next);
    if (from == at + 1)
        return;
    ddn_line now = line_of(l, text, at, next, limit);
    if (now.with)
        remember(l, now);
    l->begin = from;
}
