/* SPDX-License-Identifier: MIT */
/* Runs of sentences against what the definition says, on random words and sentences of the same
 * text: a run goes from one character at which both files end a sentence to the next, words are
 * shared when they have the same characters, and the others stand where the text has them. */
#include "core/rng.h"
#include "eval/runs.h"
#include "io/conll.h"
#include "lib/check.h"
#include "lib/memory.h"
#include <stdio.h>

enum { CHARACTERS = 14, ROUNDS = 20000, BYTES = 1 << 14 };

/* A file by its places: between characters i-1 and i, from 0 to length. */
typedef struct file {
    bool cut[CHARACTERS + 1], stop[CHARACTERS + 1]; /* a word, a sentence ends */
    int words;
    int from[CHARACTERS], to[CHARACTERS]; /* of each word */
    int head[CHARACTERS];                 /* of all words, -1 for the root, -2 for none */
    int sentence[CHARACTERS];
    int line[CHARACTERS];
    char text[BYTES];
    size_t size;
    /* To read it: */
    test_memory m;
    ddn_conll_reader *r;
    ddn_sentence s;
} file;

static const char *const letters[] = { "a", "b", "é", "木" };

static void put(file *f, const char *text)
{
    size_t size = strlen(text);
    assert_true(f->size + size < BYTES);
    memcpy(f->text + f->size, text, size + 1);
    f->size += size;
}

static void put_word(file *f, ddn_rng *rng, const int *letter, int w, int first)
{
    char line[64];
    snprintf(line, sizeof line, "%d\t", w - first + 1);
    put(f, line);
    for (int i = f->from[w]; i < f->to[w]; i++) {
        put(f, letters[letter[i]]);
        if (i + 1 < f->to[w] && ddn_rng_below(rng, 4) == 0)
            put(f, ddn_rng_below(rng, 2) ? " " : "\u3000"); /* blanks are no text */
    }
    const char *head = "_";
    char number[16];
    if (f->head[w] > -2) {
        snprintf(number, sizeof number, "%d", f->head[w] < 0 ? 0 : f->head[w] - first + 1);
        head = number;
    }
    snprintf(line, sizeof line, "\t_\tX\t_\t_\t%s\tdet\t_\t_\n", head);
    put(f, line);
}

/* Words and sentences from the places. */
static void split(file *f, ddn_rng *rng, int length)
{
    int from = 0, first = 0, sentence = 0;
    f->words = 0;
    for (int i = 1; i <= length; i++) {
        if (!f->cut[i])
            continue;
        f->from[f->words] = from;
        f->to[f->words] = from = i;
        f->sentence[f->words++] = sentence;
        if (!f->stop[i])
            continue;
        for (int w = first; w < f->words; w++) {
            int any = (int)ddn_rng_below(rng, (uint32_t)(f->words - first) + 2) - 2;
            f->head[w] = any < 0 ? any : first + any;
            f->head[w] = f->head[w] == w ? -1 : f->head[w];
        }
        first = f->words;
        sentence++;
    }
}

static void make(file *f, ddn_rng *rng, int length)
{
    uint32_t cuts = 1 + ddn_rng_below(rng, 4), stops = 1 + ddn_rng_below(rng, 4);
    for (int i = 1; i <= length; i++) {
        f->cut[i] = i == length || ddn_rng_below(rng, cuts) == 0;
        f->stop[i] = f->cut[i] && (i == length || ddn_rng_below(rng, stops) == 0);
    }
    split(f, rng, length);
}

static void print(file *f, ddn_rng *rng, const int *letter)
{
    int line = 1, first = 0;
    f->size = 0;
    f->text[0] = '\0';
    for (int w = 0; w < f->words; w++) {
        if (w == 0 || f->sentence[w] != f->sentence[w - 1]) {
            first = w;
            if (ddn_rng_below(rng, 8) == 0) {
                put(f, "# no words\n\n");
                line += 2;
            }
            if (ddn_rng_below(rng, 2)) {
                put(f, "# a comment\n");
                line++;
            }
        }
        f->line[w] = line++;
        put_word(f, rng, letter, w, first);
        if (w + 1 == f->words || f->sentence[w + 1] != f->sentence[w]) {
            put(f, "\n");
            line++;
        }
    }
}

static int next(void *ctx, const ddn_sentence **s, dodona_error *err)
{
    file *f = ctx;
    *s = &f->s;
    return ddn_conll_next(f->r, &f->s, err);
}

static void open_files(file f[2], ddn_runs *r)
{
    for (int i = 0; i < 2; i++) {
        ddn_input *in;
        f[i].m = (test_memory){ f[i].text, f[i].size, 0, 0 };
        assert_int_equal(ddn_input_callback(&in, test_memory_read, &f[i].m, "f", NULL), 0);
        assert_int_equal(ddn_conll_open(&f[i].r, in, DODONA_CONLLU, DODONA_CHECK_FORM, false, NULL),
                         0);
        ddn_sentence_init(&f[i].s);
    }
    ddn_runs_init(r, &(ddn_eval_source){ next, &f[0], "first" },
                  &(ddn_eval_source){ next, &f[1], "second" });
}

static void close_files(file f[2], ddn_runs *r)
{
    ddn_runs_fini(r);
    for (int i = 0; i < 2; i++) {
        ddn_conll_close(f[i].r);
        ddn_sentence_fini(&f[i].s);
    }
}

/* ---- What must hold of a run ---- */

/* Words first[k]..last[k]-1 of file k. */
typedef struct expected {
    int first[2], last[2];
} expected;

/* The words up to the next place at which both files end a sentence. */
static expected next_run(const file f[2], const expected *before)
{
    expected e = { { before->last[0], before->last[1] }, { 0, 0 } };
    int end = f[0].from[e.first[0]] + 1;
    while (!f[0].stop[end] || !f[1].stop[end])
        end++;
    for (int k = 0; k < 2; k++)
        for (e.last[k] = e.first[k]; e.last[k] < f[k].words && f[k].to[e.last[k]] <= end;)
            e.last[k]++;
    return e;
}

static void check_side(const file *f, int first, int last, const ddn_sentence *s, const bool *ends,
                       int32_t sentences)
{
    assert_int_equal(s->n, last - first);
    int borders = 0;
    for (int w = first; w < last; w++) {
        int head = f->head[w] == -2 ? -1 : f->head[w] == -1 ? 0 : f->head[w] - first + 1;
        assert_int_equal(s->head[w - first + 1], head);
        assert_int_equal(s->row[s->word_row[w - first + 1]].id, w - first + 1);
        bool end = w + 1 < last && f->sentence[w] != f->sentence[w + 1];
        assert_int_equal(ends[w - first + 1], end);
        borders += end;
    }
    assert_int_equal(sentences, borders + 1);
}

static void check_words(const file f[2], const expected *e, const ddn_comparison *with)
{
    for (int v = e->first[1]; v < e->last[1]; v++) {
        int here = 0, before = 0;
        for (int w = e->first[0]; w < e->last[0]; w++) {
            if (f[0].from[w] == f[1].from[v] && f[0].to[w] == f[1].to[v])
                here = w - e->first[0] + 1;
            before += f[0].from[w] < f[1].to[v];
        }
        int32_t j = v - e->first[1] + 1;
        assert_int_equal(with->here[j], here);
        assert_int_equal(with->after[j], before);
        if (here)
            assert_int_equal(with->there[here], j);
    }
    for (int w = e->first[0]; w < e->last[0]; w++) {
        int32_t i = w - e->first[0] + 1;
        if (with->there[i])
            assert_int_equal(with->here[with->there[i]], i);
    }
}

/* Reads runs that end up to a place; returns what comes then. */
static int check_runs(const file f[2], ddn_runs *r, int length, dodona_error *err)
{
    expected e = { { 0, 0 }, { 0, 0 } };
    int status;
    while ((status = ddn_runs_next(r, err)) > 0) {
        e = next_run(f, &e);
        check_side(&f[0], e.first[0], e.last[0], &r->side[0].all, r->with.ends, r->with.sentences);
        check_side(&f[1], e.first[1], e.last[1], &r->side[1].all, r->with.ends_there,
                   r->with.sentences_there);
        check_words(f, &e, &r->with);
    }
    if (status == 0) {
        assert_int_equal(f[0].to[e.last[0] - 1], length);
        assert_int_equal(e.last[0], f[0].words);
        assert_int_equal(e.last[1], f[1].words);
    }
    return status;
}

/* ---- Tests ---- */

static void runs_are_smallest(void **state)
{
    (void)state;
    static file f[2];
    ddn_rng rng;
    ddn_rng_init(&rng, 5);
    for (int round = 0; round < ROUNDS; round++) {
        int length = 1 + (int)ddn_rng_below(&rng, CHARACTERS), letter[CHARACTERS];
        ddn_runs r;
        for (int i = 0; i < length; i++)
            letter[i] = (int)ddn_rng_below(&rng, 4);
        for (int k = 0; k < 2; k++) {
            make(&f[k], &rng, length);
            print(&f[k], &rng, letter);
        }
        open_files(f, &r);
        assert_int_equal(check_runs(f, &r, length, NULL), 0);
        close_files(f, &r);
    }
}

/* One letter is another: the line is that of its word in the first file. */
static void texts_that_differ(void **state)
{
    (void)state;
    static file f[2];
    ddn_rng rng;
    ddn_rng_init(&rng, 6);
    for (int round = 0; round < ROUNDS / 4; round++) {
        int length = 1 + (int)ddn_rng_below(&rng, CHARACTERS), letter[CHARACTERS], word = 0;
        int other = (int)ddn_rng_below(&rng, (uint32_t)length);
        ddn_runs r;
        dodona_error err;
        for (int i = 0; i < length; i++)
            letter[i] = (int)ddn_rng_below(&rng, 4);
        for (int k = 0; k < 2; k++) {
            make(&f[k], &rng, length);
            print(&f[k], &rng, letter);
            letter[other] = (letter[other] + 1 + (int)ddn_rng_below(&rng, 3)) % 4;
        }
        open_files(f, &r);
        assert_int_equal(check_runs(f, &r, length, &err), DODONA_E_INPUT);
        while (f[0].to[word] <= other)
            word++;
        assert_string_equal(err.file, "first");
        assert_int_equal(err.line, f[0].line[word]);
        close_files(f, &r);
    }
}

/* One file lacks the text from some place on. */
static void files_that_end(void **state)
{
    (void)state;
    static file f[2];
    ddn_rng rng;
    int at_run[2] = { 0, 0 };
    ddn_rng_init(&rng, 7);
    for (int round = 0; round < ROUNDS / 4; round++) {
        int length = 2 + (int)ddn_rng_below(&rng, CHARACTERS - 1), letter[CHARACTERS];
        int end = 1 + (int)ddn_rng_below(&rng, (uint32_t)length - 1), shorter = round % 2;
        ddn_runs r;
        dodona_error err;
        for (int i = 0; i < length; i++)
            letter[i] = (int)ddn_rng_below(&rng, 4);
        for (int k = 0; k < 2; k++) {
            memset(f[k].stop, 0, sizeof f[k].stop);
            make(&f[k], &rng, k == shorter ? end : length);
            print(&f[k], &rng, letter);
        }
        open_files(f, &r);
        assert_int_equal(check_runs(f, &r, length, &err), DODONA_E_INPUT);
        if (f[!shorter].stop[end]) {
            assert_string_equal(err.file, shorter ? "second" : "first");
            assert_non_null(strstr(err.message, "the other file goes on"));
            at_run[shorter]++;
        } else {
            assert_string_equal(err.file, "first");
            assert_non_null(strstr(err.message, shorter ? "that has the end" : "this has the end"));
        }
        close_files(f, &r);
    }
    assert_true(at_run[0] > 100 && at_run[1] > 100);
}

static void parts_of_tokens(void **state)
{
    (void)state;
    static file f[2];
    static const char *const text[] = {
        "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n1\tdo\t_\t_\t_\t_\t0\troot\t_\t_\n"
        "2\tn't\t_\t_\t_\t_\t1\td\t_\t_\n3\t!\t_\t_\t_\t_\t1\td\t_\t_\n\n",
        "1-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n1\tyou\t_\t_\t_\t_\t0\troot\t_\t_\n"
        "2\tdo\t_\t_\t_\t_\t1\td\t_\t_\n3\tnot\t_\t_\t_\t_\t1\td\t_\t_\n4\t!\t_\t_\t_\t_\t1\td\t_"
        "\t_\n\n",
    };
    static const int32_t there[] = { 0, 2, 0, 4 }, here[] = { 0, 0, 1, 0, 3 };
    static const int32_t after[] = { 0, 0, 1, 2, 3 };
    ddn_runs r;
    for (int k = 0; k < 2; k++) {
        f[k].size = 0;
        put(&f[k], text[k]);
    }
    open_files(f, &r);
    assert_int_equal(ddn_runs_next(&r, NULL), 1);
    assert_memory_equal(r.with.there, there, sizeof there);
    assert_memory_equal(r.with.here, here, sizeof here);
    assert_memory_equal(r.with.after, after, sizeof after);
    assert_int_equal(ddn_runs_next(&r, NULL), 0);
    close_files(f, &r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_smallest),
        cmocka_unit_test(texts_that_differ),
        cmocka_unit_test(files_that_end),
        cmocka_unit_test(parts_of_tokens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
