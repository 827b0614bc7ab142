/* SPDX-License-Identifier: MIT */
/* tikz_write.h - trees for papers: a dependency environment of LaTeX's tikz-dependency package for
 * each sentence.
 *
 *     \begin{dependency}
 *     \begin{deptext}[column sep=1em]
 *     {Oaks} \& {speak} \\
 *     {\small NOUN} \& {\small VERB} \\
 *     \end{deptext}
 *     \depedge[edge height=3ex]{2}{1}{nsubj}
 *     \deproot[edge height=7ex]{2}{root}
 *     \end{dependency}
 *
 * Letters beyond ASCII stand for themselves; LaTeX must be told of a font that has them. */
#ifndef DDN_IO_TIKZ_WRITE_H
#define DDN_IO_TIKZ_WRITE_H

#include "core/output.h"
#include "io/picture.h"

/* The sentence with a blank line after it; nothing when it has no words.  scratch is made anew. */
int ddn_tikz_put(ddn_picture *scratch, ddn_output *o, const ddn_sentence *s, dodona_error *err);

#endif
