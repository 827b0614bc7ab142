/* SPDX-License-Identifier: MIT */
/* A parser of the layers alone learns the grammar of the test sentences: the loss falls, trees of
 * new sentences are right, with weights in floats and in 8 bits; and the same seed gives the same
 * bytes, on one thread and on two. */
#include "lib/biaffine.h"
#include "lib/check.h"
#include "lib/tagged.h"

#include <stdlib.h>
#include <string.h>

enum { SENTENCES = 400, EPOCHS = 15 };

static ddn_treebank bank, fresh;
static const ddn_sentence **sentences, **others;

static int load(void **state)
{
    (void)state;
    test_tagged(&bank, 1, SENTENCES);
    test_tagged(&fresh, 2, 100);
    sentences = test_tagged_list(&bank);
    others = test_tagged_list(&fresh);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    free(sentences);
    free(others);
    ddn_treebank_fini(&bank);
    ddn_treebank_fini(&fresh);
    return 0;
}

static const biaffine_options small = { .hidden = 20,
                                        .layers = 2,
                                        .dropout = 0.1f,
                                        .seed = 1,
                                        .epochs = EPOCHS,
                                        .batch = 100,
                                        .threads = 1 };

static double train(biaffine *b, const biaffine_options *o, uint64_t epochs, double *first)
{
    dodona_error err;
    double loss = 0;
    assert_int_equal(biaffine_init(b, o, sentences, bank.count, &err), DODONA_OK);
    for (uint64_t e = 1; e <= epochs; e++) {
        assert_int_equal(biaffine_epoch(b, e, &loss, &err), DODONA_OK);
        *first = e == 1 ? loss : *first;
    }
    assert_int_equal(biaffine_finish(b, &err), DODONA_OK);
    return loss;
}

static void the_grammar_is_learnt(void **state)
{
    (void)state;
    biaffine b;
    biaffine_score floats, bytes;
    dodona_error err;
    double first, last = train(&b, &small, EPOCHS, &first);
    print_message("loss %.3f, then %.3f\n", first, last);
    assert_true(last < first / 5);
    assert_int_equal(biaffine_measure(&b, others, fresh.count, false, &floats, &err), DODONA_OK);
    assert_int_equal(biaffine_measure(&b, others, fresh.count, true, &bytes, &err), DODONA_OK);
    print_message("%d words, %d right in floats, %d in 8 bits\n", (int)floats.words,
                  (int)floats.labelled, (int)bytes.labelled);
    assert_true(floats.labelled * 100 > floats.words * 90);
    assert_true(bytes.labelled * 100 > floats.words * 90);
    biaffine_fini(&b);
}

static void a_seed_gives_the_same_bytes_on_any_number_of_threads(void **state)
{
    (void)state;
    biaffine one, again, two, other;
    biaffine_options o = small;
    double first;
    o.averaging = 0.9;
    train(&one, &o, 2, &first);
    train(&again, &o, 2, &first);
    o.threads = 2;
    train(&two, &o, 2, &first);
    o.seed = 2;
    train(&other, &o, 2, &first);
    size_t bytes = one.params.size * sizeof *one.value;
    assert_memory_equal(one.value, again.value, bytes);
    assert_memory_equal(one.value, two.value, bytes);
    assert_true(memcmp(one.value, other.value, bytes) != 0);
    biaffine_fini(&one);
    biaffine_fini(&again);
    biaffine_fini(&two);
    biaffine_fini(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_grammar_is_learnt),
        cmocka_unit_test(a_seed_gives_the_same_bytes_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
