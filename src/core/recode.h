/* SPDX-License-Identifier: MIT */
/* recode.h - bytes of some encoding into UTF-8. */
#ifndef DDN_CORE_RECODE_H
#define DDN_CORE_RECODE_H

#include "core/error.h"
#include <stdbool.h>

typedef enum ddn_encoding {
    DDN_UTF8,
    DDN_LATIN1,
    DDN_CP1252,
    DDN_UTF16, /* little-endian unless a byte order mark says otherwise */
} ddn_encoding;

/* The encoding of that name, or a negative code. */
int ddn_encoding_find(const char *name, dodona_error *err);

enum {
    DDN_CHARACTER = 4,       /* bytes that any character fits into, in any encoding */
    DDN_REPLACED_PLACES = 3, /* that are remembered */
};

typedef struct ddn_recoder {
    ddn_encoding encoding;
    bool replace;           /* what is no character becomes U+FFFD; else it is an error */
    bool begun, big_endian; /* UTF-16 */
    int64_t line;           /* line ends so far */
    int64_t replaced;       /* so many */
    int64_t place[DDN_REPLACED_PLACES]; /* the lines of the first of them, from 1 */
} ddn_recoder;

/* Recodes what fits from in..in+*used to out, and sets *used to what was read; returns the size of
 * what was written, or a negative code.  The rest, fewer than DDN_CHARACTER bytes or what finds no
 * room, comes again, with more behind it or as the last.  Room for DDN_CHARACTER bytes is enough
 * to come on.  name: of the file, for messages. */
ptrdiff_t ddn_recode(ddn_recoder *r, const char *in, size_t *used, bool last, char *out,
                     size_t room, const char *name, dodona_error *err);

#endif
