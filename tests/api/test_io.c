/* SPDX-License-Identifier: MIT */
/* Reading and writing through the public interface alone. */
#include "dodona.h"
#include "lib/check.h"
#include "lib/files.h"
#include "lib/memory.h"
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static dodona_text text(const char *t)
{
    return (dodona_text){ t, strlen(t) };
}

static bool is(dodona_text t, const char *want)
{
    return t.size == strlen(want) && memcmp(t.data, want, t.size) == 0;
}

static void sentences_are_built(void **state)
{
    (void)state;
    dodona_error err;
    dodona_word w = { .form = text("oaks"), .head = 2, .deprel = text("nsubj") }, got;
    dodona_sentence *s = dodona_sentence_new();
    assert_non_null(s);
    assert_int_equal(dodona_sentence_add(s, &w, &err), 0);
    w = (dodona_word){ .form = text("speak"), .upos = text("VERB"), .head = 0 };
    assert_int_equal(dodona_sentence_add(s, &w, &err), 0);
    w = (dodona_word){ .head = -1 };
    assert_int_equal(dodona_sentence_add(s, &w, &err), 0);
    assert_int_equal(dodona_sentence_length(s), 3);
    assert_int_equal(dodona_sentence_get(s, 1, &got), 0);
    assert_true(is(got.form, "oaks") && is(got.lemma, "_") && is(got.deprel, "nsubj"));
    assert_int_equal(got.head, 2);
    assert_int_equal(dodona_sentence_get(s, 2, &got), 0);
    assert_true(is(got.upos, "VERB") && is(got.misc, "_"));
    assert_int_equal(got.head, 0);
    assert_int_equal(dodona_sentence_get(s, 3, &got), 0);
    assert_true(is(got.form, "_"));
    assert_int_equal(got.head, -1);
    assert_int_equal(dodona_sentence_get(s, 0, &got), DODONA_E_ARGUMENT);
    assert_int_equal(dodona_sentence_get(s, 4, &got), DODONA_E_ARGUMENT);

    static const char *const bad[] = { "a\tb", "a\nb", "a\r", "\xff" };
    for (int i = 0; i < 4; i++) {
        w = (dodona_word){ .form = text("x"), .misc = text(bad[i]) };
        assert_int_equal(dodona_sentence_add(s, &w, &err), DODONA_E_ARGUMENT);
        assert_non_null(strstr(err.message, "the misc of a word"));
    }
    w = (dodona_word){ .form = { "a\0b", 3 } };
    assert_int_equal(dodona_sentence_add(s, &w, NULL), DODONA_E_ARGUMENT);
    w = (dodona_word){ .form = text("x"), .head = -2 };
    assert_int_equal(dodona_sentence_add(s, &w, NULL), DODONA_E_ARGUMENT);
    assert_int_equal(dodona_sentence_length(s), 3);
    dodona_sentence_clear(s);
    assert_int_equal(dodona_sentence_length(s), 0);
    dodona_sentence_free(s);
    dodona_sentence_free(NULL);
}

/* Copies files one after another into a scratch file; its bytes. */
static char *convert(const char *const *data, int files, dodona_format from, dodona_format to,
                     bool skip_bad)
{
    dodona_error err;
    dodona_reader_options o;
    dodona_reader_options_init(&o);
    o.format = from;
    o.skip_bad = skip_bad;
    char path[512];
    snprintf(path, sizeof path, "%s", test_scratch("out"));
    dodona_writer *w;
    dodona_sentence *s = dodona_sentence_new();
    assert_int_equal(dodona_writer_open(path, to, &w, &err), 0);
    for (int i = 0; i < files; i++) {
        test_memory m = { data[i], strlen(data[i]), 0, 0 };
        dodona_reader *r;
        int code;
        assert_int_equal(dodona_reader_open_callback(test_memory_read, &m, "f", &o, &r, &err), 0);
        while ((code = dodona_reader_next(r, s, &err)) == 1)
            assert_int_equal(dodona_writer_put(w, s, &err), 0);
        assert_int_equal(code, 0);
        dodona_reader_close(r);
    }
    assert_int_equal(dodona_writer_close(w, &err), 0);
    dodona_sentence_free(s);
    size_t size;
    return test_slurp(path, &size);
}

#define A "1\ta\tb\tc\td\te\t0\tf\t0:f\tg\n"
#define X "1\ta\tb\tc\td\te\t0\tf\t0\tf\n"
#define M "1\ta\tb\tc\td\te\t0\tf\t_\t_\n"

static const struct conversion {
    const char *data[2];
    dodona_format from, to;
    const char *want;
} conversions[] = {
    { { A "\n", A "\n" }, DODONA_CONLLU, DODONA_CONLLU, A "\n" A "\n" },
    { { A, "" }, DODONA_CONLLU, DODONA_CONLLU, A },
    { { A, A }, DODONA_CONLLU, DODONA_CONLLU, A "\n" A },
    { { "# c", A "\n" }, DODONA_CONLLU, DODONA_CONLLU, "# c\n\n" A "\n" },
    { { "# c\n\n\r", A "\n" }, DODONA_CONLLU, DODONA_CONLLU, "# c\n\n\r\n" A "\n" },
    { { "bad", A "\n" }, DODONA_CONLLU, DODONA_CONLLU, "bad\n\n" A "\n" },
    { { "bad\n\n", A "\n" }, DODONA_CONLLU, DODONA_CONLLU, "bad\n\n" A "\n" },
    { { "bad\r\n\r\n", A "\n" }, DODONA_CONLLU, DODONA_CONLLU, "bad\r\n\r\n" A "\n" },
    { { "# c\n" A, A }, DODONA_CONLLU, DODONA_CONLLX, M "\n" M "\n" },
    { { X, X "\n" }, DODONA_CONLLX, DODONA_CONLLX, X "\n" X "\n" },
    { { X, X "\n" }, DODONA_CONLLX, DODONA_CONLLU, M "\n" M "\n" },
    { { "a b\n", "c" },
      DODONA_TOKENS,
      DODONA_CONLLU,
      "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\t_\t_\t_\t_\t_\t_\t_\t_\n\n1\tc\t_\t_\t_\t_\t_\t_\t_\t_"
      "\n\n" },
    { { A, "# c\n" A "\n" }, DODONA_CONLLU, DODONA_TOKENS, "a\na\n" },
    { { A "\n# text = A b\n" A, "# c\n" }, DODONA_CONLLU, DODONA_TEXT, "a\nA b\n" },
    { { A, A "\n" }, DODONA_CONLLU, DODONA_TREE, "a\na  c  f\n\na\na  c  f\n\n" },
};

static void formats_are_converted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++) {
        const struct conversion *c = &conversions[i];
        char *got = convert(c->data, 2, c->from, c->to, true);
        if (strcmp(got, c->want) != 0)
            fail_msg("case %zu gives\n%s", i, got);
        free(got);
    }
}

/* A line over the limit goes through the writer in pieces, and nothing is put between them. */
static void a_long_line_stays_whole(void **state)
{
    (void)state;
    size_t line = DODONA_MAX_LINE + 1000;
    static const char after[] = "\n\n" A "\n";
    char *data = malloc(line + sizeof after);
    assert_non_null(data);
    memset(data, 'x', line);
    memcpy(data + line, after, sizeof after);
    const char *const files[] = { data, A };
    char *got = convert(files, 2, DODONA_CONLLU, DODONA_CONLLU, true);
    assert_true(memcmp(got, data, line + sizeof after - 1) == 0);
    assert_string_equal(got + line + sizeof after - 1, A);
    free(got);
    free(data);
}

/* Standard output takes the place of a full disk. */
static void a_full_disk_is_told(void **state)
{
    (void)state;
    dodona_error err;
    dodona_writer *w;
    dodona_word word = { .form = text("x") };
    dodona_sentence *s = dodona_sentence_new();
    assert_int_equal(dodona_sentence_add(s, &word, &err), 0);
    fflush(stdout);
    int kept = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY);
    if (full < 0) {
        dodona_sentence_free(s);
        close(kept);
        skip();
    }
    dup2(full, STDOUT_FILENO);
    int opened = dodona_writer_open("-", DODONA_CONLLU, &w, &err);
    int put = dodona_writer_put(w, s, &err), closed = dodona_writer_close(w, &err);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(full);
    assert_int_equal(opened, 0);
    assert_int_equal(put, 0);
    assert_int_equal(closed, DODONA_E_IO);
    assert_string_equal(err.file, "<stdout>");
    dodona_sentence_free(s);
}

static void formats_are_found(void **state)
{
    (void)state;
    dodona_error err;
    assert_int_equal(dodona_format_find("conllu", &err), DODONA_CONLLU);
    assert_int_equal(dodona_format_find("conllx", &err), DODONA_CONLLX);
    assert_int_equal(dodona_format_find("tokens", &err), DODONA_TOKENS);
    assert_int_equal(dodona_format_find("text", &err), DODONA_TEXT);
    assert_int_equal(dodona_format_find("json", &err), DODONA_JSON);
    assert_int_equal(dodona_format_find("tree", &err), DODONA_TREE);
    assert_int_equal(dodona_format_find("svg", &err), DODONA_SVG);
    assert_int_equal(dodona_format_find("html", &err), DODONA_HTML);
    assert_int_equal(dodona_format_find("tikz", &err), DODONA_TIKZ);
    assert_int_equal(dodona_format_find("xml", &err), DODONA_E_ARGUMENT);
    assert_non_null(strstr(err.message, "conllu"));
    dodona_writer *w;
    assert_int_equal(dodona_writer_open("-", DODONA_GUESS, &w, &err), DODONA_E_ARGUMENT);
    assert_null(w);
}

/* A source of copies of one sentence; ctx: how many are left. */
typedef struct copies {
    const int *heads; /* [4] */
    int left;
} copies;

static int pull_copy(void *ctx, dodona_sentence *s, dodona_error *err)
{
    copies *c = ctx;
    for (int i = 0; i < 4 && c->left; i++) {
        dodona_word word = { .form = text("x"), .head = c->heads[i] };
        assert_int_equal(dodona_sentence_add(s, &word, err), 0);
    }
    return c->left ? c->left-- > 0 : 0;
}

/* Sentences that a program makes may have heads that are no words, or none. */
static void any_heads_are_drawn(void **state)
{
    (void)state;
    dodona_error err;
    static const int heads[] = { 7, -1, 3, 1 }, others[] = { 1, 3, -1, 7 };
    for (int format = 0; format <= DODONA_TIKZ; format++) {
        bool compares = format == DODONA_TREE || format == DODONA_SVG || format == DODONA_HTML;
        dodona_writer *w;
        dodona_sentence *s = dodona_sentence_new();
        copies a = { heads, 3 }, b = { others, 3 };
        assert_int_equal(pull_copy(&a, s, &err), 1);
        assert_int_equal(pull_copy(&b, s, &err), 1);
        assert_int_equal(dodona_writer_open(test_scratch("out"), (dodona_format)format, &w, &err),
                         0);
        dodona_writer_terminal(w, 20, 1);
        assert_int_equal(dodona_writer_put(w, s, &err), 0);
        assert_int_equal(dodona_writer_compare(w, &(dodona_source){ pull_copy, &a, "a" },
                                               &(dodona_source){ pull_copy, &b, "b" }, &err),
                         compares ? 0 : DODONA_E_ARGUMENT);
        assert_int_equal(a.left, compares ? 0 : 2);
        assert_int_equal(dodona_writer_close(w, &err), 0);
        dodona_sentence_free(s);
    }
}

static void failures_are_told(void **state)
{
    (void)state;
    dodona_error err;
    dodona_reader_options o;
    dodona_reader_options_init(&o);
    dodona_reader *r;
    dodona_writer *w;
    assert_int_equal(dodona_reader_open(test_scratch("missing"), NULL, &r, &err), DODONA_E_IO);
    assert_null(r);
    o.format = DODONA_JSON;
    assert_int_equal(dodona_reader_open(test_data("odd.conllu"), &o, &r, &err), DODONA_E_ARGUMENT);
    o.format = DODONA_CONLLU;
    o.check = DODONA_CHECK_ONE_ROOT;
    assert_int_equal(dodona_reader_open(test_data("odd.conllu"), &o, &r, &err), 0);
    dodona_sentence *s = dodona_sentence_new();
    int code;
    while ((code = dodona_reader_next(r, s, &err)) == 1)
        continue;
    assert_int_equal(code, DODONA_E_INPUT);
    char line[1024];
    assert_non_null(strstr(dodona_error_text(&err, line, sizeof line), "odd.conllu:"));
    dodona_word word = { .form = text("x") };
    dodona_reader_close(r);

    assert_int_equal(dodona_reader_open(test_data("odd.conllu"), NULL, &r, &err), 0);
    assert_int_equal(dodona_reader_next(r, s, &err), 1);
    assert_int_equal(dodona_sentence_add(s, &word, &err), DODONA_E_ARGUMENT);
    dodona_reader_close(r);

    assert_int_equal(dodona_writer_open(test_scratch("gone"), DODONA_CONLLU, &w, &err), 0);
    assert_int_equal(dodona_writer_put(w, s, &err), 0);
    dodona_writer_abandon(w);
    assert_int_not_equal(access(test_scratch("gone"), F_OK), 0);
    dodona_sentence_free(s);
}

static void bad_sentences_are_counted(void **state)
{
    (void)state;
    static const char data[] = A "\nbad\n\n" A "\nworse\n\n";
    test_memory m = { data, sizeof data - 1, 0, 0 };
    dodona_error err;
    dodona_reader_options o;
    dodona_reader_options_init(&o);
    o.skip_bad = 1;
    dodona_reader *r;
    dodona_sentence *s = dodona_sentence_new();
    assert_int_equal(dodona_reader_open_callback(test_memory_read, &m, "f", &o, &r, &err), 0);
    assert_int_equal(dodona_reader_bad(r, &err), 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(dodona_reader_next(r, s, &err), 1);
        assert_int_equal(dodona_sentence_is_bad(s), i % 2);
        assert_int_equal(dodona_sentence_length(s), 1 - i % 2);
    }
    assert_int_equal(dodona_reader_next(r, s, &err), 0);
    assert_int_equal(dodona_reader_bad(r, &err), 2);
    assert_int_equal(err.line, 3);
    dodona_reader_close(r);
    dodona_sentence_free(s);
}

/* ---- Writers ---- */

typedef struct taken {
    char *data;
    size_t size;
    int calls, fail_at; /* the call that fails; 0: none */
} taken;

static int take(void *ctx, const char *data, size_t size, dodona_error *err)
{
    taken *t = ctx;
    if (++t->calls == t->fail_at) {
        snprintf(err->message, sizeof err->message, "no more");
        return DODONA_E_CANCELLED;
    }
    assert_true(size > 0);
    t->data = realloc(t->data, t->size + size);
    assert_non_null(t->data);
    memcpy(t->data + t->size, data, size);
    t->size += size;
    return 0;
}

/* All sentences of a file of tests/data into a writer. */
static int copy_all(const char *name, dodona_writer *w, dodona_error *err)
{
    dodona_reader *r;
    dodona_sentence *s = dodona_sentence_new();
    int status;
    assert_int_equal(dodona_reader_open(test_data(name), NULL, &r, NULL), 0);
    while ((status = dodona_reader_next(r, s, NULL)) > 0)
        if ((status = dodona_writer_put(w, s, err)) < 0)
            break;
    dodona_reader_close(r);
    dodona_sentence_free(s);
    return status;
}

/* A file, a callback and memory get the same bytes; memory also the second time. */
static void writers_agree(void **state)
{
    (void)state;
    static const char *const formats[] = { "conllu",   "conllx", "tokens", "text", "json",
                                           "displacy", "tree",   "svg",    "html", "tikz" };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s", test_scratch("written"));
        dodona_format format = (dodona_format)dodona_format_find(formats[i], NULL);
        dodona_writer *w;
        dodona_text text;
        taken t = { 0 };
        size_t size;
        assert_int_equal(dodona_writer_open(path, format, &w, NULL), 0);
        assert_int_equal(dodona_writer_text(w, &text, NULL), DODONA_E_ARGUMENT);
        assert_int_equal(copy_all("nonprojective.conllu", w, NULL), 0);
        assert_int_equal(dodona_writer_close(w, NULL), 0);
        char *want = test_slurp(path, &size);
        assert_int_equal(dodona_writer_open_callback(take, &t, format, &w, NULL), 0);
        assert_int_equal(copy_all("nonprojective.conllu", w, NULL), 0);
        assert_int_equal(t.calls, 0);
        assert_int_equal(dodona_writer_close(w, NULL), 0);
        assert_int_equal(t.size, size);
        assert_memory_equal(t.data, want, size);
        assert_int_equal(dodona_writer_open_memory(format, &w, NULL), 0);
        for (int round = 0; round < 2; round++) {
            assert_int_equal(copy_all("nonprojective.conllu", w, NULL), 0);
            for (int again = 0; again < 2; again++) {
                assert_int_equal(dodona_writer_text(w, &text, NULL), 0);
                assert_int_equal(text.size, size);
                assert_memory_equal(text.data, want, size);
            }
        }
        assert_int_equal(dodona_writer_close(w, NULL), 0);
        free(want);
        free(t.data);
    }
}

static void callbacks_may_fail(void **state)
{
    (void)state;
    dodona_writer *w;
    dodona_error err = { 0 };
    taken t = { .fail_at = 3 };
    assert_int_equal(dodona_writer_open_callback(take, &t, DODONA_CONLLU, &w, NULL), 0);
    dodona_writer_flush(w, 1);
    assert_int_equal(copy_all("scripts.conllu", w, &err), DODONA_E_CANCELLED);
    assert_string_equal(err.message, "no more");
    assert_int_equal(t.calls, 3);
    assert_int_equal(dodona_writer_close(w, &err), DODONA_E_CANCELLED);
    assert_int_equal(t.calls, 3);
    free(t.data);
    t = (taken){ .fail_at = 1 };
    assert_int_equal(dodona_writer_open_callback(take, &t, DODONA_SVG, &w, NULL), 0);
    assert_int_equal(copy_all("scripts.conllu", w, &err), 0);
    assert_int_equal(dodona_writer_close(w, &err), DODONA_E_CANCELLED);
    t = (taken){ 0 };
    assert_int_equal(dodona_writer_open_callback(take, &t, DODONA_JSON, &w, NULL), 0);
    dodona_writer_abandon(w);
    assert_int_equal(t.calls, 0);
}

/* A document that nothing was put into. */
static void an_empty_text(void **state)
{
    (void)state;
    dodona_writer *w;
    dodona_text text;
    assert_int_equal(dodona_writer_open_memory(DODONA_CONLLU, &w, NULL), 0);
    assert_int_equal(dodona_writer_text(w, &text, NULL), 0);
    assert_true(text.data && text.size == 0);
    assert_int_equal(dodona_writer_close(w, NULL), 0);
}

/* ---- Comments ---- */

static void writes(const dodona_sentence *s, const char *want)
{
    dodona_writer *w;
    dodona_text got;
    assert_int_equal(dodona_writer_open_memory(DODONA_CONLLU, &w, NULL), 0);
    assert_int_equal(dodona_writer_put(w, s, NULL), 0);
    assert_int_equal(dodona_writer_text(w, &got, NULL), 0);
    if (!is(got, want))
        fail_msg("%.*s is not %s", (int)got.size, got.data, want);
    assert_int_equal(dodona_writer_close(w, NULL), 0);
}

static void set(dodona_sentence *s, const char *key, const char *value)
{
    dodona_text t = value ? text(value) : (dodona_text){ NULL, 0 };
    assert_int_equal(dodona_sentence_set_meta(s, key, value ? &t : NULL, NULL), 0);
}

static void has(const dodona_sentence *s, const char *key, const char *value)
{
    dodona_text got;
    assert_int_equal(dodona_sentence_meta(s, key, &got), value != NULL);
    assert_true(!value || is(got, value));
}

#define A_WORD "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n"

static void comments_of_a_sentence_that_is_made(void **state)
{
    (void)state;
    dodona_sentence *s = dodona_sentence_new();
    const dodona_word w = { .form = { "a", 1 }, .head = -1 };
    dodona_text line;
    has(s, "text", NULL);
    set(s, "text", "a");
    set(s, "sent_id", "1");
    set(s, "newpar", "");
    set(s, "newdoc", "d 1");
    assert_int_equal(dodona_sentence_add_comment(s, text("# other"), NULL), 0);
    assert_int_equal(dodona_sentence_add(s, &w, NULL), 0);
    writes(s, "# newdoc id = d 1\n# newpar\n# text = a\n# sent_id = 1\n# other\n" A_WORD "\n");
    has(s, "newdoc", "d 1");
    has(s, "newpar", "");
    has(s, "text", "a");
    has(s, "other", NULL);
    has(s, "newdoc id", "d 1");
    assert_int_equal(dodona_sentence_comment(s, 4, &line), 0);
    assert_true(is(line, "# other"));
    assert_int_equal(dodona_sentence_comment(s, 5, &line), DODONA_E_ARGUMENT);
    set(s, "text", "b");
    set(s, "newdoc", "");
    set(s, "sent_id", NULL);
    set(s, "nothing", NULL);
    set(s, "newpar", NULL);
    assert_int_equal(dodona_sentence_add(s, &w, NULL), 0);
    writes(s, "# newdoc\n# text = b\n# other\n" A_WORD "2\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
    /* A value that is the sentence's own. */
    for (int i = 0; i < 100; i++) {
        assert_int_equal(dodona_sentence_meta(s, "text", &line), 1);
        assert_int_equal(dodona_sentence_set_meta(s, "more", &line, NULL), 0);
    }
    has(s, "more", "b");
    dodona_sentence_free(s);
}

static void comments_of_a_sentence_that_was_read(void **state)
{
    (void)state;
    static const struct {
        const char *before, *after; /* newdoc and sent_id are set */
    } cases[] = {
        { A_WORD "\n", "# newdoc id = d\n# sent_id = 1\n" A_WORD "\n" },
        { "\n# text = a\n" A_WORD, "\n# newdoc id = d\n# text = a\n# sent_id = 1\n" A_WORD },
        { "\357\273\277" A_WORD "\n", "\357\273\277# newdoc id = d\n# sent_id = 1\n" A_WORD "\n" },
        { "\357\273\277#newdoc\r\n#  sent_id=7\r\n" A_WORD "\n",
          "\357\273\277# newdoc id = d\n# sent_id = 1\n" A_WORD "\n" },
        { "# c\n# d", "# newdoc id = d\n# c\n# d\n# sent_id = 1\n\n" },
    };
    dodona_sentence *s = dodona_sentence_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_memory m = { cases[i].before, strlen(cases[i].before), 0, 0 };
        dodona_reader *r;
        dodona_word w;
        assert_int_equal(dodona_reader_open_callback(test_memory_read, &m, "m", NULL, &r, NULL), 0);
        assert_int_equal(dodona_reader_next(r, s, NULL), 1);
        set(s, "newdoc", "d");
        set(s, "sent_id", "1");
        writes(s, cases[i].after);
        has(s, "newdoc", "d");
        if (dodona_sentence_get(s, 1, &w) == 0)
            assert_true(is(w.form, "a"));
        dodona_reader_close(r);
    }
    dodona_sentence_free(s);
}

/* A copy is written as what was read, and does not depend on it. */
static void sentences_are_copied(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        dodona_format format;
        int is_bad;
    } cases[] = {
        { "# c = d\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\tX=Y\n1\ta\t_\tX\t_\t_\t2\tr\t_\t_\n"
          "1.1\te\t_\t_\t_\t_\t_\t_\t0:r\t_\n2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n",
          DODONA_CONLLU, 0 },
        { "1\ta\t_\tP\tQ\t_\t0\tr\t_\t_\r\n\r\n", DODONA_CONLLX, 0 },
        { "1\ta\n\n", DODONA_CONLLU, 1 },
        { "", DODONA_CONLLU, 0 },
    };
    dodona_sentence *s = dodona_sentence_new(), *copy = dodona_sentence_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_memory m = { cases[i].text, strlen(cases[i].text), 0, 0 };
        dodona_reader_options o;
        dodona_reader *r;
        dodona_word w;
        dodona_reader_options_init(&o);
        o.skip_bad = 1;
        o.format = cases[i].format;
        assert_int_equal(dodona_reader_open_callback(test_memory_read, &m, "m", &o, &r, NULL), 0);
        assert_int_equal(dodona_reader_next(r, s, NULL), cases[i].text[0] != 0);
        assert_int_equal(dodona_sentence_copy(copy, s, NULL), 0);
        assert_int_equal(dodona_sentence_copy(copy, copy, NULL), 0);
        assert_int_equal(dodona_sentence_is_bad(copy), cases[i].is_bad);
        if (i == 0) {
            assert_int_equal(dodona_sentence_get(copy, 1, &w), 0);
            assert_int_equal(w.head, 2);
            has(copy, "c", "d");
        }
        dodona_sentence_clear(s);
        if (cases[i].format == DODONA_CONLLU && cases[i].text[0])
            writes(copy, cases[i].text);
        dodona_reader_close(r);
    }
    /* A head that is still to come. */
    const dodona_word w = { .form = { "a", 1 }, .head = 2 };
    dodona_word got;
    assert_int_equal(dodona_sentence_add(s, &w, NULL), 0);
    assert_int_equal(dodona_sentence_copy(copy, s, NULL), 0);
    assert_int_equal(dodona_sentence_add(copy, &w, NULL), 0);
    assert_int_equal(dodona_sentence_get(copy, 1, &got), 0);
    assert_int_equal(got.head, 2);
    assert_int_equal(dodona_sentence_length(s), 1);
    dodona_sentence_free(s);
    dodona_sentence_free(copy);
}

static void comments_that_can_not_be(void **state)
{
    (void)state;
    dodona_sentence *s = dodona_sentence_new();
    dodona_error err;
    static const char *const keys[] = { "", " a", "a ", "a=b", "a\nb", "\xff" };
    static const char *const values[] = { "a\nb", "a\r", "\xff" };
    dodona_text value = text("x");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_int_equal(dodona_sentence_set_meta(s, keys[i], &value, &err), DODONA_E_ARGUMENT);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        value = text(values[i]);
        assert_int_equal(dodona_sentence_set_meta(s, "k", &value, &err), DODONA_E_ARGUMENT);
        assert_int_equal(dodona_sentence_add_comment(s, value, &err), DODONA_E_ARGUMENT);
    }
    assert_int_equal(dodona_sentence_add_comment(s, text("no"), &err), DODONA_E_ARGUMENT);
    assert_int_equal(dodona_sentence_add_comment(s, text(""), &err), DODONA_E_ARGUMENT);
    value = (dodona_text){ "x", DODONA_MAX_LINE };
    assert_int_equal(dodona_sentence_set_meta(s, "k", &value, &err), DODONA_E_LIMIT);
    writes(s, "");
    dodona_sentence_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_are_built),
        cmocka_unit_test(formats_are_converted),
        cmocka_unit_test(formats_are_found),
        cmocka_unit_test(a_long_line_stays_whole),
        cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(failures_are_told),
        cmocka_unit_test(bad_sentences_are_counted),
        cmocka_unit_test(any_heads_are_drawn),
        cmocka_unit_test(writers_agree),
        cmocka_unit_test(callbacks_may_fail),
        cmocka_unit_test(an_empty_text),
        cmocka_unit_test(comments_of_a_sentence_that_is_made),
        cmocka_unit_test(comments_of_a_sentence_that_was_read),
        cmocka_unit_test(sentences_are_copied),
        cmocka_unit_test(comments_that_can_not_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
