/* SPDX-License-Identifier: MIT */
/* Memory that runs out while trees are made projective, counted, encoded, undone and found: each
 * time one allocation later.  Nothing crashes or leaks, and the task says why it failed. */
#include "chart/decode.h"
#include "chart/projectivize.h"
#include "lib/alloc.h"
#include "lib/check.h"
#include "tree/pseudo.h"
#include <stdlib.h>
#include <string.h>

enum { N = 40 };

/* Words of the first half hang from the second half in reverse order, and these from the last. */
static void make_tree(int32_t *head, dodona_text *label)
{
    head[0] = -1;
    label[0] = (dodona_text){ NULL, 0 };
    for (int32_t i = 1; i <= N; i++) {
        head[i] = i <= N / 2 ? i + N / 2 : i < N ? N : 0;
        label[i] = (dodona_text){ "a|label", 7 };
    }
}

static int best_tree(dodona_error *err)
{
    int32_t head[N + 1], out[N + 1];
    dodona_text label[N + 1];
    ddn_projectivizer p;
    make_tree(head, label);
    ddn_projectivizer_init(&p);
    int32_t code = ddn_projectivize(&p, head, N, false, out, err);
    ddn_projectivizer_fini(&p);
    return code > 0 ? 0 : code;
}

static int count_twice(dodona_error *err)
{
    int32_t head[N + 1], kept;
    dodona_text label[N + 1];
    const ddn_big *count;
    ddn_projectivizer p;
    make_tree(head, label);
    ddn_projectivizer_init(&p);
    int code = ddn_projectivize_count(&p, head, N, false, &kept, &count, err);
    if (code == 0) /* with memory that is there already */
        code = ddn_projectivize_count(&p, head, N, true, &kept, &count, err);
    ddn_projectivizer_fini(&p);
    return code;
}

/* A projective tree needs a pool all the same. */
static int count_projective(dodona_error *err)
{
    int32_t head[] = { -1, 0, 1 }, kept;
    const ddn_big *count;
    ddn_projectivizer p;
    ddn_projectivizer_init(&p);
    int code = ddn_projectivize_count(&p, head, 2, false, &kept, &count, err);
    ddn_projectivizer_fini(&p);
    return code;
}

static int there_and_back(dodona_error *err)
{
    int32_t head[N + 1], out[N + 1], back[N + 1];
    dodona_text label[N + 1], made[N + 1], plain[N + 1];
    ddn_pseudo p, q;
    make_tree(head, label);
    ddn_pseudo_init(&p);
    ddn_pseudo_init(&q);
    int32_t code = ddn_pseudo_encode(&p, DDN_PSEUDO_HEAD_PATH, head, label, N, out, made, err);
    if (code > 0)
        code = ddn_pseudo_decode(&q, out, made, N, back, plain, err);
    ddn_pseudo_fini(&p);
    ddn_pseudo_fini(&q);
    return code > 0 ? 0 : code;
}

static int decode_some(dodona_error *err)
{
    enum { WORDS = 5, K = 4 };
    double w[(WORDS + 1) * (WORDS + 1)], score[K], p[(WORDS + 1) * (WORDS + 1)], total;
    int32_t head[K * (WORDS + 1)];
    ddn_decode_input in = { WORDS, false, w };
    ddn_decoder decoder;
    ddn_decoding d;
    for (int i = 0; i < (WORDS + 1) * (WORDS + 1); i++)
        w[i] = i * 37 % 11;
    ddn_decoding_init(&d, DDN_DECODE_MEMORY);
    int code = ddn_decoder_find("mst", &decoder, err);
    if (code >= 0)
        code = ddn_decode_kbest(&d, &decoder, &in, K, head, score, err);
    if (code >= 0)
        code = ddn_decode_sum(&d, &decoder, &in, p, &total, err);
    ddn_decoding_fini(&d);
    return code > 0 ? 0 : code;
}

static void fail_each(int (*task)(dodona_error *err))
{
    for (int on = 0; on <= 1; on++) {
        long k = 1;
        for (bool failed = true; failed; k++) {
            dodona_error err = { 0 };
            long before = test_alloc_live();
            test_alloc_fail(k, on);
            int code = task(&err);
            failed = test_alloc_stop();
            assert_int_equal(test_alloc_live(), before);
            assert_int_equal(code, failed ? DODONA_E_MEMORY : 0);
            assert_int_equal(err.code, code);
        }
        assert_true(k > 3);
    }
}

static void every_allocation(void **state)
{
    (void)state;
    fail_each(best_tree);
    fail_each(count_twice);
    fail_each(count_projective);
    fail_each(there_and_back);
    fail_each(decode_some);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_allocation) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
