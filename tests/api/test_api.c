/* SPDX-License-Identifier: MIT */
/* A whole life through dodona.h alone: sentences are built, a parser is trained on them, opened,
 * and parses, alone, in streams and on several threads; then it is scored. */
#include "dodona.h"
#include "lib/check.h"
#include "lib/files.h"
#include "lib/generated.h"
#include "lib/memory.h"
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char model_path[256];
static dodona_model *model;

static dodona_text text(const char *t)
{
    return (dodona_text){ t, strlen(t) };
}

static bool is(dodona_text t, const char *want)
{
    return t.size == strlen(want) && memcmp(t.data, want, t.size) == 0;
}

/* A model for all tests below. */
static int train_model(void **state)
{
    (void)state;
    test_generated train;
    dodona_error err;
    dodona_train_options o;
    dodona_train_options_init(&o);
    o.iterations = 3;
    snprintf(model_path, sizeof model_path, "%s", test_scratch("shared.model"));
    test_generated_open(&train, 1, 0, 200);
    int code = dodona_train(&o, &train.source, NULL, model_path, NULL, &err);
    test_generated_close(&train);
    return code < 0 ? code : dodona_model_open(model_path, &model, &err);
}

static int free_model(void **state)
{
    (void)state;
    dodona_model_free(model);
    return 0;
}

/* ---- Training on what a program builds itself ---- */

/* "big dogs bark": adjectives go to nouns, nouns to verbs. */
typedef struct maker {
    int made, wanted;
} maker;

static int make(void *ctx, dodona_sentence *s, dodona_error *err)
{
    static const char *const nouns[] = { "dogs", "owls", "oaks" };
    maker *m = ctx;
    if (m->made == m->wanted)
        return 0;
    int i = m->made++, n = 0;
    bool adjective = i % 2;
    dodona_sentence_clear(s);
    dodona_word word[3] = {
        { .form = text("big"), .upos = text("ADJ"), .head = 2, .deprel = text("amod") },
        { .form = text(nouns[i % 3]),
          .upos = text("NOUN"),
          .head = adjective ? 3 : 2,
          .deprel = text("nsubj") },
        { .form = text("speak"), .upos = text("VERB"), .head = 0, .deprel = text("root") }
    };
    for (n = adjective ? 0 : 1; n < 3; n++) {
        int code = dodona_sentence_add(s, &word[n], err);
        if (code < 0)
            return code;
    }
    return 1;
}

static void a_program_trains_on_its_own_sentences(void **state)
{
    (void)state;
    maker train = { .wanted = 30 }, dev = { .wanted = 10 };
    dodona_source from = { make, &train, "made" }, dev_from = { make, &dev, "made too" };
    dodona_train_result result;
    dodona_error err;
    char path[256];
    snprintf(path, sizeof path, "%s", test_scratch("made.model"));
    for (int i = 0; dodona_system_name(i); i++) {
        dodona_train_options o;
        dodona_train_options_init(&o);
        o.system = dodona_system_name(i);
        o.iterations = 5;
        train.made = dev.made = 0;
        assert_int_equal(dodona_train(&o, &from, &dev_from, path, &result, &err), 0);
        assert_true(result.las == 100 && result.uas == 100);
        dodona_model *m;
        dodona_workspace *ws;
        assert_int_equal(dodona_model_open(path, &m, &err), 0);
        char line[64];
        snprintf(line, sizeof line, "system: %s\n", o.system);
        dodona_text meta = dodona_model_metadata(m);
        char *copy = strndup(meta.data, meta.size);
        assert_non_null(strstr(copy, line));
        free(copy);
        assert_int_equal(dodona_workspace_new(m, NULL, &ws, &err), 0);
        dodona_sentence *s = dodona_sentence_new();
        maker one = { .made = 1, .wanted = 2 };
        assert_int_equal(make(&one, s, &err), 1);
        assert_int_equal(dodona_parse(ws, s, &err), 0);
        static const int head[] = { 2, 3, 0 };
        static const char *const deprel[] = { "amod", "nsubj", "root" };
        for (int w = 1; w <= 3; w++) {
            dodona_word got;
            assert_int_equal(dodona_sentence_get(s, w, &got), 0);
            assert_int_equal(got.head, head[w - 1]);
            assert_true(is(got.deprel, deprel[w - 1]));
        }
        dodona_sentence_free(s);
        dodona_workspace_free(ws);
        dodona_model_free(m);
    }
}

/* "one two three", every word a root. */
static int make_roots(void *ctx, dodona_sentence *s, dodona_error *err)
{
    maker *m = ctx;
    if (m->made++ == m->wanted)
        return 0;
    dodona_sentence_clear(s);
    for (int i = 0; i < 3; i++) {
        dodona_word w = { .form = text("word"), .deprel = text("root") };
        int code = dodona_sentence_add(s, &w, err);
        if (code < 0)
            return code;
    }
    return 1;
}

static int count_roots(const dodona_model *m, int roots_many)
{
    maker one = { 0, 1 };
    dodona_parse_options o;
    dodona_workspace *ws;
    dodona_sentence *s = dodona_sentence_new();
    dodona_word w;
    int roots = 0;
    dodona_parse_options_init(&o);
    o.roots_many = roots_many;
    assert_int_equal(dodona_workspace_new(m, &o, &ws, NULL), 0);
    assert_int_equal(make_roots(&one, s, NULL), 1);
    assert_int_equal(dodona_parse(ws, s, NULL), 0);
    for (int i = 1; dodona_sentence_get(s, i, &w) == 0; i++)
        roots += w.head == 0;
    dodona_sentence_free(s);
    dodona_workspace_free(ws);
    return roots;
}

static void models_know_how_many_roots_they_were_trained_for(void **state)
{
    (void)state;
    maker m = { 0, 10 };
    dodona_source source = { make_roots, &m, "roots" };
    dodona_train_options o;
    dodona_model *many;
    dodona_train_options_init(&o);
    o.roots_many = 1;
    const char *path = test_scratch("roots.model");
    assert_int_equal(dodona_train(&o, &source, NULL, path, NULL, NULL), 0);
    assert_int_equal(dodona_model_open(path, &many, NULL), 0);
    assert_int_equal(count_roots(many, -1), 3);
    assert_int_equal(count_roots(many, 1), 3);
    assert_int_equal(count_roots(many, 0), 1);
    assert_int_equal(count_roots(model, -1), 1);
    dodona_model_free(many);
}

static void failing_sources_end_training(void **state)
{
    (void)state;
    static const char bad[] = "1\tw\t_\t_\t_\t_\t0\troot\t_\t_\n\nx\n\n";
    for (int which = 0; which < 2; which++) {
        maker good = { .wanted = 30 };
        test_memory bytes = { bad, sizeof bad - 1, 0, 0 };
        dodona_reader *r;
        dodona_error err;
        assert_int_equal(dodona_reader_open_callback(test_memory_read, &bytes, "f", NULL, &r, &err),
                         0);
        dodona_source fine = { make, &good, "g" }, broken = { dodona_reader_pull, r, "f" };
        const char *path = test_scratch("never.model");
        assert_int_equal(
            dodona_train(NULL, which ? &fine : &broken, which ? &broken : &fine, path, NULL, &err),
            DODONA_E_INPUT);
        assert_int_equal(err.line, 3);
        assert_string_equal(err.file, "f");
        assert_int_not_equal(access(path, F_OK), 0);
        dodona_reader_close(r);
    }
}

/* ---- Opening ---- */

static void models_are_refused_with_a_reason(void **state)
{
    (void)state;
    dodona_model *m = model;
    dodona_error err;
    assert_int_equal(dodona_model_open("/nowhere/x.model", &m, &err), DODONA_E_IO);
    assert_null(m);
    assert_string_equal(err.file, "/nowhere/x.model");
    const char *path = test_scratch("damaged.model");
    size_t size;
    char *bytes = test_slurp(model_path, &size);
    bytes[size - 1] ^= 1;
    test_spill(path, bytes, size);
    assert_int_equal(dodona_model_open(path, &m, &err), DODONA_E_MODEL);
    assert_string_equal(err.file, path);
    test_spill(path, bytes, size / 2);
    assert_int_equal(dodona_model_open(path, &m, NULL), DODONA_E_MODEL);
    free(bytes);
    dodona_model_free(NULL);
    dodona_workspace_free(NULL);
}

static void options_are_checked_and_may_be_old(void **state)
{
    (void)state;
    dodona_parse_options o;
    dodona_workspace *ws;
    dodona_error err;
    dodona_parse_options_init(&o);
    o.search = "oracular";
    assert_int_equal(dodona_workspace_new(model, &o, &ws, &err), DODONA_E_ARGUMENT);
    assert_null(ws);
    assert_non_null(strstr(err.message, "oracular"));
    o.size = offsetof(dodona_parse_options, search); /* an older header without any option */
    assert_int_equal(dodona_workspace_new(model, &o, &ws, &err), 0);
    dodona_workspace_free(ws);
    o.size = 0;
    assert_int_equal(dodona_workspace_new(model, &o, &ws, &err), 0);
    dodona_workspace_free(ws);
    struct {
        dodona_parse_options o;
        char newer[64];
    } longer = { .newer = "what this library does not know" };
    dodona_parse_options_init(&longer.o);
    longer.o.size = sizeof longer;
    assert_int_equal(dodona_workspace_new(model, &longer.o, &ws, &err), 0);
    dodona_workspace_free(ws);
    static const int threads[] = { 0, -1, DODONA_MAX_THREADS + 1 };
    for (int i = 0; i < 3; i++) {
        dodona_parse_options_init(&o);
        o.threads = threads[i];
        assert_int_equal(dodona_parse_stream(model, &o, NULL, NULL, NULL, NULL, &err),
                         DODONA_E_ARGUMENT);
    }
    maker few = { .wanted = 10 };
    dodona_source from = { make, &few, "made" };
    dodona_train_options t;
    dodona_train_options_init(&t);
    t.size = offsetof(dodona_train_options, oracle); /* only the system is known */
    t.system = "arc-eager";
    t.iterations = -5; /* not read */
    const char *path = test_scratch("old.model");
    assert_int_equal(dodona_train(&t, &from, NULL, path, NULL, &err), 0);
}

static void empty_sentences_and_old_columns(void **state)
{
    (void)state;
    dodona_workspace *ws;
    dodona_error err;
    dodona_sentence *s = dodona_sentence_new();
    dodona_parse_options o;
    for (int keep = 0; keep <= 1; keep++) {
        dodona_parse_options_init(&o);
        o.keep_deps = keep;
        assert_int_equal(dodona_workspace_new(model, &o, &ws, &err), 0);
        dodona_sentence_clear(s);
        assert_int_equal(dodona_parse(ws, s, &err), 0);
        assert_int_equal(dodona_sentence_length(s), 0);
        dodona_word w = { .form = text("owls"), .head = -1, .deps = text("0:root") }, got;
        assert_int_equal(dodona_sentence_add(s, &w, &err), 0);
        assert_int_equal(dodona_parse(ws, s, &err), 0);
        assert_int_equal(dodona_sentence_get(s, 1, &got), 0);
        assert_int_equal(got.head, 0);
        assert_true(is(got.deprel, "root"));
        assert_true(is(got.deps, keep ? "0:root" : "_"));
        dodona_workspace_free(ws);
    }
    dodona_sentence_free(s);
}

/* ---- Streams ---- */

/* What comes out, and where to fail. */
typedef struct sink {
    uint64_t hash; /* of all heads, in order */
    int64_t sentences, words, fail_at;
} sink;

static void add_heads(sink *k, dodona_sentence *s)
{
    int n = dodona_sentence_length(s);
    for (int i = 1; i <= n; i++) {
        dodona_word w;
        assert_int_equal(dodona_sentence_get(s, i, &w), 0);
        k->hash = (k->hash ^ (uint64_t)w.head) * 0x100000001b3u;
        for (size_t c = 0; c < w.form.size; c++)
            k->hash = (k->hash ^ (unsigned char)w.form.data[c]) * 0x100000001b3u;
    }
    k->sentences++;
    k->words += n;
}

static int push(void *ctx, dodona_sentence *s, dodona_error *err)
{
    sink *k = ctx;
    if (k->sentences == k->fail_at) {
        *err = (dodona_error){ .code = DODONA_E_IO, .message = "the sink is full" };
        return DODONA_E_IO;
    }
    add_heads(k, s);
    return 0;
}

/* The generated sentences up to a failure. */
typedef struct source {
    test_generated g;
    int64_t pulled, fail_at;
} source;

static int pull(void *ctx, dodona_sentence *s, dodona_error *err)
{
    source *f = ctx;
    if (f->pulled == f->fail_at) {
        *err = (dodona_error){ .code = DODONA_E_INPUT, .line = 7, .message = "the source is dry" };
        return DODONA_E_INPUT;
    }
    f->pulled++;
    return dodona_reader_next(f->g.reader, s, err);
}

static int stream(int threads, int64_t sentences, int64_t pull_fails, sink *k, dodona_report report,
                  void *ctx, dodona_error *err)
{
    source f = { .fail_at = pull_fails };
    dodona_parse_options o;
    dodona_parse_options_init(&o);
    o.threads = threads;
    o.report = report;
    o.report_ctx = ctx;
    memset(err, 0, sizeof *err);
    test_generated_open(&f.g, 5, DDN_GRAMMAR_NONPROJECTIVE, sentences);
    int code = dodona_parse_stream(model, &o, pull, &f, push, k, err);
    test_generated_close(&f.g);
    return code;
}

/* One after the other, as the streams must have them. */
static sink alone(int64_t sentences)
{
    sink k = { 0 };
    test_generated g;
    dodona_workspace *ws;
    dodona_sentence *s = dodona_sentence_new();
    test_generated_open(&g, 5, DDN_GRAMMAR_NONPROJECTIVE, sentences);
    assert_int_equal(dodona_workspace_new(model, NULL, &ws, NULL), 0);
    while (dodona_reader_next(g.reader, s, NULL) > 0) {
        assert_int_equal(dodona_parse(ws, s, NULL), 0);
        add_heads(&k, s);
    }
    test_generated_close(&g);
    dodona_workspace_free(ws);
    dodona_sentence_free(s);
    return k;
}

static void streams_keep_the_order(void **state)
{
    (void)state;
    static const int threads[] = { 1, 2, 4, 16 };
    static const int64_t sentences[] = { 0, 1, 63, 64, 65, 1000, 3000 };
    for (int n = 0; n < 7; n++) {
        sink want = alone(sentences[n]);
        assert_int_equal(want.sentences, sentences[n]);
        for (int i = 0; i < 4; i++) {
            sink got = { .fail_at = -1 };
            dodona_error err;
            assert_int_equal(stream(threads[i], sentences[n], -1, &got, NULL, NULL, &err), 0);
            assert_int_equal(got.sentences, want.sentences);
            assert_int_equal(got.words, want.words);
            assert_true(got.hash == want.hash);
        }
    }
}

static void what_was_read_before_a_failure_is_written(void **state)
{
    (void)state;
    static const int64_t at[] = { 0, 1, 64, 500 };
    for (int i = 0; i < 4; i++) {
        sink want = alone(at[i]);
        for (int threads = 1; threads <= 4; threads += 3) {
            sink got = { .fail_at = -1 };
            dodona_error err;
            assert_int_equal(stream(threads, 1000, at[i], &got, NULL, NULL, &err), DODONA_E_INPUT);
            assert_string_equal(err.message, "the source is dry");
            assert_int_equal(err.line, 7);
            assert_int_equal(got.sentences, at[i]);
            assert_true(got.hash == want.hash);
        }
    }
}

static void a_full_sink_stops_the_stream(void **state)
{
    (void)state;
    static const int64_t at[] = { 0, 1, 64, 700 };
    for (int i = 0; i < 4; i++)
        for (int threads = 1; threads <= 4; threads += 3) {
            sink got = { .fail_at = at[i] };
            dodona_error err;
            assert_int_equal(stream(threads, 1000, -1, &got, NULL, NULL, &err), DODONA_E_IO);
            assert_string_equal(err.message, "the sink is full");
            assert_int_equal(got.sentences, at[i]);
        }
}

typedef struct reports {
    int64_t last, stop_at;
    int calls;
} reports;

static int report(void *ctx, const dodona_progress *p)
{
    reports *r = ctx;
    assert_string_equal(p->phase, "parse");
    assert_true(p->done > r->last && p->tokens >= p->done && p->iteration == 0 && p->las == -1);
    r->last = p->done;
    r->calls++;
    return p->done >= r->stop_at;
}

static void streams_report_and_stop(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; threads += 3) {
        reports r = { .stop_at = 1 << 30 };
        sink got = { .fail_at = -1 };
        dodona_error err;
        assert_int_equal(stream(threads, 1000, -1, &got, report, &r, &err), 0);
        assert_true(r.calls >= 10);
        r = (reports){ .stop_at = 300 };
        got = (sink){ .fail_at = -1 };
        assert_int_equal(stream(threads, 1000, -1, &got, report, &r, &err), DODONA_E_CANCELLED);
        assert_int_equal(err.code, DODONA_E_CANCELLED);
        assert_true(got.sentences >= 300 && got.sentences < 400);
    }
}

/* ---- Traces ---- */

/* Lines one after the other, and how many sentences had been pushed before the last. */
typedef struct lines {
    char *text;
    size_t size;
    FILE *to;
    int64_t count, fail_at;
    const sink *after; /* NULL: not looked at */
} lines;

static void open_lines(lines *l, int64_t fail_at, const sink *after)
{
    *l = (lines){ .fail_at = fail_at, .after = after };
    l->to = open_memstream(&l->text, &l->size);
    assert_non_null(l->to);
}

static void close_lines(lines *l)
{
    assert_int_equal(fclose(l->to), 0);
}

static int take_line(void *ctx, dodona_text line, dodona_error *err)
{
    lines *l = ctx;
    char begins[64];
    int size = snprintf(begins, sizeof begins, "{\"sentence\":%lld,", (long long)l->count + 1);
    assert_true(line.size > (size_t)size && memcmp(line.data, begins, (size_t)size) == 0);
    assert_true(memchr(line.data, '\n', line.size) == line.data + line.size - 1);
    if (l->after)
        assert_int_equal(l->after->sentences, l->count);
    if (l->count == l->fail_at) {
        *err = (dodona_error){ .code = DODONA_E_IO, .message = "no more lines" };
        return DODONA_E_IO;
    }
    l->count++;
    return fwrite(line.data, 1, line.size, l->to) == line.size ? 0 : DODONA_E_IO;
}

static int trace(int threads, int64_t sentences, sink *k, lines *l, dodona_error *err)
{
    source f = { .fail_at = -1 };
    dodona_parse_options o;
    dodona_parse_options_init(&o);
    o.threads = threads;
    o.trace = take_line;
    o.trace_ctx = l;
    test_generated_open(&f.g, 5, DDN_GRAMMAR_NONPROJECTIVE, sentences);
    int code = dodona_parse_stream(model, &o, pull, &f, push, k, err);
    test_generated_close(&f.g);
    return code;
}

/* Line by line from one workspace, as the streams must have them. */
static void trace_alone(int64_t sentences, lines *l)
{
    test_generated g;
    dodona_workspace *ws;
    dodona_parse_options o;
    dodona_sentence *s = dodona_sentence_new();
    open_lines(l, -1, NULL);
    dodona_parse_options_init(&o);
    o.trace = take_line;
    o.trace_ctx = l;
    test_generated_open(&g, 5, DDN_GRAMMAR_NONPROJECTIVE, sentences);
    assert_int_equal(dodona_workspace_new(model, &o, &ws, NULL), 0);
    while (dodona_reader_next(g.reader, s, NULL) > 0) {
        assert_int_equal(dodona_parse(ws, s, NULL), 0);
        dodona_sentence_clear(s);
        assert_int_equal(dodona_parse(ws, s, NULL), 0); /* no words, no line */
    }
    close_lines(l);
    test_generated_close(&g);
    dodona_workspace_free(ws);
    dodona_sentence_free(s);
}

static void traces_keep_the_order(void **state)
{
    (void)state;
    enum { SENTENCES = 700 };
    lines want, got;
    sink plain = alone(SENTENCES);
    dodona_error err;
    trace_alone(SENTENCES, &want);
    assert_int_equal(want.count, SENTENCES);
    for (int threads = 1; threads <= 16; threads *= 4) {
        sink k = { .fail_at = -1 };
        open_lines(&got, -1, &k);
        assert_int_equal(trace(threads, SENTENCES, &k, &got, &err), 0);
        close_lines(&got);
        assert_true(k.hash == plain.hash);
        assert_int_equal(got.size, want.size);
        assert_memory_equal(got.text, want.text, want.size);
        free(got.text);
        k = (sink){ .fail_at = -1 };
        open_lines(&got, 300, &k);
        assert_int_equal(trace(threads, SENTENCES, &k, &got, &err), DODONA_E_IO);
        close_lines(&got);
        assert_string_equal(err.message, "no more lines");
        assert_int_equal(k.sentences, 300);
        free(got.text);
    }
    free(want.text);
}

/* ---- Threads ---- */

static void *parse_on_a_thread(void *ctx)
{
    *(sink *)ctx = alone(300);
    return NULL;
}

static void threads_share_a_model(void **state)
{
    (void)state;
    enum { THREADS = 6 };
    pthread_t thread[THREADS];
    sink got[THREADS], want = alone(300);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, parse_on_a_thread, &got[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        assert_true(got[i].hash == want.hash && got[i].words == want.words);
    }
}

/* ---- Scoring ---- */

typedef struct parsed {
    test_generated g;
    dodona_workspace *ws;
} parsed;

static int pull_parsed(void *ctx, dodona_sentence *s, dodona_error *err)
{
    parsed *p = ctx;
    int code = dodona_reader_next(p->g.reader, s, err);
    return code > 0 && dodona_parse(p->ws, s, err) < 0 ? DODONA_E_ARGUMENT : code;
}

/* Sentences 0 <- a, a -> b, a -> c, with errors in the heads of c or in the relations of b. */
static void put_sentences(char *text, const char *errors)
{
    for (; *errors; errors++)
        text += sprintf(text,
                        "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\t%s\t_\t_\n"
                        "3\tc\t_\tX\t_\t_\t%d\tx\t_\t_\n\n",
                        *errors == 'r' ? "y" : "x", *errors == 'h' ? 2 : 1);
}

/* The share of all swaps of answers with which the numbers of errors differ as much. */
static double share_of_swaps(const char *one, const char *other, const char *kinds)
{
    int n = (int)strlen(one), real = 0, count = 0;
    for (int swaps = 0; swaps < 1 << n; swaps++) {
        int difference = 0;
        for (int i = 0; i < n; i++) {
            int more = (strchr(kinds, other[i]) != NULL) - (strchr(kinds, one[i]) != NULL);
            difference += swaps >> i & 1 ? -more : more;
        }
        if (swaps == 0)
            real = abs(difference);
        count += abs(difference) >= real;
    }
    return (double)count / (1 << n);
}

static void differences_are_tested_by_swaps(void **state)
{
    (void)state;
    enum { FILES = 3, TRIALS = 100000 };
    static const char *const errors[FILES] = { "..........", "r..r.r.rr.", "hhhr.rhr.h" };
    static const struct {
        const char *name, *kinds;
    } metric[] = { { "UAS", "h" }, { "LAS", "hr" } };
    static char text[FILES][4000];
    dodona_eval_options o;
    dodona_scores *scores = NULL;
    dodona_error err;
    dodona_source from[FILES];
    test_memory m[FILES];
    dodona_eval_options_init(&o);
    o.trials = TRIALS;
    for (int i = 0; i < FILES; i++) {
        put_sentences(text[i], errors[i]);
        m[i] = (test_memory){ .data = text[i], .size = strlen(text[i]) };
        dodona_reader *r;
        assert_int_equal(dodona_reader_open_callback(test_memory_read, &m[i], "x", NULL, &r, &err),
                         0);
        from[i] = (dodona_source){ dodona_reader_pull, r, "x" };
    }
    assert_int_equal(dodona_evaluate(&o, &from[0], &from[1], &from[2], &scores, &err), 0);
    for (int k = 0; k < 2; k++) {
        double percent, p, exact = share_of_swaps(errors[1], errors[2], metric[k].kinds);
        assert_int_equal(dodona_scores_difference(scores, metric[k].name, &percent, &p), 0);
        assert_true(exact > 0.05 && exact < 0.95);
        assert_true(fabs(p - exact) < 4 * sqrt(exact * (1 - exact) / TRIALS));
    }
    dodona_scores_free(scores);
    for (int i = 0; i < FILES; i++)
        dodona_reader_close(from[i].ctx);
}

static void parses_are_scored(void **state)
{
    (void)state;
    test_generated gold, same;
    parsed p;
    dodona_scores *scores = NULL;
    dodona_error err;
    dodona_metric las, uas;
    test_generated_open(&gold, 6, 0, 60);
    test_generated_open(&same, 6, 0, 60);
    test_generated_open(&p.g, 6, 0, 60);
    assert_int_equal(dodona_workspace_new(model, NULL, &p.ws, &err), 0);
    dodona_source system = { pull_parsed, &p, "parsed" };
    assert_int_equal(dodona_evaluate(NULL, &gold.source, &system, &same.source, &scores, &err), 0);
    assert_int_equal(dodona_scores_find(scores, 2, "LAS", &las), 0);
    assert_true(las.f1 == 100);
    assert_int_equal(dodona_scores_find(scores, 1, "LAS", &las), 0);
    assert_int_equal(dodona_scores_find(scores, 1, "UAS", &uas), 0);
    assert_true(las.f1 > 60 && las.f1 <= uas.f1 && uas.f1 < 100);
    double difference, chance;
    assert_int_equal(dodona_scores_difference(scores, "LAS", &difference, &chance), 0);
    assert_true(difference < 0 && chance > 0 && chance < 0.01);
    dodona_text table;
    assert_int_equal(dodona_scores_print(scores, DODONA_TEXT, &table, &err), 0);
    assert_true(table.size > 0);
    assert_int_equal(dodona_scores_print(scores, DODONA_TREE, &table, &err), DODONA_E_ARGUMENT);
    dodona_scores_free(scores);
    dodona_workspace_free(p.ws);
    test_generated_close(&gold);
    test_generated_close(&same);
    test_generated_close(&p.g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_trains_on_its_own_sentences),
        cmocka_unit_test(models_know_how_many_roots_they_were_trained_for),
        cmocka_unit_test(failing_sources_end_training),
        cmocka_unit_test(models_are_refused_with_a_reason),
        cmocka_unit_test(options_are_checked_and_may_be_old),
        cmocka_unit_test(empty_sentences_and_old_columns),
        cmocka_unit_test(streams_keep_the_order),
        cmocka_unit_test(what_was_read_before_a_failure_is_written),
        cmocka_unit_test(a_full_sink_stops_the_stream),
        cmocka_unit_test(streams_report_and_stop),
        cmocka_unit_test(traces_keep_the_order),
        cmocka_unit_test(threads_share_a_model),
        cmocka_unit_test(parses_are_scored),
        cmocka_unit_test(differences_are_tested_by_swaps),
    };
    return cmocka_run_group_tests(tests, train_model, free_model);
}
