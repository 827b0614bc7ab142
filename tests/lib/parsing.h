/* SPDX-License-Identifier: MIT */
/* parsing.h - parsers over one sentence at a time.  What fails, fails the running test. */
#ifndef DDN_TESTS_PARSING_H
#define DDN_TESTS_PARSING_H

#include "search/parser.h"

/* Opens a parser for batches of one; returns its only search. */
ddn_searching *test_parser_open(ddn_parser *p, const ddn_model *m, const char *search,
                                ddn_search_options options);
/* Encodes a sentence and runs the search over it. */
void test_parse(ddn_parser *p, const ddn_sentence *s);
/* The same with a goal; returns whether there is a rival. */
bool test_parse_goal(ddn_parser *p, const ddn_sentence *s, const ddn_goal *goal);

/* The score of moves from the start of a sentence, each of which must be legal; it is encoded by
 * the pass of the parser, alone. */
ddn_score test_replayed(ddn_parser *p, const ddn_sentence *s, ddn_roots roots, const ddn_move *move,
                        size_t moves);

#endif
