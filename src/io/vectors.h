/* SPDX-License-Identifier: MIT */
/* vectors.h - vectors of words from a file that word2vec or fastText has made.
 *
 *   text     a line "COUNT WIDTH"; then COUNT lines, each a word and WIDTH numbers with spaces
 *            between them (word2vec -binary 0, fastText .vec)
 *   binary   the same first line; then COUNT times a word, a space, WIDTH floats of four bytes,
 *            little-endian, and perhaps a newline (word2vec -binary 1)
 *
 * Which of the two it is, the first numbers tell.  The file may be compressed (core/input.h).  It
 * is read as a stream, and only the words that are wanted are kept, so that memory does not depend
 * on what the file says or how long it is. */
#ifndef DDN_IO_VECTORS_H
#define DDN_IO_VECTORS_H

#include "core/error.h"
#include "core/intern.h"

enum {
    DDN_VECTOR_WIDTH = 512, /* numbers of a vector at most */
    DDN_VECTOR_WORD = 4096  /* bytes of a word at most */
};

typedef struct ddn_vectors {
    int64_t words; /* in the file */
    size_t width;
    ddn_intern found; /* the wanted words that are there */
    float *value;     /* [found.count][width] all finite */
    size_t value_cap;
} ddn_vectors;

void ddn_vectors_init(ddn_vectors *v); /* allocates nothing */
void ddn_vectors_fini(ddn_vectors *v);
/* Reads the vectors of the wanted words.  Of a word that is there twice, the first counts.  What is
 * malformed is DODONA_E_INPUT and named by its line, or in a binary file by its byte. */
int ddn_vectors_read(ddn_vectors *v, const char *path, const ddn_intern *wanted, dodona_error *err);

/* Adds the words that were found to names, which has at most most of them afterwards.  False: no
 * memory. */
bool ddn_vectors_name(const ddn_vectors *v, ddn_intern *names, uint32_t most);
/* Sets the rows of those names that have a vector; row: of name 0, width floats apart.  Each gets
 * the length that numbers from -spread to spread have on average; a vector of zeros stays one. */
void ddn_vectors_fill(const ddn_vectors *v, const ddn_intern *names, float spread, float *row);

#endif
