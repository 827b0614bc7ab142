/* SPDX-License-Identifier: MIT */
/* json.c - a comma stands before every value and every key but the first of its brackets and the
 * value behind a key, so one flag is all that the writer remembers.  Only quotes, backslashes and
 * control characters are escaped; all other UTF-8 stands for itself. */
#include "core/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void put_comma(ddn_json *j)
{
    if (j->comma)
        ddn_put(j->out, ",", 1);
    j->comma = true;
}

void ddn_json_begin(ddn_json *j, char bracket)
{
    put_comma(j);
    ddn_put(j->out, &bracket, 1);
    j->comma = false;
}

void ddn_json_end(ddn_json *j, char bracket)
{
    ddn_put(j->out, &bracket, 1);
    j->comma = true;
}

void ddn_json_put_escaped(ddn_output *o, dodona_text t)
{
    static const char hex[] = "0123456789abcdef";
    char *room = ddn_output_room(o, 6 * t.size), *to = room;
    if (!room)
        return;
    for (size_t i = 0; i < t.size; i++) {
        unsigned char c = (unsigned char)t.data[i];
        if (c >= 0x20 && c != '"' && c != '\\') {
            *to++ = (char)c;
        } else if (c >= 0x20 || c == '\n' || c == '\t') {
            *to++ = '\\';
            *to++ = c == '\n' ? 'n' : c == '\t' ? 't' : (char)c;
        } else {
            memcpy(to, "\\u00", 4);
            to[4] = hex[c >> 4];
            to[5] = hex[c & 15];
            to += 6;
        }
    }
    ddn_output_took(o, (size_t)(to - room));
}

static void put_quoted(ddn_output *o, dodona_text t)
{
    ddn_put(o, "\"", 1);
    ddn_json_put_escaped(o, t);
    ddn_put(o, "\"", 1);
}

ddn_json *ddn_json_key_text(ddn_json *j, dodona_text key)
{
    ddn_json_text(j, key);
    ddn_put(j->out, ":", 1);
    j->comma = false;
    return j;
}

ddn_json *ddn_json_key(ddn_json *j, const char *key)
{
    return ddn_json_key_text(j, (dodona_text){ key, strlen(key) });
}

void ddn_json_text(ddn_json *j, dodona_text t)
{
    put_comma(j);
    put_quoted(j->out, t);
}

void ddn_json_string(ddn_json *j, const char *s)
{
    ddn_json_text(j, (dodona_text){ s, strlen(s) });
}

void ddn_json_raw(ddn_json *j, const char *value)
{
    put_comma(j);
    ddn_puts(j->out, value);
}

void ddn_json_int(ddn_json *j, int64_t value)
{
    put_comma(j);
    ddn_put_int(j->out, value);
}

void ddn_json_double(ddn_json *j, double x)
{
    const double exact = 9007199254740992.0; /* 2^53: below it, whole numbers are exact */
    if (fabs(x) < exact && x == floor(x))
        ddn_json_int(j, (int64_t)x);
    else
        ddn_json_printf(j, "%.17g", x);
}

void ddn_json_shortest(ddn_json *j, double x)
{
    char text[40];
    int digits = 14;
    do
        snprintf(text, sizeof text, "%.*g", ++digits, x);
    while (digits < 17 && strtod(text, NULL) != x);
    ddn_json_printf(j, "%.*g", digits, x);
}

void ddn_json_printf(ddn_json *j, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_comma(j);
    ddn_vputf(j->out, format, args);
    va_end(args);
}
