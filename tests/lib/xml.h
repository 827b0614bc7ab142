/* SPDX-License-Identifier: MIT */
/* xml.h - whether a text is well-formed XML, as far as the project's writers use it. */
#ifndef DDN_TESTS_XML_H
#define DDN_TESTS_XML_H

#include <stddef.h>

/* NULL when data is one element with all that is in it, perhaps after a <!DOCTYPE>: tags nest and
 * close, attributes are quoted and not repeated, & stands only before the names amp, lt, gt, quot
 * and #39, < only before tags, and there are no characters that XML does not have.  Otherwise what
 * is wrong, with the offset in *at.  Comments are taken for errors. */
const char *test_xml(const char *data, size_t size, size_t *at);

#endif
