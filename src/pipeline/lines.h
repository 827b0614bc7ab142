/* SPDX-License-Identifier: MIT */
/* lines.h - what the line ends of a text so far tell of the way it is laid out.
 *
 * A line ends because the next chunk did not fit into it, in a text that is wrapped, or because it
 * was meant to: a sentence or a paragraph has ended.  Which of the two is likely is seen from the
 * lines before (lines.c). */
#ifndef DDN_PIPELINE_LINES_H
#define DDN_PIPELINE_LINES_H

#include "pipeline/chars.h"

enum { DDN_LINES = 16 }; /* that are remembered */

typedef struct ddn_line {
    uint32_t length;       /* in characters, without white space at its end */
    uint32_t with;         /* its length if the next chunk stood in it; 0: there is none */
    uint32_t exact, about; /* line ends of those remembered that its length explains as a width */
    bool goes_on;          /* a letter stands before its end, and one behind that is no capital */
} ddn_line;

typedef struct ddn_lines {
    ddn_line line[DDN_LINES]; /* the last ones before a chunk, each in its turn */
    uint32_t known;           /* of them */
    uint32_t oldest;
    int64_t begin;         /* the first character of the line that has not ended */
    uint32_t most;         /* the longest of line[], */
    uint32_t exact, about; /* the most that one of them explains, */
    uint32_t going_on;     /* and how many go on */
} ddn_lines;

/* How a line end compares with those before it. */
typedef struct ddn_line_end {
    uint32_t length, most; /* of the line, and of the longest with it */
    uint32_t exact, about; /* line ends that some width explains that explains this one, too */
} ddn_line_end;

/* A text begins, with white space up to its character first. */
void ddn_lines_begin(ddn_lines *l, const ddn_char *text, uint32_t first);
/* White space from..to was passed over: to may stand in another line. */
void ddn_lines_skip(ddn_lines *l, const ddn_char *text, uint32_t from, uint32_t to);
/* Judges the line that ends after at, where next is the first character that is not white space and
 * characters up to limit are seen. */
ddn_line_end ddn_lines_judge(const ddn_lines *l, const ddn_char *text, uint32_t at, uint32_t next,
                             uint32_t limit);
/* Goes on from at to next, with only white space between them. */
void ddn_lines_pass(ddn_lines *l, const ddn_char *text, uint32_t at, uint32_t next, uint32_t limit);

/* Whether most line ends before, and this one, are explained by one width. */
static inline bool ddn_lines_wrapped(const ddn_lines *l, const ddn_line_end *e)
{
    return e->about * 2 > l->known;
}

/* Whether the lines before seem to have ended on purpose. */
static inline bool ddn_lines_meant(const ddn_lines *l)
{
    return l->known >= 3 && l->going_on * 3 <= l->known;
}

#endif
