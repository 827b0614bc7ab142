/* SPDX-License-Identifier: MIT */
/* token_hints.c - hints by a look at few characters.  They know no language but for the vowels of
 * ASCII; other letters count as vowels, so that the lack of one says something. */
#include "pipeline/token_hints.h"

#include <string.h>
#include <utf8proc.h>

/* ---- Abbreviations ---- */

uint64_t ddn_abbreviation_key(const ddn_char *text, uint32_t from, uint32_t to)
{
    uint64_t key = 0xabb;
    for (uint32_t i = from; i < to; i++)
        key = ddn_key(key, text[i].fold);
    return key;
}

static bool is_vowel(const ddn_char *c)
{
    return c->fold >= 0x80 ? ddn_char_is_letter(c) : c->fold && strchr("aeiouy", (int)c->fold);
}

uint64_t ddn_abbreviation_hint(const ddn_place *p, uint32_t from, uint32_t to)
{
    enum { SEEN = 12 }; /* no abbreviation is longer */
    unsigned upper = 0, letters = 0, vowel = 0, period = 0;
    bool known = to - from <= SEEN && !p->hidden &&
                 ddn_lexicon_find(p->abbreviations, ddn_abbreviation_key(p->text, from, to)) !=
                     DDN_LEXICON_NONE;
    uint32_t length = to - from < 6 ? to - from : to - from < 9 ? 6 : 7;
    for (uint32_t i = from; i < to && i - from < SEEN; i++) {
        const ddn_char *c = &p->text[i];
        upper += c->class == UTF8PROC_CATEGORY_LU;
        letters += ddn_char_is_letter(c);
        vowel |= is_vowel(c);
        period |= c->code == '.';
    }
    bool title = upper == 1 && p->text[from].class == UTF8PROC_CATEGORY_LU;
    unsigned casing = !letters ? 0 : !upper ? 1 : title ? 2 : upper == letters ? 3 : 4;
    return 1 | known << 1 | period << 2 | vowel << 3 | (uint64_t)length << 4 |
           (uint64_t)casing << 7;
}

uint64_t ddn_period_hint(const ddn_place *p, const ddn_token *token, const ddn_token *before)
{
    if (p->text[token->to - 1].code != '.')
        return 0;
    if (token->to - token->from > 1)
        return ddn_abbreviation_hint(p, token->from, token->to - 1);
    if (!before || before->to != token->from)
        return 1 << 12;
    return 1 << 11 | ddn_abbreviation_hint(p, before->from, before->to);
}

/* ---- Numbers, addresses and names with a mark ---- */

typedef enum span { NO_SPAN, NUMBER, WEB, MAIL, PATH, HANDLE, TAG } span;

static bool is_name(const ddn_char *c)
{
    return ddn_char_is_letter(c) || c->class == UTF8PROC_CATEGORY_ND || c->code == '_';
}

static bool is_digit(const ddn_char *c)
{
    return c->class == UTF8PROC_CATEGORY_ND;
}

static bool begins_with(const ddn_char *t, uint32_t size, const char *with)
{
    uint32_t i = 0;
    while (with[i] && i < size && t[i].fold == (uint32_t)with[i])
        i++;
    return !with[i];
}

static const char separators[] = ".,:/-";

/* Where a run of digits with single separators ends. */
static uint32_t end_of_number(const ddn_char *t, uint32_t size)
{
    uint32_t i = 1;
    while (i < size &&
           (is_digit(&t[i]) || (t[i].code < 0x80 && strchr(separators, (int)t[i].code) &&
                                i + 1 < size && is_digit(&t[i + 1]))))
        i++;
    return i;
}

static uint32_t end_of_name(const ddn_char *t, uint32_t size)
{
    uint32_t i = 1;
    while (i < size && is_name(&t[i]))
        i++;
    return i;
}

/* A chunk without the punctuation at its end. */
static uint32_t end_of_chunk(const ddn_char *t, uint32_t size)
{
    while (size > 1 && t[size - 1].code < 0x80 && strchr(".,;:!?)]}>\"'", (int)t[size - 1].code))
        size--;
    return size;
}

/* A slash, perhaps after "~", "." or "..", names, and another slash. */
static bool is_path(const ddn_char *t, uint32_t size)
{
    uint32_t i = 0;
    while (i < size && i < 2 && (t[i].code == '~' || t[i].code == '.'))
        i++;
    if (i + 1 >= size || t[i].code != '/' || !is_name(&t[i + 1]))
        return false;
    for (i++; i < size; i++)
        if (t[i].code == '/')
            return true;
    return false;
}

/* What the chunk t[0..size) begins with, and where that ends; apart: no name stands before it. */
static span find_span(const ddn_char *t, uint32_t size, bool apart, uint32_t *end)
{
    *end = end_of_chunk(t, size);
    if (begins_with(t, size, "www.") || begins_with(t, size, "http"))
        return WEB;
    if (apart && is_path(t, *end))
        return PATH;
    bool mark =
        apart && size > 1 &&
        ((t[0].code == '@' && is_name(&t[1])) || (t[0].code == '#' && ddn_char_is_letter(&t[1])));
    for (uint32_t i = 1; i + 1 < *end; i++) {
        if (t[i].code == '@' && is_name(&t[i - 1]) && is_name(&t[i + 1]))
            return MAIL;
        if (t[i].code == ':' && t[i + 1].code == '/')
            return WEB;
    }
    if (mark) {
        *end = end_of_name(t, size);
        return t[0].code == '@' ? HANDLE : TAG;
    }
    if (!is_digit(&t[0]))
        return NO_SPAN;
    *end = end_of_number(t, size);
    return NUMBER;
}

uint64_t ddn_span_hint(const ddn_place *p, uint32_t from, uint32_t at, uint32_t limit)
{
    uint32_t to = from, end;
    while (to < limit && p->text[to].class != DDN_CHAR_BLANK)
        to++;
    if (to == from)
        return 0;
    bool apart = from == p->begin || !is_name(&p->text[from - 1]);
    span kind = find_span(p->text + from, to - from, apart, &end);
    unsigned where = at + 1 < from + end ? 0 : at + 1 == from + end ? 1 : 2;
    return kind ? (unsigned)kind << 2 | where : 0;
}

static bool is_plain(const ddn_char *c)
{
    return ddn_char_is_letter(c) || is_digit(c);
}

int ddn_span_place(const ddn_place *p)
{
    const ddn_char *at = &p->text[p->at], *next = at + 1;
    if (p->gap != DDN_GAP_NONE || (is_plain(at) && is_plain(next)))
        return -1;
    uint32_t limit = p->end - p->next > DDN_LOOK ? p->next + DDN_LOOK : p->end;
    uint64_t hint = ddn_span_hint(p, p->from, p->at, limit);
    if (!hint || hint & 3)
        return -1;
    int number = (int)(hint >> 2);
    if (number == NUMBER) {
        const ddn_char *mark = is_digit(at) ? next : at;
        const char *found = mark->code < 0x80 ? strchr(separators, (int)mark->code) : NULL;
        if (!found)
            return -1;
        number = TAG + 1 + (int)(found - separators);
    }
    return number;
}

uint64_t ddn_span_key(int place)
{
    return ddn_key(0x59a, (uint64_t)place);
}

bool ddn_span_is_number(int place)
{
    return place == NUMBER || place > TAG;
}

uint8_t ddn_class_behind(const ddn_place *p, uint32_t from, uint32_t limit)
{
    while (from < limit && p->text[from].class == DDN_CHAR_BLANK)
        from++;
    return from < limit ? p->text[from].class : DDN_CHAR_NONE;
}

/* ---- What is one character to a reader ---- */

enum { JOINER = 0x200d };

static bool is_flag_letter(const ddn_char *c)
{
    return c->code >= 0x1f1e6 && c->code <= 0x1f1ff;
}

bool ddn_is_joined(const ddn_place *p)
{
    const ddn_char *at = &p->text[p->at], *next = at + 1;
    if (next->code < 0x300)
        return false;
    if (next->class == UTF8PROC_CATEGORY_MN || next->class == UTF8PROC_CATEGORY_ME ||
        next->code == JOINER || (next->code >= 0x1f3fb && next->code <= 0x1f3ff) ||
        (next->code >= 0xe0020 && next->code <= 0xe007f))
        return true;
    if (at->code == JOINER)
        return next->class == UTF8PROC_CATEGORY_SO;
    uint32_t letters = 0;
    while (letters <= p->at - p->from && is_flag_letter(at - letters))
        letters++;
    return letters % 2 && is_flag_letter(next);
}
