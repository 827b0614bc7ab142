/* SPDX-License-Identifier: MIT */
#include "lib/tagged.h"

#include "lib/check.h"
#include "lib/grammar.h"
#include "train/jackknife.h"
#include <stdlib.h>

void test_tagged(ddn_treebank *t, uint64_t seed, int sentences)
{
    static ddn_grammar g;
    ddn_output text;
    ddn_output_memory(&text);
    ddn_grammar_init(&g, seed, 0, sentences);
    while (ddn_grammar_next(&g))
        ddn_put(&text, g.text, g.size);
    ddn_treebank_init(t);
    assert_int_equal(ddn_treebank_take(t, text.data, text.size, NULL), 0);
    assert_int_equal(t->count, sentences);
    ddn_output_abandon(&text);
}

const ddn_sentence **test_tagged_list(const ddn_treebank *t)
{
    const ddn_sentence **all = calloc(t->count, sizeof *all);
    assert_non_null(all);
    for (size_t k = 0; k < t->count; k++)
        all[k] = &t->sentence[k];
    return all;
}
