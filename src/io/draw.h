/* SPDX-License-Identifier: MIT */
/* draw.h - a tree in a terminal: a word a line, with lines from heads to dependents on the left.
 *
 *       ╭─ The     DET    det
 *     ╭─╯ leaves   NOUN   nsubj
 *     ┤ whisper    VERB   root
 *     ╰─ softly    ADV    advmod
 *
 * Works for every tree, also where lines cross.  Words that form no tree, and trees that would need
 * more than 64 lines side by side, are listed with the numbers of their heads instead. */
#ifndef DDN_IO_DRAW_H
#define DDN_IO_DRAW_H

#include "core/output.h"
#include "tree/sentence.h"

typedef struct ddn_draw ddn_draw; /* scratch memory, reused from sentence to sentence */

ddn_draw *ddn_draw_new(void); /* NULL: out of memory */
void ddn_draw_free(ddn_draw *d);

/* The sentence with a blank line after it; nothing when it has no words. */
int ddn_draw_put(ddn_draw *d, ddn_output *o, const ddn_sentence *s, dodona_error *err);

#endif
