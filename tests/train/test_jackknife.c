/* SPDX-License-Identifier: MIT */
/* Jackknifing: who tags what, that it repeats, and that allocations may fail. */
#include "lib/alloc.h"
#include "lib/check.h"
#include "lib/tagged.h"
#include "train/jackknife.h"
#include <stdlib.h>
#include <string.h>

static ddn_treebank gold;

static int setup(void **state)
{
    (void)state;
    test_tagged(&gold, 1, 20);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    ddn_treebank_fini(&gold);
    return 0;
}

static void add(ddn_treebank *t, const char *text)
{
    assert_int_equal(ddn_treebank_take(t, text, strlen(text), NULL), 0);
}

/* Two folds that call the same word by different tags: each must get the other's. */
static void folds_learn_from_the_others(void **state)
{
    (void)state;
    ddn_treebank two, out;
    ddn_treebank_init(&two);
    ddn_treebank_init(&out);
    add(&two, "1\toak\ttree\tNOUN\tN\tA=1\t0\troot\t_\t_\n\n"
              "1\toak\twood\tVERB\tV\tB=2\t0\troot\t_\t_\n\n");
    dodona_error err = { 0 };
    if (ddn_jackknife(&two, 2, 1, NULL, &out, &err) < 0)
        fail_msg("%s", err.message);
    assert_int_equal(out.count, 2);
    for (int k = 0; k < 2; k++)
        for (int c = DDN_LEMMA; c <= DDN_FEATS; c++)
            assert_true(ddn_text_equal(ddn_sentence_column(&out.sentence[k], 1, c),
                                       ddn_sentence_column(&two.sentence[1 - k], 1, c)));
    assert_int_equal(out.sentence[0].head[1], 0);
    ddn_treebank_fini(&two);
    ddn_treebank_fini(&out);
}

static void folds_repeat_and_are_checked(void **state)
{
    (void)state;
    ddn_treebank a, b;
    ddn_treebank_init(&a);
    ddn_treebank_init(&b);
    assert_int_equal(ddn_jackknife(&gold, 3, 7, NULL, &a, NULL), 0);
    assert_int_equal(ddn_jackknife(&gold, 3, 7, NULL, &b, NULL), 0);
    assert_true(ddn_treebank_hash(&a, 0) == ddn_treebank_hash(&b, 0));
    assert_false(ddn_treebank_hash(&a, 0) == ddn_treebank_hash(&gold, 0));
    ddn_treebank_fini(&a);
    ddn_treebank_fini(&b);
    assert_int_equal(ddn_jackknife(&gold, 1, 7, NULL, &a, NULL), DODONA_E_ARGUMENT);
    assert_int_equal(ddn_jackknife(&gold, 21, 7, NULL, &a, NULL), DODONA_E_ARGUMENT);
}

static void failing_allocations_are_survived(void **state)
{
    (void)state;
    ddn_treebank small = gold;
    small.count = 2;
    long k = 1;
    for (bool failed = true; failed; k += 1 + k / 40) {
        dodona_error err = { 0 };
        ddn_treebank out;
        long before = test_alloc_live();
        ddn_treebank_init(&out);
        test_alloc_fail(k, k % 2);
        int code = ddn_jackknife(&small, 2, 1, NULL, &out, &err);
        failed = test_alloc_stop();
        ddn_treebank_fini(&out);
        assert_int_equal(test_alloc_live(), before);
        assert_int_equal(code, failed ? DODONA_E_MEMORY : 0);
    }
    assert_true(k > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds_learn_from_the_others),
        cmocka_unit_test(folds_repeat_and_are_checked),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
