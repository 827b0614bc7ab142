/* SPDX-License-Identifier: MIT */
/* valid.h - whether CoNLL-U is what the UD validator takes at its levels 1 and 2.
 *
 * What is checked, of the file: UTF-8, Unix line ends, lines that are comments or words, an empty
 * line after every sentence and none besides; of a line: ten columns, none empty, blanks where they
 * may be; ids in sequence, ranges before their words and apart; of a sentence: one sent_id that no
 * other has, one text that the tokens and their SpaceAfter spell, paragraphs only after a blank;
 * one root, its relation root and no other's, no cycle; of the columns: the tags and relations of
 * UD, features as Name=Value in order, MISC as pairs with different names.
 *
 * What is not: the normal form of Unicode, as the text is kept to the byte.  Empty nodes and DEPS
 * are taken for errors, since nothing here makes them. */
#ifndef DDN_TESTS_VALID_H
#define DDN_TESTS_VALID_H

#include <stddef.h>

/* NULL when it is; otherwise what is wrong first, with its line in *line.  What is wrong with a
 * sentence as a whole is found at its empty line. */
const char *test_valid(const char *conllu, size_t size, int *line);

#endif
