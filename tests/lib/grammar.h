/* SPDX-License-Identifier: MIT */
/* grammar.h - a source of annotated sentences that never ends: a small weighted dependency grammar
 * of an English that is simple but not trivial to parse.
 *
 * What the sentences have: agreement of number and person between subject and verb and of number
 * inside the noun phrase, case on pronouns, all of it in FEATS and in the endings; coordination of
 * noun phrases, verb phrases and clauses; relative clauses; complement and adverbial clauses;
 * passives; questions; contractions as multiword tokens; gapping and imperatives with empty nodes
 * (and DEPS that refer to them, in these sentences only).  Whether a prepositional phrase belongs
 * to the verb or to the noun before it depends on the words, and can be learnt from them.
 *
 * A given share of the sentences is non-projective: relative clauses and prepositional phrases that
 * are extraposed over the verb, topicalised and questioned objects of embedded clauses.  All other
 * sentences are projective.  Lengths are 3 to 40 words; every tree has one root.
 *
 * The seed fixes every byte, on every machine: only integers are used.
 *
 *     ddn_grammar g;
 *     ddn_grammar_init(&g, 1, DDN_GRAMMAR_NONPROJECTIVE, 2000);
 *     while (ddn_grammar_next(&g)) fwrite(g.text, 1, g.size, stdout); */
#ifndef DDN_TESTS_GRAMMAR_H
#define DDN_TESTS_GRAMMAR_H

#include "core/rng.h"
#include "dodona.h"
#include <stdbool.h>

enum {
    DDN_GRAMMAR_NONPROJECTIVE = 10, /* per cent of the sentences, where nothing else is wanted */
    DDN_GRAMMAR_LONGEST = 40,       /* words */
    DDN_GRAMMAR_SHORTEST = 3,
    DDN_GRAMMAR_BYTES = 1 << 15 /* more than any sentence has */
};

typedef struct ddn_grammar {
    ddn_rng rng;
    uint64_t seed;
    int nonprojective;            /* per cent, 0..100 */
    int64_t made, wanted;         /* sentences */
    char text[DDN_GRAMMAR_BYTES]; /* the last sentence as CoNLL-U, with its blank line */
    size_t size, read;            /* bytes of it; how many ddn_grammar_read has handed out */
} ddn_grammar;

void ddn_grammar_init(ddn_grammar *g, uint64_t seed, int nonprojective, int64_t sentences);
/* Makes the next sentence in g->text; false when all that were wanted are made. */
bool ddn_grammar_next(ddn_grammar *g);
/* The sentences as a stream of bytes, for dodona_reader_open_callback; ctx is the ddn_grammar. */
ptrdiff_t ddn_grammar_read(void *ctx, char *buf, size_t size, dodona_error *err);

#endif
