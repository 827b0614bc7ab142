/* SPDX-License-Identifier: MIT */
/* error.h - how a function says what went wrong.
 *
 * A function that can fail takes a dodona_error *err (NULL is allowed), and returns one of these
 * calls:  return ddn_fail(err, DODONA_E_IO, "can't open the file: %s", strerror(errno)); */
#ifndef DDN_CORE_ERROR_H
#define DDN_CORE_ERROR_H

#include "dodona.h"

/* Fills *err with a message that names no place; returns code. */
int ddn_fail(dodona_error *err, dodona_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, naming a file and a line (0: the file as a whole). */
int ddn_fail_at(dodona_error *err, dodona_code code, const char *file, int64_t line,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

int ddn_fail_memory(dodona_error *err);
/* An argument that may not be NULL and is. */
int ddn_fail_null(dodona_error *err, const char *argument);

#endif
