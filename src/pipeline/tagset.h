/* SPDX-License-Identifier: MIT */
/* tagset.h - the tags that a tagger can give: triples of UPOS, XPOS and FEATS that training had.
 *
 * A tag is scored by its parts: its UPOS, its XPOS, and each of its features with its value.  Parts
 * are numbered through as classes.  So what is learnt of Case=Dat holds for every tag that has it.
 */
#ifndef DDN_PIPELINE_TAGSET_H
#define DDN_PIPELINE_TAGSET_H

#include "core/intern.h"
#include "core/output.h"

enum {
    DDN_MAX_TAGS = 1 << 14,
    DDN_MAX_PARTS = 1 << 15, /* frozen.h has 15 bits for a class */
    DDN_MAX_TAG_PARTS = 31,  /* of one tag; features beyond are not scored */
};

/* Words that others agree with, or take their form from. */
typedef enum ddn_tag_sort { DDN_SORT_OTHER, DDN_SORT_NOMINAL, DDN_SORT_VERBAL } ddn_tag_sort;

typedef struct ddn_tag {
    dodona_text upos, xpos, feats;    /* inside the tag's text */
    uint16_t part[DDN_MAX_TAG_PARTS]; /* [parts] classes */
    uint8_t parts;
    uint8_t sort;     /* DDN_SORT_...: what later words look back for */
    uint32_t upos_id; /* from 1 */
} ddn_tag;

typedef struct ddn_tagset {
    ddn_intern names; /* "UPOS\tXPOS\tFEATS", by tag */
    ddn_tag *tag;     /* [count] */
    size_t tag_cap;
    uint32_t count;
    uint32_t classes; /* parts */
} ddn_tagset;

void ddn_tagset_init(ddn_tagset *t);
void ddn_tagset_fini(ddn_tagset *t);

/* The text of tags, a line each, as it stands in a model; the most frequent first. */
int ddn_tagset_read(ddn_tagset *t, const char *text, size_t size, dodona_error *err);

/* The name of a triple, "UPOS\tXPOS\tFEATS", into *o, from its start. */
void ddn_tag_name(ddn_output *o, dodona_text upos, dodona_text xpos, dodona_text feats);

#endif
