/* SPDX-License-Identifier: MIT */
/* text_read.c - a window over the text that moves on from sentence to sentence.
 *
 * The window holds the bytes and characters from the first of the current sentence on.  A decision
 * is made only when all that it may look at is there, or the input has ended: so it does not depend
 * on how the input is cut into pieces.  When something is missing the search stops, more is read,
 * and it goes on where it was.
 *
 * The window is bounded: tokens and sentences are cut at a length, and too much white space in a
 * row is an error, since it must stand in the MISC of one token to be kept. */
#include "pipeline/text_read.h"

#include "io/spaces.h"
#include "pipeline/text_window.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SENT_ID "# sent_id = "

struct ddn_text_reader {
    ddn_tokenizing tokenizing;
    ddn_window w;
    int failed; /* a code that stays */

    ddn_place place;
    bool inside;        /* a sentence has begun at place.begin */
    ddn_lines layout;   /* of the lines before it; its begin counts from the text's */
    uint32_t before;    /* where the white space before the sentence begins */
    uint32_t blanks_to; /* white space was followed up to here */
    bool whole;         /* nothing behind place.end is looked at */
    int stop_lines; /* that is so behind so many line ends, with white space alone between them: 2
                       for a blank line, 1 for any line; 0: at the end alone */
    uint32_t seen;  /* they are looked for from here on, */
    bool text_seen; /* after something that is not white space, */
    int line_ends;  /* and after so many of them */
    bool first;     /* no sentence of this text has come yet */
    bool paragraph; /* the next sentence begins one */
    int64_t sentences; /* so far, with those of texts before */
    ddn_output text, words;
    ddn_token token[DDN_SENTENCE_TOKENS];
};

int ddn_text_open(ddn_text_reader **out, const ddn_tokenizer *t, ddn_input *take_in,
                  dodona_error *err)
{
    *out = NULL;
    ddn_text_reader *r = calloc(1, sizeof *r);
    if (!r) {
        ddn_input_close(take_in);
        return ddn_fail_memory(err);
    }
    ddn_window_init(&r->w, take_in);
    r->place.token = r->token;
    r->place.abbreviations = t ? ddn_tokenizer_hints(t) : NULL;
    r->first = r->paragraph = true;
    ddn_output_memory(&r->text);
    ddn_output_memory(&r->words);
    int status = t ? ddn_tokenizing_init(&r->tokenizing, t, err) : DODONA_OK;
    if (status < 0)
        ddn_text_close(r);
    else
        *out = r;
    return status;
}

void ddn_text_count_on(ddn_text_reader *r, int64_t sentences)
{
    r->sentences = sentences;
}

void ddn_text_flush(ddn_text_reader *r)
{
    if (!r->stop_lines)
        r->stop_lines = 2;
}

void ddn_text_lines(ddn_text_reader *r)
{
    r->stop_lines = 1;
}

void ddn_text_close(ddn_text_reader *r)
{
    if (!r)
        return;
    ddn_tokenizing_fini(&r->tokenizing);
    ddn_window_fini(&r->w);
    ddn_output_abandon(&r->text);
    ddn_output_abandon(&r->words);
    free(r);
}

/* ---- Beginning in the middle ---- */

int ddn_text_restart(ddn_text_reader *r, const ddn_tokenizer *t, const char *name,
                     const ddn_text_state *from, dodona_error *err)
{
    if (r->tokenizing.tokenizer != t) {
        ddn_tokenizing_fini(&r->tokenizing);
        r->place.abbreviations = ddn_tokenizer_hints(t);
        int status = ddn_tokenizing_init(&r->tokenizing, t, err);
        if (status < 0)
            return status;
    }
    ddn_window_restart(&r->w, from->at, from->byte, from->lines);
    snprintf(r->w.name, sizeof r->w.name, "%s", name);
    r->failed = 0;
    r->inside = false;
    r->place.lines = from->layout;
    r->place.lines.begin -= from->at;
    r->before = r->blanks_to = 0;
    r->first = from->first;
    r->paragraph = from->paragraph;
    return DODONA_OK;
}

int ddn_text_feed(ddn_text_reader *r, const char *bytes, size_t size, bool last, dodona_error *err)
{
    int status = ddn_window_feed(&r->w, bytes, size, last);
    if (status < 0 && err)
        *err = r->w.error;
    return status;
}

int64_t ddn_text_position(const ddn_text_reader *r)
{
    return r->w.skipped + r->before;
}

void ddn_text_where(const ddn_text_reader *r, ddn_text_state *out)
{
    out->at = ddn_text_position(r);
    out->byte = ddn_window_byte(&r->w, r->before);
    out->lines = r->w.lines;
    for (size_t i = r->before; i < r->w.chars.count; i++)
        out->lines -= r->w.chars.of[i].code == '\n';
    out->layout = r->inside ? r->layout : r->place.lines;
    out->layout.begin += r->inside ? 0 : r->w.skipped;
    out->first = r->first;
    out->paragraph = r->paragraph;
}

/* Reads on; first drops what lies before the sentence, where that is at least half of the window.
 */
static int fill(ddn_text_reader *r)
{
    ddn_place *p = &r->place;
    uint32_t gone = r->before;
    if (!gone || gone * 2 < r->w.chars.count)
        return ddn_window_fill(&r->w);
    ddn_window_drop(&r->w, gone);
    r->before -= gone;
    r->blanks_to = r->blanks_to > gone ? r->blanks_to - gone : 0;
    r->seen = r->seen > gone ? r->seen - gone : 0;
    p->begin -= gone;
    p->from -= gone;
    p->at -= gone;
    p->lines.begin -= gone;
    for (uint32_t i = 0; i < p->tokens; i++) {
        p->token[i].from -= gone;
        p->token[i].to -= gone;
    }
    return ddn_window_fill(&r->w);
}

/* ---- Finding a sentence ---- */

typedef enum found { MORE, SENTENCE, NOTHING, TOO_BLANK } found;

/* Follows white space from a character on, from where that ended last time. */
static bool follow_blanks(ddn_text_reader *r, uint32_t from)
{
    const ddn_place *p = &r->place;
    uint32_t at = from > r->blanks_to ? from : r->blanks_to;
    while (at < p->end && p->text[at].class == DDN_CHAR_BLANK && at - from <= DDN_MAX_BLANKS)
        at++;
    r->blanks_to = at;
    return at - from <= DDN_MAX_BLANKS;
}

/* Sets place.next and place.gap and answers SENTENCE when all that may be looked at is there. */
static found see_next(ddn_text_reader *r)
{
    ddn_place *p = &r->place;
    if (!follow_blanks(r, p->at + 1))
        return TOO_BLANK;
    p->next = r->blanks_to;
    if (!r->whole && p->end - p->next < DDN_LOOK)
        return MORE;
    p->gap = ddn_gap_of(p->text, p->at + 1, p->next);
    return SENTENCE;
}

/* Skips the white space behind the line ends at which the text before was ended. */
static void skip_lines(ddn_text_reader *r)
{
    ddn_place *p = &r->place;
    ddn_gap gap = ddn_gap_of(p->text, r->before, p->begin);
    ddn_lines_skip(&p->lines, p->text, r->before, p->begin);
    r->paragraph = r->paragraph || gap == DDN_GAP_LINE || gap == DDN_GAP_BLANK_LINE;
}

/* Begins a sentence at the next character that is not white space, and answers SENTENCE. */
static found begin(ddn_text_reader *r)
{
    ddn_place *p = &r->place;
    if (!follow_blanks(r, r->before))
        return TOO_BLANK;
    if (r->blanks_to == p->end)
        return r->whole ? NOTHING : MORE;
    p->begin = p->from = p->at = r->blanks_to;
    p->tokens = 0;
    if (r->first)
        ddn_lines_begin(&p->lines, p->text, p->begin);
    else
        skip_lines(r);
    r->layout = p->lines;
    r->layout.begin += r->w.skipped;
    r->inside = true;
    return SENTENCE;
}

/* Goes on to the last character that is certainly inside the token. */
static void pass_inside(ddn_text_reader *r)
{
    ddn_place *p = &r->place;
    const uint32_t *inside = r->tokenizing.tokenizer->certain.inside;
    uint32_t at = p->at, stop = p->from + DDN_TOKEN_CHARS - 1;
    stop = stop < p->end - 1 ? stop : p->end - 1;
    while (at < stop && inside[p->text[at].class] >> p->text[at + 1].class & 1)
        at++;
    p->at = at;
}

/* How far may be looked: all that is there, or up to the line ends that stop. */
static void set_end(ddn_text_reader *r)
{
    ddn_place *p = &r->place;
    p->text = r->w.chars.of;
    p->end = (uint32_t)r->w.chars.count;
    r->whole = r->w.ended;
    if (!r->stop_lines)
        return;
    for (; r->seen < p->end && r->line_ends < r->stop_lines; r->seen++) {
        const ddn_char *c = &p->text[r->seen];
        if (c->class != DDN_CHAR_BLANK) {
            r->text_seen = true;
            r->line_ends = 0;
        } else if (r->text_seen) {
            r->line_ends += c->code == '\n';
        }
    }
    if (r->line_ends == r->stop_lines) {
        p->end = r->seen;
        r->whole = true;
    }
}

static bool ends_sentence(ddn_text_reader *r)
{
    if (r->stop_lines == 1)
        return ddn_sentence_certain(&r->tokenizing.tokenizer->certain, &r->place) > 0;
    return ddn_sentence_ends(&r->tokenizing, &r->place);
}

static found find_sentence(ddn_text_reader *r)
{
    ddn_place *p = &r->place;
    set_end(r);
    found f = r->inside ? SENTENCE : begin(r);
    while (f == SENTENCE) {
        pass_inside(r);
        f = see_next(r);
        if (f != SENTENCE)
            break;
        bool token = ddn_token_ends(&r->tokenizing, p), sentence = false;
        if (token) {
            ddn_place_add(p);
            sentence = ends_sentence(r);
        }
        ddn_place_move(p);
        if (sentence)
            break;
        if (token)
            p->from = p->at;
    }
    return f;
}

/* ---- Writing it down ---- */

static dodona_text bytes_of(const ddn_text_reader *r, uint32_t from, uint32_t to)
{
    return ddn_window_text(&r->w, from, to);
}

static bool has_blanks(const ddn_text_reader *r, const ddn_token *t)
{
    for (uint32_t i = t->from; i < t->to; i++)
        if (r->w.chars.of[i].class == DDN_CHAR_BLANK)
            return true;
    return false;
}

/* The token, with each run of white space as one space. */
static void put_form(ddn_text_reader *r, const ddn_token *t)
{
    ddn_output *o = &r->text;
    if (!has_blanks(r, t)) {
        dodona_text form = bytes_of(r, t->from, t->to);
        ddn_put(o, form.data, form.size);
        return;
    }
    for (uint32_t i = t->from; i < t->to; i++) {
        dodona_text c = bytes_of(r, i, i + 1);
        if (r->w.chars.of[i].class != DDN_CHAR_BLANK)
            ddn_put(o, c.data, c.size);
        else if (r->w.chars.of[i - 1].class != DDN_CHAR_BLANK)
            ddn_put(o, " ", 1);
    }
}

static void put_blanks(ddn_text_reader *r, const char *key, uint32_t from, uint32_t to)
{
    dodona_text blanks = bytes_of(r, from, to);
    ddn_puts(&r->text, key);
    ddn_spaces_escape(&r->text, blanks.data, blanks.size);
    ddn_put(&r->text, "|", 1);
}

/* In the order of UDPipe.  form: where FORM stands in the text. */
static void put_misc(ddn_text_reader *r, const ddn_token *t, uint32_t next, ddn_span form)
{
    ddn_output *o = &r->text;
    dodona_text token = bytes_of(r, t->from, t->to);
    if (t->from == r->place.begin && r->before < t->from)
        put_blanks(r, "SpacesBefore=", r->before, t->from);
    if (next == t->to)
        ddn_puts(o, "SpaceAfter=No|");
    else if (next - t->to > 1 || r->w.chars.of[t->to].code != ' ')
        put_blanks(r, "SpacesAfter=", t->to, next);
    if (form.len != token.size || (o->data && memcmp(o->data + form.at, token.data, form.len) != 0))
        put_blanks(r, "SpacesInToken=", t->from, t->to);
    ddn_puts(o, "TokenRange=");
    ddn_put_int(o, r->w.skipped + t->from);
    ddn_put(o, ":", 1);
    ddn_put_int(o, r->w.skipped + t->to);
}

static int new_row(ddn_text_reader *r, ddn_sentence *s, ddn_row_kind kind, size_t from,
                   ddn_row **row)
{
    if (r->text.error.code)
        return ddn_fail_memory(&r->w.error);
    int status = ddn_sentence_row(s, kind, row, &r->w.error);
    if (status < 0)
        return status;
    (*row)->line = (ddn_span){ (uint32_t)from, (uint32_t)(r->text.size - from) };
    (*row)->eol = 1;
    return DODONA_OK;
}

/* The columns of the line that was put last: ID and FORM, seven of one byte, MISC. */
static void set_columns(ddn_row *row, const ddn_text_reader *r, ddn_span form)
{
    uint32_t from = row->line.at, at = form.at + form.len + 1;
    row->col[DDN_ID] = (ddn_span){ from, form.at - 1 - from };
    row->col[DDN_FORM] = form;
    for (int k = DDN_LEMMA; k < DDN_MISC; k++, at += 2)
        row->col[k] = (ddn_span){ at, 1 };
    row->col[DDN_MISC] = (ddn_span){ at, (uint32_t)r->text.size - 1 - at };
}

static const char empty[] = "\t_\t_\t_\t_\t_\t_\t_\t";

/* A row for a token that is several words. */
static int put_range(ddn_text_reader *r, ddn_sentence *s, const ddn_token *t, uint32_t next,
                     int words)
{
    ddn_output *o = &r->text;
    ddn_row *row;
    size_t from = o->size;
    ddn_put_int(o, s->n + 1);
    ddn_put(o, "-", 1);
    ddn_put_int(o, s->n + words);
    ddn_put(o, "\t", 1);
    ddn_span form = { (uint32_t)o->size, 0 };
    put_form(r, t);
    form.len = (uint32_t)o->size - form.at;
    ddn_puts(o, empty);
    put_misc(r, t, next, form);
    ddn_put(o, "\n", 1);
    int status = new_row(r, s, DDN_ROW_RANGE, from, &row);
    if (status < 0)
        return status;
    row->id = s->n + 1;
    row->minor = s->n + words;
    set_columns(row, r, form);
    return DODONA_OK;
}

/* A row for a word: all of a token, or with word a part of one. */
static int put_word(ddn_text_reader *r, ddn_sentence *s, const ddn_token *t, uint32_t next,
                    const dodona_text *word)
{
    ddn_output *o = &r->text;
    ddn_row *row;
    size_t from = o->size;
    ddn_put_int(o, s->n + 1);
    ddn_put(o, "\t", 1);
    ddn_span form = { (uint32_t)o->size, 0 };
    if (word)
        ddn_put(o, word->data, word->size);
    else
        put_form(r, t);
    form.len = (uint32_t)o->size - form.at;
    ddn_puts(o, empty);
    if (word)
        ddn_put(o, "_", 1);
    else
        put_misc(r, t, next, form);
    ddn_put(o, "\n", 1);
    int status = new_row(r, s, DDN_ROW_WORD, from, &row);
    if (status >= 0)
        set_columns(row, r, form);
    return status;
}

static int put_token(ddn_text_reader *r, ddn_sentence *s, const ddn_token *t, uint32_t next)
{
    r->words.size = 0;
    int words = ddn_splitter_split(&r->tokenizing.tokenizer->splitter, r->w.chars.of, t->from,
                                   t->to, r->w.bytes, &r->words);
    if (words == 1 || has_blanks(r, t))
        return put_word(r, s, t, next, NULL);
    if (r->words.error.code)
        return ddn_fail_memory(&r->w.error);
    int status = put_range(r, s, t, next, words);
    const char *at = r->words.data, *end = at + r->words.size;
    while (at < end && status >= 0) {
        const char *tab = ++at < end ? memchr(at, '\t', (size_t)(end - at)) : NULL;
        dodona_text word = { at, (size_t)((tab ? tab : end) - at) };
        status = put_word(r, s, t, next, &word);
        at = tab ? tab : end;
    }
    return status;
}

static int put_comment(ddn_text_reader *r, ddn_sentence *s, size_t from)
{
    ddn_row *row;
    ddn_put(&r->text, "\n", 1);
    return new_row(r, s, DDN_ROW_COMMENT, from, &row);
}

static int put_comments(ddn_text_reader *r, ddn_sentence *s)
{
    ddn_output *o = &r->text;
    const ddn_place *p = &r->place;
    int status = DODONA_OK;
    size_t from = o->size;
    if (r->first) {
        ddn_puts(o, "# newdoc");
        status = put_comment(r, s, from);
    }
    if (r->paragraph && status >= 0) {
        from = o->size;
        ddn_puts(o, "# newpar");
        status = put_comment(r, s, from);
    }
    if (status >= 0) {
        from = o->size;
        ddn_puts(o, SENT_ID);
        ddn_put_int(o, r->sentences + 1);
        status = put_comment(r, s, from);
    }
    from = o->size;
    ddn_puts(o, "# text = ");
    for (uint32_t i = 0; i < p->tokens; i++) {
        put_form(r, &p->token[i]);
        if (i + 1 < p->tokens && p->token[i].to < p->token[i + 1].from)
            ddn_put(o, " ", 1);
    }
    return status < 0 ? status : put_comment(r, s, from);
}

static int put_sentence(ddn_text_reader *r, ddn_sentence *s)
{
    const ddn_place *p = &r->place;
    ddn_row *row;
    ddn_span all;
    ddn_sentence_clear(s);
    s->byte = ddn_window_byte(&r->w, p->begin);
    r->text.size = 0;
    int status = put_comments(r, s);
    for (uint32_t i = 0; i < p->tokens && status >= 0; i++)
        status = put_token(r, s, &p->token[i], i + 1 < p->tokens ? p->token[i + 1].from : p->next);
    ddn_put(&r->text, "\n", 1);
    if (status >= 0)
        status = new_row(r, s, DDN_ROW_BLANK, r->text.size - 1, &row);
    if (status >= 0)
        status = ddn_sentence_text(s, r->text.data, r->text.size, &all, &r->w.error);
    r->sentences++;
    r->first = false;
    r->paragraph = p->gap == DDN_GAP_BLANK_LINE;
    r->before = p->next;
    r->inside = false;
    if (p->next == p->end) {
        r->text_seen = false;
        r->line_ends = 0;
    }
    return status;
}

static int refuse_blanks(ddn_text_reader *r)
{
    int64_t line = r->w.lines + 1;
    for (size_t i = r->blanks_to; i < r->w.chars.count; i++)
        line -= r->w.chars.of[i].code == '\n';
    return ddn_fail_at(&r->w.error, DODONA_E_LIMIT, r->w.name, line,
                       "more than %d white space characters in a row, the limit", DDN_MAX_BLANKS);
}

static int next(ddn_text_reader *r, ddn_sentence *s)
{
    for (;;) {
        int status;
        switch (find_sentence(r)) {
        case NOTHING:
            return 0;
        case SENTENCE:
            status = put_sentence(r, s);
            return status < 0 ? status : 1;
        case TOO_BLANK:
            return refuse_blanks(r);
        case MORE:
            status = fill(r);
            if (status != DODONA_OK)
                return status;
        }
    }
}

int ddn_text_next(ddn_text_reader *r, ddn_sentence *s, dodona_error *err)
{
    int status = r->failed ? r->failed : next(r, s);
    if (status < 0) {
        r->failed = status;
        if (err)
            *err = r->w.error;
    }
    return status;
}

int ddn_text_number(ddn_sentence *s, int64_t number, dodona_error *err)
{
    char line[sizeof SENT_ID + 24];
    size_t i = 0;
    while (memcmp(s->text + s->row[i].line.at, SENT_ID, sizeof SENT_ID - 1) != 0)
        i++;
    int size = snprintf(line, sizeof line, SENT_ID "%" PRId64 "\n", number);
    return ddn_sentence_text(s, line, (size_t)size, &s->row[i].line, err);
}
