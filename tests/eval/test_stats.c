/* SPDX-License-Identifier: MIT */
/* Figures of five small sentences, counted by hand; the share of non-projective trees in real
 * treebanks, counted by other programs. */
#include "eval/stats.h"

#include "io/conll.h"
#include "lib/check.h"
#include "lib/files.h"
#include <stdio.h>
#include <stdlib.h>

/* Heads 2 0 2, with the range 1-2 and the empty node 3.1; 3 0 2, where the arc 3 -> 1 covers the
 * root; 5 5 1 2 0, where {1, 3} and {2, 4} interleave; no tree; two roots. */
static const char text[] = "# a comment\n"
                           "1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n"
                           "1\ta\t_\tDET\t_\t_\t2\tdet\t_\t_\n"
                           "2\tb\t_\tNOUN\t_\t_\t0\troot\t_\t_\n"
                           "3\tc\t_\tX\t_\t_\t2\tde\"p\t_\t_\n"
                           "3.1\td\t_\t_\t_\t_\t_\t_\t_\t_\n"
                           "\n"
                           "1\ta\t_\tX\t_\t_\t3\tdet\t_\t_\n"
                           "2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n"
                           "3\tc\t_\tX\t_\t_\t2\tnmod\t_\t_\n"
                           "\n"
                           "1\ta\t_\tX\t_\t_\t5\tnmod\t_\t_\n"
                           "2\tb\t_\tX\t_\t_\t5\tnmod\t_\t_\n"
                           "3\tc\t_\tX\t_\t_\t1\tnmod\t_\t_\n"
                           "4\td\t_\tX\t_\t_\t2\tnmod\t_\t_\n"
                           "5\te\t_\tX\t_\t_\t0\troot\t_\t_\n"
                           "\n"
                           "1\ta\t_\tX\t_\t_\t2\tdet\t_\t_\n"
                           "2\tb\t_\tX\t_\t_\t1\tdet\t_\t_\n"
                           "\n"
                           "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n"
                           "2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n"
                           "\n"
                           "# the end\n";

/* All sentences of an input, which it takes. */
static void gather(ddn_stats *stats, ddn_input *take_in, bool skip_bad)
{
    ddn_conll_reader *reader;
    ddn_sentence s;
    dodona_error err;
    int code;
    ddn_stats_init(stats);
    ddn_sentence_init(&s);
    assert_int_equal(
        ddn_conll_open(&reader, take_in, DODONA_CONLLU, DODONA_CHECK_FORM, skip_bad, &err), 0);
    while ((code = ddn_conll_next(reader, &s, &err)) == 1)
        assert_int_equal(ddn_stats_add(stats, &s, &err), 0);
    assert_int_equal(code, 0);
    ddn_conll_close(reader);
    ddn_sentence_fini(&s);
}

typedef struct bytes {
    const char *at;
    size_t left;
} bytes;

static ptrdiff_t read_bytes(void *ctx, char *buf, size_t size, dodona_error *err)
{
    (void)err;
    bytes *b = ctx;
    size_t take = b->left < size ? b->left : size;
    memcpy(buf, b->at, take);
    b->at += take;
    b->left -= take;
    return (ptrdiff_t)take;
}

static void gather_text(ddn_stats *stats, const char *from, bool skip_bad)
{
    bytes b = { from, strlen(from) };
    ddn_input *in;
    assert_int_equal(ddn_input_callback(&in, read_bytes, &b, "text", NULL), 0);
    gather(stats, in, skip_bad);
}

static int64_t count_of(const ddn_stats_names *t, const char *name)
{
    uint32_t id = ddn_intern_find(&t->name, name, strlen(name));
    return id == DDN_INTERN_NONE ? 0 : t->count[id];
}

static void by_hand(void **state)
{
    (void)state;
    ddn_stats s;
    gather_text(&s, text, false);
    assert_int_equal(s.sentences, 5);
    assert_int_equal(s.words, 15);
    assert_int_equal(ddn_stats_tokens(&s), 14);
    assert_int_equal(s.ranges, 1);
    assert_int_equal(s.empty, 1);
    assert_int_equal(s.longest, 5);
    assert_int_equal(s.not_trees, 1);
    assert_int_equal(s.trees, 4);
    assert_int_equal(s.nonprojective, 2);
    assert_int_equal(s.nonplanar, 1);
    assert_int_equal(s.ill_nested, 1);
    assert_int_equal(s.not_one_endpoint, 0);
    assert_int_equal(s.not_one_root, 1);
    assert_int_equal(s.gap_degree[0], 2);
    assert_int_equal(s.gap_degree[1], 2);
    assert_int_equal(s.edge_degree[0], 2);
    assert_int_equal(s.edge_degree[1], 2);
    assert_int_equal(s.nonprojective_arcs, 1 + 2);
    assert_int_equal(s.crossing_arcs, 3);
    assert_int_equal(s.crossings, 2);
    assert_int_equal(s.arcs, 2 + 2 + 4);
    assert_int_equal(s.lengths, (1 + 1) + (2 + 1) + (4 + 3 + 2 + 2));
    assert_int_equal(s.farthest, 4);
    assert_int_equal(s.length[1], 3);
    assert_int_equal(s.depths, 2 + 3 + 3 + 1);
    assert_int_equal(s.deepest, 3);
    assert_int_equal(count_of(&s.label, "root"), 5);
    assert_int_equal(count_of(&s.label, "det"), 4);
    assert_int_equal(count_of(&s.label, "nmod"), 5);
    assert_int_equal(count_of(&s.upos, "X"), 13);
    ddn_stats_fini(&s);
}

/* Words that stand between a word and its only child, each of them below the root behind: as many
 * parts of the tree that the arc spans.  Words that stand in turn below the first word and below
 * the second, the root: as many gaps below the first. */
static void degrees_are_binned(void **state)
{
    (void)state;
    for (int degree = 0; degree < 8; degree++)
        for (int gaps = 0; gaps < 2; gaps++) {
            char rows[1000], *at = rows;
            int n = gaps ? 2 * degree + 2 : degree + 3, bin = degree < 3 ? degree : 3;
            for (int i = 1; i <= n; i++) {
                int root = gaps ? 2 : n, head = i == n - 1 && !gaps ? 1 : root;
                if (gaps && i > 1 && i % 2)
                    head = 1;
                at += sprintf(at, "%d\tw\t_\tX\t_\t_\t%d\tx\t_\t_\n", i, i == root ? 0 : head);
            }
            strcpy(at, "\n");
            ddn_stats s;
            gather_text(&s, rows, false);
            assert_int_equal(s.trees, 1);
            for (int k = 0; k < DDN_STATS_DEGREES; k++)
                assert_int_equal((gaps ? s.gap_degree : s.edge_degree)[k], k == bin);
            ddn_stats_fini(&s);
        }
}

/* ddn_output in memory as a string, to be freed. */
static char *written(const ddn_stats *s, bool json)
{
    ddn_output o;
    ddn_output_memory(&o);
    ddn_stats_put(&o, s, "a\\b", json);
    ddn_put(&o, "", 1);
    char *copy = malloc(o.size);
    assert_non_null(copy);
    memcpy(copy, o.data, o.size);
    assert_int_equal(ddn_output_close(&o, NULL), 0);
    return copy;
}

static void as_json(void **state)
{
    (void)state;
    ddn_stats s;
    gather_text(&s, text, false);
    char *json = written(&s, true);
    assert_string_equal(
        json, "{\"file\":\"a\\\\b\",\"sentences\":5,\"words\":15,\"tokens\":14,"
              "\"multiword_tokens\":1,\"empty_nodes\":1,\"not_trees\":1,\"trees\":4,"
              "\"not_one_root\":1,\"nonprojective\":2,\"nonplanar\":1,\"not_one_endpoint\":0,"
              "\"ill_nested\":1,\"arcs\":8,\"nonprojective_arcs\":3,\"crossing_arcs\":3,"
              "\"crossing_pairs\":2,\"nonprojective_percent\":50.00,\"mean_words\":3.00,"
              "\"max_words\":5,\"mean_depth\":2.25,\"max_depth\":3,\"mean_arc_length\":2.00,"
              "\"max_arc_length\":4,\"gap_degrees\":[2,2,0,0],\"edge_degrees\":[2,2,0,0],"
              "\"arc_lengths\":[3,3,1,1,0,0,0,0,0,0],"
              "\"labels\":{\"nmod\":5,\"root\":5,\"det\":4,\"de\\\"p\":1},"
              "\"upos\":{\"X\":13,\"DET\":1,\"NOUN\":1}}\n");
    free(json);
    ddn_stats_fini(&s);
}

static void as_table(void **state)
{
    (void)state;
    ddn_stats s;
    gather_text(&s, text, false);
    char *table = written(&s, false);
    assert_non_null(strstr(table, "sentences                              5\n"));
    assert_non_null(strstr(table, "  not projective                       2   50.00%\n"));
    assert_non_null(strstr(table, "depth of a tree                     2.25   at most 3\n"));
    assert_non_null(strstr(table, "  3+                                   0\n"));
    assert_non_null(strstr(table, "  10+                                  0\n"));
    assert_non_null(strstr(table, "  root                                 5   33.33%\n"));
    free(table);
    ddn_stats_fini(&s);
}

static void nothing(void **state)
{
    (void)state;
    ddn_stats s;
    gather_text(&s, "", false);
    char *json = written(&s, true);
    assert_non_null(strstr(json, "\"sentences\":0,"));
    assert_non_null(strstr(json, "\"mean_words\":0.00,"));
    assert_non_null(strstr(json, "\"labels\":{},\"upos\":{}}\n"));
    free(json);
    ddn_stats_fini(&s);
}

/* A bad sentence is one, though nothing is known of it. */
static void bad_sentences(void **state)
{
    (void)state;
    ddn_stats s;
    gather_text(&s, "1\ta\n\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n", true);
    assert_int_equal(s.sentences, 2);
    assert_int_equal(s.not_trees, 1);
    assert_int_equal(s.trees, 1);
    assert_int_equal(s.words, 1);
    ddn_stats_fini(&s);
}

/* Sentences, words and the percentage of non-projective trees, as they are known for these files
 * from elsewhere. */
static void treebanks(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        int64_t sentences, words;
        double percent;
    } known[] = {
        { "en_ewt/train.conllu", 12544, 204577, 2.3 },
        { "fr_sequoia/train.conllu", 2231, 50543, 2.7 },
        { "it_partut/train.conllu", 1781, 48934, 3.0 },
        { "el_gdt/train.conllu", 1662, 42326, 11.7 },
        { "cu_proiel/train.conllu", 4123, 37432, 19.8 },
        { "got_proiel/train.conllu", 3387, 35024, 21.6 },
        { "hu_szeged/train.conllu", 910, 20166, 25.7 },
        { "tr_imst/train.conllu", 3685, 38082, 11.4 },
        { "af_afribooms/train.conllu", 1315, 33894, 22.2 },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *path = test_treebank(known[i].file);
        if (!path) {
            print_message("skipped: %s is not here\n", known[i].file);
            continue;
        }
        ddn_stats s;
        ddn_input *in;
        assert_int_equal(ddn_input_open(&in, path, NULL), 0);
        gather(&s, in, false);
        assert_int_equal(s.sentences, known[i].sentences);
        assert_int_equal(s.words, known[i].words);
        assert_int_equal(s.not_trees, 0);
        double percent = 100.0 * (double)s.nonprojective / (double)s.trees;
        print_message("%s: %.2f%% non-projective\n", known[i].file, percent);
        assert_true(percent > known[i].percent - 0.05 && percent < known[i].percent + 0.05);
        ddn_stats_fini(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),   cmocka_unit_test(degrees_are_binned),
        cmocka_unit_test(as_json),   cmocka_unit_test(as_table),
        cmocka_unit_test(nothing),   cmocka_unit_test(bad_sentences),
        cmocka_unit_test(treebanks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
