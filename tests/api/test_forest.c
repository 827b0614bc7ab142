/* SPDX-License-Identifier: MIT */
/* What a parse brings besides a tree, through the public headers: lists of trees, confidences and
 * forests agree with each other and with the tree; memory that runs out is reported and freed. */
#include "dodona_research.h"
#include "lib/alloc.h"
#include "lib/check.h"
#include "lib/files.h"
#include "lib/generated.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char model_path[256];
static dodona_model *model;
static double temperature, coverage;

static int train(const char *path, dodona_error *err)
{
    test_generated train, dev;
    dodona_train_options o;
    dodona_train_options_init(&o);
    o.search = "dp";
    o.templates = "huang";
    o.iterations = 3;
    o.nonprojective = "projectivize";
    test_generated_open(&train, 1, 0, 200);
    test_generated_open(&dev, 2, 0, 50);
    int code = dodona_train(&o, &train.source, &dev.source, path, NULL, err);
    test_generated_close(&train);
    test_generated_close(&dev);
    return code;
}

static double number(const char *key)
{
    dodona_text meta = dodona_model_metadata(model);
    char *copy = strndup(meta.data, meta.size);
    assert_non_null(copy);
    const char *at = strstr(copy, key);
    double value = at ? strtod(at + strlen(key), NULL) : 0;
    free(copy);
    return value;
}

static int train_model(void **state)
{
    (void)state;
    dodona_error err;
    snprintf(model_path, sizeof model_path, "%s", test_scratch("forest.model"));
    if (train(model_path, &err) < 0 || dodona_model_open(model_path, &model, &err) < 0)
        return -1;
    temperature = number("temperature: ");
    coverage = number("rival-coverage: ");
    return 0;
}

static int free_model(void **state)
{
    (void)state;
    dodona_model_free(model);
    return 0;
}

static dodona_workspace *open_workspace(int kbest, int confidence, int forest)
{
    dodona_workspace *ws;
    dodona_parse_options o;
    dodona_parse_options_init(&o);
    o.kbest = kbest;
    o.confidence = confidence;
    o.forest = forest;
    assert_int_equal(dodona_workspace_new(model, &o, &ws, NULL), 0);
    return ws;
}

static bool same(dodona_text a, dodona_text b)
{
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

/* The first tree stands in the columns, and scores fall. */
static void check_trees(const dodona_sentence *s, int kbest)
{
    int trees = dodona_sentence_trees(s), head;
    double score, last = 0;
    dodona_text deprel;
    assert_in_range(trees, 1, kbest);
    for (int k = 1; k <= trees; k++) {
        assert_int_equal(dodona_sentence_tree_score(s, k, &score), 0);
        assert_true(k == 1 || score <= last);
        last = score;
        for (int i = 1; i <= dodona_sentence_length(s); i++) {
            dodona_word w;
            assert_int_equal(dodona_sentence_get(s, i, &w), 0);
            assert_int_equal(dodona_sentence_tree_arc(s, k, i, &head, &deprel), 0);
            assert_true(k > 1 || (head == w.head && same(deprel, w.deprel)));
        }
    }
    assert_int_equal(dodona_sentence_tree_score(s, trees + 1, &score), DODONA_E_ARGUMENT);
    assert_int_equal(dodona_sentence_tree_score(s, 0, &score), DODONA_E_ARGUMENT);
    assert_int_equal(dodona_sentence_tree_arc(s, 1, 0, &head, &deprel), DODONA_E_ARGUMENT);
}

/* The forest lists the same trees. */
static void check_forest(dodona_forest *f, const dodona_sentence *s)
{
    dodona_error err;
    dodona_forest_tree tree;
    double score;
    if (dodona_forest_read(f, dodona_sentence_forest(s), &err) < 0)
        fail_msg("%s", err.message);
    for (int k = 1; k <= dodona_sentence_trees(s); k++) {
        assert_int_equal(dodona_forest_next(f, k == 1, &tree, NULL), 1);
        assert_int_equal(dodona_sentence_tree_score(s, k, &score), 0);
        assert_true(score == tree.score);
        for (int i = 1; i <= dodona_sentence_length(s); i++) {
            int head;
            dodona_text deprel;
            assert_int_equal(dodona_sentence_tree_arc(s, k, i, &head, &deprel), 0);
            assert_int_equal(head, tree.head[i]);
            assert_true(same(deprel, tree.deprel[i]));
        }
    }
}

/* Confidence is coverage times what the forest says, lowered by rivals, and stands in MISC. */
static void check_confidence(dodona_forest *f, const dodona_sentence *s)
{
    const dodona_forest_arc *arc;
    size_t arcs;
    assert_int_equal(dodona_forest_marginals(f, temperature, &arc, &arcs, NULL), 0);
    for (int i = 1; i <= dodona_sentence_length(s); i++) {
        dodona_word w;
        char text[32], misc[256];
        double p = dodona_sentence_confidence(s, i), q = -1;
        assert_int_equal(dodona_sentence_get(s, i, &w), 0);
        for (size_t k = 0; k < arcs; k++)
            if (arc[k].child == i && arc[k].head == w.head)
                q = arc[k].p;
        assert_true(p > 0 && p <= 1 && p <= coverage * q + 1e-9 && p > coverage * q / 4);
        snprintf(text, sizeof text, "Confidence=%.3f", p);
        snprintf(misc, sizeof misc, "%.*s", (int)w.misc.size, w.misc.data);
        assert_non_null(strstr(misc, text));
    }
    assert_true(dodona_sentence_confidence(s, 0) == -1);
}

static void a_parse_brings_what_was_asked_for(void **state)
{
    (void)state;
    enum { K = 7 };
    test_generated test;
    dodona_sentence *s = dodona_sentence_new();
    dodona_forest *f = dodona_forest_new();
    dodona_workspace *all = open_workspace(K, 1, 1), *none = open_workspace(0, 0, 0);
    assert_true(temperature > 0 && coverage > 0.5 && coverage <= 1);
    assert_true(s && f);
    test_generated_open(&test, 3, 0, 50);
    while (dodona_reader_next(test.reader, s, NULL) > 0) {
        if (dodona_sentence_length(s) == 0)
            continue;
        assert_int_equal(dodona_parse(all, s, NULL), 0);
        check_trees(s, K);
        check_forest(f, s);
        check_confidence(f, s);
        assert_int_equal(dodona_parse(none, s, NULL), 0);
        assert_int_equal(dodona_sentence_trees(s), 0);
        assert_int_equal(dodona_sentence_forest(s).size, 0);
        assert_true(dodona_sentence_confidence(s, 1) == -1);
    }
    test_generated_close(&test);
    dodona_workspace_free(all);
    dodona_workspace_free(none);
    dodona_forest_free(f);
    dodona_sentence_free(s);
}

/* Trees and confidences are those of the words that were parsed, whatever is added later. */
static void words_added_later_have_none(void **state)
{
    (void)state;
    enum { K = 5, PARSED = 3, ALL = 300 };
    dodona_sentence *s = dodona_sentence_new();
    dodona_workspace *ws = open_workspace(K, 1, 0);
    const dodona_word w = { .form = { "oaks", 4 }, .head = 1 };
    int head[K + 1][PARSED + 1], again;
    dodona_text deprel;
    assert_non_null(s);
    assert_null(dodona_sentence_fault(s));
    for (int i = 0; i < PARSED; i++)
        assert_int_equal(dodona_sentence_add(s, &w, NULL), 0);
    assert_int_equal(dodona_parse(ws, s, NULL), 0);
    int trees = dodona_sentence_trees(s);
    assert_in_range(trees, 2, K);
    for (int k = 1; k <= trees; k++)
        for (int i = 1; i <= PARSED; i++)
            assert_int_equal(dodona_sentence_tree_arc(s, k, i, &head[k][i], &deprel), 0);
    for (int i = PARSED; i < ALL; i++)
        assert_int_equal(dodona_sentence_add(s, &w, NULL), 0);
    assert_int_equal(dodona_sentence_trees(s), trees);
    for (int k = 1; k <= trees; k++) {
        for (int i = 1; i <= PARSED; i++) {
            assert_int_equal(dodona_sentence_tree_arc(s, k, i, &again, &deprel), 0);
            assert_int_equal(again, head[k][i]);
        }
        assert_int_equal(dodona_sentence_tree_arc(s, k, PARSED + 1, &again, &deprel),
                         DODONA_E_ARGUMENT);
    }
    assert_true(dodona_sentence_confidence(s, PARSED) >= 0);
    assert_true(dodona_sentence_confidence(s, PARSED + 1) == -1);
    dodona_writer *writer;
    assert_int_equal(dodona_writer_open("/dev/null", DODONA_JSON, &writer, NULL), 0);
    assert_int_equal(dodona_writer_put(writer, s, NULL), 0);
    assert_int_equal(dodona_writer_close(writer, NULL), 0);
    dodona_workspace_free(ws);
    dodona_sentence_free(s);
}

/* ---- Streams ---- */

typedef struct sink {
    uint64_t hash;
    int sentences;
} sink;

static void add_bytes(sink *k, const void *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        k->hash = (k->hash ^ ((const unsigned char *)data)[i]) * 0x100000001b3u;
}

static int take(void *ctx, dodona_sentence *s, dodona_error *err)
{
    sink *k = ctx;
    dodona_text line = dodona_sentence_forest(s);
    (void)err;
    k->sentences += line.size > 0;
    add_bytes(k, line.data, line.size);
    for (int i = 1; i <= dodona_sentence_trees(s); i++) {
        double score;
        assert_int_equal(dodona_sentence_tree_score(s, i, &score), 0);
        add_bytes(k, &score, sizeof score);
    }
    for (int i = 1; i <= dodona_sentence_length(s); i++) {
        double p = dodona_sentence_confidence(s, i);
        add_bytes(k, &p, sizeof p);
    }
    return 0;
}

static void streams_bring_it_in_order(void **state)
{
    (void)state;
    sink got[2] = { { 1, 0 }, { 1, 0 } };
    dodona_parse_options o;
    dodona_parse_options_init(&o);
    o.kbest = 3;
    o.confidence = o.forest = 1;
    for (int i = 0; i < 2; i++) {
        test_generated test;
        test_generated_open(&test, 4, 0, 300);
        o.threads = i ? 4 : 1;
        assert_int_equal(
            dodona_parse_stream(model, &o, test.source.pull, test.source.ctx, take, &got[i], NULL),
            0);
        test_generated_close(&test);
    }
    assert_int_equal(got[0].sentences, 300);
    assert_int_equal(got[1].sentences, 300);
    assert_true(got[0].hash == got[1].hash);
}

static void what_is_not_there_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *search;
        int kbest, confidence, forest;
        const char *why; /* NULL: it is there */
    } cases[] = {
        { NULL, DODONA_MAX_KBEST, 0, 0, NULL },
        { NULL, DODONA_MAX_KBEST + 1, 0, 0,
          "kbest is 10001; expected a whole number from 1 to 10000" },
        { NULL, -1, 0, 0, "kbest is -1; expected a whole number from 1 to 10000" },
        { "greedy", 1, 0, 0, "one tree" },
        { "greedy", 0, 1, 0, NULL },
        { "greedy", 0, 0, 1, "one tree" },
        { "greedy", 0, 0, 0, NULL },
        { "beam", 5, 0, 1, NULL },
        { "beam", 0, 1, 0, NULL },
        { "dp", 0, 1, 0, NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dodona_error err = { 0 };
        dodona_workspace *ws;
        dodona_parse_options o;
        dodona_parse_options_init(&o);
        o.search = cases[i].search;
        o.kbest = cases[i].kbest;
        o.confidence = cases[i].confidence;
        o.forest = cases[i].forest;
        int code = dodona_workspace_new(model, &o, &ws, &err);
        assert_int_equal(code, cases[i].why ? DODONA_E_ARGUMENT : 0);
        if (cases[i].why)
            assert_non_null(strstr(err.message, cases[i].why));
        dodona_workspace_free(ws);
    }
}

/* ---- Memory that runs out ---- */

static int parse_task(dodona_error *err)
{
    static const char *const forms[] = { "the", "oaks", "speak", "to", "us" };
    dodona_workspace *ws = NULL;
    dodona_parse_options o;
    dodona_parse_options_init(&o);
    o.kbest = 5;
    o.confidence = o.forest = 1;
    dodona_sentence *s = dodona_sentence_new();
    int code = s ? dodona_workspace_new(model, &o, &ws, err) : DODONA_E_MEMORY;
    for (int i = 0; i < 5 && code >= 0; i++) {
        dodona_word w = { .form = { forms[i], strlen(forms[i]) }, .head = -1 };
        code = dodona_sentence_add(s, &w, err);
    }
    if (code >= 0)
        code = dodona_parse(ws, s, err);
    dodona_workspace_free(ws);
    dodona_sentence_free(s);
    return code;
}

static char *line; /* a forest */

static int ask_task(dodona_error *err)
{
    const char *count;
    const dodona_forest_arc *arc;
    size_t arcs;
    dodona_text again;
    dodona_forest_tree tree;
    dodona_forest *f = dodona_forest_new();
    int code =
        f ? dodona_forest_read(f, (dodona_text){ line, strlen(line) }, err) : DODONA_E_MEMORY;
    if (code >= 0)
        code = dodona_forest_count(f, &count, err);
    for (int k = 0; k < 5 && code >= 0; k++)
        code = dodona_forest_next(f, k == 0, &tree, err);
    if (code >= 0)
        code = dodona_forest_marginals(f, 1, &arc, &arcs, err);
    if (code >= 0)
        code = dodona_forest_write(f, &again, err);
    dodona_forest_free(f);
    return code;
}

/* Every allocation fails in turn, and all that follow it. */
static void fail_each(int (*task)(dodona_error *err))
{
    bool failed = true;
    for (long k = 1; failed; k++) {
        dodona_error err = { 0 };
        long before = test_alloc_live();
        test_alloc_fail(k, true);
        int code = task(&err);
        failed = test_alloc_stop();
        assert_int_equal(test_alloc_live(), before);
        assert_true(failed ? code == DODONA_E_MEMORY : code >= 0);
    }
}

static void memory_runs_out(void **state)
{
    (void)state;
    dodona_workspace *ws = open_workspace(0, 0, 1);
    dodona_sentence *s = dodona_sentence_new();
    dodona_word w = { .form = { "oaks", 4 }, .head = -1 };
    for (int i = 0; i < 4; i++)
        assert_int_equal(dodona_sentence_add(s, &w, NULL), 0);
    assert_int_equal(dodona_parse(ws, s, NULL), 0);
    dodona_text forest = dodona_sentence_forest(s);
    line = strndup(forest.data, forest.size);
    assert_non_null(line);
    dodona_workspace_free(ws);
    dodona_sentence_free(s);
    fail_each(parse_task);
    fail_each(ask_task);
    free(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_parse_brings_what_was_asked_for),
        cmocka_unit_test(words_added_later_have_none),
        cmocka_unit_test(streams_bring_it_in_order),
        cmocka_unit_test(what_is_not_there_is_refused),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, train_model, free_model);
}
