/* SPDX-License-Identifier: MIT */
/* svg_write.h - trees as pictures: arcs above the words, tags and multiword tokens below.
 *
 * A picture is an <svg> element.  Its looks are in a style sheet that stands once in the document
 * and has colours for light and for dark.  What a script may want to find:
 *
 *     <g class="w" data-i="3"><title>lemma, XPOS, FEATS</title><text>form</text>...</g>
 *     <g class="a" data-h="4" data-c="3"><path.../><path.../><text>label</text></g>
 *
 * A sentence that is too wide stands in several lines of words.  The first path of an arc has its
 * piece in each line from one end to the other, and there is a label for each piece.
 *
 * Where two analyses are compared, arcs that differ and words that the second one lacks have the
 * class "old" and a minus before the label or the form; those of the second analysis have the class
 * "new" and a plus, and such arcs lie below.  Its words are numbered on from those of the first.
 * Where a sentence of one analysis alone ends, there is a <g class="end old"> or "end new". */
#ifndef DDN_IO_SVG_WRITE_H
#define DDN_IO_SVG_WRITE_H

#include "core/output.h"
#include "io/picture.h"

/* The rules of the style sheet; they begin with "svg". */
void ddn_svg_style_put(ddn_output *o);

/* The sentence that was laid out as an <svg> element; y: where it stands in another one, or -1. */
void ddn_svg_picture_put(ddn_output *o, const ddn_picture *l, int64_t y);

enum { DDN_SVG_WIDTH = 1000 }; /* sentences that are wider are broken into lines */

/* A document of many pictures below each other.  Its size stands at its beginning and is known at
 * the end, so pictures are kept in a temporary file until then. */
typedef struct ddn_svg ddn_svg;

int ddn_svg_new(ddn_svg **out, dodona_error *err);
void ddn_svg_free(ddn_svg *g);
/* Adds a sentence, compared where `with` is not NULL.  Without words: nothing. */
int ddn_svg_put(ddn_svg *g, const ddn_sentence *s, const ddn_comparison *with, dodona_error *err);
/* Writes the document. */
int ddn_svg_end(ddn_svg *g, ddn_output *o, dodona_error *err);

#endif
