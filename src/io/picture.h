/* SPDX-License-Identifier: MIT */
/* picture.h - where the words and arcs of a sentence stand in a picture.
 *
 * Words stand side by side in columns, empty nodes among them; arcs lie on levels above, and where
 * two analyses are compared, the second one's arcs that differ lie on levels below.  Coordinates
 * are whole units from the left edge; an arc's level is counted from the words. */
#ifndef DDN_IO_PICTURE_H
#define DDN_IO_PICTURE_H

#include "tree/sentence.h"

enum { DDN_FORM_SIZE = 16, DDN_TAG_SIZE = 11, DDN_LABEL_SIZE = 12 }; /* of the letters */

typedef struct ddn_column {
    uint32_t row;    /* of the sentence */
    int32_t word;    /* 0: an empty node */
    int64_t x, half; /* the middle, and half the width that it takes */
} ddn_column;

typedef struct ddn_bow {
    int32_t head, child; /* words; head 0: the root */
    int32_t level;       /* from 1 */
    bool below;          /* of the second analysis */
    bool differs;        /* from the other analysis in head or label */
    int64_t from, to;    /* x at the head and at the child; of the root, both are the child's */
} ddn_bow;

typedef struct ddn_picture {
    const ddn_sentence *s,
        *other; /* borrowed until the next make; other NULL: nothing to compare */
    bool rtl;   /* words go from right to left */
    ddn_column *column;
    int32_t columns;
    int32_t *column_of; /* [n+1] of each word */
    ddn_bow *arc;       /* by length, those of the root last; first above, then below */
    int32_t arcs;
    int32_t above, below; /* levels */
    int64_t width;
    size_t column_cap, column_of_cap, arc_cap, memory_cap;
    int32_t *memory; /* scratch */
} ddn_picture;

void ddn_picture_init(ddn_picture *l);
void ddn_picture_fini(ddn_picture *l);

/* Lays out s, and with other not NULL, which has the same words, what differs there.  Any heads
 * will do, also those of no tree; a word that is its own head has no arc. */
int ddn_picture_make(ddn_picture *l, const ddn_sentence *s, const ddn_sentence *other,
                     dodona_error *err);

/* The tag of a word or an empty node: UPOS, or where that is "_" XPOS, or nothing. */
dodona_text ddn_row_tag(const ddn_sentence *s, const ddn_row *row);

/* Whether word i has another head, another label or another tag there. */
bool ddn_arc_differs(const ddn_sentence *a, const ddn_sentence *b, int32_t i);
bool ddn_tag_differs(const ddn_sentence *a, const ddn_sentence *b, int32_t i);

/* Whether the text goes from right to left: its first letter with a direction does. */
bool ddn_sentence_is_rtl(const ddn_sentence *s);

#endif
