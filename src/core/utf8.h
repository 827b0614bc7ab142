/* SPDX-License-Identifier: MIT */
/* utf8.h - whether bytes are text, how wide they are in a terminal, and which way they run. */
#ifndef DDN_CORE_UTF8_H
#define DDN_CORE_UTF8_H

#include <stddef.h>

/* The offset of the first byte that starts no UTF-8 character or is a NUL; size when there is none.
 * Overlong forms, surrogates and values above U+10FFFF are no characters. */
size_t ddn_utf8_check(const char *data, size_t size);

/* Columns that valid UTF-8 takes in a terminal: marks above and below letters 0, wide characters 2.
 */
size_t ddn_utf8_width(const char *data, size_t size);

/* The direction of the first letter of valid UTF-8 that has one: 1 to the right, -1 to the left; 0
 * when none has. */
int ddn_utf8_direction(const char *data, size_t size);

#endif
