/* SPDX-License-Identifier: MIT */
#include "lib/generated.h"

#include "lib/check.h"

void test_generated_open(test_generated *g, uint64_t seed, int nonprojective, int64_t sentences)
{
    dodona_error err;
    ddn_grammar_init(&g->grammar, seed, nonprojective, sentences);
    assert_int_equal(dodona_reader_open_callback(ddn_grammar_read, &g->grammar, "generated", NULL,
                                                 &g->reader, &err),
                     0);
    g->source = (dodona_source){ dodona_reader_pull, g->reader, "generated" };
}

void test_generated_close(test_generated *g)
{
    dodona_reader_close(g->reader);
}
