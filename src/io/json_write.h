/* SPDX-License-Identifier: MIT */
/* json_write.h - a sentence as a JSON object in one line.
 *
 *     {"sent_id":"a-1","text":"No sé.","words":[{"id":1,"form":"No","lemma":"no","upos":"ADV",
 *      "xpos":null,"feats":"Polarity=Neg","head":2,"deprel":"advmod","deps":null,"misc":null,
 *      "text":"No","tag":"ADV"},…],"arcs":[{"start":0,"end":1,"label":"advmod","dir":"left"},…],
 *      "ranges":[{"id":[3,4],"form":"del","misc":null}],"empty":[{"id":"3.1","form":"es",…}],
 *      "kbest":[{"score":7,"heads":[2,0],"deprels":[…]},…]}
 *
 * "_" is null but for forms, and for the lemma of a form "_".  sent_id, text, ranges, empty and
 * kbest are left out where the sentence has none.  A bad sentence is {"bad":true,"line":12}.
 *
 * displaCy draws the same object, given as a parse made by hand: it reads text and tag of words,
 * and arcs, which count words from 0, go from left to right and say in dir where the arrow points.
 * Arcs of the root are no arcs there.  Words that go from right to left are told by
 * "settings":{"direction":"rtl"}. */
#ifndef DDN_IO_JSON_WRITE_H
#define DDN_IO_JSON_WRITE_H

#include "core/output.h"
#include "tree/sentence.h"

void ddn_json_put(ddn_output *o, const ddn_sentence *s); /* with a newline */

#endif
