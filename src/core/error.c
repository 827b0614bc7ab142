/* SPDX-License-Identifier: MIT */
/* error.c - messages, cut to the room that an error has. */
#include "core/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static void fill(dodona_error *err, dodona_code code, const char *file, int64_t line,
                 const char *format, va_list args)
{
    err->code = code;
    err->line = line;
    snprintf(err->file, sizeof err->file, "%s", file ? file : "");
    vsnprintf(err->message, sizeof err->message, format, args);
}

int ddn_fail(dodona_error *err, dodona_code code, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        fill(err, code, NULL, 0, format, args);
        va_end(args);
    }
    return code;
}

int ddn_fail_at(dodona_error *err, dodona_code code, const char *file, int64_t line,
                const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        fill(err, code, file, line, format, args);
        va_end(args);
    }
    return code;
}

int ddn_fail_memory(dodona_error *err)
{
    return ddn_fail(err, DODONA_E_MEMORY, "out of memory");
}

int ddn_fail_null(dodona_error *err, const char *argument)
{
    return ddn_fail(err, DODONA_E_ARGUMENT, "the %s is NULL", argument);
}

const char *dodona_error_text(const dodona_error *err, char *buf, size_t size)
{
    if (!buf || size == 0)
        return "";
    if (!err)
        buf[0] = '\0';
    else if (err->file[0] && err->line > 0)
        snprintf(buf, size, "%s:%" PRId64 ": %s", err->file, err->line, err->message);
    else if (err->file[0])
        snprintf(buf, size, "%s: %s", err->file, err->message);
    else
        snprintf(buf, size, "%s", err->message);
    return buf;
}
