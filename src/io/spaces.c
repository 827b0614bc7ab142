/* SPDX-License-Identifier: MIT */
/* spaces.c - writes and reads UDPipe's escapes for spaces. */
#include "io/spaces.h"

#include <utf8proc.h>

dodona_text ddn_misc_find(dodona_text misc, const char *key)
{
    size_t length = strlen(key);
    for (;;) {
        const char *bar = misc.size ? memchr(misc.data, '|', misc.size) : NULL;
        size_t size = bar ? (size_t)(bar - misc.data) : misc.size;
        if (size > length && misc.data[length] == '=' && memcmp(misc.data, key, length) == 0)
            return (dodona_text){ misc.data + length + 1, size - length - 1 };
        if (!bar)
            return (dodona_text){ NULL, 0 };
        misc.data += size + 1;
        misc.size -= size + 1;
    }
}

bool ddn_misc_number(dodona_text value, int64_t *out)
{
    enum { MOST = 15 };
    if (value.size == 0 || value.size > MOST)
        return false;
    *out = 0;
    for (size_t i = 0; i < value.size; i++) {
        if (value.data[i] < '0' || value.data[i] > '9')
            return false;
        *out = 10 * *out + (value.data[i] - '0');
    }
    return true;
}

static const char plain[] = " \t\r\n|\\", letter[] = "strnp\\";

/* Blanks beyond ASCII, the byte order mark, and controls that no one can see. */
static bool is_hidden(utf8proc_int32_t c)
{
    if (c < 0x80)
        return c < 0x20 || c == 0x7f;
    utf8proc_category_t k = utf8proc_category(c);
    return c == 0xfeff || c == 0x85 || k == UTF8PROC_CATEGORY_ZS || k == UTF8PROC_CATEGORY_ZL ||
           k == UTF8PROC_CATEGORY_ZP;
}

void ddn_spaces_escape(ddn_output *o, const char *data, size_t size)
{
    while (size) {
        utf8proc_int32_t c;
        utf8proc_ssize_t length =
            utf8proc_iterate((const utf8proc_uint8_t *)data, (utf8proc_ssize_t)size, &c);
        if (length <= 0) {
            c = 0xfffd;
            length = 1;
        }
        const char *known = c && c < 0x80 ? strchr(plain, (char)c) : NULL;
        if (known) {
            char pair[2] = { '\\', letter[known - plain] };
            ddn_put(o, pair, sizeof pair);
        } else if (is_hidden(c)) {
            ddn_putf(o, "\\u%04X", (unsigned)c);
        } else {
            ddn_put(o, data, (size_t)length);
        }
        data += length;
        size -= (size_t)length;
    }
}

/* The character of four hexadecimal digits, or -1. */
static utf8proc_int32_t hexadecimal(const char *digit)
{
    utf8proc_int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789ABCDEF0123456789abcdef";
        const char *at = digit[i] ? strchr(digits, digit[i]) : NULL;
        if (!at)
            return -1;
        value = value * 16 + (utf8proc_int32_t)((at - digits) % 16);
    }
    return value >= 0xd800 && value < 0xe000 ? -1 : value;
}

/* What stands at the beginning of v, as bytes; returns how many of v that takes. */
static size_t unescape_one(dodona_text v, char bytes[4], size_t *size)
{
    const char *known =
        v.data[0] == '\\' && v.size > 1 && v.data[1] ? strchr(letter, v.data[1]) : NULL;
    utf8proc_int32_t c =
        v.size >= 6 && v.data[0] == '\\' && v.data[1] == 'u' ? hexadecimal(v.data + 2) : -1;
    *size = 1;
    bytes[0] = known ? plain[known - letter] : v.data[0];
    if (known)
        return 2;
    if (c < 0)
        return 1;
    *size = (size_t)utf8proc_encode_char(c, (utf8proc_uint8_t *)bytes);
    return 6;
}

void ddn_spaces_unescape(ddn_output *o, dodona_text v)
{
    while (v.size) {
        char bytes[4];
        size_t size, used = unescape_one(v, bytes, &size);
        ddn_put(o, bytes, size);
        v.data += used;
        v.size -= used;
    }
}

size_t ddn_spaces_size(dodona_text v)
{
    size_t all = 0;
    while (v.size) {
        char bytes[4];
        size_t size, used = unescape_one(v, bytes, &size);
        all += size;
        v.data += used;
        v.size -= used;
    }
    return all;
}
