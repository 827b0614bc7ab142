/* SPDX-License-Identifier: MIT */
/* Memory that runs out: every task is done again and again, and each time one allocation later
 * fails, alone or with all that follow.  Nothing may crash, leak, succeed all the same or leave a
 * file behind, and the task must say that memory was the reason. */
#include "dodona.h"
#include "dodona_research.h"
#include "lib/alloc.h"
#include "lib/check.h"
#include "lib/files.h"
#include "lib/grammar.h"
#include "lib/memory.h"
#include "search/search.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *train_text, *dev_text, *raw_text;
static char model_path[256], out_path[256], trace_path[256], templates_path[256];
static char exact_model_path[256], pipeline_path[256], arcs_path[256], moves_path[256];
static uint64_t wanted; /* a hash of the model that training must lead to */

/* Sentences as CoNLL-U, made while nothing fails. */
static char *generate(uint64_t seed, int sentences, int nonprojective)
{
    static ddn_grammar g;
    size_t size = 0;
    char *all = calloc(1, (size_t)sentences * DDN_GRAMMAR_BYTES);
    if (!all)
        abort();
    ddn_grammar_init(&g, seed, nonprojective, sentences);
    while (ddn_grammar_next(&g)) {
        memcpy(all + size, g.text, g.size);
        size += g.size;
    }
    return all;
}

static int open_text(const char *text, test_memory *m, dodona_reader **r, dodona_error *err)
{
    *m = (test_memory){ text, strlen(text), 0, 0 };
    return dodona_reader_open_callback(test_memory_read, m, "text", NULL, r, err);
}

/* Files in the scratch folder whose names are not those of the model: half-written ones. */
static int strangers(void)
{
    char folder[256];
    snprintf(folder, sizeof folder, "%s", test_scratch("."));
    DIR *d = opendir(folder);
    int count = 0;
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        count += strncmp(e->d_name, ".dodona", 7) == 0;
    closedir(d);
    return count;
}

/* Does the task with every allocation failing in turn, until none does any more. */
static void fail_each(const char *name, int (*task)(dodona_error *err), void (*after)(int code))
{
    for (int on = 0; on <= 1; on++) {
        long k = 1;
        for (bool failed = true; failed; k++) {
            dodona_error err = { 0 };
            long before = test_alloc_live();
            test_alloc_fail(k, on);
            int code = task(&err);
            failed = test_alloc_stop();
            if (test_alloc_live() != before)
                fail_msg("%s: %ld blocks leak after allocation %ld", name,
                         test_alloc_live() - before, k);
            if (failed ? code != DODONA_E_MEMORY || err.code != code || !err.message[0] : code != 0)
                fail_msg("%s: code %d (%s) after allocation %ld", name, code, err.message, k);
            assert_int_equal(strangers(), 0);
            if (after)
                after(code);
        }
        assert_true(k > 3);
        print_message("%s: %ld allocations\n", name, k - 2);
    }
}

/* ---- The tasks ---- */

static const char *search_name = "greedy";

static bool is_exact(void)
{
    return strcmp(search_name, "exact") == 0;
}

static int parse_task(dodona_error *err)
{
    dodona_parse_options o;
    dodona_parse_options_init(&o);
    o.search = search_name;
    o.keep = 1;
    static const char *const forms[] = { "the", "oaks", "speak", "to", "us" };
    dodona_model *m = NULL;
    dodona_workspace *ws = NULL;
    dodona_sentence *s = NULL;
    int code = dodona_model_open(is_exact() ? exact_model_path : model_path, &m, err);
    if (code >= 0)
        code = dodona_workspace_new(m, &o, &ws, err);
    if (code >= 0 && !(s = dodona_sentence_new())) {
        *err = (dodona_error){ .code = DODONA_E_MEMORY, .message = "no sentence" };
        code = DODONA_E_MEMORY;
    }
    for (int i = 0; i < 5 && code >= 0; i++) {
        dodona_word w = { .form = { forms[i], strlen(forms[i]) }, .head = -1 };
        code = dodona_sentence_add(s, &w, err);
    }
    for (int i = 0; i < 2 && code >= 0; i++)
        code = dodona_parse(ws, s, err); /* the second time all heads are given */
    dodona_sentence_free(s);
    dodona_workspace_free(ws);
    dodona_model_free(m);
    return code;
}

static int decode_task(dodona_error *err)
{
    static const char scores[] = "{\"scores\":[[0,1,2,3],[4,5,6,7],[8,9,1,2],[3,4,5,6]]}";
    dodona_decode_options o;
    dodona_decoder *d = NULL;
    dodona_text answer;
    dodona_decode_options_init(&o);
    o.kbest = 3;
    o.marginals = 1;
    int code = dodona_decoder_open(&o, &d, err);
    if (code >= 0)
        code = dodona_decoder_answer(d, (dodona_text){ scores, sizeof scores - 1 }, &answer, err);
    dodona_decoder_close(d);
    return code;
}

static const char *system_name;

/* Exact search carries scores of arcs, and in the Attardi family of moves. */
static const char *templates_for(void)
{
    if (!is_exact())
        return templates_path;
    return strcmp(system_name, "alls0s1") == 0 ? moves_path : arcs_path;
}

static int train_task(dodona_error *err)
{
    test_memory m, d;
    dodona_reader *train = NULL, *dev = NULL;
    dodona_train_options o;
    dodona_train_options_init(&o);
    o.iterations = strcmp(search_name, "greedy") == 0 ? 2 : 1;
    o.system = system_name;
    o.search = search_name;
    o.beam = 2;
    o.templates = templates_for();
    int code = open_text(train_text, &m, &train, err);
    if (code >= 0)
        code = open_text(dev_text, &d, &dev, err);
    if (code >= 0) {
        dodona_source from = { dodona_reader_pull, train, "t" };
        dodona_source dev_from = { dodona_reader_pull, dev, "d" };
        code = dodona_train(&o, &from, &dev_from, out_path, NULL, err);
    }
    dodona_reader_close(train);
    dodona_reader_close(dev);
    return code;
}

/* A model with a tokenizer, to out_path. */
static int train_pipeline(dodona_error *err)
{
    test_memory m;
    dodona_reader *train = NULL;
    dodona_train_options o;
    dodona_train_options_init(&o);
    o.iterations = o.pipeline = o.jackknife = 1;
    int code = open_text(train_text, &m, &train, err);
    if (code >= 0) {
        dodona_source from = { dodona_reader_pull, train, "t" };
        code = dodona_train(&o, &from, NULL, out_path, NULL, err);
    }
    dodona_reader_close(train);
    return code;
}

/* There is no model after a failure, and what the checkpoint kept leads to the same one. */
static void after_training(int code)
{
    dodona_error err;
    if (code < 0) {
        assert_int_not_equal(access(out_path, F_OK), 0);
        assert_int_equal(train_task(&err), 0);
    }
    size_t size;
    uint64_t hash = 1;
    char *bytes = test_slurp(out_path, &size);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    free(bytes);
    if (wanted == 0)
        wanted = hash;
    assert_true(hash == wanted);
    unlink(out_path);
}

static dodona_format format;

static int copy_task(dodona_error *err)
{
    test_memory m;
    dodona_reader *r = NULL;
    dodona_writer *w = NULL;
    dodona_sentence *s = dodona_sentence_new();
    int code = s ? open_text(train_text, &m, &r, err) : DODONA_E_MEMORY;
    if (!s)
        *err = (dodona_error){ .code = code, .message = "no sentence" };
    if (code >= 0)
        code = dodona_writer_open(out_path, format, &w, err);
    while (code >= 0 && (code = dodona_reader_next(r, s, err)) > 0)
        code = dodona_writer_put(w, s, err);
    if (code >= 0)
        code = dodona_writer_close(w, err);
    else
        dodona_writer_abandon(w);
    dodona_reader_close(r);
    dodona_sentence_free(s);
    return code;
}

static void after_copying(int code)
{
    assert_int_equal(access(out_path, F_OK) == 0, code >= 0);
    unlink(out_path);
}

/* The same words, other words, other sentences. */
static int compare_task(dodona_error *err)
{
    static const char *const text[] = { "oaks speak\noak s speak\ndo n't !\nlow\n",
                                        "oaks speak\noaks speak\ndon't\n! low\n" };
    test_memory m[2];
    dodona_reader *r[2] = { 0 };
    dodona_source from[2];
    dodona_writer *w = NULL;
    dodona_reader_options o;
    dodona_reader_options_init(&o);
    o.format = DODONA_TOKENS;
    int code = 0;
    for (int i = 0; i < 2 && code >= 0; i++) {
        m[i] = (test_memory){ text[i], strlen(text[i]), 0, 0 };
        code = dodona_reader_open_callback(test_memory_read, &m[i], "text", &o, &r[i], err);
        from[i] = (dodona_source){ dodona_reader_pull, r[i], "text" };
    }
    if (code >= 0)
        code = dodona_writer_open(out_path, format, &w, err);
    if (code >= 0)
        code = dodona_writer_compare(w, &from[0], &from[1], err);
    if (code >= 0)
        code = dodona_writer_close(w, err);
    else
        dodona_writer_abandon(w);
    dodona_reader_close(r[0]);
    dodona_reader_close(r[1]);
    return code;
}

static int evaluate_task(dodona_error *err)
{
    test_memory m[3];
    dodona_reader *r[3] = { 0 };
    dodona_source from[3];
    dodona_scores *scores = NULL;
    dodona_text printed;
    dodona_eval_options o;
    dodona_eval_options_init(&o);
    o.analysis = 1;
    o.trace = trace_path;
    o.trials = 5;
    int code = 0;
    for (int i = 0; i < 3 && code >= 0; i++) {
        code = open_text(dev_text, &m[i], &r[i], err);
        from[i] = (dodona_source){ dodona_reader_pull, r[i], "text" };
    }
    if (code >= 0)
        code = dodona_evaluate(&o, &from[0], &from[1], &from[2], &scores, err);
    if (code >= 0)
        code = dodona_scores_print(scores, DODONA_TEXT, &printed, err);
    if (code >= 0)
        code = dodona_scores_print(scores, DODONA_JSON, &printed, err);
    dodona_scores_free(scores);
    for (int i = 0; i < 3; i++)
        dodona_reader_close(r[i]);
    return code;
}

static dodona_model *model;
static int threads;

static int drop_line(void *ctx, dodona_text line, dodona_error *err)
{
    (void)ctx, (void)line, (void)err;
    return 0;
}

static int drop(void *ctx, dodona_sentence *s, dodona_error *err)
{
    (void)ctx, (void)s, (void)err;
    return 0;
}

static int stream_task(dodona_error *err)
{
    test_memory m;
    dodona_reader *r = NULL;
    dodona_parse_options o;
    dodona_parse_options_init(&o);
    o.threads = threads;
    o.keep = o.skip_bad = threads == 1; /* all heads are given */
    o.trace = drop_line;
    int code = open_text(dev_text, &m, &r, err);
    if (code >= 0)
        code = dodona_parse_stream(model, &o, dodona_reader_pull, r, drop, NULL, err);
    dodona_reader_close(r);
    return code;
}

/* Raw text in pieces, of a model with a tokenizer. */
static int text_task(dodona_error *err)
{
    test_memory m = { .data = raw_text, .size = strlen(raw_text) };
    dodona_reader *r = NULL;
    dodona_reader_options reading;
    dodona_parse_options o;
    dodona_reader_options_init(&reading);
    reading.format = DODONA_TEXT;
    reading.model = model;
    reading.pieces = 1;
    dodona_parse_options_init(&o);
    o.threads = threads;
    o.steps = DODONA_STEP_TOKENIZE;
    int code = dodona_reader_open_callback(test_memory_read, &m, "text", &reading, &r, err);
    if (code >= 0)
        code = dodona_parse_stream(model, &o, dodona_reader_pull, r, drop, NULL, err);
    dodona_reader_close(r);
    return code;
}

static int write_line(void *ctx, dodona_text line, dodona_error *err)
{
    (void)err;
    return fwrite(line.data, 1, line.size, ctx) == line.size ? 0 : DODONA_E_IO;
}

/* The moves of the sentences that are scored. */
static int write_trace(void)
{
    test_memory m;
    dodona_reader *r = NULL;
    dodona_parse_options o;
    dodona_parse_options_init(&o);
    snprintf(trace_path, sizeof trace_path, "%s", test_scratch("trace"));
    o.trace = write_line;
    o.trace_ctx = fopen(trace_path, "w");
    int code = o.trace_ctx ? open_text(dev_text, &m, &r, NULL) : DODONA_E_IO;
    if (code >= 0)
        code = dodona_model_open(model_path, &model, NULL);
    if (code >= 0)
        code = dodona_parse_stream(model, &o, dodona_reader_pull, r, drop, NULL, NULL);
    dodona_model_free(model);
    dodona_reader_close(r);
    return o.trace_ctx && fclose(o.trace_ctx) == 0 ? code : DODONA_E_IO;
}

/* ---- The tests ---- */

static int prepare(void **state)
{
    (void)state;
    dodona_error err;
    static const char templates[] = "q0.w\nq0.t+q1.t\nq0.lc.l\n[labels]\nq0.t\n";
    static const char arcs[] = "[arcs]\nh.t+m.t\n";
    static const char moves[] = "[arcs]\nh.t+m.t\n[moves]\ns0.t+q0.t\n";
    train_text = generate(1, 4, 50);
    dev_text = generate(2, 2, 0);
    snprintf(templates_path, sizeof templates_path, "%s", test_scratch("few.templates"));
    snprintf(arcs_path, sizeof arcs_path, "%s", test_scratch("arcs.templates"));
    snprintf(moves_path, sizeof moves_path, "%s", test_scratch("moves.templates"));
    test_spill(templates_path, templates, sizeof templates - 1);
    test_spill(arcs_path, arcs, sizeof arcs - 1);
    test_spill(moves_path, moves, sizeof moves - 1);
    snprintf(out_path, sizeof out_path, "%s", test_scratch("out"));
    snprintf(model_path, sizeof model_path, "%s", test_scratch("model"));
    snprintf(pipeline_path, sizeof pipeline_path, "%s", test_scratch("pipeline"));
    snprintf(exact_model_path, sizeof exact_model_path, "%s", test_scratch("exact"));
    system_name = "alls0s1";
    search_name = "exact";
    if (train_task(&err) < 0 || rename(out_path, exact_model_path))
        return -1;
    system_name = "arc-hybrid";
    search_name = "greedy";
    if (train_pipeline(&err) < 0 || rename(out_path, pipeline_path))
        return -1;
    int code = train_task(&err);
    return code < 0 || rename(out_path, model_path) ? -1 : write_trace();
}

static int tidy(void **state)
{
    (void)state;
    free(train_text);
    free(dev_text);
    return 0;
}

static void parsing(void **state)
{
    (void)state;
    for (int i = 0; (search_name = dodona_search_name(i)); i++)
        fail_each(search_name, parse_task, NULL);
}

static void decoding(void **state)
{
    (void)state;
    fail_each("decode", decode_task, NULL);
}

static void training(void **state)
{
    (void)state;
    search_name = "greedy";
    for (int i = 0; (system_name = dodona_system_name(i)); i++) {
        wanted = 0;
        fail_each(system_name, train_task, after_training);
    }
    system_name = "arc-standard";
    for (int i = 1; (search_name = dodona_search_name(i)); i++) {
        if (!ddn_search_find(search_name)->derivations)
            continue; /* not to be trained with */
        wanted = 0;
        fail_each(search_name, train_task, after_training);
    }
    system_name = "alls0s1";
    search_name = "exact";
    wanted = 0;
    fail_each("exact alls0s1", train_task, after_training);
}

static void reading_and_writing(void **state)
{
    (void)state;
    static const dodona_format formats[] = { DODONA_CONLLU,  DODONA_CONLLX, DODONA_TOKENS,
                                             DODONA_TEXT,    DODONA_JSON,   DODONA_TREE,
                                             DODONA_SVG,     DODONA_HTML,   DODONA_TIKZ,
                                             DODONA_DISPLACY };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        format = formats[i];
        fail_each("copy", copy_task, after_copying);
        if (format == DODONA_TREE || format == DODONA_SVG || format == DODONA_HTML)
            fail_each("compare", compare_task, after_copying);
    }
}

static void scoring(void **state)
{
    (void)state;
    fail_each("evaluate", evaluate_task, NULL);
}

static void streaming(void **state)
{
    (void)state;
    char *few = dev_text;
    dev_text = generate(3, 70, 0); /* more than a batch */
    assert_int_equal(dodona_model_open(model_path, &model, NULL), 0);
    for (threads = 1; threads <= 3; threads += 2)
        fail_each("stream", stream_task, NULL);
    dodona_model_free(model);
    free(dev_text);
    dev_text = few;
}

static void tokenizing(void **state)
{
    (void)state;
    enum { WORDS = 2500 }; /* more than a piece, and where it is cut no sentence begins */
    raw_text = calloc(WORDS, 5);
    assert_non_null(raw_text);
    for (size_t i = 0; i + 1 < WORDS; i++)
        memcpy(raw_text + 5 * i, "oaks ", 5);
    assert_int_equal(dodona_model_open(pipeline_path, &model, NULL), 0);
    for (threads = 1; threads <= 2; threads++)
        fail_each("tokenize", text_task, NULL);
    dodona_model_free(model);
    free(raw_text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parsing),    cmocka_unit_test(decoding),
        cmocka_unit_test(training),   cmocka_unit_test(reading_and_writing),
        cmocka_unit_test(scoring),    cmocka_unit_test(streaming),
        cmocka_unit_test(tokenizing),
    };
    return cmocka_run_group_tests(tests, prepare, tidy);
}
