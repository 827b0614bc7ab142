/* SPDX-License-Identifier: MIT */
/* Training on a sentence whose configurations have more cycles than the oracle counts: how often
 * that was so is told, also after an interruption. */
#include "dodona.h"
#include "lib/check.h"
#include "lib/files.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* As in oracle/test_cycles.c: words v_0 ... v_top, a_0 ... a_top, b_0 ... b_top, c and e.  In one
 * tree the chain v_top -> a_top -> v_(top-1) ... v_0 has all that matters; in the other, v_t -> b_t
 * -> v_(t-1) and v_0 -> c -> v_top.  A parser that makes arcs of the one while it learns the other
 * has two ways from each v to the next, and all close a cycle. */
enum { TOP = 17, V = 1, A = V + TOP + 1, B = A + TOP + 1, C = B + TOP + 1, N = C + 1, COPIES = 10 };

static void put(FILE *f, const int head[N + 1])
{
    for (int y = 1; y <= N; y++)
        fprintf(f, "%d\tw%d\t_\tX%d\t_\t_\t%d\t%s\t_\t_\n", y, y, y, head[y],
                head[y] ? "dep" : "root");
    fprintf(f, "\n");
}

static void write_treebank(const char *path)
{
    int chain[N + 1], other[N + 1];
    for (int y = 1; y <= N; y++) {
        chain[y] = y == V + TOP ? 0 : V + TOP;
        other[y] = y == V ? 0 : V;
    }
    for (int t = 1; t <= TOP; t++) {
        chain[A + t] = other[A + t] = other[B + t] = V + t;
        chain[V + t - 1] = A + t;
        if (t > 1)
            other[V + t - 1] = B + t;
    }
    other[V + TOP] = C;
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < COPIES; i++)
        put(f, chain);
    put(f, other);
    assert_int_equal(fclose(f), 0);
}

static int stop_in_the_last(void *ctx, const dodona_progress *p)
{
    (void)ctx;
    return p->iteration == p->iterations;
}

static int train(const char *treebank, const char *model, dodona_report report,
                 dodona_train_result *result)
{
    dodona_train_options o;
    dodona_reader_options reading;
    dodona_reader *reader;
    dodona_error err;
    dodona_train_options_init(&o);
    o.system = "covington-nm";
    o.oracle = "explore";
    o.algorithm = "pc";
    o.iterations = 4;
    o.explore_after = 2;
    o.explore_rate = 1;
    o.report = report;
    dodona_reader_options_init(&reading);
    assert_int_equal(dodona_reader_open(treebank, &reading, &reader, &err), 0);
    dodona_source source = { dodona_reader_pull, reader, treebank };
    int code = dodona_train(&o, &source, NULL, model, result, &err);
    dodona_reader_close(reader);
    return code;
}

static void ties_are_counted_across_interruptions(void **state)
{
    (void)state;
    char treebank[512], model[512];
    dodona_train_result whole, result;
    snprintf(treebank, sizeof treebank, "%s", test_scratch("ties.conllu"));
    snprintf(model, sizeof model, "%s", test_scratch("ties"));
    write_treebank(treebank);
    assert_int_equal(train(treebank, model, NULL, &whole), 0);
    assert_true(whole.tied > 0);
    unlink(model);
    assert_int_equal(train(treebank, model, stop_in_the_last, &result), DODONA_E_CANCELLED);
    assert_int_equal(train(treebank, model, NULL, &result), 0);
    assert_int_equal(result.resumed, 3);
    assert_int_equal(result.tied, whole.tied);
    unlink(model);
    unlink(treebank);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ties_are_counted_across_interruptions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
