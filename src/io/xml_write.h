/* SPDX-License-Identifier: MIT */
/* xml_write.h - text in XML and HTML. */
#ifndef DDN_IO_XML_WRITE_H
#define DDN_IO_XML_WRITE_H

#include "core/output.h"

/* Valid UTF-8 as the content of an element or of an attribute in double quotes.  Characters that
 * XML does not have, most control characters among them, become U+FFFD. */
void ddn_xml_put(ddn_output *o, dodona_text t);

/* JSON as the content of a <script> element: what has a meaning in XML or HTML is escaped as JSON
 * strings do, so that both read the same text. */
void ddn_xml_put_json(ddn_output *o, dodona_text t);

#endif
