/* SPDX-License-Identifier: MIT */
/* The public way to exact search: matrices and JSON give the same trees, and what is odd is taken
 * or refused as the header says.  That the trees are the best is tested in tests/chart. */
#include "core/rng.h"
#include "dodona_research.h"
#include "lib/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 9, LINE = 4000 };

static dodona_decoder *opened(const char *system, int one_root, int kbest)
{
    dodona_decode_options o;
    dodona_decoder *d;
    dodona_decode_options_init(&o);
    o.system = system;
    o.one_root = one_root;
    o.kbest = kbest;
    assert_int_equal(dodona_decoder_open(&o, &d, NULL), DODONA_OK);
    return d;
}

static void write_scores(char *line, const double *w, int m)
{
    size_t at = (size_t)sprintf(line, "{\"scores\":[");
    for (int x = 0; x < m * m; x++) {
        at += (size_t)sprintf(line + at, "%s", x % m ? "," : x ? "],[" : "[");
        at += (size_t)(w[x] == -INFINITY ? sprintf(line + at, "null")
                                         : sprintf(line + at, "%.17g", w[x]));
    }
    strcpy(line + at, "]]}");
}

static void write_tree(char *line, const int *heads, int n, double score)
{
    size_t at = (size_t)sprintf(line, "{\"heads\":[");
    for (int i = 0; i < n; i++)
        at += (size_t)sprintf(line + at, "%s%d", i ? "," : "", heads[i]);
    sprintf(line + at, "],\"score\":%.17g}", score);
}

/* Scores are multiples of 1/8, so that digits are few. */
static void both_ways_agree(void **state)
{
    (void)state;
    static const char *const systems[] = { "mst", "eisner", "arc-hybrid", "alls0s1", "all" };
    static char line[LINE], wanted[LINE];
    ddn_rng r;
    ddn_rng_init(&r, 1);
    for (int s = 0; s < 5; s++)
        for (int n = 1; n <= N; n++) {
            double w[(N + 1) * (N + 1)], score;
            int heads[N];
            dodona_text answer;
            dodona_decoder *d = opened(systems[s], n % 2, 0);
            for (int x = 0; x < (n + 1) * (n + 1); x++)
                w[x] = ddn_rng_below(&r, 6) ? (double)ddn_rng_below(&r, 100) / 8 - 5 : -INFINITY;
            int found = dodona_decode(d, n, w, heads, &score, NULL);
            strcpy(wanted, "{\"heads\":null,\"score\":null}");
            if (found)
                write_tree(wanted, heads, n, score);
            write_scores(line, w, n + 1);
            assert_int_equal(
                dodona_decoder_answer(d, (dodona_text){ line, strlen(line) }, &answer, NULL), 0);
            assert_int_equal(answer.size, strlen(wanted));
            assert_memory_equal(answer.data, wanted, answer.size);
            dodona_decoder_close(d);
        }
}

/* The marginals of a matrix by hand: log and shares over the trees that there are, listed. */
static void marginals(void **state)
{
    (void)state;
    /* Two words: 0->1->2, 0->2->1, and 0->1, 0->2. */
    const double no = -INFINITY, w[9] = { 0, 1, 0.5, 0, 0, 2, 0, -1, 0 };
    const double tree[3] = { exp(1 + 2), exp(0.5 - 1), exp(1 + 0.5) };
    const double all = tree[0] + tree[1] + tree[2];
    const double share[9] = { 0,
                              (tree[0] + tree[2]) / all,
                              (tree[1] + tree[2]) / all,
                              0,
                              0,
                              tree[0] / all,
                              0,
                              tree[1] / all,
                              0 };
    double got[9], total, only[4] = { 0, no, 0, 0 };
    dodona_decode_options o;
    dodona_decoder *d;
    dodona_error err;
    dodona_decode_options_init(&o);
    o.marginals = 1;
    assert_int_equal(dodona_decoder_open(&o, &d, NULL), DODONA_OK);
    assert_int_equal(dodona_decode_marginals(d, 2, w, got, &total, NULL), 1);
    assert_true(fabs(total - log(all)) < 1e-12);
    for (int i = 0; i < 9; i++)
        assert_true(fabs(got[i] - share[i]) < 1e-12);
    assert_int_equal(dodona_decode_marginals(d, 1, only, got, &total, NULL), 0);
    assert_int_equal(dodona_decode_marginals(d, 0, w, got, &total, NULL), 1);
    assert_true(total == 0 && got[0] == 0);
    assert_int_equal(dodona_decode_marginals(d, -1, w, got, &total, &err), DODONA_E_LIMIT);
    dodona_decoder_close(d);
    d = opened("mst", 0, 0);
    assert_int_equal(dodona_decode_marginals(d, 2, w, got, &total, &err), DODONA_E_ARGUMENT);
    dodona_decoder_close(d);
}

static void no_words(void **state)
{
    (void)state;
    double w = 0, score = 7;
    dodona_decoder *d = opened("alls0s1", 1, 0);
    assert_int_equal(dodona_decode(d, 0, &w, NULL, &score, NULL), 1);
    assert_true(score == 0);
    assert_int_equal(dodona_decode(d, -1, &w, NULL, &score, NULL), DODONA_E_LIMIT);
    dodona_decoder_close(d);
}

/* A caller that was compiled when the options were fewer. */
static void old_options(void **state)
{
    (void)state;
    dodona_decode_options o = { .size = offsetof(dodona_decode_options, kbest),
                                .system = "mst",
                                .kbest = -5 };
    dodona_decoder *d;
    assert_int_equal(dodona_decoder_open(&o, &d, NULL), DODONA_OK);
    dodona_decoder_close(d);
    o.size = sizeof o;
    assert_int_equal(dodona_decoder_open(&o, &d, NULL), DODONA_E_ARGUMENT);
    assert_null(d);
    o.kbest = DODONA_MAX_KBEST + 1;
    assert_int_equal(dodona_decoder_open(&o, &d, NULL), DODONA_E_ARGUMENT);
}

/* A sentence that is refused leaves the decoder usable. */
static void memory_limit(void **state)
{
    (void)state;
    double w[(N + 1) * (N + 1)] = { 0 }, score;
    int heads[N];
    dodona_error err;
    dodona_decode_options o;
    dodona_decoder *d;
    dodona_decode_options_init(&o);
    o.system = "alls0s1";
    o.memory = 10000;
    assert_int_equal(dodona_decoder_open(&o, &d, NULL), DODONA_OK);
    assert_int_equal(dodona_decode(d, N, w, heads, &score, &err), DODONA_E_LIMIT);
    assert_int_equal(dodona_decode(d, 3, w, heads, &score, &err), 1);
    assert_int_equal(dodona_decode(d, 100000, w, heads, &score, &err), DODONA_E_LIMIT);
    dodona_decoder_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways_agree), cmocka_unit_test(marginals),
        cmocka_unit_test(no_words),        cmocka_unit_test(old_options),
        cmocka_unit_test(memory_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
