/* SPDX-License-Identifier: MIT */
/* chars.c - characters and their classes.  White space is the separators of Unicode (Zs, Zl, Zp)
 * and the control characters from tab to carriage return and U+0085.  So is NUL, which no column
 * can hold. */
#include "pipeline/chars.h"

#include "core/array.h"

#include <stdlib.h>
#include <utf8proc.h>

void ddn_chars_fini(ddn_chars *c)
{
    free(c->of);
    *c = (ddn_chars){ 0 };
}

static uint8_t class_of(utf8proc_int32_t code)
{
    /* The four separators are white space to Python, and so to the UD validator. */
    if (code == 0 || (code >= 9 && code <= 13) || (code >= 0x1c && code <= 0x1f) || code == 0x85)
        return DDN_CHAR_BLANK;
    utf8proc_category_t k = utf8proc_category(code);
    if (k == UTF8PROC_CATEGORY_ZS || k == UTF8PROC_CATEGORY_ZL || k == UTF8PROC_CATEGORY_ZP)
        return DDN_CHAR_BLANK;
    return (uint8_t)k;
}

/* ASCII, which most texts mostly are, without asking utf8proc. */
static bool is_plain(unsigned char c, ddn_char *to)
{
    if (c >= 'a' && c <= 'z')
        *to = (ddn_char){ c, c, 0, UTF8PROC_CATEGORY_LL };
    else if (c == ' ')
        *to = (ddn_char){ c, c, 0, DDN_CHAR_BLANK };
    else if (c >= 'A' && c <= 'Z')
        *to = (ddn_char){ c, c + 'a' - 'A', 0, UTF8PROC_CATEGORY_LU };
    else if (c >= '0' && c <= '9')
        *to = (ddn_char){ c, '0', 0, UTF8PROC_CATEGORY_ND };
    else
        return false;
    return true;
}

int ddn_chars_add(ddn_chars *c, const char *text, size_t from, size_t end, dodona_error *err)
{
    if (!ddn_reserve(&c->of, &c->capacity, c->count + (end - from), sizeof *c->of))
        return ddn_fail_memory(err);
    while (from < end) {
        ddn_char *to = &c->of[c->count++];
        if (is_plain((unsigned char)text[from], to)) {
            to->at = (uint32_t)from++;
            continue;
        }
        utf8proc_int32_t code;
        utf8proc_ssize_t size = utf8proc_iterate((const utf8proc_uint8_t *)text + from,
                                                 (utf8proc_ssize_t)(end - from), &code);
        uint8_t class = class_of(code);
        utf8proc_int32_t fold = class == UTF8PROC_CATEGORY_ND   ? '0'
                                : class == UTF8PROC_CATEGORY_LL ? code
                                                                : utf8proc_tolower(code);
        *to = (ddn_char){ (uint32_t)code, (uint32_t)fold, (uint32_t)from, class };
        from += (size_t)size;
    }
    return DODONA_OK;
}
