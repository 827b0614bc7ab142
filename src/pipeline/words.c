/* SPDX-License-Identifier: MIT */
/* words.c - hashes of words, and of their prefixes and suffixes, in lower case with digits as 0. */
#include "pipeline/words.h"

#include "core/array.h"

#include <stdlib.h>
#include <utf8proc.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

void ddn_words_init(ddn_words *w)
{
    *w = (ddn_words){ 0 };
}

void ddn_words_fini(ddn_words *w)
{
    free(w->all);
    free(w->lower);
    ddn_words_init(w);
}

uint32_t ddn_word_hash(const char *data, size_t size)
{
    uint32_t h = (uint32_t)XXH3_64bits(data, size);
    return h ? h : 1;
}

/* The character at data, and its bytes; a byte that begins none is a character of its own. */
static size_t character(const char *data, size_t size, utf8proc_int32_t *c)
{
    if ((unsigned char)*data < 0x80) {
        *c = *data;
        return 1;
    }
    utf8proc_ssize_t used =
        utf8proc_iterate((const utf8proc_uint8_t *)data, (utf8proc_ssize_t)size, c);
    if (used > 0)
        return (size_t)used;
    *c = -1;
    return 1;
}

static size_t put_character(utf8proc_int32_t c, const char *from, size_t used, char *out)
{
    if (c >= 0)
        return (size_t)utf8proc_encode_char(c, (utf8proc_uint8_t *)out);
    memcpy(out, from, used);
    return used;
}

size_t ddn_lower(const char *data, size_t size, char *out)
{
    size_t made = 0;
    for (size_t at = 0; at < size;) {
        utf8proc_int32_t c;
        size_t used = character(data + at, size - at, &c);
        if (c >= 'A' && c <= 'Z')
            c += 'a' - 'A';
        else if (c >= 0x80)
            c = utf8proc_tolower(c);
        made += put_character(c, data + at, used, out + made);
        at += used;
    }
    return made;
}

size_t ddn_upper(const char *data, size_t size, char *out)
{
    size_t made = 0;
    for (size_t at = 0; at < size;) {
        utf8proc_int32_t c;
        size_t used = character(data + at, size - at, &c);
        made += put_character(c >= 0 ? utf8proc_toupper(c) : c, data + at, used, out + made);
        at += used;
    }
    return made;
}

static char class_of(utf8proc_int32_t c)
{
    if (c >= '0' && c <= '9')
        return '0';
    if (c < 0x80)
        return c >= 'a' && c <= 'z' ? 'x' : c >= 'A' && c <= 'Z' ? 'X' : (char)c;
    switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
        return 'X';
    case UTF8PROC_CATEGORY_LL:
        return 'x';
    case UTF8PROC_CATEGORY_ND:
        return '0';
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_LM:
        return 'o';
    default:
        return '?';
    }
}

/* Runs of a class count as one character, but a single capital is distinguished from several. */
static uint32_t shape_of(const char *data, size_t size)
{
    enum { LONGEST = 12 };
    char shape[LONGEST];
    size_t length = 0, run = 0;
    for (size_t at = 0; at < size && length < LONGEST;) {
        utf8proc_int32_t c;
        at += character(data + at, size - at, &c);
        char class = c < 0 ? '?' : class_of(c);
        run = length && shape[length - 1] == class ? run + 1 : 1;
        if (run == 1 || (run == 2 && class == 'X' && length == 1))
            shape[length++] = class;
    }
    return ddn_word_hash(shape, length);
}

static bool continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

static void read_affixes(ddn_word *w, const char *lower, size_t size)
{
    size_t at = size;
    for (int i = 0; i < DDN_SUFFIXES && at > 0; i++) {
        do
            at--;
        while (at > 0 && continues(lower[at]));
        w->suffix[i] = ddn_word_hash(lower + at, size - at);
    }
    at = 0;
    for (int i = 0; i < DDN_PREFIXES && at < size; i++) {
        do
            at++;
        while (at < size && continues(lower[at]));
        w->prefix[i] = ddn_word_hash(lower, at);
    }
}

static void read_word(ddn_word *w, dodona_text form, char *lower)
{
    utf8proc_int32_t first;
    size_t size = ddn_lower(form.data, form.size, lower);
    for (size_t i = 0; i < size; i++)
        if (lower[i] >= '1' && lower[i] <= '9')
            lower[i] = '0';
    *w = (ddn_word){ .form = ddn_word_hash(form.data, form.size),
                     .plain = ddn_word_hash(lower, size),
                     .shape = shape_of(form.data, form.size) };
    read_affixes(w, lower, size);
    if (form.size) {
        character(form.data, form.size, &first);
        w->upper = first >= 0 && class_of(first) == 'X';
    }
}

int ddn_words_read(ddn_words *w, const ddn_sentence *s, dodona_error *err)
{
    size_t all = (size_t)s->n + 2 * DDN_WORDS_PAD;
    if (!ddn_reserve(&w->all, &w->all_cap, all, sizeof *w->all))
        return ddn_fail_memory(err);
    memset(w->all, 0, DDN_WORDS_PAD * sizeof *w->all);
    memset(w->all + all - DDN_WORDS_PAD, 0, DDN_WORDS_PAD * sizeof *w->all);
    w->word = w->all + DDN_WORDS_PAD - 1;
    w->n = s->n;
    for (int32_t i = 1; i <= s->n; i++) {
        dodona_text form = ddn_sentence_column(s, i, DDN_FORM);
        if (!ddn_reserve(&w->lower, &w->lower_cap, 2 * form.size + 4, 1))
            return ddn_fail_memory(err);
        read_word(&w->word[i], form, w->lower);
    }
    return DODONA_OK;
}
