/* SPDX-License-Identifier: MIT */
/* draw.h - a tree in a terminal: a word a line, with lines from heads to dependents on the left.
 *
 *       ╭─ The     DET    det
 *     ╭─╯ leaves   NOUN   nsubj
 *     ┤ whisper    VERB   root
 *     ╰─ softly    ADV    advmod
 *
 * Works for every tree, also where lines cross.  Words that form no tree, and trees that would need
 * more than 64 lines side by side or more than the terminal has room for, are listed with the
 * numbers of their heads instead.  A multiword token stands right of its words, an empty node in
 * brackets between them, with its DEPS in place of the relation. */
#ifndef DDN_IO_DRAW_H
#define DDN_IO_DRAW_H

#include "core/output.h"
#include "io/compare.h"

typedef struct ddn_draw ddn_draw; /* scratch memory, reused from sentence to sentence */

ddn_draw *ddn_draw_new(void); /* NULL: out of memory */
void ddn_draw_free(ddn_draw *d);

/* What the terminal has: its width in columns, into which long words are cut (0: nothing is cut, as
 * at first), and whether it shows colours (not at first). */
void ddn_draw_terminal(ddn_draw *d, int width, bool colours);

/* The sentence with a blank line after it; nothing when it has no words.  With `with` not NULL,
 * what differs there is told behind the sign ≠; words that only the other analysis has have lines
 * of their own, with a plus. */
int ddn_draw_put(ddn_draw *d, ddn_output *o, const ddn_sentence *s, const ddn_comparison *with,
                 dodona_error *err);

#endif
