/* SPDX-License-Identifier: MIT */
/* Every function of the public headers, with NULL for each pointer that may not be NULL, and with
 * numbers that are out of range: each answers as dodona.h says, and none crashes.  A function that
 * the headers declare and that is not called here fails the last test. */
#include "dodona_research.h"
#include "lib/check.h"
#include "lib/files.h"
#include "lib/generated.h"
#include "lib/memory.h"
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Which functions were called ---- */

enum { MOST = 400 };
static const char *called[MOST];
static int calls;

static void note(const char *name)
{
    for (int i = 0; i < calls; i++)
        if (strcmp(called[i], name) == 0)
            return;
    assert_true(calls < MOST);
    called[calls++] = name;
}

/* CALL(dodona_parse)(...) */
#define CALL(name) (note(#name), name)

/* A failure with a message, and the same without a place for the message. */
static dodona_error err;
#define REFUSES(name, ...)                                                                         \
    do {                                                                                           \
        err = (dodona_error){ 0 };                                                                 \
        int code_ = CALL(name)(__VA_ARGS__, &err);                                                 \
        if (code_ >= 0 || err.code != code_ || !err.message[0])                                    \
            fail_msg("%s(%s): code %d, message '%s'", #name, #__VA_ARGS__, code_, err.message);    \
        assert_int_equal(name(__VA_ARGS__, NULL), code_);                                          \
    } while (0)
/* A negative code from a function without messages. */
#define NEGATIVE(name, ...) assert_true(CALL(name)(__VA_ARGS__) < 0)

static const int numbers[] = { INT_MIN, -1, 0, 1, 2, 1000, INT_MAX };
#define EACH_NUMBER(i) for (int i##_at = 0, i; i##_at < 7 && (i = numbers[i##_at], true); i##_at++)

static dodona_model *model;
static dodona_text text;
static const dodona_text none = { NULL, 0 }, broken = { NULL, 7 };
static const dodona_word word = { .form = { "oaks", 4 }, .head = 0 };

static dodona_sentence *sentence_of(int words, int head)
{
    dodona_sentence *s = dodona_sentence_new();
    dodona_word w = word;
    assert_non_null(s);
    w.head = head;
    for (int i = 0; i < words; i++)
        assert_int_equal(dodona_sentence_add(s, &w, NULL), 0);
    return s;
}

static int nothing(void *ctx, dodona_sentence *s, dodona_error *e)
{
    (void)ctx;
    (void)s;
    (void)e;
    return 0;
}

static int take_nothing(void *ctx, const char *data, size_t size, dodona_error *e)
{
    (void)ctx;
    (void)data;
    (void)size;
    (void)e;
    return 0;
}

static const dodona_source empty = { nothing, NULL, "empty" };
static const dodona_source no_pull = { NULL, NULL, "no pull" }, no_name = { nothing, NULL, NULL };

/* ---- Errors, lists, options ---- */

static void errors_and_lists(void **state)
{
    (void)state;
    char buf[8] = "x";
    assert_string_equal(CALL(dodona_error_text)(NULL, buf, sizeof buf), "");
    assert_string_equal(dodona_error_text(NULL, NULL, 9), "");
    assert_string_equal(dodona_error_text(&err, buf, 0), "");
    assert_non_null(CALL(dodona_version)());
    static const char *(*const names[])(int) = {
        dodona_system_name,  dodona_system_about,  dodona_algorithm_name, dodona_algorithm_about,
        dodona_search_name,  dodona_search_about,  dodona_templates_name, dodona_decoder_name,
        dodona_learner_name, dodona_learner_about,
    };
    static const char *const their[] = {
        "dodona_system_name",     "dodona_system_about", "dodona_algorithm_name",
        "dodona_algorithm_about", "dodona_search_name",  "dodona_search_about",
        "dodona_templates_name",  "dodona_decoder_name", "dodona_learner_name",
        "dodona_learner_about",
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        note(their[k]);
        assert_non_null(names[k](0));
        EACH_NUMBER(i)
        assert_true((i >= 0 && i < 1000) || !names[k](i));
    }
    EACH_NUMBER(i)
    EACH_NUMBER(k)
    assert_true((i >= 0 && k >= 0) || CALL(dodona_algorithm_serves)(i, k) == 0);
    EACH_NUMBER(i)
    {
        assert_true((i >= 0 && i < 1000) || !CALL(dodona_train_option)(i));
        assert_true((i >= 0 && i < 1000) || !CALL(dodona_parse_option)(i));
        assert_true((i >= 0 && i < 1000) || !CALL(dodona_eval_option)(i));
    }
    CALL(dodona_train_options_init)(NULL);
    CALL(dodona_parse_options_init)(NULL);
    CALL(dodona_eval_options_init)(NULL);
    CALL(dodona_reader_options_init)(NULL);
    CALL(dodona_oracle_options_init)(NULL);
    CALL(dodona_decode_options_init)(NULL);
}

/* ---- Sentences ---- */

/* What can be asked of any sentence, NULL too, with any number. */
static void ask_everything(const dodona_sentence *s)
{
    int head, words = CALL(dodona_sentence_length)(s), trees = CALL(dodona_sentence_trees)(s);
    double score;
    dodona_word w;
    EACH_NUMBER(i)
    {
        assert_int_equal(CALL(dodona_sentence_get)(s, i, &w) == 0, i >= 1 && i <= words);
        assert_int_equal(CALL(dodona_sentence_tree_score)(s, i, &score) == 0, i >= 1 && i <= trees);
        double p = CALL(dodona_sentence_confidence)(s, i);
        assert_true(p == -1 || (p >= 0 && p <= 1 && i >= 1 && i <= words));
        EACH_NUMBER(k)
        assert_int_equal(CALL(dodona_sentence_tree_arc)(s, i, k, &head, &text) == 0,
                         i >= 1 && i <= trees && k >= 1 && k <= words);
        int status = CALL(dodona_sentence_comment)(s, i, &text);
        assert_true(status < 0 || i >= 0);
        dodona_token t = { .last = i };
        assert_int_equal(CALL(dodona_sentence_next_token)(s, &t), i >= 0 && i < words);
        NEGATIVE(dodona_sentence_get, s, i, NULL);
        NEGATIVE(dodona_sentence_tree_score, s, i, NULL);
        NEGATIVE(dodona_sentence_tree_arc, s, i, i, NULL, &text);
        NEGATIVE(dodona_sentence_tree_arc, s, i, i, &head, NULL);
        NEGATIVE(dodona_sentence_comment, s, i, NULL);
    }
    assert_int_equal(dodona_sentence_next_token(s, NULL), 0);
    assert_true(CALL(dodona_sentence_forest)(s).data != NULL);
    assert_true(!CALL(dodona_sentence_fault)(s) && !CALL(dodona_sentence_fallback)(s));
    assert_int_equal(CALL(dodona_sentence_is_bad)(s), 0);
    NEGATIVE(dodona_sentence_meta, s, NULL, &text);
    NEGATIVE(dodona_sentence_meta, s, "text", NULL);
}

static void sentences(void **state)
{
    (void)state;
    dodona_sentence *s = CALL(dodona_sentence_new)();
    dodona_parse_options o;
    dodona_workspace *ws;
    ask_everything(NULL);
    NEGATIVE(dodona_sentence_meta, NULL, "text", &text);
    ask_everything(s);
    REFUSES(dodona_sentence_add, NULL, &word);
    REFUSES(dodona_sentence_add, s, NULL);
    REFUSES(dodona_sentence_copy, NULL, s);
    REFUSES(dodona_sentence_copy, s, NULL);
    REFUSES(dodona_sentence_add_comment, NULL, none);
    REFUSES(dodona_sentence_add_comment, s, none);
    REFUSES(dodona_sentence_add_comment, s, broken);
    REFUSES(dodona_sentence_set_meta, NULL, "text", &none);
    REFUSES(dodona_sentence_set_meta, s, NULL, &none);
    REFUSES(dodona_sentence_set_meta, s, "text", &broken);
    assert_int_equal(dodona_sentence_set_meta(s, "text", &none, NULL), 0);
    EACH_NUMBER(i)
    {
        dodona_word w = { .form = broken, .lemma = broken, .head = i };
        assert_int_equal(dodona_sentence_add(s, &w, NULL) == 0, i >= -1 && i <= 1000);
    }
    ask_everything(s);
    CALL(dodona_sentence_clear)(s);
    CALL(dodona_sentence_clear)(NULL);
    CALL(dodona_sentence_free)(NULL);
    for (int i = 0; i < 3; i++)
        assert_int_equal(dodona_sentence_add(s, &word, NULL), 0);
    dodona_parse_options_init(&o);
    o.kbest = 2;
    o.confidence = o.forest = 1;
    assert_int_equal(dodona_workspace_new(model, &o, &ws, NULL), 0);
    assert_int_equal(dodona_parse(ws, s, NULL), 0);
    ask_everything(s);
    dodona_workspace_free(ws);
    dodona_sentence_free(s);
}

/* ---- Reading and writing ---- */

static void readers(void **state)
{
    (void)state;
    static const char data[] = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
    dodona_reader *r;
    dodona_sentence *s = dodona_sentence_new();
    dodona_reader_options o;
    int64_t lines[2];
    test_memory m = { data, sizeof data - 1, 0, 0 };
    REFUSES(dodona_format_find, NULL);
    REFUSES(dodona_reader_open, NULL, NULL, &r);
    REFUSES(dodona_reader_open, test_data("odd.conllu"), NULL, NULL);
    REFUSES(dodona_reader_open_callback, NULL, &m, "m", NULL, &r);
    REFUSES(dodona_reader_open_callback, test_memory_read, &m, "m", NULL, NULL);
    EACH_NUMBER(i)
    {
        dodona_reader_options_init(&o);
        o.check = (dodona_check)i;
        int status = dodona_reader_open_callback(test_memory_read, &m, "m", &o, &r, NULL);
        assert_int_equal(status == 0, i >= 0 && i <= 2);
        dodona_reader_close(r);
        dodona_reader_options_init(&o);
        o.format = (dodona_format)i;
        o.sentences = o.pieces = o.flush = o.replace = o.skip_bad = i;
        status = dodona_reader_open_callback(test_memory_read, &m, "m", &o, &r, NULL);
        assert_int_equal(status == 0, i >= 0 && i <= 2);
        dodona_reader_close(r);
    }
    o = (dodona_reader_options){ 0 }; /* of no size */
    assert_int_equal(dodona_reader_open_callback(test_memory_read, &m, NULL, &o, &r, NULL), 0);
    REFUSES(dodona_reader_next, NULL, s);
    REFUSES(dodona_reader_next, r, NULL);
    REFUSES(dodona_reader_pull, NULL, s);
    REFUSES(dodona_reader_pull, r, NULL);
    assert_int_equal(CALL(dodona_reader_bad)(NULL, &err), 0);
    assert_int_equal(dodona_reader_bad(r, NULL), 0);
    assert_int_equal(CALL(dodona_reader_replaced)(NULL, lines, 2), 0);
    assert_int_equal(dodona_reader_replaced(r, NULL, 2), 0);
    assert_int_equal(dodona_reader_replaced(r, lines, INT_MIN), 0);
    assert_int_equal(CALL(dodona_reader_bytes)(NULL), 0);
    CALL(dodona_reader_close)(NULL);
    dodona_reader_close(r);
    dodona_sentence_free(s);
}

static void writers(void **state)
{
    (void)state;
    dodona_writer *w;
    dodona_sentence *s = sentence_of(2, 1000); /* heads that are no words */
    REFUSES(dodona_writer_open, NULL, DODONA_CONLLU, &w);
    REFUSES(dodona_writer_open, "-", DODONA_CONLLU, NULL);
    REFUSES(dodona_writer_open_callback, NULL, NULL, DODONA_CONLLU, &w);
    REFUSES(dodona_writer_open_callback, take_nothing, NULL, DODONA_CONLLU, NULL);
    REFUSES(dodona_writer_open_memory, DODONA_CONLLU, NULL);
    for (int i = -1; i < 20; i++) {
        if (dodona_writer_open_memory((dodona_format)i, &w, NULL) < 0)
            continue;
        assert_in_range(i, 0, DODONA_DISPLACY);
        REFUSES(dodona_writer_put, NULL, s);
        REFUSES(dodona_writer_put, w, NULL);
        REFUSES(dodona_writer_push, NULL, s);
        REFUSES(dodona_writer_push, w, NULL);
        REFUSES(dodona_writer_compare, NULL, &empty, &empty);
        REFUSES(dodona_writer_compare, w, NULL, &empty);
        REFUSES(dodona_writer_compare, w, &empty, NULL);
        REFUSES(dodona_writer_compare, w, &no_pull, &empty);
        REFUSES(dodona_writer_compare, w, &empty, &no_name);
        EACH_NUMBER(k)
        {
            CALL(dodona_writer_terminal)(w, k, k);
            assert_int_equal(dodona_writer_put(w, s, NULL), 0);
        }
        REFUSES(dodona_writer_text, NULL, &text);
        REFUSES(dodona_writer_text, w, NULL);
        assert_int_equal(dodona_writer_text(w, &text, NULL), 0);
        dodona_writer_abandon(w);
    }
    REFUSES(dodona_writer_open_memory, (dodona_format)INT_MIN, &w);
    REFUSES(dodona_writer_open_memory, (dodona_format)INT_MAX, &w);
    CALL(dodona_writer_flush)(NULL, 1);
    dodona_writer_terminal(NULL, 80, 1);
    assert_int_equal(CALL(dodona_writer_close)(NULL, &err), 0);
    CALL(dodona_writer_abandon)(NULL);
    dodona_sentence_free(s);
}

/* ---- Models ---- */

static void models(void **state)
{
    (void)state;
    dodona_model *m;
    const char *name;
    uint64_t size;
    REFUSES(dodona_model_open, "no such model", &m);
    REFUSES(dodona_model_open, "", &m);
    REFUSES(dodona_model_open, NULL, NULL);
    if (CALL(dodona_model_open)(NULL, &m, &err) == 0) /* one is installed */
        dodona_model_free(m);
    else
        assert_non_null(strstr(err.message, "english.model"));
    REFUSES(dodona_model_open_from, "::/no/such/folder:", "none", &m);
    REFUSES(dodona_model_open_from, "", "none", NULL);
    REFUSES(dodona_models, NULL, NULL, NULL);
    REFUSES(dodona_model_open_memory, NULL, 100, "x", &m);
    REFUSES(dodona_model_open_memory, "x", 0, "x", &m);
    REFUSES(dodona_model_open_memory, "x", 1, NULL, &m);
    REFUSES(dodona_model_open_memory, "x", 1, "x", NULL);
    CALL(dodona_model_free)(NULL);
    assert_int_equal(CALL(dodona_model_steps)(NULL), 0);
    assert_int_equal(CALL(dodona_model_metadata)(NULL).size, 0);
    assert_int_equal(CALL(dodona_model_templates)(NULL).size, 0);
    EACH_NUMBER(i)
    {
        NEGATIVE(dodona_model_label, NULL, i, &text);
        NEGATIVE(dodona_model_label, model, i, NULL);
        NEGATIVE(dodona_model_section, NULL, i, &name, &size);
        NEGATIVE(dodona_model_section, model, i, NULL, &size);
        NEGATIVE(dodona_model_section, model, i, &name, NULL);
        if (i >= 0 && i < 1000)
            continue;
        NEGATIVE(dodona_model_label, model, i, &text);
        NEGATIVE(dodona_model_section, model, i, &name, &size);
    }
}

/* Options with one number out of range are refused, or taken and do no harm. */
static void try_options(dodona_sentence *s, int i)
{
    for (int k = 0; k < 12; k++) {
        dodona_parse_options o;
        dodona_workspace *ws;
        dodona_parse_options_init(&o);
        int *const field[12] = { &o.roots_many, &o.keep_deps,  &o.threads,  &o.beam,
                                 &o.kbest,      &o.confidence, &o.forest,   &o.exact_limit,
                                 &o.steps,      &o.keep,       &o.skip_bad, &o.roots_many };
        *field[k] = i;
        int status = dodona_workspace_new(model, &o, &ws, NULL);
        if (status == 0 && i < 1000)
            dodona_parse(ws, s, NULL);
        dodona_workspace_free(ws);
        if (status == 0 && i < 1000)
            dodona_parse_stream(model, &o, nothing, NULL, nothing, NULL, NULL);
    }
}

static void parsing(void **state)
{
    (void)state;
    dodona_workspace *ws;
    dodona_sentence *s = sentence_of(3, -1);
    dodona_parse_options o = { 0 }; /* of no size: the defaults */
    REFUSES(dodona_workspace_new, NULL, NULL, &ws);
    REFUSES(dodona_workspace_new, model, NULL, NULL);
    assert_int_equal(dodona_workspace_new(model, &o, &ws, NULL), 0);
    REFUSES(dodona_parse, NULL, s);
    REFUSES(dodona_parse, ws, NULL);
    int parsed;
    dodona_sentence *several[] = { s, NULL };
    REFUSES(dodona_parse_sentences, NULL, several, 1, &parsed);
    REFUSES(dodona_parse_sentences, ws, NULL, 1, &parsed);
    REFUSES(dodona_parse_sentences, ws, several, 2, &parsed);
    REFUSES(dodona_parse_sentences, ws, several, 1, NULL);
    REFUSES(dodona_parse_sentences, ws, several, -1, &parsed);
    REFUSES(dodona_parse_sentences, ws, several, INT_MIN, &parsed);
    assert_int_equal(dodona_parse_sentences(ws, NULL, 0, &parsed, NULL), 0);
    CALL(dodona_workspace_free)(NULL);
    dodona_workspace_free(ws);
    dodona_parse_options_init(&o);
    o.search = o.decoder = "none";
    REFUSES(dodona_workspace_new, model, &o, &ws);
    REFUSES(dodona_parse_stream, NULL, NULL, nothing, NULL, nothing, NULL);
    REFUSES(dodona_parse_stream, model, NULL, NULL, NULL, nothing, NULL);
    REFUSES(dodona_parse_stream, model, NULL, nothing, NULL, NULL, NULL);
    EACH_NUMBER(i)
    try_options(s, i);
    dodona_sentence_free(s);
    /* Given heads that are no words, or the word itself. */
    EACH_NUMBER(i)
    {
        if (i < -1 || i > 1000)
            continue;
        dodona_parse_options_init(&o);
        o.keep = 1;
        s = sentence_of(3, i);
        assert_int_equal(dodona_workspace_new(model, &o, &ws, NULL), 0);
        assert_int_equal(dodona_parse(ws, s, NULL) == 0, i == -1);
        dodona_workspace_free(ws);
        dodona_sentence_free(s);
    }
}

static void training(void **state)
{
    (void)state;
    const char *path = test_scratch("never.model");
    dodona_train_options o;
    REFUSES(dodona_train, NULL, NULL, NULL, path, NULL);
    REFUSES(dodona_train, NULL, &empty, NULL, NULL, NULL);
    REFUSES(dodona_train, NULL, &empty, NULL, path, NULL); /* no sentences */
    REFUSES(dodona_train, NULL, &no_pull, NULL, path, NULL);
    REFUSES(dodona_train, NULL, &no_name, NULL, path, NULL);
    REFUSES(dodona_train, NULL, &empty, &no_pull, path, NULL);
    for (int i = 0; dodona_train_option(i); i++) {
        const dodona_option *option = dodona_train_option(i);
        dodona_train_options_init(&o);
        void *field = (char *)&o + option->offset;
        switch (option->type) {
        case DODONA_OPTION_INT:
        case DODONA_OPTION_INDEX:
            *(int *)field = INT_MIN;
            break;
        case DODONA_OPTION_REAL:
            *(double *)field = NAN;
            break;
        case DODONA_OPTION_CHOICE:
        case DODONA_OPTION_STRING:
        case DODONA_OPTION_FILE:
            *(const char **)field = "no/such/thing";
            break;
        default:
            continue;
        }
        REFUSES(dodona_train, &o, &empty, NULL, path, NULL);
    }
}

/* ---- Scoring and figures ---- */

static void scoring(void **state)
{
    (void)state;
    dodona_scores *scores;
    dodona_metric metric;
    double percent, p;
    REFUSES(dodona_evaluate, NULL, NULL, &empty, NULL, &scores);
    REFUSES(dodona_evaluate, NULL, &empty, NULL, NULL, &scores);
    REFUSES(dodona_evaluate, NULL, &empty, &empty, NULL, NULL);
    REFUSES(dodona_evaluate, NULL, &no_pull, &empty, NULL, &scores);
    REFUSES(dodona_evaluate, NULL, &empty, &no_name, NULL, &scores);
    REFUSES(dodona_evaluate, NULL, &empty, &empty, &no_pull, &scores);
    REFUSES(dodona_evaluate_systems, NULL, &empty, NULL, 1, &scores);
    REFUSES(dodona_evaluate_systems, NULL, NULL, &empty, 1, &scores);
    REFUSES(dodona_evaluate_systems, NULL, &empty, &empty, 0, &scores);
    REFUSES(dodona_evaluate_systems, NULL, &empty, &empty, INT_MIN, &scores);
    REFUSES(dodona_evaluate_systems, NULL, &empty, &empty, 1, NULL);
    CALL(dodona_scores_free)(NULL);
    scores = NULL;
    test_generated gold, system;
    test_generated_open(&gold, 1, 0, 5);
    test_generated_open(&system, 1, 0, 5);
    assert_int_equal(dodona_evaluate(NULL, &gold.source, &system.source, NULL, &scores, NULL), 0);
    test_generated_close(&gold);
    test_generated_close(&system);
    for (int there = 0; there < 2; there++) {
        dodona_scores *s = there ? scores : NULL;
        EACH_NUMBER(i)
        EACH_NUMBER(k)
        {
            bool has = there && i == 1 && k >= 0 && k < DODONA_METRICS;
            assert_int_equal(CALL(dodona_scores_metric)(s, i, k, &metric) == 0, has);
            NEGATIVE(dodona_scores_metric, s, i, k, NULL);
        }
        EACH_NUMBER(i)
        {
            NEGATIVE(dodona_scores_find, s, i, NULL, &metric);
            NEGATIVE(dodona_scores_find, s, i, "LAS", NULL);
            assert_int_equal(dodona_scores_find(s, i, "LAS", &metric) == 0, there && i == 1);
            assert_true(CALL(dodona_scores_unlabelled)(s, i, NULL) < 0);
            assert_int_equal(dodona_scores_unlabelled(s, i, "word") >= 0, there && i == 1);
            NEGATIVE(dodona_scores_compare, s, i, "LAS", &percent, &p);
            NEGATIVE(dodona_scores_compare, s, i, NULL, &percent, &p);
        }
        NEGATIVE(dodona_scores_difference, s, "LAS", &percent, &p);
        NEGATIVE(dodona_scores_difference, s, NULL, &percent, &p);
        NEGATIVE(dodona_scores_difference, s, "LAS", NULL, &p);
        NEGATIVE(dodona_scores_difference, s, "LAS", &percent, NULL);
        REFUSES(dodona_scores_print, NULL, DODONA_TEXT, &text);
        REFUSES(dodona_scores_print, s, DODONA_TEXT, NULL);
        REFUSES(dodona_scores_print, s, (dodona_format)INT_MIN, &text);
    }
    dodona_scores_free(scores);
}

static void figures(void **state)
{
    (void)state;
    dodona_stats *stats = CALL(dodona_stats_new)();
    dodona_sentence *s = sentence_of(2, 1000);
    REFUSES(dodona_stats_add, NULL, s);
    REFUSES(dodona_stats_add, stats, NULL);
    assert_int_equal(dodona_stats_add(stats, s, NULL), 0);
    REFUSES(dodona_stats_print, NULL, "x", DODONA_TEXT, &text);
    REFUSES(dodona_stats_print, stats, NULL, DODONA_TEXT, &text);
    REFUSES(dodona_stats_print, stats, "x", DODONA_TEXT, NULL);
    EACH_NUMBER(i)
    REFUSES(dodona_stats_print, stats, "x", (dodona_format)i, &text);
    CALL(dodona_stats_free)(NULL);
    dodona_stats_free(stats);
    dodona_sentence_free(s);
}

/* ---- Research ---- */

static void projective_trees(void **state)
{
    (void)state;
    dodona_projectivizer *p = CALL(dodona_projectivizer_new)();
    dodona_sentence *s = sentence_of(2, 1000), *tree = sentence_of(2, 0);
    int kept;
    const char *count;
    REFUSES(dodona_projectivize, NULL, tree, 0);
    REFUSES(dodona_projectivize, p, NULL, 0);
    REFUSES(dodona_projectivize, p, s, 0);
    REFUSES(dodona_projectivize_count, NULL, tree, 0, &kept, &count);
    REFUSES(dodona_projectivize_count, p, NULL, 0, &kept, &count);
    REFUSES(dodona_projectivize_count, p, tree, 0, NULL, &count);
    REFUSES(dodona_projectivize_count, p, tree, 0, &kept, NULL);
    REFUSES(dodona_projectivize_count, p, s, 0, &kept, &count);
    REFUSES(dodona_pseudo_encode, NULL, tree, "head");
    REFUSES(dodona_pseudo_encode, p, NULL, "head");
    REFUSES(dodona_pseudo_encode, p, tree, NULL);
    REFUSES(dodona_pseudo_encode, p, tree, "none");
    REFUSES(dodona_pseudo_encode, p, s, "head");
    REFUSES(dodona_pseudo_decode, NULL, tree);
    REFUSES(dodona_pseudo_decode, p, NULL);
    REFUSES(dodona_pseudo_decode, p, s);
    EACH_NUMBER(i)
    assert_true(dodona_projectivize(p, tree, i, NULL) >= 0);
    CALL(dodona_projectivizer_free)(NULL);
    dodona_projectivizer_free(p);
    dodona_sentence_free(s);
    dodona_sentence_free(tree);
}

static void oracles(void **state)
{
    (void)state;
    static const char asked[] = "{\"heads\":[2,0],\"stack\":[0],\"buffer\":1,\"arcs\":[-1,-1]}";
    dodona_oracle *o;
    dodona_oracle_options options;
    REFUSES(dodona_oracle_open, NULL, NULL);
    EACH_NUMBER(i)
    {
        dodona_oracle_options_init(&options);
        options.limit = i;
        assert_int_equal(dodona_oracle_open(&options, &o, NULL) == 0, i >= 1);
        dodona_oracle_close(o);
    }
    for (int i = 0; i < 4; i++) {
        dodona_oracle_options_init(&options);
        *(i < 2 ? &options.system : &options.strategy) = i % 2 ? "none" : NULL;
        REFUSES(dodona_oracle_open, &options, &o);
    }
    options.algorithm = "none";
    REFUSES(dodona_oracle_open, &options, &o);
    assert_int_equal(CALL(dodona_oracle_open)(NULL, &o, NULL), 0);
    REFUSES(dodona_oracle_answer, NULL, ((dodona_text){ asked, sizeof asked - 1 }), &text);
    REFUSES(dodona_oracle_answer, o, ((dodona_text){ asked, sizeof asked - 1 }), NULL);
    REFUSES(dodona_oracle_answer, o, none, &text);
    REFUSES(dodona_oracle_answer, o, broken, &text);
    REFUSES(dodona_oracle_answer, o, ((dodona_text){ asked, 0 }), &text);
    CALL(dodona_oracle_close)(NULL);
    dodona_oracle_close(o);
}

static void coverage(void **state)
{
    (void)state;
    dodona_coverage *c;
    dodona_sentence *s = sentence_of(2, 1000);
    REFUSES(dodona_coverage_open, NULL, 0, NULL);
    REFUSES(dodona_coverage_open, "", 0, &c);
    REFUSES(dodona_coverage_open, ",", 0, &c);
    assert_int_equal(dodona_coverage_open(NULL, INT_MIN, &c, NULL), 0);
    REFUSES(dodona_coverage_add, NULL, s);
    REFUSES(dodona_coverage_add, c, NULL);
    REFUSES(dodona_coverage_add, c, s);
    REFUSES(dodona_coverage_print, NULL, "x", DODONA_TEXT, &text);
    REFUSES(dodona_coverage_print, c, NULL, DODONA_TEXT, &text);
    REFUSES(dodona_coverage_print, c, "x", DODONA_TEXT, NULL);
    EACH_NUMBER(i)
    REFUSES(dodona_coverage_print, c, "x", (dodona_format)i, &text);
    CALL(dodona_coverage_close)(NULL);
    dodona_coverage_close(c);
    dodona_sentence_free(s);
}

static void decoders(void **state)
{
    (void)state;
    dodona_decoder *d;
    dodona_decode_options o;
    int heads[2];
    double score, scores[9] = { 0 };
    REFUSES(dodona_decoder_open, NULL, NULL);
    EACH_NUMBER(i)
    {
        dodona_decode_options_init(&o);
        o.kbest = i;
        assert_int_equal(dodona_decoder_open(&o, &d, NULL) == 0, i >= 0 && i <= 1000);
        dodona_decoder_close(d);
        dodona_decode_options_init(&o);
        o.memory = i;
        assert_int_equal(dodona_decoder_open(&o, &d, NULL) == 0, i > 0);
        dodona_decoder_close(d);
    }
    o.memory = NAN;
    REFUSES(dodona_decoder_open, &o, &d);
    dodona_decode_options_init(&o);
    o.system = "none";
    REFUSES(dodona_decoder_open, &o, &d);
    o.system = NULL;
    REFUSES(dodona_decoder_open, &o, &d);
    assert_int_equal(dodona_decoder_open(NULL, &d, NULL), 0);
    REFUSES(dodona_decode, NULL, 2, scores, heads, &score);
    REFUSES(dodona_decode, d, 2, NULL, heads, &score);
    REFUSES(dodona_decode, d, 2, scores, NULL, &score);
    REFUSES(dodona_decode, d, 2, scores, heads, NULL);
    REFUSES(dodona_decode, d, -1, scores, heads, &score);
    REFUSES(dodona_decode, d, INT_MIN, scores, heads, &score);
    REFUSES(dodona_decode, d, INT_MAX, scores, heads, &score);
    static const double bad[] = { NAN, INFINITY, 2e100, -2e100 };
    for (int i = 0; i < 4; i++) {
        scores[5] = bad[i];
        REFUSES(dodona_decode, d, 2, scores, heads, &score);
    }
    scores[5] = -INFINITY;
    scores[4] = scores[0] = scores[3] = NAN; /* not read */
    assert_int_equal(dodona_decode(d, 2, scores, heads, &score, NULL), 1);
    assert_int_equal(dodona_decode(d, 0, NULL, NULL, &score, NULL), 1);
    double shares[9];
    REFUSES(dodona_decode_marginals, d, 2, scores, shares, &score); /* not opened with marginals */
    dodona_decoder_close(d);
    dodona_decode_options_init(&o);
    o.marginals = 1;
    assert_int_equal(dodona_decoder_open(&o, &d, NULL), 0);
    REFUSES(dodona_decode_marginals, NULL, 2, scores, shares, &score);
    REFUSES(dodona_decode_marginals, d, 2, NULL, shares, &score);
    REFUSES(dodona_decode_marginals, d, 2, scores, NULL, &score);
    REFUSES(dodona_decode_marginals, d, 2, scores, shares, NULL);
    REFUSES(dodona_decode_marginals, d, INT_MIN, scores, shares, &score);
    REFUSES(dodona_decode_marginals, d, INT_MAX, scores, shares, &score);
    scores[5] = NAN;
    REFUSES(dodona_decode_marginals, d, 2, scores, shares, &score);
    assert_int_equal(dodona_decode_marginals(d, 0, NULL, shares, &score, NULL), 1);
    REFUSES(dodona_decoder_answer, NULL, ((dodona_text){ "{\"scores\":[[0]]}", 16 }), &text);
    REFUSES(dodona_decoder_answer, d, ((dodona_text){ "{\"scores\":[[0]]}", 16 }), NULL);
    REFUSES(dodona_decoder_answer, d, none, &text);
    REFUSES(dodona_decoder_answer, d, broken, &text);
    CALL(dodona_decoder_close)(NULL);
    dodona_decoder_close(d);
}

/* A forest that is NULL, that was never read, or that could not be read. */
static void ask_no_forest(dodona_forest *f, const dodona_sentence *gold)
{
    dodona_forest_size size = { 1, 1, 1 };
    dodona_forest_tree tree;
    const dodona_forest_arc *arcs;
    const char *number;
    size_t count;
    int correct;
    CALL(dodona_forest_measure)(f, &size);
    assert_true(size.words == 0 && size.nodes == 0 && size.edges == 0);
    EACH_NUMBER(i)
    NEGATIVE(dodona_forest_word, f, i, &text);
    REFUSES(dodona_forest_write, f, &text);
    REFUSES(dodona_forest_count, f, &number);
    REFUSES(dodona_forest_oracle, f, gold, 0, &correct, &tree);
    REFUSES(dodona_forest_next, f, 0, &tree);
    REFUSES(dodona_forest_next, f, 1, &tree);
    REFUSES(dodona_forest_marginals, f, 1, &arcs, &count);
}

static void ask_forest(dodona_forest *f, const dodona_sentence *gold)
{
    static const double bad[] = { NAN, INFINITY, -1, 0, 1e-9, 1e300 };
    dodona_forest_tree tree;
    const dodona_forest_arc *arcs;
    size_t count;
    int correct;
    dodona_forest_measure(f, NULL);
    EACH_NUMBER(i)
    {
        NEGATIVE(dodona_forest_word, f, i, NULL);
        assert_int_equal(dodona_forest_word(f, i, &text) == 0, i == 1 || i == 2);
    }
    REFUSES(dodona_forest_write, f, NULL);
    REFUSES(dodona_forest_count, f, NULL);
    REFUSES(dodona_forest_oracle, f, NULL, 0, &correct, &tree);
    REFUSES(dodona_forest_oracle, f, gold, 0, NULL, &tree);
    REFUSES(dodona_forest_oracle, f, gold, 0, &correct, NULL);
    REFUSES(dodona_forest_next, f, 0, NULL);
    REFUSES(dodona_forest_marginals, f, 1, NULL, &count);
    REFUSES(dodona_forest_marginals, f, 1, &arcs, NULL);
    for (int i = 0; i < 6; i++)
        REFUSES(dodona_forest_marginals, f, bad[i], &arcs, &count);
    assert_int_equal(dodona_forest_oracle(f, gold, INT_MIN, &correct, &tree, NULL), 0);
}

static void forests(void **state)
{
    (void)state;
    static const char line[] =
        "{\"words\":[\"oaks\",\"oaks\"],\"labels\":[\"a\"],\"edges\":[0,0,0,1,1],\"left\":[1,0],"
        "\"right\":[2,3],\"score\":[5,7],\"head\":[2,0],\"child\":[1,2],\"label\":[0,0]}";
    dodona_forest *f = CALL(dodona_forest_new)();
    dodona_sentence *gold = sentence_of(2, 1000), *other = sentence_of(3, 0);
    dodona_forest_tree tree;
    int correct;
    REFUSES(dodona_forest_read, NULL, ((dodona_text){ line, sizeof line - 1 }));
    REFUSES(dodona_forest_read, f, none);
    REFUSES(dodona_forest_read, f, broken);
    ask_no_forest(NULL, gold);
    ask_no_forest(f, gold);
    assert_int_equal(dodona_forest_read(f, (dodona_text){ line, sizeof line - 1 }, NULL), 0);
    ask_forest(f, gold);
    REFUSES(dodona_forest_oracle, f, other, 0, &correct, &tree);
    REFUSES(dodona_forest_read, f, ((dodona_text){ line, sizeof line / 2 }));
    ask_no_forest(f, gold);
    CALL(dodona_forest_free)(NULL);
    dodona_forest_free(f);
    dodona_sentence_free(gold);
    dodona_sentence_free(other);
}

/* ---- All of them ---- */

static int check_header(const char *name)
{
    char path[4096];
    size_t size;
    int declared = 0;
    const char *source = getenv("DODONA_SOURCE");
    snprintf(path, sizeof path, "%s/include/%s", source ? source : ".", name);
    char *header = test_slurp(path, &size);
    for (const char *at = header; (at = strstr(at, "\nDODONA_API ")); declared++) {
        char function[80];
        const char *open = strchr(++at, '('), *begin = open;
        while (begin[-1] == '_' || (begin[-1] >= 'a' && begin[-1] <= 'z'))
            begin--;
        snprintf(function, sizeof function, "%.*s", (int)(open - begin), begin);
        int i = 0;
        while (i < calls && strcmp(called[i], function) != 0)
            i++;
        if (i == calls)
            fail_msg("%s declares %s, which is not called here", name, function);
    }
    free(header);
    return declared;
}

static void every_function_was_called(void **state)
{
    (void)state;
    assert_int_equal(check_header("dodona.h") + check_header("dodona_research.h"), calls);
}

static int train_model(void **state)
{
    (void)state;
    test_generated train, dev;
    dodona_train_options o;
    char path[4096];
    snprintf(path, sizeof path, "%s", test_scratch("arguments.model"));
    dodona_train_options_init(&o);
    o.search = "dp";
    o.templates = "huang";
    o.iterations = 1;
    o.nonprojective = "projectivize";
    test_generated_open(&train, 1, 0, 60);
    test_generated_open(&dev, 2, 0, 20);
    int code = dodona_train(&o, &train.source, &dev.source, path, NULL, NULL);
    test_generated_close(&train);
    test_generated_close(&dev);
    return code < 0 ? code : dodona_model_open(path, &model, NULL);
}

static int free_model(void **state)
{
    (void)state;
    dodona_model_free(model);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_and_lists),
        cmocka_unit_test(sentences),
        cmocka_unit_test(readers),
        cmocka_unit_test(writers),
        cmocka_unit_test(models),
        cmocka_unit_test(parsing),
        cmocka_unit_test(training),
        cmocka_unit_test(scoring),
        cmocka_unit_test(figures),
        cmocka_unit_test(projective_trees),
        cmocka_unit_test(oracles),
        cmocka_unit_test(coverage),
        cmocka_unit_test(decoders),
        cmocka_unit_test(forests),
        cmocka_unit_test(every_function_was_called),
    };
    return cmocka_run_group_tests(tests, train_model, free_model);
}
