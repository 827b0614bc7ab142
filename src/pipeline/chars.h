/* SPDX-License-Identifier: MIT */
/* chars.h - text as an array of characters with their Unicode classes. */
#ifndef DDN_PIPELINE_CHARS_H
#define DDN_PIPELINE_CHARS_H

#include "core/error.h"
#include <stdbool.h>

/* Classes are the categories of Unicode, 0 to 29 (utf8proc), and two more. */
enum { DDN_CHAR_BLANK = 30, DDN_CHAR_NONE = 31, DDN_CHAR_CLASSES = 32 };

typedef struct ddn_char {
    uint32_t code;
    uint32_t fold; /* in lower case, and '0' for every decimal digit */
    uint32_t at;   /* its first byte in the text */
    uint8_t class;
} ddn_char;

typedef struct ddn_chars {
    ddn_char *of; /* [count] */
    size_t count, capacity;
} ddn_chars;

void ddn_chars_fini(ddn_chars *c);
/* Appends the characters of text[from..to), which is valid UTF-8. */
int ddn_chars_add(ddn_chars *c, const char *text, size_t from, size_t to, dodona_error *err);

static inline bool ddn_char_is_letter(const ddn_char *c)
{
    return c->class >= 1 && c->class <= 5; /* Lu Ll Lt Lm Lo */
}

#endif
