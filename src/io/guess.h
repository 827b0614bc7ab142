/* SPDX-License-Identifier: MIT */
/* guess.h - whether a stream holds CoNLL-U, by its first lines. */
#ifndef DDN_IO_GUESS_H
#define DDN_IO_GUESS_H

#include "core/input.h"

typedef enum ddn_guess_result {
    DDN_GUESS_CONLLU, /* after empty lines, the first line that is no comment is a row of it */
    DDN_GUESS_TABS,   /* it has tabs, but is something else */
    DDN_GUESS_TEXT,   /* it has none */
    DDN_GUESS_NONE,   /* it is empty, not there, or does not come early enough to tell */
} ddn_guess_result;

/* DODONA_OK or a negative code.  All bytes are still to be read. */
int ddn_guess_conllu(ddn_input *in, ddn_guess_result *out, dodona_error *err);

#endif
