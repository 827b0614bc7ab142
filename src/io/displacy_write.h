/* SPDX-License-Identifier: MIT */
/* displacy_write.h - a sentence as a JSON object in one line that displaCy draws, given as a parse
 * made by hand; docs/schema/displacy.json describes it.
 *
 *     {"words":[{"text":"No","tag":"ADV"},…],
 *      "arcs":[{"start":0,"end":1,"label":"advmod","dir":"left"},…]}
 *
 * Arcs count words from 0, go from left to right and say in dir where the arrow points.  Arcs of
 * the root are no arcs there.  Words that go from right to left are told by
 * "settings":{"direction":"rtl"}. */
#ifndef DDN_IO_DISPLACY_WRITE_H
#define DDN_IO_DISPLACY_WRITE_H

#include "core/output.h"
#include "tree/sentence.h"

/* With a newline; nothing for a sentence that is bad or has no words. */
void ddn_displacy_put(ddn_output *o, const ddn_sentence *s);

#endif
