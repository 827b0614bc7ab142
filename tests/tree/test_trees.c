/* SPDX-License-Identifier: MIT */
/* Lists of trees, their comments, and confidences in MISC. */
#include "io/conll.h"
#include "io/json_write.h"
#include "io/trees_write.h"
#include "lib/check.h"
#include "lib/memory.h"
#include "tree/trees.h"
#include <string.h>

static const char before[] = "# kbest = old\n"
                             "# text = a b\n"
                             "# kbestial\n"
                             "1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n"
                             "1\ta\t_\t_\t_\t_\t2\tx\t_\tSpaceAfter=No|Confidence=0.5\n"
                             "2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n"
                             "\n";

static void read(const char *from, ddn_sentence *s)
{
    test_memory m = { from, strlen(from), 0, 0 };
    ddn_input *in;
    ddn_conll_reader *r;
    assert_int_equal(ddn_input_callback(&in, test_memory_read, &m, "text", NULL), 0);
    assert_int_equal(ddn_conll_open(&r, in, DODONA_CONLLU, DODONA_CHECK_FORM, false, NULL), 0);
    assert_int_equal(ddn_conll_next(r, s, NULL), 1);
    ddn_conll_close(r);
}

static void put_json(ddn_output *o, const ddn_sentence *s)
{
    ddn_json_place place = { 0 };
    ddn_json_put(&place, o, s);
    ddn_json_place_fini(&place);
}

static void assert_written(const ddn_sentence *s, void (*put)(ddn_output *, const ddn_sentence *),
                           const char *expected)
{
    ddn_output o;
    ddn_output_memory(&o);
    put(&o, s);
    assert_int_equal(o.size, strlen(expected));
    assert_memory_equal(o.data, expected, o.size);
    ddn_output_abandon(&o);
}

static void add_two(ddn_sentence *s)
{
    const int32_t first[] = { -1, 2, 0 }, second[] = { -1, 0, 1 };
    const dodona_text a[] = { { "", 0 }, { "x", 1 }, { "root", 4 } };
    const dodona_text b[] = { { "", 0 }, { "root", 4 }, { "\"", 1 } };
    assert_int_equal(ddn_trees_add(s, 12, first, a, NULL), 0);
    assert_false(ddn_trees_have(s, second, b));
    assert_int_equal(ddn_trees_add(s, -0.5, second, b, NULL), 0);
    assert_true(ddn_trees_have(s, first, a));
    assert_true(ddn_trees_have(s, second, b));
    assert_false(ddn_trees_have(s, first, b));
    assert_false(ddn_trees_have(s, second, a));
}

static void comments_take_the_place_of_old_ones(void **state)
{
    (void)state;
    ddn_sentence s;
    ddn_sentence_init(&s);
    read(before, &s);
    add_two(&s);
    assert_int_equal(ddn_trees_comment(&s, NULL), 0);
    assert_written(&s, ddn_conll_put,
                   "# text = a b\n"
                   "# kbestial\n"
                   "# kbest = {\"score\":12,\"heads\":[2,0],\"deprels\":[\"x\",\"root\"]}\n"
                   "# kbest = {\"score\":-0.5,\"heads\":[0,1],\"deprels\":[\"root\",\"\\\"\"]}\n"
                   "1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n"
                   "1\ta\t_\t_\t_\t_\t2\tx\t_\tSpaceAfter=No|Confidence=0.5\n"
                   "2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n"
                   "\n");
    /* Words are still found where they are. */
    assert_true(ddn_text_is(ddn_sentence_column(&s, 1, DDN_FORM), "a"));
    assert_true(ddn_text_is(ddn_sentence_column(&s, 2, DDN_FORM), "b"));
    ddn_sentence_clear(&s);
    assert_int_equal(s.trees.count, 0);
    ddn_sentence_fini(&s);
}

static void json_has_a_list(void **state)
{
    (void)state;
    ddn_sentence s;
    ddn_sentence_init(&s);
    read("1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n", &s);
    add_two(&s);
    assert_written(&s, put_json,
                   "{\"words\":[{\"id\":1,\"form\":\"a\",\"head\":2,\"deprel\":\"x\"},"
                   "{\"id\":2,\"form\":\"b\",\"head\":0,\"deprel\":\"root\"}],"
                   "\"kbest\":[{\"score\":12,\"heads\":[2,0],\"deprels\":[\"x\",\"root\"]},"
                   "{\"score\":-0.5,\"heads\":[0,1],\"deprels\":[\"root\",\"\\\"\"]}]}\n");
    ddn_sentence_fini(&s);
}

static void confidence_joins_what_is_in_misc(void **state)
{
    (void)state;
    static const struct {
        const char *misc;
        double p;
        const char *expected;
    } cases[] = {
        { "_", 0.9734, "Confidence=0.973" },
        { "_", 1, "Confidence=1.000" },
        { "_", 0.9999, "Confidence=1.000" },
        { "_", 0, "Confidence=0.000" },
        { "SpaceAfter=No", 0.05, "SpaceAfter=No|Confidence=0.050" },
        { "Confidence=0.1", 0.5, "Confidence=0.500" },
        { "A=1|Confidence=0.1|B=2", 0.5, "A=1|B=2|Confidence=0.500" },
        { "MyConfidence=1", 0.5, "MyConfidence=1|Confidence=0.500" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ddn_sentence s;
        const double p[] = { 0, cases[i].p };
        const dodona_text col[DDN_COLUMNS] = {
            [DDN_FORM] = { "a", 1 },
            [DDN_MISC] = { cases[i].misc, strlen(cases[i].misc) },
        };
        ddn_sentence_init(&s);
        assert_int_equal(ddn_sentence_word(&s, col, NULL), 0);
        assert_int_equal(ddn_confidence_set(&s, p, NULL), 0);
        assert_true(s.confident && s.confidence[1] == cases[i].p);
        assert_true(ddn_text_is(ddn_sentence_column(&s, 1, DDN_MISC), cases[i].expected));
        ddn_sentence_fini(&s);
    }
}

static void confidence_goes(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "_", "_" },
        { "", "_" },
        { "SpaceAfter=No", "SpaceAfter=No" },
        { "Confidence=0.1", "_" },
        { "A=1|Confidence=0.1|B=2", "A=1|B=2" },
        { "Confidence=0.1|B=2", "B=2" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ddn_sentence s;
        const dodona_text col[DDN_COLUMNS] = {
            [DDN_FORM] = { "a", 1 },
            [DDN_MISC] = { cases[i][0], strlen(cases[i][0]) },
        };
        ddn_sentence_init(&s);
        assert_int_equal(ddn_sentence_word(&s, col, NULL), 0);
        assert_int_equal(ddn_confidence_set(&s, NULL, NULL), 0);
        assert_false(s.confident);
        assert_true(ddn_text_is(ddn_sentence_column(&s, 1, DDN_MISC), cases[i][1]));
        ddn_sentence_fini(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments_take_the_place_of_old_ones),
        cmocka_unit_test(json_has_a_list),
        cmocka_unit_test(confidence_joins_what_is_in_misc),
        cmocka_unit_test(confidence_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
