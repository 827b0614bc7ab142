/* SPDX-License-Identifier: MIT */
/* fold.h - the two foldings of word forms that scoring needs: without spaces, and in lower case. */
#ifndef DDN_EVAL_FOLD_H
#define DDN_EVAL_FOLD_H

#include "dodona.h"
#include <stdbool.h>

typedef struct ddn_folded {
    char *data;
    size_t size, capacity;
} ddn_folded;

/* Both append to *to what the text folds to; false: no memory, and nothing has changed.  Bytes that
 * are not UTF-8 stay as they are.  The text does not lie in *to. */

/* Leaves out all characters of Unicode category Zs. */
bool ddn_fold_blanks(ddn_folded *to, dodona_text text);

/* Lower case, code point by code point, but for two cases that Unicode treats specially: capital I
 * with a dot becomes i and a combining dot, and capital sigma at the end of a word becomes the
 * final small sigma. */
bool ddn_fold_lower(ddn_folded *to, dodona_text text);

#endif
