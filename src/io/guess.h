/* SPDX-License-Identifier: MIT */
/* guess.h - whether a stream holds CoNLL-U, by its first lines. */
#ifndef DDN_IO_GUESS_H
#define DDN_IO_GUESS_H

#include "core/input.h"

/* 1: after empty lines, the first line that is no comment is a row of CoNLL-U; 0: it is something
 * else, or does not come early enough to tell; or a negative code.  All bytes are still to be read.
 */
int ddn_guess_conllu(ddn_input *in, dodona_error *err);

#endif
