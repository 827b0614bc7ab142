/* SPDX-License-Identifier: MIT */
/* Moves that replaced an arc, counted on one's fingers; and the four accuracies, likewise. */
#include "eval/scored.h"
#include "lib/files.h"
#include <unistd.h>

/* Gold: 1 <- 2 <- 0, 2 -> 3, 2 -> 4 (PUNCT).  Its second sentence is one word. */
static const char gold[] = "1\tOaks\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n"
                           "2\tspeak\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
                           "3\tloudly\t_\tADV\t_\t_\t2\tadvmod\t_\t_\n"
                           "4\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n"
                           "1\tYes\t_\tINTJ\t_\t_\t0\troot\t_\t_\n\n";

/* The moves of the first sentence, one a line, and of the second:
 *     1 -> 2                   arc
 *     2 -> 1 for 1 -> 2        replaces (a cycle was broken), gold
 *     3 -> 1 for 2 -> 1        replaces, harmful
 *     4 -> 1 for 3 -> 1        replaces, wrong by wrong
 *     2 -> 1 for 4 -> 1, 2->3  replaces, gold: not harmful, whatever else it took
 *     3 -> 4 for 2 -> 4        replaces, harmful; its child is punctuation
 *     3 -> 1 for 2 -> 4        the same, but here it is what was taken away
 *     0 -> 2                   arc
 *     nothing for 0 -> 2       makes no arc */
static const char trace[] =
    "{\"sentence\":1,\"words\":4,\"moves\":[{\"move\":\"shift\"},"
    "{\"move\":\"x\",\"made\":[[1,2,\"a\"]]},"
    "{\"move\":\"x\",\"made\":[[2,1,\"a\"]],\"removed\":[[1,2,\"a\"]]},"
    "{\"move\":\"x\",\"made\":[[3,1,\"a\"]],\"removed\":[[2,1,\"a\"]]},"
    "{\"move\":\"x\",\"made\":[[4,1,\"a\"]],\"removed\":[[3,1,\"a\"]]},"
    "{\"move\":\"x\",\"made\":[[2,1,\"a\"]],\"removed\":[[4,1,\"a\"],[2,3,\"a\"]]},"
    "{\"move\":\"x\",\"made\":[[3,4,\"a\"]],\"removed\":[[2,4,\"a\"]]},"
    "{\"move\":\"x\",\"made\":[[3,1,\"a\"]],\"removed\":[[2,4,\"a\"]]},"
    "{\"move\":\"x\",\"made\":[[0,2,\"a\"]]},"
    "{\"move\":\"x\",\"removed\":[[0,2,\"a\"]]}]}\n"
    "{\"sentence\":2,\"words\":1,\"moves\":[{\"move\":\"x\",\"made\":[[0,1,\"a\"]]}]}\n";

static const char *file_of(const char *text, size_t size)
{
    const char *path = test_scratch("trace");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
    return path;
}

static int count(ddn_evaluation *e, const char *system, const char *text, size_t size,
                 bool no_punct, dodona_error *err)
{
    ddn_eval_settings settings = { .analysis = true,
                                   .no_punct = no_punct,
                                   .trace = file_of(text, size) };
    int status = evaluate_texts(e, settings, gold, system, NULL, err);
    unlink(settings.trace);
    return status;
}

static void counted(const char *system, const char *text, bool no_punct, ddn_replaced want)
{
    ddn_evaluation e;
    assert_int_equal(count(&e, system, text, strlen(text), no_punct, NULL), 0);
    const ddn_replaced *r = &e.result[0].replaced;
    assert_true(e.result[0].traced);
    assert_int_equal(r->arcs, want.arcs);
    assert_int_equal(r->replacing, want.replacing);
    assert_int_equal(r->gold, want.gold);
    assert_int_equal(r->harmful, want.harmful);
    ddn_evaluation_fini(&e);
}

static void moves_by_hand(void **state)
{
    (void)state;
    counted(gold, trace, false, (ddn_replaced){ 9, 6, 2, 3 });
    counted(gold, trace, true, (ddn_replaced){ 8, 4, 2, 1 });
}

/* The system has cut "speak" in two: word 4 of its sentence is gold's 3, word 5 gold's 4, and its
 * words 2 and 3 are no gold words.  Nothing under or above those is gold. */
static void words_are_aligned(void **state)
{
    (void)state;
    static const char system[] = "1\tOaks\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n"
                                 "2\tspe\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
                                 "3\tak\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_\n"
                                 "4\tloudly\t_\tADV\t_\t_\t2\tadvmod\t_\t_\n"
                                 "5\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_\n"
                                 "6\tYes\t_\tINTJ\t_\t_\t2\tdep\t_\t_\n\n";
    /* 6 is the root of a gold sentence, so 0 -> 6 is gold. */
    static const char moves[] =
        "{\"words\":6,\"moves\":[{\"made\":[[2,1]]},{\"made\":[[4,1]],\"removed\":[[2,1]]},"
        "{\"made\":[[0,2]],\"removed\":[[1,2]]},{\"made\":[[0,6]],\"removed\":[[2,6]]},"
        "{\"made\":[[2,6]],\"removed\":[[0,6]]},{\"made\":[[1,3]],\"removed\":[[2,3]]}]}";
    counted(system, moves, false, (ddn_replaced){ 6, 5, 1, 1 });
    counted(system, moves, true, (ddn_replaced){ 5, 4, 1, 1 }); /* 3 calls itself PUNCT */
}

static void bad_traces(void **state)
{
    (void)state;
    size_t first = (size_t)(strchr(trace, '\n') - trace) + 1;
    static const char three[] = "{\"words\":3,\"moves\":[]}\n";
    char more[4096];
    snprintf(more, sizeof more, "%s%s", trace, three);
    const struct {
        const char *text;
        size_t size;
        int64_t line;
        const char *says;
    } bad[] = {
        { trace, first, 2, "ends here" },
        { trace, 0, 1, "ends here" },
        { three, strlen(three), 1, "another sentence" },
        { more, strlen(more), 3, "more sentences" },
        { "x\n", 2, 1, "not JSON" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ddn_evaluation e;
        dodona_error err = { 0 };
        assert_int_equal(count(&e, gold, bad[i].text, bad[i].size, false, &err), DODONA_E_INPUT);
        assert_int_equal(err.line, bad[i].line);
        assert_true(err.file[0]);
        if (!strstr(err.message, bad[i].says))
            fail_msg("%s", err.message);
        ddn_evaluation_fini(&e);
    }
}

/* ---- The accuracies of Huang & Sagae ---- */

static void sentence(written *w, int n, const char *const *upos, const int *head)
{
    for (int i = 0; i < n; i++)
        add(w, "%d\tw\t_\t%s\t_\t_\t%d\tdep\t_\t_\n", i + 1, upos[i], head[i]);
    add(w, "\n");
}

/* Four sentences of gold and system:
 *     A    X X X .   2 0 2 2     2 0 2 3     wrong at "." alone
 *     B    X X X     0 1 2       0 1 1       one wrong word, the root is right
 *     C    X X       2 0         0 1         the root is wrong, and so is every word
 *     D    . .       0 1         0 1         nothing but punctuation, all right
 * word 4 + 3 + 2 + 2 = 11, of which 3 + 2 + 0 + 2 = 7; non-root 7, of which 2 + 1 + 0 + 1; root 3
 * of 4; complete D.  Without punctuation word 8, of which 3 + 2; non-root 2 + 2 + 1, of which 2 +
 * 1; root A and B of three; complete A of three. */
static void four_accuracies(void **state)
{
    (void)state;
    static const char *const x[] = { "X", "X", "X", "PUNCT" }, *const dots[] = { "PUNCT", "PUNCT" };
    written g = { 0 }, s = { 0 };
    sentence(&g, 4, x, (int[]){ 2, 0, 2, 2 });
    sentence(&s, 4, x, (int[]){ 2, 0, 2, 3 });
    sentence(&g, 3, x, (int[]){ 0, 1, 2 });
    sentence(&s, 3, x, (int[]){ 0, 1, 1 });
    sentence(&g, 2, x, (int[]){ 2, 0 });
    sentence(&s, 2, x, (int[]){ 0, 1 });
    sentence(&g, 2, dots, (int[]){ 0, 1 });
    sentence(&s, 2, dots, (int[]){ 0, 1 });
    static const int64_t want[2][DDN_ACCURACIES][2] = {
        { { 7, 11 }, { 4, 7 }, { 3, 4 }, { 1, 4 } },
        { { 5, 8 }, { 3, 5 }, { 2, 3 }, { 1, 3 } },
    };
    for (int no_punct = 0; no_punct < 2; no_punct++) {
        ddn_evaluation e;
        ddn_eval_settings settings = { .no_punct = no_punct };
        assert_int_equal(evaluate_texts(&e, settings, g.data, s.data, NULL, NULL), 0);
        for (int k = 0; k < DDN_ACCURACIES; k++) {
            assert_int_equal(e.result[0].accuracy[k].right, want[no_punct][k][0]);
            assert_int_equal(e.result[0].accuracy[k].total, want[no_punct][k][1]);
        }
        ddn_evaluation_fini(&e);
    }
    free(g.data);
    free(s.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_by_hand),
        cmocka_unit_test(words_are_aligned),
        cmocka_unit_test(bad_traces),
        cmocka_unit_test(four_accuracies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
