/* SPDX-License-Identifier: MIT */
/* sentence.h - a sentence as it stands in its file, and the tree over its words.
 *
 * A sentence keeps every line it was read from: comments, multiword ranges, empty nodes, words and
 * the blank lines around them.  Each line's bytes lie in one text buffer and its columns are spans
 * of that buffer.  Writing the rows in order gives the input back byte for byte; setting a column
 * appends the new value to the buffer and moves the span, so that only what was set differs.
 *
 * Words are numbered 1..n; node 0 is the root.  head[] mirrors the HEAD column as numbers and is
 * what the parser reads and writes; ddn_sentence_set_tree brings it into the columns. */
#ifndef DDN_TREE_SENTENCE_H
#define DDN_TREE_SENTENCE_H

#include "core/error.h"
#include <stdbool.h>
#include <string.h>

typedef struct ddn_span {
    uint32_t at, len; /* of ddn_sentence.text */
} ddn_span;

/* CoNLL-U's columns.  CoNLL-X has CPOSTAG, POSTAG, PHEAD and PDEPREL in place of UPOS, XPOS, DEPS
 * and MISC. */
enum {
    DDN_ID,
    DDN_FORM,
    DDN_LEMMA,
    DDN_UPOS,
    DDN_XPOS,
    DDN_FEATS,
    DDN_HEAD,
    DDN_DEPREL,
    DDN_DEPS,
    DDN_MISC,
    DDN_COLUMNS
};

typedef enum ddn_row_kind {
    DDN_ROW_WORD,    /* 3 */
    DDN_ROW_RANGE,   /* 3-4 */
    DDN_ROW_EMPTY,   /* 3.1 */
    DDN_ROW_COMMENT, /* # text = ... */
    DDN_ROW_BLANK,   /* ends a sentence; more of them are kept as they came */
    DDN_ROW_RAW,     /* lines of a bad sentence that is passed through */
} ddn_row_kind;

typedef struct ddn_row {
    uint8_t kind;
    bool edited;               /* a column was set: write the columns, not the line */
    bool made;                 /* was not read; a word then has no line: it ends with a newline */
    uint8_t eol;               /* bytes of line end at the end of line: 0, 1 or 2 */
    int32_t id, minor;         /* word 3: 3, 0; range 3-4: 3, 4; empty node 3.1: 3, 1 */
    ddn_span line;             /* as it was read, with its line end */
    ddn_span col[DDN_COLUMNS]; /* words, ranges and empty nodes */
} ddn_row;

/* Several trees over the words of a sentence, the best first (tree/trees.h). */
typedef struct ddn_trees {
    int32_t count;   /* 0: none were asked for */
    int32_t n;       /* words that the sentence had when they were found */
    double *score;   /* [count] */
    int32_t *head;   /* [count][n+1] */
    ddn_span *label; /* [count][n+1] of ddn_sentence.text */
    size_t score_cap, head_cap, label_cap;
} ddn_trees;

typedef struct ddn_sentence {
    char *text;
    size_t text_len, text_cap;
    ddn_row *row;
    size_t rows, row_cap;
    int32_t n;          /* words */
    uint32_t *word_row; /* [n+1] the row of each word; [0] unused */
    size_t word_cap;
    int32_t *head; /* [n+1] -1: none; head[0] = -1 */
    size_t head_cap;
    bool conllx;    /* read as CoNLL-X: the columns are named as there */
    bool bad;       /* only a raw row: passed through unparsed */
    bool continued; /* bad, and follows upon the bad sentence before, which was too long for one */
    int64_t line;   /* of the first row in its file, from 1 */
    int64_t byte;   /* of a text, before the first token; -1: not known */
    char *file;     /* the name of that file; NULL or "": none is known */
    size_t file_cap;
    ddn_trees trees;
    double *confidence; /* [confident+1] of each arc */
    size_t confidence_cap;
    int32_t confident; /* words that have one; 0: none were asked for */
} ddn_sentence;

void ddn_sentence_init(ddn_sentence *s);
void ddn_sentence_fini(ddn_sentence *s);
void ddn_sentence_clear(ddn_sentence *s); /* keeps the memory */

/* Says which file it was read from. */
int ddn_sentence_set_file(ddn_sentence *s, const char *name, dodona_error *err);
/* Appends bytes, which may be the sentence's own, to the text buffer; the span is where they lie.
 */
int ddn_sentence_text(ddn_sentence *s, const char *data, size_t len, ddn_span *out,
                      dodona_error *err);
/* Appends a row of that kind, zeroed; a word row is entered in word_row and head. */
int ddn_sentence_row(ddn_sentence *s, ddn_row_kind kind, ddn_row **out, dodona_error *err);
/* Appends word n+1 with these columns (data NULL or size 0: "_") and a newline as its line end. */
int ddn_sentence_word(ddn_sentence *s, const dodona_text col[DDN_COLUMNS], dodona_error *err);
/* Appends the rows of t, whose words, ranges, empty nodes and heads are numbered on from those of
 * s; its columns stay as they are.  A head that is no word of t becomes -1. */
int ddn_sentence_append(ddn_sentence *s, const ddn_sentence *t, dodona_error *err);
/* Sets one column of a row. */
int ddn_sentence_set(ddn_sentence *s, size_t row, int column, const char *data, size_t len,
                     dodona_error *err);
/* Removes the comments that begin with prefix, and puts these lines, each with a newline, behind
 * the comments that are left. */
int ddn_sentence_set_comments(ddn_sentence *s, const char *prefix, const char *lines, size_t size,
                              dodona_error *err);
/* A comment, given without its line end: puts one before that row, or before what follows the
 * comments where these end earlier; puts one in the place of another; removes one. */
int ddn_sentence_insert_comment(ddn_sentence *s, size_t row, dodona_text line, dodona_error *err);
int ddn_sentence_replace_comment(ddn_sentence *s, size_t row, dodona_text line, dodona_error *err);
void ddn_sentence_remove_comment(ddn_sentence *s, size_t row);
/* Sets HEAD from head[1..n] (-1: "_") and DEPREL from label[1..n] (size 0: "_"); DEPS becomes "_"
 * unless keep_deps, as do PHEAD and PDEPREL. */
int ddn_sentence_set_tree(ddn_sentence *s, const int32_t *head, const dodona_text *label,
                          bool keep_deps, dodona_error *err);

static inline dodona_text ddn_sentence_span(const ddn_sentence *s, ddn_span span)
{
    return (dodona_text){ s->text + span.at, span.len };
}

/* The line of row i in its file.  A byte order mark, the one row without a line end that is not the
 * last, is no line. */
static inline int64_t ddn_sentence_line(const ddn_sentence *s, size_t i)
{
    bool mark = s->rows > 1 && s->row[0].eol == 0;
    return s->line + (int64_t)i - mark;
}

/* Whether row i is a comment, and not a byte order mark, which is kept as one. */
static inline bool ddn_sentence_has_comment(const ddn_sentence *s, size_t i)
{
    return s->row[i].kind == DDN_ROW_COMMENT && s->text[s->row[i].line.at] == '#';
}

/* Column of word i, 1 <= i <= n. */
static inline dodona_text ddn_sentence_column(const ddn_sentence *s, int32_t i, int column)
{
    return ddn_sentence_span(s, s->row[s->word_row[i]].col[column]);
}

static inline bool ddn_text_is(dodona_text t, const char *text)
{
    return t.size == strlen(text) && memcmp(t.data, text, t.size) == 0;
}

static inline bool ddn_text_equal(dodona_text a, dodona_text b)
{
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

#endif
