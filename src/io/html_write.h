/* SPDX-License-Identifier: MIT */
/* html_write.h - a page with all sentences, which fold, their trees, and a search by word and
 * relation.
 *
 * The page is one file and asks the network for nothing.  Its script draws the trees that are in
 * view, in lines as wide as the window.  It is written as sentences come, and is well-formed XML
 * too.  #word=oak&relation=nsubj behind its address searches when it opens. */
#ifndef DDN_IO_HTML_WRITE_H
#define DDN_IO_HTML_WRITE_H

#include "core/output.h"
#include "io/compare.h"

typedef struct ddn_html ddn_html; /* scratch memory, and how many sentences there were */

ddn_html *ddn_html_new(void); /* NULL: out of memory */
void ddn_html_free(ddn_html *h);

/* Adds a sentence, compared where `with` is not NULL.  Without words: nothing.  A bad one
 * is mentioned. */
int ddn_html_put(ddn_html *h, ddn_output *o, const ddn_sentence *s, const ddn_comparison *with,
                 dodona_error *err);
/* Ends the page. */
void ddn_html_end(ddn_html *h, ddn_output *o);

#endif
