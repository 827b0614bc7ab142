/* SPDX-License-Identifier: MIT */
/* text_pieces.c - cutting a text, and joining what was found in its pieces.
 *
 * A sentence depends on the text from its beginning on and, of what lies before it, on a
 * ddn_text_state alone.  The state at any place follows from the text: how its lines are laid out
 * does not depend on tokens and sentences (lines.h).  So the thread that cuts walks over the line
 * ends and knows the state where it cuts; the one guess is that a sentence begins there, and a
 * sentence that begins where one was found to begin is the same one, with all that follow.
 *
 * A piece begins with a character that is not white space, so that all white space between
 * sentences stands in the piece of the sentence before. */
#include "pipeline/text_pieces.h"

#include "core/array.h"
#include "pipeline/text_window.h"

#include <stdio.h>
#include <stdlib.h>

struct ddn_pieces {
    ddn_window w;
    const ddn_tokenizer *tokenizer;
    int64_t earlier;
    size_t size, more;
    size_t from;          /* where the next piece begins in the window */
    ddn_text_state start; /* and what is known there */
    bool ended;           /* the last piece has gone out */
    int failed;           /* a code that stays */
};

void ddn_piece_free(ddn_text_piece *p)
{
    if (!p)
        return;
    free(p->bytes);
    free(p);
}

int ddn_pieces_open(ddn_pieces **out, const ddn_tokenizer *t, ddn_input *take_in, size_t size,
                    size_t more, dodona_error *err)
{
    *out = calloc(1, sizeof **out);
    if (!*out) {
        ddn_input_close(take_in);
        return ddn_fail_memory(err);
    }
    ddn_window_init(&(*out)->w, take_in);
    (*out)->tokenizer = t;
    (*out)->size = size;
    (*out)->more = more;
    (*out)->start.first = (*out)->start.paragraph = true;
    return DODONA_OK;
}

void ddn_pieces_count_on(ddn_pieces *r, int64_t sentences)
{
    r->earlier = sentences;
}

void ddn_pieces_close(ddn_pieces *r)
{
    if (!r)
        return;
    ddn_window_fini(&r->w);
    free(r);
}

/* ---- Cutting the text ---- */

static bool is_blank(const ddn_window *w, size_t i)
{
    return w->chars.of[i].class == DDN_CHAR_BLANK;
}

/* The gap before character i. */
static ddn_gap gap_before(const ddn_window *w, size_t i)
{
    size_t from = i;
    while (from && is_blank(w, from - 1))
        from--;
    return ddn_gap_of(w->chars.of, (uint32_t)from, (uint32_t)i);
}

/* Where a sentence is most likely to begin behind first, from half the size on: after a blank line,
 * a line end, a space, or anywhere.  The number of characters: nowhere. */
static size_t find_cut(const ddn_pieces *r, size_t first)
{
    const ddn_window *w = &r->w;
    static const int rank[DDN_GAPS] = { 0, 1, 2, 1, 3 };
    size_t cut = 0, end = r->from + r->size, half = r->from + r->size / 2;
    int best = 0;
    for (size_t i = end; best < 3 && i > first + 1 && i > half; i--) {
        if (is_blank(w, i) || !is_blank(w, i - 1))
            continue;
        int now = rank[gap_before(w, i)];
        cut = now > best ? i : cut;
        best = now > best ? now : best;
    }
    if (cut)
        return cut;
    for (cut = end > first ? end : first + 1; cut < w->chars.count && is_blank(w, cut);)
        cut++;
    return cut;
}

/* The first character of the piece that is not white space, or the number of characters. */
static size_t find_first(const ddn_pieces *r)
{
    size_t i = r->from;
    while (i < r->w.chars.count && is_blank(&r->w, i))
        i++;
    return i;
}

/* Too much white space in a row is an error; no more need be read to report it. */
static bool is_too_blank(const ddn_window *w)
{
    size_t blanks = 0, n = w->chars.count;
    while (blanks < n && blanks <= DDN_MAX_BLANKS && is_blank(w, n - 1 - blanks))
        blanks++;
    return blanks > DDN_MAX_BLANKS;
}

/* Reads on; first drops what went out, where that is at least half of the window. */
static int fill(ddn_pieces *r)
{
    if (r->from && r->from * 2 >= r->w.chars.count) {
        ddn_window_drop(&r->w, r->from);
        r->from = 0;
    }
    return ddn_window_fill(&r->w);
}

/* Reads until a piece is there, with what follows it.  Its end, in the window. */
static int read_piece(ddn_pieces *r, size_t *cut)
{
    ddn_window *w = &r->w;
    for (;;) {
        size_t first = find_first(r);
        bool all = w->ended || w->coming || is_too_blank(w);
        *cut = w->chars.count;
        if (w->chars.count - r->from >= r->size + r->more && first < w->chars.count)
            *cut = find_cut(r, first);
        if (all || *cut + r->more <= w->chars.count)
            break;
        int status = fill(r);
        if (status < 0)
            return status;
    }
    if (*cut + r->more > w->chars.count)
        *cut = w->chars.count;
    r->ended = *cut == w->chars.count;
    return DODONA_OK;
}

/* The state at the character to, which a sentence may begin with. */
static void pass_lines(ddn_pieces *r, size_t to)
{
    const ddn_window *w = &r->w;
    const ddn_char *text = w->chars.of;
    ddn_lines *l = &r->start.layout;
    size_t at = find_first(r);
    if (r->start.first)
        ddn_lines_begin(l, text, (uint32_t)at);
    else
        l->begin -= w->skipped;
    for (size_t i = at; i < to; i++) {
        if (!is_blank(w, i)) {
            at = i;
        } else if (text[i].code == '\n') {
            while (is_blank(w, i))
                i++;
            size_t sight = w->chars.count - i > DDN_LOOK ? i + DDN_LOOK : w->chars.count;
            ddn_lines_pass(l, text, (uint32_t)at, (uint32_t)i, (uint32_t)sight);
            at = i;
        }
    }
    l->begin += w->skipped;
    for (size_t i = r->from; i < to; i++)
        r->start.lines += text[i].code == '\n';
    r->start.at = w->skipped + (int64_t)to;
    r->start.byte = ddn_window_byte(w, to);
    r->start.paragraph = gap_before(w, to) == DDN_GAP_BLANK_LINE;
    r->start.first = false;
}

static int put_piece(ddn_pieces *r, ddn_text_piece *p, size_t cut)
{
    const ddn_window *w = &r->w;
    dodona_text own = ddn_window_text(w, r->from, cut);
    dodona_text all = ddn_window_text(w, r->from, cut + r->more);
    if (!ddn_reserve(&p->bytes, &p->capacity, all.size + 1, 1))
        return DODONA_E_MEMORY;
    memcpy(p->bytes, all.data, all.size);
    p->bytes[all.size] = '\0';
    p->size = all.size;
    p->own = own.size;
    p->end = w->skipped + (int64_t)cut;
    p->last = r->ended && w->ended;
    p->start = r->start;
    p->earlier = r->earlier;
    p->tokenizer = r->tokenizer;
    snprintf(p->name, sizeof p->name, "%s", w->name);
    return DODONA_OK;
}

int ddn_pieces_next(ddn_pieces *r, ddn_text_piece *p, dodona_error *err)
{
    size_t cut = 0;
    if (!r->failed && r->ended)
        r->failed = r->w.coming;
    if (!r->failed && r->ended)
        return 0;
    if (!r->failed)
        r->failed = read_piece(r, &cut);
    if (!r->failed && put_piece(r, p, cut) < 0)
        r->failed = ddn_fail_memory(&r->w.error);
    if (r->failed) {
        if (err)
            *err = r->w.error;
        return r->failed;
    }
    if (!r->ended) {
        pass_lines(r, cut);
        r->from = cut;
    }
    return 1;
}

/* ---- Finding sentences ---- */

void ddn_piece_starts_fini(ddn_piece_starts *s)
{
    free(s->start);
    *s = (ddn_piece_starts){ 0 };
}

int ddn_piece_begin(ddn_text_reader *r, const ddn_text_piece *p, ddn_piece_starts *s,
                    dodona_error *err)
{
    s->count = 0;
    s->status = DODONA_OK;
    int status = ddn_text_restart(r, p->tokenizer, p->name, &p->start, err);
    return status < 0 ? status : ddn_text_feed(r, p->bytes, p->size, p->last, err);
}

int ddn_piece_next(ddn_text_reader *r, const ddn_text_piece *p, ddn_piece_starts *s,
                   ddn_sentence *out, dodona_error *err)
{
    if (!ddn_reserve(&s->start, &s->capacity, s->count + 1, sizeof *s->start))
        return ddn_fail_memory(err);
    s->start[s->count] = ddn_text_position(r);
    int status = s->start[s->count] < p->end ? ddn_text_next(r, out, &s->error) : 0;
    if (status == 1) {
        s->count++;
        return 1;
    }
    if (status == DODONA_E_MEMORY)
        return ddn_fail_memory(err);
    ddn_text_where(r, &s->after);
    s->status = status < 0 ? status : DODONA_OK;
    return 0;
}

/* ---- Joining ---- */

int ddn_joiner_init(ddn_joiner *j, dodona_error *err)
{
    *j = (ddn_joiner){ 0 };
    return ddn_text_open(&j->reader, NULL, NULL, err);
}

void ddn_joiner_fini(ddn_joiner *j)
{
    ddn_text_close(j->reader);
}

void ddn_joiner_begin(ddn_joiner *j, const ddn_text_piece *p, const ddn_piece_starts *found)
{
    j->piece = p;
    j->found = found;
    j->fed = false;
    if (p->start.first) {
        j->at = p->start;
        j->reading = false;
    }
}

/* Whether a sentence was found to begin at j->at: then j->take is its number. */
static bool find_start(ddn_joiner *j)
{
    const ddn_piece_starts *s = j->found;
    size_t low = 0, high = s->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->start[middle] < j->at.at)
            low = middle + 1;
        else
            high = middle;
    }
    j->take = low;
    return s->start[low] == j->at.at;
}

/* Feeds the piece's own bytes from that character of the text on. */
static int feed(ddn_joiner *j, int64_t from, dodona_error *err)
{
    const ddn_text_piece *p = j->piece;
    size_t at = 0;
    for (int64_t i = p->start.at; i < from; i++)
        do
            at++;
        while (((unsigned char)p->bytes[at] & 0xc0) == 0x80);
    j->fed = true;
    return ddn_text_feed(j->reader, p->bytes + at, p->own - at, p->last, err);
}

/* The reader goes on where no sentence was found to begin. */
static int start_reading(ddn_joiner *j, dodona_error *err)
{
    int status = ddn_text_restart(j->reader, j->piece->tokenizer, j->piece->name, &j->at, err);
    j->reading = status >= 0;
    return status < 0 ? status : feed(j, j->at.at, err);
}

int ddn_joiner_next(ddn_joiner *j, ddn_sentence *out, dodona_error *err)
{
    if (!j->reading && (find_start(j) || j->at.at >= j->piece->end))
        return 0;
    int status = DODONA_OK;
    if (!j->reading)
        status = start_reading(j, err);
    else if (!j->fed)
        status = feed(j, j->piece->start.at, err);
    if (status >= 0)
        status = ddn_text_next(j->reader, out, err);
    if (status == 1 || status == 0) {
        ddn_text_where(j->reader, &j->at);
        j->reading = status == 1 && !find_start(j);
    }
    j->take = j->found->count;
    return status == DODONA_WAIT ? 0 : status;
}

int ddn_joiner_end(ddn_joiner *j, dodona_error *err)
{
    const ddn_piece_starts *s = j->found;
    if (j->reading || s->start[j->take] != j->at.at)
        return DODONA_OK;
    if (s->status < 0 && err)
        *err = s->error;
    j->at = s->after;
    if (s->status < 0 || j->at.at >= j->piece->end)
        return s->status;
    return start_reading(j, err);
}
