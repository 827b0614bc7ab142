/* SPDX-License-Identifier: MIT */
/* recode.c - one character at a time, but for runs of UTF-8 that are right.
 *
 * Of bytes that are not UTF-8, one U+FFFD stands for the longest beginning of a character, as the
 * Unicode standard advises (3.9, "substitution of maximal subparts"), else for one byte; so it does
 * for half a surrogate pair, and for half a unit of UTF-16 at the end.  Windows-1252 differs from
 * Latin-1 in 0x80 to 0x9f, where five bytes are no character. */
#include "core/recode.h"

#include "core/utf8.h"

#include <string.h>

enum { BAD = -1, CUT = -2 };

static const uint16_t windows[32] = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178,
};

int ddn_encoding_find(const char *name, dodona_error *err)
{
    static const char *const names[] = { "utf-8", "latin1", "cp1252", "utf-16" };
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return ddn_fail(err, DODONA_E_ARGUMENT,
                    "no encoding is called '%s'; there are utf-8, latin1, cp1252 and utf-16", name);
}

static size_t put(uint32_t c, char *out)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = size; i-- > 1; c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)((0xf00 >> size & 0xff) | c);
    return size;
}

/* The unit of UTF-16 at p. */
static uint32_t unit(const ddn_recoder *r, const unsigned char *p)
{
    return r->big_endian ? (uint32_t)(p[0] << 8 | p[1]) : (uint32_t)(p[1] << 8 | p[0]);
}

static int32_t utf16(const ddn_recoder *r, const unsigned char *p, size_t size, size_t *used)
{
    *used = size < 2 ? size : 2;
    if (size < 2)
        return CUT;
    uint32_t a = unit(r, p);
    if (a < 0xd800 || a > 0xdfff)
        return (int32_t)a;
    if (a > 0xdbff)
        return BAD;
    if (size < 4)
        return CUT;
    uint32_t b = unit(r, p + 2);
    if (b < 0xdc00 || b > 0xdfff)
        return BAD;
    *used = 4;
    return (int32_t)(0x10000 + ((a & 0x3ff) << 10 | (b & 0x3ff)));
}

/* Bytes that are no character and begin none that more bytes would end: how many go together. */
static int32_t not_utf8(const unsigned char *p, size_t size, size_t *used)
{
    size_t length = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    *used = 1;
    if (p[0] < 0xc2 || p[0] > 0xf4)
        return BAD;
    if (size < 2)
        return CUT;
    unsigned low = p[0] == 0xe0 ? 0xa0 : p[0] == 0xf0 ? 0x90 : 0x80;
    unsigned high = p[0] == 0xed ? 0x9f : p[0] == 0xf4 ? 0x8f : 0xbf;
    if (p[1] < low || p[1] > high)
        return BAD;
    for (*used = 2; *used < length; ++*used) {
        if (*used == size)
            return CUT;
        if ((p[*used] & 0xc0) != 0x80)
            return BAD;
    }
    return BAD;
}

/* The character at p, with the bytes it takes in *used; BAD: there is none; CUT: more bytes could
 * make one of it. */
static int32_t next(const ddn_recoder *r, const unsigned char *p, size_t size, size_t *used)
{
    *used = 1;
    switch (r->encoding) {
    case DDN_LATIN1:
        return p[0];
    case DDN_CP1252:
        if (p[0] < 0x80 || p[0] > 0x9f)
            return p[0];
        return windows[p[0] - 0x80] ? windows[p[0] - 0x80] : BAD;
    case DDN_UTF16:
        return utf16(r, p, size, used);
    case DDN_UTF8:
        break;
    }
    return p[0] == 0 ? 0 : not_utf8(p, size, used);
}

/* What is no character: U+FFFD, or an error. */
static ptrdiff_t replace(ddn_recoder *r, const unsigned char *p, char *out, const char *name,
                         dodona_error *err)
{
    static const char *const names[] = { "UTF-8", "Latin-1", "Windows-1252", "UTF-16" };
    if (!r->replace)
        return ddn_fail_at(err, DODONA_E_INPUT, name, r->line + 1,
                           "byte 0x%02x is not %s; expected text in %s", p[0], names[r->encoding],
                           names[r->encoding]);
    if (r->replaced < DDN_REPLACED_PLACES)
        r->place[r->replaced] = r->line + 1;
    r->replaced++;
    return (ptrdiff_t)put(0xfffd, out);
}

/* Copies UTF-8 that is right, as much as fits. */
static size_t copy(ddn_recoder *r, const char *in, size_t size, char *out)
{
    size_t good = ddn_utf8_check(in, size);
    memcpy(out, in, good);
    for (const char *at = out;
         at < out + good && (at = memchr(at, '\n', (size_t)(out + good - at))); at++)
        r->line++;
    return good;
}

/* A byte order mark says how UTF-16 is to be read, and is not part of the text. */
static size_t begin(ddn_recoder *r, const unsigned char *p, size_t size)
{
    if (r->begun || r->encoding != DDN_UTF16 || size < 2)
        return 0;
    r->begun = true;
    r->big_endian = p[0] == 0xfe && p[1] == 0xff;
    return r->big_endian || (p[0] == 0xff && p[1] == 0xfe) ? 2 : 0;
}

ptrdiff_t ddn_recode(ddn_recoder *r, const char *in, size_t *used, bool last, char *out,
                     size_t room, const char *name, dodona_error *err)
{
    const unsigned char *p = (const unsigned char *)in;
    size_t size = *used, at = begin(r, p, size), made = 0, step;
    while (at < size && room - made >= DDN_CHARACTER) {
        if (r->encoding == DDN_UTF8) {
            size_t left = size - at < room - made ? size - at : room - made;
            size_t good = copy(r, in + at, left, out + made);
            at += good;
            made += good;
            if (good && (at == size || room - made < DDN_CHARACTER))
                continue;
        }
        int32_t c = next(r, p + at, size - at, &step);
        if (c == CUT && !last)
            break;
        ptrdiff_t put_now = c < 0 ? replace(r, p + at, out + made, name, err)
                                  : (ptrdiff_t)put((uint32_t)c, out + made);
        if (put_now < 0)
            return put_now;
        r->line += c == '\n';
        made += (size_t)put_now;
        at += step;
    }
    *used = at;
    return (ptrdiff_t)made;
}
