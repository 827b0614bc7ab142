/* SPDX-License-Identifier: MIT */
/* comments.h - the comments of a sentence that mean something: "# key = value", as sent_id and text
 * are, and the marks newdoc and newpar, "# newdoc" or "# newdoc id = value". */
#ifndef DDN_IO_COMMENTS_H
#define DDN_IO_COMMENTS_H

#include "tree/sentence.h"

/* The value of a comment "# key = value"; size 0 where there is none. */
dodona_text ddn_sentence_comment(const ddn_sentence *s, const char *key);

/* Whether a key is that of a mark. */
bool ddn_is_mark(const char *key);

/* Whether a comment or mark of that key is there; its row and its value, for a mark the id, which
 * may be empty. */
bool ddn_comment_find(const ddn_sentence *s, const char *key, size_t *row, dodona_text *value);
/* Sets it, where it is or else behind the other comments, marks before them; value data NULL:
 * removes it. */
int ddn_comment_set(ddn_sentence *s, const char *key, dodona_text value, dodona_error *err);

/* Whether a paragraph or a document begins with s. */
bool ddn_begins_paragraph(const ddn_sentence *s);

#endif
