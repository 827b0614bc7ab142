/* SPDX-License-Identifier: MIT */
/* utf8.c - validation after table 3-7 of the Unicode standard: the lead byte fixes the length and
 * the range of the second byte, and that range alone keeps out overlong forms, surrogates and
 * values above U+10FFFF.
 *
 * Most bytes of a treebank are ASCII, so eight of them are tested at a time: no high bit, and no
 * zero byte.  The classic test for a zero byte, (x - 0x01..01) & ~x & 0x80..80, is exact when no
 * high bit is set. */
#include "core/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

#define ONES  UINT64_C(0x0101010101010101)
#define HIGHS UINT64_C(0x8080808080808080)

static bool plain(const unsigned char *p)
{
    uint64_t x, y;
    memcpy(&x, p, 8);
    memcpy(&y, p + 8, 8);
    return ((x | y | (x - ONES) | (y - ONES)) & HIGHS) == 0;
}

static bool follows(unsigned char byte)
{
    return (byte & 0xc0) == 0x80;
}

/* Length of the character at p, 0 when there is none. */
static size_t character(const unsigned char *p, const unsigned char *end)
{
    size_t left = (size_t)(end - p);
    if (p[0] < 0x80)
        return p[0] != 0;
    if (p[0] < 0xc2 || left < 2 || !follows(p[1]))
        return 0;
    if (p[0] < 0xe0)
        return 2;
    if (left < 3 || !follows(p[2]))
        return 0;
    if (p[0] < 0xf0)
        return (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ? 0 : 3;
    if (left < 4 || !follows(p[3]) || p[0] > 0xf4)
        return 0;
    return (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f) ? 0 : 4;
}

size_t ddn_utf8_check(const char *data, size_t size)
{
    if (size == 0)
        return 0; /* data may be NULL then */
    const unsigned char *start = (const unsigned char *)data, *p = start, *end = start + size;
    while (p < end) {
        if (end - p >= 16 && plain(p)) {
            p += 16;
            continue;
        }
        size_t length = character(p, end);
        if (!length)
            break;
        p += length;
    }
    return (size_t)(p - start);
}

size_t ddn_utf8_width(const char *data, size_t size)
{
    const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)data;
    size_t width = 0;
    while (size) {
        utf8proc_int32_t c;
        utf8proc_ssize_t length = utf8proc_iterate(p, (utf8proc_ssize_t)size, &c);
        if (length <= 0)
            break;
        int w = utf8proc_charwidth(c);
        /* Marks that take room, as the vowel signs of Hindi: terminals give them a column. */
        if (utf8proc_category(c) == UTF8PROC_CATEGORY_MC)
            w = 1;
        width += w > 0 ? (size_t)w : 0;
        p += length;
        size -= (size_t)length;
    }
    return width;
}

int ddn_utf8_direction(const char *data, size_t size)
{
    const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)data;
    while (size) {
        utf8proc_int32_t c;
        utf8proc_ssize_t length = utf8proc_iterate(p, (utf8proc_ssize_t)size, &c);
        if (length <= 0)
            break;
        utf8proc_propval_t class = utf8proc_get_property(c)->bidi_class;
        if (class == UTF8PROC_BIDI_CLASS_L)
            return 1;
        if (class == UTF8PROC_BIDI_CLASS_R || class == UTF8PROC_BIDI_CLASS_AL)
            return -1;
        p += length;
        size -= (size_t)length;
    }
    return 0;
}
