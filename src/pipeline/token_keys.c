/* SPDX-License-Identifier: MIT */
/* token_keys.c - the features of the two classifiers.
 *
 * For the end of a token: the characters around the place and their classes, the token so far, and
 * the rest of the chunk up to the next white space.  For the end of a sentence: the last tokens,
 * the next two chunks, their shapes, the gap between, how long the sentence is and what is still
 * open; at a line end, how it compares with the line ends before (lines.h).
 *
 * Tokenizers that know abbreviations have hints besides (token_hints.h).
 *
 * Characters are folded (lower case, digits as one) except where their case is the point: the
 * classes tell it.  Features that name a text longer than DDN_LOOK leave out the rest of it. */
#include "pipeline/token_hints.h"

#include <utf8proc.h>

enum {
    HEAD = 4, /* the first characters of a token: they tell addresses of the Web */
    FAR = 130 /* characters, farther than lines are wrapped */
};

static const ddn_char nothing = { .class = DDN_CHAR_NONE };

/* A character of the sentence or of what follows. */
static const ddn_char *see(const ddn_place *p, int64_t i)
{
    return i >= (int64_t)p->begin && i < (int64_t)p->end ? &p->text[i] : &nothing;
}

/* A class, and for letters without case a number for their part of Unicode, about a script: these
 * are what words change between in scripts that have no spaces. */
static uint64_t kind(const ddn_char *c)
{
    uint32_t x = c->code;
    if (c->class != UTF8PROC_CATEGORY_LO)
        return c->class;
    return DDN_CHAR_CLASSES + (x < 0x3400 ? x >> 5 : x < 0xa000 ? 0x3400 >> 5 : x >> 11);
}

/* A sequence of characters as one number, and their classes without repetitions. */
typedef struct piece {
    uint64_t form, shape;
    uint32_t from, to;
} piece;

static piece piece_of(const ddn_char *text, uint32_t from, uint32_t to)
{
    piece x = { .from = from, .to = to };
    unsigned last = DDN_CHAR_NONE;
    for (uint32_t i = from; i < to; i++) {
        x.form = (x.form ^ text[i].fold) * 0x9e3779b97f4a7c15;
        x.form ^= x.form >> 29;
        if (text[i].class != last)
            x.shape = x.shape << 5 | text[i].class; /* the last twelve */
        last = text[i].class;
    }
    return x;
}

/* The chunk that begins at from: up to white space, or as far as is seen. */
static piece chunk_of(const ddn_place *p, uint32_t from, uint32_t limit)
{
    uint32_t to = from;
    while (to < limit && p->text[to].class != DDN_CHAR_BLANK)
        to++;
    return piece_of(p->text, from, to);
}

static uint32_t sight(const ddn_place *p, uint32_t from)
{
    return p->end - from > DDN_LOOK ? from + DDN_LOOK : p->end;
}

static unsigned length_of(uint32_t from, uint32_t to)
{
    uint32_t n = to - from;
    return n < 6 ? n : n < 10 ? 6 : n < 20 ? 7 : 8;
}

/* Keys in the making; each template has its number. */
typedef struct keys {
    uint64_t *key;
    int count;
} keys;

static void add(keys *k, uint64_t a, uint64_t b)
{
    k->key[k->count] = ddn_key((uint64_t)k->count * 0x100000001b3 ^ a << 7, b);
    k->count++;
}

/* Adds what a token looks like, and, before a period, what follows it. */
static void add_token_hints(keys *k, const ddn_place *p, const ddn_char *c1, uint64_t classes)
{
    uint32_t limit = sight(p, p->at + 1);
    uint64_t span = ddn_span_hint(p, p->from, p->at, limit);
    add(k, span, 0);
    add(k, span, c1->code);
    add(k, span, classes);
    if (c1->code != '.')
        return;
    uint64_t hint = ddn_abbreviation_hint(p, p->from, p->at + 1);
    uint64_t behind = ddn_class_behind(p, p->at + 2, limit) << 1;
    behind |= p->at + 2 < p->end && p->text[p->at + 2].class == DDN_CHAR_BLANK;
    add(k, hint, 0);
    add(k, hint, 1 + behind);
    add(k, hint & 0xf, 1 + behind); /* without casing and length */
}

int ddn_token_keys(const ddn_place *p, uint64_t key[DDN_MAX_KEYS])
{
    keys k = { key, 0 };
    int64_t i = p->at;
    const ddn_char *c0 = see(p, i), *c1 = see(p, i + 1), *c2 = see(p, i + 2), *c3 = see(p, i + 3);
    const ddn_char *b1 = see(p, i - 1), *b2 = see(p, i - 2);
    uint32_t start = p->at - p->from > DDN_LOOK ? p->at - DDN_LOOK : p->from;
    piece token = piece_of(p->text, start, p->at + 1);
    piece rest = chunk_of(p, p->at + 1, sight(p, p->at + 1));
    uint64_t pair = (uint64_t)c0->code << 32 | c1->code, classes = c0->class << 5 | c1->class;
    uint64_t kinds = kind(c0) << 16 | kind(c1);
    add(&k, pair, 0);
    add(&k, pair, b1->code);
    add(&k, pair, c2->code);
    add(&k, pair, (uint64_t)b1->code << 32 | c2->code);
    add(&k, pair, (uint64_t)b1->fold << 32 | b2->fold);
    add(&k, pair, (uint64_t)c2->fold << 32 | c3->fold);
    add(&k, token.form, c1->fold);
    add(&k, rest.form, c0->fold);
    add(&k, token.form, rest.form);
    add(&k, token.form, classes);
    add(&k, rest.form, classes);
    add(&k, token.shape, rest.shape);
    add(&k, kinds, kind(b2) << 48 | kind(b1) << 32 | kind(c2) << 16 | kind(c3));
    add(&k, kinds, kind(b1) << 16 | kind(c2));
    add(&k, kinds, 0);
    add(&k, kind(c0), (uint64_t)c1->fold << 32 | c2->fold);
    add(&k, kind(c1), (uint64_t)c0->fold << 32 | b1->fold);
    add(&k, (uint64_t)b1->fold << 32 | b2->fold, c0->fold);
    add(&k, (uint64_t)c1->fold << 32 | c2->fold, c3->fold);
    add(&k, classes, length_of(start, p->at) << 4 | length_of(rest.from, rest.to));
    piece head = piece_of(p->text, p->from, p->at - p->from < HEAD ? p->at + 1 : p->from + HEAD);
    add(&k, classes, head.form);
    add(&k, pair, head.form);
    add(&k, head.form, c1->class);
    add(&k, classes, (uint64_t)rest.shape);
    add(&k, classes, token.shape);
    add(&k, classes, p->tokens ? p->token[p->tokens - 1].form : 1);
    add(&k, classes, p->tokens && p->token[p->tokens - 1].to == p->from);
    if (p->abbreviations)
        add_token_hints(&k, p, c1, classes);
    return k.count;
}

/* How many of some lines, roughly. */
static uint64_t share(uint32_t some, uint32_t all)
{
    return some < 2 ? some : 2 + 4 * some / (all + 1);
}

/* The gap as other features see it: a line end that is due to wrapping is a space, and one in a
 * text where they are meant is something else than one that nothing is known of. */
static uint64_t gap_as(const ddn_place *p, const ddn_line_end *e)
{
    if (p->gap != DDN_GAP_LINE)
        return p->gap;
    if (ddn_lines_wrapped(&p->lines, e))
        return DDN_GAP_SPACE;
    return ddn_lines_meant(&p->lines) ? DDN_GAPS : DDN_GAP_LINE;
}

/* Adds what the line ends before tell of this one. */
static void add_line_end(keys *k, const ddn_place *p, const ddn_line_end *e, uint64_t w0,
                         uint64_t n0)
{
    const ddn_lines *l = &p->lines;
    uint64_t n = l->known, some = n < 4 ? n : n < 8 ? 4 : 5, far = e->most >= FAR;
    uint64_t all = share(l->going_on, l->known) << 4 | some << 1 | far;
    uint64_t exact =
        share(e->exact, l->known) << 4 | share(l->exact > e->exact ? l->exact : e->exact, l->known);
    uint64_t about =
        share(e->about, l->known) << 4 | share(l->about > e->about ? l->about : e->about, l->known);
    uint64_t length = e->length < FAR ? e->length / 20 : 7;
    uint64_t ends = 1 + (p->text[p->at].class << 5 | p->text[p->next].class);
    add(k, exact << 8 | all, 0);
    add(k, about << 8 | all, 0);
    add(k, exact << 8 | all, ends);
    add(k, about << 8 | all, ends);
    add(k, exact << 16 | all << 8 | about, ends);
    add(k, (exact << 8 | all) << 3 | length, ends);
    add(k, exact << 8 | all, w0);
    add(k, exact << 8 | all, n0);
    add(k, far ? 7 : e->most / 10, length << 8 | e->length * 10 / e->most);
}

/* Adds, where lines end on purpose, how long they are: sentences rarely end inside short ones. */
static void add_inside_line(keys *k, const ddn_place *p, uint64_t w0, uint64_t ends)
{
    uint32_t n = p->lines.most;
    uint64_t most = n < FAR ? 0 : n < 200 ? 1 : n < 300 ? 2 : n < 500 ? 3 : 4;
    uint64_t inside = UINT64_C(1) << 40 | most; /* unlike all that add_line_end adds */
    add(k, inside, ends);
    add(k, inside, w0);
}

/* Adds what the end of the sentence so far looks like, with what follows. */
static void add_sentence_hints(keys *k, const ddn_place *p, piece n0, uint64_t gap, uint32_t limit)
{
    const ddn_token *w0 = &p->token[p->tokens - 1], *w1 = p->tokens > 1 ? w0 - 1 : NULL;
    uint64_t hint = ddn_period_hint(p, w0, w1), few = hint & 0x180f; /* no casing, no length */
    uint64_t next = (uint64_t)p->text[p->next].class << 3 | gap;
    uint64_t span = ddn_span_hint(p, p->next, p->next, limit) >> 2;
    add(k, hint, next);
    add(k, hint, 0);
    add(k, few, next);
    add(k, few, n0.form);
    add(k, hint, n0.form);
    add(k, few, n0.shape);
    add(k, few, w1 ? w1->form : 1);
    add(k, hint, 1 + length_of(0, p->tokens));
    add(k, few << 4 | span, p->text[p->at].class);
    add(k, w0->form, span << 3 | gap);
}

bool ddn_place_wrapped(const ddn_place *p)
{
    ddn_line_end e = ddn_lines_judge(&p->lines, p->text, p->at, p->next, sight(p, p->next));
    return ddn_lines_wrapped(&p->lines, &e);
}

int ddn_sentence_keys(const ddn_place *p, uint64_t key[DDN_MAX_KEYS])
{
    static const ddn_token no_token = { .shape = DDN_CHAR_NONE };
    keys k = { key, 0 };
    uint32_t n = p->tokens, limit = sight(p, p->next);
    const ddn_token *w0 = &p->token[n - 1], *w1 = n > 1 ? w0 - 1 : &no_token;
    const ddn_token *w2 = n > 2 ? w0 - 2 : &no_token;
    piece n0 = chunk_of(p, p->next, limit);
    uint32_t second = n0.to;
    while (second < limit && p->text[second].class == DDN_CHAR_BLANK)
        second++;
    bool broken = ddn_gap_of(p->text, n0.to, second) == DDN_GAP_BLANK_LINE;
    piece n1 = broken ? (piece){ 0 } : chunk_of(p, second, limit);
    const ddn_char *last = see(p, p->at), *first = see(p, p->next);
    ddn_line_end line = { 0 };
    if (p->gap == DDN_GAP_LINE)
        line = ddn_lines_judge(&p->lines, p->text, p->at, p->next, limit);
    uint64_t gap = gap_as(p, &line);
    uint64_t ends = (uint64_t)last->class << 8 | first->class << 3 | gap;
    uint64_t length = length_of(0, n), open = (uint64_t)w0->open << 1 | w0->quotes;
    add(&k, w0->form, gap);
    add(&k, w0->form, ends);
    add(&k, w0->form, n0.form);
    add(&k, w0->form, n0.shape << 3 | gap);
    add(&k, n0.form, ends);
    add(&k, n0.form, first->class);
    add(&k, w1->form, w0->form);
    add(&k, w1->form, ends);
    add(&k, w1->form ^ w0->form << 1, ends);
    add(&k, w0->shape << 16 ^ w1->shape, n0.shape);
    add(&k, w0->shape, n0.shape << 3 | gap);
    add(&k, ends, 0);
    add(&k, ends, length);
    add(&k, ends, open);
    add(&k, w0->form, open);
    add(&k, w0->form, length << 5 | first->class);
    add(&k, p->token[0].form, n == 1 ? w0->form : ends << 4 | length);
    add(&k, n0.form, n1.form);
    add(&k, n0.shape, ends ^ n1.shape << 16);
    add(&k, w2->shape << 32 ^ w1->shape << 16 ^ w0->shape, ends);
    add(&k, last->fold, (uint64_t)first->code << 3 | gap);
    add(&k, w0->form, n1.shape << 8 | first->class << 3 | gap);
    if (p->abbreviations)
        add_sentence_hints(&k, p, n0, gap, limit);
    if (p->gap == DDN_GAP_LINE)
        add_line_end(&k, p, &line, w0->form, n0.form);
    else if (ddn_lines_meant(&p->lines) && p->lines.about * 2 <= p->lines.known)
        add_inside_line(&k, p, w0->form, ends);
    return k.count;
}

void ddn_place_add(ddn_place *p)
{
    const ddn_token *before = p->tokens ? &p->token[p->tokens - 1] : NULL;
    uint32_t start = p->at - p->from > DDN_LOOK ? p->at - DDN_LOOK : p->from;
    piece x = piece_of(p->text, start, p->at + 1);
    ddn_token t = { .from = p->from, .to = p->at + 1, .form = x.form, .shape = x.shape };
    t.open = before ? before->open : 0;
    t.quotes = before ? before->quotes : 0;
    if (p->from == p->at) {
        const ddn_char *c = &p->text[p->at];
        if (c->class == UTF8PROC_CATEGORY_PS && t.open < 3)
            t.open++;
        if (c->class == UTF8PROC_CATEGORY_PE && t.open)
            t.open--;
        t.quotes ^= c->code == '"';
    }
    p->token[p->tokens++] = t;
}

void ddn_place_move(ddn_place *p)
{
    if (p->gap != DDN_GAP_NONE)
        ddn_lines_pass(&p->lines, p->text, p->at, p->next, sight(p, p->next));
    p->at = p->next;
}
