/* SPDX-License-Identifier: MIT */
/* picture.h - where the words and arcs of a sentence stand in a picture.
 *
 * Words stand side by side in columns, empty nodes among them; arcs lie on levels above.  Where two
 * analyses are compared, words that only the second one has stand among the others, and its arcs
 * that differ lie on levels below.
 *
 * A picture is made in two steps.  ddn_picture_make puts all columns into one strip, from left to
 * right.  ddn_picture_break breaks that strip into lines of words that are not too wide, mirrors
 * them for scripts that run from right to left, and gives each arc a piece in every line from one
 * of its ends to the other.  Coordinates are whole pixels from the left and the upper edge; an
 * arc's level is counted from the words. */
#ifndef DDN_IO_PICTURE_H
#define DDN_IO_PICTURE_H

#include "io/compare.h"

enum { DDN_FORM_SIZE = 16, DDN_TAG_SIZE = 11, DDN_LABEL_SIZE = 12 }; /* of the letters */

enum {
    DDN_PICTURE_MARGIN = 16, /* left of the first and right of the last column of a line */
    DDN_PICTURE_BORDER = 48  /* what the end of a sentence adds to the gap between two columns */
};

typedef struct ddn_column {
    const ddn_sentence *of; /* the second analysis for a word that only it has */
    uint32_t row;           /* of that sentence */
    int32_t word;           /* 0: an empty node */
    int32_t line;           /* that it stands in */
    int64_t x, half;        /* the middle, and half the width that it takes */
    bool joined;            /* part of the same multiword token as the column before it */
    bool begins;            /* a sentence ended before it, and not in the second analysis; */
    bool begins_there;      /* or in the second analysis alone */
    int64_t border;         /* then, x of the vertical line between the sentences */
} ddn_column;

typedef struct ddn_picture_line {
    int32_t first, end;   /* columns first..end-1 */
    int32_t above, below; /* levels */
    bool tokens;          /* some of its words are parts of multiword tokens */
    int64_t width, shift; /* shift: from x in the strip to x in the line */
    int64_t top, bottom;  /* y of the upper edge of the words, and of the lower edge of all that
                             belongs to them */
} ddn_picture_line;

typedef struct ddn_bow {
    int32_t head, child; /* words of its analysis; head 0: the root */
    int32_t left, right; /* columns; of the root's arc, both are the child's */
    bool below;          /* of the second analysis */
    bool differs;        /* from the other analysis in head or label */
    int64_t from, to;    /* x in the strip at the head and at the child; of the root, both are the
                            child's */
    int64_t needs;       /* the length that its label asks for */
    int32_t piece;       /* its first; it has one in each line from `left` to `right` */
} ddn_bow;

/* The part of an arc that lies in one line. */
typedef struct ddn_piece {
    int32_t line;
    int32_t level;    /* from 1 */
    int64_t from, to; /* x at the head and at the child, or where the line ends on that side */
    bool from_cut;    /* the head stands in another line, */
    bool to_cut;      /* the child does */
    int64_t y;        /* of its level */
} ddn_piece;

typedef struct ddn_picture {
    const ddn_sentence *s;      /* borrowed until the next make, as is */
    const ddn_comparison *with; /* the second analysis; NULL: nothing to compare */
    bool rtl;                   /* words go from right to left */
    bool whole;                 /* stays in one line, since its arcs are too long */
    ddn_column *column;
    int32_t columns;
    int32_t *column_of;     /* [n+1] of each word, then [n+1] of the second analysis */
    ddn_picture_line *line; /* from top to bottom */
    int32_t lines;
    ddn_bow *arc; /* by length, those of the root last; first above, then below */
    int32_t arcs;
    ddn_piece *piece; /* arc by arc, from line to line */
    int32_t pieces;
    int64_t width, height;
    int32_t *memory; /* scratch */
    int64_t *room;   /* scratch */
    ddn_arena arena;
} ddn_picture;

void ddn_picture_init(ddn_picture *l);
void ddn_picture_fini(ddn_picture *l);

/* Lays out s as a strip, and with `with` not NULL, what differs there: columns, arcs and the width.
 * Any heads will do, also those of no tree; a word that is its own head has no arc. */
int ddn_picture_make(ddn_picture *l, const ddn_sentence *s, const ddn_comparison *with,
                     dodona_error *err);

/* Breaks the strip into lines of at most this width (0: one line, however wide): lines, pieces, the
 * places of all, width and height.  Once for each strip.
 *
 * A line is wider where a single word, multiword token or label is.  A sentence whose arcs are
 * longer than DDN_PICTURE_SPAN columns on average stays in one line: the pieces of its arcs would
 * be far more than its words. */
enum { DDN_PICTURE_SPAN = 256 };
int ddn_picture_break(ddn_picture *l, int64_t limit, dodona_error *err);

/* The column of a word of the first or the second analysis. */
static inline ddn_column *ddn_picture_column(const ddn_picture *l, int32_t word, bool second)
{
    return &l->column[l->column_of[second ? l->s->n + 1 + word : word]];
}

/* Whether the text goes from right to left: its first letter with a direction does. */
bool ddn_sentence_is_rtl(const ddn_sentence *s);

#endif
