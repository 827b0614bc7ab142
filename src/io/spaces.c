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

void ddn_spaces_unescape(ddn_output *o, dodona_text v)
{
    for (size_t i = 0; i < v.size; i++) {
        const char *at = v.data + i;
        size_t left = v.size - i;
        const char *known = *at == '\\' && left > 1 && at[1] ? strchr(letter, at[1]) : NULL;
        utf8proc_int32_t c = left >= 6 && at[0] == '\\' && at[1] == 'u' ? hexadecimal(at + 2) : -1;
        if (known) {
            ddn_put(o, &plain[known - letter], 1);
            i++;
        } else if (c >= 0) {
            utf8proc_uint8_t bytes[4];
            utf8proc_ssize_t size = utf8proc_encode_char(c, bytes);
            ddn_put(o, (const char *)bytes, (size_t)size);
            i += 5;
        } else {
            ddn_put(o, at, 1);
        }
    }
}
