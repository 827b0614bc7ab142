/* SPDX-License-Identifier: MIT */
/* Memory that runs out while a tokenizer is trained, opened and used: each time one allocation
 * later.  Nothing crashes or leaks, and the task says why it failed. */
#include "lib/alloc.h"
#include "lib/check.h"
#include "lib/memory.h"
#include "lib/tokenizing.h"
#include <stdlib.h>
#include <string.h>

static ddn_treebank treebank;
static test_tokenizer ready;

static const char text[] = "The oak doesn't speak. It's\n\nold; 20 000 years";

static int train(dodona_error *err)
{
    ddn_tokenizer_options o;
    ddn_sections sections;
    ddn_sections_init(&sections);
    ddn_tokenizer_options_init(&o);
    o.iterations = 1;
    int status = ddn_tokenizer_train(&o, &treebank, &sections, err);
    ddn_sections_fini(&sections);
    return status;
}

static int open_and_close(dodona_error *err)
{
    ddn_tokenizer t;
    int status = ddn_tokenizer_open(&t, &ready.file, err);
    if (status >= 0)
        ddn_tokenizer_close(&t);
    return status;
}

static int read_all(dodona_error *err)
{
    test_memory m = { .data = text, .size = strlen(text), .chunk = 9 };
    ddn_input *in;
    ddn_text_reader *r;
    ddn_sentence s;
    ddn_sentence_init(&s);
    int status = ddn_input_callback(&in, test_memory_read, &m, "text", err);
    if (status >= 0)
        status = ddn_text_open(&r, &ready.tokenizer, in, err);
    if (status >= 0) {
        while ((status = ddn_text_next(r, &s, err)) > 0)
            continue;
        ddn_text_close(r);
    }
    ddn_sentence_fini(&s);
    return status;
}

static void fails_cleanly(int (*task)(dodona_error *err))
{
    for (long k = 1;; k++) {
        dodona_error err = { 0 };
        long live = test_alloc_live();
        test_alloc_fail(k, k % 2);
        int status = task(&err);
        bool failed = test_alloc_stop();
        assert_int_equal(test_alloc_live(), live);
        if (!failed) {
            assert_int_equal(status, 0);
            assert_true(k > 2);
            return;
        }
        assert_int_equal(status, DODONA_E_MEMORY);
        assert_int_equal(err.code, DODONA_E_MEMORY);
    }
}

static void memory_runs_out(void **state)
{
    (void)state;
    test_treebank_generated(&treebank, 1, 40);
    test_tokenizer_train(&ready, &treebank);
    fails_cleanly(train);
    fails_cleanly(open_and_close);
    fails_cleanly(read_all);
    ddn_treebank_fini(&treebank);
    test_tokenizer_free(&ready);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
