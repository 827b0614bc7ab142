/* SPDX-License-Identifier: MIT */
/* fold.c - removes spaces and folds case.
 *
 * Scores must not depend on which program computed them, so lower case here is what Python's
 * str.lower() gives: the full mapping of the Unicode standard, section 3.13, without language.  Two
 * characters need more than utf8proc's table.  U+0130 maps to two characters.  U+03A3, the capital
 * sigma, is final, and so maps to U+03C2, when a cased letter stands before it and none after it;
 * characters that case ignores (accents, apostrophes, full stops ...) are looked through on both
 * sides.  The Unicode version is that of utf8proc; letters newer than that stay as they are. */
#include "eval/fold.h"

#include "core/array.h"
#include <string.h>
#include <utf8proc.h>

#define DOTTED_I    0x130
#define SIGMA       0x3a3
#define SMALL_SIGMA 0x3c3
#define FINAL_SIGMA 0x3c2

/* The character at data; a byte that begins none gives -1 and length 1. */
static size_t decode(const char *data, size_t size, utf8proc_int32_t *c)
{
    utf8proc_ssize_t length =
        utf8proc_iterate((const utf8proc_uint8_t *)data, (utf8proc_ssize_t)size, c);
    if (length > 0)
        return (size_t)length;
    *c = -1;
    return 1;
}

static bool in(utf8proc_int32_t c, utf8proc_int32_t first, utf8proc_int32_t last)
{
    return c >= first && c <= last;
}

/* Derived property Cased, but for what is also ignorable, which is asked first. */
static bool is_cased(utf8proc_int32_t c)
{
    switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
        return true;
    default: /* ordinals, Roman numerals, circled, squared and parenthesised letters */
        return c == 0xaa || c == 0xba || in(c, 0x2160, 0x217f) || in(c, 0x24b6, 0x24e9) ||
               in(c, 0x1f130, 0x1f149) || in(c, 0x1f150, 0x1f169) || in(c, 0x1f170, 0x1f189);
    }
}

/* Derived property Case_Ignorable: by category, or by the word break classes MidLetter, MidNumLet
 * and Single_Quote. */
static bool is_ignorable(utf8proc_int32_t c)
{
    static const uint16_t punctuation[] = { 0x27,   0x2e,   0x3a,   0xb7,   0x387,  0x55f,
                                            0x5f4,  0x2018, 0x2019, 0x2024, 0x2027, 0xfe13,
                                            0xfe52, 0xfe55, 0xff07, 0xff0e, 0xff1a };
    switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
        return true;
    default:
        for (size_t i = 0; i < sizeof punctuation / sizeof *punctuation; i++)
            if (c == punctuation[i])
                return true;
        return false;
    }
}

static bool cased_before(const char *data, size_t at)
{
    while (at > 0) {
        size_t end = at;
        do
            at--;
        while (at > 0 && end - at < 4 && ((unsigned char)data[at] & 0xc0) == 0x80);
        utf8proc_int32_t c;
        decode(data + at, end - at, &c);
        if (!is_ignorable(c))
            return is_cased(c);
    }
    return false;
}

static bool cased_after(const char *data, size_t at, size_t size)
{
    while (at < size) {
        utf8proc_int32_t c;
        at += decode(data + at, size - at, &c);
        if (!is_ignorable(c))
            return is_cased(c);
    }
    return false;
}

static bool is_ascii(dodona_text text)
{
    unsigned char any = 0;
    for (size_t i = 0; i < text.size; i++)
        any |= (unsigned char)text.data[i];
    return any < 0x80;
}

bool ddn_fold_blanks(ddn_folded *to, dodona_text text)
{
    if (!ddn_reserve(&to->data, &to->capacity, to->size + text.size, 1))
        return false;
    for (size_t at = 0, length; at < text.size; at += length) {
        utf8proc_int32_t c = (unsigned char)text.data[at];
        length = c < 0x80 ? 1 : decode(text.data + at, text.size - at, &c);
        if (c == ' ' || (c >= 0x80 && utf8proc_category(c) == UTF8PROC_CATEGORY_ZS))
            continue;
        memcpy(to->data + to->size, text.data + at, length);
        to->size += length;
    }
    return true;
}

static void put(ddn_folded *to, utf8proc_int32_t c)
{
    to->size += (size_t)utf8proc_encode_char(c, (utf8proc_uint8_t *)to->data + to->size);
}

bool ddn_fold_lower(ddn_folded *to, dodona_text text)
{
    /* No character of k bytes has a lower case of more than 2k. */
    if (text.size > SIZE_MAX / 4 ||
        !ddn_reserve(&to->data, &to->capacity, to->size + 2 * text.size, 1))
        return false;
    if (is_ascii(text)) {
        for (size_t i = 0; i < text.size; i++) {
            char c = text.data[i];
            to->data[to->size++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
        }
        return true;
    }
    for (size_t at = 0, length; at < text.size; at += length) {
        utf8proc_int32_t c;
        length = decode(text.data + at, text.size - at, &c);
        if (c < 0) {
            to->data[to->size++] = text.data[at];
        } else if (c == DOTTED_I) {
            put(to, 'i');
            put(to, 0x307);
        } else if (c == SIGMA) {
            bool final =
                cased_before(text.data, at) && !cased_after(text.data, at + length, text.size);
            put(to, final ? FINAL_SIGMA : SMALL_SIGMA);
        } else {
            put(to, utf8proc_tolower(c));
        }
    }
    return true;
}
