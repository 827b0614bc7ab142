/* SPDX-License-Identifier: MIT */
/* picture.h - where the words and arcs of a sentence stand in a picture.
 *
 * Words stand side by side in columns, empty nodes among them; arcs lie on levels above.  Where two
 * analyses are compared, words that only the second one has stand among the others, and its arcs
 * that differ lie on levels below.  Coordinates are whole units from the left edge; an arc's level
 * is counted from the words. */
#ifndef DDN_IO_PICTURE_H
#define DDN_IO_PICTURE_H

#include "io/compare.h"

enum { DDN_FORM_SIZE = 16, DDN_TAG_SIZE = 11, DDN_LABEL_SIZE = 12 }; /* of the letters */

typedef struct ddn_column {
    const ddn_sentence *of; /* the second analysis for a word that only it has */
    uint32_t row;           /* of that sentence */
    int32_t word;           /* 0: an empty node */
    int64_t x, half;        /* the middle, and half the width that it takes */
    bool begins;            /* a sentence ended before it, and not in the second analysis; */
    bool begins_there;      /* or in the second analysis alone */
    int64_t border;         /* then, x of the line between */
} ddn_column;

typedef struct ddn_bow {
    int32_t head, child; /* words of its analysis; head 0: the root */
    int32_t level;       /* from 1 */
    bool below;          /* of the second analysis */
    bool differs;        /* from the other analysis in head or label */
    int64_t from, to;    /* x at the head and at the child; of the root, both are the child's */
} ddn_bow;

typedef struct ddn_picture {
    const ddn_sentence *s;      /* borrowed until the next make, as is */
    const ddn_comparison *with; /* the second analysis; NULL: nothing to compare */
    bool rtl;                   /* words go from right to left */
    bool tokens;                /* some are parts of multiword tokens */
    ddn_column *column;
    int32_t columns;
    int32_t *column_of; /* [n+1] of each word, then [n+1] of the second analysis */
    ddn_bow *arc;       /* by length, those of the root last; first above, then below */
    int32_t arcs;
    int32_t above, below; /* levels */
    int64_t width;
    size_t column_cap, column_of_cap, arc_cap, memory_cap;
    int32_t *memory; /* scratch */
} ddn_picture;

void ddn_picture_init(ddn_picture *l);
void ddn_picture_fini(ddn_picture *l);

/* Lays out s, and with `with` not NULL, what differs there.  Any heads will do, also those of no
 * tree; a word that is its own head has no arc. */
int ddn_picture_make(ddn_picture *l, const ddn_sentence *s, const ddn_comparison *with,
                     dodona_error *err);

/* The column of a word of the first or the second analysis. */
static inline ddn_column *ddn_picture_column(const ddn_picture *l, int32_t word, bool second)
{
    return &l->column[l->column_of[second ? l->s->n + 1 + word : word]];
}

/* Whether the text goes from right to left: its first letter with a direction does. */
bool ddn_sentence_is_rtl(const ddn_sentence *s);

#endif
